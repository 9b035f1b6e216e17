// What becomes of `stack` that is set on an heir of an error.
const error = new Error('a');
const heir = Object.create(error);
heir.stack = 'mine';
console.log(Object.keys(heir), Object.getOwnPropertyNames(heir), heir.stack.split('\n')[0], error.stack.split('\n')[0]);
error.stack = 'own';
console.log(Object.getOwnPropertyNames(error), error.stack);

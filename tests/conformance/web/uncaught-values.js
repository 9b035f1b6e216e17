// What the event error says of errors and of other values that are thrown: Chromium's message begins with "Uncaught", Firefox's with
// "uncaught exception: " for what is no error.
window.onerror = (message) => {
  console.log(message);
};
class Own extends Error {}
const actions = [
  () => {
    throw new Error('an error');
  },
  () => {
    throw 'a string';
  },
  () => {
    throw { a: 1 };
  },
  () => {
    throw null;
  },
  () => {
    throw undefined;
  },
  () => {
    throw new Own('of an own class');
  },
  () => {
    throw new DOMException('of the DOM', 'AbortError');
  },
  () => {
    const error = new TypeError('with a name');
    error.name = 'Named';
    throw error;
  },
  () => {
    throw new Error();
  },
];
actions.forEach((action, index) => setTimeout(action, index * 10));

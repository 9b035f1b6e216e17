// What is printed of a function without a name, and of a class.
console.log(function () {}, [() => 1], [async function () {}], function named() {});
class Named {}
console.log([Named], Named);
try { new (require('events'))().emit('error', () => 1); } catch (error) { console.log(error.message); }

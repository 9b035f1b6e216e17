// What is in scope: blocks, shadowing, variables that are not initialised yet.
var early = typeof nowhere;
try {
  console.log(late);
} catch (error) {
  console.log(error.message);
}
let late = 'now';
{
  const late = 'inner';
  let own;
  own = late + '!';
  console.log(own);
}
console.log(early, late);

function shadow(late) {
  if (late > 1) {
    let late = 'block';
    console.log(late);
  }
  return late;
}
shadow(1);
shadow(2);

function defaults(a, b = a + 1, { c, d = 4 } = {}, ...rest) {
  const sum = a + b + (c ?? 0) + d + rest.length;
  return sum;
}
console.log(defaults(1), defaults(1, 2, { c: 3 }, 5, 6));

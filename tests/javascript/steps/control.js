// Statements: loops and their own lines, switch, labels, exceptions.
let n = 0;
while (n < 2) {
  n++;
}
do n--; while (n > 0);
for (const key of ['a', 'b']) {
  switch (key) {
    case 'a':
      n += 1;
      break;
    default:
      n += 10;
  }
}
outer: for (let i = 0; ; i++) {
  for (let j = 0; j < 3; j++) {
    if (j === 1) continue outer;
    if (i === 1) break outer;
  }
}
function fails(depth) {
  if (depth === 0) throw new RangeError('deep');
  fails(depth - 1);
}
function tries() {
  try {
    fails(2);
    return 'not here';
  } catch ({ name, message }) {
    return `${name}: ${message}`;
  } finally {
    n = -1;
  }
}
const caught = tries();
console.log(n, caught);
for (const x in { p: 1, q: 2 }) console.log(x);

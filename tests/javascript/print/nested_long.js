// Where lines are broken in objects, maps and sets.
const long = { aaaaaaaaaaaaaaaaaaaa: 'bbbbbbbbbbbbbbbbbbbbbbbbbbbb', cccccccccccccccc: 'dddddddddddddddddddd' };
console.log({ x: long });
console.log({ x: [long, 1], y: 2 });
console.log([[long], { z: { w: long } }]);
console.log(new Map([[long, 1]]));
console.log(new Set([long, 2]));
console.log(new Map([['k', long], ['l', { z: long }]]));
console.log({ s: new Set([long]) });
console.log([new Map([[1, long]])]);

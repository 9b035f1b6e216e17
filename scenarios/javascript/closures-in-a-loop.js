// Timers made in a loop with `var` and with `let`: which numbers do they print?

'use strict';
for (var i = 0; i < 3; i++) setTimeout(() => console.log('var', i), 0);
for (let j = 0; j < 3; j++) setTimeout(() => console.log('let', j), 0);
for (var k = 0; k < 3; k++) setTimeout((n) => console.log('argument', n), 0, k);

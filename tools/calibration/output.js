'use strict';
// Measures what a line of output costs: the first one, for which Node creates the stream, and the later ones. Prints empty
// lines, and then one JSON object with nanoseconds.
const fs = require('fs');
const { now } = require('./clock.js');

now();
const times = [now()];
for (let i = 0; i <= 100; ++i) {
  console.log('');
  times.push(now());
}
const lines = times.slice(1).map((time, i) => time - times[i]);
const later = lines.slice(1).sort((a, b) => a - b);
fs.writeSync(1, `${JSON.stringify({ first: lines[0], later: later[50] })}\n`);

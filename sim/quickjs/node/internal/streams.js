// The streams of the version of Node that the process is (lib/stream.js): one of the packages of streams, with what differs between
// versions where bundle.mjs has changed them, and what they have not.
'use strict';

const native = internalBinding;
const Stream2 = require('vendor/stream2');
const Stream3 = require('vendor/stream3');
const Stream4 = require('vendor/stream4');

const takers = [];
let chosen = Stream4;
const { parts } = Stream4;
delete Stream4.parts;

// Called when the version is known; `take` gets the streams.
function onChosen(take) {
  takers.push(take);
  return chosen;
}

for (const Stream of [Stream2, Stream3]) Stream.Stream = Stream;

function chooseStreams() {
  const { major } = native.facts;
  chosen = major < 10 ? Stream2 : major < 14 ? Stream3 : Stream4;
  if (major >= 22) Stream4.setDefaultHighWaterMark(false, 64 * 1024);
  for (const take of takers) take(chosen);
}

module.exports = { chooseStreams, onChosen, parts, current: () => chosen };

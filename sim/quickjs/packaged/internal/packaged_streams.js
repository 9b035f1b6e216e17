// The streams of the version of Node that the process is (lib/stream.js): one of the packages of streams, with what differs between
// versions where bundle.mjs has changed them, and what they have not.
'use strict';

const native = internalBinding;
const { internalTick } = require('internal/ticks');
const { AbortError } = require('internal/validate');
const { atLeast, has, removeAbsent } = require('internal/version');
const { Buffer } = require('buffer');
const Stream2 = require('vendor/stream2');
const Stream3 = require('vendor/stream3');
const Stream4 = require('vendor/stream4');

let chosen = Stream4;
const { parts } = Stream4;
delete Stream4.parts;

for (const Stream of [Stream2, Stream3]) Stream.Stream = Stream;

// Called when the version is known.
function chooseStreams() {
  const { major } = native.facts;
  chosen = major < 10 ? Stream2 : major < 14 ? Stream3 : Stream4;
  if (major >= 22) Stream4.setDefaultHighWaterMark(false, 64 * 1024);
}

// ---- what the packages have not --------------------------------------------------------------------------------------------

// Two streams, each of which reads what is written to the other one.
function duplexPair(options) {
  const { Duplex } = chosen;
  const kOther = Symbol('kOtherSide');
  const kCallback = Symbol('kCallback');
  class DuplexSide extends Duplex {
    [kCallback] = null;
    [kOther] = null;
    _read() {
      const callback = this[kCallback];
      this[kCallback] = null;
      callback?.();
    }
    _write(chunk, encoding, callback) {
      if (chunk.length === 0) {
        internalTick(callback);
        return;
      }
      this[kOther].push(chunk);
      this[kOther][kCallback] = callback;
    }
    _final(callback) {
      this[kOther].on('end', callback);
      this[kOther].push(null);
    }
    _destroy(error, callback) {
      const other = this[kOther];
      if (other && !other.destroyed) {
        internalTick(() => {
          if (other.destroyed) return;
          if (error) other.destroy(error);
          else other.push(null);
        });
      }
      callback(error);
    }
  }
  const pair = [new DuplexSide(options), new DuplexSide(options)];
  [pair[0][kOther], pair[1][kOther]] = [pair[1], pair[0]];
  return pair;
}

function collect(stream, add) {
  return (async () => {
    for await (const chunk of stream) add(chunk);
  })();
}

async function bufferOf(stream) {
  const chunks = [];
  await collect(stream, (chunk) => chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  return Buffer.concat(chunks);
}

async function textOf(stream) {
  const { TextDecoder } = require('internal/encoding');
  const decoder = new TextDecoder();
  let text = '';
  await collect(stream, (chunk) => { text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }); });
  return text + decoder.decode();
}

// stream/consumers (lib/stream/consumers.js).
const consumers = {
  async arrayBuffer(stream) {
    const { buffer, byteOffset, byteLength } = await bufferOf(stream);
    return buffer.slice(byteOffset, byteOffset + byteLength);
  },
  buffer: bufferOf,
  text: textOf,
  async json(stream) { return JSON.parse(await textOf(stream)); },
};

// What the version has, and has not.
function restrictStreams(modules) {
  const { Readable, Writable, Duplex } = chosen;
  if (chosen === Stream4 && !atLeast(15)) delete chosen.Transform.prototype._final;  // 'prefinish' flushes
  if (has('22.6 20.17')) chosen.duplexPair = duplexPair;
  if (atLeast(24)) {
    const { compose } = parts.operators.streamReturningOperators;
    const described = { value: compose, writable: true, enumerable: false, configurable: true };
    Object.defineProperty(Readable.prototype, 'compose', described);
  }
  if (has('22.4 20.16') || atLeast(23)) {
    Writable.prototype[Symbol.asyncDispose] = async function () {
      if (this.destroyed) return;
      let error;
      if (!this.writableFinished) {
        error = new AbortError();
        this.destroy(error);
      }
      await new Promise((resolve, reject) => {
        chosen.finished(this, (failure) => (failure && failure.name !== 'AbortError' ? reject(failure) : resolve()));
      });
    };
  }
  const absent = [
    [chosen, 'addAbortSignal', '15.4'],
    [chosen, 'compose', '16.9'],
    [chosen, 'promises', '15'],
    [chosen, 'finished', '10'],
    [chosen, 'pipeline', '10'],
    [chosen, 'isDisturbed', '16.8'],
    [chosen, 'isErrored', '16.14'],
    [chosen, 'isReadable', '16.14'],
    [chosen, 'isWritable', '22 20'],
    [chosen, 'isDestroyed', '20'],
    [chosen, 'destroy', '18'],
    [chosen, 'getDefaultHighWaterMark', '19.9 18.17'],
    [chosen, 'setDefaultHighWaterMark', '19.9 18.17'],
    [Duplex, 'from', '16.8'],
    [Readable, 'from', '12.3 10.17'],
    [Readable.prototype, Symbol.asyncIterator, '10'],
    [Readable.prototype, Symbol.asyncDispose, '20.4 18.18'],
    [Readable.prototype, 'iterator', '16.3'],
    [Readable.prototype, 'compose', '19.1 18.13'],
    [Readable.prototype, 'asIndexedPairs', '17.5 16.15', '24'],
  ];
  for (const name of ['map', 'filter', 'forEach', 'toArray', 'some', 'find', 'every', 'flatMap', 'drop', 'take', 'reduce']) {
    absent.push([Readable.prototype, name, '17.5 16.15']);
  }
  removeAbsent(absent);
  modules.stream = chosen;
  if (has('15')) modules['stream/promises'] = chosen.promises;
  else delete modules['stream/promises'];
  if (has('16.7')) modules['stream/consumers'] = consumers;
  for (const name of ['Duplex', 'PassThrough', 'Readable', 'Transform', 'Writable']) {
    modules[`_stream_${name.toLowerCase()}`] = chosen[name];
  }
}

module.exports = { restrictStreams, chooseStreams, parts, current: () => chosen };

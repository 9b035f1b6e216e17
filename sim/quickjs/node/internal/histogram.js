// Histograms of perf_hooks (lib/internal/histogram.js; HdrHistogram with three significant figures): values from 2048 on are
// counted in ranges, twice as wide with each doubling.
'use strict';

const { makeNodeError } = require('internal/errors');
const { inspect } = require('internal/inspect');
const { atLeast } = require('internal/version');
const { outOfRange, invalidArgType, validateNumber } = require('internal/validate');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kIllegal = Symbol('illegal constructor');
class SafeMap extends Map {}

const rangeOf = (value) => (value < 2048 ? 1 : 2 ** (Math.floor(Math.log2(value)) - 10));
const lowestOf = (value) => Math.floor(value / rangeOf(value)) * rangeOf(value);
const highestOf = (value) => lowestOf(value) + rangeOf(value) - 1;
const medianOf = (value) => lowestOf(value) + Math.floor(rangeOf(value) / 2);

class Histogram {
  #counts = new Map();  // by the lowest value of the range
  #count = 0;
  #exceeds = 0;
  #min = Infinity;
  #max = 0;

  constructor(mark) {
    if (mark !== kIllegal) throw makeNodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
  }

  // For what measures. Values of 0 and less, which Node's take for errors, are not counted.
  _add(value) {
    if (value <= 0) return;
    const key = lowestOf(value);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    ++this.#count;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }
  _read() {}

  #sorted() {
    this._read();
    return [...this.#counts].sort(([a], [b]) => a - b);
  }

  get count() { this._read(); return this.#count; }
  get countBigInt() { return BigInt(this.count); }
  get exceeds() { return this.#exceeds; }
  get exceedsBigInt() { return BigInt(this.#exceeds); }
  get min() { this._read(); return this.#count ? lowestOf(this.#min) : 9223372036854776000; }
  get minBigInt() { this._read(); return this.#count ? BigInt(lowestOf(this.#min)) : 9223372036854775807n; }
  get max() { this._read(); return this.#count ? highestOf(this.#max) : 0; }
  get maxBigInt() { return BigInt(this.max); }
  get mean() {
    let sum = 0;
    for (const [value, count] of this.#sorted()) sum += count * medianOf(value);
    return sum / this.#count;
  }
  get stddev() {
    const { mean } = this;
    let sum = 0;
    for (const [value, count] of this.#sorted()) sum += (medianOf(value) - mean) ** 2 * count;
    return Math.sqrt(sum / this.#count);
  }

  percentile(percentile) {
    validateNumber(percentile, 'percentile');
    if (Number.isNaN(percentile) || percentile <= 0 || percentile > 100) {
      throw outOfRange('percentile', '> 0 && <= 100', percentile);
    }
    const sorted = this.#sorted();
    const wanted = Math.max(1, Math.floor((percentile / 100) * this.#count + 0.5));
    let total = 0;
    for (const [value, count] of sorted) {
      total += count;
      if (total >= wanted) return highestOf(value);
    }
    return 0;
  }
  percentileBigInt(percentile) { return BigInt(this.percentile(percentile)); }

  // By the lowest value of each range; halfway to 100 with each further one.
  get percentiles() {
    const result = atLeast(24) ? new Map() : new SafeMap();
    const sorted = this.#sorted();
    let next = 0;
    let total = 0;
    for (const [value, count] of sorted) {
      total += count;
      while (next <= (100 * total) / this.#count && next < 100) {
        result.set(next, value);
        next += 100 / 2 ** (Math.floor(Math.log2(100 / (100 - next))) + 1);
        if (total === this.#count) break;
      }
    }
    result.set(100, sorted.length ? sorted[sorted.length - 1][0] : 0);
    return result;
  }
  get percentilesBigInt() { return new Map([...this.percentiles].map(([key, value]) => [key, BigInt(value)])); }

  reset() {
    this._read();
    this.#counts.clear();
    this.#count = this.#exceeds = this.#max = 0;
    this.#min = Infinity;
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const shown = { min: this.min, max: this.max, mean: this.mean, exceeds: this.exceeds, stddev: this.stddev };
    if (atLeast(24)) Object.assign(shown, { skewness: 0, kurtosis: 0 });
    Object.assign(shown, { count: this.count, percentiles: this.percentiles });
    return `Histogram ${inspect(shown, { ...options, depth: options?.depth == null ? null : options.depth - 1 })}`;
  }

  toJSON() {
    return {
      count: this.count, min: this.min, max: this.max, mean: this.mean, exceeds: this.exceeds, stddev: this.stddev,
      percentiles: Object.fromEntries(this.percentiles),
    };
  }
}

class RecordableHistogram extends Histogram {
  #before = -1;
  record(value) {
    if (typeof value !== 'number' && typeof value !== 'bigint') throw invalidArgType('val', ['integer', 'bigint'], value);
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw outOfRange('val', 'an integer', value);
    if (value < 1) throw outOfRange('val', '>= 1 && <= 9007199254740991', value);
    this._add(Number(value));
  }
  recordDelta() {
    const now = internalBinding.hrtime();
    if (this.#before >= 0) this._add(now - this.#before);
    this.#before = now;
  }
}

function createHistogram() { return new RecordableHistogram(kIllegal); }

module.exports = { Histogram, RecordableHistogram, createHistogram, kIllegal };

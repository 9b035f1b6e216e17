// ResizeObserver and IntersectionObserver: what is told after the callbacks of a frame (HTML standard, "update the rendering").
//
// Nothing has a size here unless the program's style gives it one in pixels: width and height are taken from there. An element is in sight
// when it stands in the document, and no element above it, nor itself, has display: none or is hidden.
'use strict';

const native = internalBinding;
const { DOMRectReadOnly, isElement } = require('web/elements');
const tree = require('web/tree');
const { describe, kKey } = require('web/webidl');
const {
  domError, illegalConstructor, isObject, needArgs, needDictionary, needEnum, needFunction, prefixed, wrongType,
} = require('web/words');

const { dataOf } = tree;

const isNone = (element) => dataOf(element).attributes?.has('hidden') ||
  /(?:^|;)\s*display\s*:\s*none/i.test(dataOf(element).attributes?.get('style') ?? '');
function isShown(element) {
  if (!tree.isConnected(element)) return false;
  for (const at of tree.ancestorsOf(element)) if (isNone(at)) return false;
  return true;
}
function sizeOf(element) {
  if (!isShown(element)) return [0, 0];
  const style = dataOf(element).attributes.get('style') ?? '';
  return ['width', 'height'].map((name) => Number(new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([\\d.]+)px`, 'i').exec(style)?.[1] ?? 0));
}

function makeEntry(name, keys) {
  const values = new WeakMap();
  const Class = { [name]: class {
    static length = 0;
    constructor(key, given) {
      if (key !== kKey) throw illegalConstructor(name);
      values.set(this, given);
    }
  } }[name];
  for (const key of keys) {
    Object.defineProperty(Class.prototype, key, { get() { return values.get(this)[key]; }, configurable: true });
  }
  return describe(Class, (value) => isObject(value) && values.has(value), { inspect() { return `${name} {}`; } });
}
const ResizeObserverSize = makeEntry('ResizeObserverSize', ['inlineSize', 'blockSize']);
const ResizeObserverEntry = makeEntry('ResizeObserverEntry',
                                      ['target', 'contentRect', 'borderBoxSize', 'contentBoxSize', 'devicePixelContentBoxSize']);
const IntersectionObserverEntry = makeEntry('IntersectionObserverEntry', [
  'time', 'rootBounds', 'boundingClientRect', 'intersectionRect', 'isIntersecting', 'intersectionRatio', 'target']);

// ---- ResizeObserver ------------------------------------------------------------------------------------------------------------------

const resizeObservers = [];  // in the order of their creation, those that observe something
let isResizeObserver;
let resizeInsides;
class ResizeObserver {
  #insides;
  static {
    isResizeObserver = (value) => isObject(value) && #insides in value;
    resizeInsides = (observer) => observer.#insides;
  }
  constructor(callback) {
    needArgs('ResizeObserver', undefined, arguments, 1);
    needFunction('ResizeObserver', undefined, callback);
    // targets: by element, the size that was told last; undefined: none was. boxes: what of it is observed.
    this.#insides = { observer: this, callback, targets: new Map(), boxes: new Map() };
    resizeObservers.push(this);
  }
  observe(target) {
    needArgs('ResizeObserver', 'observe', arguments, 1);
    if (!isElement(target)) throw wrongType('ResizeObserver', 'observe', 1, 'Element', target);
    const { box = 'content-box' } = needDictionary('ResizeObserver', 'observe', arguments[1], 'ResizeObserverOptions', 2);
    needEnum('ResizeObserver', 'observe', box, 'ResizeObserverBoxOptions', ['content-box', 'border-box', 'device-pixel-content-box'],
             'ResizeObserverOptions', 'box');
    // Both browsers leave one that is observed already where it is; in the standard it is the last one then.
    if (this.#insides.targets.has(target) && this.#insides.boxes.get(target) === box) return;
    this.#insides.targets.delete(target);
    this.#insides.boxes.set(target, box);
    // In a browser an element that is shown has some size: the next frame tells it. One that is not is told when it is shown.
    this.#insides.targets.set(target, undefined);
    native.changed();
  }
  unobserve(target) { this.#insides.targets.delete(target); }
  disconnect() { this.#insides.targets.clear(); }
}
describe(ResizeObserver, isResizeObserver);

const depthOf = (node) => [...tree.ancestorsOf(node)].length;

// Elements whose size is not that which was told, deeper than the depth.
function changedTargets(insides, depth) {
  const found = [];
  for (const [target, told] of insides.targets) {
    const size = sizeOf(target);
    const isFirst = told === undefined && isShown(target);
    const isOther = told === undefined ? size.some((one) => one !== 0) : size.some((one, i) => one !== told[i]);
    if ((isFirst || isOther) && depthOf(target) > depth) found.push([target, size]);
  }
  return found;
}

// Again and again, each time only for elements deeper in the tree than the last time.
function deliverResizes() {
  let depth = 0;
  for (;;) {
    const batches = resizeObservers.map((observer) => [resizeInsides(observer), changedTargets(resizeInsides(observer), depth)])
      .filter(([, targets]) => targets.length > 0);
    if (batches.length === 0) break;
    let shallowest = Infinity;
    for (const [insides, targets] of batches) {
      const entries = targets.map(([target, [width, height]]) => {
        insides.targets.set(target, [width, height]);
        shallowest = Math.min(shallowest, depthOf(target));
        const sizes = Object.freeze([new ResizeObserverSize(kKey, { inlineSize: width, blockSize: height })]);
        return new ResizeObserverEntry(kKey, {
          target, contentRect: new DOMRectReadOnly(0, 0, width, height), borderBoxSize: sizes, contentBoxSize: sizes,
          devicePixelContentBoxSize: sizes,
        });
      });
      native.callListener('ResizeObserver', insides.callback, insides.observer, [entries, insides.observer]);
    }
    depth = shallowest;
  }
  if (!resizeObservers.some((observer) => changedTargets(resizeInsides(observer), 0).length > 0)) return;
  // What is left waits for the next frame, and the window is told.
  require('web/errors').reportLoop('ResizeObserver loop completed with undelivered notifications.');
  native.changed();
}

// ---- IntersectionObserver ----------------------------------------------------------------------------------------------------------

const intersectionObservers = [];
let isIntersectionObserver;
let intersectionInsides;
class IntersectionObserver {
  #insides;
  static {
    isIntersectionObserver = (value) => isObject(value) && #insides in value;
    intersectionInsides = (observer) => observer.#insides;
  }
  constructor(callback) {
    needArgs('IntersectionObserver', undefined, arguments, 1);
    needFunction('IntersectionObserver', undefined, callback);
    const { root = null, rootMargin = '0px', threshold = 0 } =
      needDictionary('IntersectionObserver', undefined, arguments[1], 'IntersectionObserverInit', 2);
    const thresholds = (isObject(threshold) ? [...threshold] : [threshold]).map(Number).sort((a, b) => a - b);
    if (thresholds.length === 0) thresholds.push(0);
    if (!thresholds.every((one) => one >= 0 && one <= 1)) {
      throw new RangeError(prefixed('IntersectionObserver', undefined, 'Threshold values must be numbers between 0 and 1',
                                    'Threshold values must all be in the range [0, 1].'));
    }
    const margins = `${rootMargin}`.trim().split(/\s+/);
    if (margins.length > 4 || !margins.every((one) => /^-?[\d.]+(?:px|%)$|^0$|^$/.test(one))) {
      throw domError('SyntaxError', 'IntersectionObserver', undefined, 'rootMargin must be specified in absolute length units or percent.',
                     'rootMargin must be specified in pixels or percent.');
    }
    const [top = '0px', right = top, bottom = top, left = right] = margins[0] === '' ? [] : margins;
    this.#insides = {
      observer: this, callback, root, margin: [top, right, bottom, left].join(' '), thresholds: Object.freeze(thresholds),
      targets: new Map(),
      records: [], isQueued: false,
    };
    intersectionObservers.push(this);
  }
  get root() { return this.#insides.root; }
  get rootMargin() { return this.#insides.margin; }
  get thresholds() { return this.#insides.thresholds; }
  observe(target) {
    needArgs('IntersectionObserver', 'observe', arguments, 1);
    if (!isElement(target)) throw wrongType('IntersectionObserver', 'observe', 1, 'Element', target);
    if (this.#insides.targets.has(target)) return;
    this.#insides.targets.set(target, undefined);
    native.changed();
  }
  unobserve(target) { this.#insides.targets.delete(target); }
  disconnect() { this.#insides.targets.clear(); }
  takeRecords() {
    const { records } = this.#insides;
    this.#insides.records = [];
    return records;
  }
}
describe(IntersectionObserver, isIntersectionObserver);

// Finds what has come into sight or gone; it is told in a task of its own.
function findIntersections() {
  for (const observer of intersectionObservers) {
    const insides = intersectionInsides(observer);
    for (const [target, told] of insides.targets) {
      const isIntersecting = isShown(target) && (insides.root === null || insides.root === globalThis.document ||
        (tree.contains(insides.root, target) && insides.root !== target));
      if (isIntersecting === told) continue;
      insides.targets.set(target, isIntersecting);
      const [width, height] = sizeOf(target);
      const box = new DOMRectReadOnly(0, 0, width, height);
      insides.records.push(new IntersectionObserverEntry(kKey, {
        time: native.time(), target, isIntersecting, intersectionRatio: isIntersecting ? 1 : 0, boundingClientRect: box,
        intersectionRect: isIntersecting ? box : new DOMRectReadOnly(), rootBounds: null,
      }));
    }
    if (insides.records.length === 0 || insides.isQueued) continue;
    insides.isQueued = true;
    native.queueTask('IntersectionObserver', () => {
      insides.isQueued = false;
      const { records } = insides;
      insides.records = [];
      if (records.length > 0) native.callListener('IntersectionObserver', insides.callback, observer, [records, observer]);
    }, [], 0, 1);
  }
}

module.exports = {
  IntersectionObserver, IntersectionObserverEntry, ResizeObserver, ResizeObserverEntry, ResizeObserverSize,
  afterAnimationFrames() {
    deliverResizes();
    findIntersections();
  },
};

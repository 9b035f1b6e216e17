// MutationObserver: records of changes of the tree, delivered in one microtask for all observers (DOM standard, section 4.3).
'use strict';

const native = internalBinding;
const { describe, kKey } = require('web/webidl');
const { illegalConstructor, isObject, needArgs, needDictionary, needFunction, typeError, wrongType } = require('web/words');

let isNode = () => false;
let ancestorsOf = () => [];
// nodes.js tells what a node is, and which nodes stand above it; itself first.
function know(below) { ({ isNode, ancestorsOf } = below); }

// By node: [{ observer, options, source }]. One with a source is transient: it stands for that registration at an ancestor that the
// node has been taken out of, until the observer is told.
const registered = new WeakMap();
let isQueued = false;
let pending = new Set();  // observers with records, in the order of their creation when delivered
let created = 0;

let insidesOf;
class MutationRecord {
  #fields;
  static length = 0;
  constructor(key, fields) {
    if (key !== kKey) throw illegalConstructor('MutationRecord');
    this.#fields = fields;
  }
  static { insidesOf = (value) => value.#fields; }
  get type() { return this.#fields.type; }
  get target() { return this.#fields.target; }
  get addedNodes() { return this.#fields.addedNodes; }
  get removedNodes() { return this.#fields.removedNodes; }
  get previousSibling() { return this.#fields.previousSibling; }
  get nextSibling() { return this.#fields.nextSibling; }
  get attributeName() { return this.#fields.attributeName; }
  get attributeNamespace() { return null; }
  get oldValue() { return this.#fields.oldValue; }
}
describe(MutationRecord, (value) => {
  try {
    return Boolean(insidesOf(value));
  } catch {
    return false;
  }
}, { inspect() { return `MutationRecord {type: '${this.type}'}`; } });

// A change: { type, target, addedNodes, removedNodes, previousSibling, nextSibling, attributeName, oldValue }, the lists as arrays.
// Who observes it gets a record.
function queueRecord(change) {
  const { type, target } = change;
  const interested = new Map();  // by observer: whether it wants the old value
  for (const node of ancestorsOf(target)) {
    for (const { observer, options } of registered.get(node) ?? []) {
      if (node !== target && !options.subtree) continue;
      if (!options[type]) continue;
      if (type === 'attributes' && options.attributeFilter && !options.attributeFilter.includes(change.attributeName)) continue;
      const wantsOld = (type === 'attributes' && options.attributeOldValue) || (type === 'characterData' && options.characterDataOldValue);
      interested.set(observer, Boolean(interested.get(observer)) || Boolean(wantsOld));
    }
  }
  if (interested.size === 0) return;
  const { staticList } = require('web/collections');
  const addedNodes = staticList(change.addedNodes ?? []);
  const removedNodes = staticList(change.removedNodes ?? []);
  for (const [observer, wantsOld] of interested) {
    observer.records.push(new MutationRecord(kKey, {
      type, target, addedNodes, removedNodes, previousSibling: change.previousSibling ?? null, nextSibling: change.nextSibling ?? null,
      attributeName: change.attributeName ?? null, oldValue: wantsOld ? change.oldValue ?? null : null,
    }));
    pending.add(observer);
  }
  if (isQueued) return;
  isQueued = true;
  native.queueMicrotask(deliver, 'MutationObserver');
}

// A node is taken out of its parent: who observes a whole subtree sees what happens in that part until it is told.
function followRemoved(node, parent) {
  for (const ancestor of ancestorsOf(parent)) {
    for (const registration of registered.get(ancestor) ?? []) {
      const { observer, options } = registration;
      if (!options.subtree) continue;
      listOf(node).push({ observer, options, source: registration });
      observer.nodes.add(node);
    }
  }
}

function listOf(node) {
  if (!registered.has(node)) registered.set(node, []);
  return registered.get(node);
}

// Takes away an observer's registrations for which this is so.
function forget(observer, isOver) {
  for (const node of observer.nodes) {
    const rest = listOf(node).filter((one) => one.observer !== observer || !isOver(one));
    registered.set(node, rest);
    if (rest.every((one) => one.observer !== observer)) observer.nodes.delete(node);
  }
}

function deliver() {
  isQueued = false;
  const observers = [...pending].sort((a, b) => a.number - b.number);
  pending = new Set();
  for (const insides of observers) {
    const { records } = insides;
    insides.records = [];
    forget(insides, ({ source }) => source !== undefined);
    if (records.length > 0) native.callListener('MutationObserver', insides.callback, insides.observer, [records, insides.observer]);
  }
}

const kFlags = ['childList', 'attributes', 'characterData', 'subtree', 'attributeOldValue', 'characterDataOldValue'];
function readOptions(value) {
  const given = needDictionary('MutationObserver', 'observe', value, 'MutationObserverInit', 2);
  const options = {};
  for (const key of kFlags) if (given[key] !== undefined) options[key] = Boolean(given[key]);
  if (given.attributeFilter !== undefined) options.attributeFilter = [...given.attributeFilter].map((name) => `${name}`);
  if (options.attributes === undefined && (options.attributeOldValue !== undefined || options.attributeFilter)) options.attributes = true;
  if (options.characterData === undefined && options.characterDataOldValue !== undefined) options.characterData = true;
  const wrong = (chrome, firefox) => typeError('MutationObserver', 'observe', chrome, firefox);
  if (!options.childList && !options.attributes && !options.characterData) {
    throw wrong("The options object must set at least one of 'attributes', 'characterData', or 'childList' to true.",
                "One of 'childList', 'attributes', 'characterData' must not be false.");
  }
  for (const [key, needs] of [['attributeOldValue', 'attributes'], ['attributeFilter', 'attributes'],
    ['characterDataOldValue', 'characterData']]) {
    if (!options[key] || options[needs]) continue;
    const isFilter = key === 'attributeFilter';
    throw wrong(`The options object may only set '${key}'${isFilter ? '' : ' to true'} when '${needs}' is true or not present.`,
                `If '${isFilter ? 'attributesFilter' : key}' is ${isFilter ? 'present' : 'true'}, '${needs}' must not be false.`);
  }
  return options;
}

let isObserver;
class MutationObserver {
  #insides;
  static { isObserver = (value) => isObject(value) && #insides in value; }
  constructor(callback) {
    needArgs('MutationObserver', undefined, arguments, 1);
    needFunction('MutationObserver', undefined, callback);
    this.#insides = { observer: this, callback, records: [], nodes: new Set(), number: created++ };
  }
  observe(target) {
    needArgs('MutationObserver', 'observe', arguments, 1);
    if (!isNode(target)) throw wrongType('MutationObserver', 'observe', 1, 'Node', target);
    const options = readOptions(arguments[1]);
    const observer = this.#insides;
    const list = listOf(target);
    const known = list.find((one) => one.observer === observer && one.source === undefined);
    if (known) {
      forget(observer, ({ source }) => source === known);
      known.options = options;
    } else {
      list.push({ observer, options });
      observer.nodes.add(target);
    }
  }
  disconnect() {
    forget(this.#insides, () => true);
    this.#insides.records = [];
  }
  takeRecords() {
    const { records } = this.#insides;
    this.#insides.records = [];
    return records;
  }
}
describe(MutationObserver, isObserver);

module.exports = { MutationObserver, MutationRecord, followRemoved, know, queueRecord };

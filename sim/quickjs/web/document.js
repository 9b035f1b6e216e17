// Document, and the document of the window (DOM standard, section 4.5; HTML standard, section 3.1).
'use strict';

const native = internalBinding;
const events = require('web/events');
const { Event, defineHandler, dispatch, hooks: eventHooks, makeEvent, stateOf } = require('web/event_target');
const { liveList, HTMLCollection, NodeList } = require('web/collections');
const elements = require('web/elements');
const { Comment, DocumentFragment, Node, findId, makeText, mix, parentMembers, searchMembers } = require('web/nodes');
const tree = require('web/tree');
const { describe, kKey } = require('web/webidl');
const { domError, isFirefox, needArgs, plainError } = require('web/words');

const { dataOf, isNode, kDocument, kElement } = tree;
const isDocument = (value) => isNode(value) && dataOf(value).type === kDocument;

let readyState = 'loading';
let isHidden = false;
const cookies = new Map();

// What createEvent() knows, by the names of old too.
const kOldEvents = {
  customevent: 'CustomEvent', event: 'Event', events: 'Event', focusevent: 'FocusEvent', htmlevents: 'Event',
  keyboardevent: 'KeyboardEvent',
  messageevent: 'MessageEvent', mouseevent: 'MouseEvent', mouseevents: 'MouseEvent', svgevents: 'Event', uievent: 'UIEvent',
  uievents: 'UIEvent', hashchangeevent: 'HashChangeEvent', storageevent: 'StorageEvent', beforeunloadevent: 'BeforeUnloadEvent',
};

class Document extends Node {
  constructor() { super(kKey, { type: kDocument }); }
  get documentElement() { return tree.childElements(this)[0] ?? null; }
  get head() { return this.documentElement?.querySelector('head') ?? null; }
  get body() {
    const root = this.documentElement;
    return root === null ? null : tree.childElements(root).find((one) => dataOf(one).name === 'body') ?? null;
  }
  set body(value) {
    if (!elements.isElement(value)) {
      throw new TypeError(isFirefox() ? 'Document.body setter: Value being assigned is not an object.' :
        "Failed to set the 'body' property on 'Document': Failed to convert value to 'HTMLElement'.");
    }
    if (this.body) tree.replaceChild(value, this.documentElement, this.body);
    else tree.insertNode(value, this.documentElement, null);
  }
  get title() { return (this.querySelector('title')?.textContent ?? '').trim().replace(/[\t\n\f\r ]+/g, ' '); }
  set title(text) {
    let title = this.querySelector('title');
    if (!title) {
      if (!this.head) return;
      title = elements.makeElement('title');
      tree.insertNode(title, this.head, null);
    }
    title.textContent = `${text}`;
  }
  get readyState() { return readyState; }
  get URL() { return globalThis.location.href; }
  get documentURI() { return globalThis.location.href; }
  get domain() { return globalThis.location.hostname; }
  get referrer() { return ''; }
  get characterSet() { return 'UTF-8'; }
  get charset() { return 'UTF-8'; }
  get contentType() { return 'text/html'; }
  get compatMode() { return 'CSS1Compat'; }
  get doctype() { return null; }
  get defaultView() { return this === globalThis.document ? globalThis : null; }
  get currentScript() { return null; }
  get hidden() { return isHidden; }
  get visibilityState() { return isHidden ? 'hidden' : 'visible'; }
  get activeElement() { return elements.activeElement() ?? this.body ?? this.documentElement; }
  hasFocus() { return true; }
  get scrollingElement() { return this.documentElement; }
  get cookie() { return [...cookies].map(([name, value]) => (name === '' ? value : `${name}=${value}`)).join('; '); }
  set cookie(text) {
    const [pair, ...rest] = `${text}`.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const isGone = rest.some((part) => /^\s*max-age\s*=\s*(?:0|-\d+)\s*$/i.test(part) ||
      (/^\s*expires\s*=/i.test(part) && Date.parse(part.split('=')[1]) < native.wallTime() + native.now()));
    if (isGone) cookies.delete(name);
    else cookies.set(name, pair.slice(at + 1).trim());
  }
  get forms() { return this.getElementsByTagName('form'); }
  get images() { return this.getElementsByTagName('img'); }
  get links() { return this.getElementsByTagName('a'); }
  get scripts() { return this.getElementsByTagName('script'); }
  getElementById(id) {
    needArgs('Document', 'getElementById', arguments, 1);
    return findId(this, `${id}`);
  }
  getElementsByName(name) {
    const wanted = `${name}`;
    return liveList(NodeList, () => tree.elementsOf(this).filter((one) => dataOf(one).attributes.get('name') === wanted));
  }
  createElement(name) {
    needArgs('Document', 'createElement', arguments, 1);
    const tag = `${name}`;
    if (!/^[a-z_:\u0080-\uffff][^\0\t\n\f\r />]*$/i.test(tag)) {
      throw domError('InvalidCharacterError', 'Document', 'createElement', `The tag name provided ('${tag}') is not a valid name.`,
                     'Invalid element name');
    }
    return elements.makeElement(tag.toLowerCase());
  }
  createElementNS(namespace, name) { return elements.makeElement(`${name}`); }
  createTextNode(text) {
    needArgs('Document', 'createTextNode', arguments, 1);
    return makeText(`${text}`);
  }
  createComment(text) {
    needArgs('Document', 'createComment', arguments, 1);
    return new Comment(text);
  }
  createDocumentFragment() { return new DocumentFragment(); }
  createEvent(name) {
    needArgs('Document', 'createEvent', arguments, 1);
    const Class = events.classes[kOldEvents[`${name}`.toLowerCase()]];
    if (!Class) {
      throw plainError('NotSupportedError', 'Document', 'createEvent', `The provided event type ('${name}') is invalid.`,
                       'Operation is not supported');
    }
    const event = new Class('');
    stateOf(event).isInitialized = false;
    return event;
  }
  importNode(node, deep = false) { return node.cloneNode(Boolean(deep)); }
  adoptNode(node) {
    tree.removeNode(node);
    return node;
  }
  elementFromPoint() {
    elements.layout();
    return null;
  }
  execCommand() { return false; }
}
mix(Document, 'Document', parentMembers);
mix(Document, 'Document', searchMembers);
describe(Document, isDocument);
for (const type of [...elements.kGlobal, 'readystatechange', 'visibilitychange']) {
  defineHandler(Document.prototype, type);
}
class HTMLDocument extends Document {}
describe(HTMLDocument);

// Nodes hand their events to their parents, the document to the window; a load event stays within the document.
eventHooks.isNode = isNode;
eventHooks.parentOf = (target, event) => {
  if (!isNode(target)) return null;
  const { type, parent } = dataOf(target);
  if (type !== kDocument) return parent;
  return stateOf(event).type === 'load' || target !== globalThis.document ? null : globalThis;
};

// The document with the markup of its body, or of all of it.
function makeDocument(markup) {
  const document = new HTMLDocument();
  const root = elements.makeElement('html');
  const head = elements.makeElement('head');
  const body = elements.makeElement('body');
  tree.insertNode(root, document, null, true);
  return [document, () => {
    tree.insertNode(head, root, null, true);
    tree.insertNode(body, root, null, true);
    const given = elements.fragmentOf(markup);
    // A whole document may be given: what it has as html, head and body is what the document has.
    const html = tree.childElements(given).find((one) => dataOf(one).name === 'html');
    const merge = (from, to) => {
      for (const [name, value] of dataOf(from).attributes) to.setAttribute(name, value);
      for (const child of dataOf(from).children.slice()) {
        const { type, name } = dataOf(child);
        if (type === kElement && name === 'head') merge(child, head);
        else if (type === kElement && name === 'body') merge(child, body);
        else if (to !== root || type === kElement) tree.insertNode(child, to === root ? body : to, null, true);
      }
    };
    if (html) merge(html, root);
    for (const child of dataOf(given).children.slice()) {
      if (child === html) continue;
      if (dataOf(child).type === kElement && dataOf(child).name === 'body') merge(child, body);
      else if (dataOf(child).type === kElement && dataOf(child).name === 'head') merge(child, head);
      else tree.insertNode(child, body, null, true);
    }
  }];
}

function fire(target, type, Class = Event, init = undefined) { return dispatch(target, makeEvent(Class, type, init)); }

// All scripts of the document have run: 'interactive'; all is loaded: 'complete'. Each is a task of its own.
function finishParsing() {
  const { document } = globalThis;
  readyState = 'interactive';
  fire(document, 'readystatechange');
  fire(document, 'DOMContentLoaded', Event, { bubbles: true });
}
function finishLoading() {
  const { document } = globalThis;
  readyState = 'complete';
  fire(document, 'readystatechange');
  const event = makeEvent(Event, 'load');
  dispatch(globalThis, event);
  fire(globalThis, 'pageshow', events.PageTransitionEvent, { persisted: false });
}

function setHidden(value) {
  if (isHidden === value) return;
  isHidden = value;
  fire(globalThis.document, 'visibilitychange', Event, { bubbles: true });
}

module.exports = { Document, HTMLCollection, HTMLDocument, finishLoading, finishParsing, fire, makeDocument, setHidden };

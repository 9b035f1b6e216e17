// location and history (HTML standard, sections 7.2.4 and 7.2.5). There is one document: a URL may change its fragment only, or what
// pushState() gives. Going elsewhere is only told.
'use strict';

const native = internalBinding;
const { HashChangeEvent, PopStateEvent } = require('web/events');
const { dispatch, makeEvent } = require('web/event_target');
const { DOMException } = require('web/dom_exception');
const { cloneWith } = require('web/structured_clone');
const { make } = require('web/url');
const { describe, kKey } = require('web/webidl');
const { domError, illegalConstructor, isFirefox, needArgs } = require('web/words');

let url;            // of the document, a URL
let entries = [];   // of the session: { url, state }
let index = 0;
let restoration = 'auto';

function begin(text) {
  url = make(text) ?? make('http://localhost/');
  entries = [{ url: url.href, state: null }];
}

// Anything that is no http URL has an origin that equals no other.
const originOf = (one) => one.origin;

const samePage = (a, b) => a.href.replace(/#.*$/, '') === b.href.replace(/#.*$/, '');

function fireHashChange(oldURL, newURL) {
  native.queueTask('event', () => dispatch(globalThis, makeEvent(HashChangeEvent, 'hashchange', { oldURL, newURL })), [], 0, 1);
}

// The state of the entry is told at once, the change of the fragment in a task. The standard queues that one behind the other event; in
// both browsers it stands before what the other's listeners queue.
function tellMove(oldURL, state, isOtherFragment) {
  if (isOtherFragment) fireHashChange(oldURL, url.href);
  dispatch(globalThis, makeEvent(PopStateEvent, 'popstate', { state }));
}

// Goes to a URL. Only one with another fragment leads anywhere.
function navigate(next, isReplacement) {
  if (next.protocol === 'javascript:') {
    const text = decodeURIComponent(next.href.slice('javascript:'.length));
    native.queueTask('event', () => native.callListener('javascript', () => (0, eval)(text), undefined, []), [], 0, 1);
    return;
  }
  if (!samePage(next, url) || next.hash === '' && !next.href.endsWith('#')) {
    native.print('warn', `The page would be left for ${next.href}, which is not simulated.`);
    return;
  }
  const oldURL = url.href;
  const isSame = next.href === oldURL;
  url = next;
  const entry = { url: url.href, state: null };
  if (isSame || isReplacement) {
    entries[index] = entry;
  } else {
    entries.splice(index + 1, Infinity, entry);
    index++;
  }
  if (isSame) return;
  tellMove(oldURL, null, true);
}

// A link that was clicked: in Chrome a fragment is reached at once, in Firefox in a task, as the standard says.
function follow(text) {
  const next = make(text, url.href);
  if (!next) return;
  if (isFirefox()) native.queueTask('event', () => navigate(next, false), [], 0, 1);
  else navigate(next, false);
}

// Goes back or forward, in a task. The way there leads through the history of the tab, which is not the page's: what the page queues until
// it has answered comes first, as the hashchange event of the step before.
function traverse(delta) {
  const arrive = () => {
    const to = index + delta;
    if (to < 0 || to >= entries.length || delta === 0) return;
    index = to;
    const oldURL = url.href;
    const { state } = entries[index];
    url = make(entries[index].url);
    tellMove(oldURL, copy(state), url.hash !== make(oldURL).hash && samePage(url, make(oldURL)));
  };
  native.queueTask('history', () => native.queueTask('history', arrive, [], 0, 1), [], 0, 1);
}
const copy = (state) => cloneWith(state, [], 'History', 'pushState').value;

const receivers = new WeakSet();
const isOurs = (value) => receivers.has(value);

class Location {
  static length = 0;
  constructor(key) {
    if (key !== kKey) throw illegalConstructor('Location');
    receivers.add(this);
  }
  get href() { return url.href; }
  set href(text) { navigate(parse(text), false); }
  get origin() { return originOf(url); }
  get protocol() { return url.protocol; }
  get host() { return url.host; }
  get hostname() { return url.hostname; }
  get port() { return url.port; }
  get pathname() { return url.pathname; }
  set pathname(value) { change('pathname', value); }
  get search() { return url.search; }
  set search(value) { change('search', value); }
  get hash() { return url.hash; }
  set hash(value) {
    const text = `${value}`;
    const next = make(url.href);
    next.hash = text;
    if (next.hash !== url.hash) navigate(next.hash === '' ? make(`${next.href.replace(/#$/, '')}#`) : next, false);
  }
  assign(text) {
    needArgs('Location', 'assign', arguments, 1);
    navigate(parse(text, 'assign'), false);
  }
  replace(text) {
    needArgs('Location', 'replace', arguments, 1);
    navigate(parse(text, 'replace'), true);
  }
  reload() { native.print('warn', 'The page would be loaded again, which is not simulated.'); }
  toString() { return url.href; }
}
describe(Location, isOurs, { inspect() { return `Location {href: '${url.href}'}`; } });

function change(key, value) {
  const next = make(url.href);
  next[key] = `${value}`;
  navigate(next, false);
}

// member: the method that got the text; undefined: href did.
function parse(text, member) {
  const next = make(`${text}`, url.href);
  if (next) return next;
  if (member) throw domError('SyntaxError', 'Location', member, `'${text}' is not a valid URL.`);
  throw new DOMException(isFirefox() ? `Location.href setter: '${text}' is not a valid URL.` :
    `Failed to set the 'href' property on 'Location': '${text}' is not a valid URL.`, 'SyntaxError');
}

class History {
  static length = 0;
  constructor(key) {
    if (key !== kKey) throw illegalConstructor('History');
    receivers.add(this);
  }
  get length() { return entries.length; }
  get state() { return entries[index].state; }
  get scrollRestoration() { return restoration; }
  set scrollRestoration(value) { if (value === 'auto' || value === 'manual') restoration = value; }
  go(delta = 0) { traverse(Math.trunc(Number(delta)) || 0); }
  back() { traverse(-1); }
  forward() { traverse(1); }
  pushState(data, unused) {
    needArgs('History', 'pushState', arguments, 2);
    update('pushState', data, arguments[2], false);
  }
  replaceState(data, unused) {
    needArgs('History', 'replaceState', arguments, 2);
    update('replaceState', data, arguments[2], true);
  }
}
describe(History, isOurs, { inspect() { return `History {length: ${entries.length}}`; } });

function update(member, data, text, isReplacement) {
  const { value } = cloneWith(data, [], 'History', member);
  let next = url;
  if (text !== undefined && text !== null) {
    next = make(`${text}`, url.href);
    const isForeign = next !== null && (originOf(next) !== originOf(url) || (next.origin === 'null' && !samePage(next, url)));
    if (next === null || isForeign) {
      throw isFirefox() ? new DOMException('The operation is insecure.', 'SecurityError') :
        domError('SecurityError', 'History', member,
                 `A history state object with URL '${next?.href ?? text}' cannot be created in a document with ` +
                 `origin '${originOf(url)}' and URL '${url.href}'.`);
    }
  }
  url = next;
  const entry = { url: url.href, state: value };
  if (isReplacement) {
    entries[index] = entry;
    return;
  }
  entries.splice(index + 1, Infinity, entry);
  index++;
}

module.exports = { History, Location, begin, follow, makeHistory: () => new History(kKey), makeLocation: () => new Location(kKey) };

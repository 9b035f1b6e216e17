// The style of an element: declarations that are the attribute `style` (CSSOM standard, sections 6.6 and 6.7).
'use strict';

const { describe } = require('web/webidl');
const { illegalConstructor, isFirefox } = require('web/words');

const withDashes = (key) => key.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`).replace(/^(webkit|moz|ms)-/, '-$1-');
const dashed = (key) => (key === 'cssFloat' ? 'float' : withDashes(key));

// Words are written in small letters.
const small = (name, value) => (/^[a-z-]+$/i.test(value) && !name.startsWith('--') ? value.toLowerCase() : value);

function read(text) {
  const declarations = new Map();
  for (const part of (text ?? '').match(/(?:[^;"'(]|"[^"]*"|'[^']*'|\([^)]*\))+/g) ?? []) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const name = part.slice(0, colon).trim();
    const value = part.slice(colon + 1).trim();
    if (name !== '' && value !== '') declarations.set(name.startsWith('--') ? name : name.toLowerCase(), small(name, value));
  }
  return declarations;
}
const write = (declarations) => [...declarations].map(([name, value]) => `${name}: ${value};`).join(' ');

const elements = new WeakMap();  // by declaration block: { get, set }
const textOf = (style) => read(elements.get(style).get());

class CSSStyleDeclaration {
  constructor() { throw illegalConstructor('CSSStyleDeclaration'); }
  get cssText() { return write(textOf(this)); }
  set cssText(text) { elements.get(this).set(write(read(`${text}`))); }
  get length() { return textOf(this).size; }
  item(index) { return [...textOf(this).keys()][index >>> 0] ?? ''; }
  getPropertyValue(name) { return (textOf(this).get(`${name}`) ?? '').replace(/\s*!\s*important$/, ''); }
  getPropertyPriority(name) { return /!\s*important$/.test(textOf(this).get(`${name}`) ?? '') ? 'important' : ''; }
  setProperty(name, value, priority = '') {
    const key = `${name}`.startsWith('--') ? `${name}` : `${name}`.toLowerCase();
    const text = value === null ? '' : small(key, `${value}`.trim());
    const declarations = textOf(this);
    if (text === '') {
      if (!declarations.delete(key)) return;
    } else {
      const declaration = `${text}${priority ? ' !important' : ''}`;
      if (declarations.get(key) === declaration) return;  // browsers tell nobody of that
      declarations.set(key, declaration);
    }
    elements.get(this).set(write(declarations));
  }
  removeProperty(name) {
    const value = this.getPropertyValue(name);
    this.setProperty(name, '');
    return value;
  }
}
describe(CSSStyleDeclaration, (value) => elements.has(value));
const kClasses = { chrome: 'CSSStyleDeclaration', firefox: 'CSSStyleProperties' };

// get(): the attribute or null; set(text): undefined when the block is read only.
function makeStyle(get, set) {
  const target = Object.create(CSSStyleDeclaration.prototype);
  const proxy = new Proxy(target, {
    get(_, key) {
      if (typeof key === 'symbol' || Reflect.has(target, key)) return Reflect.get(target, key, proxy);
      if (/^\d+$/.test(key)) return proxy.item(Number(key));
      return /^[a-z][a-zA-Z-]*$/.test(key) ? proxy.getPropertyValue(dashed(key)) : undefined;
    },
    set(_, key, value) {
      if (typeof key === 'symbol' || Reflect.has(target, key)) return Reflect.set(target, key, value, proxy);
      if (!/^[a-z][a-zA-Z-]*$/.test(key)) return Reflect.set(target, key, value);
      proxy.setProperty(dashed(key), value);
      return true;
    },
    has(_, key) { return Reflect.has(target, key) || (typeof key === 'string' && /^[a-z][a-zA-Z-]*$/.test(key)); },
    defineProperty(_, key, descriptor) { return Reflect.defineProperty(target, key, descriptor); },
  });
  elements.set(proxy, { get, set });
  Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), {
    value() { return `${isFirefox() ? kClasses.firefox : kClasses.chrome} {${write(textOf(proxy))}}`; }, configurable: true,
  });
  return proxy;
}

module.exports = { CSSStyleDeclaration, makeStyle };

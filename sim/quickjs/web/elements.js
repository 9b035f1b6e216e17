// Element, HTMLElement and the elements that do more: forms, buttons, boxes to check, links (HTML standard, section 4).
'use strict';

const native = internalBinding;
const events = require('web/events');
const { defineHandler, dispatch, hooks: eventHooks, makeEvent, setHandler, stateOf } = require('web/event_target');
const { Attr, DOMTokenList, liveAttributes, liveList, HTMLCollection, makeDataset } = require('web/collections');
const { queueRecord } = require('web/mutation_observer');
const {
  DocumentFragment, Node, childMembers, makeText, mix, parentMembers, searchMembers,
} = require('web/nodes');
const { parse, serialize, serializeNode } = require('web/html');
const { matches, selectorOf } = require('web/selectors');
const { makeStyle } = require('web/style');
const tree = require('web/tree');
const { describe, kKey } = require('web/webidl');
const { domError, illegalConstructor, isFirefox, isObject, needArgs, plainError, typeError, wrongType } = require('web/words');

const { dataOf, isNode, kElement } = tree;
const isElement = (value) => isNode(value) && dataOf(value).type === kElement;

// ---- geometry: nothing has a size here, but who asks forces layout -------------------------------------------------------------

function layout() { native.layout?.(); }

class DOMRectReadOnly {
  #box;
  static of(x, y, width, height) { return new DOMRect(x, y, width, height); }
  constructor(x = 0, y = 0, width = 0, height = 0) { this.#box = [x, y, width, height].map(Number); }
  get x() { return this.#box[0]; }
  get y() { return this.#box[1]; }
  get width() { return this.#box[2]; }
  get height() { return this.#box[3]; }
  get top() { return Math.min(this.y, this.y + this.height); }
  get right() { return Math.max(this.x, this.x + this.width); }
  get bottom() { return Math.max(this.y, this.y + this.height); }
  get left() { return Math.min(this.x, this.x + this.width); }
  toJSON() {
    const { x, y, width, height, top, right, bottom, left } = this;
    return { x, y, width, height, top, right, bottom, left };
  }
}
delete DOMRectReadOnly.of;
describe(DOMRectReadOnly);
class DOMRect extends DOMRectReadOnly {}
describe(DOMRect);

// ---- attributes ------------------------------------------------------------------------------------------------------------------

const isName = (text) => text !== '' && !/[\0\t\n\f\r />=]/.test(text);

function setAttribute(element, name, value) {
  const { attributes } = dataOf(element);
  const oldValue = attributes.get(name) ?? null;
  attributes.set(name, value);
  queueRecord({ type: 'attributes', target: element, attributeName: name, oldValue });
  attributeChanged(element, name, value);
  tree.changed(element);
}

function removeAttribute(element, name) {
  const { attributes } = dataOf(element);
  if (!attributes.has(name)) return;
  const oldValue = attributes.get(name);
  attributes.delete(name);
  queueRecord({ type: 'attributes', target: element, attributeName: name, oldValue });
  attributeChanged(element, name, null);
  tree.changed(element);
}

// window.js: an element has an id, which is a name of the window then.
const nameHooks = { id() {} };

// Handlers that the body has for the window.
const kOfWindow = new Set((
  'blur error focus load resize scroll afterprint beforeprint beforeunload hashchange languagechange message messageerror offline online ' +
  'pagehide pageshow popstate rejectionhandled storage unhandledrejection unload').split(' '));
const kGlobal = (
  'abort animationcancel animationend animationiteration animationstart auxclick beforeinput blur cancel change click close contextmenu ' +
  'copy cut dblclick drag dragend dragenter dragleave dragover dragstart drop error focus formdata input invalid keydown keypress ' +
  'keyup load loadend loadstart mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup paste ' +
  'pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover pointerup reset resize scroll ' +
  'scrollend select submit toggle transitionend transitionstart wheel').split(' ');

// A handler in the markup is compiled when it is needed first; it sees its element, its form and the document as scopes.
function compileHandler(element, type, text) {
  const isError = type === 'error' && dataOf(element).name === 'body';
  const parameters = isError ? 'event, source, lineno, colno, error' : 'event';
  try {
    const make = (0, eval)(
      '(function (document, form, element) { with (document) { with (form) { with (element) { ' +
      `return function on${type}(${parameters}) {\n${text}\n}; } } } })`);
    return make(globalThis.document, formOf(element) ?? {}, element);
  } catch (error) {
    eventHooks.report(error);
    return null;
  }
}

function attributeChanged(element, name, value) {
  if (name.startsWith('on')) {
    const type = name.slice(2);
    const isOfWindow = dataOf(element).name === 'body' && kOfWindow.has(type);
    if (!isOfWindow && !kGlobal.includes(type)) return;
    const target = isOfWindow ? globalThis : element;
    if (value === null) setHandler(target, type, null);
    else setHandler(target, type, undefined, () => compileHandler(element, type, value));
  }
  if (name === 'id' && value) nameHooks.id(value);
  if ((name === 'id' || name === 'name') && value && kControls.has(dataOf(element).name)) defineControl(value);
  const state = dataOf(element);
  if (name === 'value' && !state.isDirty && state.name === 'input') state.value = value ?? '';
  if (name === 'checked' && !state.isDirtyChecked) state.checked = value !== null;
}

class Element extends Node {
  static length = 0;
  constructor(key, name) {
    if (key !== kKey) throw illegalConstructor('Element');
    super(kKey, { type: kElement, name, attributes: new Map() });
  }
  get tagName() { return this.nodeName; }
  get localName() { return dataOf(this).name; }
  get namespaceURI() { return 'http://www.w3.org/1999/xhtml'; }
  get prefix() { return null; }
  get id() { return dataOf(this).attributes.get('id') ?? ''; }
  set id(value) { setAttribute(this, 'id', `${value}`); }
  get className() { return dataOf(this).attributes.get('class') ?? ''; }
  set className(value) { setAttribute(this, 'class', `${value}`); }
  get classList() {
    const data = dataOf(this);
    return data.classList ??=
      new DOMTokenList(kKey, () => data.attributes.get('class') ?? null, (text) => setAttribute(this, 'class', text));
  }
  set classList(value) { this.classList.value = value; }
  get attributes() {
    const data = dataOf(this);
    return data.attributeMap ??= liveAttributes(this);
  }
  hasAttributes() { return dataOf(this).attributes.size > 0; }
  getAttributeNames() { return [...dataOf(this).attributes.keys()]; }
  getAttribute(name) {
    needArgs('Element', 'getAttribute', arguments, 1);
    return dataOf(this).attributes.get(`${name}`.toLowerCase()) ?? null;
  }
  hasAttribute(name) {
    needArgs('Element', 'hasAttribute', arguments, 1);
    return dataOf(this).attributes.has(`${name}`.toLowerCase());
  }
  getAttributeNode(name) { return this.hasAttribute(name) ? new Attr(kKey, this, `${name}`.toLowerCase()) : null; }
  setAttribute(name, value) {
    needArgs('Element', 'setAttribute', arguments, 2);
    const key = checkName('setAttribute', name);
    setAttribute(this, key, `${value}`);
  }
  removeAttribute(name) {
    needArgs('Element', 'removeAttribute', arguments, 1);
    removeAttribute(this, `${name}`.toLowerCase());
  }
  toggleAttribute(name) {
    needArgs('Element', 'toggleAttribute', arguments, 1);
    const key = checkName('toggleAttribute', name);
    const force = arguments[1] === undefined ? undefined : Boolean(arguments[1]);
    if (dataOf(this).attributes.has(key)) {
      if (force) return true;
      removeAttribute(this, key);
      return false;
    }
    if (force === false) return false;
    setAttribute(this, key, '');
    return true;
  }
  closest(selectors) {
    needArgs('Element', 'closest', arguments, 1);
    const list = selectorOf(`${selectors}`, 'Element', 'closest');
    for (let at = this; isElement(at); at = dataOf(at).parent) if (matches(at, list, this)) return at;
    return null;
  }
  matches(selectors) {
    needArgs('Element', 'matches', arguments, 1);
    return matches(this, selectorOf(`${selectors}`, 'Element', 'matches'), this);
  }
  get innerHTML() { return serialize(this); }
  set innerHTML(text) { tree.replaceAll(fragmentOf(text === null ? '' : `${text}`), this); }
  get outerHTML() { return serializeNode(this); }
  set outerHTML(text) {
    const { parent } = dataOf(this);
    if (parent === null) return;
    if (!isElement(parent) && dataOf(parent).type === tree.kDocument) {
      const { DOMException } = require('web/dom_exception');
      throw new DOMException(isFirefox() ? 'Modifications are not allowed for this document' :
        "Failed to set the 'outerHTML' property on 'Element': This element's parent is a Document, which may not be modified.",
                             'NoModificationAllowedError');
    }
    tree.replaceChild(fragmentOf(`${text}`), parent, this);
  }
  insertAdjacentElement(where, element) {
    needArgs('Element', 'insertAdjacentElement', arguments, 2);
    if (!isElement(element)) throw wrongType('Element', 'insertAdjacentElement', 2, 'Element', element);
    return insertAdjacent(this, 'insertAdjacentElement', where, element);
  }
  insertAdjacentText(where, text) {
    needArgs('Element', 'insertAdjacentText', arguments, 2);
    insertAdjacent(this, 'insertAdjacentText', where, makeText(`${text}`));
  }
  insertAdjacentHTML(where, text) {
    needArgs('Element', 'insertAdjacentHTML', arguments, 2);
    insertAdjacent(this, 'insertAdjacentHTML', where, fragmentOf(`${text}`));
  }
  getBoundingClientRect() {
    layout();
    return new DOMRect();
  }
  getClientRects() {
    layout();
    return [];
  }
  scrollIntoView() { layout(); }
  scrollTo() { layout(); }
  scrollBy() { layout(); }
  setPointerCapture() {}
  releasePointerCapture() {}
}
for (const key of ['clientWidth', 'clientHeight', 'clientTop', 'clientLeft', 'scrollWidth', 'scrollHeight']) {
  Object.defineProperty(Element.prototype, key, { get() {
    layout();
    return 0;
  }, configurable: true });
}
for (const key of ['scrollTop', 'scrollLeft']) {
  Object.defineProperty(Element.prototype, key, {
    get() {
      layout();
      return dataOf(this)[key] ?? 0;
    },
    set(value) { dataOf(this)[key] = Number(value) || 0; },
    configurable: true,
  });
}
mix(Element, 'Element', childMembers);
mix(Element, 'Element', parentMembers);
mix(Element, 'Element', searchMembers);
describe(Element, isElement);

function checkName(member, name) {
  const key = `${name}`.toLowerCase();
  if (isName(key)) return key;
  throw domError('InvalidCharacterError', 'Element', member, `'${name}' is not a valid attribute name.`, 'Invalid attribute name');
}

function insertAdjacent(element, member, where, node) {
  const place = `${where}`.toLowerCase();
  const { parent, children } = dataOf(element);
  switch (place) {
    case 'afterbegin': tree.insertNode(node, element, children[0] ?? null); return node;
    case 'beforeend': tree.insertNode(node, element, null); return node;
    case 'beforebegin': case 'afterend':
      if (parent === null) return null;
      tree.insertNode(node, parent, place === 'beforebegin' ? element : tree.siblingOf(element, 1));
      return node;
    default:
      throw plainError('SyntaxError', 'Element', member,
                       `The value provided ('${where}') is not one of 'beforeBegin', 'afterBegin', 'beforeEnd', or 'afterEnd'.`,
                       'An invalid or illegal string was specified');
  }
}

// ---- HTML elements -----------------------------------------------------------------------------------------------------------------

const kFocusable = new Set(['button', 'input', 'select', 'textarea', 'iframe', 'summary']);
function isFocusable(element) {
  if (!tree.isConnected(element)) return false;
  const { name, attributes } = dataOf(element);
  if (attributes.has('tabindex') || attributes.has('contenteditable')) return !isDisabled(element);
  return (kFocusable.has(name) && !isDisabled(element) && element.type !== 'hidden') || (name === 'a' && attributes.has('href'));
}

let active = null;
const activeElement = () => active;

// Focus leaves one element and comes to another; null: to none.
function moveFocus(to) {
  const from = active;
  if (from === to) return;
  active = null;
  const fire = (target, type, relatedTarget, bubbles) => {
    if (target === null) return;
    dispatch(target, makeEvent(events.FocusEvent, type, { relatedTarget, bubbles, composed: true, view: globalThis }));
  };
  fire(from, 'blur', to, false);
  fire(from, 'focusout', to, true);
  if (active !== null || to === null) return;  // a listener has moved it elsewhere
  active = to;
  fire(to, 'focus', from, false);
  if (active === to) fire(to, 'focusin', from, true);
}

tree.hooks.removed = (node) => {
  if (active === null || !tree.contains(node, active)) return;
  // Chrome tells the element that goes, Firefox does not.
  if (isFirefox()) active = null;
  else moveFocus(null);
};

const kClick = { bubbles: true, cancelable: true, composed: true, pointerId: -1 };

let isHtmlElement;
class HTMLElement extends Element {
  #clicks = false;
  static { isHtmlElement = (value) => isObject(value) && #clicks in value; }
  static length = 0;
  constructor(key, name) {
    if (key !== kKey) throw illegalConstructor('HTMLElement');
    super(kKey, name);
  }
  get dataset() {
    const data = dataOf(this);
    return data.dataset ??= makeDataset(this);
  }
  get style() {
    const data = dataOf(this);
    return data.style ??= makeStyle(() => data.attributes.get('style') ?? null, (text) => setAttribute(this, 'style', text));
  }
  set style(text) { this.style.cssText = text; }
  get innerText() {
    layout();
    return tree.textOf(this);
  }
  set innerText(text) { this.textContent = text; }
  get outerText() { return this.innerText; }
  get offsetParent() {
    layout();
    return null;
  }
  get tabIndex() { return Number(this.getAttribute('tabindex') ?? (isFocusable(this) ? 0 : -1)); }
  set tabIndex(value) { this.setAttribute('tabindex', `${Math.trunc(value)}`); }
  get isContentEditable() { return this.hasAttribute('contenteditable'); }
  click() {
    if (isDisabled(this) || this.#clicks) return;
    this.#clicks = true;
    try {
      const Class = events.classOfClick(native.facts);
      dispatch(this, makeEvent(Class, 'click', { ...kClick, view: globalThis }, false));
    } finally {
      this.#clicks = false;
    }
  }
  focus() { if (isFocusable(this)) moveFocus(this); }
  blur() { if (active === this) moveFocus(null); }
}
for (const key of ['offsetWidth', 'offsetHeight', 'offsetTop', 'offsetLeft']) {
  Object.defineProperty(HTMLElement.prototype, key, { get() {
    layout();
    return 0;
  }, configurable: true });
}
reflect(HTMLElement, { hidden: Boolean, title: String, lang: String, dir: String, accessKey: String, draggable: Boolean, role: String });
describe(HTMLElement, isHtmlElement);
for (const type of kGlobal) {
  defineHandler(HTMLElement.prototype, type, {
    targetOf: (element) => (dataOf(element)?.name === 'body' && kOfWindow.has(type) ? globalThis : element),
  });
}

// Properties that are attributes: a flag, a text or a number.
function reflect(Class, members) {
  for (const [key, kind] of Object.entries(members)) {
    const name = key === 'htmlFor' ? 'for' : key.toLowerCase();
    const { get, set } = {
      get() {
        const value = dataOf(this).attributes.get(name);
        return kind === Boolean ? value !== undefined : kind === Number ? Number(value ?? 0) || 0 : value ?? '';
      },
      set(value) {
        if (kind === Boolean && !value) removeAttribute(this, name);
        else setAttribute(this, name, kind === Boolean ? '' : `${value}`);
      },
    };
    Object.defineProperty(Class.prototype, key, { get, set, configurable: true, enumerable: true });
  }
}

const classes = { Element, HTMLElement };
const byTag = new Map();
function add(name, tags, members = {}, reflected = {}) {
  const Class = { [name]: class extends HTMLElement {
    static length = 0;
    constructor(key, tag) {
      if (key !== kKey) throw illegalConstructor(name);
      super(kKey, tag);
    }
  } }[name];
  for (const [key, it] of Object.entries(Object.getOwnPropertyDescriptors(members))) Object.defineProperty(Class.prototype, key, it);
  reflect(Class, reflected);
  describe(Class, (value) => isHtmlElement(value) && value instanceof Class);
  classes[name] = Class;
  for (const tag of tags) byTag.set(tag, Class);
}

const labelable = {
  get form() { return formOf(this); },
  get labels() { return globalThis.document.querySelectorAll(`label[for="${this.id}"]`); },
  checkValidity() { return true; },
  reportValidity() { return true; },
  setCustomValidity() {},
};
const withMembers = (...parts) => {
  const members = {};
  for (const part of parts) Object.defineProperties(members, Object.getOwnPropertyDescriptors(part));
  return members;
};

for (const [name, tags] of Object.entries({
  HTMLUnknownElement: [], HTMLHtmlElement: ['html'], HTMLHeadElement: ['head'], HTMLBodyElement: ['body'], HTMLDivElement: ['div'],
  HTMLSpanElement: ['span'], HTMLParagraphElement: ['p'], HTMLHeadingElement: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  HTMLUListElement: ['ul'], HTMLOListElement: ['ol'], HTMLLIElement: ['li'], HTMLPreElement: ['pre'], HTMLBRElement: ['br'],
  HTMLHRElement: ['hr'], HTMLTableElement: ['table'], HTMLTableRowElement: ['tr'], HTMLTableCellElement: ['td', 'th'],
  HTMLTableSectionElement: ['tbody', 'thead', 'tfoot'], HTMLTitleElement: ['title'], HTMLMetaElement: ['meta'],
  HTMLFieldSetElement: ['fieldset'], HTMLLegendElement: ['legend'], HTMLDialogElement: ['dialog'], HTMLDetailsElement: ['details'],
  HTMLStyleElement: ['style'], HTMLDataListElement: ['datalist'], HTMLOptGroupElement: ['optgroup'], HTMLProgressElement: ['progress'],
  HTMLQuoteElement: ['blockquote', 'q'], HTMLCanvasElement: ['canvas'], HTMLIFrameElement: ['iframe'],
})) add(name, tags, {}, name === 'HTMLFieldSetElement' ? { disabled: Boolean } : {});
add('HTMLAnchorElement', ['a'], {
  get href() {
    const given = this.getAttribute('href');
    if (given === null) return '';
    return require('web/url').resolve(given)?.href ?? given;
  },
  set href(value) { this.setAttribute('href', value); },
  toString() { return this.href; },
}, { target: String, rel: String, download: String });
for (const key of ['origin', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']) {
  Object.defineProperty(classes.HTMLAnchorElement.prototype, key, {
    get: { get() { return require('web/url').resolve(this.href)?.[key] ?? ''; } }.get, enumerable: true, configurable: true,
  });
}
add('HTMLImageElement', ['img'], { get complete() { return true; } }, { src: String, alt: String, width: Number, height: Number });
add('HTMLScriptElement', ['script'], {
  get text() { return tree.textOf(this); },
  set text(value) { this.textContent = value; },
}, { src: String, type: String, defer: Boolean });
add('HTMLLinkElement', ['link'], {}, { href: String, rel: String });
add('HTMLLabelElement', ['label'], {
  get control() { return controlOf(this); },
  get form() { return this.control?.form ?? null; },
}, { htmlFor: String });
add('HTMLTemplateElement', ['template'], {
  // Its children stand in a fragment of their own.
  get content() {
    const data = dataOf(this);
    if (!data.content) {
      data.content = new DocumentFragment();
      for (const child of data.children.slice()) tree.insertNode(child, data.content, null, true);
    }
    return data.content;
  },
});

const kInputTypes = new Set((
  'text hidden search tel url email password date month week time datetime-local number range color checkbox radio file submit image ' +
  'reset button').split(' '));
add('HTMLInputElement', ['input'], withMembers(labelable, {
  get type() {
    const type = (this.getAttribute('type') ?? '').toLowerCase();
    return kInputTypes.has(type) ? type : 'text';
  },
  set type(value) { this.setAttribute('type', value); },
  get value() {
    const data = dataOf(this);
    return data.value ?? data.attributes.get('value') ?? (this.type === 'checkbox' || this.type === 'radio' ? 'on' : '');
  },
  set value(value) {
    dataOf(this).isDirty = true;
    dataOf(this).value = value === null ? '' : `${value}`;
  },
  get defaultValue() { return this.getAttribute('value') ?? ''; },
  set defaultValue(value) { this.setAttribute('value', value); },
  get valueAsNumber() { return this.value === '' ? NaN : Number(this.value); },
  set valueAsNumber(value) { this.value = String(value); },
  get checked() { return dataOf(this).checked ?? false; },
  set checked(value) { setChecked(this, Boolean(value)); },
  get indeterminate() { return dataOf(this).indeterminate ?? false; },
  set indeterminate(value) { dataOf(this).indeterminate = Boolean(value); },
  select() {},
  setSelectionRange() {},
}), { disabled: Boolean, name: String, placeholder: String, required: Boolean, readOnly: Boolean, min: String, max: String, step: String });
Object.defineProperty(classes.HTMLInputElement.prototype, 'defaultChecked', {
  get() { return this.hasAttribute('checked'); },
  set(value) { this.toggleAttribute('checked', Boolean(value)); },
  configurable: true, enumerable: true,
});
add('HTMLTextAreaElement', ['textarea'], withMembers(labelable, {
  get type() { return 'textarea'; },
  get value() { return dataOf(this).value ?? tree.textOf(this); },
  set value(value) { dataOf(this).value = value === null ? '' : `${value}`; },
  get defaultValue() { return tree.textOf(this); },
  set defaultValue(value) { this.textContent = value; },
  select() {},
  setSelectionRange() {},
}), { disabled: Boolean, name: String, placeholder: String, required: Boolean, readOnly: Boolean });
add('HTMLButtonElement', ['button'], withMembers(labelable, {
  get type() {
    const type = (this.getAttribute('type') ?? '').toLowerCase();
    return type === 'reset' || type === 'button' ? type : 'submit';
  },
  set type(value) { this.setAttribute('type', value); },
}), { disabled: Boolean, name: String, value: String });
add('HTMLOptionElement', ['option'], {
  get value() { return this.getAttribute('value') ?? this.text; },
  set value(value) { this.setAttribute('value', value); },
  get text() { return tree.textOf(this).trim().replace(/\s+/g, ' '); },
  get selected() {
    const select = this.closest('select');
    if (select && !select.multiple) return select.options[select.selectedIndex] === this;
    return dataOf(this).selected ?? this.hasAttribute('selected');
  },
  set selected(value) {
    const select = this.closest('select');
    if (select && value && !select.multiple) for (const option of select.options) dataOf(option).selected = false;
    dataOf(this).selected = Boolean(value);
  },
  get index() { return this.closest('select') ? [...this.closest('select').options].indexOf(this) : 0; },
}, { disabled: Boolean, label: String });
const optionsOf = (select) => tree.elementsOf(select).filter((one) => dataOf(one).name === 'option');
add('HTMLSelectElement', ['select'], withMembers(labelable, {
  get type() { return this.multiple ? 'select-multiple' : 'select-one'; },
  get options() {
    const data = dataOf(this);
    return data.options ??= liveList(HTMLCollection, () => optionsOf(this));
  },
  get length() { return optionsOf(this).length; },
  get selectedOptions() { return liveList(HTMLCollection, () => optionsOf(this).filter((one) => one.selected)); },
  get selectedIndex() {
    const options = optionsOf(this);
    const chosen = options.findLastIndex((one) => dataOf(one).selected ?? one.hasAttribute('selected'));
    return chosen < 0 && !this.multiple && options.length > 0 && !dataOf(this).isEmpty ? 0 : chosen;
  },
  set selectedIndex(value) {
    optionsOf(this).forEach((one, i) => { dataOf(one).selected = i === Number(value); });
    dataOf(this).isEmpty = Number(value) < 0;
  },
  get value() { return optionsOf(this)[this.selectedIndex]?.value ?? ''; },
  set value(value) { this.selectedIndex = optionsOf(this).findIndex((one) => one.value === `${value}`); },
}), { disabled: Boolean, name: String, multiple: Boolean, required: Boolean });

const kControls = new Set(['button', 'fieldset', 'input', 'output', 'select', 'textarea']);
add('HTMLFormElement', ['form'], {
  get elements() {
    const data = dataOf(this);
    return data.controls ??= liveList(HTMLCollection, () => {
      const root = tree.rootOf(this);
      return tree.elementsOf(root).filter((one) => kControls.has(dataOf(one).name) && formOf(one) === this);
    });
  },
  get length() { return this.elements.length; },
  checkValidity() { return true; },
  reportValidity() { return true; },
  // The program sends it: no event. A page is left for no other here.
  submit() {},
  requestSubmit(submitter = null) {
    if (submitter !== null && !isElement(submitter)) {
      throw typeError('HTMLFormElement', 'requestSubmit', "parameter 1 is not of type 'HTMLElement'.", 'Argument 1 is not an object.');
    }
    submit(this, submitter);
  },
  reset() {
    if (!dispatch(this, makeEvent(events.Event, 'reset', { bubbles: true, cancelable: true }))) return;
    for (const control of this.elements) {
      const data = dataOf(control);
      data.value = data.checked = data.isDirty = data.isDirtyChecked = undefined;
      if (data.attributes.has('checked')) data.checked = true;
    }
  },
}, { action: String, method: String, name: String, noValidate: Boolean });

// A control is a property of its form, by its name or id.
function defineControl(name) {
  const { prototype } = classes.HTMLFormElement;
  if (name in prototype) return;
  const { get, set } = {
    get() { return this.elements.namedItem(name) ?? undefined; },
    set(value) { Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); },
  };
  Object.defineProperty(prototype, name, { get, set, configurable: true });
}

function formOf(element) {
  const { name, attributes } = dataOf(element);
  if (name === 'form') return null;
  if (kControls.has(name) && attributes.has('form')) {
    const named = globalThis.document.getElementById(attributes.get('form'));
    return named && dataOf(named).name === 'form' ? named : null;
  }
  for (const at of tree.ancestorsOf(element)) if (dataOf(at).name === 'form') return at;
  return null;
}

function isDisabled(element) {
  const { name, attributes } = dataOf(element);
  if (!kControls.has(name) && name !== 'option') return false;
  if (attributes.has('disabled')) return true;
  for (const at of tree.ancestorsOf(element)) {
    if (at !== element && dataOf(at).name === 'fieldset' && dataOf(at).attributes.has('disabled')) return true;
  }
  return false;
}

function controlOf(label) {
  const id = label.getAttribute('for');
  if (id !== null) return globalThis.document.getElementById(id);
  return tree.elementsOf(label).find((one) => kControls.has(dataOf(one).name) && one.type !== 'hidden') ?? null;
}

// ---- what a click does -----------------------------------------------------------------------------------------------------------

const groupOf = (radio) => {
  const form = formOf(radio);
  if (radio.name === '') return [radio];
  return tree.elementsOf(tree.rootOf(radio)).filter((one) => dataOf(one).name === 'input' && one.type === 'radio' &&
    one.name === radio.name && formOf(one) === form);
};

function setChecked(input, value) {
  const data = dataOf(input);
  data.isDirtyChecked = true;
  data.checked = value;
  if (value && input.type === 'radio') for (const one of groupOf(input)) if (one !== input) dataOf(one).checked = false;
  tree.changed(input);
}

function submit(form, submitter) {
  if (!tree.isConnected(form)) return;
  dispatch(form, makeEvent(events.SubmitEvent, 'submit', { bubbles: true, cancelable: true, submitter }));
}

function fireInputAndChange(element) {
  if (!tree.isConnected(element)) return;
  dispatch(element, makeEvent(events.Event, 'input', { bubbles: true, composed: true }));
  dispatch(element, makeEvent(events.Event, 'change', { bubbles: true }));
}

eventHooks.activationOf = (target, event) => {
  if (stateOf(event).type !== 'click' || !(event instanceof events.MouseEvent) || !isHtmlElement(target)) return null;
  const { name } = dataOf(target);
  if (name === 'input' && (target.type === 'checkbox' || target.type === 'radio')) {
    let before;
    return {
      before() {
        before = target.type === 'radio' ? groupOf(target).filter((one) => one.checked) : target.checked;
        setChecked(target, target.type === 'radio' || !target.checked);
      },
      canceled() {
        if (target.type !== 'radio') setChecked(target, before);
        else for (const one of groupOf(target)) setChecked(one, before.includes(one));
      },
      run() { if (target.type !== 'radio' || !before.includes(target)) fireInputAndChange(target); },
    };
  }
  if (name === 'button' || name === 'input') {
    if (!['submit', 'image', 'reset'].includes(target.type)) return null;
    return { run() {
      const form = isDisabled(target) ? null : formOf(target);
      if (form === null) return;
      if (target.type === 'reset') form.reset();
      else submit(form, target);
    } };
  }
  if (name === 'label') {
    return { run(cause) {
      const control = controlOf(target);
      const origin = stateOf(cause).target;
      // A click in the control itself has done it already.
      if (control === null || isDisabled(control) || (isNode(origin) && origin !== target && isInteractiveInside(origin, target))) return;
      if (control !== origin) control.click();
    } };
  }
  if (name === 'a' && target.hasAttribute('href')) {
    return { run() { require('web/location').follow(target.getAttribute('href')); } };
  }
  return null;
};
function isInteractiveInside(origin, label) {
  for (const at of tree.ancestorsOf(origin)) {
    if (at === label) return false;
    if (kControls.has(dataOf(at).name) || dataOf(at).name === 'a') return true;
  }
  return false;
}

// ---- making --------------------------------------------------------------------------------------------------------------------------

const kPlain = new Set((
  'abbr address article aside b bdi bdo cite code dd dfn dt em figcaption figure footer header hgroup i kbd main mark nav noscript rp rt ' +
  'ruby s samp section small strong sub summary sup u var wbr').split(' '));

function makeElement(name, attributes = []) {
  const Class = byTag.get(name) ?? (kPlain.has(name) || name.includes('-') ? HTMLElement : classes.HTMLUnknownElement);
  const element = new Class(kKey, name);
  for (const [key, value] of attributes) {
    dataOf(element).attributes.set(key, value);
    attributeChanged(element, key, value);
  }
  return element;
}

function parseInto(root, text) {
  const { Comment } = require('web/nodes');
  parse(text, root, {
    element: makeElement,
    text: makeText,
    comment: (data) => new Comment(data),
    append: (parent, node) => tree.insertNode(node, parent, null, true),
  });
}

function fragmentOf(text) {
  const fragment = new DocumentFragment();
  parseInto(fragment, text);
  return fragment;
}

module.exports = {
  DOMRect, DOMRectReadOnly, activeElement, classes, fireInputAndChange, formOf, fragmentOf, isDisabled, isElement, isFocusable, isName,
  kGlobal, kOfWindow, layout, makeElement, moveFocus, nameHooks, parseInto, submit,
};

// A user's input: trusted events in the order in which browsers send them (UI Events, Pointer Events standards).
'use strict';

const native = internalBinding;
const events = require('web/events');
const { dispatch, makeEvent } = require('web/event_target');
const { fire, setHidden } = require('web/document');
const elements = require('web/elements');
const { dataOf } = require('web/tree');

const kOfMouse = new Set([
  'auxclick', 'click', 'contextmenu', 'dblclick', 'mousedown', 'mouseenter', 'mouseleave', 'mousemove', 'mouseout', 'mouseover',
  'mouseup']);

// The element that the scenario names; the window and the document by these words; '': the element with focus. null: there is none.
function targetOf(selector) {
  const { document } = globalThis;
  if (selector === 'window') return globalThis;
  if (selector === 'document') return document;
  if (selector === '' || selector === undefined || selector === null) return document.activeElement;
  return document.querySelector(selector);
}

function send(target, Class, type, init = {}) {
  const view = Class.prototype instanceof events.UIEvent || Class === events.UIEvent ? { view: globalThis } : {};
  return dispatch(target, makeEvent(Class, type, { bubbles: true, cancelable: true, composed: true, ...view, ...init }));
}

function click(target, detail) {
  const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true, ...detail };
  const isPressed = send(target, events.PointerEvent, 'pointerdown', { ...pointer, buttons: 1 });
  const isDisabled = elements.isElement(target) && elements.isDisabled(target);
  // A pointerdown that is prevented has no events of the mouse but the click. Buttons that are disabled have none.
  const mouse = (type, buttons) => !isPressed || isDisabled || send(target, events.MouseEvent, type, { detail: 1, buttons, ...detail });
  if (mouse('mousedown', 1) && elements.isElement(target)) {
    let at = target;
    while (at !== null && !(elements.isElement(at) && elements.isFocusable(at))) at = dataOf(at)?.parent ?? null;
    elements.moveFocus(at);
  }
  send(target, events.PointerEvent, 'pointerup', pointer);
  mouse('mouseup', 0);
  if (isDisabled) return;
  const Class = events.classOfClick(native.facts);
  send(target, Class, 'click', { detail: 1, ...(Class === events.PointerEvent ? { pointerId: 1, pointerType: 'mouse' } : {}), ...detail });
}

function press(target, { key = '', ...detail }) {
  const kind = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key;
  const code = detail.code ?? (key === ' ' ? 'Space' : kind);
  const init = { ...detail, key, code };
  send(target, events.KeyboardEvent, 'keydown', init);
  send(target, events.KeyboardEvent, 'keyup', init);
}

function type(target, { value = '', data = null, inputType = 'insertText' }) {
  if (!send(target, events.InputEvent, 'beforeinput', { data, inputType })) return;
  if (elements.isElement(target) && 'value' in target) target.value = value;
  send(target, events.InputEvent, 'input', { cancelable: false, data, inputType });
}

// False: no element fits the selector.
function dispatchInput(kind, selector, detail) {
  const given = detail ?? {};
  if (kind === 'visibilitychange') {
    setHidden(Boolean(given.hidden ?? !globalThis.document.hidden));
    return true;
  }
  const target = kind === 'resize' ? globalThis : kind === 'scroll' && !selector ? globalThis.document : targetOf(selector);
  if (target === null) {
    native.print('warn', `No element fits the selector ${selector}: the user's ${kind} meets nothing.`);
    return false;
  }
  switch (kind) {
    case 'click': click(target, given); return true;
    case 'keydown': press(target, given); return true;
    case 'input': type(target, given); return true;
    case 'focus': target.focus?.(); return true;
    case 'blur': target.blur?.(); return true;
    case 'scroll': fire(target, kind, events.Event, { bubbles: target === globalThis.document }); return true;
    case 'resize': fire(target, kind, events.UIEvent, { view: globalThis }); return true;
    case 'change':
      if (given.value !== undefined) target.value = given.value;
      fire(target, kind, events.Event, { bubbles: true });
      return true;
    default: break;
  }
  const doesBubble = kind !== 'mouseenter' && kind !== 'mouseleave';
  if (kOfMouse.has(kind)) send(target, events.MouseEvent, kind, { bubbles: doesBubble, cancelable: doesBubble, ...given });
  else if (kind.startsWith('pointer')) send(target, events.PointerEvent, kind, given);
  else if (kind === 'wheel') send(target, events.WheelEvent, kind, given);
  else if (kind.startsWith('key')) send(target, events.KeyboardEvent, kind, given);
  else fire(target, kind, events.Event, { bubbles: true, cancelable: true });
  return true;
}

module.exports = { dispatchInput };

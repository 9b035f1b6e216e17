// The interfaces of events: what each has beside that of an Event.
'use strict';

const { Event, EventTarget, isTarget } = require('web/event_target');
const { constants, describe } = require('web/webidl');
const { isFirefox, isObject, needArgs, needDictionary, typeError, wrongMember } = require('web/words');

const text = (value) => `${value}`;
const real = (value) => Number(value);
const whole = (value) => Math.trunc(Number(value)) || 0;
const flag = (value) => Boolean(value);
const any = (value) => value;

function targetOrNull(value, Interface, key) {
  if (value === null || value === undefined) return null;
  if (!isTarget(value)) throw wrongMember(Interface, undefined, `${Interface}Init`, key, 'EventTarget');
  return value;
}

// members: { name: [default, conversion] }. required: members that the dictionary must have.
function defineEvent(name, Base, members, required = []) {
  const values = new WeakMap();
  const count = required.length > 0 ? 2 : 1;
  const Class = { [name]: class extends Base {
    constructor(type) {
      needArgs(name, undefined, arguments, count);
      const init = needDictionary(name, undefined, arguments[1], `${name}Init`, 2);
      super(type, init);
      for (const key of required) {
        if (init[key] !== undefined) continue;
        throw typeError(name, undefined, `Failed to read the '${key}' property from '${name}Init': Required member is undefined.`,
                        `Missing required '${key}' member of ${name}Init.`);
      }
      const own = {};
      for (const [key, [fallback, convert]] of Object.entries(members)) {
        const given = init[key];
        own[key] = given === undefined ? fallback : convert(given, name, key);
      }
      values.set(this, own);
    }
  } }[name];
  if (count === 2) Object.defineProperty(Class, 'length', { value: 2, configurable: true });
  for (const key of Object.keys(members)) {
    const { get } = { get() { return values.get(this)[key]; } };
    Object.defineProperty(get, 'name', { value: `get ${key}` });
    Object.defineProperty(Class.prototype, key, { get, enumerable: true, configurable: true });
  }
  return describe(Class, (value) => isObject(value) && values.has(value));
}

const classes = { Event };
function add(name, Base, members, required) { classes[name] = defineEvent(name, Base, members, required); }

add('CustomEvent', Event, { detail: [null, any] });
add('UIEvent', Event, { view: [null, any], detail: [0, whole] });
add('FocusEvent', classes.UIEvent, { relatedTarget: [null, targetOrNull] });
const kModifiers = { ctrlKey: [false, flag], shiftKey: [false, flag], altKey: [false, flag], metaKey: [false, flag] };
add('MouseEvent', classes.UIEvent, {
  screenX: [0, real], screenY: [0, real], clientX: [0, real], clientY: [0, real], button: [0, whole], buttons: [0, whole], ...kModifiers,
  relatedTarget: [null, targetOrNull],
});
add('WheelEvent', classes.MouseEvent, { deltaX: [0, real], deltaY: [0, real], deltaZ: [0, real], deltaMode: [0, whole] });
add('PointerEvent', classes.MouseEvent, {
  pointerId: [0, whole], width: [1, real], height: [1, real], pressure: [0, real], pointerType: ['', text], isPrimary: [false, flag],
});
add('KeyboardEvent', classes.UIEvent, {
  key: ['', text], code: ['', text], location: [0, whole], repeat: [false, flag], isComposing: [false, flag], ...kModifiers,
  charCode: [0, whole], keyCode: [0, whole],
});
add('InputEvent', classes.UIEvent, { data: [null, text], isComposing: [false, flag], inputType: ['', text] });
add('ErrorEvent', Event, {
  message: ['', text], filename: ['', text], lineno: [0, whole], colno: [0, whole], error: [undefined, any],
});
add('PromiseRejectionEvent', Event, { promise: [undefined, any], reason: [undefined, any] }, ['promise']);
add('MessageEvent', Event, {
  data: [null, any], origin: ['', text], lastEventId: ['', text], source: [null, any],
  ports: [Object.freeze([]), (list) => Object.freeze([...list])],
});
add('PopStateEvent', Event, { state: [null, any] });
add('HashChangeEvent', Event, { oldURL: ['', text], newURL: ['', text] });
add('ProgressEvent', Event, { lengthComputable: [false, flag], loaded: [0, real], total: [0, real] });
add('SubmitEvent', Event, { submitter: [null, any] });
add('PageTransitionEvent', Event, { persisted: [false, flag] });
add('BeforeUnloadEvent', Event, {});
add('StorageEvent', Event, { key: [null, text], oldValue: [null, text], newValue: [null, text], url: ['', text] });
add('AnimationEvent', Event, { animationName: ['', text], elapsedTime: [0, real], pseudoElement: ['', text] });
add('TransitionEvent', Event, { propertyName: ['', text], elapsedTime: [0, real], pseudoElement: ['', text] });
add('TaskPriorityChangeEvent', Event, { previousPriority: ['user-visible', text] }, ['previousPriority']);

Object.defineProperty(classes.MouseEvent.prototype, 'getModifierState', {
  value: { getModifierState(key) {
    return Boolean({ Control: this.ctrlKey, Shift: this.shiftKey, Alt: this.altKey, Meta: this.metaKey }[key]);
  } }.getModifierState, enumerable: true, configurable: true, writable: true,
});
for (const [own, of] of [['x', 'clientX'], ['y', 'clientY'], ['pageX', 'clientX'], ['pageY', 'clientY'], ['offsetX', 'clientX'],
  ['offsetY', 'clientY']]) {
  Object.defineProperty(classes.MouseEvent.prototype, own, { get() { return this[of]; }, enumerable: true, configurable: true });
}
constants(classes.KeyboardEvent, {
  DOM_KEY_LOCATION_STANDARD: 0, DOM_KEY_LOCATION_LEFT: 1, DOM_KEY_LOCATION_RIGHT: 2, DOM_KEY_LOCATION_NUMPAD: 3,
});
const init = (name, count, assign) => Object.defineProperty(classes.CustomEvent.prototype, name, {
  value: assign, enumerable: true, configurable: true, writable: true,
});
// The old way to give an event of document.createEvent() its members.
const details = new WeakMap();
const { get: detailOf } = Object.getOwnPropertyDescriptor(classes.CustomEvent.prototype, 'detail');
Object.defineProperty(classes.CustomEvent.prototype, 'detail', {
  get: Object.defineProperty({ get() { return details.has(this) ? details.get(this) : Reflect.apply(detailOf, this, []); } }.get, 'name',
                             { value: 'get detail' }),
  enumerable: true, configurable: true,
});
init('initCustomEvent', 1, { initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
  this.initEvent(type, bubbles, cancelable);
  details.set(this, detail);
} }.initCustomEvent);

// Before Chrome 92, and in Firefox before 129, a click was a MouseEvent.
function classOfClick(facts) {
  return facts.version >= (isFirefox() ? 129 : 92) ? classes.PointerEvent : classes.MouseEvent;
}

module.exports = { ...classes, EventTarget, classOfClick, classes };

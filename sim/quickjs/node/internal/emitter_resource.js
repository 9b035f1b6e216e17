// EventEmitterAsyncResource (lib/events.js): its listeners run in the context in which it was made.
'use strict';

const EventEmitter = require('events');
const { AsyncResource } = require('async_hooks');
const { validateString } = require('internal/validate');

class EventEmitterReferencingAsyncResource extends AsyncResource {
  #emitter;
  constructor(emitter, type, options) {
    super(type, options);
    this.#emitter = emitter;
  }
  get eventEmitter() { return this.#emitter; }
}

class EventEmitterAsyncResource extends EventEmitter {
  #resource;
  constructor(options = undefined) {
    let name;
    if (typeof options === 'string') {
      name = options;
      options = undefined;
    } else {
      if (new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
      name = options?.name || new.target.name;
    }
    super(options);
    this.#resource = new EventEmitterReferencingAsyncResource(this, name, options);
  }
  emit(event, ...args) { return this.#resource.runInAsyncScope(super.emit, this, event, ...args); }
  emitDestroy() { this.#resource.emitDestroy(); }
  get asyncId() { return EventEmitterAsyncResource.#resourceOf(this, 'asyncId').asyncId(); }
  get triggerAsyncId() { return EventEmitterAsyncResource.#resourceOf(this, 'triggerAsyncId').triggerAsyncId(); }
  get asyncResource() { return EventEmitterAsyncResource.#resourceOf(this, 'asyncResource'); }

  // Of another object: an error whose stack names the getter, which is Node's own.
  static #resourceOf(emitter, getter) {
    if (#resource in emitter) return emitter.#resource;
    const error = new TypeError('Cannot read private member #resource from an object whose class did not declare it');
    error.stack = error.stack.replace(/\n|$/, `\n    at get ${getter} (node:events)$&`);
    throw error;
  }
}

module.exports = { EventEmitterAsyncResource };

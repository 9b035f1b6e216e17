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
  get asyncId() { return this.#resource.asyncId(); }
  get triggerAsyncId() { return this.#resource.triggerAsyncId(); }
  get asyncResource() { return this.#resource; }
}

module.exports = { EventEmitterAsyncResource };

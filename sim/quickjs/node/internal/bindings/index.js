// internalBinding(name) of Node's own library: what its C++ gives to its JavaScript (src/node_binding.cc). Each is made when it is first
// asked for, and has the names of its version.
'use strict';

const makers = {
  async_wrap: () => require('internal/bindings/async_wrap'),
  blob: () => require('internal/bindings/blob'),
  buffer: () => require('internal/bindings/buffer'),
  config: () => require('internal/bindings/config'),
  constants: () => require('internal/bindings/constants'),
  diagnostics_channel: () => require('internal/bindings/diagnostics_channel'),
  errors: () => require('internal/bindings/errors'),
  messaging: () => require('internal/bindings/messaging'),
  mksnapshot: () => require('internal/bindings/mksnapshot'),
  options: () => require('internal/bindings/options'),
  stream_wrap: () => require('internal/bindings/stream_wrap'),
  string_decoder: () => require('internal/bindings/string_decoder'),
  symbols: () => require('internal/bindings/symbols'),
  trace_events: () => require('internal/bindings/trace_events'),
  types: () => require('internal/types'),
  url: () => require('internal/bindings/url'),
  util: () => require('internal/bindings/util').makeUtil,
  uv: () => require('internal/bindings/uv'),
};

const made = new Map();

function bindingOf(name) {
  let binding = made.get(name);
  if (binding !== undefined) return binding;
  if (!Object.hasOwn(makers, name)) throw new Error(`No such binding: ${name}`);
  const maker = makers[name]();
  binding = typeof maker === 'function' ? maker() : maker;
  made.set(name, binding);
  return binding;
}

module.exports = { bindingOf };

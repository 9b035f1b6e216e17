// Entries that Node makes for those who observe them (startPerf() and stopPerf() of lib/internal/perf/observe.js).
'use strict';

const native = internalBinding;

// What perf_hooks does, which is there once a program has asked for it.
const perf = { isObserved: () => false, tell() {} };

// undefined: nobody observes such entries.
function beginEntry(type, name, detail) {
  return perf.isObserved(type) ? { type, name, detail, start: native.hrtime() / 1e6 } : undefined;
}

function endEntry({ type, name, detail, start }) {
  if (perf.isObserved(type)) perf.tell(name, type, start, native.hrtime() / 1e6 - start, detail);
}

module.exports = { perf, beginEntry, endEntry };

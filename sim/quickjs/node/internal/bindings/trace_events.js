// src/node_trace_events.cc: nothing is traced.
'use strict';

const noop = () => {};

module.exports = function makeTraceEvents() {
  return {
    available: false, trace: noop, emit: noop, setLog: noop, isTraceCategoryEnabled: () => false, categoryGroupEnabled: () => false,
    getCategoryEnabledBuffer: () => new Uint8Array(1), setTraceCategoryStateUpdateHandler: noop, getEnabledCategories: noop,
  };
};

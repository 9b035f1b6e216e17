// src/node_messaging.cc
'use strict';

const noop = () => {};

class JSTransferable {}

module.exports = function makeMessaging() {
  const { DOMException, MessageChannel, MessagePort, structuredClone } = globalThis;
  return {
    DOMException, JSTransferable, MessageChannel, MessagePort, structuredClone, setDeserializerCreateFunction: noop,
    setDeserializerCreateObjectFunction: noop, exposeLazyDOMExceptionProperty: noop,
  };
};

// src/async_wrap.cc
'use strict';

module.exports = function makeAsyncWrap() {
  return { setupHooks() {}, setCallbackTrampoline() {}, registerDestroyHook() {} };
};

// src/node_diagnostics_channel.cc: channels of C++, of which there are none here; how many listen to each is in `subscribers`.
'use strict';

module.exports = function makeDiagnosticsChannel() {
  const indices = new Map();
  const binding = {
    subscribers: new Uint32Array(8),
    linkNativeChannel() {},
    notifyChannelActive() {},
    notifyChannelInactive() {},
    getOrCreateChannelIndex(name) {
      if (!indices.has(name)) indices.set(name, indices.size);
      const index = indices.get(name);
      if (index >= binding.subscribers.length) {
        const larger = new Uint32Array(2 * binding.subscribers.length);
        larger.set(binding.subscribers);
        binding.subscribers = larger;
      }
      return index;
    },
  };
  return binding;
};

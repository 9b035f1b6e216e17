// Node itself: chains of immediates (w2), ticks (w2t), microtasks (w2m), promise reactions (w2p), awaits (w2a).
import { callbacks, kind } from "./workload.mjs";

let done = 0;
const chains = {
  w2: function again() {
    if (++done < callbacks) setImmediate(again);
  },
  w2t: function again() {
    if (++done < callbacks) process.nextTick(again);
  },
  w2m: function again() {
    if (++done < callbacks) queueMicrotask(again);
  },
  w2p: function again() {
    if (++done < callbacks) Promise.resolve().then(again);
  },
  w2a: async function again() {
    for (; done < callbacks; ++done) await null;
  },
};
process.on("exit", () => console.log(done));
chains[kind]();

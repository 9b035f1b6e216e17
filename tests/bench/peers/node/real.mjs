// Chains of immediates (w2), ticks (w2t), microtasks (w2m), promise reactions (w2p), awaits (w2a), for Node itself and for
// loopsim; and timers (w1), which Node would wait for.
import { callbacks, delay, kind, pending } from "./workload.mjs";

let done = 0;
const chains = {
  w1: function begin() {
    const again = () => {
      if (++done < callbacks) setTimeout(again, delay());
      else process.exit();
    };
    for (let i = 0; i < pending; ++i) setTimeout(again, delay());
  },
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

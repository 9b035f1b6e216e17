// The mock timers of node:test.
import { mock } from "node:test";
import { callbacks, chain, delay, pending } from "./workload.mjs";

mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
let done = 0;

function again() {
  if (++done >= callbacks) return;
  if (chain) setImmediate(again);
  else setTimeout(again, delay());
}

for (let i = 0; i < pending; ++i) chain ? setImmediate(again) : setTimeout(again, delay());
while (done < callbacks) mock.timers.tick(chain ? 1 : 1000);
const total = done;
mock.timers.reset();
console.log(chain ? total : callbacks);

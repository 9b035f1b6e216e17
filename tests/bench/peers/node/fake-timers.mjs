// @sinonjs/fake-timers: a clock of its own, moved on by a second at a time, or (a chain) timer by timer, which it does best.
import FakeTimers from "@sinonjs/fake-timers";
import { callbacks, chain, delay, pending } from "./workload.mjs";

const clock = FakeTimers.createClock(0, Infinity);
let done = 0;

function again() {
  if (++done >= callbacks) return;
  if (chain) clock.setImmediate(again);
  else clock.setTimeout(again, delay());
}

for (let i = 0; i < pending; ++i) chain ? clock.setImmediate(again) : clock.setTimeout(again, delay());
while (done < callbacks) chain ? clock.next() : clock.tick(1000);
console.log(chain ? done : callbacks);

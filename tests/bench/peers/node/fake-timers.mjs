// @sinonjs/fake-timers: its clock advances by a second at a time, or for a chain timer by timer, which is fastest.
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

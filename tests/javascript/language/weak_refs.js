// What WeakRef and FinalizationRegistry point to is there until garbage is collected, which programs of this size do not live to see.
'use strict';
const ref = new WeakRef({ a: 1 });
console.log(typeof ref.deref(), ref.deref() === ref.deref());
let object = { name: 'kept' };
const other = new WeakRef(object);
object = null;
const registry = new FinalizationRegistry((held) => console.log('finalized', held));
registry.register({ b: 1 }, 'one');
(() => { const gone = {}; registry.register(gone, 'two', gone); console.log(registry.unregister(gone), registry.unregister(gone)); })();
const refs = [1, 2, 3].map((i) => new WeakRef({ i }));
const cycle = {};
cycle.self = cycle;
const ofCycle = new WeakRef(cycle);
class Held extends WeakRef { name() { return this.deref().name; } }
const held = new Held({ name: 'sub' });
process.nextTick(() => console.log('tick', typeof ref.deref()));
Promise.resolve().then(() => console.log('microtask', other.deref().name)).then(() => console.log('later', refs.map((one) => one.deref().i).join()));
setTimeout(() => {
  console.log('timer', typeof ref.deref(), other.deref().name, refs.map((one) => one.deref().i).join(), held.name(), typeof ofCycle.deref());
  setImmediate(() => { console.log('immediate', typeof ref.deref(), typeof new WeakRef(() => {}).deref(), typeof new WeakRef([]).deref()); void registry; });
}, 2);
console.log(WeakRef.name, WeakRef.length, WeakRef.prototype.deref.name, WeakRef.prototype.deref.length, WeakRef.prototype.constructor === WeakRef);
console.log(FinalizationRegistry.prototype.register.name, FinalizationRegistry.prototype.register.length, ref instanceof WeakRef, Object.prototype.toString.call(ref));
console.log(Object.getOwnPropertyNames(WeakRef).sort().join(), Object.getOwnPropertyNames(WeakRef.prototype).sort().join(), String(WeakRef), String(WeakRef.prototype.deref));
for (const wrong of [1, 'text', null, undefined]) {
  try { new WeakRef(wrong); } catch (error) { console.log(error.name); }
}
try { WeakRef({}); } catch (error) { console.log(error.message); }
try { WeakRef.prototype.deref.call({}); } catch (error) { console.log(error.message); }
try { registry.register(ref, ref); } catch (error) { console.log(error.name); }

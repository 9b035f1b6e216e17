// What BigInts refuse, in V8's words.
try { +1n; } catch (e) { console.log(e.message); }
try { BigInt.asIntN(64, 2); } catch (e) { console.log(e.message); }
try { new BigInt64Array(1)[0] = 2; } catch (e) { console.log(e.message); }
try { Math.trunc(1n); } catch (e) { console.log(e.message); }
try { 1n + 1; } catch (e) { console.log(e.message); }
try { new BigInt64Array([1]); } catch (e) { console.log(e.message); }
try { BigInt.asUintN(64, 'x'); } catch (e) { console.log(e.message); }
try { BigInt.asUintN(64, undefined); } catch (e) { console.log(e.message); }
try { BigInt(1.5); } catch (e) { console.log(e.message); }
try { BigInt({}); } catch (e) { console.log(e.message); }
try { BigInt(Symbol()); } catch (e) { console.log(e.message); }
try { isNaN(1n); } catch (e) { console.log(e.message); }
try { Number.parseFloat(1n); console.log('ok'); } catch (e) { console.log(e.message); }
try { 1n >>> 0n; } catch (e) { console.log(e.message); }
try { 1n / 0n; } catch (e) { console.log(e.message); }
try { 2n ** -1n; } catch (e) { console.log(e.message); }
try { JSON.stringify(1n); } catch (e) { console.log(e.message); }
try { setTimeout(() => {}, 1n); } catch (e) { console.log(e.message); }
try { 'a'.repeat(1n); } catch (e) { console.log(e.message); }
try { -(1n) + +'1'; } catch (e) { console.log(e.message); }
for (const f of [setTimeout, setInterval]) for (const v of [1n, Symbol('x'), { valueOf() { throw new Error('mine'); } }, { valueOf() { return 3; } }]) try { clearTimeout(f(() => {}, v)); console.log('ok'); } catch (e) { console.log(e.name, e.message, e.code); }

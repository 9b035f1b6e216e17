// process.env holds texts.
'use strict';
const attempt = (f) => { try { console.log(f()); } catch (error) { console.log(error.name, error.code, error.message); } };
process.env.NUMBER = 5;
process.env.NOTHING = undefined;
console.log(typeof process.env.NUMBER, process.env.NOTHING, 'NUMBER' in process.env, process.env.ABSENT);
attempt(() => delete process.env.NUMBER);
attempt(() => process.env.NUMBER);
attempt(() => { process.env[Symbol('s')] = 1; });
attempt(() => { process.env.S = Symbol('s'); });
attempt(() => Symbol('s') in process.env);
attempt(() => Object.defineProperty(process.env, 'X', { value: 'x' }));
attempt(() => Object.defineProperty(process.env, 'X', { get() { return 1; } }));
attempt(() => Object.keys(Object.defineProperty(process.env, 'X', { value: 5, writable: true, enumerable: true, configurable: true }))
  .includes('X'));

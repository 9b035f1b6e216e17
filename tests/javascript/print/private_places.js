// stdout only
// Where private methods are called.
function at(f) { try { f(); } catch (e) { console.log(e.stack.split('\n')[2].trim()); } }
class B { #p() { throw new Error('p'); } #f = () => { throw new Error('f'); }; static #s() { throw new Error('s'); }
  q() { return this.#p(); }
  q2() { return this.#p (1); }
  r() { return this.#f(); }
  s() { return B.#s(); }
  h() { var o = { b: this }; o.b.#p(1, 2); }
}
for (const k of ['q', 'q2', 'r', 's', 'h']) at(() => new B()[k]());

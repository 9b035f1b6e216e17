// A class that is not there, in brackets behind `new`: the error's words and its column.
var nothing = { inner: {} };
function get() { return nothing; }
function t(f) { try { f(); } catch (e) { console.log(e.message, /:(\d+:\d+)\)/.exec(e.stack)[1]); } }
t(function () { return new (nothing.inner.Missing)(); });
t(function () { return new (get().Missing)(1); });
t(function () { return new (require('path').Missing)(); });
console.log(typeof Array.fromAsync === 'function' ? Array.fromAsync : 'none');

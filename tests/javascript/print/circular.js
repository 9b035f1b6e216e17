// stdout only. Objects that contain themselves: with a number since Node 14.
'use strict';
var o = {}; o.o = o;
var l = [1, o]; l.push(l);
var m = { deep: { deeper: {} } }; m.deep.deeper.top = m; m.deep.deeper.own = m.deep;
console.log(o); console.log(l); console.log(m);
var E = require('events'); try { new E().emit('error', o); } catch (x) { console.log(x.message); }

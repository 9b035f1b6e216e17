// virtual clock: timers and assertions of the console.
'use strict';
const timers = ['a', 'b'];
try { console.time('a'); console.time('a'); } catch (e) { console.log(e.message); }
try { console.timeEnd('nope'); } catch (e) { console.log(e.message); }
try { console.timeLog && console.timeLog('a', 1, { x: 1 }); } catch (e) { console.log(e.message); }
try { console.assert(false); } catch (e) { console.log(e.name, e.code, e.message); }
try { console.assert(false, 'x %s', 'y'); } catch (e) { console.log(e.name, e.code, e.message); }
try { console.assert(false, { a: 1 }); } catch (e) { console.log(e.name, e.code, e.message); }
console.assert(true, 'n');
console.log(Object.keys(console).filter((k) => k !== 'Console' && !/^(markTimeline|profile|profileEnd|timeline|timelineEnd|timeStamp|context|createTask)$/.test(k)).sort().join());
setTimeout(() => { console.timeEnd('a'); console.time(); console.timeEnd(); }, 5);
setTimeout(() => { console.time('long'); }, 10);
setTimeout(() => { console.timeEnd('long'); }, 1760);
setTimeout(() => { console.time('min'); }, 1800);
setTimeout(() => { console.timeEnd('min'); }, 91800);

// Timers that are set by timers: from some level on, 0 ms become 4 ms. Told is, of the shortest of several waits at each level, whether it
// took so long. The wait of level 1 is asked for by the script.
// quiet: 600
const kLevels = 8;
const kChains = 6;
const shortest = new Array(kLevels).fill(Infinity);
function chain(left) {
  if (left === 0) {
    shortest.forEach((wait, index) => console.log(`level ${index + 1}: at least 4 ms ${wait >= 3.9}`));
    return;
  }
  // A message's task has no nesting level: the next chain begins anew.
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = () => {
    port2.close();
    nest(0, left);
  };
  port1.postMessage(null);
}
function nest(level, left) {
  const asked = performance.now();
  setTimeout(() => {
    shortest[level] = Math.min(shortest[level], performance.now() - asked);
    if (level + 1 < kLevels) nest(level + 1, left);
    else chain(left - 1);
  }, 0);
}
chain(kChains);

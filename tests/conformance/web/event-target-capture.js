// Capturing listeners at the target come first, says the standard since 2019, also for an event target that is no node.
const target = new EventTarget();
for (const [name, where] of [['EventTarget', target], ['window', window], ['signal', new AbortController().signal]]) {
  where.addEventListener('ping', () => console.log(name, 'bubble'));
  where.addEventListener('ping', () => console.log(name, 'capture'), true);
  where.dispatchEvent(new Event('ping'));
}

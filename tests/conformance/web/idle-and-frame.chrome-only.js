// No idle period begins before the first frame of an animation; what is left of the time to the next frame is one.
// quiet: 400
requestIdleCallback(() => {
  console.log('idle 1');
  requestIdleCallback(() => console.log('idle 2'));
});
requestAnimationFrame(() => {
  console.log('frame 1');
  requestIdleCallback(() => console.log('idle 3'));
  requestAnimationFrame(() => console.log('frame 2'));
});

// In a frame's callback: a microtask runs before all else, and the next frame after a timer of 0 ms, as a frame takes longer than that.
setTimeout(() => {
  requestAnimationFrame(() => {
    console.log('frame');
    setTimeout(() => console.log('timer of 0 ms'), 0);
    requestAnimationFrame(() => console.log('next frame'));
    queueMicrotask(() => console.log('microtask'));
  });
}, 40);

// The hashchange event of one step back comes before the next step, which a listener of its popstate event has asked for.
// quiet: 300
for (const type of ['popstate', 'hashchange']) window.addEventListener(type, () => console.log(type, location.hash));
let steps = 0;
window.addEventListener('popstate', () => {
  if (++steps === 3) return;
  history.pushState(null, '', `#step${steps}`);
  history.back();
  setTimeout(() => console.log('timer', steps), 0);
});
history.pushState(null, '', '#begin');
history.back();

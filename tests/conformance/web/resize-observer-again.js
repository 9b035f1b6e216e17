// html: <div id="outer"><div id="inner"></div></div>
// An element that is observed again with the same box keeps its place among those that a ResizeObserver tells; with another box it is the
// last of them.
// quiet: 200
const [outer, inner] = ['outer', 'inner'].map((id) => document.getElementById(id));
const observer = new ResizeObserver((entries) => console.log('resized', ...entries.map(({ target: { id } }) => id)));
const resize = (width) => {
  outer.style.width = `${width}px`;
  inner.style.width = `${width - 50}px`;
};
observer.observe(inner);
observer.observe(outer);
requestAnimationFrame(() => {
  observer.observe(inner);
  requestAnimationFrame(() => {
    resize(170);
    observer.observe(inner);
    requestAnimationFrame(() => {
      resize(180);
      observer.observe(inner, { box: 'border-box' });
      requestAnimationFrame(() => {
        observer.unobserve(outer);
        observer.observe(outer);
        resize(190);
      });
    });
  });
});

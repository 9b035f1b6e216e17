// Two listeners of one button: a user's click lets microtasks run between them, click() of a script does not, nor does a user's click
// within which a script calls click().
// html: <button id="button">button</button><button id="other">other</button>
// input: {"at": 40, "click": "#button"}
// input: {"at": 120, "click": "#other"}
const button = document.getElementById('button');
const other = document.getElementById('other');
for (const n of [1, 2]) {
  button.addEventListener('click', (event) => {
    console.log('listener', n, event.isTrusted);
    Promise.resolve().then(() => console.log('microtask', n));
  });
}
other.addEventListener('mousedown', () => console.log('mousedown'));
other.addEventListener('mouseup', () => console.log('mouseup'));
other.addEventListener('click', () => {
  console.log('other is clicked');
  button.click();
  console.log('click() has returned');
});
button.click();
console.log('script ends');

// An event handler such as onclick keeps its place among the listeners when it is replaced, and loses it when it was null in between.
// html: <button id="button">button</button>
const button = document.getElementById('button');
button.onclick = () => console.log('handler 1');
button.addEventListener('click', () => console.log('listener'));
button.onclick = () => console.log('handler 2');
button.click();
button.onclick = null;
button.onclick = () => {
  console.log('handler 3');
  return false;
};
button.click();
button.addEventListener('click', (event) => console.log('prevented', event.defaultPrevented));
button.click();
button.disabled = true;
button.click();
console.log('a disabled button is not clicked');

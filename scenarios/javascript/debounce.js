// A debounced function is called at 0, 5, 10 and 40 ms with a wait of 20 ms: how often does it run?

'use strict';
function debounce(f, wait) {
  let timer;
  return (value) => {
    clearTimeout(timer);
    timer = setTimeout(f, wait, value);
  };
}
const begin = Date.now();
const tell = debounce((value) => console.log(value, Date.now() - begin < 40 ? 'before 40 ms' : 'after 40 ms'), 20);
[0, 5, 10, 40].forEach((at, i) => setTimeout(tell, at, 'call ' + (i + 1)));

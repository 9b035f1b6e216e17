// unshift(), pause(), resume(), setEncoding() in the middle.
const { Readable } = require('stream');
const stream = new Readable({ read() {} });
stream.push('header\n\nbo');
stream.once('readable', () => {
  const chunk = stream.read();
  const at = chunk.indexOf('\n\n');
  console.log('header', String(chunk.subarray(0, at)));
  stream.unshift(chunk.subarray(at + 2));
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    console.log('body', JSON.stringify(text));
    stream.pause();
    console.log('paused', stream.isPaused());
    setTimeout(() => { console.log('resume'); stream.resume(); }, 1);
  });
});
stream.on('end', () => console.log('end'));
setTimeout(() => { stream.push('dy'); stream.push('!'); stream.push(null); }, 3);

// Standard input from a file: an fs.ReadStream.
// stdin: stdin.txt
'use strict';
const { stdin } = process;
console.log(stdin.constructor.name, stdin.fd, stdin.isTTY, stdin.path, stdin === process.stdin);
for (const name of ['open', 'ready', 'close', 'error', 'resume', 'pause']) stdin.on(name, () => console.log(name));
stdin.on('data', (chunk) => console.log('data', Buffer.isBuffer(chunk), chunk.length, JSON.stringify(chunk.toString())));
stdin.on('end', () => {
  console.log('end', stdin.bytesRead);
  process.nextTick(() => console.log('tick after end'));
  setImmediate(() => console.log('immediate after end'));
});
process.on('exit', (code) => console.log('exit', code));

// Streams without the functions that they need.
const { Readable, Writable, Transform, Duplex } = require('stream');
for (const [name, stream] of Object.entries({ readable: new Readable(), writable: new Writable(), transform: new Transform(), duplex: new Duplex() })) {
  stream.on('error', (error) => console.log(name, error.code, error.message));
  try {
    if (stream.read) stream.read();
    if (stream.write) stream.write('x');
  } catch (error) {
    console.log(name, 'throws', error.code, error.message);
  }
}

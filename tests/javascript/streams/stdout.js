// process.stdout and console, line by line.
process.stdout.write('one ');
process.stdout.write('line\n');
process.stdout.write('two\nlines\n', () => console.log('written'));
console.log('console');
process.stdout.write(Buffer.from('bytes\n'));
process.stderr.write('to stderr\n');
const write = process.stdout.write;
process.stdout.write = function (text, ...rest) { return write.call(this, `> ${text}`, ...rest); };
console.log('through the changed write');
process.stdout.write = write;
console.log(typeof process.stdout.fd, process.stdout.writable, process.stdout.isTTY, process.stderr.fd);
process.stdout.end === undefined || console.log('has end');
process.nextTick(() => console.log('tick'));
process.on('exit', () => { process.stdout.write('last '); process.stdout.write('words\n'); });

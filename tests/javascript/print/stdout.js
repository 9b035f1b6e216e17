// What is written without an end of line, and a write() that the program replaces.
process.stdout.write('a');
setTimeout(() => { process.stdout.write('b\nc'); console.log('d'); process.stdout.write('e', () => console.log('written')); }, 5);
process.on('exit', () => process.stdout.write("last\n"));
process.stderr.write('err\n');
const lines = [];
const write = process.stdout.write;
process.stdout.write = function (chunk) { lines.push(chunk); return true; };
console.log('captured');
process.stdout.write = write;
console.log(lines);
for (const wrong of [1, null, undefined, {}]) {
  try { process.stdout.write(wrong); } catch (error) { if (wrong !== null) console.log(error.code, error.message); }
}
console.log(process.stdout.write(Buffer.from('bytes\n')), process.stdout.fd, process.stderr.fd, process.stdout === process.stdout);

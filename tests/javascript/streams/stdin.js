// An input with nothing in it.
process.stdin.on('data', (chunk) => console.log('data', chunk));
process.stdin.on('end', () => console.log('end'));
process.stdin.on('close', () => console.log('close'));
console.log(process.stdin.fd, process.stdin.readable, process.stdin.isTTY);

// stdin: stdin.txt
// Nobody reads: nothing keeps the process.
console.log(process.stdin.readable);
process.stdin.on('end', () => console.log('end'));
process.on('exit', () => console.log('exit'));

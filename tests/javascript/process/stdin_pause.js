// stdin: stdin-long.txt
// Pieces that wait until the program goes on.
'use strict';
let pieces = 0;
process.stdin.on('data', (piece) => {
  pieces++;
  console.log('data', pieces, piece.length);
  if (pieces !== 2) return;
  process.stdin.pause();
  console.log('paused', process.stdin.isPaused());
  setTimeout(() => {
    console.log('resume');
    process.stdin.resume();
  }, 20);
});
process.stdin.on('end', () => console.log('end', pieces));

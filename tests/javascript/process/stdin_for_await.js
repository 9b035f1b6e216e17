// stdin: stdin-long.txt
// Several pieces, one after another.
'use strict';
(async () => {
  let size = 0;
  for await (const piece of process.stdin) {
    size += piece.length;
    console.log(piece.length, piece.toString('latin1', 0, 12));
  }
  console.log('over', size);
  let lines = 0;
  process.stdin.on('close', () => console.log('close'));
})();

// Texts, and characters that end in another piece.
// stdin: stdin.txt
'use strict';
process.stdin.setEncoding('utf8');
let text = '';
process.stdin.on('readable', () => {
  let piece;
  while ((piece = process.stdin.read()) !== null) {
    console.log('read', typeof piece, piece.length);
    text += piece;
  }
});
process.stdin.on('end', () => console.log('end', JSON.stringify(text)));

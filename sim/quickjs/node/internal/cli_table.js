// A table drawn with lines, for console.table() (lib/internal/cli_table.js).
'use strict';

const native = internalBinding;

// Widths are those of a terminal: wide characters take two columns, marks none.
function widthOf(text) {
  let width = 0;
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0);
    if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) continue;
    width += (code >= 0x1100 && (code <= 0x115f || (code >= 0x2e80 && code <= 0xa4cf && code !== 0x303f) ||
      (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1f300 && code <= 0x1f64f) ||
      (code >= 0x1f900 && code <= 0x1f9ff) || (code >= 0x20000 && code <= 0x3fffd))) ? 2 : 1;
  }
  return width;
}

// Since Node 20 cells begin at the left; before, they are in the middle.
function table(head, columns) {
  const isLeft = native.facts.major >= 20;
  const widths = head.map((text) => widthOf(text) + 2);
  const height = Math.max(...columns.map((column) => column.length));
  const rows = Array.from({ length: height }, () => []);
  columns.forEach((column, i) => {
    for (let j = 0; j < height; j++) {
      const text = rows[j][i] = Object.hasOwn(column, j) ? String(column[j]) : '';
      widths[i] = Math.max(widths[i], widthOf(text) + 2);
    }
  });
  const line = (left, middle, right) => left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
  const renderRow = (cells) => `│${cells.map((text, i) => {
    const needed = widths[i] - widthOf(text);
    if (isLeft) return ` ${text}${' '.repeat(needed - 1)}`;
    const left = Math.floor(needed / 2);
    return `${' '.repeat(left)}${text}${' '.repeat(needed - left)}`;
  }).join('│')}│`;
  let result = `${line('┌', '┬', '┐')}\n${renderRow(head)}\n${line('├', '┼', '┤')}\n`;
  for (const row of rows) result += `${renderRow(row)}\n`;
  return result + line('└', '┴', '┘');
}

module.exports = table;

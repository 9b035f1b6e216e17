// What a document says about the outcome of its run.
// The lines of the document's `expect`, as indices: from its key to the end of its value.
export function answersOf(lines: string[]): [number, number] {
  const first = lines.findIndex((line) => /^\s*"expect"\s*:/.test(line));
  if (first < 0) return [0, 0];
  let depth = 0;
  for (let i = first; i < lines.length; ++i) {
    const text = (lines[i] ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '');
    for (const [mark] of text.matchAll(/[[\]{}]/g)) depth += mark === '{' || mark === '[' ? 1 : -1;
    if (depth <= 0) return [first, i + 1];
  }
  return [first, lines.length];
}

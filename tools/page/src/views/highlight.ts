// Syntax colours for JSON and JavaScript: strings, numbers, words, comments. One regular expression each, no parser.
import { h } from '../dom';

const kJson = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;
const kScript =
  /(\/\/.*$)|('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*")|\b(\d+(?:\.\d+)?)\b|\b(const|let|function|async|await|return|if|else|for|try|catch|finally|throw|new|of|in|while|null|undefined|true|false|import|from)\b/g;

function pieces(text: string, pattern: RegExp, classOf: (match: RegExpMatchArray) => [string, string][]): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const from = match.index ?? 0;
    if (from > at) nodes.push(document.createTextNode(text.slice(at, from)));
    for (const [piece, name] of classOf(match))
      nodes.push(name ? h('span', { class: name }, piece) : document.createTextNode(piece));
    at = from + match[0].length;
  }
  if (at < text.length) nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

export function jsonLine(text: string): Node[] {
  return pieces(text, kJson, ([whole, string, colon, number]) => {
    if (string !== undefined)
      return colon === undefined
        ? [[string, 't-text']]
        : [
            [string, 't-key'],
            [colon, ''],
          ];
    return [[whole, number === undefined ? 't-word' : 't-number']];
  });
}

export function scriptLine(text: string): Node[] {
  return pieces(text, kScript, ([whole, comment, string, number]) => [
    [
      whole,
      comment !== undefined
        ? 't-comment'
        : string !== undefined
          ? 't-text'
          : number !== undefined
            ? 't-number'
            : 't-word',
    ],
  ]);
}

// The data of a run in what `-f html` has written: three script elements, in which "<" stands nowhere (html_writer.cpp).
// They are taken as text; nothing of the file becomes an element of this page.
import { readRun } from '../model/data';
import type { Run } from '../model/types';

function contentOf(html: string, id: string): string {
  const mark = html.indexOf(` id="${id}">`);
  const from = html.indexOf('>', mark) + 1;
  const to = html.indexOf('</script>', from);
  if (mark < 0 || to < 0) throw new Error(`the engine has written no data (${id})`);
  return html.slice(from, to);
}

export function runOf(html: string): Run {
  return readRun(contentOf(html, 'trace'), contentOf(html, 'run'), () => contentOf(html, 'explanations'));
}

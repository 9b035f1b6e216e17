// Markup: a small parser and its inverse (HTML standard, sections 13.2 and 13.3). It knows void elements, elements whose end may be left
// out, raw text, comments and character references; it repairs no tables and no misnested formatting.
'use strict';

const { dataOf, kComment, kDocument, kElement, kFragment, kText } = require('web/tree');

const kVoid = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
const kRaw = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes']);
const kEscapable = new Set(['textarea', 'title']);
// Elements that end an open paragraph.
const kBlocks = new Set((
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header ' +
  'hgroup hr main menu nav ol p pre section summary table ul').split(' '));
// What is no block ends none of these.
const kSpecial = new Set([
  ...kBlocks, 'body', 'button', 'dd', 'dt', 'li', 'select', 'tbody', 'td', 'template', 'tfoot', 'th', 'thead', 'tr']);
// An element that begins ends an open one of these, up to one of those that stand around it.
const kEnds = {
  li: [['li'], ['ul', 'ol', 'menu']], dt: [['dt', 'dd'], ['dl']], dd: [['dt', 'dd'], ['dl']],
  option: [['option'], ['select', 'datalist', 'optgroup']], optgroup: [['option', 'optgroup'], ['select']],
  tr: [['tr', 'td', 'th'], ['table', 'tbody', 'thead', 'tfoot']], td: [['td', 'th'], ['tr', 'table']], th: [['td', 'th'], ['tr', 'table']],
  tbody: [['tbody', 'thead', 'tfoot', 'tr', 'td', 'th'], ['table']], thead: [['tbody', 'tr', 'td', 'th'], ['table']],
  tfoot: [['tbody', 'thead', 'tr', 'td', 'th'], ['table']], button: [['button'], []],
};
const kReferences = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '\u00a9', reg: '\u00ae', hellip: '\u2026', mdash: '\u2014',
  ndash: '\u2013', laquo: '\u00ab', raquo: '\u00bb', lsquo: '\u2018', rsquo: '\u2019', ldquo: '\u201c', rdquo: '\u201d', times: '\u00d7',
  middot: '\u00b7', bull: '\u2022', larr: '\u2190', uarr: '\u2191', rarr: '\u2192', darr: '\u2193', euro: '\u20ac', deg: '\u00b0',
};

function decode(text) {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));?/gi, (all, hex, decimal, name) => {
    if (name) return Object.hasOwn(kReferences, name) ? kReferences[name] : all;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code);
  });
}

const kTag = /<(\/?)([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/iy;
const kAttribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

function attributesOf(text) {
  const attributes = [];
  for (const [, name, double, single, word] of text.matchAll(kAttribute)) {
    const key = name.toLowerCase();
    if (!attributes.some(([known]) => known === key)) attributes.push([key, decode(double ?? single ?? word ?? '')]);
  }
  return attributes;
}

// Builds the nodes of a text below `root`, with make: { element(name, attributes), text(text), comment(text), append(parent, node) }.
function parse(source, root, make) {
  const open = [{ node: root, name: '' }];
  const html = source.replace(/\r\n?/g, '\n');
  const top = () => open.at(-1);
  const closeUpTo = (index) => { open.length = index; };
  const closeOpen = (names, borders) => {
    for (let i = open.length - 1; i > 0; i--) {
      if (borders.includes(open[i].name)) return;
      if (names.includes(open[i].name)) {
        closeUpTo(i);
        return closeOpen(names, borders);
      }
    }
  };
  const addText = (text) => { if (text !== '') make.append(top().node, make.text(text)); };
  let text = '';
  const flush = () => {
    addText(decode(text));
    text = '';
  };
  for (let at = 0; at < html.length;) {
    const next = html.indexOf('<', at);
    if (next < 0) {
      text += html.slice(at);
      break;
    }
    text += html.slice(at, next);
    at = next;
    if (html.startsWith('<!--', at)) {
      flush();
      const end = html.indexOf('-->', at + 4);
      make.append(top().node, make.comment(html.slice(at + 4, end < 0 ? undefined : end)));
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    if (/^<[!?]/.test(html.slice(at, at + 2))) {  // a doctype and its like
      const end = html.indexOf('>', at);
      at = end < 0 ? html.length : end + 1;
      continue;
    }
    kTag.lastIndex = at;
    const found = kTag.exec(html);
    if (!found) {
      if (/^<\/?[a-z][^>]*$/i.test(html.slice(at))) break;  // a tag that does not end
      text += '<';
      at++;
      continue;
    }
    flush();
    at = kTag.lastIndex;
    const name = found[2].toLowerCase();
    if (found[1] === '/') {
      if (name === 'p' && !open.some((one) => one.name === 'p')) make.append(top().node, make.element('p', []));
      else if (name === 'br') make.append(top().node, make.element('br', []));
      const index = open.findLastIndex((one) => one.name === name);
      const isKept = !kSpecial.has(name) && open.slice(index + 1).some((one) => kSpecial.has(one.name));
      if (index > 0 && !isKept) closeUpTo(index);
      continue;
    }
    if (kBlocks.has(name)) closeOpen(['p'], ['button', 'td', 'th', 'table', 'template']);
    if (kEnds[name]) closeOpen(...kEnds[name]);
    const element = make.element(name, attributesOf(found[3]));
    make.append(top().node, element);
    if (kRaw.has(name) || kEscapable.has(name)) {
      const rest = html.slice(at);
      const end = rest.search(new RegExp(`</${name}[\\s/>]`, 'i'));
      let inside = end < 0 ? rest : rest.slice(0, end);
      if (name === 'textarea' && inside[0] === '\n') inside = inside.slice(1);
      if (inside !== '') make.append(element, make.text(kEscapable.has(name) ? decode(inside) : inside));
      at = end < 0 ? html.length : html.indexOf('>', at + end) + 1 || html.length;
    } else if (!kVoid.has(name)) {
      if ((name === 'pre' || name === 'listing') && html[at] === '\n') at++;
      open.push({ node: element, name });
    }
  }
  flush();
}

const escapeText = (text) => text.replace(/[&<>\u00a0]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' })[c]);
const escapeValue = (text) => text.replace(/[&"\u00a0]/g, (c) => ({ '&': '&amp;', '"': '&quot;', '\u00a0': '&nbsp;' })[c]);

// The markup of a node's children.
function serialize(node) { return dataOf(node).children.map(serializeNode).join(''); }

function serializeNode(node) {
  const data = dataOf(node);
  switch (data.type) {
    case kText: {
      const parent = data.parent && dataOf(data.parent);
      return parent && parent.type === kElement && kRaw.has(parent.name) ? data.text : escapeText(data.text);
    }
    case kComment: return `<!--${data.text}-->`;
    case kDocument: case kFragment: return serialize(node);
    default: {
      const attributes = [...data.attributes].map(([name, value]) => ` ${name}="${escapeValue(value)}"`).join('');
      return `<${data.name}${attributes}>${kVoid.has(data.name) ? '' : `${serialize(node)}</${data.name}>`}`;
    }
  }
}

module.exports = { parse, serialize, serializeNode };

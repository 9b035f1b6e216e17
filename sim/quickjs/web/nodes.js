// Node, Text, Comment, DocumentFragment, and what all parents and all children can do (DOM standard, sections 4.2 to 4.10).
'use strict';

const { EventTarget } = require('web/event_target');
const { liveList, staticList, HTMLCollection, NodeList } = require('web/collections');
const observer = require('web/mutation_observer');
const { matches, selectorOf } = require('web/selectors');
const tree = require('web/tree');
const { constants, describe, interfaceOf, kKey } = require('web/webidl');
const { domError, illegalConstructor, isFirefox, isObject, needArgs, plainError, typeError, wrongType } = require('web/words');

const { dataOf, isNode, kComment, kDocument, kElement, kFragment, kText } = tree;
const { defineProperty, getOwnPropertyDescriptors } = Object;

observer.know({ isNode, ancestorsOf: tree.ancestorsOf });

function needNode(member, value, index = 1) {
  if (isNode(value)) return value;
  if (!isFirefox() || !isObject(value)) throw wrongType('Node', member, index, 'Node', value);
  throw typeError('Node', member, '', `Argument ${index} does not implement interface Node.`);
}

class Node extends EventTarget {
  static length = 0;
  constructor(key, data) {
    if (key !== kKey) throw illegalConstructor('Node');
    super();
    tree.makeData(this, data);
  }
  get nodeType() { return dataOf(this).type; }
  get nodeName() {
    const { type, name } = dataOf(this);
    return type === kElement ? name.toUpperCase() : type === kText ? '#text' : type === kComment ? '#comment' :
      type === kDocument ? '#document' : '#document-fragment';
  }
  get baseURI() { return globalThis.location.href; }
  get isConnected() { return tree.isConnected(this); }
  get ownerDocument() { return dataOf(this).type === kDocument ? null : globalThis.document; }
  get parentNode() { return dataOf(this).parent; }
  get parentElement() {
    const { parent } = dataOf(this);
    return parent !== null && dataOf(parent).type === kElement ? parent : null;
  }
  hasChildNodes() { return dataOf(this).children.length > 0; }
  get childNodes() {
    const data = dataOf(this);
    return data.childNodes ??= liveList(NodeList, () => data.children);
  }
  get firstChild() { return dataOf(this).children[0] ?? null; }
  get lastChild() { return dataOf(this).children.at(-1) ?? null; }
  get previousSibling() { return tree.siblingOf(this, -1); }
  get nextSibling() { return tree.siblingOf(this, 1); }
  get nodeValue() { return dataOf(this).text ?? null; }
  set nodeValue(value) { if (dataOf(this).text !== undefined) tree.setText(this, value === null ? '' : `${value}`); }
  get textContent() {
    const { type, text } = dataOf(this);
    return type === kDocument ? null : text ?? tree.textOf(this);
  }
  set textContent(value) {
    const { type, text } = dataOf(this);
    const given = value === null || value === undefined ? '' : `${value}`;
    if (text !== undefined) tree.setText(this, given);
    else if (type !== kDocument) tree.replaceAll(given === '' ? null : makeText(given), this);
  }
  normalize() {
    for (const node of [...tree.descendantsOf(this)]) {
      if (dataOf(node).type !== kText || dataOf(node).parent === null) continue;
      if (dataOf(node).text === '') {
        tree.removeNode(node);
        continue;
      }
      for (let next; (next = tree.siblingOf(node, 1)) !== null && dataOf(next).type === kText;) {
        if (dataOf(next).text !== '') tree.setText(node, dataOf(node).text + dataOf(next).text);
        tree.removeNode(next);
      }
    }
  }
  cloneNode(deep = false) { return cloneNode(this, Boolean(deep)); }
  isSameNode(other) { return this === other; }
  isEqualNode(other) {
    const { serializeNode } = require('web/html');
    return isNode(other) && dataOf(this).type === dataOf(other).type && serializeNode(this) === serializeNode(other);
  }
  contains(other) {
    needArgs('Node', 'contains', arguments, 1);
    if (other === null || other === undefined) return false;
    return tree.contains(this, needNode('contains', other));
  }
  compareDocumentPosition(other) {
    needNode('compareDocumentPosition', other);
    if (other === this) return 0;
    if (tree.rootOf(this) !== tree.rootOf(other)) return 1 + 32 + 2;
    if (tree.contains(this, other)) return 16 + 4;
    if (tree.contains(other, this)) return 8 + 2;
    for (const node of tree.descendantsOf(tree.rootOf(this))) if (node === this || node === other) return node === this ? 4 : 2;
    return 0;
  }
  getRootNode() { return tree.rootOf(this); }
  appendChild(node) {
    needArgs('Node', 'appendChild', arguments, 1);
    needNode('appendChild', node);
    return insert('Node', 'appendChild', node, this, null);
  }
  insertBefore(node, child) {
    needArgs('Node', 'insertBefore', arguments, 2);
    needNode('insertBefore', node);
    if (child !== null && child !== undefined) needNode('insertBefore', child, 2);
    return insert('Node', 'insertBefore', node, this, child ?? null);
  }
  replaceChild(node, child) {
    needArgs('Node', 'replaceChild', arguments, 2);
    needNode('replaceChild', node);
    needNode('replaceChild', child, 2);
    tree.checkInsertion('Node', 'replaceChild', node, this, child, child);
    tree.replaceChild(node, this, child);
    return child;
  }
  removeChild(child) {
    needArgs('Node', 'removeChild', arguments, 1);
    needNode('removeChild', child);
    if (dataOf(child).parent !== this) {
      throw domError('NotFoundError', 'Node', 'removeChild', 'The node to be removed is not a child of this node.',
                     'The node to be removed is not a child of this node');
    }
    tree.removeNode(child);
    return child;
  }
}
// As the developer tools name a node.
function inspect() {
  const { type, name, attributes, text } = dataOf(this);
  if (type === kElement) {
    const id = attributes.get('id');
    const classes = (attributes.get('class') ?? '').split(/\s+/).filter((word) => word !== '');
    return `${name}${id ? `#${id}` : ''}${classes.map((word) => `.${word}`).join('')}`;
  }
  return text !== undefined ? `${this.nodeName} "${text}"` : this.nodeName;
}
describe(Node, isNode, { inspect });
constants(Node, {
  ELEMENT_NODE: kElement, ATTRIBUTE_NODE: 2, TEXT_NODE: kText, CDATA_SECTION_NODE: 4, ENTITY_REFERENCE_NODE: 5, ENTITY_NODE: 6,
  PROCESSING_INSTRUCTION_NODE: 7, COMMENT_NODE: kComment, DOCUMENT_NODE: kDocument, DOCUMENT_TYPE_NODE: 10,
  DOCUMENT_FRAGMENT_NODE: kFragment, NOTATION_NODE: 12, DOCUMENT_POSITION_DISCONNECTED: 1, DOCUMENT_POSITION_PRECEDING: 2,
  DOCUMENT_POSITION_FOLLOWING: 4, DOCUMENT_POSITION_CONTAINS: 8, DOCUMENT_POSITION_CONTAINED_BY: 16,
  DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC: 32,
});

function insert(Interface, member, node, parent, before) {
  tree.checkInsertion(Interface, member, node, parent, before);
  tree.insertNode(node, parent, before);
  return node;
}

function cloneNode(node, isDeep) {
  const data = dataOf(node);
  let copy;
  if (data.type === kElement) copy = require('web/elements').makeElement(data.name, [...data.attributes]);
  else if (data.type === kText) copy = makeText(data.text);
  else if (data.type === kComment) copy = new Comment(data.text);
  else if (data.type === kFragment) copy = new DocumentFragment();
  else throw domError('NotSupportedError', 'Node', 'cloneNode', "Nodes of type '#document' may not be cloned.",
                      'Operation is not supported');
  if (isDeep) for (const child of data.children) tree.insertNode(cloneNode(child, true), copy, null, true);
  return copy;
}

// ---- texts -----------------------------------------------------------------------------------------------------------------------

const isCharacterData = (value) => isNode(value) && dataOf(value).text !== undefined;

class CharacterData extends Node {
  get data() { return dataOf(this).text; }
  set data(value) { tree.setText(this, value === null ? '' : `${value}`); }
  get length() { return dataOf(this).text.length; }
  substringData(offset, count) { return dataOf(this).text.substr(offset, count); }
  appendData(text) { tree.setText(this, dataOf(this).text + text); }
  insertData(offset, text) { this.replaceData(offset, 0, text); }
  deleteData(offset, count) { this.replaceData(offset, count, ''); }
  replaceData(offset, count, text) {
    const old = dataOf(this).text;
    if (offset > old.length) {
      throw domError('IndexSizeError', 'CharacterData', 'replaceData',
                     `The offset ${offset} is greater than the node's length (${old.length}).`,
                     'Index or size is negative or greater than the allowed amount');
    }
    tree.setText(this, old.slice(0, offset) + text + old.slice(offset + count));
  }
}
describe(CharacterData, isCharacterData);

class Text extends CharacterData {
  constructor() { super(kKey, { type: kText, text: `${arguments.length > 0 && arguments[0] !== undefined ? arguments[0] : ''}` }); }
  get wholeText() { return dataOf(this).text; }
  splitText(offset) {
    if (offset > dataOf(this).text.length) {
      throw plainError('IndexSizeError', 'Text', 'splitText', `The offset ${offset} is larger than the Text node's length.`,
                       'Index or size is negative or greater than the allowed amount');
    }
    const rest = makeText(dataOf(this).text.slice(offset));
    const { parent } = dataOf(this);
    if (parent !== null) tree.insertNode(rest, parent, tree.siblingOf(this, 1));
    this.replaceData(offset, rest.data.length, '');
    return rest;
  }
}
describe(Text, (value) => isNode(value) && dataOf(value).type === kText);

class Comment extends CharacterData {
  constructor() { super(kKey, { type: kComment, text: `${arguments.length > 0 && arguments[0] !== undefined ? arguments[0] : ''}` }); }
}
describe(Comment, (value) => isNode(value) && dataOf(value).type === kComment);

class DocumentFragment extends Node {
  constructor() { super(kKey, { type: kFragment }); }
  getElementById(id) { return findId(this, `${id}`); }
}
describe(DocumentFragment, (value) => isNode(value) && dataOf(value).type === kFragment);

const makeText = (text) => new Text(text);
const findId = (root, id) => {
  for (const node of tree.descendantsOf(root)) if (dataOf(node).attributes?.get('id') === id && id !== '') return node;
  return null;
};

// ---- mixins ----------------------------------------------------------------------------------------------------------------------

// Nodes and texts as one node.
function nodeOf(items) {
  const nodes = items.map((item) => (isNode(item) ? item : makeText(`${item}`)));
  if (nodes.length === 1) return nodes[0];
  const fragment = new DocumentFragment();
  for (const node of nodes) insert('Node', 'appendChild', node, fragment, null);
  return fragment;
}

// Members are taken over by the prototypes; `Interface`: who names itself in errors.
function mix(Class, Interface, members) {
  for (const [key, it] of Object.entries(getOwnPropertyDescriptors(members(Interface)))) {
    defineProperty(Class.prototype, key, { ...it, enumerable: true });
  }
}

function childMembers(Interface) {
  // The first sibling behind (step 1) or before (step -1) that is not among those to be moved.
  const viable = (node, step, items) => {
    let at = tree.siblingOf(node, step);
    while (at !== null && items.includes(at)) at = tree.siblingOf(at, step);
    return at;
  };
  return {
    before(...items) {
      const { parent } = dataOf(this);
      if (parent === null) return;
      const place = viable(this, -1, items);
      const node = nodeOf(items);
      insert(Interface, 'before', node, parent, place === null ? dataOf(parent).children[0] ?? null : tree.siblingOf(place, 1));
    },
    after(...items) {
      const { parent } = dataOf(this);
      if (parent === null) return;
      const place = viable(this, 1, items);
      insert(Interface, 'after', nodeOf(items), parent, place);
    },
    replaceWith(...items) {
      const { parent } = dataOf(this);
      if (parent === null) return;
      const place = viable(this, 1, items);
      const node = nodeOf(items);
      if (dataOf(this).parent !== parent) {
        insert(Interface, 'replaceWith', node, parent, place);
        return;
      }
      tree.checkInsertion(Interface, 'replaceWith', node, parent, this, this);
      tree.replaceChild(node, parent, this);
    },
    remove() { tree.removeNode(this); },
    get previousElementSibling() {
      let at = tree.siblingOf(this, -1);
      while (at !== null && dataOf(at).type !== kElement) at = tree.siblingOf(at, -1);
      return at;
    },
    get nextElementSibling() {
      let at = tree.siblingOf(this, 1);
      while (at !== null && dataOf(at).type !== kElement) at = tree.siblingOf(at, 1);
      return at;
    },
  };
}

function parentMembers(Interface) {
  return {
    get children() {
      const data = dataOf(this);
      return data.elements ??= liveList(HTMLCollection, () => tree.childElements(this));
    },
    get firstElementChild() { return tree.childElements(this)[0] ?? null; },
    get lastElementChild() { return tree.childElements(this).at(-1) ?? null; },
    get childElementCount() { return tree.childElements(this).length; },
    prepend(...items) { insert(Interface, 'prepend', nodeOf(items), this, dataOf(this).children[0] ?? null); },
    append(...items) { insert(Interface, 'append', nodeOf(items), this, null); },
    replaceChildren(...items) {
      const node = nodeOf(items);
      tree.checkInsertion(Interface, 'replaceChildren', node, this, null);
      tree.replaceAll(node, this);
    },
    querySelector(selectors) {
      needArgs(Interface, 'querySelector', arguments, 1);
      const list = selectorOf(`${selectors}`, Interface, 'querySelector');
      for (const one of tree.descendantsOf(this)) if (dataOf(one).type === kElement && matches(one, list, this)) return one;
      return null;
    },
    querySelectorAll(selectors) {
      needArgs(Interface, 'querySelectorAll', arguments, 1);
      const list = selectorOf(`${selectors}`, Interface, 'querySelectorAll');
      return staticList(tree.elementsOf(this).filter((one) => matches(one, list, this)));
    },
  };
}

// Of elements and of the document.
function searchMembers(Interface) {
  return {
    getElementsByTagName(name) {
      needArgs(Interface, 'getElementsByTagName', arguments, 1);
      const tag = `${name}`.toLowerCase();
      return liveList(HTMLCollection, () => tree.elementsOf(this).filter((one) => tag === '*' || dataOf(one).name === tag));
    },
    getElementsByClassName(names) {
      needArgs(Interface, 'getElementsByClassName', arguments, 1);
      const wanted = `${names}`.split(/\s+/).filter((name) => name !== '');
      return liveList(HTMLCollection, () => tree.elementsOf(this).filter((one) => {
        const own = (dataOf(one).attributes.get('class') ?? '').split(/\s+/);
        return wanted.length > 0 && wanted.every((name) => own.includes(name));
      }));
    },
  };
}

mix(CharacterData, 'CharacterData', childMembers);
mix(DocumentFragment, 'DocumentFragment', parentMembers);

module.exports = {
  CharacterData, Comment, DocumentFragment, Node, Text, childMembers, findId, insert, inspect, interfaceOf, makeText, mix, needNode, nodeOf,
  parentMembers, searchMembers,
};

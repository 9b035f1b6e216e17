// The tree of nodes: what stands where, and what happens when it changes (DOM standard, section 4.2.3).
'use strict';

const native = internalBinding;
const { followRemoved, queueRecord } = require('web/mutation_observer');
const { domError } = require('web/words');

const kElement = 1;
const kText = 3;
const kComment = 8;
const kDocument = 9;
const kFragment = 11;

// By node: { type, parent, children, name, text, attributes, ... }.
const insides = new WeakMap();
const dataOf = (node) => insides.get(node);
const isNode = (value) => insides.has(value);
function makeData(node, data) { insides.set(node, { parent: null, children: [], ...data }); }

const hooks = {
  removed() {},  // (node): a subtree has left the document
};

function rootOf(node) {
  let at = node;
  for (let parent; (parent = dataOf(at).parent) !== null;) at = parent;
  return at;
}
const isConnected = (node) => dataOf(rootOf(node)).type === kDocument;

function* ancestorsOf(node) { for (let at = node; at !== null; at = dataOf(at).parent) yield at; }
function contains(node, other) {
  for (const at of ancestorsOf(other)) if (at === node) return true;
  return false;
}

// Descendants in the tree's order.
function* descendantsOf(node) {
  for (const child of dataOf(node).children) {
    yield child;
    yield* descendantsOf(child);
  }
}
function elementsOf(node) { return [...descendantsOf(node)].filter((one) => dataOf(one).type === kElement); }
const childElements = (node) => dataOf(node).children.filter((one) => dataOf(one).type === kElement);

function siblingOf(node, step) {
  const { parent } = dataOf(node);
  if (parent === null) return null;
  const { children } = dataOf(parent);
  return children[children.indexOf(node) + step] ?? null;
}

function changed(node) { if (isConnected(node)) native.changed(); }

// ---- checks ----------------------------------------------------------------------------------------------------------------------

const kNames = { [kText]: '#text', [kComment]: '#comment', [kDocument]: '#document' };
const kFirefoxNames = { [kText]: 'Text', [kComment]: 'Comment', [kDocument]: 'Document' };

function checkInsertion(Interface, member, node, parent, before, replaced) {
  const { type } = dataOf(node);
  const hierarchy = (chrome, firefox) => domError('HierarchyRequestError', Interface, member, chrome, firefox);
  const into = dataOf(parent).type;
  if (into !== kElement && into !== kDocument && into !== kFragment) {
    throw hierarchy('This node type does not support this method.', 'Cannot add children to a Text');
  }
  if (contains(node, parent) || type === kDocument) {
    throw hierarchy('The new child element contains the parent.', 'The new child is an ancestor of the parent');
  }
  if (before !== null && dataOf(before).parent !== parent) {
    throw domError('NotFoundError', Interface, member, replaced ? 'The node to be replaced is not a child of this node.' :
      'The node before which the new node is to be inserted is not a child of this node.',
                   replaced ? 'Child to be replaced is not a child of this node' : 'Child to insert before is not a child of this node');
  }
  if (into !== kDocument) return;
  if (type === kText) {
    throw hierarchy(`Nodes of type '${kNames[type]}' may not be inserted inside nodes of type '#document'.`,
                    `Cannot insert a ${kFirefoxNames[type]} as a child of a Document`);
  }
  const added = type === kFragment ? childElements(node) : type === kElement ? [node] : [];
  const known = childElements(parent).filter((one) => one !== replaced && one !== node);
  if (added.length + known.length > 1) {
    throw hierarchy('Only one element on document allowed.', 'Cannot have more than one Element child of a Document');
  }
}

// ---- changes ---------------------------------------------------------------------------------------------------------------------

// Takes a node out of its parent. `isQuiet`: whoever calls tells the observers.
function removeNode(node, isQuiet = false) {
  const { parent } = dataOf(node);
  if (parent === null) return;
  const { children } = dataOf(parent);
  const at = children.indexOf(node);
  const previousSibling = children[at - 1] ?? null;
  const nextSibling = children[at + 1] ?? null;
  const wasConnected = isConnected(node);
  children.splice(at, 1);
  dataOf(node).parent = null;
  followRemoved(node, parent);
  if (!isQuiet) queueRecord({ type: 'childList', target: parent, removedNodes: [node], previousSibling, nextSibling });
  if (!wasConnected) return;
  native.changed();
  hooks.removed(node);
}

// Puts a node, or the children of a fragment, before a child; null: at the end. Checks are done.
function insertNode(node, parent, before, isQuiet = false) {
  const nodes = dataOf(node).type === kFragment ? dataOf(node).children.slice() : [node];
  if (nodes.length === 0) return nodes;
  let place = before === node ? siblingOf(node, 1) : before;
  if (nodes[0] === node) {
    removeNode(node);
  } else {
    dataOf(node).children = [];
    for (const one of nodes) dataOf(one).parent = null;
    queueRecord({ type: 'childList', target: node, removedNodes: nodes });
  }
  const { children } = dataOf(parent);
  if (place !== null && dataOf(place).parent !== parent) place = null;
  const at = place === null ? children.length : children.indexOf(place);
  const previousSibling = children[at - 1] ?? null;
  children.splice(at, 0, ...nodes);
  for (const one of nodes) dataOf(one).parent = parent;
  if (!isQuiet) queueRecord({ type: 'childList', target: parent, addedNodes: nodes, previousSibling, nextSibling: place });
  changed(parent);
  return nodes;
}

// All children go, and the node comes: one record.
function replaceAll(node, parent) {
  const removedNodes = dataOf(parent).children.slice();
  for (const child of removedNodes) removeNode(child, true);
  const addedNodes = node === null ? [] : insertNode(node, parent, null, true);
  if (addedNodes.length > 0 || removedNodes.length > 0) queueRecord({ type: 'childList', target: parent, addedNodes, removedNodes });
}

function replaceChild(node, parent, child) {
  let place = siblingOf(child, 1);
  if (place === node) place = siblingOf(node, 1);
  const previousSibling = siblingOf(child, -1);
  const removedNodes = [];
  if (node !== child) {
    removedNodes.push(child);
    removeNode(child, true);
  }
  const addedNodes = insertNode(node, parent, place, true);
  queueRecord({ type: 'childList', target: parent, addedNodes, removedNodes, previousSibling, nextSibling: place });
}

function setText(node, text) {
  const data = dataOf(node);
  const oldValue = data.text;
  data.text = text;
  queueRecord({ type: 'characterData', target: node, oldValue });
  changed(node);
}

function textOf(node) {
  let text = '';
  for (const one of descendantsOf(node)) if (dataOf(one).type === kText) text += dataOf(one).text;
  return text;
}

module.exports = {
  ancestorsOf, changed, checkInsertion, childElements, contains, dataOf, descendantsOf, elementsOf, hooks, insertNode, isConnected, isNode,
  kComment, kDocument, kElement, kFragment, kText, makeData, removeNode, replaceAll, replaceChild, rootOf, setText, siblingOf, textOf,
};

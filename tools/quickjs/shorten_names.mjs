// Gives the variables of a script short names, where nothing that a program can see tells of them: a library's own would be a tenth of
// what a browser fetches of it.
//
// What keeps its name: functions and classes; a variable that a function or class without a name takes its own from; what is declared
// outside of all functions, unless the script is the body of one; whatever `eval` or `with` may ask for.

const kReserved = new Set(
  ('arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
   'function if implements import in instanceof interface let new null package private protected public return static super switch this ' +
   'throw true try typeof undefined var void while with yield async of get set NaN Infinity').split(' '));

// One character, then two ...
const kFirst = 'etnrisoacluphdmfgbvwyxkjqzETNRISOACLUPHDMFGBVWYXKJQZ_$';
const kNext = kFirst + '0123456789';
function nameOf(number) {
  let name = kFirst[number % kFirst.length];
  for (let rest = Math.floor(number / kFirst.length); rest > 0; rest = Math.floor((rest - 1) / kNext.length))
    name += kNext[(rest - 1) % kNext.length];
  return name;
}

class Scope {
  constructor(parent, isFunction) {
    this.parent = parent;
    this.isFunction = isFunction;
    this.bindings = new Map();
    this.children = [];
    this.names = new Set(); // that nothing declared here or further out may get: of free variables, of what keeps its name
    this.outer = new Set(); // bindings of scopes around this one that are used in it
    parent?.children.push(this);
  }
  get ofFunction() {
    let scope = this;
    while (!scope.isFunction) scope = scope.parent;
    return scope;
  }
  declare(name, keeps) {
    let binding = this.bindings.get(name);
    if (!binding) this.bindings.set(name, (binding = { name, keeps: false, places: [], count: 0 }));
    binding.keeps ||= keeps || kReserved.has(name);
    return binding;
  }
}

const isFunction = (node) => /^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type);
const isNameless = (node) =>
  node && (node.type === 'ArrowFunctionExpression' || (/^(?:Function|Class)Expression$/.test(node.type) && !node.id));

function* childrenOf(node) {
  for (const key of Object.keys(node)) {
    if (key === 'type' || key === 'start' || key === 'end') continue;
    const value = node[key];
    if (Array.isArray(value)) { for (const one of value) if (one?.type) yield one; }
    else if (value?.type) yield value;
  }
}

// The identifiers that a pattern declares.
function* declared(pattern) {
  switch (pattern?.type) {
    case 'Identifier': yield pattern; break;
    case 'ObjectPattern': for (const one of pattern.properties) yield* declared(one.type === 'RestElement' ? one : one.value); break;
    case 'ArrayPattern': for (const one of pattern.elements) yield* declared(one); break;
    case 'RestElement': yield* declared(pattern.argument); break;
    case 'AssignmentPattern': yield* declared(pattern.left); break;
  }
}

// The text with other names. `isBody`: the script is the body of a function.
export function shortenNames(source, tree, isBody) {
  const root = new Scope(null, true);
  const scopes = new Map(); // node -> scope
  let isOpaque = false;

  function declare(scope, node, keeps) {
    for (const { name } of declared(node)) scope.declare(name, keeps);
  }
  // `var`, and functions in blocks, are the function's, too; what stands between is the same name.
  function declareVar(scope, name, keeps) {
    const outer = scope.ofFunction;
    outer.declare(name, keeps || (outer === root && !isBody));
    for (let at = scope; at !== outer; at = at.parent) {
      if (!at.bindings.has(name)) continue;
      at.declare(name, true);
      outer.declare(name, true);
    }
  }

  // ---- what is declared, and where
  function enter(node, scope) {
    let inner = scope;
    switch (node.type) {
      case 'FunctionDeclaration':
        if (node.id) {
          scope.declare(node.id.name, true);
          declareVar(scope, node.id.name, true);
        }
        inner = new Scope(scope, true);
        break;
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        if (node.id) {
          inner = new Scope(inner, false);
          inner.declare(node.id.name, true);
        }
        inner = new Scope(inner, true);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.id && node.type === 'ClassDeclaration') scope.declare(node.id.name, true);
        inner = new Scope(scope, false);
        if (node.id) inner.declare(node.id.name, true);
        break;
      case 'StaticBlock':
      case 'PropertyDefinition':
        inner = new Scope(scope, node.type === 'StaticBlock');
        break;
      case 'BlockStatement':
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'SwitchStatement':
      case 'CatchClause':
        inner = new Scope(scope, false);
        if (node.param) declare(inner, node.param, false);
        break;
      case 'VariableDeclaration':
        for (const one of node.declarations) {
          const keeps = one.id.type === 'Identifier' && isNameless(one.init);
          if (node.kind === 'var') { for (const { name } of declared(one.id)) declareVar(scope, name, keeps); }
          else declare(scope, one.id, keeps || (scope === root && !isBody));
        }
        break;
      case 'WithStatement':
        isOpaque = true;
        break;
      case 'CallExpression':
        if (node.callee.type === 'Identifier' && node.callee.name === 'eval') isOpaque = true;
        break;
    }
    if (isFunction(node)) for (const one of node.params) declare(inner, one, false);
    if (inner !== scope) scopes.set(node, inner);
    const holds = isFunction(node) || node.type === 'CatchClause'; // its body is no scope of its own
    for (const child of childrenOf(node)) {
      if (!holds || child !== node.body || child.type !== 'BlockStatement') enter(child, inner);
      else for (const one of child.body) enter(one, inner);
    }
  }
  for (const node of tree.body) enter(node, root);
  if (isOpaque) return source;

  // ---- who uses what
  function use(node, scope, isShorthand) {
    const passed = [];
    for (let at = scope; at; at = at.parent) {
      const binding = at.bindings.get(node.name);
      if (binding) {
        binding.count++;
        binding.places.push({ node, isShorthand });
        for (const one of passed) one.outer.add(binding);
        return binding;
      }
      passed.push(at);
    }
    for (const one of passed) one.names.add(node.name);
    return null;
  }
  const keepTarget = (target, value, scope) => {
    if (target.type !== 'Identifier' || !isNameless(value)) return;
    for (let at = scope; at; at = at.parent) {
      const binding = at.bindings.get(target.name);
      if (binding) { binding.keeps = true; return; }
    }
  };
  function visit(node, scope) {
    if (!node) return;
    const inner = scopes.get(node) ?? scope;
    switch (node.type) {
      case 'Identifier': use(node, scope, false); return;
      case 'MemberExpression':
        visit(node.object, scope);
        if (node.computed) visit(node.property, scope);
        return;
      case 'Property':
        if (node.computed) visit(node.key, scope);
        if (node.shorthand) {
          const named = node.value.type === 'AssignmentPattern' ? node.value.left : node.value;
          use(named, scope, true);
          if (node.value.type === 'AssignmentPattern') {
            keepTarget(named, node.value.right, scope);
            visit(node.value.right, scope);
          }
        } else {
          visit(node.value, scope);
        }
        return;
      case 'MethodDefinition':
        if (node.computed) visit(node.key, scope);
        visit(node.value, scope);
        return;
      case 'PropertyDefinition':
        if (node.computed) visit(node.key, scope);
        visit(node.value, inner);
        return;
      case 'LabeledStatement': visit(node.body, scope); return;
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty': return;
      case 'AssignmentExpression': keepTarget(node.left, node.right, scope); break;
      case 'AssignmentPattern': keepTarget(node.left, node.right, inner); break;
      case 'VariableDeclarator': keepTarget(node.id, node.init, scope); break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        for (const one of node.params) visit(one, inner);
        visit(node.body, inner);
        return;
      case 'ClassDeclaration':
      case 'ClassExpression':
        visit(node.superClass, inner);
        visit(node.body, inner);
        return;
      case 'SwitchStatement':
        visit(node.discriminant, scope);
        for (const one of node.cases) visit(one, inner);
        return;
      case 'ImportExpression': visit(node.source, scope); return;
    }
    for (const child of childrenOf(node)) visit(child, inner);
  }
  for (const node of tree.body) visit(node, root);

  // ---- names
  function taken(scope) {
    for (const child of scope.children) for (const name of taken(child)) scope.names.add(name);
    for (const binding of scope.bindings.values()) if (binding.keeps) scope.names.add(binding.name);
    return scope.names;
  }
  taken(root);
  const edits = [];
  function give(scope) {
    const used = new Set(scope.names);
    for (const binding of scope.outer) used.add(binding.short ?? binding.name);
    let number = 0;
    const open = [...scope.bindings.values()].filter((one) => !one.keeps).sort((a, b) => b.count - a.count);
    for (const binding of open) {
      let short;
      do short = nameOf(number++); while (used.has(short) || kReserved.has(short));
      binding.short = short;
      for (const { node, isShorthand } of binding.places)
        edits.push({ start: node.start, end: node.end, text: isShorthand ? `${binding.name}:${short}` : short });
    }
    for (const child of scope.children) give(child);
  }
  give(root);

  let text = '';
  let end = 0;
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    text += source.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return text + source.slice(end);
}

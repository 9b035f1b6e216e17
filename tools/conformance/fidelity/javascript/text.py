"""Writes a tree of constructs as a JavaScript file."""

from __future__ import annotations

import re
from typing import Any

from .constructs import grammar

Node = dict[str, Any]

MODULES = {
    "events": "events",
    "util": "util",
    "timersPromises": "timers/promises",
    "workerThreads": "worker_threads",
    "asyncHooks": "async_hooks",
}
FUEL = 150  # lines that a program may print; then it exits

# A message may have a stack in it (a warning of Node 8), whose frames of Node's own files only real Node has.
# On the simulator's side there is no LOOPSIM_TRACE_FD. Real Node writes to the file at once: its console would load a stream.
PRELUDE = """\
const trace = process.env.LOOPSIM_TRACE_FD ? Number(process.env.LOOPSIM_TRACE_FD) : 0;
const start = process.hrtime();
let fuel = @FUEL@;

function shown(value, depth) {
  if (typeof value === 'string') return `'${value}'`;
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  if (typeof value === 'function') return '[function]';
  if (depth > 2) return '...';
  if (Array.isArray(value)) return `[${value.map((one) => shown(one, depth + 1)).join(', ')}]`;
  if (value instanceof Error) {
    const own = (key) => {
      const found = Object.getOwnPropertyDescriptor(value, key);
      return found && 'value' in found ? ` ${key} ${shown(found.value, depth + 1)}` : '';
    };
    const message = String(value.message).split(/\\n +(?:at |ArrayPrototypeUnshift)/)[0]; // no stacks, no functions of Node
    return `${value.name}: ${message}${own('code')}${own('cause')}${own('errors')}`;
  }
  if (value instanceof Promise) return '[promise]';
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return '[object]';
  return `{${Object.keys(value).map((key) => {
    const found = Object.getOwnPropertyDescriptor(value, key);
    return `${key}: ${found && 'value' in found ? shown(found.value, depth + 1) : '[getter]'}`;
  }).join(', ')}}`;
}

function say(label) {
  const since = process.hrtime(start);
  let line = `${since[0] * 1e9 + since[1]} ${label}`;
  for (let i = 1; i < arguments.length; i++) line += ` ${shown(arguments[i], 0)}`;
  if (trace) fs.writeSync(trace, `${line}\\n`);
  else console.log(line);
  if (--fuel < 0) process.exit(99);
}

const cpu = (nanoseconds) => process.chdir(`vclock:burn:${nanoseconds}`);
"""
# receiveMessageOnPort() of a port whose 'close' listener runs ends real Node with a segmentation fault.
RECEIVE = """\
const closed = new Set();
const receive = (port) => (closed.has(port) ? 'closed' : (workerThreads.receiveMessageOnPort(port) || {}).message);
"""
CLOCKS = "const startPerformance = performance.now(), startDate = Date.now();\n"
ALIAS = re.compile(r"\$(\w+)")


class Writer:
    def __init__(self) -> None:
        self.labels = 0
        self.needs: set[str] = set()

    def statements(self, nodes: list[Node]) -> list[str]:
        return [self.node(node) for node in nodes]

    def node(self, node: Node) -> str:
        construct = grammar().constructs[node["is"]]
        if construct.needs:
            self.needs.add(construct.needs)
        out = ""
        aliases: dict[str, str] = {}
        holes = iter(node["holes"])
        for i, part in enumerate(construct.parts):
            if isinstance(part, str):
                out += part
                continue
            hole = next(holes)
            match part.what:
                case "label":
                    self.labels += 1
                    out += str(self.labels)
                case "text":
                    out += ALIAS.sub(lambda found: aliases.get(found[1], found[0]), hole["text"])
                case "new" | "arg":
                    aliases[part.alias] = hole["new"]
                    out += hole["new"]
                case "again":
                    out += aliases[part.alias]
                case "list":
                    out = self.put_list(out, hole["list"], construct.parts[i + 1])
                case _:
                    out += hole["use"] if "use" in hole else indented(self.node(hole["node"]), indent_of(out))
        return out

    def put_list(self, out: str, nodes: list[Node], following: object) -> str:
        """A list that has its line for itself has a line for each statement; else they stand side by side."""
        indent = indent_of(out)
        lines = [indented(text, indent) for text in self.statements(nodes)]
        is_alone = out.endswith("\n" + indent) and isinstance(following, str) and following.startswith("\n")
        return out + (f"\n{indent}".join(lines) if is_alone else " ".join(lines))


def indent_of(text: str) -> str:
    line = text.rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip(" "))]


def indented(text: str, indent: str) -> str:
    return text.replace("\n", f"\n{indent}")


def write(program: Node) -> str:
    """Returns the text of the file; it has the suffix suffix_of(program)."""
    writer = Writer()
    body = "\n".join(writer.statements(program["list"]))
    modules = [("fs", "fs"), *sorted((name, MODULES[name]) for name in writer.needs)]
    if program["module"]:
        head = "".join(f"import {name} from '{module}';\n" for name, module in modules)
    else:
        head = "'use strict';\n" + "".join(f"const {name} = require('{module}');\n" for name, module in modules)
    clocks = CLOCKS if "startPerformance" in body else ""
    receives = RECEIVE if "workerThreads" in writer.needs else ""
    text = f"{head}\n{PRELUDE.replace('@FUEL@', str(FUEL))}{clocks}{receives}\n{body}\n"
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def suffix_of(program: Node) -> str:
    return ".mjs" if program["module"] else ".js"

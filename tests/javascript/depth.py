#!/usr/bin/env python3
"""Tests how deep a program may recurse: at least as deep as in Node 24 (whose depths are below, of its official binary with its stack of
984 KiB, in functions that are not yet optimised), and then a RangeError that the program catches; also where the calls go through C++.

usage: tests/javascript/depth.py --program PROGRAM     exit status 77: it runs no JavaScript
"""

import argparse
import os
import subprocess
import sys
import tempfile

# name -> (Node's depth, a function that makes the one that recurses; `c` counts a call)
WAYS = {
    "plain": (10453, "(c) => { const f = (x) => { c(); return f(x + 1); }; return f; }"),
    "emit": (2851, "(c) => { const e = new (require('events'))(); const f = () => { c(); e.emit('x', 1); }; e.on('x', f); return f; }"),
    "emit of process": (3056, "(c) => { const f = () => { c(); process.emit('zz'); }; process.on('zz', f); return f; }"),
    "map": (3301, "(c) => { const f = () => { c(); [1].map(f); }; return f; }"),
    "forEach": (3919, "(c) => { const f = () => { c(); [1].forEach(f); }; return f; }"),
    "sort": (2367, "(c) => { const f = () => { c(); [1, 2].sort(f); }; return f; }"),
    "reduce": (3801, "(c) => { const f = () => { c(); [1, 2].reduce(f); }; return f; }"),
    "toJSON": (243, "(c) => { const o = { toJSON() { c(); return JSON.stringify(o); } }; return () => JSON.stringify(o); }"),
    "a proxy's trap": (3059, "(c) => { const p = new Proxy({}, { get() { c(); return p.x; } }); return () => p.x; }"),
    "a getter": (3135, "(c) => { const o = { get x() { c(); return o.x; } }; return () => o.x; }"),
    "Reflect.apply": (8959, "(c) => { const f = () => { c(); Reflect.apply(f, null, []); }; return f; }"),
    "apply": (9649, "(c) => { const f = () => { c(); f.apply(null, []); }; return f; }"),
    "bind": (9649, "(c) => { const f = () => { c(); f.bind(null)(); }; return f; }"),
    "new": (4824, "(c) => { class F { constructor() { c(); new F(); } } return () => new F(); }"),
    "yield*": (4824, "(c) => { function* g() { c(); yield* g(); } return () => g().next(); }"),
    "replace": (675, "(c) => { const f = () => { c(); 'a'.replace(/a/, f); }; return f; }"),
    "toString": (2916, "(c) => { const o = { toString() { c(); return '' + o; } }; return () => '' + o; }"),
    "eval": (996, "(c) => { globalThis.f = () => { c(); (0, eval)('f()'); }; return f; }"),
}
MOST = 30_000  # and not so deep that a program that recurses for ever is held up by it


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    source = "const ways = {\n" + "".join(f"  {name!r}: {way},\n" for name, (_, way) in WAYS.items()) + "};\n"
    source += ("for (const name in ways) {\n  let n = 0;\n  const go = ways[name](() => { n++; });\n"
               "  try { go(); } catch (e) { console.log(`${name}: ${n} ${e.name}: ${e.message}`); }\n}\n")
    with tempfile.TemporaryDirectory(prefix="loopsim-depth-") as folder:
        with open(os.path.join(folder, "app.js"), "w", encoding="utf-8") as file:
            file.write(source)
        run = subprocess.run([program, "run", "app.js", "--quiet", "--format", "console"], cwd=folder, capture_output=True, text=True,
                             check=False)
    if "runs no JavaScript" in run.stderr:
        print("skipped: this build runs no JavaScript")
        return 77
    said = dict(line.split(": ", 1) for line in run.stdout.splitlines())
    failed = 0
    for name, (least, _) in WAYS.items():
        depth, _, error = said.get(name, "0 nothing").partition(" ")
        if error != "RangeError: Maximum call stack size exceeded" or not least <= int(depth) <= MOST:
            failed += 1
            print(f"FAILED  {name}: {depth} calls, {error}; Node has {least}")
    if run.returncode != 0 or run.stderr:
        failed += 1
        print(f"FAILED  exit status {run.returncode}: {run.stderr[:1000]}")
    print(f"{len(WAYS)} ways to recurse, {failed} failures")
    return 1 if failed else 0


sys.exit(main())

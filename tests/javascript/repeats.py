#!/usr/bin/env python3
"""The runs of a study, which start from a world where Node has started and in the memory of the run before, are those that a process of
its own makes: programs that change all that they can reach, that take much memory, or that end at a limit, and all of scenarios/javascript.
And the start that is a part of the program, of the default version without variables of the environment, is the one that is made
when a program runs: a variable that nobody reads changes nothing, but for its own bytes of memory.

    repeats.py --program build/loopsim [FILE ...]       exit status 77: this build runs no JavaScript
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MACHINE = ["--machine", "laptop", "--load", "0.3"]
RUNTIMES = ["node-24", "node-8"]
RUNS = 5

PROGRAMS = {
    "tampers.js": """
const push = Array.prototype.push;
let pushes = 0;
Array.prototype.push = function (...items) { pushes++; return push.apply(this, items); };
Promise.prototype.then = new Proxy(Promise.prototype.then, {});
Object.prototype.surprise = 'left behind?';
globalThis.setImmediate = undefined;
require('events').prototype.emit = function () { return true; };
process.exitCode = 3;
setTimeout(() => console.log(pushes, Math.random(), Object.keys(globalThis)), 2);
""",
    "tells.js": """
console.log(process.argv, __filename, require.main.filename, new Error('here').stack, process.memoryUsage());
const kept = [];
let fills = 0;
(function fill() {
  for (let i = 0; i < 2000; i++) { const one = { i }; one.self = one; kept.push(one, `${i}`); }
  console.log(Math.round(process.memoryUsage().heapTotal / 2 ** 20));
  if (++fills % 5 === 0) kept.length = 0;
  if (fills < 20) setTimeout(fill, 1);
})();
""",
    "grows.js": """
const kept = [];
setTimeout(function grow() {
  kept.push(new Uint8Array(3e6).fill(kept.length), new Array(2e5).fill({}));
  console.log(kept.length, process.memoryUsage().heapTotal > 0);
  if (kept.length < 8) setTimeout(grow, 1);
}, 1);
""",
    "collects.js": """
let chain = null;
for (let i = 0; i < 60000; i++) chain = { before: chain, text: `${i}` };
for (let i = 0; i < 200; i++) { const a = {}; const b = { a }; a.b = b; }
setTimeout(() => { chain = null; console.log(Math.random()); }, 5);
""",
    "follows.js": """
const settled = Promise.resolve(1), pending = new Promise((resolve) => setTimeout(resolve, 1, 2));
for (const promise of [settled, pending]) new Promise((resolve) => resolve(promise)).then((value) => console.log(value));
for (let i = 0, p = Promise.resolve(); i < 4; i++) p = p.then(() => console.log('job', i));
(async () => { console.log(await settled, await pending); })();
""",
    "throws.js": """
process.on('exit', (code) => console.log('exit', code, Math.random()));
setTimeout(() => { throw Object.assign(new Error('thrown'), { date: new Date(0) }); }, 1 + Math.random() * 10);
""",
    "recurses.js": """
function deep() { return 1 + deep(); }
try { deep(); } catch (error) { console.log(error instanceof RangeError); }
setImmediate(() => console.log('after'));
""",
    "ends-at-a-limit.js": "let n = 0; (function again() { n++; Promise.resolve().then(again); })();\n",
    "never-settles.mjs": "setTimeout(() => console.log('timer'), 1); await new Promise(() => {});\n",
}


def lines_of(words: list[str]) -> list[str]:
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    return (result.stdout + result.stderr).splitlines()


def hash_of(program: str, file: Path, runtime: str, seed: int) -> str:
    """The hash of the trace that a process of its own makes."""
    text = "\n".join(lines_of([program, "run", str(file), "-r", runtime, "--seed", str(seed), *MACHINE, "--format", "none"]))
    found = re.search(r"trace ([0-9a-f]{16})", text)
    return found.group(1) if found else text


def differing(program: str, file: Path, runtime: str) -> list[str]:
    rows = [line for line in lines_of([program, "sweep", str(file), "-r", runtime, *MACHINE, "-n", str(RUNS), "--jobs", "1",
                                       "--format", "jsonl"]) if line.startswith("{")]
    if len(rows) != RUNS:
        # What a version lacks is an error of the document.
        return [] if not rows and "trace" not in hash_of(program, file, runtime, 0) and file.parent.name == "javascript" else [
            f"{file.name} on {runtime}: {len(rows)} rows of {RUNS} runs"]
    found = []
    for row in map(json.loads, rows):
        alone = hash_of(program, file, runtime, row["seed"])
        if row["trace_hash"] != alone:
            found.append(f"{file.name} on {runtime}, run {row['run']} (--seed {row['seed']}): {row['trace_hash']} in the study, {alone} alone")
    return found


def unlike_built(program: str, file: Path) -> list[str]:
    """Without variables the start is a part of the program, with one it is made here."""
    hashes = []
    for variables in ({}, {"UNREAD": "1"}):
        document = file.with_suffix(".json")
        document.write_text(json.dumps({"script": file.name, "env": variables}), encoding="utf-8")
        hashes.append(hash_of(program, document, "node-24", 1))
        document.unlink()
    return [] if hashes[0] == hashes[1] else [f"{file.name}: {hashes[0]} with the built start, {hashes[1]} with one of its own"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        probe = "\n".join(lines_of([options.program, "run", str(Path(folder, "recurses.js")), "--format", "none"]))
        if "runs no JavaScript" in probe:
            print("this build runs no JavaScript")
            return 77
        own = sorted(Path(folder).iterdir())
        files = options.files or own + sorted((ROOT / "scenarios/javascript").glob("*.*js"))
        problems, runs = [], 0
        for file in files:
            for runtime in RUNTIMES if file in own and file.suffix != ".mjs" else RUNTIMES[:1]:
                problems += differing(options.program, file, runtime)
                runs += RUNS
            if file in own:
                problems += unlike_built(options.program, file)
    for problem in problems:
        print(problem)
    print(f"{runs} runs of studies compared with runs alone, {len(problems)} differ")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

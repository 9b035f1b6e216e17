#!/usr/bin/env python3
"""Every construct of tools/quickjs/syntax.json in every version: it works where real Node.js of that version can read it, and is an
error that names it, its place and the first version with it where that cannot.

    syntax.py --program build/loopsim
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAJORS = (4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26)
FIRST_WITH_MODULES = 12
SKIPPED = 77
ROW = re.compile(r'ConstructRow\{("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*"), (\d+),')

# A program, its version, and all of what is printed.
REFUSED = [
    ("const user = null;\nconsole.log(user?.name ?? 'nobody');\n", 10,
     """app.js:2:17: error: Node 10 has no optional chaining (?.), only Node 14 and later; try -r node-14
  console.log(user?.name ?? 'nobody');
                  ^
app.js:2:24: error: Node 10 has no nullish coalescing (??), only Node 14 and later
  console.log(user?.name ?? 'nobody');
                         ^
"""),
    ("for (let i = 0; i < 3; i++) setTimeout(() => console.log(i));\n", 4,
     """app.js:1:6: error: Node 4 has no let outside strict mode, only Node 6 and later; try -r node-6
  for (let i = 0; i < 3; i++) setTimeout(() => console.log(i));
       ^
"""),
    ("#!/usr/bin/env node\n\tasync function main() {\n\t  for await (const x of []) console.log(x);\n}\nmain();\n", 6,
     """app.js:2:2: error: Node 6 has no async functions, only Node 8 and later; try -r node-10
  \tasync function main() {
  \t^
app.js:3:8: error: Node 6 has no for await, only Node 10 and later
  \t  for await (const x of []) console.log(x);
  \t      ^
"""),
    # A column counts bytes; a character outside of the Basic Multilingual Plane is two code units of JavaScript.
    ("console.log('\U0001F600 ü', 1_000);\r\n", 11,
     """app.js:1:24: error: Node 11 has no separators in numbers (1_000), only Node 12 and later; try -r node-12
  console.log('\U0001F600 ü', 1_000);
                     ^
"""),
    ("class Counter {\n  #count = 0;\n  static { this.made = 0; }\n  #next() { return ++this.#count; }\n}\n", 12,
     """app.js:3:3: error: Node 12 has no static blocks of a class, only Node 16 and later; try -r node-16
    static { this.made = 0; }
    ^
app.js:4:3: error: Node 12 has no private methods (#name()), only Node 14 and later
    #next() { return ++this.#count; }
    ^
"""),
    ("{\n  using file = null;\n}\n", 22,
     """app.js:2:3: error: Node 22 has no using, only Node 24 and later; try -r node-24
    using file = null;
    ^
"""),
    ("/(?<year>\\d{4})|[(?<no>](?<year>\\d\\d)/u.test('');\n", 20,
     """app.js:1:25: error: Node 20 has no second group of the same name in a regular expression, only Node 24 and later; try -r node-24
  /(?<year>\\d{4})|[(?<no>](?<year>\\d\\d)/u.test('');
                          ^
"""),
]


# What a program does when one of its modules cannot be read: files, the version, its lines on both outputs, the exit code.
OF_MODULES = [
    ({"app.js": "try { require('./lib'); } catch (error) { console.log(error.name + ': ' + error.message); }\nrequire('./lib');\n",
      "lib.js": "'use strict';\nexports.f = (a) => a?.b;\n"}, 12,
     ["SyntaxError: Node 12 has no optional chaining (?.), only Node 14 and later; try -r node-14"],
     ["/usr/src/app/lib.js:2", "exports.f = (a) => a?.b;", "                    ^", "",
      "SyntaxError: Node 12 has no optional chaining (?.), only Node 14 and later; try -r node-14",
      "    at Object.<anonymous> (/usr/src/app/app.js:2:1)"], 1),
    ({"app.js": "require('pad');\n", "node_modules/pad/index.js": "module.exports = 2 ** 3;\n"}, 6,
     [], ["/usr/src/app/node_modules/pad/index.js:1", "module.exports = 2 ** 3;", "                   ^", "",
          "SyntaxError: Node 6 has no exponentiation (**), only Node 8 and later; try -r node-8",
          "    at Object.<anonymous> (/usr/src/app/app.js:1:63)"], 1),
    ({"app.mjs": "import './lib.mjs';\nconsole.log('never');\n", "lib.mjs": "export const at = import.meta.url; let a; a ||= 1;\n"}, 14,
     [], ["file:///usr/src/app/lib.mjs:1", "export const at = import.meta.url; let a; a ||= 1;", "                                            ^", "",
          "SyntaxError: Node 14 has no logical assignment (??=, ||=, &&=), only Node 16 and later; try -r node-16"], 1),
    ({"app.mjs": "import('./lib.mjs').catch((error) => console.log(error.message));\n", "lib.mjs": "export default { a: 1 }.a ?? 2;\n"}, 12,
     ["Node 12 has no nullish coalescing (??), only Node 14 and later; try -r node-14"], [""], 0),
    # What is never loaded is never read.
    ({"app.js": "console.log('ok'); if (0) require('./lib');\n", "lib.js": "a?.b\n"}, 4, ["ok"], [""], 0),
]


def run_in(program, folder, files, major, *options):
    for name, text in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return subprocess.run([program, "run", next(iter(files)), "-r", f"node-{major}", *options], cwd=folder, capture_output=True,
                          encoding="utf-8", timeout=120, check=False)


def run(program, files, major, *options):
    with tempfile.TemporaryDirectory(prefix="loopsim-syntax-") as folder:
        return run_in(program, folder, files, major, *options)


def lines_of(done, kind):
    return [event["text"] for event in map(json.loads, done.stdout.splitlines()) if event.get("ev") == kind]


def known():
    """Of each construct that some version lacks: how messages call it, and the first version with it."""
    table = (ROOT / "sim/quickjs/syntax_table.hpp").read_text(encoding="utf-8")
    return {json.loads(name): (json.loads(words.replace("?\\?", "??")), int(since)) for name, words, since in ROW.findall(table)}


def fault_of(program, files, words, since, major):
    done = run(program, files, major, "-q", "-f", "jsonl")
    if major >= since:
        if done.returncode == 0 and lines_of(done, "log") == ["ok"]:
            return None
        return f"should work\n{done.stdout}{done.stderr}"
    message = rf"^{next(iter(files))}:\d+:\d+: error: Node {major} has no {re.escape(words)}, only Node {since} and later(?:; try -r node-\d+)?$"
    if done.returncode == 2 and done.stdout == "" and re.search(message, done.stderr, re.M):
        return None
    return f"should not be read\nstatus {done.returncode}\n{done.stdout}{done.stderr}"


def all_constructs(program):
    """(program, files, words, since, major) of everything that syntax.json has."""
    table = known()
    rows = json.loads((ROOT / "tools/quickjs/syntax.json").read_text(encoding="utf-8"))
    if set(table) != {row["id"] for row in rows if "marks" in row}:
        sys.exit("syntax_table.hpp has other constructs than syntax.json: run tools/quickjs/syntax.py")
    for row in rows:
        words, since = table.get(row["id"], (row["words"], MAJORS[0]))
        for files in [{"main.js": text} for text in row.get("programs", [])] + row.get("modules", []):
            is_module = next(iter(files)).endswith(".mjs")
            for major in MAJORS:
                if not is_module or major >= FIRST_WITH_MODULES:
                    yield program, files, words, since, major


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=Path)
    program = parser.parse_args().program.resolve()
    probe = run(program, {"probe.js": "console.log(1)"}, 24)
    if "runs no JavaScript" in probe.stderr:
        print(probe.stderr)
        sys.exit(SKIPPED)
    faults = []
    for text, major, expected in REFUSED:
        done = run(program, {"app.js": text}, major)
        if (done.returncode, done.stdout, done.stderr) != (2, "", expected):
            faults.append(f"node-{major}: {text}\nstatus {done.returncode}, and not as expected:\n{done.stdout}{done.stderr}")
    for files, major, output, errors, code in OF_MODULES:
        done = run(program, files, major, "-q", "-f", "jsonl")
        found = (lines_of(done, "log"), "\n".join(lines_of(done, "error_log")).split("\n"), json.loads(done.stdout.splitlines()[-1])["code"]) if done.stdout else ()
        if found != (output, errors, code):
            faults.append(f"node-{major}: {files}\n{found}\n{done.stderr}")
    cases = list(all_constructs(program))
    with ThreadPoolExecutor(2) as pool:
        for case, fault in zip(cases, pool.map(lambda case: fault_of(*case), cases)):
            if fault is not None:
                faults.append(f"node-{case[-1]}, {case[2]}: {fault}\n{case[1]}")
    for fault in faults:
        print(fault, end="\n\n")
    print(f"{len(cases)} programs in a version, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()

#!/usr/bin/env python3
"""Writes sim/quickjs/node/internal/since.js: which names each version of Node.js has.

    since.py --program LOOPSIM --node FOLDER

--node: with MAJOR/bin/node (tools/conformance/fetch-node).

The names that loopsim has, in any version, are looked up in all of Node's; those that are not everywhere become rows, but for KEPT. The
library calls them all the same: it has the originals. Names that are new in the library are only found while since.js has no rows.
"""
import argparse
import json
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parent.parent / "sim/quickjs/node"
OUT = LIBRARY / "internal/since.js"
# What QuickJS itself asks for, where a program that does not look for it calls what is there in all versions.
KEPT = {"RegExp.prototype.flags"}
KEPT_SYMBOLS_UP_TO = 8  # a member whose key is a well-known symbol that came in this version, or before
# What no global leads to.
SYMBOLS = [["AsyncIterator.prototype.[Symbol.asyncDispose]", 24]]
# Members of Buffer that other classes have, for which its rows would be the wrong advice.
OF_OTHERS = {"includes", "lastIndexOf", "of", "subarray", "toLocaleString"}
NEVER = 1000  # a name of QuickJS's that no version has


def names_of_node(node):
    return set(subprocess.run([node, HERE / "names.js"], capture_output=True, text=True, check=True).stdout.split("\n"))


def names_of_loopsim(program, major):
    run = subprocess.run([program, "run", HERE / "names.js", "-q", "-f", "jsonl", "-r", f"node-{major}"],
                         capture_output=True, text=True, check=True)
    logs = [event["text"] for event in map(json.loads, run.stdout.splitlines()) if event.get("ev") == "log"]
    return logs[0].split("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--node", required=True, type=Path)
    args = parser.parse_args()
    majors = sorted(int(folder.name) for folder in args.node.iterdir() if folder.name.isdigit())
    had = {major: names_of_node(args.node / str(major) / "bin/node") for major in majors}
    rows, kept = [], []
    ours = dict.fromkeys(name for major in reversed(majors) for name in names_of_loopsim(args.program, major))
    for name in ours:
        first = next((major for major in majors if name in had[major]), NEVER)
        end = next((major for major in majors if major > first and name not in had[major]), None)
        again = next((major for major in majors if end and major > end and name in had[major]), None)
        if first == majors[0] and end is None:
            continue
        row = [first] + ([end] if end else []) + ([again] if again else [])
        module, is_of_module, member = name.partition(":")
        owner = f"{module}:" if is_of_module else re.sub(r"\.(?:\[.*|[^.]*)$", "", name).removesuffix(".prototype")
        if member != "" or not is_of_module:
            if [owner, *row] in rows and name != owner:
                continue  # goes with its owner
        if not is_of_module and name.startswith("performance."):
            continue  # an object here, a class there
        makes_itself = name.startswith("Buffer.")  # buffer.js gives it the members of the version; its rows are what advice.js tells
        if makes_itself and name.rpartition(".")[2] in OF_OTHERS:
            continue
        if name in KEPT or (name.endswith("]") and first <= KEPT_SYMBOLS_UP_TO):
            kept.append((name, first))
            continue
        rows.append([name, *row])
    rows += SYMBOLS
    numbers = lambda row: ", ".join("never" if major == NEVER else str(major) for major in row)  # noqa: E731
    lines = [f"  ['{name}', {numbers(row)}],\n" for name, *row in rows]
    told = [f"//   {name} ({first if first != NEVER else 'never'})\n" for name, first in kept]
    OUT.write_text(f"""// Names that not every version of Node has: [name, the first version with it, the first without it, the first with
// it again]. Written by tools/quickjs/since.py, from the versions themselves: {', '.join(map(str, majors))}.
//
// GLOBAL, GLOBAL.MEMBER, GLOBAL.prototype.MEMBER; MODULE: for all of a module, MODULE:MEMBER. These stay (since.py says why):
{''.join(told)}'use strict';

const never = {NEVER};

const since = [
{''.join(lines)}];

module.exports = {{ since }};
""")
    print(f"{OUT.name}: {len(rows)} names, {len(kept)} kept")


main()

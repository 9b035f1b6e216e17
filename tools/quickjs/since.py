#!/usr/bin/env python3
"""Writes sim/quickjs/node/internal/since.js: which names each version of Node.js has.

    since.py --program LOOPSIM --node FOLDER --vendor FOLDER

--node: with MAJOR/bin/node (tools/conformance/fetch-node). --vendor: the packages of the library, BUILD/tools/quickjs/node.

The names that loopsim's newest version has are looked up in all versions; those that are not everywhere, and that the library itself
does not call, become rows. Names that are new in the library are only found while since.js has no rows.
"""
import argparse
import json
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parent.parent / "sim/quickjs/node"
OUT = LIBRARY / "internal/since.js"
# Globals that the library has in variables of its own where it uses them.
OURS = {"Buffer", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "queueMicrotask", "structuredClone", "EventTarget", "Event",
        "AbortController", "AbortSignal", "performance", "atob", "btoa", "DOMException"}
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
    parser.add_argument("--vendor", required=True, type=Path)
    args = parser.parse_args()
    majors = sorted(int(folder.name) for folder in args.node.iterdir() if folder.name.isdigit())
    had = {major: names_of_node(args.node / str(major) / "bin/node") for major in majors}
    # inspect keeps what it calls from before any program (its primordials); the last two call nothing that is new.
    left_out = (OUT, *(args.vendor / "vendor" / name for name in ("inspect.js", "hashes.js", "pako.js")))
    sources = [path.read_text() for path in (*LIBRARY.rglob("*.js"), *args.vendor.rglob("*.js")) if path not in left_out]
    library = "\n".join(re.sub(r"^\s*//.*$", "", text, flags=re.M) for text in sources)
    rows, called = [], []
    for name in dict.fromkeys(names_of_loopsim(args.program, majors[-1])):
        first = next((major for major in majors if name in had[major]), NEVER)
        end = next((major for major in majors if major > first and name not in had[major]), None)
        if first == majors[0] and end is None:
            continue
        module, is_of_module, member = name.partition(":")
        owner = f"{module}:" if is_of_module else name.rpartition(".")[0].removesuffix(".prototype")
        if member != "" or not is_of_module:
            if [owner, first, end] in rows and name != owner:
                continue  # goes with its owner
        if not is_of_module and name.startswith("performance."):
            continue  # an object here, a class there
        makes_itself = name.startswith("Buffer.")  # buffer.js gives it the members of the version; its rows are what advice.js tells
        if makes_itself and name.rpartition(".")[2] in OF_OTHERS:
            continue
        is_static = name.count(".") == 1 and not name.startswith("Reflect.")
        called_as = re.escape(name) if is_static else rf"\.{re.escape(name.rpartition('.')[2])}"
        is_called = not name.startswith("Set.prototype.") and re.search(rf"{called_as}\b", library)
        if not is_of_module and "." in name and is_called and not makes_itself:
            called.append((name, first))
            continue
        is_used = name not in OURS and re.search(rf"(?<![.\w'\"$]){re.escape(name)}\b(?!['\":])", library)
        if not is_of_module and "." not in name and is_used:
            called.append((name, first))
            continue
        rows.append([name, first, end])
    lines = [f"  ['{name}', {first if first != NEVER else 'never'}{f', {end}' if end else ''}],\n" for name, first, end in rows]
    kept = [f"//   {name} ({first if first != NEVER else 'never'})\n" for name, first in called]
    OUT.write_text(f"""// Names that not every version of Node has: [name, the first version with it, the first without it again]. Written
// by tools/quickjs/since.py, from the versions themselves: {', '.join(map(str, majors))}.
//
// GLOBAL, GLOBAL.MEMBER, GLOBAL.prototype.MEMBER; MODULE: for all of a module, MODULE:MEMBER. These stay, as the library calls them:
{''.join(kept)}'use strict';

const never = {NEVER};

const since = [
{''.join(lines)}];

module.exports = {{ since }};
""")
    print(f"{OUT.name}: {len(rows)} names, {len(called)} kept")


main()

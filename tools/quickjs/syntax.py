#!/usr/bin/env python3
"""Writes sim/quickjs/syntax_table.hpp: which syntax each version of Node.js can read.

    syntax.py --node FOLDER

--node: with MAJOR/bin/node (tools/conformance/fetch-node).

syntax.json has the constructs: what a message calls them, the marks without one of which no text has them (sim/quickjs/syntax.hpp), and
programs that print "ok" where they work. All of a construct's programs must begin to work in the same version.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONSTRUCTS = HERE / "syntax.json"
OUT = HERE.parent.parent / "sim/quickjs/syntax_table.hpp"


def programs_of(row):
    """Each as a dictionary of files, the main one first."""
    return [{"main.js": text} for text in row.get("programs", [])] + row.get("modules", [])


def works(node, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        run = subprocess.run([node, Path(folder) / next(iter(files))], capture_output=True, text=True)
        return run.stdout.strip() == "ok"


def first_version(nodes, row):
    found = set()
    for files in programs_of(row):
        can = [major for major, node in nodes.items() if works(node, files)]
        if not can:
            raise SystemExit(f"{row['id']}: works in no version\n{files}")
        if can != [major for major in nodes if major >= can[0]]:
            raise SystemExit(f"{row['id']}: not in all versions from the first on: {can}\n{files}")
        found.add(can[0])
    if len(found) != 1:
        raise SystemExit(f"{row['id']}: its programs begin to work in {sorted(found)}")
    return found.pop()


def quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")  # no trigraphs
    return '"' + "".join(c if ord(c) < 128 else f"\\u{ord(c):04x}" for c in escaped) + '"'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--node", required=True, type=Path)
    args = parser.parse_args()
    nodes = {major: args.node / f"{major}/bin/node" for major in sorted(int(f.name) for f in args.node.iterdir() if f.name.isdigit())}
    lines = []
    for row in json.loads(CONSTRUCTS.read_text(encoding="utf-8")):
        first = first_version(nodes, row)
        if ("marks" in row) != (first != min(nodes)):
            raise SystemExit(f"{row['id']}: marks are for what a version lacks")
        if "marks" in row:
            marks = quoted(" ".join(row["marks"]))
            lines.append(f"    ConstructRow{{{quoted(row['id'])}, {quoted(row['words'])}, {first}, {marks}}},\n")
    OUT.write_text(f"""// Syntax that not every version of Node can read. Written by tools/quickjs/syntax.py, from the versions themselves:
// {', '.join(map(str, nodes))}.
#pragma once

#include <array>
#include <string_view>

namespace loopsim::quickjs {{

struct ConstructRow {{
  std::string_view name, words;  // as syntax/constructs.js and as messages call it
  int since;                     // the first version with it
  std::string_view marks;        // one of them is in every text that has it (syntax.cpp); empty: there is no such mark
}};

// clang-format off
inline constexpr std::array kConstructs = {{
{''.join(lines)}}};
// clang-format on

}}  // namespace loopsim::quickjs
""", encoding="utf-8")
    print(f"{OUT.name}: {len(lines)} constructs")


main()

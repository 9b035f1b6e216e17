#!/usr/bin/env python3
"""Tests the npm package `loopsim` (tools/npm): the same file runs in real Node with it, and in loopsim without, and prints the same.

    npm.py --program build/loopsim     exit status 77: there is no Node, or this build runs no JavaScript

Runs in the Node on the PATH and in every one that the comparison with real Node has fetched, as packed by npm, where there is npm.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "conformance"))
from fidelity.nodes import Missing, fetched, folder  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "tools" / "npm"
SKIPPED = 77

# What does not hang on how fast the machine is: the timer is due before the loop begins, and the immediate comes behind it.
PROGRAM = """\
const loopsim = require('loopsim');
console.log(Object.keys(loopsim).join(), loopsim.cpu.name, loopsim.cpu.length);
const start = process.hrtime();
setTimeout(() => console.log('timeout'), 5);
setImmediate(() => console.log('immediate'));
console.log(loopsim.cpu(20), loopsim.cpu(0));
const passed = process.hrtime(start);
console.log(passed[0] * 1e3 + passed[1] / 1e6 >= 20);
for (const wrong of [undefined, '10', NaN, -1, Infinity, 9e9 + 1, null]) {
  try {
    loopsim.cpu(wrong);
    console.log('not reached');
  } catch (error) {
    console.log(error.name, error.message, error instanceof RangeError);
  }
}
"""
# In which phase a module that imports a package begins differs between versions: so no order of timers here.
MODULE = """\
import loopsim, { cpu } from 'loopsim';
const start = process.hrtime();
cpu(20);
const passed = process.hrtime(start);
console.log(loopsim.cpu === cpu, passed[0] * 1e3 + passed[1] / 1e6 >= 20);
"""
FETCHED = 22  # where there is no Node at all
FIRST_WITH_NAMED_EXPORTS = 14  # of CommonJS, to be imported


def nodes(fetch: bool = False) -> dict[int, str]:
    """By major version. `fetch`: one at least, if it can be had."""
    found = {}
    if fetch:
        with contextlib.suppress(Missing):
            fetched([FETCHED])
    for node in [*sorted(str(path) for path in folder().glob("*/bin/node")), shutil.which("node")]:
        if node:
            done = subprocess.run([node, "-p", "process.versions.node"], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                found.setdefault(int(done.stdout.split(".")[0]), node)
    return found


def install(folder: Path) -> None:
    """As `npm install` does it with what `npm pack` makes; without npm, the files that the package names."""
    target = folder / "node_modules" / "loopsim"
    target.mkdir(parents=True)
    if shutil.which("npm"):
        packed = subprocess.run(["npm", "pack", "--offline", "--json", "--pack-destination", folder, PACKAGE], check=True, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with tarfile.open(folder / json.loads(packed.stdout)[0]["filename"]) as archive:
            for member in archive.getmembers():
                (target / Path(member.name).name).write_bytes(archive.extractfile(member).read())
    else:
        for name in ["package.json", *json.loads((PACKAGE / "package.json").read_text())["files"]]:
            shutil.copy(PACKAGE / name, target)


def of_loopsim(program: str, file: Path, major: int) -> str:
    done = subprocess.run([program, "run", file.name, "-q", "-f", "jsonl", "-r", f"node-{major}"], cwd=file.parent, capture_output=True,
                          text=True, check=False, timeout=60)
    if done.returncode != 0:
        return done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return "".join(event["text"] + "\n" for event in events if event.get("ev") in ("log", "error_log"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    known = nodes() or nodes(fetch=True)
    if not known:
        print("skipped: no Node here, to run the npm package in")
        return SKIPPED
    compared = failed = 0
    with tempfile.TemporaryDirectory(prefix="loopsim-npm-") as name:
        real, alone = Path(name, "real"), Path(name, "alone")
        install(real)
        alone.mkdir()
        for file, text in (("app.js", PROGRAM), ("app.mjs", MODULE)):
            (real / file).write_text(text)
            (alone / file).write_text(text)
        for major, node in sorted(known.items()):
            for file in ("app.js", "app.mjs") if major >= FIRST_WITH_NAMED_EXPORTS else ("app.js",):
                done = subprocess.run([node, file], cwd=real, capture_output=True, text=True, check=False, timeout=60)
                got = of_loopsim(program, alone / file, major)
                if "runs no JavaScript" in got:
                    print(f"skipped: {got.strip()}")
                    return SKIPPED
                compared += 1
                if done.returncode != 0 or done.stdout != got:
                    failed += 1
                    print(f"FAILED  {file} in Node {major}: real Node printed\n{done.stdout}{done.stderr}loopsim\n{got}")
    print(f"{compared} runs in Node {', '.join(map(str, sorted(known)))}, {failed} not as in loopsim")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

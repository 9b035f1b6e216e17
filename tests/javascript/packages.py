#!/usr/bin/env python3
"""Runs programs that use packages from npm, in loopsim and in real Node.js under the virtual clock, and compares what they print.

    packages.py --program build/loopsim [--folder FOLDER] [FILE.cjs...]

The programs are those of packages/, with the packages of its lock file, which npm installs into FOLDER (by default a temporary one). With 77 as
exit status: this build runs no JavaScript, or npm, the network or what tools/conformance/vnode needs is missing.
"""

from __future__ import annotations

import argparse
import difflib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "packages"
SKIPPED = 77
VERSIONS = (18, 24)
VNODE = Path(__file__).resolve().parents[2] / "tools/conformance/vnode"


def run(words, folder, timeout=120):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=timeout, check=False)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def install(folder):
    for name in ("package.json", "package-lock.json"):
        shutil.copy(PROGRAMS / name, folder)
    if not (folder / "node_modules").is_dir():
        done = run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder, 300)
        if done.returncode != 0:
            skip(f"npm installed nothing: {done.stderr.strip()[:300]}")


def of_loopsim(program, path, runtime):
    done = run([program, "run", path.name, "-q", "-f", "jsonl", "-r", runtime, "--no-warnings"], path.parent)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events or events[-1].get("ev") != "exit":
        return done.stdout + done.stderr, f"?, status {done.returncode}"
    lines = [event for event in events if event.get("ev") in ("log", "error_log")]
    return "".join(f"{event['text']}\n" for event in lines), events[-1]["code"]


def compare(program, version, folder, programs):
    failed = 0
    for source in programs:
        path = folder / source.name
        shutil.copy(source, path)
        done = run([VNODE, version, path.name], folder)
        wanted = (done.stdout + done.stderr, done.returncode)
        got = of_loopsim(program, path, f"node-{version}")
        if wanted == got:
            continue
        failed += 1
        print(f"{source.name} in Node.js {version}: exit code {wanted[1]}, loopsim {got[1]}")
        sys.stdout.writelines(difflib.unified_diff(wanted[0].splitlines(True), got[0].splitlines(True), "real Node", "loopsim"))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.cjs")
    options = parser.parse_args()
    program = options.program.resolve()
    if "runs no JavaScript" in run([program, "run", PROGRAMS.parent / "probe.js"], ".").stderr:
        skip("this build runs no JavaScript")
    if not shutil.which("npm"):
        skip("npm is needed")
    for version in VERSIONS:
        if run([VNODE, version, PROGRAMS.parent / "probe.js"], ".", 300).returncode != 0:
            skip(f"Node.js {version} under the virtual clock cannot be had")
    programs = [path.resolve() for path in options.files] or sorted(PROGRAMS.glob("*.cjs"))
    with tempfile.TemporaryDirectory(prefix="loopsim-packages-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        install(folder)
        failed = sum(compare(program, version, folder.resolve(), programs) for version in VERSIONS)
    print(f"{len(programs)} programs compared with Node.js {' and '.join(map(str, VERSIONS))}, {failed} differ")
    return 1 if failed else 0


sys.exit(main())

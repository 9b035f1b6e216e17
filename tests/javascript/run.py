#!/usr/bin/env python3
"""Runs small programs in loopsim, and compares what they print, and their exit codes, with what real Node.js does.

    run.py --program build/loopsim [FILE.js...]      compare; exit status 77: this build runs no JavaScript
    run.py --bless-with NODE [FILE.js...]            write what this Node.js does, and nothing else
    run.py --bless-virtual [FILE.js...]              the same for programs under the virtual clock, with all versions

Without files: all below this folder. What version MAJOR does with NAME.js is in NAME.node-MAJOR.txt, next to it; there may be several.
A program whose first line is `// stdout only` has its standard error not compared. One whose first line begins with `// virtual clock`
runs in real Node.js under the clock of tools/conformance, so that the order of its requests to the pool is the same every time; where
that line has `since MAJOR`, with the versions from that one on.

A line `// arguments: WORDS` gives the program arguments, split as a shell does, and `// stdin: FILE` what it reads, from next to it.

Frames of Node's own files are left out of stacks, and the name of the folder out of paths: loopsim names a file as it was given.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
VNODE = FOLDER.parents[1] / "tools/conformance/vnode"
MAJORS = (4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26)
SKIPPED = 77
OWN_FRAME = re.compile(r"^\s*at (?:.*[( ])?node:[^ ]*?\)?( \{|,|)$")
# The same before Node 16, whose files have no prefix.
OLD_OWN_FRAME = re.compile(r"^\s*at (?:.*[( ])?(?:internal/[\w/]+|module|events|timers|bootstrap_node|node|vm|assert|fs)\.js:\d+:\d+\)?( \{|,|)$")
SHORTENED = re.compile(r"^\s*\[?\.\.\. (?:\d+ )?lines matching (?:cause|original) stack trace \.\.\.\]?$")


def normal(text, folder, major):
    """The text without what differs from release to release, or from place to place."""
    text = text.replace(f"{folder}/", "").replace("/usr/src/app/", "").replace("file://", "")
    text = re.sub(r"\(node:\d+\)", "(node:1)", text)
    lines = []
    for line in text.split("\n"):
        if SHORTENED.match(line):
            continue
        own = OWN_FRAME.match(line) or (OLD_OWN_FRAME.match(line) if major < 16 else None)
        if own and lines:
            lines[-1] += own.group(1)
        elif not own:
            lines.append(line)
    return "\n".join(lines)


def expectation(out, err, code):
    return f"exit {code}\n--- stdout\n{out}" + (f"--- stderr\n{err}" if err else "")


def given(path):
    """What the program is given: its arguments, and the name of the file that it reads or None."""
    text = path.read_text(encoding="utf-8")
    words = re.search(r"^// arguments: (.*)$", text, re.MULTILINE)
    file = re.search(r"^// stdin: (\S+)$", text, re.MULTILINE)
    return shlex.split(words.group(1)) if words else [], file.group(1) if file else None


def of_node(node, path):
    words, file = given(path)
    with open(path.parent / file if file else "/dev/null", "rb") as source:
        run = subprocess.run([*node, path.name, *words], cwd=path.parent, stdin=source, capture_output=True, text=True, timeout=120,
                             check=False)
    # What a signal ended has 128 and its number, as in a shell.
    return run.stdout, run.stderr, run.returncode if run.returncode >= 0 else 128 - run.returncode


def is_virtual(path):
    return path.read_text(encoding="utf-8").startswith("// virtual clock")


def since(path):
    """The first version that can run it: its first line says "since 12", or all of them can."""
    found = re.search(r"^//.*\bsince (\d+)", path.read_text(encoding="utf-8"))
    return int(found.group(1)) if found else 0


def under_virtual_clock(path, folder):
    """A scenario of the program, in which computation takes what the program says."""
    scenario = Path(folder, "run.json")
    scenario.write_text(json.dumps({"script": str(path), "env": {"LOOPSIM_VCLOCK": "1"}}), encoding="utf-8")
    return str(scenario)


def of_loopsim(program, path, runtime):
    with tempfile.TemporaryDirectory(prefix="loopsim-js-") as folder:
        name = under_virtual_clock(path, folder) if is_virtual(path) else path.name
        words, file = given(path)
        more = [*(["--stdin", file] if file else []), *(["--", *words] if words else [])]
        run = subprocess.run([program, "run", name, "-q", "-f", "jsonl", "-r", runtime, "--root", ".", *more],
                             cwd=path.parent, capture_output=True, text=True, timeout=60, check=False)
    events = [json.loads(line) for line in run.stdout.split("\n") if line]  # a text may have other ends of lines
    if not events or events[-1].get("ev") != "exit":
        return run.stdout, run.stderr, f"?, without an end of the trace: status {run.returncode}"
    texts = {kind: "".join(f"{event['text']}\n" for event in events if event.get("ev") == kind) for kind in ("log", "error_log")}
    return texts["log"], texts["error_log"], events[-1]["code"]


def shown(result, path, major):
    out, err, code = result
    if path.read_text(encoding="utf-8").startswith(("// stdout only", "// virtual clock, stdout only")):
        err = ""
    return expectation(normal(out, path.parent, major), normal(err, path.parent, major), code)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--bless-with", metavar="NODE")
    parser.add_argument("--bless-virtual", action="store_true")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.js")
    options = parser.parse_args()
    if sum(map(bool, (options.program, options.bless_with, options.bless_virtual))) != 1:
        parser.error("it takes one of --program, --bless-with and --bless-virtual")
    files = [path.resolve() for path in options.files] or sorted([*FOLDER.glob("*/**/*.js"), *FOLDER.glob("uncaught/*.mjs")])
    if not files:
        sys.exit("no programs")

    if options.bless_virtual:
        files = [path for path in files if is_virtual(path)]
        for path in files:
            for major in (one for one in MAJORS if one >= since(path)):
                expected = path.with_suffix(f".node-{major}.txt")
                expected.write_text(shown(of_node([VNODE, str(major)], path), path, major), encoding="utf-8")
        print(f"{len(files)} programs, as the versions run them")
        return 0

    if options.bless_with:
        files = [path for path in files if not is_virtual(path)]
        version = subprocess.run([options.bless_with, "-p", "process.versions.node"], capture_output=True, text=True, check=True).stdout
        major = int(version.split(".")[0])
        for path in files:
            expected = path.with_suffix(f".node-{major}.txt")
            expected.write_text(shown(of_node([options.bless_with], path), path, major), encoding="utf-8")
        print(f"{len(files)} programs, as Node.js {version.strip()} runs them")
        return 0

    program = options.program.resolve()
    probe = FOLDER / "print/path.js"
    run = subprocess.run([program, "run", probe], capture_output=True, text=True, timeout=60, check=False)
    if run.returncode != 0 and "runs no JavaScript" in run.stderr:
        print(f"skipped: {run.stderr.strip()}")
        return SKIPPED
    compared = failed = 0
    for path in files:
        expectations = sorted(path.parent.glob(f"{path.stem}.node-*.txt"))
        if not expectations:
            print(f"{path.relative_to(FOLDER)}: no expectation; --bless-with NODE writes one")
            failed += 1
        for expected in expectations:
            compared += 1
            runtime = expected.name[len(path.stem) + 1:-len(".txt")]
            wanted = expected.read_text(encoding="utf-8")
            got = shown(of_loopsim(program, path, runtime), path, int(runtime.removeprefix("node-")))
            if got == wanted:
                continue
            failed += 1
            difference = difflib.unified_diff(wanted.splitlines(True), got.splitlines(True), expected.name, "loopsim", n=1)
            sys.stdout.writelines(line if line.endswith("\n") else f"{line}\n" for line in difference)
    print(f"{compared} runs compared, {failed} differ")
    return 1 if failed else 0


sys.exit(main())

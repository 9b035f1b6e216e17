#!/usr/bin/env python3
"""Runs the puzzles of scenarios/javascript/ in every version of Node that can run them, and compares with what the pages beside them say.

    puzzles.py --program build/loopsim [PUZZLE...]        loopsim against the pages
    puzzles.py --bless-with-vnode [PUZZLE...]             measures with the real binaries under the virtual clock, and writes pages and list

A puzzle is NAME.js or NAME.mjs: its head comment is the question, and `Needs Node N.` there says that older versions cannot run it. NAME.md
tells why, in English and Chinese, and then, in sections that the measurement writes, what is on standard output and the exit code, by
versions. The list by question is in scenarios/README.md. With 77 as exit status: this build runs no JavaScript.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scenarios/javascript"
LIST = ROOT / "scenarios/README.md"
VERSIONS = [4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26]
SKIPPED = 77

QUESTION = re.compile(r"\A((?://.*\n)+)")
NEEDS = re.compile(r"Needs Node (\d+)\.\s*\Z")
SECTION = re.compile(r"^## Node ([^\n]*): exit code (\d+)\n\n```text\n(.*?)```\n", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"(?<=<!-- puzzles -->\n).*?(?=<!-- end of puzzles -->)", re.DOTALL)


def head_of(puzzle):
    """The question, and the first version that can run it."""
    comment = QUESTION.match(puzzle.read_text(encoding="utf-8"))[1]
    words = " ".join(line[2:].strip() for line in comment.splitlines())
    needs = NEEDS.search(words)
    return (words[:needs.start()] if needs else words).strip(), int(needs[1]) if needs else VERSIONS[0]


def versions_of(puzzle):
    needs = head_of(puzzle)[1]
    return [version for version in VERSIONS if version >= needs]


# ---- pages ---------------------------------------------------------------------------------------------------------------------------


def named(versions, among):
    """"4 to 10, 12": runs of versions that follow each other `among` those that there are."""
    runs = []
    for version in versions:
        if runs and among.index(version) == among.index(runs[-1][-1]) + 1:
            runs[-1].append(version)
        else:
            runs.append([version])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def versions_named(words):
    found = []
    for part in words.split(", "):
        first, _, last = part.partition(" to ")
        found += [version for version in VERSIONS if int(first) <= version <= int(last or first)]
    return found


def page_of(puzzle):
    return puzzle.with_suffix(".md")


def expected_of(puzzle):
    """Version -> (standard output, exit code)."""
    expected = {}
    for words, code, out in SECTION.findall(page_of(puzzle).read_text(encoding="utf-8")):
        for version in versions_named(words):
            expected[version] = (out, int(code))
    return expected


def write_page(puzzle, results):
    page = page_of(puzzle)
    text = page.read_text(encoding="utf-8")
    begin = text.find("\n## Node ")
    if begin >= 0:
        text = text[:begin]
    groups = {}
    for version, result in results.items():
        groups.setdefault(result, []).append(version)
    sections = [f"## Node {named(versions, list(results))}: exit code {code}\n\n```text\n{out}```\n" for (out, code), versions in groups.items()]
    page.write_text(text.rstrip("\n") + "\n\n" + "\n".join(sections), encoding="utf-8")


def answer_of(puzzle):
    """The first sentence of the explanation."""
    paragraph = page_of(puzzle).read_text(encoding="utf-8").split("\n\n")[2]
    return re.match(r"(.*?[.!])(\s|\Z)", " ".join(paragraph.split()))[1]


def table(puzzles):
    rows = ["| puzzle | question | answer |", "|---|---|---|"]
    for puzzle in puzzles:
        page = page_of(puzzle).relative_to(LIST.parent).as_posix()
        rows.append(f"| [{puzzle.stem}]({page}) | {head_of(puzzle)[0]} | {answer_of(puzzle)} |")
    return "\n".join(rows) + "\n"


# ---- runs ----------------------------------------------------------------------------------------------------------------------------


def of_node(job):
    puzzle, version = job
    run = subprocess.run([ROOT / "tools/conformance/vnode", str(version), puzzle.name], cwd=FOLDER, capture_output=True, text=True, timeout=120,
                         check=False, stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return run.stdout, run.returncode


def of_loopsim(program, puzzle, version):
    run = subprocess.run([program, "run", puzzle, "-q", "-f", "jsonl", "-r", f"node-{version}", "--no-warnings"], capture_output=True, text=True,
                         timeout=120, check=False)
    events = [json.loads(line) for line in run.stdout.splitlines()]
    if not events or events[-1].get("ev") != "exit":
        return run.stdout + run.stderr, f"?, status {run.returncode} without an end of the trace"
    return "".join(f"{event['text']}\n" for event in events if event.get("ev") == "log"), events[-1]["code"]


def bless(puzzles):
    jobs = [(puzzle, version) for puzzle in puzzles for version in versions_of(puzzle)]
    with ThreadPoolExecutor(2) as pool:
        results = dict(zip(jobs, pool.map(of_node, jobs)))
    for puzzle in puzzles:
        write_page(puzzle, {version: results[puzzle, version] for version in versions_of(puzzle)})
    print(f"{len(puzzles)} puzzles measured in {len(jobs)} runs of Node.js")


def compare(program, puzzles):
    failed = 0
    jobs = [(puzzle, version) for puzzle in puzzles for version in versions_of(puzzle)]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: of_loopsim(program, *job), jobs))
    for (puzzle, version), got in zip(jobs, results):
        wanted = expected_of(puzzle).get(version)
        if wanted == got:
            continue
        failed += 1
        if wanted is None:
            print(f"{puzzle.name}: its page says nothing about Node {version}")
            continue
        print(f"{puzzle.name} in Node {version}: exit code {wanted[1]}, loopsim {got[1]}")
        sys.stdout.writelines(difflib.unified_diff(wanted[0].splitlines(True), got[0].splitlines(True), "real Node", "loopsim"))
    print(f"{len(puzzles)} puzzles, {len(jobs)} runs compared, {failed} differ")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--bless-with-vnode", action="store_true")
    parser.add_argument("puzzles", nargs="*", type=Path, metavar="PUZZLE")
    options = parser.parse_args()
    if bool(options.program) == options.bless_with_vnode:
        parser.error("it takes either --program or --bless-with-vnode")
    every = sorted([*FOLDER.glob("*.js"), *FOLDER.glob("*.mjs")])
    puzzles = [path.resolve() for path in options.puzzles] or every
    if options.bless_with_vnode:
        bless(puzzles)
        LIST.write_text(TABLE.sub(lambda _: table(every), LIST.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    program = options.program.resolve()
    probe = subprocess.run([program, "run", ROOT / "tests/javascript/probe.js"], capture_output=True, text=True, timeout=60, check=False)
    if probe.returncode != 0 and "runs no JavaScript" in probe.stderr:
        print(f"skipped: {probe.stderr.strip()}")
        return SKIPPED
    failed = compare(program, puzzles)
    if not options.puzzles and TABLE.search(LIST.read_text(encoding="utf-8"))[0] != table(every):
        print("scenarios/README.md does not list the puzzles as they are; --bless-with-vnode writes the list anew")
        failed += 1
    return 1 if failed else 0


sys.exit(main())

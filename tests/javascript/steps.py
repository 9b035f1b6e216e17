#!/usr/bin/env python3
"""Runs JavaScript programs with and without --steps: beside the steps, both traces must be the same, byte for byte.

    steps.py --program build/loopsim [--runtime NODE...] [--machine NAME...] [FILE...]     exit status 77: this build runs no JavaScript
    steps.py --program build/loopsim --in-turn                  each program in one of the runs
    steps.py --program build/loopsim --bless                    writes the timelines of steps/*.js and *.mjs anew

Without FILE: the programs below this folder and in scenarios/javascript, and the script of every scenario but the benchmarks (`loopsim js`), as
Node 10 on an ideal and Node 24 on a busy machine. Steps are told by looking at the memory of the engine, and so nothing of a run may depend on them.
The timelines of steps/ (NAME.steps.txt, Node 24) are read by people before they are committed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
STEP = re.compile(r'"ev":"(?:scope|assign|condition|promise|line|leave|steps_end)"')  # in a text its quotes are escaped
SKIPPED = 77
# Without the cost of jumps: with it, times of long runs differ by a nanosecond or two (docs/javascript.md).
WITHOUT_JUMPS = {"preset": "laptop", "overhead": {"jumps": "0ms"}}
# Each version and each machine once: all pairs take four minutes (--runtime and --machine run them).
RUNS = [("node-24", WITHOUT_JUMPS), ("node-10", "ideal")]
ENTERS = re.compile(r'"t":\d+(.*"ev":"phase_enter")')  # a phase is told to begin at its first event, which may be a step


def run(words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


def lines_of(text):
    return text.rstrip("\n").split("\n") if text else []  # splitlines() would split at U+2028, too


def without_steps(jsonl):
    return [ENTERS.sub(r"\1", line) for line in lines_of(jsonl) if not STEP.search(line)]


def compare(program, path, runtime, machine):
    """Returns what differs, and how many steps there were."""
    with tempfile.TemporaryDirectory(prefix="loopsim-steps-") as folder:
        name = path.name
        if machine != "ideal":
            name = Path(folder, "run.json")
            name.write_text(json.dumps({"machine": machine, "script": str(path)}), encoding="utf-8")
        words = [program, "run", str(name), "-q", "--no-warnings", "-f", "jsonl", "-r", runtime, "--root", "."]
        plain = run(words, path.parent)
        steps = run([*words, "--steps"], path.parent)
    if (plain.returncode, plain.stderr) != (steps.returncode, steps.stderr):
        return f"status {plain.returncode}, with steps {steps.returncode}: {plain.stderr.strip()} | {steps.stderr.strip()}", 0
    wanted, got = without_steps(plain.stdout), without_steps(steps.stdout)
    for a, b in zip(wanted, got):
        if a != b:
            return f"\n  without steps {a}\n  with steps    {b}", 0
    if len(wanted) != len(got):
        return f"{len(wanted)} events, with steps {len(got)}", 0
    return "", len(lines_of(steps.stdout)) - len(got)


def scripts_of_scenarios(program, folder):
    for scenario in sorted((ROOT / "scenarios").rglob("*.json")):
        if scenario.name.endswith(".schema.json") or scenario.parent.name == "bench":  # those are long
            continue
        script = Path(folder, "-".join(scenario.relative_to(ROOT / "scenarios").with_suffix(".js").parts))
        run([program, "js", str(scenario), "--no-warnings", "-o", str(script)], ROOT)
        if script.exists():
            yield script


def timelines(program, bless):
    failed = 0
    files = sorted([*(FOLDER / "steps").glob("*.js"), *(FOLDER / "steps").glob("*.mjs")])
    for path in files:
        got = run([program, "run", path.name, "--steps", "-r", "node-24"], path.parent).stdout
        golden = path.with_suffix(".steps.txt")
        if bless:
            golden.write_text(got, encoding="utf-8")
            continue
        wanted = golden.read_text(encoding="utf-8") if golden.exists() else ""
        if got != wanted:
            failed += 1
            sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(True), got.splitlines(True), golden.name, "loopsim", n=2))
    print(f"{len(files)} timelines, {failed} differ")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--runtime", nargs="+", help="these on every MACHINE, not the pairs of the test")
    parser.add_argument("--machine", nargs="+", help="names of machines: ideal where only a RUNTIME is given")
    parser.add_argument("--in-turn", action="store_true", help="each program in one of the runs")
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options = parser.parse_args()
    program = str(options.program.resolve())
    probe = run([program, "run", str(FOLDER / "probe.js"), "-q", "-f", "none"], ROOT)
    if "runs no JavaScript" in probe.stderr:
        print(f"skipped: {probe.stderr.strip()}")
        return SKIPPED
    if options.bless:
        return timelines(program, True)

    with tempfile.TemporaryDirectory(prefix="loopsim-scripts-") as folder:
        files = [path.resolve() for path in options.files] or [
            *sorted(FOLDER.rglob("*.js")), *sorted(FOLDER.rglob("*.mjs")), *sorted((ROOT / "scenarios/javascript").rglob("*.js")),
            *scripts_of_scenarios(program, folder)]
        runs = RUNS
        if options.runtime or options.machine:
            runs = [(runtime, machine) for runtime in options.runtime or ["node-24"] for machine in options.machine or ["ideal"]]
        jobs = [(path, *run) for path in files for run in runs]
        if options.in_turn:
            jobs = [(path, *runs[number % len(runs)]) for number, path in enumerate(files)]
        different = steps = 0
        with ThreadPoolExecutor(2) as pool:
            for (path, runtime, machine), (difference, count) in zip(jobs, pool.map(lambda job: compare(program, *job), jobs)):
                steps += count
                if difference:
                    different += 1
                    print(f"{path.name} {runtime} {machine}: {difference}")
    print(f"{len(jobs)} runs compared, {different} differ; {steps} steps")
    failed = different + (0 if options.files else timelines(program, False))
    return 1 if failed or not steps else 0


if __name__ == "__main__":
    sys.exit(main())

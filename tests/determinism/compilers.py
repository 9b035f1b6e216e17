#!/usr/bin/env python3
"""g++ and clang++ make programs that print the same bytes.

    compilers.py --program build/loopsim

Builds the program with clang++ (preset `clang`, folder build-clang, only the program; other optimisations, and assertions left
in), then runs every scenarios/**/*.json through both and compares what they print, to standard output and error, and their exit
statuses. What is compared is the canonical trace and the report that a person sees.

Exit status: 0 the same, 1 not, 77 skipped because there is no clang++ (`tools/dev lint` installs one).
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77
ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [["run", "--format", "jsonl"], ["run"]]  # each followed by the scenario's file


def build_with_clang():
    if shutil.which("ninja"):
        os.environ.setdefault("CMAKE_GENERATOR", "Ninja")  # for a new tree; an old one keeps its own
    for command in (["cmake", "--preset", "clang"],
                    ["cmake", "--build", "--preset", "clang", "--target", "loopsim_cli", "--parallel", str(os.cpu_count())]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            print(done.stdout.decode(errors="replace"))
            sys.exit("the build with clang++ failed: " + " ".join(command))
    return ROOT / "build-clang" / "loopsim"


def outcome(program, command, scenario):
    done = subprocess.run([program, *command, scenario], cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout, done.stderr


def first_difference(ours, theirs):
    for number, (a, b) in enumerate(zip(ours.splitlines(), theirs.splitlines()), 1):
        if a != b:
            return f"line {number}\n    g++     {a.decode(errors='replace')}\n    clang++ {b.decode(errors='replace')}"
    return f"length ({len(ours)} and {len(theirs)} bytes)"


def compare(programs, command, scenario):
    """What differs, or None; and a digest of what g++'s program printed."""
    what = " ".join(["loopsim", *command, scenario])
    ours, theirs = (outcome(program, command, scenario) for program in programs)
    digest = hashlib.sha256(ours[1]).digest()
    if ours[0] < 0 or theirs[0] < 0:
        return f"{what}: ended by a signal (g++: {ours[0]}, clang++: {theirs[0]})\n{theirs[2].decode(errors='replace')}", digest
    if ours[0] != theirs[0]:
        return f"{what}: exit status {ours[0]} by g++, {theirs[0]} by clang++", digest
    for stream, a, b in zip(("standard output", "standard error"), ours[1:], theirs[1:]):
        if a != b:
            return f"{what}: {stream} differs at {first_difference(a, b)}", digest
    return None, digest


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", required=True)
    program = arguments.parse_args().program
    if not shutil.which("clang++"):
        print("skipped: no clang++ here (tools/dev lint installs it)")
        return SKIPPED

    scenarios = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "scenarios").rglob("*.json"))
                 if path.name != "scenario.schema.json"]
    programs = (program, str(build_with_clang()))
    jobs = [(programs, command, scenario) for scenario in scenarios for command in COMMANDS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: compare(*job), jobs))

    differences = [text for text, _ in results if text]
    print("\n".join(differences))
    print(f"{len(scenarios)} scenarios, {len(jobs)} runs by each of two compilers, {len(differences)} differences")
    if len(scenarios) > 1 and len({digest for _, digest in results}) == 1:
        print("every run printed the same: the comparison proves nothing")
        return 1
    return 1 if differences or not scenarios else 0


if __name__ == "__main__":
    sys.exit(main())

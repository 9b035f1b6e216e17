#!/usr/bin/env python3
"""Runs a short check with sanitizers, as a part of every test run.

usage: tests/sanitizers/check.py [--trees DIR] [--jobs N]

Builds the program and the replay program of the fuzzers by clang++ with the address and undefined-behaviour sanitizers (the build
`clang++-sanitized` of the determinism check, in its tree). Then runs the inputs that fuzzing has found, 1500 mutations for each target,
300 scenarios from the grammar, 100 mutations of programs in JavaScript, each binding of the host with hostile values, very many timers
and requests, and the tests of the command line. Of the bindings a twentieth, another one every day; all with LOOPSIM_THOROUGH=1.
`tools/dev verify` runs all tests under the sanitizers, including the thread sanitizer.

Exit status: 0 no findings, 1 findings, 2 the build failed, 77 no clang++.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "determinism"))
import builds  # noqa: E402

ROOT = builds.ROOT
BINDING_PARTS = 20  # of some 400 runs each


def passes(title, *command, folder):
    begin = time.monotonic()
    environment = {**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1"}
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    print(f"{'ok' if done.returncode == 0 else 'FAILED':6}  {title}: {time.monotonic() - begin:.0f} s", flush=True)
    if done.returncode != 0:
        print(done.stdout.decode(errors="replace")[-20000:], flush=True)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--trees", type=Path, default=ROOT / "build-determinism")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilations at once")
    options = parser.parse_args()
    build = next(one for one in builds.BUILDS if one.name == builds.SANITIZED)
    try:
        program = builds.make(build, options.trees.resolve(), options.jobs)[-1]
    except builds.Impossible as why:
        print(f"skipped: the sanitizers' checks: {why}")
        return 77
    except builds.Failed as problem:
        print(f"a build failed: {problem}")
        return 2
    tree = Path(program).parent
    good = passes("replay of the fuzzers", tree / "tests" / "fuzz" / "loopsim_fuzz_replay", ROOT / "tests" / "fuzz" / "cases",
                  ROOT / "scenarios", 1500, 300, 100, folder=tree)
    parts = 1 if os.environ.get("LOOPSIM_THOROUGH") == "1" else BINDING_PARTS
    part = time.localtime().tm_yday % parts
    good = passes(f"bindings, part {part} of {parts}", tree / "tests" / "fuzz" / "loopsim_fuzz_replay", "--bindings", part, parts,
                  folder=tree) and good
    # More than any scenario has: timers that are fetched ahead, cycles of sockets and closures that are ended.
    bench = ROOT / "scenarios" / "bench"
    good = passes("30,000 timers", program, "check", bench / "w3-many-timers.json", "--set", "timers=30000", "--set", "callbacks=90000",
                  folder=ROOT) and good
    good = passes("10,000 requests", program, "run", bench / "w4-server.json", "--set", "requests=10000", "--quiet", "--format", "none",
                  folder=ROOT) and good
    good = passes("command line", sys.executable, ROOT / "tests" / "cli" / "run_cli_tests", program, folder=ROOT) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

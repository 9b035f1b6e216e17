#!/usr/bin/env python3
"""Tests hostile programs in JavaScript: they end by themselves, with an exception of their own or at a limit, within the promised memory
and time, never in a crash; with a trace and without.

usage: tests/hostile/javascript.py --program PROGRAM [--sanitized] [--verbose] [NAME...]     exit status 77: it runs no JavaScript
"""

import argparse
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import costly  # noqa: E402
import hostile  # noqa: E402
from programs import LIMIT, PROGRAMS  # noqa: E402

MEMORY = 1024  # MiB
SECONDS = 60
SLOW_MACHINE = 2  # times as slow as the one that costly.SECONDS was measured on
SAID = (r"|loopsim: app\.js:\d+: stopped here, in a loop or a recursion, by the limit of 10{6,7} steps [^\n]*\n"
        r"|(app\.js: warning: the program takes too long to look for races in all of its beginning \(loopsim orders does\)\n)?"
        r"(app\.js: warning: no command \"x\" is declared; \"commands\" of a scenario says what commands do\n)?"
        r"|app\.js: warning: Node \d+ has [\w.]+, loopsim does not\n"
        r"|loopsim: the scenario allows itself \d+ (steps|callbacks); --max-steps stopped it at 10{6,7} \(--max-steps none lifts that\)\n")
STEPS = 1_000_000  # of the limit, so that a loop without an end ends soon
STEPS_OF_AN_END = 10_000_000  # where a program ends by itself: the limit of a document that says nothing


def check(runner, name, form):
    source, status = PROGRAMS[name]
    path = os.path.join(runner.folder, "app.js")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    steps = STEPS if status == LIMIT else STEPS_OF_AN_END
    got, errors, memory, seconds = runner.run(["run", "app.js", "--quiet", "--format", *form, "--max-steps", str(steps)])
    if got < 0:
        raise hostile.Failure(f"ended by signal {-got}: {errors[:1000]}")
    if got != status:
        raise hostile.Failure(f"exit status {got}, not {status}: {errors[:1000]}")
    if not re.fullmatch(SAID, errors):
        raise hostile.Failure(f"standard error is\n{errors[:1000]}")
    if not runner.sanitized and memory > MEMORY:
        raise hostile.Failure(f"held {memory:.0f} MiB")
    if not runner.sanitized and seconds > SECONDS:
        raise hostile.Failure(f"took {seconds:.1f} s")
    return memory, seconds


# What a program holds counts for --max-memory: it ends at the bound, or goes on to its end within it.
HOLDERS = {"huge-map", "huge-object", "huge-closures", "huge-promises", "out-of-memory-caught", "huge-log", "doubling-array"}

# Seconds each.
LONG = HOLDERS | {"out-of-memory-again", "recursion-of-json", "recursion-of-errors", "huge-join"}


def check_bound(runner, name, bound):
    with open(os.path.join(runner.folder, "app.js"), "w", encoding="utf-8") as file:
        file.write(PROGRAMS[name][0])
    got, errors, memory, seconds = runner.run(["run", "app.js", "--quiet", "--format", "none", "--max-memory", f"{bound}MiB"])
    is_at_bound = got == 5 and errors == hostile.OUT_OF_MEMORY.format(f"{bound} MiB")
    if not is_at_bound and got != PROGRAMS[name][1]:
        raise hostile.Failure(f"--max-memory {bound}MiB: exit status {got}: {errors[:1000]}")
    if memory > bound:
        raise hostile.Failure(f"--max-memory {bound}MiB: held {memory:.0f} MiB")
    return memory, seconds


# A limit may end a program anywhere: in the middle of a function of QuickJS, too, which calls the program's.
CUT = {
    "find": "all.find((x) => x.i < 0)",
    "sort": "all.sort((a, b) => b.i - a.i).map((x) => ({ x })).filter((x) => ({ x }))",
    "reduce": "all.reduce((a, x) => ({ a, x }), {}); all.flatMap((x) => [x, { x }])",
    "from": "Array.from(new Set(all), (x) => ({ x })); Object.groupBy(all, (x) => x.i % 3)",
    "json": "JSON.parse(JSON.stringify(all, (k, v) => v), (k, v) => v)",
    "replace": "all.join().replace(/t/g, (c) => `${{ toString() { return c; } }}`)",
}


def check_cut(runner, name, _):
    with open(os.path.join(runner.folder, "app.js"), "w", encoding="utf-8") as file:
        file.write("for (;;) {\n  const all = [];\n  for (let i = 0; i < 40; i++) all.push({ i });\n"
                   f"  {CUT[name]};\n}}\n")
    most = total = 0
    for steps in range(60, 360, 13):
        got, errors, memory, seconds = runner.run(["run", "app.js", "--quiet", "--format", "none", "--max-steps", str(steps)])
        if got != LIMIT:
            raise hostile.Failure(f"--max-steps {steps}: exit status {got}: {errors[:1000]}")
        most, total = max(most, memory), total + seconds
    return most, total


def check_cost(runner, name, _):
    source, statuses = costly.COSTLY[name]
    with open(os.path.join(runner.folder, "app.js"), "w", encoding="utf-8") as file:
        file.write(source)
    got, errors, memory, seconds = runner.run(["run", "app.js", "--quiet", "--format", "none", "--max-steps", str(costly.STEPS)])
    if got < 0:
        raise hostile.Failure(f"ended by signal {-got}: {errors[:1000]}")
    if got not in statuses:
        raise hostile.Failure(f"exit status {got}, not one of {statuses}: {errors[:1000]}")
    if not runner.sanitized and memory > MEMORY:
        raise hostile.Failure(f"held {memory:.0f} MiB")
    if not runner.sanitized and seconds > SLOW_MACHINE * costly.SECONDS:
        raise hostile.Failure(f"took {seconds:.1f} s")
    return memory, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    failed = count = 0
    with tempfile.TemporaryDirectory(prefix="loopsim-hostile-") as folder:
        runner = hostile.Runner(os.path.abspath(arguments.program), arguments.sanitized, folder)
        with open(os.path.join(folder, "app.js"), "w", encoding="utf-8"):
            pass
        if "runs no JavaScript" in runner.run(["run", "app.js"])[1]:
            print("skipped: this build runs no JavaScript")
            return 77
        for name in arguments.names or [*PROGRAMS, *CUT, *costly.COSTLY]:
            # A loop without an end is the same with a trace; what is long is its trace. What takes long is not run again for its races.
            forms = [("none",), ("text",) if name not in LONG else ("text", "--no-races")]
            if name in costly.COSTLY:
                checks = [(f"{name}, its cost", check_cost, None)]
            elif name in CUT:
                checks = [(f"{name}, cut off", check_cut, None)]
            else:
                checks = [(f"{name} {form[0]}", check, form) for form in (forms[:1] if PROGRAMS[name][1] == LIMIT else forms)]
            if name in HOLDERS and not runner.sanitized:  # the sanitizers have an allocator of their own
                checks += [(f"{name}, {bound} MiB", check_bound, bound) for bound in (64, 128)]
            for title, made, how in checks:
                count += 1
                try:
                    memory, seconds = made(runner, name, how)
                    if arguments.verbose:
                        print(f"ok      {title}: {memory:.0f} MiB, {seconds:.1f} s", flush=True)
                except hostile.Failure as failure:
                    failed += 1
                    print(f"FAILED  {title}: {failure}", flush=True)
    print(f"{count} runs of hostile programs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

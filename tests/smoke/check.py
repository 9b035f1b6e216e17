#!/usr/bin/env python3
"""Runs every command with every format and option over every scenario and program that ships: nothing crashes, every status is a
documented one, every command ends in time, and no sanitizer has anything to say.

usage: tests/smoke/check.py --program FILE [--day N] [--all] [--only WORD] [--list] [--jobs N]

What there is to run comes from the program itself (table.py). A case is a command, a way to call it (from one version or two, two seeds,
two machines, a saved trace, a damaged one ...), a format, and a file; its other options are drawn from the case's own name. There are
some 20,000. A run takes a sample, another one each day of the year: some of every command, way and format; --day repeats that of
another day. LOOPSIM_THOROUGH=1 or --all runs all, in an hour or more.

The program is the one with the sanitizers and assertions that determinism.traces builds, if it is there, otherwise --program.

Exit status: 0 all well, 1 findings, 2 something is not known here: what a new command is called with.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import json
import os
import random
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import damage
import table

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "scenarios"
SANITIZED = ROOT / "build-determinism" / "clang++-sanitized" / "loopsim"
SANITIZERS_STATUS = 86
DOCUMENTED = (0, 1, 2, 3)  # 4 and 5 are documented, too, but nothing here lacks room to write or memory
SAMPLE = 360  # cases of a day
CPU_SECONDS = 60
STEPS = "200000"  # what a run may take: the benchmarks have no end otherwise
FAULTS = ("AddressSanitizer", "LeakSanitizer", "runtime error:", "a fault of the simulator", "terminate called", "Assertion")

# How a command is called: with one file, in these ways. A command without an entry is a finding of this test.
WAYS: dict[str, tuple[str, ...]] = {
    "new": ("bare",),
    "run": ("file", "version", "machine"),
    "explain": ("file", "version", "callback", "trace", "damaged"),
    "convert": ("trace", "compact", "damaged"),
    "check": ("file",),
    "diff": ("versions", "seeds", "machines", "settings", "same", "traces", "trace", "damaged"),
    "sweep": ("file", "version", "machine"),
    "merge": ("shards",),
    "plot": ("rows",),
    "orders": ("file", "version", "machine"),
    "js": ("file", "version"),
    "c": ("file", "version"),
    "list": ("bare",),
    "schema": ("bare",),
    "completion": ("bare",),
    "man": ("bare",),
}
ELSEWHERE = {"play": "it serves until it is stopped: tests/play (play.server)"}

# Values of options that take any. An option without an entry, and without words of its own, is a finding of this test.
VALUES: dict[str, tuple[str, ...]] = {
    "--load": ("0", "0.5", "0.9"),
    "--cores": ("1", "2"),
    "--threads": ("1", "2", "8"),
    "--seed": ("0", "1", "7", "18446744073709551615"),
    "--context": ("0", "1", "100"),
    "--width": ("1", "40", "100", "1000"),
    "--vary": ("/machine/startup=0ms:2ms:1ms", "/machine/clock=0ms,0.5ms", "/seed=1,2,3"),
    "--replications": ("1", "2", "3"),
    "--until-half-width": ("50%", "1ms"),
    "--callback": ("main", "timer"),
    "--warm-up": ("0ms", "1ms", "1s"),
    "--jobs": ("1", "2"),
    "--shard": ("1/2", "2/2", "1/1"),
    "--compare": ("/seed=1", "/machine/startup=0ms"),
    "--distribution": ("loop_delay", "lateness", "response", "main.latency"),
    "--cdf": ("loop_delay", "lateness"),
    "--ccdf": ("loop_delay", "lateness"),
    "plot --histogram": ("loop_delay", "lateness"),
    "--across": ("seed", "/machine/startup"),
    "--title": ("A title", ""),
    "--runs": ("1", "2", "8"),
    "--pair": ("main,timer", "a,b", "main,main#2"),
    "--threshold": ("/machine/startup=0ms:5ms", "/machine/clock=0ms:1ms"),
    "--points": ("1", "2", "5"),
    "--env": ("NAME=value", "HOME=/", "X="),
    "--stub": ("tls", "net", "no-such-module"),
    "--root": (str(SCENARIOS), "/"),
    "--stdin": (str(SCENARIOS / "README.md"), "-"),
    "--max-memory": ("1GiB", "none"),
    "--max-steps": (STEPS, "1000"),
}
STUDY = ("--max-steps", "20000", "-n", "2", "-q", "--vary", "/machine/startup=0ms,2ms")
ENDINGS = {"--plot": ("svg", "csv", "gp"), "--plot-histogram": ("svg", "csv", "gp"), "--summary": ("csv", "txt")}
ALWAYS = {"orders": ("--runs", "4"), "sweep": ("--replications", "2")}  # a thousand runs are for people
LEFT_OUT = {
    "--js",  # FILE is no program
    "--max-memory", "--max-steps",  # the second is always given
    "--output", "--page",
}


@dataclass(frozen=True)
class Case:
    command: str
    way: str
    word: str  # a format, or what else has words; "": there are none
    file: str

    def __str__(self) -> str:
        return " ".join((self.command, self.way, self.word or "-", self.file))


def shipped() -> list[str]:
    found = [path for path in SCENARIOS.rglob("*") if path.suffix in (".json", ".js", ".cjs", ".mjs")]
    return sorted(str(path.relative_to(ROOT)) for path in found if not path.name.endswith(".schema.json"))


def words_of(command: table.Command) -> tuple[str, ...]:
    form = command.option("--format") or command.option("--template")
    if form is not None:
        return form.words
    return command.operands[0].words if command.operands and command.operands[0].value == "words" else ("",)


def unknown(commands: list[table.Command]) -> list[str]:
    """What this test does not know how to call. So that a new command or option is not left out in silence."""
    problems = []
    for command in commands:
        if command.name in ELSEWHERE:
            continue
        if command.name not in WAYS:
            problems.append(f"a new command, {command.name}: say in WAYS of tests/smoke/check.py how it is called")
        for option in command.options:
            has_values = option.words or option.value in ("", "files") or values_of(command.name, option.name)
            if not has_values and option.name not in LEFT_OUT:
                problems.append(f"a new option, {command.name} {option.name}: say in VALUES of tests/smoke/check.py what it takes")
    problems += [f"{name} is no command any more" for name in [*WAYS, *ELSEWHERE] if name not in {one.name for one in commands}]
    return problems


def cases(commands: list[table.Command]) -> list[Case]:
    made = []
    for command in commands:
        for way in WAYS.get(command.name, ()):
            for word in words_of(command):
                made += [Case(command.name, way, word, file) for file in (shipped() if way != "bare" else ["-"])]
    return made


def sample(every: list[Case], day: int) -> list[Case]:
    """Some of every command, way and word: each day others."""
    groups: dict[tuple[str, str, str], list[Case]] = {}
    for case in every:
        groups.setdefault((case.command, case.way, case.word), []).append(case)
    draw = random.Random(f"smoke {day}")
    each = max(1, SAMPLE // len(groups))
    return [case for group in groups.values() for case in draw.sample(group, min(each, len(group)))]


def values_of(command: str, option: str) -> tuple[str, ...]:
    return VALUES.get(f"{command} {option}") or VALUES.get(option, ())


# ---- one case -------------------------------------------------------------------------------------------------------------


class Finding(Exception):
    pass


class Runner:
    def __init__(self, program: str, commands: list[table.Command], case: Case, folder: Path) -> None:
        self.program = program
        self.table = {command.name: command for command in commands}
        self.case = case
        self.folder = folder
        self.random = random.Random(str(case))
        self.file = str(ROOT / case.file)
        self.statuses: Counter[int] = Counter()
        self.seconds = 0.0

    def call(self, *words: str) -> int:
        """Runs the program; its status is a documented one. Raises Finding."""
        begin = time.monotonic()
        environment = {
            **os.environ, "LC_ALL": "C.UTF-8",
            # the sandbox forbids the thread and the ptrace that the search for leaks needs
            "ASAN_OPTIONS": f"exitcode={SANITIZERS_STATUS}:allocator_may_return_null=1:detect_leaks={int('--sandbox' not in words)}",
            "UBSAN_OPTIONS": f"exitcode={SANITIZERS_STATUS}:print_stacktrace=1",
        }
        shown = shlex.join(("loopsim", *words)).replace(str(ROOT) + "/", "").replace(str(self.folder) + "/", "")
        try:
            done = subprocess.run([self.program, *words], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=15 * CPU_SECONDS, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5)))
        except subprocess.TimeoutExpired:
            raise Finding(f"{shown}\n  has not ended after {15 * CPU_SECONDS} s") from None
        self.seconds = max(self.seconds, time.monotonic() - begin)
        said = done.stderr.decode(errors="replace")
        if done.returncode == -24:
            raise Finding(f"{shown}\n  takes more than {CPU_SECONDS} s of the processor")
        if done.returncode not in DOCUMENTED or any(fault in said for fault in FAULTS):
            raise Finding(f"{shown}\n  ended with {done.returncode}\n{said[:6000]}")
        if done.returncode == 2 and not said.strip():
            raise Finding(f"{shown}\n  refused without a word")
        self.statuses[done.returncode] += 1
        return done.returncode

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def options(self, *without: str, most: int = 3) -> list[str]:
        """Some of the command's other options, as the case's name draws them."""
        command = self.table[self.case.command]
        words: list[str] = []
        taken = set(without) | LEFT_OUT | {"--format", "--template"}
        chosen = [option for option in command.options if option.name not in taken]
        for option in self.random.sample(chosen, min(len(chosen), self.random.randint(0, most))):
            words += self.option(command, option)
        return words

    def option(self, command: table.Command, option: table.Option) -> list[str]:
        if option.value == "":
            return [option.name]
        if option.value == "formats":
            word = self.random.choice(option.words)
            return [option.name, f"{word}={self.path('also.' + word)}"]
        if option.value == "files" and option.name not in VALUES:
            return [option.name, self.path(f"out{option.name}.{self.random.choice(ENDINGS.get(option.name, ('txt',)))}")]
        if option.name == "--runtime":
            return [option.name, self.version()]
        values = option.words or values_of(command.name, option.name)
        return [option.name, self.random.choice(values)]

    def version(self) -> str:
        """A version that may run the file, mostly."""
        words = next(one for one in self.table["run"].options if one.name == "--runtime").words
        text = Path(self.file).read_text(encoding="utf-8")[:2000] if self.file.endswith(".json") else "node-"
        family = next((name for name in ("libuv-", "chrome", "firefox") if f'"{name}' in text), "node-")
        if '"io"' in text:
            family = "io"
        fitting = [word for word in words if word.startswith("chrome" if family == "firefox" else family)]
        return self.random.choice(words if self.random.random() < 0.15 or not fitting else fitting)

    def base(self) -> list[str]:
        command, case = self.table[self.case.command], self.case
        words = ["--max-steps", STEPS, *ALWAYS.get(case.command, ())]
        form = "--format" if command.option("--format") else "--template" if command.option("--template") else ""
        if form and case.word in ("sqlite", "png", "pdf"):
            return [*words, form, case.word, "--output", self.path("out." + case.word)]
        return [*words, form, case.word] if form and case.word else words

    # ---- what commands read that other commands have written ----

    def trace(self, form: str, name: str, *words: str) -> str:
        path = self.path(name)
        steps = ("--steps",) if self.random.random() < 0.3 else ()
        self.call("run", self.file, "--max-steps", "20000", "--no-races", "-q", "--format", f"{form}={path}", *steps, *words)
        return path

    def damaged(self) -> str | None:
        form = self.random.choice(("jsonl", "jsonl", "jsonl", "compact"))
        path = Path(self.trace(form, "whole." + form))
        if not path.exists():
            return None
        hurt = Path(self.path("damaged." + form))
        hurt.write_bytes(damage.damaged(path.read_bytes(), form, self.random))
        return str(hurt)

    def run(self) -> None:
        name, way = self.case.command, self.case.way
        words = self.base()
        ways = {
            "file": lambda: self.call(name, self.file, *words, *self.options("--replications", "--runs", "--shard")),
            "version": lambda: self.call(name, self.file, *words, "--runtime", self.version(),
                                         *self.options("--runtime", "--replications", "--runs", "--shard")),
            "machine": lambda: self.call(name, self.file, *words, "--machine", self.random.choice(("laptop", "busy", "vm", "container")),
                                         *self.options("--machine", "--replications", "--runs", "--shard")),
        }
        if way in ways:
            ways[way]()
        else:
            getattr(self, f"{way}_way")(name, words)

    def bare_way(self, name: str, words: list[str]) -> None:
        is_operand = self.case.word and "--format" not in words and "--template" not in words
        self.call(name, *([self.case.word] if is_operand else []), *words, *self.options())
        self.call(name, "--help")
        self.call("help", name)

    def callback_way(self, name: str, words: list[str]) -> None:
        trace = Path(self.trace("jsonl", "trace.jsonl"))
        if not trace.exists():
            return
        begun = [json.loads(line) for line in trace.read_text().splitlines()[1:2000] if '"ev":"callback_begin"' in line]
        if begun:
            one = self.random.choice(begun)
            self.call(name, self.file, self.random.choice((str(one.get("name", "main")), f"#{one['id']}", "@5", "main#2")), *words,
                      *self.options())

    def trace_way(self, name: str, words: list[str]) -> None:
        trace = self.trace("jsonl", "trace.jsonl")
        if not os.path.exists(trace):
            return
        operands = [trace, self.file] if name == "diff" else [trace]
        extra = ["-e"] if name == "diff" and self.random.random() < 0.6 else []
        self.call(name, *operands, *words, *extra, *([] if name != "convert" else self.options()))

    def compact_way(self, name: str, words: list[str]) -> None:
        trace = self.trace("compact", "trace.compact")
        if os.path.exists(trace):
            self.call(name, trace, *words, *self.options())

    def damaged_way(self, name: str, words: list[str]) -> None:
        if (hurt := self.damaged()) is not None:
            self.call(name, hurt, *([hurt, "-e"] if name == "diff" else []), *words)
            if name == "diff":
                self.call(name, hurt, self.path("whole" + Path(hurt).suffix), *words, *self.options(
                    "--runtime", "--seed", "--machine", "--load", "--cores", "--threads", "--set", "--set-a", "--set-b"))

    # ---- diff ----

    def two(self, option: str, values: tuple[str, ...], name: str, words: list[str]) -> None:
        first, second = self.random.sample(values, 2)
        extra = ["-e"] if self.random.random() < 0.5 else []
        self.call(name, self.file, *words, option, first, option, second, *extra, *self.options(option, "--events"))

    def versions_way(self, name: str, words: list[str]) -> None:
        self.two("--runtime", tuple({self.version() for _ in range(12)} | {"node-24", "node-10"}), name, words)

    def seeds_way(self, name: str, words: list[str]) -> None:
        self.two("--seed", ("0", "1", "2", "3"), name, words)

    def machines_way(self, name: str, words: list[str]) -> None:
        self.two("--machine", ("ideal", "laptop", "busy", "vm"), name, words)

    def settings_way(self, name: str, words: list[str]) -> None:
        self.call(name, self.file, *words, "--set-a", "/machine/startup=0ms", "--set-b", "/machine/startup=3ms",
                  *self.options("--set-a", "--set-b", "--machine"))

    def same_way(self, name: str, words: list[str]) -> None:
        self.call(name, self.file, self.file, *words, *self.options())

    def traces_way(self, name: str, words: list[str]) -> None:
        one = self.trace(self.random.choice(("jsonl", "compact")), "one.trace")
        other = self.trace(self.random.choice(("jsonl", "compact")), "other.trace", "--seed", "5")
        if os.path.exists(one) and os.path.exists(other):
            extra = ["-e"] if self.random.random() < 0.6 else []
            self.call(name, one, other, *words, *extra)

    # ---- studies ----

    def rows_way(self, name: str, words: list[str]) -> None:
        form = self.random.choice(("csv", "jsonl", "sqlite"))
        rows = self.path("rows." + form)
        self.call("sweep", self.file, *STUDY, "--format", form, "--output", rows, "--distribution", "loop_delay")
        if os.path.exists(rows):
            ending = self.random.choice(("svg", "csv", "gp"))
            self.call(name, rows, *words, "--output", self.path("plot." + ending), *self.options())

    def shards_way(self, name: str, words: list[str]) -> None:
        shards = [self.path(f"shard{number}") for number in (1, 2)]
        for number, shard in enumerate(shards, 1):
            self.call("sweep", self.file, *STUDY, "--shard", f"{number}/2", "--output", shard)
        if all(os.path.exists(shard) for shard in shards):
            self.call(name, *shards, *words, *self.options("--shard"))


def judged(program: str, commands: list[table.Command], case: Case) -> tuple[Case, str, Counter[int], float]:
    with tempfile.TemporaryDirectory(prefix="loopsim-smoke-") as folder:
        runner = Runner(program, commands, case, Path(folder))
        try:
            runner.run()
        except Finding as finding:
            return case, str(finding), runner.statuses, runner.seconds
        return case, "", runner.statuses, runner.seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--own", action="store_true", help="the program as given, not the one with sanitizers")
    parser.add_argument("--day", type=int, default=datetime.date.today().timetuple().tm_yday, help="of the year; that of today")
    parser.add_argument("--all", action="store_true", default=bool(os.environ.get("LOOPSIM_THOROUGH")))
    parser.add_argument("--only", default="", metavar="WORD", help="only cases whose name has this in it")
    parser.add_argument("--list", action="store_true", help="print the cases, and run none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()

    program = str(options.program.resolve())
    if not options.own and SANITIZED.exists():
        if SANITIZED.stat().st_mtime >= options.program.stat().st_mtime:
            program = str(SANITIZED)
        else:
            print(f"{SANITIZED.relative_to(ROOT)} is older than the program, and left aside: tools/dev determinism --short builds it")
    commands = table.read(program)
    if problems := unknown(commands):
        print("\n".join(problems))
        return 2
    every = cases(commands)
    chosen = every if options.all or options.only else sample(every, options.day)
    chosen = [case for case in chosen if options.only in str(case)]
    if options.list:
        print("\n".join(map(str, chosen)))
        return 0
    today = f"a sample, of day {options.day} (--day {options.day} repeats it)"
    what = "all" if options.all else f"those with '{options.only}'" if options.only else today
    sanitized = "with sanitizers and assertions" if program == str(SANITIZED) else "without sanitizers"
    print(f"{len(chosen):,} of {len(every):,} cases: {what}; the program {sanitized}", flush=True)

    statuses: Counter[int] = Counter()
    findings = 0
    slowest = (0.0, "")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, finding, of_case, seconds in pool.map(lambda case: judged(program, commands, case), chosen):
            statuses += of_case
            slowest = max(slowest, (seconds, str(case)))
            if finding:
                findings += 1
                print(f"FAILED {case}\n  {finding}", flush=True)
    said = ", ".join(f"{count:,} with {status}" for status, count in sorted(statuses.items()))
    print(f"{statuses.total():,} commands: {said}; the slowest took {slowest[0]:.0f} s: {slowest[1]}")
    # Most commands must have done something: a test whose commands are all refused would find nothing.
    if not options.only and 2 * statuses[2] > statuses.total():
        print("more than half of the commands were refused: this test tries nothing")
        findings += 1
    print(f"{findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

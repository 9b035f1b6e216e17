"""Runs a scenario for libuv alone here and in the libuv of a Node binary, and compares the two.

The scenario is written as a program in C (`loopsim c --judged`), compiled to a shared object, loaded into Node by process.dlopen(), and
runs there, under the virtual clock, on a loop of its own. One process of Node runs many of them, one behind the other.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from fidelity.nodes import virtual_clock

CONFORMANCE = Path(__file__).resolve().parents[1]
ROOT = CONFORMANCE.parents[1]
TIMEOUT = 60  # seconds of real time, for a process
MOST_OUTPUT = 100_000  # of a process, in units of 512 bytes
# The libuv in each Node binary; Node 26 has that of Node 24.
RUNTIMES = {4: "libuv-1.9", 6: "libuv-1.16", 8: "libuv-1.23", 10: "libuv-1.34", 11: "libuv-1.27", 12: "libuv-1.40", 14: "libuv-1.42",
            16: "libuv-1.43", 18: "libuv-1.44", 20: "libuv-1.46", 22: "libuv-1.51", 24: "libuv-1.52", 26: "libuv-1.52"}
# Each program begins at a whole millisecond. What it loads is no addon, which dlopen() then says.
LOAD = """'use strict';
const fs = require('fs');
process.chdir('vclock:start');
process.argv.slice(2).forEach((file, index) => {
  process.chdir('vclock:tick');
  fs.writeSync(3, `program ${index}\\n`);
  try { process.dlopen({ exports: {} }, file); } catch (error) {
    if (!/self-register/.test(error.message)) throw error;
  }
});
process.reallyExit(0);  // of Node 4, as all of this
"""


class Impossible(Exception):
    """The scenario cannot be run in this version: the message says why."""


@dataclass
class Program:
    """A scenario, and what it needs to be run for real."""

    scenario: Path
    threads: int = 4
    ends: bool = False  # in every version: then a limit is a difference

    @property
    def network(self) -> bool:
        """Whether it needs a network of its own."""
        return '"uv_tcp_' in self.scenario.read_text()
    objects: dict[str, Path | Impossible] = field(default_factory=dict)  # runtime -> shared object


def simulated(loopsim: str, scenario: Path, runtime: str) -> list[str]:
    done = subprocess.run([loopsim, "run", str(scenario), "-q", "-f", "jsonl", "-r", runtime], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise Impossible(done.stderr.strip().splitlines()[0] if done.stderr else f"status {done.returncode}")
    lines = []
    for text in done.stdout.splitlines():
        event = json.loads(text)
        kind, time = event.get("ev"), event.get("t")
        if kind == "callback_begin" and event["api"] != "main":
            lines.append(f"{time} begin {event['name']}")
        elif kind == "log":
            lines.append(f"{time} log {event['text']}")
        elif kind == "call":
            lines.append(f"{time} run {event['text']}" if event.get("begins") else f"{time} call {event['text']} = {event['result']}")
        elif kind == "limit":
            lines.append(f"{time} limit {event['limit']}")
        elif kind == "exit" and event.get("why") != "limit":
            died = event.get("why") == "signal"
            lines.append("(died)" if died else f"{time} exit {event['code']}")
    return lines


def difference(theirs: list[str], ours: list[str], what: str) -> str:
    """The first one, with what stands around it."""
    first = next((i for i, pair in enumerate(zip(theirs, ours)) if pair[0] != pair[1]), min(len(theirs), len(ours)))
    return "\n".join([f"line {first + 1} of {what} (-), {len(theirs)} lines, and of loopsim (+), {len(ours)} lines",
                      *(f"  {line}" for line in ours[max(first - 3, 0):first]), *(f"- {line}" for line in theirs[first:first + 4]),
                      *(f"+ {line}" for line in ours[first:first + 4])])


class Judge:
    """Compiles programs, and runs them in the libuv of Node binaries."""

    def __init__(self, loopsim: str, nodes: Path, folder: Path) -> None:
        self.loopsim, self.nodes, self.folder = loopsim, nodes, folder
        self.library = virtual_clock()
        self.numbers = itertools.count()
        self.script = folder / "load.js"
        self.script.write_text(LOAD)

    def compile(self, program: Program, runtimes: list[str]) -> None:
        """Makes the shared objects: one for all versions for which the text is the same."""
        made: dict[str, Path] = {}
        for runtime in runtimes:
            source = subprocess.run([self.loopsim, "c", str(program.scenario), "--judged", "-r", runtime], capture_output=True, text=True,
                                    check=False)
            if source.returncode != 0:
                program.objects[runtime] = Impossible(source.stderr.strip().splitlines()[0])
                continue
            if source.stdout not in made:
                name = self.folder / f"{program.scenario.stem}-{next(self.numbers)}"  # two may have the same name, in two folders
                name.with_suffix(".c").write_text(source.stdout)
                subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O0", "-w", "-fPIC", "-shared", "-o",
                                str(name.with_suffix(".node")), str(name.with_suffix(".c"))], check=True)
                made[source.stdout] = name.with_suffix(".node")
            program.objects[runtime] = made[source.stdout]

    def run(self, objects: list[Path], major: int, threads: int, network: bool) -> list[list[str]]:
        """What each of them printed. One that ends its process gets the line `(died)`; the next are run in a process of their own."""
        outputs: list[list[str]] = []
        while len(outputs) < len(objects):
            outputs += self.run_process(objects[len(outputs):], major, threads, network)
        return outputs

    def run_process(self, objects: list[Path], major: int, threads: int, network: bool) -> list[list[str]]:
        trace = self.folder / f"{objects[0].stem}-{major}-{threads}.trace"
        why = ""
        node = self.nodes / str(major) / "bin" / "node"
        settings = f"LD_PRELOAD={self.library} UV_THREADPOOL_SIZE={threads}" + (" VCLOCK_NETWORK=1" if network else "")
        shell = f'out=$1; shift; ulimit -f {MOST_OUTPUT}; {settings} exec "$@" 3> "$out"'
        words = ["sh", "-c", shell, "sh", trace, node, self.script, *objects]
        try:
            done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=TIMEOUT)
            if done.returncode != 0:
                has_died = done.returncode < 0 and (not done.stderr or "Assertion" in done.stderr)
                why = "(died)" if has_died else f"(status {done.returncode}) {done.stderr.strip()[:300]}"
        except subprocess.TimeoutExpired:
            why = f"(did not end within {TIMEOUT} s)"
        parts = re.split(r"^program \d+\n", trace.read_text(errors="replace"), flags=re.MULTILINE)[1:]
        outputs = [[re.sub(r"^(\d+) +", r"\1 ", line) for line in part.splitlines()] for part in parts]
        trace.unlink()
        if why and outputs:
            outputs[-1].append(why)
        elif why:
            raise Impossible(f"Node {major}: {why}")
        return outputs

    def compare(self, programs: list[Program], major: int) -> list[tuple[str, str]]:
        """Returns for each of the programs, which have the same number of threads, agrees, differs or not run, and an explanation."""
        runtime = RUNTIMES[major]
        ours: dict[int, list[str]] = {}
        verdicts: dict[int, tuple[str, str]] = {}
        for index, program in enumerate(programs):
            what = program.objects[runtime]
            try:
                if isinstance(what, Impossible):
                    raise what
                lines = simulated(self.loopsim, program.scenario, runtime)
                if not program.ends and lines and " limit " in lines[-1]:
                    raise Impossible(f"ends at its limit of {lines[-1].split()[-1]}: real libuv would not end")
                ours[index] = lines
            except Impossible as why:
                verdicts[index] = "not run", str(why)
        objects = [what for index in ours if isinstance(what := programs[index].objects[runtime], Path)]
        theirs = dict(zip(ours, self.run(objects, major, programs[0].threads,
                                             any(program.network for program in programs)))) if objects else {}
        for index, lines in ours.items():
            if lines == theirs[index]:
                verdicts[index] = "agrees", f"{len(lines)} lines"
            else:
                verdicts[index] = "differs", difference(theirs[index], lines, f"libuv of Node {major}")
        return [verdicts[index] for index in range(len(programs))]

"""Runs one scenario on both sides and compares what happened.

What is compared is the sequence of

    callback    a callback of the script began: its label and the true time in nanoseconds
    output      a line of console.log
    exit        the exit code

The simulator's side comes from `loopsim run --format jsonl`, the real one from `loopsim js --instrumented`, run by vnode.

Comparable are the callbacks whose begin both sides can see: those that the instrumented script traces, less
  - what resumes after `await`: a script cannot trace it (put a `log` behind the await instead);
  - async functions started by an `async` step, executors of promises and functions called by `call`: the script traces some
    of them, but they begin inside another callback, and the simulator does not tell them.
Natives turned into promises (`{"await": {"setTimeout": 5}}`) have no callback of the script's own, so they have no trace line.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
MAJORS = (4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26)

# Callbacks of these kinds begin inside another callback, or cannot be seen by a script.
INVISIBLE = frozenset({"await", "async", "promise", "function"})

TRACED = re.compile(r"\btrace\d*\('((?:[^'\\]|\\.)*)'\);")
ASYNC_STARTED = re.compile(r"(?<![\w$])\((?:async )?(?:[\w$]+|\([^()\n]*\)) => \{\s*trace\d*\('((?:[^'\\]|\\.)*)'\);")
EXECUTOR = re.compile(
    r"(?:new Promise|\bdeferred\d*)\((?:async )?(?:[\w$]+|\([^()\n]*\)) => \{\s*trace\d*\('((?:[^'\\]|\\.)*)'\);"
)

REAL_TIMEOUT_S = 30


@dataclass(frozen=True)
class Event:
    """`label` is None for a line of output."""

    label: str | None
    time: int = 0
    text: str = ""

    def __str__(self) -> str:
        if self.label is None:
            return f"{'':>14}  | {self.text}"
        return f"{self.time / 1e6:14.6f}  {self.label}"


@dataclass
class Run:
    events: list[Event]
    exit_code: int
    stderr: str = ""
    limit: str = ""


@dataclass
class Comparison:
    """`status`: equal, different, skipped (a limit was reached), invalid (no such scenario), harness (no real run)."""

    status: str
    message: str = ""
    first: int = -1
    simulated: Run | None = None
    real: Run | None = None

    def kind(self) -> str:
        """A rough class of the difference: order, time, output, missing, extra or exit."""
        assert self.simulated is not None and self.real is not None
        a, b = self.simulated.events, self.real.events
        if self.first >= len(a) and self.first >= len(b):
            return "exit"
        if self.first >= len(a):
            return "missing"
        if self.first >= len(b):
            return "extra"
        x, y = a[self.first], b[self.first]
        if x.label is not None and x.label == y.label:
            return "time"
        return "output" if x.label is None and y.label is None else "order"


@dataclass
class Tools:
    loopsim: str = os.environ.get("LOOPSIM", "loopsim")
    vnode: str = str(HERE / "vnode")


class BadScenario(Exception):
    pass


def simulate(tools: Tools, scenario: Path, major: int) -> tuple[Run, dict[str, Any], list[tuple[str, Event]]]:
    """The run, the trace's header, and the events with the API that made them."""
    done = subprocess.run(
        [tools.loopsim, "run", "--runtime", f"node-{major}", "--format", "jsonl", str(scenario)],
        capture_output=True,
        text=True,
        timeout=REAL_TIMEOUT_S,
    )
    if done.returncode not in (0, 3):
        raise BadScenario(f"loopsim run: status {done.returncode}\n{done.stderr.strip()}")
    lines = done.stdout.splitlines()
    header = json.loads(lines[0])
    run = Run([], 0, done.stderr)
    events: list[tuple[str, Event]] = []
    for line in lines[1:]:
        record = json.loads(line)
        match record["ev"]:
            case "callback_begin":
                events.append((record["api"], Event(record["name"], record["t"])))
            case "log":
                events.extend(("log", Event(None, 0, text)) for text in record.get("text", "").split("\n"))
            case "limit":
                run.limit = record.get("what", "limit")
            case "exit":
                run.exit_code = record["code"]
    return run, header, events


def instrumented(tools: Tools, scenario: Path, major: int) -> str:
    done = subprocess.run(
        [tools.loopsim, "js", "--instrumented", "--runtime", f"node-{major}", str(scenario)],
        capture_output=True,
        text=True,
        timeout=REAL_TIMEOUT_S,
    )
    if done.returncode != 0:
        raise BadScenario(f"loopsim js: status {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def run_real(tools: Tools, script: Path, major: int, header: dict[str, Any]) -> Run:
    # A process that dies in its uncaughtException listener emits no 'exit', at which the script would write its lines.
    script.write_text(script.read_text().replace("AtOnce = false;", "AtOnce = true;"))
    environment = {
        **os.environ,
        "LOOPSIM_VCLOCK": "1",
        "LOOPSIM_TRACE_FD": "1",
        "UV_THREADPOOL_SIZE": str(header["threadpool"]),
        "VCLOCK_PHASE_NS": str(header["clock_phase"]),
    }
    if "require('net')" in script.read_text() or "from 'net'" in script.read_text():
        environment["VCLOCK_NETWORK"] = "1"
    # V8 posts tasks to the loop when the heap has grown (the memory reducer, collections of the young generation), which wakes the poll.
    minor = "--no-minor-gc-task" if major >= 20 else "--no-scavenge-task"
    flags = ["--no-memory-reducer", minor] if major >= 16 else []
    done = subprocess.run(
        [tools.vnode, str(major), *flags, str(script)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=REAL_TIMEOUT_S,
        stdin=subprocess.DEVNULL,
    )
    run = Run([], done.returncode, done.stderr)
    for line in done.stdout.splitlines():
        if line.startswith("output "):
            run.events.append(Event(None, 0, line[len("output ") :]))
        else:
            label, _, time = line.rpartition(" ")
            run.events.append(Event(label, int(time)))
    return run


def comparable_labels(script: str) -> frozenset[str]:
    traced = set(TRACED.findall(script))
    at_once = set(ASYNC_STARTED.findall(script)) | set(EXECUTOR.findall(script))
    return frozenset(traced - at_once)


def compare_file(tools: Tools, scenario: Path, major: int) -> Comparison:
    try:
        simulated, header, told = simulate(tools, scenario, major)
        if simulated.limit:
            return Comparison("skipped", f"limit: {simulated.limit}", simulated=simulated)
        script = instrumented(tools, scenario, major)
    except BadScenario as problem:
        return Comparison("invalid", str(problem))
    except subprocess.TimeoutExpired:
        return Comparison("harness", "loopsim took too long")

    labels = comparable_labels(script)
    simulated.events = [
        event for api, event in told if event.label is None or (event.label in labels and api not in INVISIBLE)
    ]
    suffix = ".mjs" if header["entry"] == "module" else ".js"
    with tempfile.TemporaryDirectory(prefix="fidelity-") as folder:
        path = Path(folder) / f"script{suffix}"
        path.write_text(script)
        try:
            real = run_real(tools, path, major, header)
        except subprocess.TimeoutExpired:
            return Comparison("harness", "the real run took too long", simulated=simulated)
        except ValueError as problem:
            return Comparison("harness", f"unexpected output: {problem}", simulated=simulated)
    real.events = [event for event in real.events if event.label is None or event.label in labels]
    if real.exit_code in (2, 125) and "vclock:" in real.stderr:
        return Comparison("harness", real.stderr.strip(), simulated=simulated, real=real)
    if real.exit_code < 0:
        return Comparison("harness", f"signal {-real.exit_code}\n{real.stderr.strip()}", simulated=simulated, real=real)

    first = first_difference(simulated.events, real.events)
    if first < 0 and simulated.exit_code != real.exit_code:
        first = max(len(simulated.events), len(real.events))
    status = "equal" if first < 0 else "different"
    return Comparison(status, "", first, simulated, real)


def first_difference(a: Sequence[Event], b: Sequence[Event]) -> int:
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return i
    return -1 if len(a) == len(b) else min(len(a), len(b))


def report(comparison: Comparison, context: int = 6, whole: bool = False) -> str:
    """Both sequences side by side around the first difference."""
    if comparison.status != "different":
        return f"{comparison.status} {comparison.message}".strip()
    assert comparison.simulated is not None and comparison.real is not None
    a = [str(event) for event in comparison.simulated.events] + [f"exit {comparison.simulated.exit_code}"]
    b = [str(event) for event in comparison.real.events] + [f"exit {comparison.real.exit_code}"]
    first = comparison.first
    begin, end = (0, max(len(a), len(b))) if whole else (max(0, first - context), first + context + 1)
    width = max([len("simulator")] + [len(line) for line in a[begin:end]])
    out = [f"    {'simulator':{width}}   real Node"]
    for i in range(begin, min(end, max(len(a), len(b)))):
        x = a[i] if i < len(a) else ""
        y = b[i] if i < len(b) else ""
        out.append(f"{'>>' if i == first else '  '}  {x:{width}}   {y}".rstrip())
    error = comparison.real.stderr.strip()
    if error:
        out += ["real stderr:"] + [f"    {line}" for line in error.splitlines()[:8]]
    return "\n".join(out)


def parse_majors(text: str) -> list[int]:
    """`24`, `12,18`, `12..20`, `all`."""
    if text == "all":
        return list(MAJORS)
    majors: list[int] = []
    for part in text.split(","):
        low, dots, high = part.strip().removeprefix("node-").partition("..")
        if dots:
            majors += [major for major in MAJORS if int(low) <= major <= int(high.removeprefix("node-"))]
        else:
            majors.append(int(low))
    unknown = [major for major in majors if major not in MAJORS]
    if unknown:
        raise ValueError(f"no such version: {unknown[0]}")
    return majors


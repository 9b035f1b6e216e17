"""Runs one scenario on both sides and compares the runs.

The comparison covers the sequence of

    callback    a callback of the script began: its label and the true time in nanoseconds
    await       an async function went on after an await: the function's label and the time
    output      a line of console.log
    exit        the exit code, and the time at which JavaScript ended

The simulator's side comes from `loopsim run --format jsonl`, the real one from `loopsim js --instrumented`, run by vnode.
Every callback in the trace is compared. Code that begins inside another callback (the body of an async function up to its
first await, an executor, a function called by `call`) is part of that callback on both sides.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
MAJORS = (4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26)

# V8 posts tasks to the loop, which wake the poll: a task of the memory reducer when the heap has grown, and one for a
# collection when the young generation is nearly full. In Node 16 and later they depend on how much the script
# allocates; in Node 12 and 14 they always occur during startup, and the profiles include them. Known difference
# garbage-collection.
NODE_FLAGS: dict[int, tuple[str, ...]] = {
    major: ("--no-memory-reducer", "--no-minor-gc-task" if major >= 20 else "--no-scavenge-task")
    for major in MAJORS
    if major >= 16
}

REAL_TIMEOUT_S = 30


@dataclass(frozen=True)
class Event:
    """`label` is None for a line of output; `kind` is `callback` or `await`."""

    label: str | None
    time: int = 0
    text: str = ""
    kind: str = "callback"

    def __str__(self) -> str:
        if self.label is None:
            return f"{'':>14}  | {self.text}"
        return f"{self.time / 1e6:14.6f}  {'' if self.kind == 'callback' else self.kind + ' '}{self.label}"


@dataclass
class Run:
    events: list[Event]
    exit_code: int
    stderr: str = ""
    limit: str = ""
    end_time: int | None = None  # time at which JavaScript ended

    def end(self) -> str:
        time = f"{'':>14}" if self.end_time is None else f"{self.end_time / 1e6:14.6f}"
        return f"{time}  exit {self.exit_code}"

    def read_trace(self, text: str) -> None:
        """Parses the lines of an instrumented script, and the last line, which vclock writes."""
        for line in text.removesuffix("\n").split("\n") if text else []:
            kind, _, rest = line.partition(" ")
            match kind:
                case "output":
                    self.events.append(Event(None, 0, rest))
                case "callback" | "await":
                    label, _, time = rest.rpartition(" ")
                    self.events.append(Event(label, int(time), "", kind))
                case "exit":
                    self.end_time = int(rest)
                case _:
                    raise ValueError(line)


@dataclass
class Comparison:
    """`status`: equal, different, skipped (a limit was reached), invalid (no such scenario), harness (no real run)."""

    status: str
    message: str = ""
    first: int = -1
    simulated: Run | None = None
    real: Run | None = None

    def kind(self) -> str:
        """Classifies the difference: order, time, output, missing, extra or exit."""
        assert self.simulated is not None and self.real is not None
        a, b = self.simulated.events, self.real.events
        if self.first >= len(a) and self.first >= len(b):
            return "exit"
        if self.first >= len(a):
            return "missing"
        if self.first >= len(b):
            return "extra"
        x, y = a[self.first], b[self.first]
        if x.label is not None and (x.kind, x.label) == (y.kind, y.label):
            return "time"
        return "output" if x.label is None and y.label is None else "order"


# Signals of the scenario language that end a process; any other is a crash.
ENDING_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGKILL, signal.SIGUSR2, signal.SIGALRM, signal.SIGTERM)


@dataclass
class Tools:
    loopsim: str = os.environ.get("LOOPSIM", "loopsim")
    vnode: str = str(HERE / "vnode")


class BadScenario(Exception):
    pass


def simulate(tools: Tools, scenario: Path, major: int) -> tuple[Run, dict[str, Any], list[tuple[str, Event]]]:
    """Returns the run, the header of the trace, and the events with the API that created them."""
    done = subprocess.run(
        [tools.loopsim, "run", "--runtime", f"node-{major}", "--format", "jsonl", str(scenario)],
        capture_output=True,
        text=True,
        timeout=REAL_TIMEOUT_S,
    )
    if done.returncode not in (0, 3):
        raise BadScenario(f"loopsim run: status {done.returncode}\n{done.stderr.strip()}")
    lines = done.stdout.rstrip("\n").split("\n")
    header = json.loads(lines[0])
    run = Run([], 0, done.stderr)
    events: list[tuple[str, Event]] = []
    for line in lines[1:]:
        record = json.loads(line)
        match record["ev"]:
            case "callback_begin":
                kind = "await" if record["api"] == "await" else "callback"
                events.append((record["api"], Event(record["name"], record["t"], "", kind)))
            case "log":
                events.extend(("log", Event(None, 0, text)) for text in record.get("text", "").split("\n"))
            case "limit":
                run.limit = record["limit"]
            case "exit":
                run.exit_code = record["code"]
                run.end_time = record["t"]
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


def run_real(tools: Tools, script: Path, major: int, header: dict[str, Any], flags: Sequence[str]) -> Run:
    environment = {
        **os.environ,
        "LOOPSIM_VCLOCK": "1",
        "LOOPSIM_TRACE_FD": "1",
        "VCLOCK_END_FD": "1",
        "UV_THREADPOOL_SIZE": str(header["threadpool"]),
        "VCLOCK_PHASE_NS": str(header["clock_phase"]),
    }
    if "require('net')" in script.read_text() or "from 'net'" in script.read_text():
        environment["VCLOCK_NETWORK"] = "1"
    # Standard error is a file: in Node 26, writing to a pipe later wakes the poll; a terminal or file does not.
    with tempfile.TemporaryFile("w+") as errors:
        done = subprocess.run(
            [tools.vnode, str(major), *flags, str(script)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
            timeout=REAL_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
        )
        errors.seek(0)
        run = Run([], shell_status(done.returncode), errors.read())
    run.read_trace(done.stdout)
    return run


def shell_status(status: int) -> int:
    """Converts the status of a process that ended by a signal of the scenario language to that of a shell."""
    return 128 - status if -status in ENDING_SIGNALS else status


def compare_file(tools: Tools, scenario: Path, major: int, plain: bool = False) -> Comparison:
    """Runs the script in real Node. `plain`: without NODE_FLAGS."""
    try:
        simulated, header, told = simulate(tools, scenario, major)
        if simulated.limit:
            return Comparison("skipped", f"limit: {simulated.limit}", simulated=simulated)
        script = instrumented(tools, scenario, major)
    except BadScenario as problem:
        return Comparison("invalid", str(problem))
    except subprocess.TimeoutExpired:
        return Comparison("harness", "loopsim took too long")

    simulated.events = [event for _, event in told]
    suffix = ".mjs" if header["entry"] == "module" else ".js"
    with tempfile.TemporaryDirectory(prefix="fidelity-") as folder:
        path = Path(folder) / f"script{suffix}"
        path.write_text(script)
        try:
            real = run_real(tools, path, major, header, () if plain else NODE_FLAGS.get(major, ()))
        except subprocess.TimeoutExpired:
            return Comparison("harness", "the real run took too long", simulated=simulated)
        except ValueError as problem:
            return Comparison("harness", f"unexpected output: {problem}", simulated=simulated)
    if real.exit_code in (2, 125) and "vclock:" in real.stderr:
        return Comparison("harness", real.stderr.strip(), simulated=simulated, real=real)
    if real.exit_code < 0:
        return Comparison("harness", f"signal {-real.exit_code}\n{real.stderr.strip()}", simulated=simulated, real=real)

    if real.end_time is None:
        return Comparison("harness", f"no end\n{real.stderr.strip()}", simulated=simulated, real=real)

    first = first_difference(simulated.events, real.events)
    if first < 0 and simulated.end() != real.end():
        first = max(len(simulated.events), len(real.events))
    status = "equal" if first < 0 else "different"
    return Comparison(status, "", first, simulated, real)


def first_difference(a: Sequence[Event], b: Sequence[Event]) -> int:
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return i
    return -1 if len(a) == len(b) else min(len(a), len(b))


def report(comparison: Comparison, context: int = 6, whole: bool = False) -> str:
    """Formats both sequences side by side around the first difference."""
    if comparison.status != "different":
        return f"{comparison.status} {comparison.message}".strip()
    assert comparison.simulated is not None and comparison.real is not None
    a = [str(event) for event in comparison.simulated.events] + [comparison.simulated.end()]
    b = [str(event) for event in comparison.real.events] + [comparison.real.end()]
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
    """Parses a list of versions: `24`, `12,18`, `12..20`, `all`."""
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


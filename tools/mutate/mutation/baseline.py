"""Runs the tests without a fault: they must pass. Records the time of each, and the faults that it reaches.

A test that does not reach a fault's place cannot find it, and is not run for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from mutation import children
from mutation.project import Stage
from mutation.schemata import RECORD_FILE, VARIABLE

SKIPPED = 77


@dataclass
class Run:
    status: int | None  # None: timeout
    seconds: float
    output: str


def escaped(name: str) -> str:
    """Escapes a name for a file that Catch2 reads: a comma begins the next name, a bracket a tag."""
    return re.sub(r'([\\",\[\]~*])', r"\\\1", name)


def run(stage: Stage, work: Path, fault: str, limit: float, tests: list[str] | None = None, reached: Path | None = None) -> Run:
    """Runs a test with a fault (a number, `record`, or nothing) in its own process group, all of which has ended on return."""
    work.mkdir(parents=True, exist_ok=True)
    command = list(stage.command)
    if tests is None:
        if "{tests}" in command:
            command = command[:command.index("{tests}") - 1]
    else:
        (work / "tests.txt").write_text("".join(escaped(name) + "\n" for name in tests))
    command = [word.replace("{work}", str(work)).replace("{tests}", str(work / "tests.txt")) for word in command]
    temporary = work / "tmp"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, **stage.environment, "TMPDIR": str(temporary)}
    environment.pop(VARIABLE, None)
    if fault:
        environment[VARIABLE] = fault
    if reached:
        environment[RECORD_FILE] = str(reached)
    # Limit the CPU time too: a fault may cause an endless loop, and the parent may be gone by then.
    bounds = f"ulimit -c 0; ulimit -t {60 + int(limit) * (os.cpu_count() or 1)}"
    if stage.memory_gib:
        bounds += f"; ulimit -v {stage.memory_gib << 20}"
    command = ["sh", "-c", f'{bounds}; exec "$@"', "sh", *command]
    start = time.monotonic()
    with open(work / "output", "wb+") as output:
        process = children.start(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment, cwd=work)
        try:
            status: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            children.end(process)
        children.check()
        size = output.seek(0, os.SEEK_END)
        output.seek(max(0, size - 2_000_000))
        said = output.read().decode(errors="replace")
    return Run(status, time.monotonic() - start, said)


@dataclass
class Measured:
    """The record of a stage in the run without a fault."""

    seconds: float
    reached: set[int]
    cases: dict[str, tuple[float, set[int]]] = field(default_factory=dict)  # Catch2 test case -> seconds, faults


def read_reached(path: Path) -> tuple[set[int], dict[str, tuple[float, set[int]]]]:
    """Parses a record: lines of numbers; `= 12 name` ends a test case of 12 ms, and `= ` begins one."""
    everywhere: set[int] = set()
    cases: dict[str, tuple[float, set[int]]] = {}
    outside: set[int] = set()
    now = outside
    for line in path.read_text(errors="replace").splitlines() if path.exists() else []:
        if line.rstrip() == "=":
            now = set()
        elif match := re.fullmatch(r"= ([0-9]+) (.*)", line):
            cases[match[2]] = (int(match[1]) / 1000, now)
            now = outside
        else:
            now.add(int(line))
            everywhere.add(int(line))
    return everywhere, {name: (seconds, faults | outside) for name, (seconds, faults) in cases.items()}


def measure(stage: Stage, work: Path, kept: Path, fingerprint: str) -> Measured | None:
    """Records one stage. Returns None if the test reports that it cannot run here. Raises ValueError if it fails without a fault."""
    memory = kept / (re.sub(r"\W+", "-", stage.name) + ".json")
    if memory.exists():
        old = json.loads(memory.read_text())
        if old["fingerprint"] == fingerprint:
            if old["measured"] is None:
                return None
            values = old["measured"]
            return Measured(values["seconds"], set(values["reached"]),
                            {name: (seconds, set(faults)) for name, (seconds, faults) in values["cases"].items()})
    recorded = work / "reached"
    done = Run(1, 0, "")
    for _ in range(2):  # some tests depend on timing and may fail on a busy machine; retry once
        recorded.unlink(missing_ok=True)
        done = run(stage, work, "record", 1800, reached=recorded)
        if done.status in (0, SKIPPED):
            break
    else:
        raise ValueError(f"{stage.name} fails without any fault:\n{done.output[-3000:]}")
    measured = None
    if done.status == 0:
        everywhere, cases = read_reached(recorded)
        measured = Measured(done.seconds, everywhere, cases if stage.by_case else {})
    kept.mkdir(parents=True, exist_ok=True)
    memory.write_text(json.dumps({"fingerprint": fingerprint, "measured": None if measured is None else asdict(measured)}, default=sorted))
    return measured

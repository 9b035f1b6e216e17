"""The simulator's side: exchanges messages with loopsim_conformance_feed (feed.cpp), which runs many scenarios and versions."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fidelity.compare import Event, Run


@dataclass
class Answer:
    """The result of the simulator for one scenario and version. `status`: ok, or the reason why it cannot be compared (Comparison)."""

    major: int
    status: str = "ok"
    message: str = ""
    run: Run | None = None
    script: str = ""
    suffix: str = ".js"
    environment: dict[str, str] | None = None

    def callbacks(self) -> int:
        return sum(event.label is not None for event in self.run.events) if self.run else 0

    def output_lines(self) -> int:
        return sum(event.label is None for event in self.run.events) if self.run else 0


class FeedDied(Exception):
    """The simulator crashed on a scenario."""


class Feed:
    def __init__(self, program: Path) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, document: str, majors: Sequence[int]) -> list[Answer]:
        answers: list[Answer] = []
        for record, major in zip(self.records(document, majors), majors):
            answers.append(read_answer(record, major, answers))
        return answers

    def records(self, document: str, majors: Sequence[int]) -> list[dict[str, Any]]:
        """Returns the feed's line for each version."""
        if self.process is None:
            self.process = subprocess.Popen([str(self.program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None and self.process.stdout is not None
        text = document.encode()
        runtimes = ",".join(f"node-{major}" for major in majors)
        try:
            self.process.stdin.write(f"{len(text)} {runtimes}\n".encode() + text)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # detected below
        records = []
        for major in majors:
            line = self.process.stdout.readline()
            if not line:
                status = self.process.wait()
                self.process = None
                raise FeedDied(f"the simulator ended with status {status} (node-{major})")
            records.append(json.loads(line))
        return records

    def stop(self) -> None:
        if self.process is None:
            return
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        self.process = None


# The module is used only in real time; under the virtual clock loading it would be a third of a run, without effect.
CRYPTO = re.compile(r"^const (crypto\d*) = require\('crypto'\);$", re.MULTILINE)

NETWORK = re.compile(r"require\('net'\)|from 'net'")


def read_answer(record: dict[str, Any], major: int, before: Sequence[Answer]) -> Answer:
    if record["status"] != "ok":
        return Answer(major, record["status"], record["message"])
    script = record["script"]
    if isinstance(script, int):
        script = before[script].script
    script = CRYPTO.sub(r"const \1 = null;", script)
    return Answer(
        major,
        run=Run(
            [read_event(event) for event in record["events"]],
            record["exit_code"],
            limit=record["limit"],
            end_time=record["exit_time"],
        ),
        script=script,
        suffix=".mjs" if record["entry"] == "module" else ".js",
        environment={
            "LOOPSIM_VCLOCK": "1",
            "LOOPSIM_TRACE_FD": "1",
            "VCLOCK_END_FD": "1",
            "UV_THREADPOOL_SIZE": str(record["threadpool"]),
            "VCLOCK_PHASE_NS": str(record["clock_phase"]),
            **({"VCLOCK_NETWORK": "1"} if NETWORK.search(script) else {}),
        },
    )


def read_event(event: list[Any]) -> Event:
    if event[0] == "log":
        return Event(None, 0, event[1])
    return Event(event[1], event[2], "", "await" if event[0] == "await" else "callback")

"""A campaign: many random programs and all shipped scenarios, on many versions, by several processes, resumable.

Its folder holds

    journal.jsonl   one line per finished task; the first line describes the campaign
    failures/       every scenario that differs (shrunk, if time allowed) and the runs of both sides
    pairs.json      counts of pairs, triples, options and names in the compared programs (census.py)
    work/           the running scripts
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import multiprocessing
import multiprocessing.connection
import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from fidelity.census import Census, Space, possible
from fidelity.compare import HERE
from fidelity.generate import dump
from fidelity.javascript.constructs import FILE as GRAMMAR
from fidelity.javascript.programs import programs as javascript_programs
from fidelity.programs import MIXED, choice, programs
from fidelity.runner import REPEATED, Outcome, Result, Runner, Setup, Task

ROOT = HERE.parent.parent
STALLED_S = 1800  # a task that takes longer is abandoned and its worker killed


@dataclass(frozen=True)
class Plan:
    """The description of a campaign. The same plan always has the same tasks."""

    majors: tuple[int, ...]
    programs: int
    seed: int
    features: str
    focus: str
    kind: str
    size: int
    scenarios: tuple[str, ...]
    fork: bool
    check_fork: bool
    javascript: bool = False

    def key(self) -> str:
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]

    def words(self) -> str:
        """Returns a short description of the programs."""
        if self.javascript:
            return f"JavaScript, {self.features}"
        parts = [self.features, f"focus {self.focus}" if self.focus else "", self.kind if self.kind != MIXED else ""]
        return ", ".join(part for part in parts if part)

    def arguments(self) -> str:
        """Returns the command line options that give such programs."""
        words = (("features", self.features), ("focus", self.focus), ("kind", self.kind if self.kind != MIXED else ""))
        return " ".join(f"--{name} {word}" for name, word in words if word)

    def space(self) -> Space:
        """Returns the part of the grammar available to such programs."""
        return possible(choice(self.features, self.focus).features, max(self.majors))

    def tasks(self) -> Iterator[Task]:
        for name in self.scenarios:
            yield Task(name, [((ROOT / name).read_text(), list(self.majors))])
        for seed in range(self.seed, self.seed + self.programs):
            yield Task(f"seed-{seed}", [])

    def fill(self, task: Task) -> Task:
        """Returns the task with its programs: random programs are generated on demand."""
        if not task.parts and task.is_random():
            task.parts = self.program(int(task.name.removeprefix("seed-")))
        return task

    def program(self, seed: int) -> list[tuple[str, list[int]]]:
        """Returns the documents with the versions that run them."""
        if self.javascript:
            return [(json.dumps(tree), majors) for tree, majors in javascript_programs(seed, self.features, self.size, self.majors)]
        made_of = choice(self.features, self.focus, self.size, self.kind)
        return [(dump(document), majors) for document, majors in programs(seed, made_of, self.majors)]


def fingerprint(setup: Setup) -> str:
    """Returns a digest of everything that a result depends on: results of another build are not reused."""
    state = hashlib.sha256()
    data = [setup.feed, setup.library, HERE / "node-versions.lock", HERE / "grammar.json", GRAMMAR]
    for path in [*data, *sorted((HERE / "fidelity").rglob("*.py"))]:
        state.update(path.read_bytes())
    return state.hexdigest()


def shipped_scenarios() -> tuple[str, ...]:
    """All but those that no Node runs: tools/conformance/libuv compares those for libuv alone."""
    # Pages of browsers and models of I/O have tools of their own.
    files = sorted(file for file in (ROOT / "scenarios").rglob("*.json") if file.parent.name not in ("browser", "io"))
    return tuple(str(file.relative_to(ROOT)) for file in files if not file.name.endswith(".schema.json") and file.parent.name != "libuv")


# ---- results -------------------------------------------------------------------------------------------------------


@dataclass
class Row:
    """A row of the table."""

    programs: int = 0
    callbacks: int = 0
    output_lines: int = 0
    mismatches: int = 0
    problems: int = 0
    repeated: Counter[str] = field(default_factory=Counter)  # by cause
    skipped: Counter[str] = field(default_factory=Counter)


class Tally:
    def __init__(self, majors: Iterable[int]) -> None:
        self.rows = {major: Row() for major in majors}
        self.failures: list[tuple[str, Outcome]] = []

    def add(self, result: Result) -> None:
        for outcome in result.outcomes:
            row = self.rows[outcome.major]
            match outcome.status:
                case "equal":
                    row.programs += 1
                    row.callbacks += outcome.callbacks
                    row.output_lines += outcome.output_lines
                    if outcome.message in REPEATED:
                        row.repeated[outcome.message.removeprefix("repeated: ")] += 1
                case "skipped":
                    row.skipped[outcome.message] += 1
                case "invalid":
                    row.skipped["no such scenario for this version"] += 1
                case "different":
                    row.programs += 1
                    row.mismatches += 1
                    self.failures.append((result.name, outcome))
                case _:
                    row.problems += 1
                    self.failures.append((result.name, outcome))

    def mismatches(self) -> int:
        return sum(row.mismatches for row in self.rows.values())

    def problems(self) -> int:
        return sum(row.problems for row in self.rows.values())

    def runs(self) -> int:
        return sum(row.programs + row.problems for row in self.rows.values())

    def status(self) -> int:
        return 2 if self.problems() else 1 if self.mismatches() else 0

    def table(self) -> str:
        head = ("version", "programs", "callbacks", "output lines", "mismatches", "no result", "repeated", "skipped")
        cells = [head]
        total = Row()
        for major, row in self.rows.items():
            cells.append(line_of(f"node-{major}", row))
            for name in ("programs", "callbacks", "output_lines", "mismatches", "problems"):
                setattr(total, name, getattr(total, name) + getattr(row, name))
            total.repeated += row.repeated
            total.skipped += row.skipped
        cells.append(line_of("all", total))
        widths = [max(len(line[i]) for line in cells) for i in range(len(head) - 1)]
        return "\n".join(
            "  ".join([line[0].ljust(widths[0])] + [line[i].rjust(widths[i]) for i in range(1, len(widths))] + [line[-1]]).rstrip()
            for line in cells
        )

    def explain(self, shown: int = 20) -> str:
        lines = []
        for name, outcome in self.failures[:shown]:
            what = "differs" if outcome.status == "different" else "has no result"
            first = outcome.message.strip().splitlines()[0] if outcome.message.strip() else ""
            lines.append(f"{name} on node-{outcome.major} {what}: {first}")
            if outcome.saved:
                lines.append(f"    {outcome.saved}, and both runs in the .txt beside it")
        if len(self.failures) > shown:
            lines.append(f"and {len(self.failures) - shown} more")
        return "\n".join(lines)


def line_of(name: str, row: Row) -> tuple[str, ...]:
    why = ", ".join(f"{count} ({reason})" for reason, count in row.skipped.most_common())
    counts = (row.programs, row.callbacks, row.output_lines, row.mismatches, row.problems, row.repeated.total())
    return (name, *(f"{count:,}" for count in counts), why or "-")


# ---- workers -------------------------------------------------------------------------------------------------------


def work(setup: Setup, number: int, connection: multiprocessing.connection.Connection, lock: int) -> None:
    """The main function of a worker process: reads tasks and writes results until there are no more."""
    os.close(lock)  # held only by the campaign, so that the next one can start as soon as this one is killed
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the campaign stops its workers
    campaign = os.getppid()
    runner = Runner(setup, number)
    try:
        while (task := next_task(connection, campaign)) is not None:
            connection.send(runner.do(task))
    except (EOFError, BrokenPipeError):
        pass  # the campaign has ended
    finally:
        runner.stop()


def next_task(connection: multiprocessing.connection.Connection, campaign: int) -> Task | None:
    """Ends this worker when the campaign was killed. Its pipe does not show that, because the other workers hold its ends, too."""
    while not connection.poll(2):
        if os.getppid() != campaign:
            raise EOFError
    return connection.recv()


@dataclass
class Worker:
    process: multiprocessing.process.BaseProcess
    connection: multiprocessing.connection.Connection
    number: int
    tasks: list[Task] = field(default_factory=list)  # the first is running, the second is queued
    since: float = 0.0


class Campaign:
    def __init__(self, plan: Plan, setup: Setup, folder: Path, jobs: int, shrink: int) -> None:
        self.plan, self.setup, self.folder, self.jobs, self.shrink = plan, setup, folder, jobs, shrink
        self.tally = Tally(plan.majors)
        self.census = Census()
        self.done: set[str] = set()
        folder.parent.mkdir(parents=True, exist_ok=True)
        self.lock = open(f"{folder}.lock", "w")  # noqa: SIM115  # open until the process ends
        self.workers: list[Worker] = []

    def is_alone(self) -> bool:
        """Locks the folder. Returns False if another campaign uses it."""
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def open_journal(self, fresh: bool) -> str:
        """Reads earlier results and returns messages about them."""
        path = self.folder / "journal.jsonl"
        head = {"plan": asdict(self.plan), "fingerprint": fingerprint(self.setup)}
        said = ""
        lines = path.read_text().split("\n") if path.exists() else []
        kept = 0
        if lines and not fresh:
            if lines[0] == json.dumps(head):
                kept = len(lines[0]) + 1
                for line in lines[1:-1]:  # after the last newline is a partial record of a killed campaign
                    record = json.loads(line)
                    result = Result(record["name"], [Outcome(**outcome) for outcome in record["outcomes"]])
                    self.tally.add(result)
                    self.count(self.plan.fill(Task(result.name, [])), result)
                    self.done.add(result.name)
                    kept += len(line.encode()) + 1
                said = f"goes on: {len(self.done):,} tasks were done before (--fresh begins again)" if self.done else ""
            else:
                said = "begins again: the simulator, or the check itself, is not what it was"
        if not kept:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            path.write_text(json.dumps(head) + "\n")
        else:
            os.truncate(path, kept)
        self.journal = path.open("a")
        return said

    def record(self, result: Result) -> None:
        self.tally.add(result)
        self.done.add(result.name)
        outcomes = [asdict(outcome) for outcome in result.outcomes]
        self.journal.write(json.dumps({"name": result.name, "outcomes": outcomes}) + "\n")
        self.journal.flush()

    def count(self, task: Task, result: Result) -> None:
        """Counts the contents of the compared random programs."""
        compared = {outcome.major for outcome in result.outcomes if outcome.status in ("equal", "different")}
        for text, majors in task.parts:
            if task.is_random() and compared & set(majors) and not self.plan.javascript:
                self.census.add(json.loads(text))

    def write_pairs(self) -> str:
        """Writes the counts, and returns a short summary."""
        space = self.plan.space()
        (self.folder / "pairs.json").write_text(json.dumps(self.census.table(space), indent=1) + "\n")
        return self.census.summary(space)

    def start_worker(self, number: int) -> Worker:
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(target=work, args=(self.setup, number, theirs, self.lock.fileno()), daemon=True)
        process.start()
        theirs.close()
        return Worker(process, ours, number)

    def run(self, progress: "Progress") -> None:
        waiting = (task for task in self.plan.tasks() if task.name not in self.done)
        self.workers = [self.start_worker(number) for number in range(self.jobs)]
        try:
            for worker in self.workers:
                self.give(worker, waiting)
            while any(worker.tasks for worker in self.workers):
                busy = {worker.connection: worker for worker in self.workers if worker.tasks}
                for connection in multiprocessing.connection.wait(list(busy), timeout=0.5):
                    self.take(busy[connection], waiting)  # type: ignore[index]
                for worker in busy.values():
                    if worker.tasks and time.monotonic() - worker.since > STALLED_S:
                        worker.process.kill()
                progress.show(self)
        finally:
            for worker in self.workers:
                try:
                    worker.connection.send(None)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # it has died
            for worker in self.workers:
                worker.process.join(0 if worker.tasks else 10)  # running tasks are repeated by the next campaign
                if worker.process.is_alive():
                    worker.process.kill()
                    worker.process.join()
            shutil.rmtree(self.setup.folder, ignore_errors=True)

    def give(self, worker: Worker, waiting: Iterator[Task]) -> None:
        while len(worker.tasks) < 2 and (task := next(waiting, None)) is not None:
            failed = Counter(outcome.major for _, outcome in self.tally.failures)
            self.plan.fill(task).shrink = frozenset(m for m in self.plan.majors if failed[m] < self.shrink)
            if not worker.tasks:
                worker.since = time.monotonic()
            worker.tasks.append(task)
            worker.connection.send(task)

    def take(self, worker: Worker, waiting: Iterator[Task]) -> None:
        try:
            result = worker.connection.recv()
            self.count(worker.tasks.pop(0), result)
            worker.since = time.monotonic()
        except (EOFError, ConnectionResetError):
            self.replace(worker)
            return
        self.record(result)
        self.give(worker, waiting)

    def replace(self, worker: Worker) -> None:
        """Replaces a dead worker; its task has no result."""
        worker.process.join()
        lost, *rest = worker.tasks
        majors = [major for _, part in lost.parts for major in part]
        message = f"the worker process ended (status {worker.process.exitcode})"
        self.record(Result(lost.name, [Outcome(major, "harness", message) for major in majors]))
        new = self.start_worker(worker.number)
        worker.process, worker.connection, worker.tasks = new.process, new.connection, rest
        worker.since = time.monotonic()
        for task in rest:
            worker.connection.send(task)
        if not rest:
            self.give(worker, iter(()))


# ---- progress ------------------------------------------------------------------------------------------------------


class Progress:
    """Shows progress: one changing line on a terminal, otherwise occasional lines."""

    def __init__(self, total: int, done: int) -> None:
        self.total, self.done_before = total, done
        self.begin = time.monotonic()
        self.is_terminal = sys.stderr.isatty()
        self.next = 0.0 if self.is_terminal else self.begin + 10
        self.runs_before = 0

    def show(self, campaign: Campaign, last: bool = False) -> None:
        now = time.monotonic()
        if now < self.next and not last:
            return
        self.next = now + (0.2 if self.is_terminal else 10)
        text = self.text(campaign, now - self.begin)
        if self.is_terminal:
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write("\r\x1b[K" + text[:width] + ("\n" if last else ""))
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def text(self, campaign: Campaign, seconds: float) -> str:
        done = len(campaign.done)
        rate = (done - self.done_before) / seconds if seconds > 0 else 0.0
        runs = (campaign.tally.runs() - self.runs_before) / seconds if seconds > 0 else 0.0
        bar = ""
        if self.is_terminal:
            full = 24 * done // max(self.total, 1)
            bar = "[" + "#" * full + "." * (24 - full) + "] "
        left = duration((self.total - done) / rate) + " left" if rate > 0 and done < self.total else duration(seconds)
        problems = campaign.tally.problems()
        return (
            f"{bar}{done:,}/{self.total:,} programs, {runs:.0f} runs/s, {left}, {campaign.tally.mismatches():,} mismatches"
            + (f", {problems:,} without result" if problems else "")
        )


def duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

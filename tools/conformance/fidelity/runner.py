"""Compares many scenarios with real Node quickly: the work of one worker process of a campaign."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fidelity.compare import Comparison, Run, first_difference, report, shell_status
from fidelity.feed import Answer, Feed, FeedDied
from fidelity.javascript import compare as javascript
from fidelity.javascript import programs as javascript_programs
from fidelity.javascript.shrink import shrink as shrink_tree
from fidelity.server import Fresh, RealRun, RunTimeout, Server, ServerDied
from fidelity.shrink import shrink

# Versions without the fork server: every run is a separate process. None so far.
FRESH_ONLY: frozenset[int] = frozenset()
# A run that differs in a fork is repeated in separate processes: on a busy machine the kernel may deliver a socket's
# data, or report a child's exit, with a delay that the virtual clock cannot see. If one repetition is equal, it is
# counted under that cause, but only for scripts with sockets or child processes. For other scripts the difference
# stands: the simulator must be able to produce every run of real Node.
OWN_PROCESSES = 3
OUTSIDE = ("require('net')", "from 'net'", "require('child_process')", "from 'child_process'")
# If none is equal, one more run has a young generation large enough for a short program: Node 8 reports every
# collection to perf_hooks through the loop (MarkGarbageCollectionEnd, uv_async_send), which wakes the poll, so a pool
# operation's end is reported before data that a socket had received earlier. Not used for all runs: without
# collections during startup the first poll sleeps (first_poll_wakes), and a refused connection and the pool's first
# operation swap places.
ROOMY = ("--min-semi-space-size=16",)
# Reasons for a run to be equal only when repeated.
KERNEL, COLLECTION = "repeated: kernel", "repeated: collection"
REPEATED = (KERNEL, COLLECTION)


@dataclass(frozen=True)
class Setup:
    """The paths and settings of a campaign."""

    feed: Path
    library: Path
    nodes: Path
    folder: Path  # for the scripts; a subfolder per worker
    failures: Path
    fork: bool = True
    check_fork: bool = False  # also run everything in a separate process; both must agree byte for byte
    tries: int = 250  # smaller scenarios to try per difference
    javascript: bool = False  # the documents are trees of JavaScript programs (fidelity/javascript), not scenarios


@dataclass
class Task:
    """One scenario file, or one random program, on some versions. A program may have a newer form for newer versions."""

    name: str
    parts: list[tuple[str, list[int]]]  # a document and the versions that run it
    shrink: frozenset[int] = frozenset()  # versions for which a failure is shrunk
    small: str = ""  # the shrunk document from an earlier version

    def is_random(self) -> bool:
        return self.name.startswith("seed-")


@dataclass
class Outcome:
    """The result of a task. `status` is that of Comparison."""

    major: int
    status: str
    message: str = ""
    callbacks: int = 0
    output_lines: int = 0
    saved: str = ""


@dataclass
class Result:
    name: str
    outcomes: list[Outcome] = field(default_factory=list)


class Runner:
    def __init__(self, setup: Setup, number: int) -> None:
        self.setup = setup
        self.folder = setup.folder / str(number)
        self.feed = Feed(setup.feed)
        self.places: dict[tuple[int, str, bool, tuple[str, ...]], Server | Fresh] = {}

    def stop(self) -> None:
        self.feed.stop()
        for place in self.places.values():
            place.stop()

    def do(self, task: Task) -> Result:
        result = Result(task.name)
        for document, majors in task.parts:
            try:
                answers = self.ask(document, majors)
            except FeedDied as problem:
                result.outcomes += [Outcome(major, "harness", str(problem)) for major in majors]
                continue
            for answer in answers:
                result.outcomes.append(self.judge(task, document, answer))
        return result

    def judge(self, task: Task, document: str, answer: Answer) -> Outcome:
        comparison = self.compare(answer)
        outcome = Outcome(answer.major, comparison.status, comparison.message)
        if comparison.status == "equal":
            outcome.callbacks, outcome.output_lines = answer.callbacks(), answer.output_lines()
        elif comparison.status in ("different", "harness"):
            outcome.saved = self.save(task, document, answer, comparison)
            outcome.message = outcome.message or comparison.kind()
        return outcome

    def ask(self, document: str, majors: Sequence[int]) -> list[Answer]:
        if self.setup.javascript:
            return javascript.ask(self.feed, json.loads(document), majors)
        return self.feed.ask(document, majors)

    # ---- comparison --------

    def compare(self, answer: Answer) -> Comparison:
        if answer.status != "ok":
            return Comparison(answer.status, answer.message)
        assert answer.run is not None
        if answer.run.limit:
            return Comparison("skipped", f"limit: {answer.run.limit}")
        fork = self.setup.fork and answer.major not in FRESH_ONLY
        if self.setup.check_fork and fork and (problem := self.disagreement(answer)):
            return Comparison("harness", problem, simulated=answer.run)
        comparison = self.against(answer, fork)
        if comparison.status == "equal" or not fork:
            return comparison
        # Separate processes decide: several, because neither the kernel's delays on a busy machine nor V8's collections
        # are caused by the script. Repetitions are counted and shown.
        for flags in (*[()] * (1 if self.setup.javascript else OWN_PROCESSES), ROOMY):
            alone = self.against(answer, fork=False, flags=flags)
            if alone.status == "equal":
                break
        if alone.status != "equal":
            return alone
        if self.setup.check_fork and not flags:
            return replace(comparison, status="harness", message="differs only in a fork of Node, not in a process of its own")
        if flags:
            return replace(alone, message=COLLECTION)
        if any(words in answer.script for words in OUTSIDE):
            return replace(alone, message=KERNEL)
        return replace(comparison, message="real Node does one thing or the other, and nothing outside can be the reason")

    def against(self, answer: Answer, fork: bool, flags: tuple[str, ...] = ()) -> Comparison:
        try:
            real = self.real(answer, fork, flags)
        except (RunTimeout, ServerDied) as problem:
            return Comparison("harness", str(problem), simulated=answer.run)
        return javascript.compare_runs(answer, real) if self.setup.javascript else compare_runs(answer, real)

    def real(self, answer: Answer, fork: bool, flags: tuple[str, ...] = ()) -> RealRun:
        key = (answer.major, answer.suffix, fork, flags)
        if key not in self.places:
            node = self.setup.nodes / str(answer.major) / "bin" / "node"
            where = (node, self.setup.library, answer.major, answer.suffix)
            folder = self.folder / f"{answer.major}{answer.suffix}{'' if fork else '-roomy' if flags else '-fresh'}"
            self.places[key] = Server(*where, folder) if fork else Fresh(*where, folder, flags)
        return self.places[key].run(answer.script, answer.environment or {})

    def disagreement(self, answer: Answer) -> str:
        """Returns the differences between a fork and a separate process; empty if there are none."""
        try:
            fork, alone = self.real(answer, fork=True), self.real(answer, fork=False)
        except (RunTimeout, ServerDied) as problem:
            return f"fork check: {problem}"
        for what in ("exit_code", "stdout", "stderr"):
            a, b = getattr(fork, what), getattr(alone, what)
            if what == "stderr":
                a, b = bare_stderr(a), bare_stderr(b)
            if a != b:
                return f"fork check: {what} differs\nin a fork:\n{a}\nalone:\n{b}"
        return ""

    # ---- differences -----

    def save(self, task: Task, document: str, answer: Answer, comparison: Comparison) -> str:
        if comparison.status == "different" and answer.major in task.shrink:
            if not task.small or not self.differs(task.small, answer.major):
                task.small = self.shrunk(document, answer.major)
            document = task.small
            again = self.compare(self.ask(document, [answer.major])[0])
            comparison = again if again.status == "different" else comparison
        self.setup.failures.mkdir(parents=True, exist_ok=True)
        path = self.setup.failures / f"node-{answer.major}-{task.name.replace('/', '-').removesuffix('.json')}"
        suffix = ".json"
        if self.setup.javascript:
            program = json.loads(document)
            suffix = javascript_programs.suffix_of(program)
            document = javascript_programs.write(program)
        Path(f"{path}{suffix}").write_text(document)
        Path(f"{path}.txt").write_text(report(comparison, whole=True) + "\n")
        return f"{path}{suffix}"

    def differs(self, document: str, major: int) -> bool:
        try:
            answer = self.ask(document, [major])[0]
            if self.setup.javascript and answer.status == "ok":
                assert answer.run is not None
                if any("SyntaxError" in event.text for event in answer.run.events):
                    return False  # a statement in a place that is not for it: its words differ, and hide what the program is about
                return self.against(answer, self.setup.fork).status == "different"
            return self.compare(answer).status == "different"
        except FeedDied:
            return False

    def shrunk(self, document: str, major: int) -> str:
        if self.setup.javascript:
            program = shrink_tree(json.loads(document), lambda made: self.differs(json.dumps(made), major), 4 * self.setup.tries)
            return json.dumps(program)
        small = shrink(json.loads(document), lambda made: self.differs(json.dumps(made), major), self.setup.tries)
        return json.dumps(small, indent=2) + "\n"


def bare_stderr(text: str) -> str:
    """Removes the parts that always differ: the process id and the folder of the script."""
    text = re.sub(r"\(node:\d+\)", "(node)", text)
    return re.sub(r"\S*/script\.m?js", "script", text)


def compare_runs(answer: Answer, real: RealRun) -> Comparison:
    assert answer.run is not None
    run = Run([], shell_status(real.exit_code), real.stderr)
    try:
        run.read_trace(real.stdout)
    except ValueError as problem:
        return Comparison("harness", f"unexpected output: {problem}\n{real.stderr.strip()}", simulated=answer.run, real=run)
    if real.exit_code == 125 and "vclock:" in real.stderr:
        return Comparison("harness", real.stderr.strip(), simulated=answer.run, real=run)
    if run.exit_code < 0:
        return Comparison("harness", f"signal {-run.exit_code}\n{real.stderr.strip()}", simulated=answer.run, real=run)
    if run.end_time is None:
        return Comparison("harness", f"no end\n{real.stderr.strip()}", simulated=answer.run, real=run)
    first = first_difference(answer.run.events, run.events)
    if first < 0 and answer.run.end() != run.end():
        first = max(len(answer.run.events), len(run.events))
    return Comparison("equal" if first < 0 else "different", "", first, answer.run, run)

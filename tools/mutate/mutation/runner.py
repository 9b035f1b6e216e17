"""Runs the tests for every fault, the fastest first, until one fails."""

from __future__ import annotations

import hashlib
import queue
import re
import shutil
import sys
import threading
import time
from pathlib import Path

from mutation.baseline import Measured, measure, run
from mutation.choose import choose_all
from mutation.numbers import number
from mutation.project import Project, Stage
from mutation.results import SURVIVED, Result, Results
from mutation.sites import Site

CASES = r"tests/(unit|property|golden|theory)/"  # used only by the Catch2 program
QUICK_CASES_S = 0.2  # Catch2 test cases up to this time run in the first batch


def say(text: str) -> None:
    print(f"mutate: {text}", file=sys.stderr, flush=True)


class Runner:
    def __init__(self, project: Project, sites: list[Site], count: int, seeds: list[int], jobs: int) -> None:
        self.project, self.sites, self.count, self.seeds, self.jobs = project, sites, count, seeds, jobs
        self.without: list[str] = []  # names of stages to skip
        self.results = Results(project.tree / "results.json")
        self.faults: dict[int, Site] = {}
        self.stages: list[tuple[Stage, Measured]] = []
        self.fingerprint = self.scripts_fingerprint = ""
        self.explained: set[str] = set()  # keys of survivors with a documented reason; tried last
        self.banned_file = project.tree / "does-not-compile.txt"

    def banned(self) -> frozenset[str]:
        """Returns the keys of the faults known not to compile as a switch."""
        return frozenset(self.banned_file.read_text().splitlines() if self.banned_file.exists() else [])

    # ---- building ---------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Chooses faults and builds the copy; replaces faults that do not compile as a switch."""
        while True:
            chosen = choose_all(self.sites, self.project.rooms, self.count, self.seeds, self.banned())
            self.faults = number(chosen, self.project.tree / "numbers.json")
            self.project.write_copy(self.faults)
            say(f"compiling a copy with {len(self.faults)} faults")
            said = self.project.compile(self.jobs, libraries=True)
            blamed = self.project.blamed(said, self.faults) if said else set()
            if not said:
                break
            if not blamed:
                raise ValueError(f"the copy cannot be compiled:\n{said[-4000:]}")
            say(f"{len(blamed)} do not compile as a switch; others are taken")
            self.banned_file.write_text("".join(f"{key}\n" for key in sorted(self.banned() | blamed)))
        said = self.project.compile(self.jobs, libraries=False)
        if said:
            raise ValueError(f"the copy cannot be compiled:\n{said[-4000:]}")
        self.fingerprint, self.scripts_fingerprint = self.digest(""), self.digest(CASES)

    def digest(self, without: str) -> str:
        """Returns a digest of the copy, except files that match: measurements and survivors are valid while it is unchanged."""
        digest = hashlib.sha256()
        for path in sorted(self.project.copy.rglob("*")):
            name = path.relative_to(self.project.copy).as_posix()
            if path.is_file() and "__pycache__" not in path.parts and not (without and re.match(without, name)):
                digest.update(name.encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()[:16]

    def measure(self) -> None:
        stages = self.project.stages()
        unknown = set(self.without) - {stage.name for stage in stages}
        if unknown:
            raise ValueError(f"no such test: {', '.join(sorted(unknown))}; there are {', '.join(stage.name for stage in stages)}")
        for stage in stages:
            if stage.name in self.without:
                continue
            fingerprint = self.fingerprint if stage.by_case else self.scripts_fingerprint
            measured = measure(stage, self.project.tree / "work/measure", self.project.tree / "measured", fingerprint)
            if measured is None:
                say(f"{stage.name}: cannot run here, left out")
            else:
                say(f"{stage.name}: {measured.seconds:.1f} s, reaches {len(measured.reached & set(self.faults))} faults")
                self.stages.append((stage, measured))
        # Faults that survived a subset of the stages are retried when all are run.
        self.fingerprint += "".join(f" without {name}" for name in sorted(self.without))

    # ---- one fault --------------------------------------------------------------------------------------------------

    def try_fault(self, fault: int, work: Path) -> Result:
        start, reached = time.monotonic(), False
        for stage, measured in self.stages:
            if fault not in measured.reached:
                continue
            reached = True
            batches: list[tuple[list[str] | None, float]] = [(None, measured.seconds)]
            if stage.by_case:
                cases = sorted((seconds, name) for name, (seconds, faults) in measured.cases.items() if fault in faults)
                quick = [case for case in cases if case[0] <= QUICK_CASES_S]
                batches = [([name for _, name in batch], sum(seconds for seconds, _ in batch))
                           for batch in (quick, cases[len(quick):]) if batch]
            for tests, seconds in batches:
                done = run(stage, work, str(fault), 20 + 6 * seconds, tests)
                if stage.by_case and "No test cases matched" in done.output:
                    raise ValueError(f"{stage.name}: not every test case was found by its name:\n{done.output[-2000:]}")
                if done.status not in (0, 77):
                    detail = "takes too long" if done.status is None else detail_of(done.output)
                    return Result(stage.name, detail, True, round(time.monotonic() - start, 1), self.fingerprint)
        return Result(SURVIVED, "", reached, round(time.monotonic() - start, 1), self.fingerprint)

    # ---- all of them ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        for fault, site in sorted(self.faults.items(), key=lambda one: (one[1].key in self.explained, one[0])):
            if not self.results.settled(site.key, self.fingerprint):
                waiting.put(fault)
        say(f"{waiting.qsize()} of {len(self.faults)} faults to try")
        failures: list[BaseException] = []

        def work(place: int) -> None:
            folder = self.project.tree / f"work/{place}"
            try:
                while not failures:
                    fault = waiting.get_nowait()
                    site = self.faults[fault]
                    shutil.rmtree(folder, ignore_errors=True)
                    result = self.try_fault(fault, folder)
                    self.results.set(site.key, result)
                    say(f"{fault}: {site.key}: {result.found_by} {result.detail} ({result.seconds:.0f} s)")
            except queue.Empty:
                pass
            except BaseException as error:  # noqa: BLE001: re-raised by the main thread
                failures.append(error)

        threads = [threading.Thread(target=work, args=(place,), daemon=True) for place in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]


def detail_of(output: str) -> str:
    """Returns the name of the failed test from the output of Catch2 or Python's unittest."""
    if match := re.search(r"^(?:FAIL|ERROR): (\S+)", output, re.MULTILINE):
        return match[1]
    if match := re.search(r"^-{50,}\n(.+)\n(?:.*\n)*?-{50,}\n", output, re.MULTILINE):
        return match[1].strip()
    return ""

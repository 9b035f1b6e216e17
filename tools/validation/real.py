"""Runs a question's program on real Node, under a real load, and reads what it has observed.

Program and load are confined to the same cores of the machine; what measures stays on the others, if there are any. Everything is started
from one process, so it is one group for a kernel with autogroups, as it is in the model.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .question import Case, Question

HERE = Path(__file__).resolve().parent
NPM = HERE.parent / "npm"
SETTLES = 0.3  # seconds for which the load runs before the program starts
LONGEST = 300  # seconds for a run


# Prints the milliseconds of an iteration: the median of 15 hashes of some 20 ms.
MEASURE_HASH = """
const { pbkdf2Sync } = require('crypto'), times = [];
for (let i = 0; i < 20; i++) {
  const start = process.hrtime.bigint();
  pbkdf2Sync('password', 'salt', 40000, 64, 'sha512');
  if (i >= 5) times.push(Number(process.hrtime.bigint() - start) / 1e6 / 40000);
}
console.log(times.sort((a, b) => a - b)[7]);
"""


class Failure(Exception):
    """Something cannot be run; the message is for the user."""


@dataclass
class RealRun:
    observations: list[dict[str, float]]
    stolen: float  # share of the time that the hypervisor took from the cores


class Machine:
    """The real one: its cores, and what is to be compiled and found there before anything runs."""

    def __init__(self, nodes: Path, folder: Path, first_core: int | None = None) -> None:
        self.nodes, self.folder = nodes, folder
        self.hashes: dict[int, int] = {}
        allowed = sorted(os.sched_getaffinity(0))
        first = allowed[-1] if first_core is None else first_core  # the first core has most of the interrupts
        self.cores = [first, *(core for core in reversed(allowed) if core != first)]
        self.burner = folder / "burner"
        compiler = os.environ.get("CC", "cc")
        try:
            subprocess.run([compiler, "-O2", "-o", str(self.burner), str(HERE / "burner.c"), "-lm"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Failure(f"cannot compile the load with {compiler}: {error}") from error
        modules = folder / "node_modules"
        modules.mkdir(exist_ok=True)
        if not (modules / "loopsim").exists():
            (modules / "loopsim").symlink_to(NPM)

    def node(self, major: int) -> Path:
        path = self.nodes / str(major) / "bin" / "node"
        if not os.access(path, os.X_OK):
            raise Failure(f"there is no Node {major}: tools/conformance/fetch-node {major} gets it")
        return path

    def hash_iterations(self, major: int) -> int:
        """How many iterations of PBKDF2 with SHA-512 take 20 ms on the core, if nobody else has it: what a question's program hashes."""
        if major not in self.hashes:
            words = [str(self.node(major)), "-e", MEASURE_HASH]
            done = subprocess.run(words, check=True, capture_output=True, text=True,
                                  preexec_fn=lambda: os.sched_setaffinity(0, {self.cores[0]}))
            self.hashes[major] = round(20 / float(done.stdout))
        return self.hashes[major]

    def run(self, question: Question, case: Case, seed: int) -> RealRun:
        if case.cores > len(self.cores):
            raise Failure(f"{question.name} needs {case.cores} cores, and this process may use {len(self.cores)}")
        cores = self.cores[:case.cores]
        group = Quota(case.quota, self.folder) if case.quota is not None else None
        burners: list[subprocess.Popen[bytes]] = []
        try:
            if case.load > 0:
                idle = question.busy * (1 - case.load) / case.load
                for core in cores:
                    for number in range(question.burners):
                        words = [str(self.burner), repr(question.busy), repr(idle), str(seed * 1000 + core * 10 + number)]
                        burners.append(subprocess.Popen(words, preexec_fn=lambda one=core: os.sched_setaffinity(0, {one})))
                time.sleep(SETTLES)
            environment = {"PATH": os.environ.get("PATH", ""), "NODE_PATH": str(self.folder / "node_modules")}
            if "crypto.pbkdf2" in question.takes:
                environment["PBKDF2_20MS"] = str(self.hash_iterations(case.major))
            if case.threads is not None:
                environment["UV_THREADPOOL_SIZE"] = str(case.threads)

            def confine() -> None:
                os.sched_setaffinity(0, set(cores))
                if group is not None:
                    group.enter()

            before = cpu_times(cores)
            begin = time.monotonic()
            process = subprocess.Popen([str(self.node(case.major)), str(question.program)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, preexec_fn=confine)
            try:
                output, errors = process.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired as error:
                process.kill()
                raise Failure(f"{question.program.name} did not end within {LONGEST} s") from error
            lasted = time.monotonic() - begin
            after = cpu_times(cores)
        finally:
            for burner in burners:
                burner.kill()
                burner.wait()
            if group is not None:
                group.remove()
        if process.returncode != 0:
            raise Failure(f"{question.program.name} failed in Node {case.major}:\n{errors.decode().strip()}")
        observations = [json.loads(line) for line in output.decode().splitlines() if line.startswith("{")]
        stolen = (after["steal"] - before["steal"]) / (lasted * case.cores)
        return RealRun([{name: float(value) for name, value in one.items()} for one in observations], stolen)


class Quota:
    """A control group that may use so much of a CPU. Needs the right to make one."""

    PERIOD = 100_000  # us

    def __init__(self, share: float, folder: Path) -> None:
        root = Path("/sys/fs/cgroup")
        self.is_new = (root / "cgroup.controllers").exists()
        self.path = (root if self.is_new else root / "cpu") / f"loopsim-validate-{os.getpid()}"
        try:
            self.path.mkdir(exist_ok=True)
            if self.is_new:
                (self.path / "cpu.max").write_text(f"{int(share * self.PERIOD)} {self.PERIOD}")
            else:
                (self.path / "cpu.cfs_period_us").write_text(str(self.PERIOD))
                (self.path / "cpu.cfs_quota_us").write_text(str(int(share * self.PERIOD)))
        except OSError as error:
            raise Failure(f"cannot make a control group with a quota: {error.strerror}") from error

    def enter(self) -> None:
        (self.path / "cgroup.procs").write_text("0")

    def remove(self) -> None:
        try:
            self.path.rmdir()
        except OSError:
            pass


def cpu_times(cores: list[int]) -> dict[str, float]:
    """Seconds since the start of the machine, summed over the cores."""
    tick = os.sysconf("SC_CLK_TCK")
    found = {"idle": 0.0, "steal": 0.0}
    for line in Path("/proc/stat").read_text().splitlines():
        words = line.split()
        if words[0].startswith("cpu") and words[0][3:].isdigit() and int(words[0][3:]) in cores:
            found["idle"] += (int(words[4]) + int(words[5])) / tick
            found["steal"] += int(words[8]) / tick
    return found

#!/usr/bin/env python3
"""Tests that the same scenario gives the same bytes with every compiler, on every processor and in every environment.

    check.py --program build/loopsim [--short] [--programs N] [--builds NAME,NAME] [--trees DIR] [--jobs N]

Runs every scenario and every JavaScript program of scenarios/, and N random programs (1,000; the generator of the conformance check,
each on another version of Node, half of them on machines where everything varies) and compares standard output, standard error, written
files and the exit status:

    builds        by other compilers, optimisations and processors (builds.py), each made in a tree of its own
    environments  in another language and time zone, at other addresses, with other garbage in fresh memory
    studies       sweeps, summaries and orders, by every build and environment, and on 1, 2 and 7 threads

Prints a table with a row per comparison: the number of outputs, a digest over all of them, and whether they are equal. The first
difference is shown. A control with another seed must differ: a comparison that finds no difference there proves nothing.

--short, for the run of all tests: fewer programs, and only the clang++ build with sanitizers. Builds and environments that are missing
on a machine are skipped, and the table gives the reason.

Exit status: 0 all equal, 1 a difference, 2 a build failed.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import builds
from builds import BUILDS, ROOT

sys.path.insert(0, str(ROOT / "tools" / "conformance"))
from fidelity.generate import FEATURES, generate  # noqa: E402

SHORT_BUILDS = (builds.SANITIZED,)
SHORT_PROGRAMS = 100
TIMEOUT = 600  # seconds, for one run of the program
VERSIONS = (4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26)

# Machines with random parameters; the other generated programs have none, because real Node could not reproduce them.
MACHINES = (
    {"preset": "laptop", "load": 0.4},
    {"preset": "busy"},
    {"cores": 2, "scheduler": "eevdf", "quota": 0.8, "nice": 3, "load": {"share": 0.6, "threads": 3, "weight": 50}},
    {"cores": 3, "scheduler": {"policy": "cfs", "tick": "1ms"}, "wakeup": "20us", "load": 0.7},
    {"cores": 1, "wakeup": {"lognormal": ["40us", 1.1]}, "startup": {"normal": ["0.4ms", "0.2ms"]}, "load": {"share": 0.6, "burst": "1ms"}},
    {"cores": 2, "overhead": {"callback": {"exponential": "20us"}, "task": {"pareto": ["1us", 1.5]}, "poll": {"uniform": ["1us", "9us"]}},
     "load": {"busy": {"exponential": "2ms"}, "idle": {"lognormal": ["3ms", 0.8]}, "policy": "fair", "threads": 3}},
    {"preset": "container", "quota": {"quota": "7ms", "period": "20ms"}, "clock": {"uniform": ["0us", "999us"]}},
    {"speed": 1.7, "cores": 3, "wakeup": {"pareto": ["10us", 1.2]}, "overhead": {"turn": {"normal": ["9us", "9us"]}}},
)

# Of the programs in JavaScript, in turn.
SCRIPT_OPTIONS = ((), ("--steps",), ("--machine", "laptop"), ("--machine", "busy", "--runtime", "node-10"))

# Arguments of the program; JOBS is replaced by the number of threads.
JOBS = "JOBS"
STUDIES = (
    ("sweep", "scenarios/studies/timer-under-load.json", "--vary", "load=0:0.8:0.2", "--vary", "policy=preempt,fair", "-n", "60",
     "-m", "missed.callbacks", "-m", "timer.latency_mean", "--summary", "summary.csv", "-o", "rows.csv", "--histogram", "-j", JOBS),
    ("sweep", "scenarios/studies/http-server.json", "--set", "until=2000", "--vary", "load=0.1,0.4", "-n", "6", "-m", "response_mean",
     "-m", "response_p99", "-m", "utilization", "--summary", "-", "-f", "jsonl", "-o", "rows.jsonl", "-j", JOBS),
    ("sweep", "scenarios/studies/interval-drift.json", "--set", "ticks=50", "--vary", "load=0.2:0.6:0.2", "--until-half-width", "3%",
     "-n", "100", "-m", "finish_time", "--summary", "summary.txt", "-o", "rows.csv", "-j", JOBS),
    ("sweep", "scenarios/studies/pool-exhaustion.json", "--set", "until=3000", "--warm-up", "1s", "--vary", "threads=3,5", "-n", "3",
     "-m", "pool_waiting_mean", "--summary", "-", "-f", "sqlite", "-o", "rows.db", "-j", JOBS),
    ("orders", "scenarios/studies/timeout-or-immediate-race.json", "-n", "1000", "-j", JOBS),
    ("orders", "scenarios/studies/timeout-or-immediate-race.json", "-n", "100", "--vary", "startup=55us,166us,740us", "-f", "json",
     "-j", JOBS),
    ("orders", "scenarios/studies/timeout-or-immediate-race.json", "--threshold", "startup=0us:1ms", "-f", "json", "-j", JOBS),
    ("orders", "scenarios/articles/two-timers-two-promises.json", "-n", "100", "--vary-machine", "-j", JOBS),
)


@dataclass(frozen=True)
class Way:
    """A build or environment in which the program runs."""

    name: str
    program: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict, hash=False)
    cannot: str = ""  # the reason if it cannot be run here


@dataclass(frozen=True)
class Job:
    """One run, in its own folder. Its output and every file that it writes are compared."""

    words: tuple[str, ...]

    @property
    def title(self) -> str:
        return "loopsim " + " ".join(self.words)


@dataclass
class Row:
    what: str
    count: int
    digest: str
    verdict: str
    good: bool
    seconds: float = 0


# ---- jobs ----------------------------------------------------------------------------------------------------------


def scenario_jobs() -> list[Job]:
    """Returns the jobs that run every scenario as canonical JSON lines and as a timeline."""
    files = [path.relative_to(ROOT) for path in sorted((ROOT / "scenarios").rglob("*.json")) if not path.name.endswith(".schema.json")]
    return [Job(("run", str(file), *form)) for file in files for form in (("--format", "jsonl"), ())]


def program_jobs(folder: Path, count: int) -> list[Job]:
    folder.mkdir()
    jobs = []
    machines = itertools.cycle(MACHINES)
    for seed in range(1, count + 1):
        major = VERSIONS[seed % len(VERSIONS)]
        document = generate(seed, FEATURES, 30, major)
        if seed % 2 == 0:
            document["machine"] = next(machines)
        file = folder / f"{seed}.json"
        file.write_text(json.dumps(document))
        jobs.append(Job(("run", str(file), "--runtime", f"node-{major}", "--format", "jsonl")))
    return jobs


def script_jobs(program: tuple[str, ...]) -> list[Job]:
    """Returns the jobs that run the JavaScript programs that ship; none if this build runs no JavaScript."""
    files = [path.relative_to(ROOT) for path in sorted((ROOT / "scenarios").rglob("*.*js"))]
    probe = subprocess.run([*program, "run", ROOT / files[0]], capture_output=True, text=True, check=False)
    if "runs no JavaScript" in probe.stderr:
        return []
    options = itertools.cycle(SCRIPT_OPTIONS)
    return [Job(("run", str(file), "--format", "jsonl", *next(options))) for file in files]


def study_jobs(threads: int) -> list[Job]:
    return [Job(tuple(str(threads) if word is JOBS else word for word in words)) for words in STUDIES]


# ---- running -------------------------------------------------------------------------------------------------------


def outcome(way: Way, job: Job) -> dict[str, bytes]:
    """Returns the results: `status`, `standard output`, `standard error`, and the files by name."""
    with tempfile.TemporaryDirectory(prefix="loopsim-determinism-") as folder:
        os.symlink(ROOT / "scenarios", Path(folder) / "scenarios")
        done = subprocess.run([*way.program, *job.words], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                              timeout=TIMEOUT, env={**os.environ, **way.environment})
        result = {"exit status": str(done.returncode).encode(), "standard output": done.stdout, "standard error": done.stderr}
        for path in sorted(Path(folder).iterdir()):
            if not path.is_symlink():
                result[path.name] = path.read_bytes()
        return result


def digest(result: dict[str, bytes]) -> bytes:
    sum_ = hashlib.sha256()
    for name, content in sorted(result.items()):
        sum_.update(f"{name} {len(content)}\n".encode() + content)
    return sum_.digest()


def first_difference(job: Job, names: tuple[str, str], ours: dict[str, bytes], theirs: dict[str, bytes]) -> str:
    width = max(len(name) for name in names)
    for part in sorted(ours.keys() | theirs.keys()):
        both = [side.get(part) for side in (ours, theirs)]
        if both[0] == both[1]:
            continue
        if None in both:
            return f"{job.title}: only {names[both.index(None) ^ 1]} wrote {part}"
        lines = [content.splitlines() for content in both]
        for number, pair in enumerate(itertools.zip_longest(*lines), 1):
            if pair[0] != pair[1]:
                shown = ["(no such line)" if line is None else line.decode(errors="replace")[:300] for line in pair]
                return (f"{job.title}: {part} differs at line {number}\n"
                        f"    {names[0]:{width}}  {shown[0]}\n    {names[1]:{width}}  {shown[1]}")
        return f"{job.title}: {part} differs in how its lines end"
    return f"{job.title}: differed once, and not when it was run again"


class Comparison:
    def __init__(self, reference: Way, jobs: int):
        self.reference = reference
        self.pool = ThreadPoolExecutor(jobs)
        self.known: dict[tuple[str, tuple[str, ...]], bytes] = {}
        self.rows: list[Row] = []
        self.differences: list[str] = []

    def digests(self, way: Way, jobs: Sequence[Job]) -> list[bytes]:
        missing = [job for job in jobs if (way.name, job.words) not in self.known]
        for job, found in zip(missing, self.pool.map(lambda job: digest(outcome(way, job)), missing)):
            self.known[way.name, job.words] = found
        return [self.known[way.name, job.words] for job in jobs]

    def add(self, row: Row) -> None:
        self.rows.append(row)
        print(line_of(row), flush=True)

    def base(self, what: str, jobs: Sequence[Job], must_succeed: bool = False) -> None:
        begin = time.monotonic()
        found = self.digests(self.reference, jobs)
        good = len(set(found)) > len(found) / 2  # if all failed alike, the comparison would prove nothing
        verdict = "the reference" if good else "ALL THE SAME"
        failing = [job for job in jobs if must_succeed and outcome(self.reference, job)["exit status"] != b"0"]
        if failing:
            good, verdict = False, f"{len(failing)} FAILED"
            self.differences.extend(f"{job.title}: failed" for job in failing)
        self.add(Row(f"{what}: {self.reference.name}", len(jobs), short(found), verdict, good, time.monotonic() - begin))

    def compare(self, what: str, way: Way, jobs: Sequence[Job], base_jobs: Sequence[Job] | None = None,
                must_differ: bool = False) -> None:
        if way.cannot:
            self.add(Row(f"{what}: {way.name}", 0, "-", f"skipped: {way.cannot}", True))
            return
        begin = time.monotonic()
        base_jobs = base_jobs or jobs
        ours, theirs = self.digests(self.reference, base_jobs), self.digests(way, jobs)
        other = [index for index, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]]
        seconds = time.monotonic() - begin
        if must_differ:
            good = len(other) > 0
            self.add(Row(f"{what}: {way.name}", len(jobs), short(theirs), f"{len(other)} differ, as they must" if good else
                         "EQUAL, AND MUST NOT BE", good, seconds))
            return
        self.add(Row(f"{what}: {way.name}", len(jobs), short(theirs), f"{len(other)} DIFFER" if other else "equal", not other, seconds))
        if other:
            job = jobs[other[0]]
            self.differences.append(first_difference(job, (self.reference.name, way.name), outcome(self.reference, base_jobs[other[0]]),
                                                     outcome(way, job)))


def short(digests: Sequence[bytes]) -> str:
    return hashlib.sha256(b"".join(digests)).hexdigest()[:16]


# ---- ways to run the program ---------------------------------------------------------------------------------------


def compiler_of(program: str) -> str:
    """Returns the compiler recorded in the program."""
    try:
        comment = subprocess.run(["readelf", "-p", ".comment", program], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "this build"
    return "this build (clang++)" if "clang" in comment else "this build (g++)" if "GCC" in comment else "this build"


def make_build(name: str, trees: Path, jobs: int, made_in: Path) -> Way:
    build = next(build for build in BUILDS if build.name == name)
    try:
        return Way(name, tuple(builds.make(build, trees, jobs, made_in)))
    except builds.Impossible as problem:
        return Way(name, (), cannot=str(problem))


def locale_way(program: tuple[str, ...], name: str, folder: Path) -> Way:
    """Returns a locale of the system, or one compiled from Debian's locale sources."""
    title = f"LC_ALL={name}"
    have = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.lower().replace("-", "").split()
    if name.lower().replace("-", "") in have:
        return Way(title, program, {"LC_ALL": name, "LANG": name})
    source, charset = name.split(".")
    made = shutil.which("localedef") and subprocess.run(
        ["localedef", "--no-archive", "-i", source, "-f", charset, str(folder / name)], capture_output=True, check=False)
    if not made or made.returncode not in (0, 1) or not (folder / name).is_dir():
        return Way(title, (), cannot=f"there is no locale {name} (Debian: apt-get install locales)")
    return Way(title, program, {"LC_ALL": name, "LANG": name, "LOCPATH": str(folder)})


def environments(program: tuple[str, ...], folder: Path) -> list[Way]:
    ways = [locale_way(program, name, folder) for name in ("de_DE.UTF-8", "tr_TR.UTF-8")]
    ways.append(Way("TZ=Asia/Kathmandu", program, {"TZ": "Asia/Kathmandu"}))
    probe = shutil.which("setarch") and subprocess.run(["setarch", "-R", "true"], capture_output=True, check=False).returncode == 0
    ways.append(Way("fixed addresses", ("setarch", "-R", *program)) if probe else
                Way("fixed addresses", (), cannot="setarch -R is not allowed here"))
    # A different layout: another stack start, other heap addresses and arenas, and non-zero memory from malloc().
    ways.append(Way("other memory", program, {"LOOPSIM_PADDING": "x" * 50_000, "MALLOC_PERTURB_": "165", "MALLOC_ARENA_MAX": "1",
                                              "MALLOC_MMAP_THRESHOLD_": "4096", "MALLOC_TOP_PAD_": "1234567"}))
    ways.append(Way("random addresses, again", program))
    return ways


# ---- the table -----------------------------------------------------------------------------------------------------


def line_of(row: Row) -> str:
    return f"{row.what:<46} {row.count:>6,}  {row.digest:<16}  {row.verdict:<24} {row.seconds:6.1f} s"


def heading() -> str:
    return f"{'what':<46} {'runs':>6}  {'digest':<16}  {'result':<24} {'time':>8}"


def whole_name(way: Way, name: str) -> Way:
    return Way(name, way.program, way.environment, way.cannot)


def main() -> int:
    parser = argparse.ArgumentParser(description="The same scenario gives the same bytes, in every build and environment.")
    parser.add_argument("--program", required=True, type=Path, help="the reference")
    parser.add_argument("--short", action="store_true", help=f"{SHORT_PROGRAMS} programs; of the builds {', '.join(SHORT_BUILDS)}")
    parser.add_argument("--programs", type=int, help="random programs: 1000")
    parser.add_argument("--builds", help=f"of {','.join(builds.NAMES)}; `none` compares environments and threads only")
    parser.add_argument("--trees", type=Path, default=ROOT / "build-determinism", help="where they are built: build-determinism/")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once, and compilations")
    options = parser.parse_args()
    names = SHORT_BUILDS if options.short else builds.NAMES
    if options.builds is not None:
        names = tuple(name for name in options.builds.split(",") if name and name != "none")
        for name in names:
            if name not in builds.NAMES:
                parser.error(f'no build "{name}": {", ".join(builds.NAMES)}')
    count = options.programs if options.programs is not None else SHORT_PROGRAMS if options.short else 1000
    program = (str(options.program.resolve()),)
    reference = Way(compiler_of(program[0]), program)

    with tempfile.TemporaryDirectory(prefix="loopsim-determinism-") as name:
        work = Path(name)
        (work / "locales").mkdir()
        try:
            built = [make_build(name, options.trees.resolve(), options.jobs, options.program.resolve().parent) for name in names]
        except builds.Failed as problem:
            print(f"a build failed: {problem}")
            return 2
        traces = scenario_jobs() + program_jobs(work / "programs", count)
        studies = study_jobs(2)
        comparison = Comparison(reference, options.jobs)

        print(heading())
        comparison.base("traces", traces)
        scripts = script_jobs(program)
        if scripts:
            comparison.base("JavaScript", scripts)
        comparison.base("studies, 2 threads", studies, must_succeed=True)
        for way in built:
            comparison.compare("traces", way, traces)
            if scripts and not next(build for build in BUILDS if build.name == way.name).arm:
                comparison.compare("JavaScript", way, scripts)
            comparison.compare("studies, 2 threads", way, studies)
        for way in environments(program, work / "locales"):
            comparison.compare("traces", way, traces)
            if scripts:
                comparison.compare("JavaScript", way, scripts)
            comparison.compare("studies, 2 threads", way, studies)
        for threads in (1, 7):
            name = f"{threads} thread{'s' if threads > 1 else ''}"
            comparison.compare("studies", whole_name(reference, name), study_jobs(threads), studies)
        varied = [job for job in traces if "--runtime" in job.words][:100]
        comparison.compare("control", whole_name(reference, "another seed"),
                           [Job((*job.words, "--seed", "1")) for job in varied], varied, must_differ=True)

    for text in comparison.differences:
        print("\nFirst difference: " + text)
    for row in comparison.rows:
        if row.verdict.startswith("skipped"):
            print(f"skipped: determinism, {row.what}: {row.verdict.removeprefix('skipped: ')}")
    bad = sum(not row.good for row in comparison.rows)
    equal = sum(row.verdict == "equal" for row in comparison.rows)
    print(f"{len(traces) - count} runs of scenarios, {count} random programs, {len(scripts)} in JavaScript, {len(studies)} studies: "
          f"{equal} comparisons equal, {bad} not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures loopsim against its peers, and prints a table of ratios.

    run.py --program build/loopsim [--rounds N] [--scale X] [--only WORD] [--tree build/bench] [--markdown FILE]

Every measurement times whole processes and is paired: loopsim, a peer, loopsim, the peer ..., with the same workload. The result is the
ratio within a pair, which changes little when the machine is slower than usual or busy. The table shows its median, minimum and maximum.
The time of a paired run is its CPU time, or its wall time where that is less. S, P and C have targets in wall time and are measured by
it: they need an idle machine, and a note at the end reports other load. A peer that cannot be built or started is reported and
left out.

    W1  1,000 pending timers, each arms itself again after a random 1 to 1000 ms    scenarios/bench/w1-timers.json
    W2  a chain of immediates; W2t of ticks; W2p of promise reactions; W2a of awaits
    W3  W1 with 1,000,000 pending timers (slow peers: fewer, as the table says)      W4  a server (no peer does the same)
    W3m 10,000,000 of them beside 1,000,000
    E   a sweep of a server on two cores beside one                                  G   rows merged of ten shards
    T   W1 with a trace: JSON lines to /dev/null and to a file, the compact form     S   6,000 runs of the 105 ms scenario in one sweep
    R   that trace read back, as JSON lines and in the compact form, by explain and diff
    P   a scenario of 50 MB is read and compiled                                     C   one run of the 105 ms scenario
    M   memory for a pending timer
    J   the same as W, S and C with programs in JavaScript: J1, J2, J2t, J2p, J2a (the program that Node runs), JS, JC

The whole run takes about ten minutes: long pairs are repeated less often (the table shows how often), and a peer that needs more than
a minute for one run is stopped. --scale 0.1 does a tenth of the work, for a first look. --only W2 measures the rows whose names begin
with W2.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
SCENARIOS = ROOT / "scenarios" / "bench"
TIMER_105 = ROOT / "scenarios" / "docs" / "timer-105ms.json"
SERVER = ROOT / "scenarios" / "studies" / "http-server.json"
TIMER_105_JS = HERE / "timer-105ms.js"
LIMIT_REACHED = 3  # exit status of a run that reached a limit
MOST_SECONDS = 300  # to build a peer
LONGEST_RUN = 60
BUSY_BEFORE = 0.5  # load averages
BUSY_MEANWHILE = 2.0
LONGEST_PAIRS = 25  # seconds for all pairs of a row after the first; at least one is measured
MUCH_MEMORY_KIB = 32 << 10
NS3_SCHEDULERS = ["Map", "Heap", "Calendar", "PriorityQueue"]  # List is linear in pending events


@dataclass
class Run:
    seconds: float  # min(CPU time, wall time): excludes other processes and a runtime's helper threads
    wall: float
    peak_kib: int
    user: float  # CPU time without the kernel's, which also finds the memory


@dataclass
class Command:
    words: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    statuses: tuple[int, ...] = (0,)
    output: str = os.devnull


class Failed(Exception):
    pass


def run(command: Command) -> Run:
    """The resources that one process used, as reported by the operating system."""
    with open(command.output, "wb") as output, tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command.words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                   env={**os.environ, **command.environment})
        guard = threading.Timer(LONGEST_RUN, lambda: os.kill(process.pid, signal.SIGKILL))
        guard.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        guard.cancel()
        guard.join()
        if wall >= LONGEST_RUN:
            process.returncode = -signal.SIGKILL
            raise Failed(f"takes more than {LONGEST_RUN} s")
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in command.statuses:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()
            raise Failed(f"exit status {process.returncode}: {lines[-1] if lines else 'no message'}")
    return Run(min(wall, usage.ru_utime + usage.ru_stime), wall, usage.ru_maxrss, usage.ru_utime)


# ---- peers ---------------------------------------------------------------------------------------------------------


class Peers:
    """Builds the peers, once, and reports why the others cannot be built."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.missing: dict[str, str] = {}
        self.made: dict[str, list[str] | None] = {}

    def command(self, name: str, workload: list[str]) -> Command | None:
        if name not in self.made:
            try:
                self.made[name] = self.make(name)
            except (Failed, OSError, subprocess.SubprocessError) as why:
                self.made[name] = None
                self.missing[name] = str(why)
        words = self.made[name]
        if words is None:
            return None
        return Command([*words, *workload])

    def make(self, name: str) -> list[str]:
        match name:
            case "bare heap": return [self.compile("bare_heap", "20")]
            case "bare radix queue": return [self.compile("bare_radix", "20")]
            case "ns-3": return [self.compile("ns3", "17", "-lns3-core")]  # its headers do not compile as C++20
            case "SimGrid": return [self.compile("simgrid", "17", "-lsimgrid")]
            case "SystemC": return [self.compile("systemc", "17", "-lsystemc")]  # its library takes only the standard it is built with
            case "libuv": return [self.compile("libuv", "17", "-luv")]
            case "SimPy": return [self.python(), str(HERE / "peers/simpy_peer.py")]
            case "fake-timers": return [self.node(), str(self.installed("fake-timers.mjs"))]
            case "node:test mock": return [self.node(), str(HERE / "peers/node/mock-timers.mjs")]
            case "Node": return [self.node(), str(HERE / "peers/node/real.mjs")]
        raise KeyError(name)

    def compile(self, source: str, standard: str, *libraries: str) -> str:
        compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
        if compiler is None:
            raise Failed("there is no C++ compiler")
        program = self.tree / source
        file = HERE / "peers" / f"{source}.cpp"
        newest = max(path.stat().st_mtime for path in (file, HERE / "peers/workload.hpp"))
        if program.exists() and program.stat().st_mtime > newest:
            return str(program)
        words = [compiler, f"-std=c++{standard}", "-O3", "-DNDEBUG", "-o", str(program), str(file), *libraries]
        result = subprocess.run(words, capture_output=True, text=True, timeout=MOST_SECONDS)
        if result.returncode != 0:
            errors = [line for line in result.stderr.splitlines() if "error" in line or "cannot find" in line]
            raise Failed("cannot be compiled: " + (errors[0] if errors else "no message"))
        return str(program)

    def python(self) -> str:
        for python in ("/usr/bin/python3", sys.executable):
            test = "import importlib.util as u, sys; sys.exit(not (u.find_spec('simpy') or u.find_spec('SimPy')))"
            if Path(python).exists() and subprocess.run([python, "-c", test], capture_output=True).returncode == 0:
                return python
        raise Failed("neither simpy nor SimPy is installed (Debian: python3-simpy)")

    def node(self) -> str:
        node = shutil.which("node")
        if node is None:
            raise Failed("there is no node")
        return node

    def installed(self, script: str) -> Path:
        """Copies peers/node and installs the packages that its lock file pins."""
        folder = self.tree / "node"
        if shutil.which("npm") is None:
            raise Failed("there is no npm")
        folder.mkdir(exist_ok=True)
        lock = (HERE / "peers/node/package-lock.json").read_bytes()
        stamp = folder / "installed-lock.json"
        for file in (HERE / "peers/node").iterdir():
            if file.is_file():
                shutil.copy(file, folder / file.name)
        if not stamp.exists() or stamp.read_bytes() != lock:
            words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
            if subprocess.run(words, capture_output=True, timeout=120).returncode != 0:
                raise Failed("npm cannot fetch it")
            stamp.write_bytes(lock)
        return folder / script


# ---- measurement ---------------------------------------------------------------------------------------------------


@dataclass
class Ratio:
    values: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def __str__(self) -> str:
        if len(self.values) == 1:
            return f"{short(self.median)} (one pair)"
        return f"{short(self.median)} ({short(min(self.values))} .. {short(max(self.values))})"


def short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def run_warm(command: Command, before: Run) -> Run:
    """A run that needs much memory comes directly behind one that does not count. The host of a virtual machine takes memory that has been
    free for some seconds, and who needs it next waits until it is there again: a million timers 0.12 s in the kernel, or 0.01."""
    if before.peak_kib > MUCH_MEMORY_KIB and before.wall < LONGEST_PAIRS / 10:
        run(command)
    return run(command)


def pairs(ours: Command, theirs: Command, rounds: int) -> tuple[list[Run], list[Run]]:
    """Runs both in turn, after one warm-up run each. Long runs are repeated less often."""
    warm = (run(ours), run(theirs))
    rounds = max(1, min(rounds, int(LONGEST_PAIRS / (warm[0].wall + warm[1].wall))))
    first, second = [], []
    for _ in range(rounds):
        first.append(run_warm(ours, warm[0]))
        second.append(run_warm(theirs, warm[1]))
    return first, second


def middle(runs: list[Run]) -> float:
    return statistics.median(one.seconds for one in runs)


def middle_wall(runs: list[Run]) -> float:
    return statistics.median(one.wall for one in runs)


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.program = str(options.program)
        self.rounds = options.rounds
        self.scale = options.scale
        self.only = options.only
        self.peers = Peers(options.tree)
        self.tree = options.tree
        self.rows: list[tuple[str, ...]] = []
        self.missed = 0
        self.fastest_ns3: dict[str, str] = {}

    # ---- the table ----

    def row(self, workload: str, figure: str, against: str = "", other: str = "", ratio: str = "", target: str = "",
            reached: bool | None = None) -> None:
        verdict = "" if reached is None else "yes" if reached else "NO"
        self.missed += reached is False
        cells = (workload, figure, against, other, ratio, target, verdict)
        self.rows.append(cells)
        print(line(cells), flush=True)

    def wanted(self, workload: str) -> bool:
        return not self.only or any(workload.startswith(word) for word in self.only)

    # ---- loopsim itself ----

    def scenario(self, file: str, *more: str, **params: int) -> Command:
        words = [self.program, "run", str(SCENARIOS / file), "--quiet", "--format", "none"]
        for name, value in params.items():
            words += ["--set", f"{name}={value}"]
        return Command([*words, *more], statuses=(0, LIMIT_REACHED))

    def count(self, callbacks: float) -> int:
        return max(1000, int(callbacks * self.scale))

    # ---- comparisons with peers ----

    def against(self, workload: str, peer: str, ours: Command, words: list[str], callbacks: int, target: float | None) -> None:
        theirs = self.peers.command(peer, words)
        if theirs is None:
            self.row(workload, "", peer, "skipped", self.peers.missing[peer])
            return
        try:
            name = peer
            if peer == "ns-3":
                theirs.environment["NS3_SCHEDULER"] = self.scheduler(workload, theirs)
                name = f"ns-3 ({theirs.environment['NS3_SCHEDULER']})"
            first, second = pairs(ours, theirs, self.rounds)
        except Failed as why:
            self.row(workload, "", peer, "failed", str(why))
            return
        ratio = Ratio([b.seconds / a.seconds for a, b in zip(first, second)])
        self.row(workload, rate(callbacks, middle(first)), name, rate(callbacks, middle(second)), str(ratio),
                 "" if target is None else f">= {target:g}", None if target is None else ratio.median >= target)

    def scheduler(self, workload: str, command: Command) -> str:
        """Returns the fastest event scheduler of ns-3, found with a smaller workload."""
        if workload not in self.fastest_ns3:
            words = [*command.words[:-1], str(max(1000, int(command.words[-1]) // 5))]
            took = {}
            for name in NS3_SCHEDULERS:  # some are too slow with a million pending events
                with contextlib.suppress(Failed):
                    took[name] = min(run(Command(words, {"NS3_SCHEDULER": name})).seconds for _ in range(2))
            if not took:
                raise Failed("no scheduler is fast enough")
            self.fastest_ns3[workload] = min(took, key=took.get)
        return self.fastest_ns3[workload]

    def timers(self) -> None:
        # peer, callbacks of W1, target; pending timers and callbacks of W3 (slow ones get fewer), target
        peers = [("bare heap", 10e6, 0.5, 1e6, 3e6, None), ("bare radix queue", 10e6, None, 1e6, 3e6, None),
                 ("ns-3", 10e6, 2, 1e6, 3e6, 6), ("SimGrid", 10e6, None, 1e6, 3e6, None),
                 ("SystemC", 10e6, None, 1e6, 3e6, None), ("libuv", 10e6, None, 1e6, 3e6, None),
                 ("SimPy", 1e6, None, 1e6, 2e6, None), ("node:test mock", 1e6, None, 1e5, 3e5, None),
                 ("fake-timers", 1e6, 10, 1e4, 3e4, None)]
        for peer, callbacks, target, _, _, _ in peers:
            if self.wanted("W1"):
                self.pending_timers("W1", "w1-timers.json", peer, 1000, self.count(callbacks), target)
        for peer, _, _, pending, callbacks, target in peers:
            if self.wanted("W3"):
                alive = self.count(pending)
                name = "W3" if alive == 1_000_000 else f"W3/{alive:,}"
                self.pending_timers(name, "w3-many-timers.json", peer, alive, self.count(callbacks), target)

    def pending_timers(self, workload: str, file: str, peer: str, pending: int, callbacks: int, target: float | None) -> None:
        alive = min(pending, callbacks)
        ours = self.scenario(file, timers=alive, callbacks=callbacks)
        self.against(workload, peer, ours, ["w1", str(alive), str(callbacks)], callbacks, target)

    def growth(self) -> None:
        """Measures how much more a callback costs among a million timers; the cost of arming them is measured separately and subtracted."""
        if not self.wanted("W3"):
            return
        callbacks, many = self.count(3e6), self.count(1e6)
        costs = []
        for _ in range(self.rounds):
            small = run(self.scenario("w1-timers.json", timers=1000, callbacks=callbacks)).user / callbacks
            armed, large = (run(self.scenario("w3-many-timers.json", timers=many, callbacks=count)).user for count in (1, callbacks))
            large = (large - armed) / callbacks
            costs.append(large / small)
        ratio = Ratio(costs)
        self.row("W3", "", "W1, cost of a callback", "", str(ratio), "<= 1.2", ratio.median <= 1.2)

    def ten_million(self) -> None:
        """The same for ten million timers beside one million, from when each has fired half a time on."""
        if not self.wanted("W3m"):
            return
        callbacks, costs, peak = self.count(30e6), [], 0  # fewer are lost in what repeats of the first part differ by
        for _ in range(self.rounds):
            cost = []
            for timers in (self.count(1e6), self.count(10e6)):
                begun = timers * 3 // 2
                before, after = (run(self.scenario("w3-many-timers.json", timers=timers, callbacks=count))
                                 for count in (begun, begun + callbacks))
                cost.append((after.user - before.user) / callbacks)
            peak = after.peak_kib * 1024 / timers
            costs.append(cost[1] / cost[0])
        ratio = Ratio(costs)
        self.row("W3m", f"{peak:.0f} bytes a timer", "W3, cost of a callback", "", str(ratio), "<= 1.3", ratio.median <= 1.3)

    def chains(self) -> None:
        for workload, file, peers in (
            ("W2", "w2-immediates.json", [("bare heap", "w2", 1, None), ("bare radix queue", "w2", 1, None), ("ns-3", "w2", 1, 2),
                                          ("SimGrid", "w2", 1, None), ("SystemC", "w2", 1, None), ("libuv", "w2", 1, None),
                                          ("SimPy", "w2", 0.1, None), ("node:test mock", "w2", 0.1, None),
                                          ("fake-timers", "w2", 0.1, None), ("Node", "w2", 1, 1)]),
            ("W2t", "w2t-ticks.json", [("Node", "w2t", 1, 1)]),
            ("W2p", "w2p-reactions.json", [("Node", "w2p", 1, 1)]),
            ("W2a", "w2a-awaits.json", [("Node", "w2a", 1, None)]),
        ):
            for peer, chain, share, target in peers:
                if not self.wanted(workload):
                    continue
                callbacks = self.count(10e6 * share)
                self.against(workload, peer, self.scenario(file, callbacks=callbacks), [chain, str(callbacks)], callbacks, target)

    # ---- programs in JavaScript ----

    def javascript(self) -> None:
        for workload, kind, peers in (
            ("J1", "w1", [("fake-timers", None)]),
            ("J2", "w2", [("Node", 1), ("fake-timers", None)]),
            ("J2t", "w2t", [("Node", None)]),
            ("J2p", "w2p", [("Node", None)]),
            ("J2a", "w2a", [("Node", None)]),
        ):
            for peer, target in peers:
                if not self.wanted(workload):
                    continue
                callbacks = self.count(1e6)
                words = [kind, "1000", str(callbacks)] if kind == "w1" else [kind, str(callbacks)]
                self.against(workload, peer, self.script(words), words, callbacks, target)
        self.javascript_sweep()
        self.javascript_start()

    def script(self, workload: list[str]) -> Command:
        """The program that Node runs, with limits that it does not reach."""
        for name in ("real.mjs", "workload.mjs"):
            shutil.copy(HERE / "peers/node" / name, self.tree)
        document = {"script": "real.mjs", "env": {"WORKLOAD": " ".join(workload)},
                    "limits": {"time": "240000h", "callbacks": 10**12, "steps": 10**15},
                    "expect": {"exit": {"code": 0}}}
        file = self.tree / f"{'-'.join(workload)}.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        run(Command([self.program, "check", str(file), "--max-steps", "none"]))  # `run` does not say that a program failed
        return Command([self.program, "run", str(file), "--quiet", "--format", "none", "--max-steps", "none"])

    def javascript_sweep(self) -> None:
        if self.wanted("JS"):
            self.runs_per_second("JS", TIMER_105_JS, self.count(6000), 4000)

    def javascript_start(self) -> None:
        if self.wanted("JC"):
            self.start_to_end("JC", TIMER_105_JS, 8)

    # ---- loopsim alone ----

    def server(self) -> None:
        if not self.wanted("W4"):
            return
        # Of each 740 bytes stay: the listener's scope holds the socket, and the socket its listener. A million exceed --max-memory.
        requests = self.count(5e5)
        runs = [run(self.scenario("w4-server.json", requests=requests)) for _ in range(self.rounds)]
        self.row("W4", f"{requests / middle(runs) / 1e6:.2f} M requests/s", "", "", "", "")

    def trace(self) -> None:
        if not self.wanted("T"):
            return
        callbacks = self.count(1e6)
        plain = self.scenario("w1-timers.json", timers=1000, callbacks=callbacks)
        traced = Command([word if word != "none" else "jsonl" for word in plain.words], statuses=plain.statuses)
        compact = Command([word if word != "none" else "compact" for word in plain.words], statuses=plain.statuses)
        for command, where, target in ((traced, os.devnull, 0.45), (traced, str(self.tree / "trace.jsonl"), None),
                                       (compact, str(self.tree / "trace.compact"), 0.4)):
            command.output = where
            first, second = pairs(command, plain, self.rounds)
            ratio = Ratio([b.seconds / a.seconds for a, b in zip(first, second)])
            null = where == os.devnull
            size = 0 if null else os.path.getsize(where)
            self.row("T", rate(callbacks, middle(first)), "W1 without a trace", rate(callbacks, middle(second)),
                     str(ratio) + (" to /dev/null" if null else f" to a file of {size / 1e6:.0f} MB"),
                     "" if target is None else f">= {target:g}", None if target is None else ratio.median >= target)
            if command is compact:
                self.row("T", f"{size / callbacks:.1f} bytes a callback", "", "", "compact, on disk", "<= 15", size / callbacks <= 15)
            if not null:
                os.unlink(where)

    def reading(self) -> None:
        """Megabytes of JSON lines a second; of the compact form, of the lines that it stands for."""
        if not self.wanted("R"):
            return
        callbacks = self.count(1e5)
        lines, compact = str(self.tree / "trace.jsonl"), str(self.tree / "trace.compact")
        forms = (f"--format=jsonl={lines}", f"--format=compact={compact}")
        written = self.scenario("w1-timers.json", *forms, timers=1000, callbacks=callbacks)
        written.words.remove("--format")
        written.words.remove("none")
        run(written)
        megabytes = os.path.getsize(lines) / 1e6
        for trace, form in ((lines, "JSON lines"), (compact, "compact")):
            commands = {"explain": Command([self.program, "explain", trace, "#2000"], statuses=(0, LIMIT_REACHED)),
                        "diff": Command([self.program, "diff", "--quiet", trace, trace])}
            for name, command in commands.items():
                took = middle([run(command) for _ in range(self.rounds + 1)][1:])
                speed = megabytes * (2 if name == "diff" else 1) / took
                self.row("R", f"{speed:.0f} MB/s", "", "", f"{name} of {form}", ">= 100", speed >= 100)
        os.unlink(lines)
        os.unlink(compact)

    def sweep(self) -> None:
        if self.wanted("S"):
            self.runs_per_second("S", TIMER_105, self.count(6000), 20_000)

    def runs_per_second(self, workload: str, program: Path, runs: int, target: int) -> None:
        rows = self.tree / "rows.csv"
        words = [self.program, "sweep", str(program), "-n", str(runs), "--jobs", "2", "--quiet", "--output", str(rows)]
        seconds = []
        for _ in range(self.rounds + 1):
            rows.unlink(missing_ok=True)
            seconds.append(run(Command(words)).wall)
            with open(rows, "rb") as written:  # a row for each run, although all are equal
                if (lines := sum(1 for _ in written)) != runs + 1:
                    raise Failed(f"{lines - 1} rows of {runs} runs")
        rate_of_runs = runs / statistics.median(seconds[1:])
        self.row(workload, f"{rate_of_runs:,.0f} runs/s", "", "", "by wall time", f">= {target:,}", rate_of_runs >= target)

    def two_cores(self) -> None:
        """A sweep of a server that answers 400 requests, on one core and on two."""
        if not self.wanted("E"):
            return
        runs = self.count(600)
        rows = self.tree / "rows.csv"

        def wall(jobs: int) -> float:
            rows.unlink(missing_ok=True)
            return run(Command([self.program, "sweep", str(SERVER), "-n", str(runs), "--set", "until=2000", "--jobs", str(jobs),
                                "--quiet", "--no-warnings", "--output", str(rows)])).wall

        wall(2)
        times = [(wall(1), wall(2)) for _ in range(self.rounds)]
        ratio = Ratio([one / two / 2 for one, two in times])
        self.row("E", f"{runs / statistics.median(two for _, two in times):,.0f} runs/s", "one core", "",
                 f"{ratio}, by wall time", ">= 0.95", ratio.median >= 0.95)

    def merging(self) -> None:
        """Ten shards of the 105 ms scenario made one file."""
        if not self.wanted("G"):
            return
        runs = self.count(60_000)
        shards = [self.tree / f"shard-{number}.shard" for number in range(1, 11)]
        for number, shard in enumerate(shards, 1):
            shard.unlink(missing_ok=True)
            run(Command([self.program, "sweep", str(TIMER_105), "-n", str(runs), "--shard", f"{number}/10", "--quiet", "--no-warnings",
                         "--output", str(shard)]))
        rows = self.tree / "rows.csv"
        seconds = []
        for _ in range(self.rounds + 1):
            rows.unlink(missing_ok=True)
            seconds.append(run(Command([self.program, "merge", *map(str, shards), "--output", str(rows)])).seconds)
        for shard in shards:
            shard.unlink()
        self.row("G", f"{runs / statistics.median(seconds[1:]):,.0f} rows/s", "", "", "CPU time", "", None)

    def document(self) -> None:
        if not self.wanted("P"):
            return
        file = self.tree / "document.json"
        size = self.count(50e6)
        with open(file, "w", encoding="utf-8") as out:
            out.write('{ "limits": { "steps": 1 },\n  "main": [\n')
            written, number = 0, 0
            while written < size:
                written += out.write(f'    {{ "setTimeout": {100 + number % 900}, "as": "timer{number % 1000}", "do": [ '
                                     f'{{ "log": "request {number} after {{now}} ms" }}, {{ "cpu": "{number % 7}ms" }} ] }},\n')
                number += 1
            out.write('    { "log": "end" }\n  ] }\n')
        megabytes = file.stat().st_size / 1e6
        words = [self.program, "run", str(file), "--quiet", "--format", "none"]
        runs = [run(Command(words, statuses=(LIMIT_REACHED,))) for _ in range(self.rounds + 1)][1:]
        speed = megabytes / middle_wall(runs)
        peak = max(one.peak_kib for one in runs) / 1024
        self.row("P", f"{speed:.0f} MB/s", "", f"peak {peak:.0f} MiB", "by wall time", ">= 60 MB/s", speed >= 60)
        file.unlink()

    def start(self) -> None:
        if self.wanted("C"):
            self.start_to_end("C", TIMER_105, 5)

    def start_to_end(self, workload: str, program: Path, target: float) -> None:
        runs = [run(Command([self.program, "run", str(program)])) for _ in range(max(20, 10 * self.rounds))]
        milliseconds = middle_wall(runs) * 1000
        self.row(workload, f"{milliseconds:.2f} ms", "", "", "by wall time", f"< {target:g} ms", milliseconds < target)

    def memory(self) -> None:
        if not self.wanted("M"):
            return
        few, many = 500_000, 1_500_000  # with fewer, the peak would be that of this program before the child's exec
        runs = [run(self.scenario("w3-many-timers.json", timers=timers, callbacks=1)) for timers in (few, many)]
        size = (runs[1].peak_kib - runs[0].peak_kib) * 1024 / (many - few)
        self.row("M", f"{size:.0f} bytes a timer", "", "", "", "<= 100", size <= 100)


HEADINGS = ("workload", "loopsim", "against", "the other", "ratio (lowest .. highest)", "target", "reached")
WIDTHS = (8, 18, 26, 14, 34, 12, 7)


def rate(callbacks: int, seconds: float) -> str:
    return f"{callbacks / seconds / 1e6:.2f} M/s"


def line(cells: tuple[str, ...]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS)).rstrip()


def main() -> int:
    options = argparse.ArgumentParser(prog=os.environ.get("LOOPSIM_COMMAND"), description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", type=Path, required="LOOPSIM_COMMAND" not in os.environ, default=ROOT / "build/loopsim")
    options.add_argument("--rounds", type=int, default=3, help="pairs that count (default: 3)")
    options.add_argument("--scale", type=float, default=1.0, help="how much of the work (default: 1)")
    options.add_argument("--only", action="append", default=[], help="what begins with this; may be given several times")
    options.add_argument("--tree", type=Path, default=ROOT / "build/bench", help="where peers are built (default: build/bench)")
    options.add_argument("--markdown", type=Path, help="write the table there, too")
    arguments = options.parse_args()
    if arguments.rounds < 1 or arguments.scale <= 0:
        options.error("--rounds is at least 1, and --scale more than 0")
    arguments.tree.mkdir(parents=True, exist_ok=True)
    arguments.program = arguments.program.resolve()
    if not arguments.program.exists():
        options.error(f"there is no program {arguments.program}")

    print(line(HEADINGS), flush=True)
    loads = [os.getloadavg()[0]]
    bench = Bench(arguments)
    for part in (bench.timers, bench.growth, bench.ten_million, bench.chains, bench.javascript, bench.server, bench.trace, bench.reading,
                 bench.sweep, bench.two_cores, bench.merging, bench.document, bench.start, bench.memory):
        try:
            part()
            loads.append(os.getloadavg()[0])
        except Failed as why:
            print(f"{part.__name__}: {why}", file=sys.stderr)
            return 1
    for name, why in bench.peers.missing.items():
        print(f"skipped: {name}: {why}")
    # The benchmark itself loads one core, two in S.
    if loads[0] > BUSY_BEFORE or max(loads) > BUSY_MEANWHILE:
        print(f"note: the machine was busy (load average {loads[0]:.1f} before, up to {max(loads):.1f} meanwhile, on {os.cpu_count()} "
              "cores): figures by wall time are worse than they would be")
    with_target = [row for row in bench.rows if row[6]]
    print(f"{len(with_target) - bench.missed} of {len(with_target)} targets reached")
    if arguments.markdown:
        table = [HEADINGS, tuple("---" for _ in HEADINGS), *bench.rows]
        arguments.markdown.write_text("".join("| " + " | ".join(row) + " |\n" for row in table), encoding="utf-8")
    return 0  # a missed target is not a failure: the machine may be busy


if __name__ == "__main__":
    sys.exit(main())

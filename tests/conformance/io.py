#!/usr/bin/env python3
"""Compares the runtime io with what real processes did, and with a simulation that was written on its own.

    io.py --program build/loopsim [--random COUNT] [--seed S] [--keep FOLDER]

Recorded (tests/conformance/io/recorded): the calls of `run -f calls` are those that most real processes made. What recorded files say in
their heads differs between processes of the same program, so rounds in vain are compared as numbers of either none, few or many.
Reference (tools/conformance/io_models/reference.py): random documents, of which every line, and every time at which a call returns, is the
same: short and long calls, data in the same nanosecond, limits of time. Exit status: 0, or 1 with the first differences.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools" / "conformance"))
from io_models.calls import VAIN_READ, VAIN_WAIT, difference, fold, parse  # noqa: E402
from io_models.programs import MODELS, Document, duration  # noqa: E402
from io_models.reference import LINUX, World, simulate  # noqa: E402

# Ties, which real processes settle either way (recorded/README.md): which of two arrivals of the same time is seen first.
VARIES = {("tie", model) for model in ("nonblocking", "select", "poll", "epoll", "epoll-edge", "signal", "signal-queue", "async")}


def run(program: str, path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, "run", str(path), "-q", *more], capture_output=True, text=True, check=False)


def recorded(program: str) -> list[str]:
    wrong, compared = [], 0
    for path in sorted((HERE / "io" / "recorded").glob("*.txt")):
        plan, model, _ = path.name.split(".")
        if (plan, model) in VARIES:
            continue
        done = run(program, HERE / "io" / f"{plan}.json", "-f", "calls", "--set", f'/io/model="{model}"')
        if done.returncode != 0:
            wrong.append(f"{path.name}: status {done.returncode}: {done.stderr.strip()}")
            continue
        compared += 1
        why = difference(parse(done.stdout), parse(path.read_text()))
        if why is not None:
            wrong.append(f"{path.name}: {why}")
    print(f"recorded: {compared} of {compared + len(VARIES)} compared, {len(wrong)} differ")
    return wrong


def draw(rng: random.Random) -> dict[str, Any]:
    """Returns a document in which everything may come close together."""
    unit = rng.choice(["ms", "us"])
    longest = rng.choice([12, 40, 200])

    def span(low: int, high: int) -> str:
        return f"{rng.randint(low, high)}{unit}"

    sockets: list[dict[str, Any]] = []
    for _ in range(rng.randint(1, 6)):
        socket: dict[str, Any] = {}
        arrivals = []
        for _ in range(rng.randint(0, 3)):
            size = rng.choice([1, 100, 512, 1024, 4096, 5000, 9000])
            if rng.random() < 0.5:
                arrivals.append({"at": sorted((span(0, longest) for _ in range(rng.randint(1, 4))), key=duration), "bytes": size})
            else:
                arrivals.append({"every": span(1, longest // 4), "count": rng.randint(1, 5), "bytes": size})
        if arrivals:
            socket["arrivals"] = arrivals
        if rng.random() < 0.9:
            socket["end"] = span(longest + 60, longest + 90) if rng.random() < 0.6 else f"{2 * longest + 90}{unit}"
        sockets.append(socket)
    models = list(MODELS)
    io: dict[str, Any] = {"model": "poll", "sockets": sockets, "buffer": rng.choice([512, 1024, 4096])}
    if rng.random() < 0.6:
        io["work"] = span(0, 6)
    if rng.random() < 0.3:
        io["meanwhile"] = span(1, 9)
        models = [one for one in models if one not in ("blocking", "blocking-clients", "threads")]
    if rng.random() < 0.3:
        io["type"] = "datagram"
    if rng.random() < 0.7:  # as long as everything else: a call takes one to three units
        io["costs"] = {key: span(0 if key != "call" else 1, 3) for key in LINUX if key != "thread"} | {"thread": span(0, 2)}
    io["model"] = rng.choice(models)
    limit = rng.choice([longest, 3 * longest, 4 * longest + 300])
    document: dict[str, Any] = {"runtime": "io", "io": io, "limits": {"time": f"{limit}{unit}"}}
    if rng.random() < 0.2:
        document["machine"] = {"wakeup": span(1, 3)}
    return document


def expected(document: Document, raw: dict[str, Any]) -> list[World]:
    costs = dict(LINUX)
    costs.update({name: int(duration(value) * 10**6) for name, value in document.io.get("costs", {}).items()})
    entries = [(int(time * 10**6), fd, count) for time, fd, count in document.plan.entries]
    ends = {fd: time for time, fd, count in entries if count is None}
    entries = [(time, fd, count) for time, fd, count in entries if count is None or time < ends.get(fd, time + 1)]
    settings = document.settings
    wakeup = int(duration(raw.get("machine", {}).get("wakeup", 0)) * 10**6)
    return simulate(MODELS[document.models[0]], document.plan.sockets, entries, costs, int(settings.total * 10**6), settings.buffer,
                    int(settings.work * 10**6), int(settings.meanwhile * 10**6), document.plan.datagram, wakeup)


def figures(worlds: list[World], lines: list[dict[str, Any]]) -> list[str]:
    """Compares what is counted: time of CPU, time blocked, lateness."""
    in_vain = sum(line.get("vain", False) for line in lines if line["ev"] == "sysret" and line["call"] == "read")
    in_vain += sum(line["calls"] for line in lines if line["ev"] == "spin")
    ended = [line for line in lines if line["ev"] == "state" and line["as"] == "ended"]
    pairs = {"user": (sum(one["user"] for one in ended), sum(world.used["user"] for world in worlds)),
             "kernel": (sum(one["kernel"] for one in ended), sum(world.used["kernel"] for world in worlds)),
             "late": (sorted(line["late"] for line in lines if line["ev"] == "message"),
                      sorted(one for world in worlds for one in world.lateness)),
             "vain": (in_vain, sum(world.vain for world in worlds))}
    return [f"{name}: {ours}, reference {theirs}" for name, (ours, theirs) in pairs.items() if ours != theirs]


def reference(program: str, count: int, seed: int, keep: Path) -> list[str]:
    wrong: list[str] = []
    compared = 0
    for number in range(seed, seed + count):
        raw = draw(random.Random(number))
        path = keep / f"random-{number}.json"
        path.write_text(json.dumps(raw, indent=1))
        document = Document(path)
        model = document.models[0]
        worlds = expected(document, raw)
        lines = [text for _, text in sorted(((time, text) for world in worlds for time, text in world.calls), key=lambda call: call[0])]
        vain = VAIN_READ if model == "nonblocking" else VAIN_WAIT if "meanwhile" in document.io else None
        lines = fold(lines, vain, document.plan.sockets)
        trace = keep / "trace.jsonl"
        done = run(program, path, "-f", "calls", "--also", f"jsonl={trace}")
        if done.returncode not in (0, 3):
            wrong.append(f"{path}: status {done.returncode}: {done.stderr.strip()}")
            continue
        ours = parse(done.stdout)
        if model == "threads":
            ours, lines = sorted(line for line in ours if line != "(killed)"), sorted(line for line in lines if line != "(killed)")
        events = [json.loads(line) for line in trace.read_text().splitlines()[1:]]
        compared += 1
        differences = [f"line {i + 1}: {a}, reference {b}" for i, (a, b) in enumerate(zip(ours, lines)) if a != b]
        if len(ours) != len(lines):
            differences.append(f"{len(ours)} lines, reference {len(lines)}")
        if done.returncode == 0:  # what a limit cuts off is counted in part
            differences += figures(worlds, events)
        if differences:
            wrong.append(f"{path} ({model}): {differences[0]}")
        else:
            path.unlink()
    print(f"reference: {compared} random documents compared, {len(wrong)} differ")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--random", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where random documents that differ stay")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="loopsim-io-") as folder:
        keep = options.keep or Path(folder)
        keep.mkdir(parents=True, exist_ok=True)
        wrong = recorded(options.program) + reference(options.program, options.random, options.seed, keep)
    for line in wrong[:20]:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Random plans, and which of them a real process must follow: those in which nothing depends on a few milliseconds."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from io_models.calls import VAIN_READ, VAIN_WAIT, difference, fold
from io_models.programs import MODELS, Document
from io_models.reference import LINUX, simulate

GRID = 10  # ms
TRIES = 12
LATE = 6  # ms: an arrival may be so late
SLOW = 300  # a call under strace may be so many times as slow


def draw(seed: int) -> dict[str, Any]:
    """Returns a scenario of two to five sockets, some 0.4 s long."""
    rng = random.Random(seed)
    count = rng.randint(2, 5)
    times = rng.sample(range(3, 30), rng.randint(4, 12))
    sockets: list[dict[str, Any]] = [{"arrivals": []} for _ in range(count)]
    for time in sorted(times):
        sockets[rng.randrange(count)]["arrivals"].append({"at": f"{time * GRID}ms", "bytes": rng.choice([1, 100, 1000, 4096, 9000])})
    for socket, time in zip(sockets, rng.sample(range(31, 31 + 2 * count), count)):
        socket["end"] = f"{time * GRID}ms"
    models = [model for model in MODELS if model != "threads"]
    io: dict[str, Any] = {"model": models, "sockets": sockets, "work": f"{rng.choice([0, 0, 15, 35, 55])}ms",
                          "buffer": rng.choice([512, 4096])}
    if rng.random() < 0.3:
        io["meanwhile"] = "15ms"
        io["model"] = [model for model in models if "blocking" not in model or model == "nonblocking"]
    else:
        io["model"] = [*models, "threads"]
    if rng.random() < 0.3:
        io["type"] = "datagram"
    return {"title": f"random plan {seed}", "runtime": "io", "io": io, "limits": {"time": "4s"}}


def simulated(document: Document, model: str, rng: random.Random | None = None) -> list[str]:
    """Returns the calls of the reference; with `rng` everything is a little later and slower."""
    settings = document.settings
    entries = [(int(time * 10**6), fd, count) for time, fd, count in document.plan.entries]
    costs = dict(LINUX)
    slower = 1.0
    if rng is not None:
        entries = sorted(((time + rng.randrange(LATE * 10**6), fd, count) for time, fd, count in entries), key=lambda entry: entry[0])
        costs = {name: cost * rng.choice([1, 30, SLOW]) for name, cost in costs.items() if name != "copy"} | {"copy": LINUX["copy"]}
        slower = rng.choice([1.0, 1.05, 1.15])
    worlds = simulate(MODELS[model], document.plan.sockets, entries, costs, int(settings.total * 10**6), settings.buffer,
                      int(float(settings.work) * slower * 10**6), int(float(settings.meanwhile) * slower * 10**6), document.plan.datagram)
    lines = [text for _, text in sorted(((time, text) for world in worlds for time, text in world.calls), key=lambda call: call[0])]
    return fold(lines, VAIN_READ if model == "nonblocking" else VAIN_WAIT if settings.meanwhile else None, document.plan.sockets)


def is_robust(document: Document, model: str, seed: int) -> bool:
    """Returns whether the calls stay the same when everything is a little later and slower."""
    rng = random.Random(seed)
    expected = simulated(document, model)
    return all(difference(expected, simulated(document, model, rng)) is None for _ in range(TRIES))


def write(seed: int, folder: Path) -> Path:
    path = folder / f"random-{seed}.json"
    path.write_text(json.dumps(draw(seed), indent=1))
    return path

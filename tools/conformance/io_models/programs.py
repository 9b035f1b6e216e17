"""What a scenario of the runtime io means for real processes: its models, the plan for the sender, the arguments of the programs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

FIRST = 3  # the first socket's descriptor, as in io.h
UNITS = {"ns": Fraction(1, 10**6), "us": Fraction(1, 1000), "ms": Fraction(1), "s": Fraction(1000), "m": Fraction(60000),
         "h": Fraction(3600000)}
# The words for a model, and what they stand for: its C program and the variant of it. An object says the same at length,
# as { "multiplex": "epoll", "trigger": "edge" }.
MODELS = {
    "blocking": ("blocking", "rounds"),
    "blocking-clients": ("blocking", "clients"),
    "nonblocking": ("nonblocking", ""),
    "select": ("select", ""),
    "poll": ("poll", ""),
    "epoll": ("epoll", "level"),
    "epoll-edge": ("epoll", "edge"),
    "signal": ("signal", "handler"),
    "signal-queue": ("signal", "queue"),
    "async": ("async", ""),
    "threads": ("threads", ""),
}


class Impossible(Exception):
    """The scenario has no real process of this form: the message says why."""


@dataclass
class Plan:
    """Arrivals in order of time: (ms, descriptor, bytes; None is the end)."""

    sockets: int
    entries: list[tuple[Fraction, int, int | None]]
    datagram: bool = False

    def text(self) -> str:
        lines = [f"sockets {self.sockets}"]
        lines += [f"{float(time):g} {fd} {'end' if count is None else count}" for time, fd, count in self.entries]
        return "\n".join(lines) + "\n"


@dataclass
class Settings:
    work: Fraction
    meanwhile: Fraction
    buffer: int
    total: Fraction

    def arguments(self, sockets: int, variant: str) -> list[str]:
        words = [f"sockets={sockets}", f"work={float(self.work):g}", f"meanwhile={float(self.meanwhile):g}", f"buffer={self.buffer}",
                 f"total={float(self.total):g}"]
        return words + ([f"variant={variant}"] if variant else [])


def duration(value: Any) -> Fraction:
    """Returns a fixed duration of the scenario language in ms."""
    if isinstance(value, bool):
        raise Impossible(f"{value!r} is no duration")
    if isinstance(value, int | float):
        return Fraction(str(value))
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)", value) if isinstance(value, str) else None
    if found is None:
        raise Impossible(f"{value!r} is no fixed duration")
    return Fraction(found[1]) * UNITS[found[2]]


def word_of(model: Any) -> str:
    """Returns the word for a model: 'epoll-edge' for { "multiplex": "epoll", "trigger": "edge" }."""
    word = model
    if isinstance(model, dict):
        if "multiplex" in model:
            word = model["multiplex"] + ("-edge" if model.get("trigger") == "edge" else "")
        elif "blocking" in model:
            word = "blocking-clients" if model["blocking"] == "clients" else "blocking"
        elif "signal" in model:
            word = "signal-queue" if model["signal"] == "queue" else "signal"
    if word not in MODELS:
        raise Impossible(f"there is no model {json.dumps(model)}")
    return str(word)


def times_of(arrival: dict[str, Any]) -> list[Fraction]:
    if "at" in arrival:
        return [duration(one) for one in (arrival["at"] if isinstance(arrival["at"], list) else [arrival["at"]])]
    if "every" not in arrival:
        raise Impossible("arrivals that are drawn have no plan")
    step = duration(arrival["every"])
    until = duration(arrival["until"]) if "until" in arrival else None
    count = arrival.get("count")
    if until is None and count is None:
        raise Impossible("arrivals without an end")
    times: list[Fraction] = []
    time = duration(arrival.get("from", 0)) + step
    while (count is None or len(times) < count) and (until is None or time <= until):
        times.append(time)
        time += step
    return times


class Document:
    """A scenario with "runtime": "io"; parameters are replaced by their values."""

    def __init__(self, path: Path) -> None:
        self.path = path
        document = json.loads(path.read_text())
        if document.get("runtime") != "io":
            raise Impossible(f"{path}: its runtime is not io")
        self.title = document.get("title", path.stem)
        params = document.get("params", {})

        def replaced(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: replaced(one) for key, one in value.items()}
            if isinstance(value, list):
                return [replaced(one) for one in value]
            return params[value[1:]] if isinstance(value, str) and value.startswith("$") and value[1:] in params else value

        self.io = replaced(document["io"])
        model = self.io["model"]
        self.models = [word_of(one) for one in (model if isinstance(model, list) else [model])]
        self.plan = self._plan()
        self.settings = Settings(duration(self.io.get("work", 0)), duration(self.io.get("meanwhile", 0)), self.io.get("buffer", 4096),
                                 duration(document.get("limits", {}).get("time", "5s")))

    def _plan(self) -> Plan:
        entries: list[tuple[Fraction, int, int | None]] = []
        fd = FIRST
        for socket in self.io["sockets"]:
            for _ in range(socket.get("count", 1)):
                for arrival in socket.get("arrivals", []):
                    entries += [(time, fd, arrival.get("bytes", 100)) for time in times_of(arrival)]
                if "end" in socket:
                    entries.append((duration(socket["end"]), fd, None))
                fd += 1
        entries.sort(key=lambda entry: entry[0])  # stable: what comes at the same time is in the document's order
        return Plan(fd - FIRST, entries, self.io.get("type") == "datagram")

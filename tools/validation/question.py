"""A question: a program, the load that it runs beside, and what it observes.

A question is a file questions/NAME.json beside its program. The program prints one observation a line, an object in JSON with a number or
a truth value for each quantity. It is the same file for real Node and for loopsim.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

QUESTIONS = Path(__file__).resolve().parent / "questions"
# When a prediction is a hit: within so much of the real figure, relative or absolute, whichever is more.
# kind -> (of the median, of the 99th percentile); shares and utilisations have a mean only, in points.
TOLERANCES = {"lateness": ((0.10, 0.2), (0.25, 1.0)), "time": ((0.10, 0.2), (0.25, 1.0)), "share": (0.05,), "utilisation": (0.03,)}


@dataclass
class Case:
    """One way to run a question's program: a load, and what else is varied."""

    name: str
    load: float
    major: int
    threads: int | None = None  # of the pool
    quota: float | None = None  # of a CPU
    cores: int = 1


@dataclass
class Question:
    name: str
    title: str
    program: Path
    quantities: dict[str, dict[str, str]]
    cases: list[Case]
    busy: float  # mean CPU time of a burst of the load, in ms
    burners: int = 1
    takes: dict[str, str] = field(default_factory=dict)  # of the program's work, for loopsim
    plotted: list[str] = field(default_factory=list)  # the quantities that answer it, or QUANTITY.p99
    warm_up: int = 0  # observations at the begin of a run that do not count: V8 compiles then, on the same core


def read_question(name: str, majors: list[int] | None = None) -> Question:
    path = QUESTIONS / f"{name}.json"
    document: dict[str, Any] = json.loads(path.read_text())
    cases = []
    for variant in document.get("variants", [{}]):
        for load in variant.get("loads", document["loads"]):
            major = variant.get("node", document.get("node", 24))
            if majors is not None and major not in majors:
                continue
            words = [variant["name"]] if "name" in variant else []
            cases.append(Case(", ".join([*words, f"load {load:g}"]), load, major, variant.get("threads"), variant.get("quota"),
                              variant.get("cores", document.get("cores", 1))))
    return Question(name, document["title"], QUESTIONS / document["program"], document["quantities"], cases,
                    document.get("load", {}).get("busy", 3.0), document.get("load", {}).get("number", 1), document.get("takes", {}),
                    document.get("plot", list(document["quantities"])), document.get("warmUp", 0))


def all_questions() -> list[str]:
    return sorted(path.stem for path in QUESTIONS.glob("*.json"))

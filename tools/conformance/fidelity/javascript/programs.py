"""The programs of a campaign in JavaScript, by seed: trees as generate.py draws them, one for each group of versions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from .constructs import LAST, grammar
from .generate import choice, generate
from .text import suffix_of, write

__all__ = ["choice", "phase_of", "programs", "suffix_of", "write"]

PHASED = 4  # one program of so many starts somewhere inside a millisecond


def programs(seed: int, features: str, size: int, majors: Sequence[int]) -> list[tuple[dict[str, Any], list[int]]]:
    """Returns a program of this seed for every version: one made of what the oldest has, and for most seeds another from a newer one on."""
    steps = sorted({construct.since for construct in grammar().constructs.values() if min(majors) < construct.since < LAST})
    newer = [major for major in majors if major in steps]
    draw = random.Random(f"floors {seed}")
    floors = sorted({min(majors), *([draw.choice(newer)] if newer and draw.random() < 0.85 else [])})
    made = []
    for floor, next_floor in zip(floors, [*floors[1:], max(majors) + 1]):
        if those := [major for major in majors if floor <= major < next_floor]:
            program = generate(seed, floor, max(those), size, choice(features))
            program["phase"] = draw.randrange(1_000_000) if draw.randrange(PHASED) == 0 else 0
            made.append((program, those))
    return made


def phase_of(program: dict[str, Any]) -> int:
    return program.get("phase", 0)

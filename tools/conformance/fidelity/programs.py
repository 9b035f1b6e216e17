"""The programs of a campaign: planned ones, random ones and thinned ones, a third each. The same seed gives the same program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .generate import FOCUS, generate, parse_features
from .mistakes import mistaken
from .plan import Item, bundle
from .planned import planned
from .thin import thin

KINDS = ("planned", "random", "thinned")
MIXED = "mixed"
MISTAKEN = 5
# Versions that add language features to random programs.
NEWER = (8, 10, 11, 12, 14, 16)

Document = dict[str, Any]


@dataclass(frozen=True)
class Choice:
    """The options of program generation."""

    features: frozenset[str]
    focus: str = ""
    size: int = 25
    kind: str = MIXED

    def kind_of(self, seed: int) -> str:
        return KINDS[seed % len(KINDS)] if self.kind == MIXED else self.kind

    def items_of(self, seed: int) -> tuple[Item, ...]:
        """Returns the items of a planned program: successive planned programs are successive bundles."""
        return bundle(seed // len(KINDS) if self.kind == MIXED else seed, self.features)


def choice(features: str, focus: str = "", size: int = 25, kind: str = MIXED) -> Choice:
    """Raises ValueError for unknown words. A focus has its own features if none are given."""
    if focus and focus not in FOCUS:
        raise ValueError(f"no such focus: {focus}; there are {', '.join(FOCUS)}")
    if kind not in (MIXED, *KINDS):
        raise ValueError(f"no such kind: {kind}; there are {', '.join((MIXED, *KINDS))}")
    return Choice(parse_features(features or (",".join(FOCUS[focus]) if focus else "all")), focus, size, kind)


def program(seed: int, made_of: Choice, major: int) -> Document:
    """Returns the program of this seed for this version and newer ones; one in MISTAKEN has mistakes."""
    document = correct_program(seed, made_of, major)
    if seed // len(KINDS) % MISTAKEN != 0:
        return document
    return mistaken(document, f"mistaken {seed}", made_of.features, major)


def correct_program(seed: int, made_of: Choice, major: int) -> Document:
    match made_of.kind_of(seed):
        case "planned":
            return planned(made_of.items_of(seed), f"planned {seed}", f"Planned {seed}", made_of.features, major)
        case "random":
            return generate(seed, made_of.features, made_of.size, major, made_of.focus)
    document = generate(seed, made_of.features, 2 * made_of.size, major, made_of.focus)
    return thin(document, f"thinned {seed}") | {"title": f"Thinned {seed}"}


def programs(seed: int, made_of: Choice, majors: Sequence[int]) -> list[tuple[Document, list[int]]]:
    """Returns a program of this seed for every version; newer versions may have one that uses more of the language."""
    floors = sorted({min(majors), *newer_floors(seed, made_of, majors)})
    made = []
    for floor, next_floor in zip(floors, [*floors[1:], max(majors) + 1]):
        if those := [major for major in majors if floor <= major < next_floor]:
            made.append((program(seed, made_of, floor), those))
    return made


def newer_floors(seed: int, made_of: Choice, majors: Sequence[int]) -> list[int]:
    """Returns the versions from which a seed has another program: a later one for every other random seed; those that the items of a
    planned one need."""
    if made_of.kind_of(seed) == "planned":
        return [item.since for item in made_of.items_of(seed) if min(majors) < item.since <= max(majors)]
    newer = [major for major in NEWER if min(majors) < major <= max(majors)]
    return [newer[seed // 2 % len(newer)]] if newer and seed % 2 else []

"""Counts the contents of documents: pairs of a hole and its contents, triples that involve scopes or exceptions, options
given and omitted, offered names used and unused, locals captured and not.

It walks the JSON, independently of the generator. The set of possible pairs and triples (`Space`) comes from the grammar.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .grammar import AWAITED, EMPTY, NAME, NAMED, NULL, STEPS, VALUE, Construct, Grammar, Part, Step, grammar

PLACEHOLDER = re.compile(r"\{(?:since )?([\w$]+)(?:\.\w+)?\}")

Pair = tuple[str, str]
Triple = tuple[str, str, str]


# ---- what is counted -----------------------------------------------------------------------------------------------


@dataclass
class Space:
    """Everything that can be drawn with these features up to a version."""

    pairs: list[Pair]
    triples: list[Triple]
    options: list[tuple[str, bool]]
    offers: list[tuple[str, str, bool]]
    captures: list[tuple[str, bool]]


def possible(features: frozenset[str] | None = None, major: int = 99) -> Space:
    """`features`: None means all."""
    language = grammar()
    holes = [hole for hole in language.holes() if allowed(language.features(hole), language.since(hole), features, major)]
    constructs = [one for one in language.constructs.values() if allowed(one.get("features"), one.since, features, major)]
    steps = [one for one in constructs if one.stands("step")]
    pairs = [(hole.id, inner) for hole in holes for inner in inner_steps(hole, steps) if not language.is_excepted(hole.id, inner)]
    for construct in constructs:
        for part in construct.holes(AWAITED):
            others = [one.id for one in constructs if one.stands("awaitable")]
            pairs += [(part.id, inner) for inner in [*bare(part), *others] if not language.is_excepted(part.id, inner)]
    touching = [hole for hole in holes if language.touches(hole)]
    leaves = [one.id for one in steps if one.touches] + [EMPTY]
    triples = [
        (outer.id, middle.id, inner)
        for outer in touching
        for middle in touching
        for inner in leaves
        if middle not in language.roots
        and not language.is_excepted(outer.id, middle.construct)
        and not language.is_excepted(middle.id, inner)
    ]
    optional = [part.id for one in constructs for part in one.parts if part.get("optional")]
    optional = [id for id in optional if allowed((), language.hole(id).get("since", 0), None, major)]
    offers = [(hole.id, name) for hole in holes for name in hole.get("offers", {})]
    return Space(
        pairs,
        triples,
        [(id, given) for id in optional for given in (True, False)],
        [(*offer, used) for offer in offers for used in (True, False)],
        [(hole.id, captured) for hole in holes if hole.id != "main" for captured in (True, False)],
    )


def allowed(needed: Iterable[str], since: int, features: frozenset[str] | None, major: int) -> bool:
    return since <= major and (features is None or set(needed) <= features)


def inner_steps(hole: Part, steps: list[Construct]) -> list[str]:
    names = [one.id for one in steps] + [EMPTY]
    return names + [NAMED] if hole.hole == "callback" and not hole.get("plain") and hole.id != "function.do" else names


def bare(part: Part) -> list[str]:
    """Returns the other contents of the hole, besides steps that make a promise."""
    match part.hole:
        case "returned":
            return [VALUE, NAME]
        case "awaitables":
            return [EMPTY, NULL, NAME]
    return [NULL, NAME]


# ---- counting ------------------------------------------------------------------------------------------------------


@dataclass
class Census:
    documents: int = 0
    pairs: Counter[Pair] = field(default_factory=Counter)
    captured: Counter[Pair] = field(default_factory=Counter)  # pairs in a list that uses a local of an enclosing scope
    triples: Counter[Triple] = field(default_factory=Counter)
    options: Counter[tuple[str, bool]] = field(default_factory=Counter)
    offers: Counter[tuple[str, str, bool]] = field(default_factory=Counter)
    captures: Counter[tuple[str, bool]] = field(default_factory=Counter)

    def add(self, document: dict[str, Any]) -> None:
        self.documents += 1
        Walk(self, document).all()

    def table(self, space: Space) -> dict[str, Any]:
        """Returns the report written beside the results of a campaign."""
        matrix: dict[str, dict[str, int]] = {}
        for hole, inner in space.pairs:
            matrix.setdefault(hole, {})[inner] = self.pairs[hole, inner]
        return {
            "documents": self.documents,
            "summary": self.summary(space),
            "pairs": matrix,
            "options": table_of(space.options, self.options),
            "offers": table_of(space.offers, self.offers),
            "captures": table_of(space.captures, self.captures),
            "missing": {
                "pairs": [" x ".join(pair) for pair in space.pairs if not self.pairs[pair]],
                "triples": [" x ".join(triple) for triple in space.triples if not self.triples[triple]],
            },
        }

    def by_area(self, space: Space) -> dict[str, dict[str, list[int]]]:
        """Returns pairs by area, {area of the outer: {area of the inner: [drawn, possible, smallest count of a pair]}}."""
        table: dict[str, dict[str, list[int]]] = {}
        for hole, inner in space.pairs:
            row = table.setdefault(area_of(hole.partition(".")[0]), {})
            cell = row.setdefault(area_of(inner), [0, 0, self.pairs[hole, inner]])
            cell[0] += self.pairs[hole, inner] > 0
            cell[1] += 1
            cell[2] = min(cell[2], self.pairs[hole, inner])
        return table

    def figures(self, space: Space) -> dict[str, list[int]]:
        """Returns {kind of count: [drawn, possible]}."""
        parts = (
            ("pairs", space.pairs, self.pairs),
            ("with a captured local", [pair for pair in space.pairs if can_capture(pair)], self.captured),
            ("triples", space.triples, self.triples),
            ("options", space.options, self.options),
            ("names", space.offers, self.offers),
        )
        return {
            what: [sum(1 for one in wanted if counts[one]), len(wanted)]  # type: ignore[attr-defined, index]
            for what, wanted, counts in parts
        }

    def summary(self, space: Space) -> str:
        return "; ".join(f"{what} {drawn:,} of {possible:,}" for what, (drawn, possible) in self.figures(space).items())


# Area of a construct, by the first of its features.
AREAS = {
    "the language": ("cpu", "values", "functions", "control", "throw"),
    "timers, immediates": ("timers", "intervals", "immediates", "clear", "unref", "refresh"),
    "ticks, microtasks": ("ticks", "microtasks"),
    "promises": ("then", "settle", "combine", "promisified", "async", "rejections", "rejected"),
    "work elsewhere": ("fs", "files", "dns"),
    "events, exit": ("emitters", "handlers", "life", "exit"),
    "children, signals": ("processes",),
    "network": ("network",),
}


def area_of(id: str) -> str:
    """Returns the area of a construct; for other contents of a hole, their kind."""
    if id in (EMPTY, NAMED, NAME, NULL, VALUE):
        return "nothing" if id == EMPTY else "a name or value"
    if id in ("main", "function"):
        return "the language"
    first = grammar().constructs[id].get("features")[0]
    return next(area for area, features in AREAS.items() if first in features)


def can_capture(pair: Pair) -> bool:
    hole = grammar().hole(pair[0])
    return hole.hole in STEPS and pair[0] != "main" and pair[1] not in (EMPTY, NAMED)


def table_of(wanted: Iterable[tuple[Any, ...]], counts: Counter[Any]) -> dict[str, list[int]]:
    """Returns [times true, times false]."""
    made: dict[str, list[int]] = {}
    for one in wanted:
        made.setdefault(" ".join(one[:-1]), [0, 0])[0 if one[-1] else 1] = counts[one]
    return made


class Walk:
    """Counts one document."""

    def __init__(self, census: Census, document: dict[str, Any]) -> None:
        self.census, self.document = census, document
        self.language: Grammar = grammar()
        self.kinds = self.language.kinds_of(document)

    def all(self) -> None:
        tops = {name for step in self.document["main"] if "let" in step for name in step["let"]}
        self.steps(self.language.hole("main"), self.document["main"], None, set(), set())
        body = self.language.hole("function.do")
        for function in self.document.get("functions", {}).values():
            steps = function["do"] if isinstance(function, dict) else function
            parameters = set(function.get("parameters", ())) if isinstance(function, dict) else set()
            used = self.steps(body, steps, None, tops - parameters, parameters)
            self.census.captures[body.id, bool(used & tops - parameters)] += 1
            if parameters:
                self.census.offers[body.id, "@parameters", bool(used & parameters)] += 1

    def steps(self, hole: Part, steps: list[Step], around: Part | None, known: set[str], own: set[str]) -> set[str]:
        """Counts a list of steps. Returns the names that it uses from enclosing scopes. `around` is the hole that contains the step of
        this hole, `known` are the locals around the list, `own` the names that the hole offers."""
        inner_of = [EMPTY] if not steps else []
        declared: set[str] = set()
        used: set[str] = set()
        for step in steps:
            if "let" in step:
                declared |= step["let"].keys()
            construct = self.language.find(step, self.kinds)
            inner_of.append(construct.id if construct else f"unknown: {next(iter(step))}")
            used |= self.step(construct, step, hole, known | own | declared)
        used -= declared
        captured = bool(used & known)
        for inner in inner_of:
            self.census.pairs[hole.id, inner] += 1
            self.census.captured[hole.id, inner] += captured
            if around is not None:
                self.census.triples[around.id, hole.id, inner] += 1
        return used

    def step(self, construct: Construct | None, step: Step, hole: Part | None, known: set[str]) -> set[str]:
        if construct is None:
            return mentioned(step)
        deeper = {part.key.partition(".")[0] for part in construct.parts if part.hole in (*STEPS, *AWAITED)}
        used = mentioned({key: value for key, value in step.items() if key not in deeper})
        for part in construct.parts:
            is_given = has(part, step)
            if part.get("optional"):
                self.census.options[part.id, is_given] += 1
            if is_given and part.hole in STEPS:
                used |= self.hole(part, step, hole, known)
            elif is_given and part.hole in AWAITED:
                used |= self.awaited(part, part.of(step), known)
        return used

    def hole(self, part: Part, step: Step, around: Part | None, known: set[str]) -> set[str]:
        steps = part.of(step)
        if isinstance(steps, str):
            self.census.pairs[part.id, NAMED] += 1
            return set()
        offered = part.offers(step)
        if around is not None and not (self.language.touches(around) and self.language.touches(part)):
            around = None
        known = known - set(offered.values())  # offered names shadow outer ones
        used = self.steps(part, steps, around, known, set(offered.values()))
        for name, real in offered.items():
            self.census.offers[part.id, name, real in used] += 1
        self.census.captures[part.id, bool(used & known)] += 1
        return used - set(offered.values())

    def awaited(self, part: Part, value: Any, known: set[str]) -> set[str]:
        if part.hole == "awaitables":
            if not value:
                self.census.pairs[part.id, EMPTY] += 1
            return set().union(*(self.awaitable(part, item, known) for item in value))
        return self.awaitable(part, value, known)

    def awaitable(self, part: Part, value: Any, known: set[str]) -> set[str]:
        construct = self.language.find(value, self.kinds, "awaitable") if isinstance(value, dict) else None
        if construct is not None:
            self.census.pairs[part.id, construct.id] += 1
            return self.step(construct, value, None, known)
        inner = NULL if value is None and part.hole != "returned" else VALUE
        if isinstance(value, str) and "promise" in self.kinds.get(value.strip("{}"), ()):
            inner = NAME
        elif isinstance(value, str) and part.hole != "returned":
            inner = NAME
        self.census.pairs[part.id, inner] += 1
        return mentioned(value)


def has(part: Part, step: Step) -> bool:
    try:
        part.of(step)
    except (KeyError, TypeError):
        return False
    return True


def mentioned(value: Any) -> set[str]:
    """Yields the names that a value may use: within a text, or as the whole value."""
    return set(words_in(value))


def words_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        yield from PLACEHOLDER.findall(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from words_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from words_in(item)

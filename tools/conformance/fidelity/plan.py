"""The plan: all pairs and triples of the grammar, in bundles of one small program each.

Program n is bundle n modulo their number: one walk through the plan draws every pair and triple once, and the second walk draws them in
other variants. planned.py generates the program of a bundle.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from .census import possible
from .grammar import grammar

PAIRS, TRIPLES, SOCKETS = 4, 5, 3  # items per program


@dataclass(frozen=True)
class Item:
    """The contents of a hole; `outer` is the enclosing hole."""

    hole: str
    inner: str
    outer: str = ""
    is_captured: bool = False  # the hole's steps use a local of an enclosing scope

    @property
    def holes(self) -> tuple[str, ...]:
        return (self.outer, self.hole) if self.outer else (self.hole,)

    @property
    def since(self) -> int:
        """Returns the first version of Node that has all parts of the item."""
        language = grammar()
        inner = language.constructs.get(self.inner)
        return max([inner.since if inner else 0] + [language.since(language.hole(hole)) for hole in self.holes])

    def ends(self) -> bool:
        """Returns whether the item may end the program, which hides the other items."""
        inner = grammar().constructs.get(self.inner)
        if "on-exit.do" in self.holes or (inner is not None and inner.get("ends")):
            return True
        is_fatal = "main" in self.holes or "on-uncaughtException.do" in self.holes
        return is_fatal and inner is not None and bool(inner.get("throws") or inner.get("rejects"))

    def has_sockets(self) -> bool:
        language = grammar()
        inner = language.constructs.get(self.inner)
        features = set(inner.get("features")) if inner else set()
        return "network" in features.union(*(language.features(language.hole(hole)) for hole in self.holes))


@cache
def bundles(features: frozenset[str]) -> tuple[tuple[Item, ...], ...]:
    """Returns the programs of one walk in a fixed shuffled order, so that neighbours have little in common."""
    space = possible(features)
    mixed = random.Random("the plan")
    pairs = [Item(hole, inner) for hole, inner in space.pairs]
    triples = [Item(hole, inner, outer) for outer, hole, inner in space.triples]
    for items in (pairs, triples):
        mixed.shuffle(items)
    last = [item for item in [*pairs, *triples] if item.ends()]
    others = [item for item in pairs if not item.ends()]
    made = pieces([item for item in others if item.has_sockets()], SOCKETS)
    made += pieces([item for item in others if not item.has_sockets()], PAIRS)
    made += pieces([item for item in triples if not item.ends()], TRIPLES)
    mixed.shuffle(made)
    # Items that may end the program come last in one; those in the main script get a program of their own.
    for number, item in enumerate(last):
        if number < len(made) and item.hole != "main":
            made[number] = (*made[number], item)
        else:
            made.append((item,))
    return tuple(made)


def pieces(items: Sequence[Item], size: int) -> list[tuple[Item, ...]]:
    return [tuple(items[begin : begin + size]) for begin in range(0, len(items), size)]


def bundle(number: int, features: frozenset[str]) -> tuple[Item, ...]:
    """Returns the items of program `number`; in every second walk the other half of the items has a captured local."""
    made = bundles(features)
    walk, place = divmod(number, len(made))
    return tuple(replace(item, is_captured=(walk + place + i) % 2 == 0) for i, item in enumerate(made[place]))

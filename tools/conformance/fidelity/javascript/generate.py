"""Draws a random JavaScript program: a tree of constructs. The same seed and version give the same tree.

A node is {"is": "kind id", "holes": [...]}, a hole one of {"list": [node...]}, {"text": ...}, {"new": name}, {"use": name},
{"node": node}, and null for a label or a name that stands there again. So a tree is JSON, and shrink.py may take it apart.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from .constructs import LISTS, Construct, Grammar, Hole, grammar

Node = dict[str, Any]
Scope = list[tuple[str, str]]  # (name, kind), outer ones first

# A name of the second kind will do where one of the first is wanted.
ALSO = {"target": ("signal",), "value": ("error",), "awaitable": ("promise",)}
MODULES_SINCE = 14  # ES modules with top-level await
MODULE_IN = 6  # one program of so many is one


@dataclass(frozen=True)
class Place:
    """Where a statement stands: in a function of this kind (script: none, module: none, with await), in a loop or not."""

    function: str
    in_loop: bool = False

    def has(self, inside: str) -> bool:
        match inside:
            case "":
                return True
            case "async":
                return self.function in ("async", "asyncgenerator", "module")
            case "asyncfunction":
                return self.function in ("async", "asyncgenerator")
            case "function":
                return self.function not in ("script", "module", "static")
            case "loop":
                return self.in_loop
        return self.function == inside


@dataclass(frozen=True)
class Choice:
    """What programs are made of: --features."""

    topics: frozenset[str]
    without: frozenset[str]  # ids of constructs


def choice(features: str) -> Choice:
    """Reads a list of topics; `all` are all of them, and a minus takes a topic or a construct away. Raises ValueError."""
    topics: set[str] = set()
    without: set[str] = set()
    known = set(grammar().topics())
    ids = {construct.id for construct in grammar().constructs.values()}
    for word in (features or "all").split(","):
        bare = word.strip().removeprefix("-")
        if bare == "all" and not word.startswith("-"):
            topics |= known
        elif bare in known:
            topics = topics - {bare} if word.startswith("-") else topics | {bare}
        elif bare in ids and word.startswith("-"):
            without.add(bare)
        else:
            raise ValueError(f"no such feature: {bare}; there are all, {', '.join(sorted(known))}; and -CONSTRUCT")
    return Choice(frozenset(topics), frozenset(without))


class Generator:
    def __init__(self, seed: int, major: int, last: int, size: int, chosen: Choice) -> None:
        self.random = random.Random(f"javascript {seed}")
        self.grammar: Grammar = grammar()
        self.major = major  # the first version that is to run it
        self.last = last
        self.size = size
        self.numbers = 0
        self.without = chosen.without
        topics = sorted(chosen.topics)
        # A few topics in each program, and a little of all others: what comes together is tried more deeply.
        several = self.random.sample(topics, min(len(topics), self.random.choice((2, 3, 3, 4, 6))))
        self.topics = {topic: 3.0 if topic in several else self.random.choice((0.0, 0.1, 0.4)) for topic in topics}
        self.throws = self.random.choice((0.2, 0.6, 1.0, 2.0))

    def program(self) -> Node:
        is_module = self.major >= MODULES_SINCE and self.random.randrange(MODULE_IN) == 0
        place = Place("module" if is_module else "script")
        scope: Scope = []
        made: list[Node] = []
        count = self.random.randint(3, max(4, self.size // 2))
        for _ in range(count):
            self.add_statement(made, place, scope, self.random.choice((1, 3, 6, 10, 16)))
        return {"module": is_module, "list": made}

    # ---- what may stand in a place ----

    def is_there(self, construct: Construct) -> bool:
        if construct.id in self.without or (construct.topic and construct.topic not in self.topics):
            return False
        return construct.fits(self.major, self.last)

    def weight_of(self, construct: Construct, place: Place, budget: int) -> float:
        if not self.is_there(construct) or not place.has(construct.inside):
            return 0
        weight = construct.weight * self.topics.get(construct.topic, 1.0)
        if construct.kind == "statement" and construct.id.startswith("throw"):
            weight *= self.throws
        if budget <= 0 and not construct.is_leaf():
            weight *= 0.02
        return weight

    def draw(self, constructs: list[Construct], place: Place, budget: int) -> Construct | None:
        weights = [self.weight_of(construct, place, budget) for construct in constructs]
        return self.random.choices(constructs, weights)[0] if any(weights) else None

    @staticmethod
    def known(scope: Scope, kind: str) -> list[str]:
        kinds = (kind, *ALSO.get(kind, ()))
        return [name for name, own in scope if own in kinds]

    # ---- statements ----

    def statements(self, place: Place, scope: Scope, budget: int) -> list[Node]:
        made: list[Node] = []
        inner = list(scope)
        while budget > 0 and self.random.random() < 0.85:
            part = self.random.randint(1, budget)
            budget -= part
            self.add_statement(made, place, inner, part - 1)
            if made and self.grammar.constructs[made[-1]["is"]].ends:
                break
        return made

    def add_statement(self, into: list[Node], place: Place, scope: Scope, budget: int) -> None:
        """Adds a statement, and before it what makes the names that it wants."""
        for _ in range(5):
            construct = self.draw(self.grammar.by_kind["statement"], place, budget)
            if construct is None:
                return
            if construct.ends and place.function in ("script", "module") and self.random.random() < 0.9:
                continue  # the rest of the program would never run
            if self.provide(construct, into, place, scope, 2):
                into.append(self.node(construct, place, scope, budget))
                return

    def provide(self, construct: Construct, into: list[Node], place: Place, scope: Scope, depth: int) -> bool:
        for kind in construct.wanted():
            if self.known(scope, kind):
                continue
            if depth == 0:
                return False
            maker = self.maker(kind, place)
            if maker is None or not self.provide(maker, into, place, scope, depth - 1):
                return False
            into.append(self.node(maker, place, scope, 1))
        return True

    def maker(self, kind: str, place: Place) -> Construct | None:
        makers = [construct for construct in self.grammar.makers.get(kind, ()) if not construct.ends]
        usable = [c for c in makers if self.is_there(c) and place.has(c.inside)]
        return self.random.choices(usable, [construct.weight for construct in usable])[0] if usable else None

    # ---- nodes ----

    def node(self, construct: Construct, place: Place, scope: Scope, budget: int) -> Node:
        """Makes a node; names that are new for what follows are added to the scope."""
        arguments: dict[str, tuple[str, str]] = {}
        own: Scope = []
        outer: Scope = []
        holes: list[Any] = []
        open_holes = sum(hole.what in ("list", "expression") for hole in construct.holes())
        for hole, known in zip(construct.holes(), construct.known):
            inner = [*scope, *own, *(arguments[alias] for alias in sorted(known))]
            match hole.what:
                case "label" | "again":
                    holes.append(None)
                case "text":
                    holes.append({"text": self.random.choice(hole.words)})
                case "new" | "arg":
                    self.numbers += 1
                    name = f"{hole.alias}{self.numbers}"
                    holes.append({"new": name})
                    if hole.what == "arg":
                        arguments[hole.alias] = (name, hole.kind)
                    else:
                        outer.append((name, hole.kind))
                        own += [(name, hole.kind)] if construct.names else []
                case "name":
                    holes.append({"use": self.random.choice(self.known(inner, hole.kind))})
                case "list":
                    part = self.share(budget, open_holes)
                    holes.append({"list": self.statements(self.place_of(hole, place), inner, part)})
                case _:
                    holes.append(self.expression(hole.kind, place, inner, self.share(budget, open_holes)))
        scope += outer
        return {"is": f"{construct.kind} {construct.id}", "holes": holes}

    def share(self, budget: int, holes: int) -> int:
        return budget - 1 if holes <= 1 else self.random.randint(0, max(0, budget - 1)) if budget > 0 else 0

    @staticmethod
    def place_of(hole: Hole, place: Place) -> Place:
        is_function, kind, in_loop = LISTS[hole.kind]
        if is_function:
            return Place(kind, in_loop)
        return replace(place, in_loop=True) if in_loop else place

    def expression(self, kind: str, place: Place, scope: Scope, budget: int) -> Any:
        names = self.known(scope, kind)
        if names and self.random.random() < (0.45 if kind in ("promise", "signal", "function", "asynciterable") else 0.25):
            return {"use": self.random.choice(names[-6:])}
        for _ in range(8):
            construct = self.draw(self.grammar.by_kind[kind], place, budget)
            if construct is None:
                break
            if all(self.known(scope, wanted) for wanted in construct.wanted()):
                return {"node": self.node(construct, place, scope, budget - 1)}
        return {"node": self.simplest(kind, place, scope)}

    def simplest(self, kind: str, place: Place, scope: Scope) -> Node:
        """Returns the first construct of the kind that these versions have, whatever its topic, made as small as it gets."""
        for construct in self.grammar.by_kind[kind]:
            if construct.fits(self.major, self.last) and not construct.wanted():
                return self.node(construct, place, scope, 0)
        raise ValueError(f"no {kind} in node-{self.major}")


def generate(seed: int, major: int, last: int, size: int, chosen: Choice) -> Node:
    """Returns a program for the versions from `major` to `last`."""
    return Generator(seed, major, last, size, chosen).program()

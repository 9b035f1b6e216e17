"""Reads grammar.json, the constructs of the language, and finds the construct of a step of a document.

README.md, "The grammar", documents the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent.parent / "grammar.json"

STEPS = ("block", "callback")  # holes for a list of steps
AWAITED = ("awaitable", "awaitables", "returned")  # holes for an expression that makes a promise

# Contents of a hole other than constructs: nothing, a function's name, a promise's name, null, a value (no promise).
EMPTY, NAMED, NAME, NULL, VALUE = "(empty)", "(function)", "(name)", "(null)", "(value)"

Step = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """A key of a step, and its contents."""

    construct: str
    key: str
    hole: str  # its kind; empty: a literal
    data: dict[str, Any] = field(compare=False, hash=False)

    @property
    def id(self) -> str:
        return f"{self.construct}.{self.key}"

    def get(self, name: str, default: Any = None) -> Any:
        return self.data.get(name, default)

    def of(self, step: Step) -> Any:
        """Returns the value of the key in this step; KeyError if it is absent."""
        group, dot, event = self.key.partition(".")
        return step[group][event] if dot else step[self.key]

    def offers(self, step: Step) -> dict[str, str]:
        """Returns the names that the steps in the hole may use: those in the grammar, and those of this step."""
        offers = self.get("offers", {})
        return {name: step["as"] if name == "@as" else name for name, needed in offers.items() if needed is True or needed in step}


@dataclass(frozen=True)
class Construct:
    id: str
    verb: str
    parts: tuple[Part, ...]
    data: dict[str, Any] = field(compare=False, hash=False)

    def get(self, name: str, default: Any = None) -> Any:
        return self.data.get(name, default)

    @property
    def since(self) -> int:
        return self.get("since", 0)

    @property
    def touches(self) -> bool:
        return self.get("touches", False)

    def stands(self, as_what: str) -> bool:
        return as_what in self.get("stands")

    def part(self, key: str) -> Part:
        return next(part for part in self.parts if part.key == key)

    def holes(self, kinds: Iterable[str] = STEPS) -> Iterator[Part]:
        return (part for part in self.parts if part.hole in kinds)

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(part.key for part in self.parts)

    def is_step(self, step: Step, keys: set[str], kinds: dict[str, set[str]]) -> bool:
        """Returns whether a step of a document has this construct. `kinds` has the kinds of the document's names."""
        if not keys <= self.keys and not keys <= self.keys | self.swapped(step):
            return False
        if (needed := self.get("one_of")) and not keys & set(needed):
            return False
        return all(self.fits(part, step, keys, kinds) for part in self.parts)

    def swapped(self, step: Step) -> set[str]:
        return {verb for verb in self.get("also", ()) if verb in step}

    def fits(self, part: Part, step: Step, keys: set[str], kinds: dict[str, set[str]]) -> bool:
        key = part.key
        if key == self.verb and key not in step:
            key = next(iter(self.swapped(step)), key)
        if key not in keys:
            return bool(part.get("optional"))
        value = step[key] if "." not in key else None
        if "literal" in part.data:
            return value == part.get("literal")
        if part.hole in ("event", "word") and isinstance(value, str):
            words = part.get("words")
            return any(value == (word if isinstance(word, str) else word[0]) for word in words)
        if part.hole == "name" and (known := kinds.get(value)):
            return part.get("kind") in known
        if part.hole == "assignments":
            is_local = [("local" in kinds.get(name, ())) for name in value]
            return not is_local or is_local[0] == (part.get("kind") == "local")
        return True


@dataclass(frozen=True)
class Grammar:
    constructs: dict[str, Construct]
    verbs: dict[str, tuple[Construct, ...]]
    roots: tuple[Part, ...]
    names: dict[str, dict[str, Any]]
    exceptions: tuple[dict[str, Any], ...]

    def holes(self, kinds: Iterable[str] = STEPS) -> list[Part]:
        """Returns all constructs of these kinds, root constructs first."""
        found = [part for construct in self.constructs.values() for part in construct.holes(kinds)]
        return [root for root in self.roots if root.hole in kinds] + found

    def hole(self, id: str) -> Part:
        for root in self.roots:
            if root.id == id:
                return root
        construct, _, key = id.partition(".")
        return self.constructs[construct].part(key)

    def touches(self, hole: Part) -> bool:
        return bool(hole.get("touches")) if hole in self.roots else self.constructs[hole.construct].touches

    def since(self, hole: Part) -> int:
        own = hole.get("since", 0)
        return own if hole in self.roots else max(own, self.constructs[hole.construct].since)

    def features(self, hole: Part) -> set[str]:
        own = set(hole.get("features", ()))
        return own if hole in self.roots else own | set(self.constructs[hole.construct].get("features"))

    def is_excepted(self, hole: str, inner: str) -> bool:
        return any(
            inner == one["inner"] and one["hole"] in ("*", hole) and hole not in one.get("but", ()) for one in self.exceptions
        )

    def find(self, step: Step, kinds: dict[str, set[str]], stands: str = "step") -> Construct | None:
        """Returns the construct of a step."""
        keys = set(step) - ({"on"} if isinstance(step.get("on"), dict) else set())
        keys |= {f"on.{event}" for event in step["on"]} if isinstance(step.get("on"), dict) else set()
        for verb in step:
            for construct in self.verbs.get(verb, ()):
                if construct.stands(stands) and construct.is_step(step, keys, kinds):
                    return construct
        return None

    def kinds_of(self, document: dict[str, Any]) -> dict[str, set[str]]:
        """Returns the kinds of each name of a document; a name may have several."""
        kinds: dict[str, set[str]] = {}
        for step in objects([document["main"], document.get("functions", {})]):
            for name, kind in self.made(step):
                kinds.setdefault(name, set()).add(kind)
        kinds.setdefault("value", {"socket"})  # the only `value` that steps can operate on
        for step in objects([document["main"], document.get("functions", {})]):
            for name, value in step["set"].items() if isinstance(step.get("set"), dict) else ():
                if isinstance(value, str) and (known := kinds.get(value.strip("{}"))):
                    kinds.setdefault(name, set()).update(known - {"local", "loop"})
        for function in document.get("functions", {}).values():
            if isinstance(function, dict):
                for name in function.get("parameters", ()):
                    kinds.setdefault(name, set()).add("local")
        return kinds

    def made(self, step: Step) -> Iterator[tuple[str, str]]:
        """Yields the names that a step creates, with their kinds."""
        for verb in step:
            if verb in ("let", "set", "add") and isinstance(step[verb], dict):
                if verb == "let":
                    yield from ((name, "local") for name in step[verb])
                continue
            for part in self.new_parts.get(verb, ()):
                if isinstance(step.get(part.key), str):
                    kind = part.get("kind")
                    yield step[part.key], kind
                    yield from ((step[part.key], more) for more in [self.names[kind].get("is")] if more)

    @cached_property
    def new_parts(self) -> dict[str, list[Part]]:
        """Returns the parts of a verb's steps that create a name; they are the same in all forms that have them."""
        made = {}
        for verb, constructs in self.verbs.items():
            parts = [part for construct in constructs for part in construct.parts if part.hole == "new"]
            made[verb] = list({part.key: part for part in reversed(parts)}.values())
        return made


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yields all objects in a part of a document, in document order."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            one = [*one.values()]
        if isinstance(one, list):
            waiting += [item for item in reversed(one) if isinstance(item, (dict, list))]


@cache
def grammar() -> Grammar:
    data = json.loads(FILE.read_text())
    constructs: dict[str, Construct] = {}
    verbs: dict[str, list[Construct]] = {}
    for one in data["constructs"]:
        parts = tuple(Part(one["id"], key, part.get("hole", ""), part) for key, part in one["parts"].items())
        construct = Construct(one["id"], one["verb"], parts, one)
        constructs[construct.id] = construct
        for verb in (construct.verb, *one.get("also", ())):
            verbs.setdefault(verb, []).append(construct)
    roots = []
    for one in data["roots"]:
        name, _, key = one["id"].partition(".")
        roots.append(Root(name, key, one["hole"]["hole"], {**one["hole"], **one}))
    return Grammar(
        constructs,
        {verb: tuple(found) for verb, found in verbs.items()},
        tuple(roots),
        data["names"],
        tuple(data["exceptions"]),
    )


class Root(Part):
    """A list of steps at which a program begins: the main script, or the body of a function."""

    @property
    def id(self) -> str:
        return self.data["id"]

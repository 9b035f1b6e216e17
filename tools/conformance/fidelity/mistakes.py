"""Mistakes: methods called on values that lack them, or on objects of another kind than the step expects, mostly in a `try`.

Such calls are rarely intended, but have a defined result in JavaScript: an error that names the variable, a method that exists by
chance (`timer.close()`), or no effect (`clearTimeout(7)`).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from .draws import Draws
from .grammar import Step, grammar

Document = dict[str, Any]
Steps = list[Step]

# The step, its feature, its first version. "@" is the variable.
CALLS: tuple[tuple[Step, str, int], ...] = (
    ({"clear": "@"}, "clear", 4),
    ({"unref": "@"}, "unref", 4),
    ({"ref": "@"}, "unref", 4),
    ({"hasRef": "@", "as": "hasIt"}, "unref", 11),
    ({"refresh": "@"}, "refresh", 10),
    ({"resolve": "@"}, "promises", 4),
    ({"reject": "@"}, "rejections", 4),
    ({"then": "@", "do": []}, "then", 4),
    ({"then": "@", "catch": []}, "rejections", 4),
    ({"then": "@", "finally": []}, "then", 10),
    ({"on": "@", "event": "x", "do": []}, "emitters", 4),
    ({"off": "@", "event": "x", "do": "mistaken"}, "emitters", 4),
    ({"emit": "@", "event": "x"}, "emitters", 4),
    ({"close": "@"}, "net", 4),
    ({"destroy": "@"}, "net", 4),
    ({"write": "@", "bytes": 3}, "sockets", 4),
    ({"end": "@"}, "sockets", 4),
    ({"resume": "@"}, "sockets", 4),
    ({"kill": "@"}, "processes", 4),
    ({"exitCode": "{@}"}, "exit", 4),
)
VALUES: dict[str, Any] = {"aNumber": 7, "aText": "text", "aNull": None, "aFlag": True, "anEmptyText": ""}
OF_TIMERS = frozenset(("timer", "interval"))
UNSEEN = frozenset(("local", "loop", "mark"))  # not visible in other bodies, or nowhere


class Mistaken(Draws):
    def __init__(self, document: Document, seed: str, features: frozenset[str], major: int) -> None:
        super().__init__(seed, features, major)
        self.document = copy.deepcopy(document)
        self.calls = [(step, step.keys()) for step, feature, since in CALLS if self.has(feature, since)]
        self.kinds = grammar().kinds_of(document)
        # Only variables: `as` of a reaction, for example, is only a label.
        named = {name for steps in self.lists() for step in steps for name, _ in grammar().made(step)}
        self.made = sorted(name for name in named if not self.kinds[name] & UNSEEN)

    def document_with(self, most: int) -> Document:
        if not self.calls:
            return self.document
        values = {name: value for name, value in VALUES.items() if self.chance(0.5)}
        lists = list(self.lists())
        used = set()
        for _ in range(self.random.randint(1, most)):
            step = self.call(list(values), used)
            if step is not None:
                steps = self.pick(lists)
                # Before a step that leaves the list, and in its second half, after steps that create things.
                last = next((i for i, one in enumerate(steps) if one.keys() & {"throw", "return", "exit"}), len(steps))
                steps.insert(self.random.randint(last // 2, last), step)
        if values:
            self.document["main"].insert(0, {"set": values})
        if "mistaken" in used:
            self.document.setdefault("functions", {})["mistaken"] = []
        return self.document

    def call(self, values: list[str], used: set[str]) -> Step | None:
        step, keys = self.pick(self.calls)
        # A timer converts to a number that is unpredictable.
        made = [name for name in self.made if "exitCode" not in keys or not self.kinds[name] & OF_TIMERS]
        groups = [group for group in (made, values) if group]
        if not groups:
            return None
        name = self.pick(self.pick(groups))
        call = {key: value.replace("@", name) if isinstance(value, str) else copy.copy(value) for key, value in step.items()}
        if "mistaken" in call.values():
            used.add("mistaken")
        if self.chance(0.1):
            return call
        return {"try": [call], "catch": [{"log": "{error.message}"}]}

    def lists(self) -> Iterator[Steps]:
        """Returns the bodies of the program, except those of timers that end it."""
        language = grammar()

        def within(steps: Steps) -> Iterator[Steps]:
            yield steps
            for step in steps:
                construct = language.find(step, self.kinds)
                if construct is None or str(step.get("as", "")).startswith("lastTimer"):
                    continue
                for part in construct.holes():
                    group, dot, event = part.key.partition(".")
                    body = step.get(group, {}).get(event) if dot else step.get(group)
                    if isinstance(body, list) and all(isinstance(one, dict) for one in body):
                        yield from within(body)

        yield from within(self.document["main"])


def mistaken(document: Document, seed: str, features: frozenset[str], major: int) -> Document:
    """Returns the document with one to three mistakes; the same seed gives the same ones."""
    return Mistaken(document, seed, features, major).document_with(3)

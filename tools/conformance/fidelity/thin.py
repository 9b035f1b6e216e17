"""Thins a program at random: removes steps, options and whole blocks, which often leaves unusual or empty parts.

The result is valid: uses of removed names are removed, too. Steps that end a program (counters, `clear` of an interval, the last
timers) stay.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from .census import has, mentioned
from .grammar import STEPS, Construct, Grammar, Part, Step, grammar, objects

Document = dict[str, Any]
Steps = list[Step]

# Parts that can be removed from a construct, which then becomes another construct.
SHEDDING = {"if-else": ("else",), "try-catch-finally": ("catch", "finally")}
ENDINGS = ("lastTimer",)  # prefixes of the labels of timers that close what is open


class Thinner:
    def __init__(self, document: Document, random_numbers: random.Random) -> None:
        self.document = copy.deepcopy(document)
        self.random = random_numbers
        self.language: Grammar = grammar()
        self.kinds = self.language.kinds_of(document)
        self.names = self.defined()

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def thinned(self) -> Document:
        """Draws how much to remove: some programs lose little, some nearly everything."""
        step = self.random.choice((0.05, 0.12, 0.25, 0.4))
        empty = self.random.choice((0.05, 0.15, 0.4))
        option = self.random.choice((0.05, 0.2, 0.5))
        self.list_of(self.document["main"], step, empty, option)
        for function in self.document.get("functions", {}).values():
            body = function["do"] if isinstance(function, dict) else function
            if not self.keeps(body) and self.chance(empty):
                body.clear()
            self.list_of(body, step, empty, option)
        self.repair()
        return self.document

    def list_of(self, steps: Steps, step_gone: float, emptied: float, option_gone: float) -> None:
        steps[:] = [step for step in steps if self.keeps_step(step) or not self.chance(step_gone)]
        for step in steps:
            construct = self.language.find(step, self.kinds)
            if construct is None or self.is_ending(step):
                continue
            self.options(construct, step, option_gone)
            for part in construct.holes():
                if has(part, step) and isinstance(body := part.of(step), list):
                    if not self.keeps(body) and self.chance(emptied):
                        body.clear()
                    self.list_of(body, step_gone, emptied, option_gone)

    # ---- steps to keep ----

    def is_ending(self, step: Step) -> bool:
        return str(step.get("as", "")).startswith(ENDINGS)

    def keeps_step(self, step: Step) -> bool:
        """Returns whether the program might not end without the step."""
        if "add" in step or self.is_ending(step):
            return True
        if "set" in step and all(value == 0 for value in step["set"].values()):
            return True  # counters
        return self.keeps(step)

    def keeps(self, value: Any) -> bool:
        if isinstance(value, list):
            return any(self.keeps(item) for item in value)
        if isinstance(value, dict):
            if "add" in value or "interval" in self.kinds.get(str(value.get("clear")), ()):
                return True
            return any(self.keeps(item) for item in value.values())
        return False

    # ---- options ----

    def options(self, construct: Construct, step: Step, gone: float) -> None:
        for part in construct.parts:
            if part.get("optional") and has(part, step) and self.chance(gone) and self.can_go(construct, part, step):
                remove(part, step)
        keys = SHEDDING.get(construct.id, ())
        if keys and self.chance(gone) and not self.keeps(step[key := self.random.choice(keys)]):
            del step[key]

    def can_go(self, construct: Construct, part: Part, step: Step) -> bool:
        body = part.of(step)
        if part.get("usual") or (part.hole in STEPS and self.keeps(body)):
            return False
        if part.key == "error" and part.hole == "error_code":
            return False  # `{error.code}` in the callback would read a property of null
        if (needed := construct.get("one_of")) and part.key in needed:
            return sum(key in step for key in needed) > 1
        # The names that the option offers would become undefined.
        lost = {name for hole in construct.holes() for name, when in hole.get("offers", {}).items() if when == part.key}
        return not lost or not any(has(hole, step) and mentioned(hole.of(step)) & lost for hole in construct.holes())

    # ---- uses of removed names ------------

    def repair(self) -> None:
        while True:
            lost = self.names - self.defined()
            roots = [self.document["main"]]
            roots += [body["do"] if isinstance(body, dict) else body for body in self.document.get("functions", {}).values()]
            if not any([self.without(steps, lost) for steps in roots]):
                return

    def defined(self) -> set[str]:
        known = set(self.language.kinds_of(self.document))
        for step in objects([self.document["main"], self.document.get("functions", {})]):
            if isinstance(step.get("set"), dict):
                known |= step["set"].keys()
        return known

    def without(self, steps: Steps, lost: set[str]) -> bool:
        """Removes the steps that use one of these names. Returns whether there were any."""
        kept = [step for step in steps if not self.uses(step, lost)]
        is_less = len(kept) < len(steps)
        steps[:] = kept
        for step in steps:
            construct = self.language.find(step, self.kinds)
            for part in construct.holes() if construct else ():
                if has(part, step) and isinstance(body := part.of(step), list):
                    is_less |= self.without(body, lost)
        return is_less

    def uses(self, step: Step, lost: set[str]) -> bool:
        """Returns whether the step itself, not its bodies, uses one of the names."""
        construct = self.language.find(step, self.kinds)
        bodies = {part.key.partition(".")[0] for part in construct.holes()} if construct else set()
        if isinstance(step.get("on"), str):
            bodies -= {"on"}
        own = {key: value for key, value in step.items() if key not in bodies}
        return bool(mentioned(own) & lost)


def remove(part: Part, step: Step) -> None:
    group, dot, event = part.key.partition(".")
    if dot:
        del step[group][event]
    else:
        del step[part.key]


def thin(document: Document, seed: str) -> Document:
    """Returns a thinned document; the same document and seed give the same result."""
    return Thinner(document, random.Random(seed)).thinned()

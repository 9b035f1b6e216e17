"""Timers and exceptions in random scenarios: combinations of several matching steps, which are rare by chance.

Intervals that unref, clear or refresh themselves and throw; several timers of equal and neighbouring durations of which some throw while
others are late; timers that are made, unref'd, and left behind by an exception; cleared timers that are started anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .generate import Generator, Scope, Step, Steps

LATE = ("0.5ms", "1ms", "2ms", "3ms", "5ms", "6.5ms")
SHORT = (1, 1, 1, 2, 3, 5)
ANEW = (("clear", "refresh"), ("refresh", "clear"), ("unref", "refresh"), ("clear", "refresh", "refresh"), ("refresh", "unref"))


def makers(g: Generator) -> list[tuple[str, int, float, Callable[[Scope], Steps]]]:
    made = (troubled_interval, neighbours, left_behind, started_anew)
    return [("throw" if maker is not started_anew else "clear", 0, 0.6, partial(maker, g)) for maker in made]


def throw(g: Generator) -> Steps:
    """Returns a throw, mostly if there is a listener of uncaughtException: otherwise it ends the program."""
    return [{"throw": g.new("e")}] if g.has("throw") and (g.has("handlers") or g.chance(0.1)) else []


def handler(g: Generator) -> Steps:
    """Returns a listener of uncaughtException: empty, or scheduling callbacks that do not throw."""
    steps: Steps = []
    for _ in range(g.pick((0, 0, 1, 1, 2))):
        quiet: Steps = [] if g.chance(0.5) else [{"log": g.new("l")}]
        kinds = [kind for kind in ("timers", "immediates", "ticks", "cpu", "fs") if g.has(kind)]
        match g.pick(kinds) if kinds else "":
            case "timers":
                step: Step = {"setTimeout": g.pick(SHORT), "do": quiet, "as": g.new("t")}
                steps.append(step)
                if g.has("unref") and g.chance(0.25):
                    steps.append({"unref": step["as"]})
            case "immediates":
                steps.append({"setImmediate": quiet, "as": g.new("i")})
            case "ticks":
                steps.append({"nextTick": quiet, "as": g.new("k")})
            case "cpu":
                steps.append({"cpu": g.pick(LATE)})
            case "fs":
                steps.append({"fs": "stat", "takes": g.pick(("0.2ms", "1ms", "2ms")), "do": quiet, "as": g.new("f")})
    return steps


def to_itself(g: Generator, name: str) -> Steps:
    """Returns an operation of a callback on its own timer, sometimes delayed until after the callback."""
    verbs = [verb for verb, feature in (("unref", "unref"), ("ref", "unref"), ("unref", "unref"), ("clear", "clear")) if g.has(feature)]
    if g.has("refresh", 10):
        verbs.append("refresh")
    if not verbs:
        return []
    step: Step = {g.pick(verbs): name}
    if g.chance(0.25) and g.has("immediates"):
        return [{"setImmediate": [step], "as": g.new("i")}]
    if g.chance(0.15) and g.has("ticks"):
        return [{"nextTick": [step], "as": g.new("k")}]
    return [step]


def late(g: Generator) -> Steps:
    return [{"cpu": g.pick(LATE)}] if g.has("cpu") and g.chance(0.6) else []


def shuffled(g: Generator, *groups: Steps) -> Steps:
    order = list(groups)
    g.random.shuffle(order)
    return [step for group in order for step in group]


def troubled_interval(g: Generator, scope: Scope) -> Steps:
    if not g.has("intervals"):
        return []
    name, counter = g.new("v"), g.new("n")
    steps: Steps = []
    if scope.depth > 0 and g.chance(0.7):
        steps.append({"let": {name: None}})  # created repeatedly: each keeps its own variable
    else:
        g.timers.append(name)
    g.counters.append(counter)
    stop: Steps = [{"add": {counter: 1}}, {"if": [counter, ">=", g.pick((2, 3, 4))], "then": [{"clear": name}]}]
    body = stop + shuffled(g, to_itself(g, name), late(g)) + (throw(g) if g.chance(0.7) else [])
    steps += [{"set": {counter: 0}}, {"setInterval": g.pick(SHORT), "do": body, "as": name}]
    if g.has("unref") and g.chance(0.2):
        steps.append({"unref": name})
    return steps


def neighbours(g: Generator, scope: Scope) -> Steps:
    """Creates several timers in few lists: some throw, some delay the others."""
    if not g.has("timers"):
        return []
    first = g.pick(SHORT)
    steps: Steps = []
    for _ in range(g.pick((2, 3, 4, 5))):
        name = g.new("t")
        g.timers.append(name)
        body = late(g) + (to_itself(g, name) if g.chance(0.3) else []) + (throw(g) if g.chance(0.5) else [])
        delay = g.pick((first, first, first, first + 1, first + 3, g.delay()))
        steps.append({"setTimeout": delay, "do": body, "as": name})
        if g.has("unref") and g.chance(0.15):
            steps.append({"unref": name})
    return steps


def left_behind(g: Generator, scope: Scope) -> Steps:
    """Creates a timer in the callback of another one, which then throws."""
    if not g.has("timers"):
        return []
    delay, inner, outer = g.pick(SHORT), g.new("t"), g.new("t")
    g.timers += [inner, outer]
    verb = "setInterval" if g.has("intervals") and g.chance(0.2) else "setTimeout"
    made: Any = {verb: g.pick((delay, delay, delay + 1)), "do": [] if g.chance(0.5) else [{"log": g.new("l")}], "as": inner}
    if verb == "setInterval":
        made["do"].append({"clear": inner})
    change = to_itself(g, inner) if g.chance(0.7) else []
    immediate: Steps = [{"setImmediate": [], "as": g.new("i")}] if g.has("immediates") and g.chance(0.3) else []
    return [{"setTimeout": delay, "do": [made, *shuffled(g, change, late(g), immediate), *throw(g)], "as": outer}]


def started_anew(g: Generator, scope: Scope) -> Steps:
    """Creates a timer that is cleared before or after it has fired, and then refreshed."""
    if not g.has("refresh", 10):
        return []
    name = g.new("t")
    g.timers.append(name)
    scope.sure.add(name)
    steps: Steps = [{"setTimeout": g.pick(SHORT), "do": late(g) if g.chance(0.3) else [], "as": name}]
    at = 0
    for verb in g.pick(ANEW):
        at += g.pick((1, 2, 3))
        steps.append({"setTimeout": at, "do": [{verb: name}, *late(g)], "as": g.new("t")})
    return steps

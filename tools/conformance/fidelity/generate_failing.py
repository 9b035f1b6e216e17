"""Listeners that throw while others wait, in random scenarios: combinations of several matching steps, which are rare by chance.

Several listeners of one event, some of which throw; several rejections, ticks, microtasks, immediates, timers, requests or emissions
that are due at one time, so that others wait while one of them throws; listeners of uncaughtException that make promises, timers and
ticks meanwhile, in records that have just been given back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .generate import Generator, Scope, Step, Steps

ROUNDS = (1, 2, 2, 3, 4)


def makers(g: Generator) -> list[tuple[str, int, float, Callable[[Scope], Steps]]]:
    return [
        ("rejections", 0, 0.7, partial(rejections_wait, g)),
        ("rejections", 0, 0.3, partial(late_handlers_wait, g)),
        ("handlers", 0, 0.6, partial(callbacks_wait, g)),
        ("handlers", 0, 0.3, partial(exit_listeners_wait, g)),
        ("emitters", 0, 0.6, partial(emitter_listeners_wait, g)),
    ]


# ---- listeners ----------------------------------------------------------------------------------------------------------


def made(g: Generator, values: str = "") -> Steps:
    """Returns steps that make something: promises above all, and what runs later."""
    steps: Steps = []
    for _ in range(g.pick((0, 1, 1, 2, 3))):
        quiet: Steps = [] if g.chance(0.4) else [{"log": g.new("l") + values}]
        kinds = [kind for kind in ("settle", "settle", "combine", "combine", "then", "timers", "immediates", "ticks") if g.has(kind)]
        kinds += ["microtasks"] if g.has("microtasks", 11) else []
        kinds += ["async"] if g.has("async", 8) else []
        match g.pick(kinds) if kinds else "":
            case "settle":
                steps.append(g.pick(({"promise": g.new("p")}, {"resolved": g.pick((1, None, "text")), "as": g.new("p")})))
            case "combine":
                steps.append({g.pick(("race", "all")): g.pick(([], [None], [None, None], [{"resolved": 2}])), "as": g.new("p")})
            case "then":
                steps.append({"then": None, "do": quiet, "as": g.new("q")})
            case "async":  # also an await that nobody can end
                waits = g.pick((None, None, {"race": []}, {"race": [None]})) if g.has("combine") else None
                steps.append({"async": [{"await": waits}, *quiet], "as": g.new("a")})
            case "timers":
                steps.append({"setTimeout": g.pick((0, 1, 1, 2)), "do": quiet, "as": g.new("t")})
            case "immediates":
                steps.append({"setImmediate": quiet, "as": g.new("i")})
            case "ticks":
                steps.append({"nextTick": quiet, "as": g.new("k")})
            case "microtasks":
                steps.append({"queueMicrotask": quiet, "as": g.new("m")})
    return steps


def takes_exceptions(g: Generator) -> Steps:
    """Returns listeners of uncaughtException, so that the program goes on. They do not throw, but rarely."""
    steps: Steps = []
    for _ in range(g.pick((1, 1, 2))):
        body: Steps = [{"log": g.new("l") + " {error}"}] if g.chance(0.7) else []
        body += made(g)
        if g.chance(0.05):
            body.append({"throw": g.new("e")})
        steps.append({"on": "process", "event": "uncaughtException", "do": g.bounded(body), "as": g.new("u")})
    return steps


def throwing(g: Generator, often: float) -> Steps:
    return [{"throw": g.reason()}] if g.has("throw") and g.chance(often) else []


def listeners(g: Generator, event: str, value: str, often: float) -> Steps:
    """Returns several listeners of an event of the process, of which some throw, in the first rounds or always."""
    steps: Steps = []
    for _ in range(g.pick((1, 1, 2, 3))):
        body: Steps = [{"log": g.new("l") + value}] if g.chance(0.8) else []
        body += made(g)
        fails = throwing(g, often)
        if fails and g.chance(0.4):
            counter = g.new("n")
            g.counters.append(counter)
            fails = [{"add": {counter: 1}}, {"if": [counter, g.pick(("<=", "<=", ">")), g.pick((1, 1, 2))], "then": fails}]
        body += fails
        body += made(g) if not fails and g.chance(0.2) else []
        steps.append({"once" if g.chance(0.15) else "on": "process", "event": event, "do": body, "as": g.new("u")})
    return steps


def at_once(g: Generator, steps: Steps) -> Steps:
    """Returns the steps where they are, or in one callback."""
    kinds = [kind for kind in ("timers", "immediates", "ticks") if g.has(kind)]
    match g.pick(kinds) if kinds and g.chance(0.5) else "":
        case "timers":
            return [{"setTimeout": g.pick((1, 2, 5)), "do": steps, "as": g.new("t")}]
        case "immediates":
            return [{"setImmediate": steps, "as": g.new("i")}]
        case "ticks":
            return [{"nextTick": steps, "as": g.new("k")}]
    return steps


# ---- what waits ---------------------------------------------------------------------------------------------------------


def rejection(g: Generator) -> Step:
    """Returns a step that rejects a promise: at once, by a callback's exception, or by an async function's."""
    kinds = [kind for kind in ("settle", "then") if g.has(kind)] + (["async"] if g.has("async", 8) else [])
    match g.pick(kinds) if kinds else "":
        case "then":
            return {"then": None, "do": [{"throw": g.reason()}], "as": g.new("q")}
        case "async":
            body: Steps = [{"await": None}] if g.chance(0.5) else []
            return {"async": [*body, {"throw": g.reason()}], "as": g.new("a")}
    name = g.new("p")
    if g.chance(0.5):
        return {"rejected": g.reason(), "as": name}
    return {"promise": name, "do": [{"reject": name, "error": g.reason()}]}


def rejections(g: Generator, least: int) -> Steps:
    """Returns several rejections, sometimes with something in between, or as rounds of a loop."""
    steps: Steps = []
    for _ in range(g.random.randint(least, least + 2)):
        steps += made(g) if g.chance(0.2) else []
        steps.append(rejection(g))
    if g.has("control") and g.chance(0.25):
        return [{"repeat": g.pick((2, 3)), "do": steps[-2:]}]
    return steps


def rejections_wait(g: Generator, scope: Scope) -> Steps:
    if scope.depth > 1 or scope.in_loop or not g.has("handlers"):
        return []
    steps = takes_exceptions(g) if g.chance(0.9) else []
    return steps + listeners(g, "unhandledRejection", " {error}", 0.7) + at_once(g, rejections(g, 2))


def late_handlers_wait(g: Generator, scope: Scope) -> Steps:
    """Several rejected promises get their handlers later, at one time."""
    if scope.depth > 0 or not (g.has("handlers") and g.has("settle") and g.has("then") and g.has("timers")):
        return []
    steps = takes_exceptions(g) + listeners(g, "rejectionHandled", "", 0.7)
    if g.chance(0.8):
        steps.append({"on": "process", "event": "unhandledRejection", "do": throwing(g, 0.2), "as": g.new("u")})
    names = [g.new("p") for _ in range(g.pick((2, 2, 3)))]
    steps += [{"promise": name, "do": [{"reject": name, "error": g.new("e")}]} for name in names]
    handled: Steps = [{"then": name, "catch": made(g), "as": g.new("q")} for name in names]
    return [*steps, {"setTimeout": g.pick((1, 2)), "do": handled + throwing(g, 0.3), "as": g.new("t")}]


def callbacks_wait(g: Generator, scope: Scope) -> Steps:
    """Several callbacks of one queue, or of several, of which one throws."""
    if scope.depth > 1 or scope.in_loop or not g.has("throw"):
        return []
    kinds = [kind for kind in ("timers", "immediates", "ticks", "fs") if g.has(kind)]
    kinds += ["microtasks"] if g.has("microtasks", 11) else []
    if not kinds:
        return []
    chosen = kinds if g.chance(0.4) else [g.pick(kinds)]
    takes = g.pick(("1ms", "2ms"))
    waiting: Steps = []
    for _ in range(g.pick((2, 3, 3, 4, 5))):
        body: Steps = ([{"log": g.new("l")}] if g.chance(0.6) else []) + made(g) + throwing(g, 0.5)
        if g.has("rejections") and g.chance(0.2):
            body.insert(0, rejection(g))
        match g.pick(chosen):
            case "timers":
                waiting.append({"setTimeout": 1, "do": body, "as": g.new("t")})
            case "immediates":
                waiting.append({"setImmediate": body, "as": g.new("i")})
            case "ticks":
                waiting.append({"nextTick": body, "as": g.new("k")})
            case "fs":
                waiting.append({"fs": "stat", "takes": takes, "do": body, "as": g.new("f")})
            case "microtasks":
                waiting.append({"queueMicrotask": body, "as": g.new("m")})
    return takes_exceptions(g) + at_once(g, waiting)


def exit_listeners_wait(g: Generator, scope: Scope) -> Steps:
    """Several listeners of beforeExit and exit, of which some throw."""
    if scope.depth > 0 or not g.has("life"):
        return []
    steps = takes_exceptions(g) if g.chance(0.7) else []
    return steps + listeners(g, "exit", " {code}", 0.4)


def emitter_listeners_wait(g: Generator, scope: Scope) -> Steps:
    """Several listeners of an emitter, of which some throw; of 'error', too. Its emissions are in callbacks that wait."""
    if scope.depth > 0 or not g.has("throw"):
        return []
    name, event = g.new("e_"), g.pick(("x", "y", "error"))
    value = " {error}" if event == "error" else " {value}"
    steps: Steps = takes_exceptions(g) if g.has("handlers") and g.chance(0.9) else []
    steps.append({"emitter": name})
    for _ in range(g.pick((2, 2, 3, 4))):
        body: Steps = ([{"log": g.new("l") + value}] if g.chance(0.8) else []) + made(g) + throwing(g, 0.4)
        steps.append({"once" if g.chance(0.3) else "on": name, "event": event, "do": body, "as": g.new("u")})
    emission: Step = {"emit": name, "event": event, "with": [{"error": g.new("e")} if event == "error" else g.plain()]}
    emissions: Steps = []
    for _ in range(g.pick((1, 2, 2, 3))):
        step: Any = emission
        if g.has("control") and g.chance(0.2):
            step = {"try": [emission], "catch": [{"log": g.new("l") + " {error}"}, *made(g)]}
        emissions += at_once(g, [step]) if g.chance(0.7) else [step]
    if not g.has("handlers") or scope.depth > 0:
        return steps + emissions
    return steps + at_once(g, emissions)

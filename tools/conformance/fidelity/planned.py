"""Generates a small program from items of the plan: the holes of the items are given, everything else is random.

Random parts: the options given, the offered names used, the contents of other holes (often empty), the position of the item (in
the main script, or in a callback), and other callbacks due at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .draws import Draws
from .generate import CPU, DELAYS, ODD_DELAYS, PHASES, WORK, Step, Steps
from .grammar import AWAITED, EMPTY, NAME, NAMED, NULL, STEPS, VALUE, Construct, Part, grammar, objects
from .plan import Item

# Per hole, the verbs with which its steps could trigger themselves again, endlessly.
ALIVE = {"setTimeout", "setInterval", "setImmediate", "fs", "dns", "crypto", "zlib", "spawn", "listen", "connect", "call", "async"}
FAILING = {"throw", "reject", "rejected", "emit", "then", "promise", "async", "await", "call", "all", "race", "any", "destroy", "error"}
SENDING = {"write", "end", "connect", "destroy"}
ENDLESS = {
    "on-beforeExit.do": ALIVE,
    "on-uncaughtException.do": FAILING,
    "on-unhandledRejection.do": FAILING,
    "on-rejectionHandled.do": FAILING,
    "on-emitter.do": {"emit"},
    "on-emitter-error.do": {"emit"},
    "on-signal.do": {"kill"},
    "listen.on.connection": SENDING,
    "connect.on.data": SENDING,
    "connect.on.drain": SENDING,
    "on-socket-data.do": SENDING,
    "on-socket.do": SENDING,
}
LAST = (45, 60)  # ms: after everything else, times to close what is open, and what that has opened
LATE = ("on-beforeExit.do", "listen.on.close", "on-server.do", "close.do")  # holes whose steps run after that
ENDING = 30  # ms: time of the item that may end the program

Maker = Callable[["Place"], Steps]


@dataclass
class Place:
    """The position at which steps are generated."""

    before: Steps  # receives steps that have to precede the step under construction
    around: Steps | None = None  # the same, for the enclosing step
    locals: list[str] = field(default_factory=list)
    own: dict[str, str] = field(default_factory=dict)  # by kind: the name of the object whose callback this is
    offered: list[str] = field(default_factory=list)
    is_quiet: bool = False  # no failures here except for planned ones
    depth: int = 0

    def inner(self, **changes: Any) -> Place:
        place = Place([], self.before, list(self.locals), dict(self.own), is_quiet=self.is_quiet, depth=self.depth + 1)
        for name, value in changes.items():
            setattr(place, name, value)
        return place


class Planned(Draws):
    def __init__(self, items: Sequence[Item], seed: str, features: frozenset[str], major: int) -> None:
        super().__init__(seed, features, major)
        self.items = items
        self.language = grammar()
        self.delays = self.some_delays()
        self.counters: list[str] = []
        self.functions: dict[str, Any] = {}
        self.ports: dict[str, int] = {}
        self.signals: set[str] = set()
        self.closing: Steps = []
        self.main: Steps = []
        self.lets: Steps = []  # of the main script, visible in functions
        self.is_module = False

    # ---- tools ----

    def some_delays(self) -> tuple[int, ...]:
        """Returns one of the program's few durations, which are equal or neighbouring."""
        first = self.pick(DELAYS)
        return (first, first, first, first + 1, self.pick(DELAYS))

    # ---- the document ----

    def document(self, title: str) -> dict[str, Any]:
        for number, item in enumerate(self.items):
            self.item(item, is_last=number == len(self.items) - 1 and item.ends())
        runtime: dict[str, Any] = {"profile": f"node-{self.major}"}
        if self.is_module:
            runtime["entry"] = "module"
        document: dict[str, Any] = {"title": title, "runtime": runtime}
        if self.has("phase") and self.chance(0.15):
            document["machine"] = {"clock": self.pick(PHASES)}
        main = self.handlers() + self.main
        leaving = main.pop() if main and self.leaves(main[-1]) else None
        main += self.surroundings()
        if self.closing:
            main += [{"setTimeout": time, "do": self.closing, "as": f"lastTimer{time}"} for time in LAST]
        if leaving is not None:
            main.append(leaving)
        counted: Steps = [{"set": {name: 0 for name in self.counters}}] if self.counters else []
        if self.functions:
            document["functions"] = self.functions
        document["limits"] = {"time": "20s", "callbacks": 2000, "steps": 20000}
        document["main"] = counted + self.lets + main
        return document

    def leaves(self, step: Step) -> bool:
        return bool(step.keys() & {"throw", "exit"})

    def handlers(self) -> Steps:
        """Adds listeners of errors, with bodies of all kinds."""
        steps: Steps = []
        if self.has("handlers") and self.chance(0.88):
            steps.append({"on": "process", "event": "uncaughtException", "do": self.handler()})
        if self.has("handlers") and self.has("rejections") and self.chance(0.5):
            steps.append({"on": "process", "event": "unhandledRejection", "do": self.handler()})
        for step in steps:
            if self.chance(0.7):
                step["as"] = self.new("u")
        for signal in sorted(self.signals):
            steps.append({"on": "process", "event": signal, "do": [], "as": self.new("sig")})
        if self.chance(0.8):
            steps.append({"on": "process", "event": "exit", "do": [{"log": "exit {code}"}], "as": "atExit"})
        return steps

    def handler(self) -> Steps:
        place = Place([], is_quiet=True, offered=["error"])
        roll = self.random.random()
        if roll < 0.25:
            return []
        if roll < 0.55:
            return [self.log(place)]
        steps: Steps = [self.log(place)] if self.chance(0.4) else []
        for _ in range(self.pick((1, 1, 2))):
            steps += self.later(place)
        return steps

    def surroundings(self) -> Steps:
        """Adds other callbacks that are due at the same time."""
        steps: Steps = []
        for _ in range(self.pick((0, 0, 1, 1, 2, 3))):
            place = Place([], is_quiet=not self.has("handlers"))
            roll = self.random.random()
            if roll < 0.6:
                steps += self.later(place)
            elif roll < 0.8 and self.has("cpu"):
                steps.append({"cpu": self.pick(CPU)})
            elif self.has("throw") and self.has("handlers") and roll < 0.9:
                steps.append({"setTimeout": self.delay(), "do": [{"throw": self.new("e")}], "as": self.new("t")})
            elif self.has("fs"):
                steps.append({"fs": "stat", "takes": self.pick(WORK), "do": [self.log(place)], "as": self.new("f")})
        return steps

    def later(self, place: Place) -> Steps:
        """Returns a timer, tick or immediate, often with an empty body."""
        verbs = (("setTimeout", "timers"), ("setImmediate", "immediates"), ("nextTick", "ticks"))
        kinds = [verb for verb, feature in verbs if self.has(feature)]
        verb = self.pick(kinds or ["setTimeout"])
        steps: Steps = self.small(place.inner(is_quiet=True, offered=[]))
        name = self.new({"setTimeout": "t", "setImmediate": "i", "nextTick": "k"}[verb])
        if verb != "setTimeout":
            return [{verb: steps, "as": name}]
        made: Steps = [{"setTimeout": self.delay(), "do": steps, "as": name}]
        if self.has("unref") and self.chance(0.2):
            made.append({"unref": name})
        return made

    # ---- items ----

    def item(self, item: Item, is_last: bool) -> None:
        if item.hole == "main":
            place = Place(self.main)
            if item.inner == "await":
                self.is_module = True
            self.main += self.inner(item.inner, place)
            return
        is_captured = item.is_captured
        if self.stands_in_main(item) and not is_last:
            steps: Steps = []
            self.outer(item, Place(self.lets if is_captured else steps), steps, is_captured)
            self.main += steps
            return
        steps = []
        self.outer(item, Place([], depth=1), steps, is_captured)
        self.main.append(self.stage(steps, is_last))

    def stands_in_main(self, item: Item) -> bool:
        """Returns whether the item may be in the main script: a throw or return there would skip the others."""
        holes = [self.language.hole(hole) for hole in item.holes]
        is_same_body = all(hole.hole == "block" for hole in holes)
        runs_now = all(hole.get("runs") == "now" for hole in holes)
        inner = self.language.constructs.get(item.inner)
        constructs = [self.language.constructs[hole.construct] for hole in holes if hole not in self.language.roots]
        if is_same_body and any(one.get("only") for one in [*constructs, *([inner] if inner else [])]):
            return False
        if any(one.get("only") for one in constructs[:1]):
            return False
        is_cutting = inner is not None and (inner.get("throws") or inner.get("ends") or inner.verb == "call")
        if runs_now and is_cutting:
            return False
        return self.chance(0.35)

    def stage(self, steps: Steps, is_last: bool) -> Step:
        """Returns a callback that contains an item."""
        if is_last:
            return {"setTimeout": ENDING, "do": steps, "as": self.new("t")}
        kinds = [verb for verb, feature in (("setImmediate", "immediates"), ("nextTick", "ticks"), ("fs", "fs")) if self.has(feature)]
        verb = self.pick([*kinds, "setTimeout", "setTimeout", "setTimeout"])
        if verb == "setTimeout":
            return {"setTimeout": self.delay(), "do": steps, "as": self.new("t")}
        if verb == "fs":
            return {"fs": "access", "takes": self.pick(WORK), "do": steps, "as": self.new("f")}
        return {verb: steps, "as": self.new("s")}

    def outer(self, item: Item, place: Place, steps: Steps, is_captured: bool) -> None:
        """Appends the item's outermost step, and the steps before and after it, to `steps`."""
        names: list[str] = []
        if is_captured:
            names = [self.new("y")]
            steps.append({"let": {names[0]: self.plain()}})
            if place.before is self.lets:
                self.lets.append(steps.pop())
            place.locals += names
        place.before = steps
        chain = [self.language.hole(hole) for hole in item.holes]
        steps += self.nested(chain, item.inner, place, names)
        if is_captured and self.chance(0.4) and not (steps and self.leaves(steps[-1])):
            steps.append(self.log(place, names))

    def nested(self, chain: Sequence[Part], inner: str, place: Place, captured: list[str]) -> Steps:
        """Generates the construct of the first hole of the chain, in it that of the second, and in the last hole the inner construct."""
        hole, *rest = chain
        if hole.hole in AWAITED:
            return self.build(hole.construct, place, {hole.key: lambda at: self.awaited(hole, inner, at)})
        if rest:
            def fill(at: Place) -> Steps:
                return self.body(hole, at, lambda here: self.nested(rest, inner, here, captured), [])
        elif inner == EMPTY:
            def fill(at: Place) -> Steps:
                return []
        elif inner == NAMED:
            def fill(at: Place) -> Any:
                return self.function()
        else:
            def fill(at: Place) -> Steps:
                return self.body(hole, at, lambda here: self.inner(inner, here), captured)
        if hole.construct == "function":
            return self.called(fill, place)
        return self.build(hole.construct, place, {hole.key: fill})

    def body(self, hole: Part, place: Place, make: Maker, captured: list[str]) -> Steps:
        """Returns the steps of a hole: those from `make`, sometimes with a line of output that uses the available names."""
        steps: Steps = []
        offered = place.offered if self.chance(0.5) else []
        if captured or offered or self.chance(0.3):
            steps.append(self.log(place, [*captured, *offered]))
        place.before = steps
        opened = len(self.closing)
        steps += make(place)
        if hole.id in LATE and len(self.closing) > opened:
            steps.append({"setTimeout": 5, "do": self.closing[opened:], "as": "lastTimer5"})
        if steps and self.chance(0.2) and not self.leaves(steps[-1]) and "return" not in steps[-1]:
            steps.append(self.log(place, captured if self.chance(0.5) else []))
        return self.bounded(hole, steps)

    def bounded(self, hole: Part, steps: Steps) -> Steps:
        """Adds a counter if the steps could run for ever."""
        verbs = ENDLESS.get(hole.id, set())
        risky = {key for step in objects(steps) for key in step} & verbs
        if hole.id.startswith("on-un") and steps and list(steps[-1]) == ["throw"]:
            risky -= {"throw"}  # it ends the process
        if not risky:
            return steps
        counter = self.counter()
        return [{"if": [counter, ">=", self.pick((1, 2, 2))], "then": [{"return": None}]}, {"add": {counter: 1}}, *steps]

    def counter(self) -> str:
        self.counters.append(self.new("n"))
        return self.counters[-1]

    def called(self, fill: Callable[[Place], Any], place: Place) -> Steps:
        """Adds a function with this body, and returns a call of it."""
        parameters = self.pick(([], ["given"], ["given", "other"]))
        name = self.new("fun")
        tops = [local for let in self.lets for local in let["let"]]
        inside = [local for local in place.locals if local in tops]
        if len(inside) < len(place.locals) and place.locals:  # functions see only the main script's locals
            step = next((one for one in place.before if one.get("let", {}).keys() & set(place.locals)), None)
            if step is not None:
                place.before.remove(step)
                self.lets.append(step)
                inside = list(place.locals)
        self.functions[name] = {"parameters": parameters, "do": []}
        self.functions[name]["do"] = fill(Place([], locals=inside + parameters, offered=list(parameters), depth=1))
        step: Step = {"call": name}
        if parameters and self.chance(0.7):
            step["with"] = [self.plain() for _ in parameters]
        if self.chance(0.3):
            step["as"] = self.new("r")
        return [step]

    def inner(self, id: str, place: Place) -> Steps:
        if id == EMPTY:
            return []
        return self.build(id, place, {})

    def awaited(self, hole: Part, inner: str, place: Place) -> Any:
        made = self.one_awaited(hole, inner, place)
        if hole.hole != "awaitables":
            return made
        if inner == EMPTY:
            return []
        others = [self.one_awaited(hole, self.pick((NULL, NAME)), place) for _ in range(self.pick((0, 0, 1, 2)))]
        return [made, *others] if self.chance(0.5) else [*others, made]

    def one_awaited(self, hole: Part, inner: str, place: Place) -> Any:
        if inner in (NULL, EMPTY):
            return None
        if inner == VALUE:
            return self.plain()
        if inner == NAME:
            kinds = ("promise", "promise", "rejected", "pending") if self.has("rejections") else ("promise",)
            name = self.name(self.pick(kinds), place)
            return f"{{{name}}}" if hole.hole == "returned" else name
        *front, made = self.build(inner, place, {})
        place.before += front
        return made

    # ---- one step ----

    def build(self, id: str, place: Place, chosen: dict[str, Callable[[Place], Any]]) -> Steps:
        """Generates a step of this construct, with the steps required before and after it. `chosen` fills some of its holes."""
        construct = self.language.constructs[id]
        front: Steps = []
        at = replace(place, before=front, around=place.before)
        step: Step = {}
        forced = self.reach(construct, chosen)
        given = self.given(construct, chosen, forced)
        # Names first: a callback may use the name of its own timer.
        for part in sorted(given, key=lambda part: part.hole in STEPS):
            verb = part.key
            if verb == construct.verb and construct.get("also") and self.chance(0.25):
                verb = self.pick(construct.get("also"))
            if part.hole in STEPS:
                inside = self.inside(construct, part, step, at)
                value = chosen[part.key](inside) if part.key in chosen else self.other(part, inside, forced)
            elif part.key in chosen:
                value = chosen[part.key](at)
            else:
                value = self.value(construct, part, at, forced)
            put(step, verb, value)
            if part.get("kind") == "server" and part.hole == "new":
                self.ports[value] = step["listen"]
        step = in_order(construct, step)
        behind = self.behind(construct, step, chosen, at)
        if id == "let":
            place.locals += step["let"]
        if id == "setInterval" and (place.depth > 0 or self.chance(0.5)):
            front.append({"let": {step["as"]: None}})  # created repeatedly: each has its own variable
        return [*front, step, *behind]

    def given(self, construct: Construct, chosen: Iterable[str], forced: dict[str, Any]) -> list[Part]:
        """Chooses the parts of the step."""
        without = {key for chosen_key in chosen for key in construct.part(chosen_key).get("without", ())}
        parts = []
        for part in construct.parts:
            if part.get("since", 0) > self.major or not set(part.get("features", ())) <= self.features:
                continue
            likely = 0.93 if part.get("usual") else 0.6 if part.key == "as" else 0.45
            if not part.get("optional") or part.key in chosen or part.key in forced:
                parts.append(part)
            elif part.key not in without and self.chance(likely):
                parts.append(part)
        if (needed := construct.get("one_of")) and not {part.key for part in parts} & set(needed):
            parts.append(construct.part(needed[0]))
        return parts

    def reach(self, construct: Construct, chosen: Iterable[str]) -> dict[str, Any]:
        """Returns values of the other parts with which the chosen ones run; sometimes they do not."""
        forced: dict[str, Any] = {}
        for key in chosen:
            if self.chance(0.85):
                forced |= construct.part(key).get("reached", {})
            if construct.verb in ("fs", "dns", "crypto", "zlib") and self.chance(0.3):
                forced["error"] = None
        return {key: value for key, value in forced.items() if key not in chosen}

    def inside(self, construct: Construct, part: Part, step: Step, at: Place) -> Place:
        inside = at.inner(offered=list(part.offers(step).values()))
        if part.hole == "callback":
            own = next((one for one in construct.parts if one.hole == "new" and one.key in step), None)
            if own is not None and part.get("runs") != "now" and own.get("kind") != "promise":
                inside.own = {**at.own, own.get("kind"): step[own.key]}
        if part.id in ENDLESS:
            inside.is_quiet = True
        if "@as" in part.get("offers", {}):
            inside.locals = [*at.locals, step["as"]]
        return inside

    def other(self, part: Part, place: Place, forced: dict[str, Any]) -> Any:
        """Fills a hole that the plan leaves open."""
        if isinstance(forced.get(part.key), list):
            return [*([self.log(place)] if self.chance(0.3) else []), {"throw": self.error()}]
        if part.hole == "callback" and not part.get("plain") and self.has("functions") and self.chance(0.04):
            return self.function()
        return self.bounded(part, self.small(place))

    def small(self, place: Place) -> Steps:
        """Returns a few steps, often none."""
        roll = self.random.random()
        if roll < 0.42:
            return []
        if roll < 0.75:
            return [self.log(place)]
        if roll < 0.82 and self.has("cpu"):
            return [{"cpu": self.pick(CPU)}]
        if roll < 0.88 and self.has("throw") and not place.is_quiet and place.depth > 1:
            return [{"throw": self.error()}]
        if roll < 0.93 and (known := settable(place.locals)) and self.has("values"):
            return [{"set": {self.pick(known): self.plain()}}]
        if place.depth > 5:
            return []
        return self.later(place)

    def behind(self, construct: Construct, step: Step, chosen: Iterable[str], at: Place) -> Steps:
        """Adds the steps that run the chosen holes, and those that end an interval."""
        steps: Steps = []
        if construct.id == "setInterval":
            steps.append({"setTimeout": self.pick((4, 9, 12, 12)), "do": [{"clear": step["as"]}], "as": self.new("t")})
        for key in chosen:
            new: dict[str, str] = {}
            for after in construct.part(key).get("after", ()) if self.chance(0.9) else ():
                steps.append(self.replaced(after, step, new))
        return steps

    def replaced(self, value: Any, step: Step, new: dict[str, str]) -> Any:
        """Replaces the names in a step of the grammar by those of this step."""
        if isinstance(value, dict):
            return {key: self.replaced(item, step, new) for key, item in value.items()}
        if isinstance(value, list):
            return [self.replaced(item, step, new) for item in value]
        if not isinstance(value, str) or not value.startswith("@"):
            return value
        if value.startswith("@new:"):
            if value not in new:
                new[value] = self.new(PREFIXES[value.removeprefix("@new:")])
                self.close(value.removeprefix("@new:"), new[value])
            return new[value]
        key = value.removeprefix("@")
        return step.get(key, step.get("once"))

    # ---- names ----

    def name(self, kind: str, place: Place) -> str:
        """Returns an object of this kind: that of the callback, or a new one, created before the step or an enclosing one."""
        if kind == "function" or kind == "async-function":
            return self.function(kind == "async-function")
        if kind in place.own and self.chance(0.5):
            return place.own[kind]
        if kind == "local" and (known := settable(place.locals)) and self.chance(0.85):
            return self.pick(known)
        if kind == "global" and self.counters and self.chance(0.3):
            return self.pick(self.counters)
        name = self.new(PREFIXES[kind])
        where = place.around if place.around is not None and kind != "local" and self.chance(0.35) else place.before
        where += self.made(kind, name)
        if kind == "local":
            place.locals.append(name)
        return name

    def made(self, kind: str, name: str) -> Steps:
        """Returns the steps that create an object of this kind."""
        second: dict[str, str] = {}

        def filled(value: Any, key: str = "") -> Any:
            if isinstance(value, dict):
                return {filled(key): filled(item, key) for key, item in value.items()}
            if isinstance(value, list):
                return [filled(item) for item in value]
            if value == "@":
                return name
            if isinstance(value, str) and value.startswith("@"):
                return second.setdefault(value, self.new(PREFIXES[value.removeprefix("@")]))
            if key in ("setTimeout", "setInterval") and value < 10:
                return self.delay()
            if key in ("listen", "connect"):
                return port
            return value

        port = self.port()
        steps: Steps = filled(self.language.names[kind].get("made", []))
        if kind in ("server", "socket"):
            self.ports |= dict.fromkeys([name, *second.values()], port)
        for step in steps:
            if step.get("do") == [] or step.get("setImmediate") == []:
                put(step, "do" if "do" in step else "setImmediate", self.small(Place([], is_quiet=True)))
        self.close(kind, name)
        for key, made in second.items():
            self.close(key.removeprefix("@"), made)
        return steps

    def close(self, kind: str, name: str) -> None:
        """Adds the step that ends the object after everything else."""
        for step in self.language.names[kind].get("closed", ()):
            if list(step.values()) == ["@"]:
                self.closing.append({"if": name, "then": [{next(iter(step)): name}]})

    def port(self) -> int:
        if self.ports and self.chance(0.1):
            return self.pick(sorted(self.ports.values()))
        return 8081 + len(set(self.ports.values()))

    def function(self, is_async: bool = False) -> str:
        name = self.new("fun")
        parameters: list[str] = self.pick(([], ["given"]))
        self.functions[name] = {"parameters": parameters, "do": []}
        place = Place([], locals=list(parameters), offered=list(parameters), is_quiet=True, depth=1)
        steps = self.small(place)
        if is_async:
            steps.append({"await": None})
        if self.has("control") and self.chance(0.4):
            steps.append({"return": self.plain()})
        self.functions[name]["do"] = steps
        return name

    # ---- values ----

    def log(self, place: Place, names: Sequence[str] = ()) -> Step:
        text = self.new("l")
        used = [*names] or [name for name in (*place.offered, *place.locals[-1:]) if self.chance(0.3)]
        return {"log": " ".join([text, *(f"{{{name}}}" for name in used)])}

    def delay(self) -> Any:
        if self.has("odd") and self.chance(0.05):
            return self.pick(ODD_DELAYS)
        return self.pick(self.delays)

    def plain(self) -> Any:
        if self.has("values") and self.chance(0.25):
            return self.pick((None, True, False, "text", "", -1.5, {"error": self.new("e")}))
        return self.random.randint(1, 9)

    def error(self) -> Any:
        if self.chance(0.85):
            return self.new("e")
        return self.pick((None, 7, "{undefined}", {"error": self.new("e"), "name": "TypeError"}, {"error": self.new("e"), "code": "EBAD"}))

    def value(self, construct: Construct, part: Part, at: Place, forced: dict[str, Any]) -> Any:
        if "literal" in part.data:
            return part.get("literal")
        want = forced.get(part.key)
        match part.hole:
            case "new":
                return self.named(part.get("kind"))
            case "label":
                return self.new("label")
            case "name":
                return self.subject(construct, part.get("kind"), at)
            case "function":
                return self.function(part.get("kind") == "async-function")
            case "condition":
                return self.condition(want, at)
            case "awaitable":
                if isinstance(want, dict):
                    return self.name(want["name"], at)
                return self.some_awaitable(at)
            case "awaitables":
                return [self.some_awaitable(at) for _ in range(self.pick((0, 1, 2)))]
            case "assignments":
                return self.assignments(construct, part.get("kind"), at)
            case "values":
                if construct.verb == "log":
                    return self.log(at)["log"]
                return [self.plain() for _ in range(min(part.get("most", 3), self.pick((1, 1, 2))))]
            case "value" | "returned":
                return self.plain()
            case "error":
                return self.error()
            case "errors":
                return [{"error": self.new("e")}]
            case "count":
                return self.pick((1, 2, 2, 3))
            case "delay":
                return self.delay()
            case "duration":
                return self.pick(CPU if construct.id in ("cpu", "spin") else WORK)
            case "request_times":
                return self.pick(WORK) if self.chance(0.5) else {"open": self.pick(WORK), "close": self.pick(WORK)}
            case "port":
                return self.port_of_new()
            case "address":
                return self.address(at)
            case "data":
                return self.new("d") + ";"
            case "bytes":
                return self.pick((1, 1000, 9000, 16384))
            case "exit_code":
                return self.pick((0, 3, 42)) if construct.verb == "spawn" else self.pick((0, 3, 42, None))
            case "event":
                return self.event(construct, part)
            case "signal":
                signal = self.pick(part.get("words"))
                if part.get("listened"):
                    self.signals.add(signal)
                return signal
            case "error_code":
                return self.pick(part.get("words"))
            case "word":
                return self.pick([word for word, since in part.get("words") if since <= self.major])
            case "flag":
                return True
        raise ValueError(part.hole)

    def some_awaitable(self, at: Place) -> Any:
        """Returns an awaitable: a simple value, or any step that creates a promise."""
        if self.chance(0.7):
            return None if self.chance(0.5) else self.name("promise", at)
        known = [one for one in self.language.constructs.values() if one.stands("awaitable") and one.since <= self.major]
        known = [one for one in known if set(one.get("features")) <= self.features]
        if not known:
            return None
        *front, made = self.build(self.pick(known).id, at, {})
        at.before += front
        return made

    def named(self, kind: str) -> str:
        name = self.new(PREFIXES[kind])
        if kind in ("server", "socket"):
            self.close(kind, name)
        return name

    def subject(self, construct: Construct, kind: str, at: Place) -> str:
        """Returns the target of a step; adds steps before it that give the target an interesting state."""
        name = self.name(kind, at)
        if construct.verb == "emit" and self.chance(0.7):
            event = "error" if construct.id == "emit-error" else "x"
            at.before.append({"on": name, "event": event, "do": self.small(Place([], is_quiet=True)), "as": self.new("u")})
        return name

    def event(self, construct: Construct, part: Part) -> str:
        words = part.get("words")
        return "x" if construct.verb == "emit" and self.chance(0.8) else self.pick(words)

    def condition(self, want: Any, at: Place) -> Any:
        if want is None:
            want = self.chance(0.5)
        zero = "zero"
        if zero not in self.counters:
            self.counters.append(zero)
        if want and at.locals and self.chance(0.2):
            return [self.pick(at.locals), "!=", "no such text"]
        return self.pick(([zero, "==", 0], [zero, "<", 1], [zero, ">=", 0]) if want else ([zero, ">", 0], zero, [zero, "!=", 0]))

    def assignments(self, construct: Construct, kind: str, at: Place) -> Step:
        if construct.verb == "let":
            return {self.new("y"): self.plain() for _ in range(self.pick((1, 1, 2)))}
        name = self.name(kind, at)
        return {name: self.random.randint(1, 9) if construct.verb == "add" else self.plain()}

    def port_of_new(self) -> int:
        port = self.port()
        self.ports[f"port {port}"] = port
        return port

    def address(self, at: Place) -> Any:
        if self.chance(0.07):
            return self.pick((9, "/nonexistent/socket"))
        return self.ports[self.name("server", at)]


# Prefixes of names, by kind.
PREFIXES = {
    "timer": "t", "interval": "v", "immediate": "i", "promise": "q", "rejected": "p", "pending": "p", "emitter": "e_",
    "server": "s_", "socket": "c_", "child": "child", "local": "y", "loop": "j", "global": "g", "mark": "mark",
}  # fmt: skip


def settable(names: Iterable[str]) -> list[str]:
    """Returns the variables that may be set: setting the variable of a loop inside it could make it endless."""
    return [name for name in names if not name.startswith(PREFIXES["loop"])]


def put(step: Step, key: str, value: Any) -> None:
    group, dot, event = key.partition(".")
    if dot:
        step.setdefault(group, {})[event] = value
    else:
        step[key] = value


def in_order(construct: Construct, step: Step) -> Step:
    """Sorts the keys in the order of the grammar, the verb first."""
    keys = list(dict.fromkeys(part.key.partition(".")[0] for part in construct.parts))
    verbs = [verb for verb in (construct.verb, *construct.get("also", ())) if verb in step]
    rest = [key for key in keys if key in step and key not in verbs]
    return {key: step[key] for key in [*verbs[:1], *rest]}


def planned(items: Sequence[Item], seed: str, title: str, features: frozenset[str], major: int) -> dict[str, Any]:
    """Generates a program from the items that exist in this version."""
    return Planned([item for item in items if item.since <= major], seed, features, major).document(title)

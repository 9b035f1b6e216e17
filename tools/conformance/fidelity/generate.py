"""Seeded random scenarios that real Node can run.

The same seed, features, focus, size and major give the same scenario. Features enable groups of steps; presets name groups of
features. A focus is a group of features with a high frequency, for combinations that are rare by chance. Every program ends: intervals
and refreshes count their rounds. Bodies may be empty, and offered names may be unused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from . import generate_failing, generate_network, generate_timers
from . import generate_processes as processes
from .draws import Draws
from .grammar import objects

Step = dict[str, Any]
Steps = list[Step]

BASIC = ("timers", "intervals", "immediates", "ticks", "microtasks", "fs", "files", "dns", "cpu", "clear", "unref", "refresh", "phase")
PROMISES = ("then", "async", "combine", "settle", "promisified")
FAILURES = ("throw", "handlers", "rejections", "rejected")
LIFE = ("life", "exit")
PROCESSES = ("processes",)
SYNTAX = ("emitters", "functions", "control", "odd", "values", "random", "params", "module")
NETWORK = ("network",)
PRESETS: dict[str, tuple[str, ...]] = {
    "net": BASIC + NETWORK,
    "sockets": NETWORK + ("timers", "immediates", "ticks", "microtasks", "fs", "cpu"),
    "basic": BASIC,
    "promises": BASIC + PROMISES,
    "failures": BASIC + FAILURES,
    "life": BASIC + LIFE,
    "syntax": BASIC + SYNTAX,
    "modern": BASIC + PROMISES + LIFE + SYNTAX,
    "all": BASIC + PROMISES + FAILURES + LIFE + SYNTAX + PROCESSES + NETWORK,
}
# Verbs of pages, which real browsers judge (tools/conformance/web-programs).
# System calls, of programs for libuv alone.
OF_DESCRIPTORS = {"socketpair", "send", "recv", "shutdown"}
OF_PAGES = {"requestAnimationFrame", "requestIdleCallback", "postTask", "yield", "addEventListener", "dispatchEvent", "setAttribute",
            "observe", "postMessage", "fetch"}

FEATURES = PRESETS["all"]
FOCUS: dict[str, tuple[str, ...]] = {
    "timers": ("timers", "intervals", "immediates", "ticks", "cpu", "clear", "unref", "refresh", "phase", "throw", "handlers", "control"),
    "sockets": (*NETWORK, "timers", "immediates", "ticks", "microtasks", "fs", "cpu", "clear", "throw", "handlers", "control"),
    "promises": (*PROMISES, *FAILURES, "timers", "immediates", "ticks", "microtasks", "cpu", "functions", "control", "values"),
    "failing": (*FAILURES, "life", "settle", "then", "async", "combine", "timers", "immediates", "ticks", "microtasks", "fs", "emitters",
                "control"),
}

DELAYS = (0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 10)
ODD_DELAYS = (-1, 0.5, 1.9, 2.5, 4.7, "3", "", None, True, 2147483648, "x")
CPU = ("0.1ms", "0.3ms", "0.5ms", "0.7ms", "0.999ms", "1ms", "1.001ms", "1.2ms", "1.5ms", "2ms", "2.5ms", "4ms", "7ms")
WORK = (0, "0.2ms", "0.5ms", "1ms", "1.3ms", "1.7ms", "2ms", "3ms", "5ms", "6.5ms", "10ms")
PHASES = ("0.1ms", "0.3ms", "0.5ms", "0.7ms", "0.95ms", "0.999999ms")
ROUNDS = (1, 2, 2, 3)
FS = ("access", "stat", "lstat", "open", "read", "write", "close", "readdir", "mkdir", "rename", "unlink", "fsync")
# Words, each with its first version.
CRYPTO = (("pbkdf2", 0), ("randomBytes", 0), ("randomFill", 6), ("scrypt", 10), ("generateKeyPair", 10))
ZLIB = (("gzip", 0), ("gunzip", 0), ("deflate", 0), ("inflate", 0), ("brotliCompress", 10), ("brotliDecompress", 10))
PROCESS_EVENTS = ("exit", "beforeExit", "uncaughtException", "unhandledRejection", "rejectionHandled")


def parse_features(text: str) -> frozenset[str]:
    """Parses a list of features: `basic`, `all,-exit`, `timers,immediates` ..."""
    chosen: set[str] = set()
    for word in text.split(","):
        word = word.strip()
        off = word.startswith("-")
        name = word.removeprefix("-")
        names = PRESETS.get(name, (name,))
        unknown = set(names) - set(FEATURES)
        if unknown:
            raise ValueError(f"no such feature: {name}; there are {', '.join([*PRESETS, *FEATURES])}")
        chosen = chosen - set(names) if off else chosen | set(names)
    return frozenset(chosen)


def is_local(name: str) -> bool:
    """Returns a new name for a variable of `let` or `repeat`, which no inner parameter hides."""
    return name[0] in "jy"


@dataclass
class Scope:
    """The position at which steps are generated."""

    depth: int = 0
    is_async: bool = False
    is_main: bool = False
    in_loop: bool = False
    may_emit: bool = True
    may_call: int = 0  # functions with this index or higher
    may_return: bool = True
    sure: set[str] = field(default_factory=set)  # names that are certainly set here
    values: list[str] = field(default_factory=list)  # locals to print
    captured: list[str] = field(default_factory=list)  # locals of enclosing blocks and callbacks
    own: str = ""  # the timer or immediate whose callback this is

    def inner(self, **changes: Any) -> Scope:
        scope = Scope(
            depth=self.depth + 1,
            may_emit=self.may_emit,
            may_call=self.may_call,
            sure=set(self.sure),
            captured=[name for name in self.captured + self.values if is_local(name)],
            own=self.own,
        )
        for name, value in changes.items():
            setattr(scope, name, value)
        return scope

    def branch(self) -> Scope:
        """Returns the context of a block in the same body: names set in the block may be unset after it."""
        scope = self.inner()
        scope.is_async, scope.is_main, scope.may_return = self.is_async, self.is_main, self.may_return
        scope.in_loop, scope.values, scope.captured = self.in_loop, list(self.values), list(self.captured)
        return scope


class Generator(Draws):
    def __init__(self, seed: int, features: Iterable[str], size: int = 30, major: int = 24, focus: str = ""):
        super().__init__(f"{seed}", features, major)
        self.focus = frozenset(FOCUS[focus]) if focus else frozenset()
        self.seed = seed
        self.left = self.random.randint(max(4, size // 3), size)
        self.timers: list[str] = []
        self.immediates: list[str] = []
        self.promises: list[str] = []
        self.pending: list[str] = []  # promises not settled by an executor
        self.counters: list[str] = []
        self.marks: list[str] = []
        self.emitters: list[tuple[str, str]] = []
        self.listeners: list[tuple[str, str, str]] = []  # emitter, event, function
        self.params: dict[str, Any] = {}
        self.functions: dict[str, Any] = {}
        self.is_module = False
        self.children: list[str] = []
        self.signals: list[str] = []  # signals with listeners
        self.network: Any = None
        self.makers = self._makers()

    # ---- tools ----

    def delay(self) -> Any:
        if self.has("odd") and self.chance(0.15):
            return self.pick(ODD_DELAYS)
        if self.has("params") and self.chance(0.1):
            return self.param(self.pick(DELAYS))
        if self.has("random") and self.chance(0.1):
            if self.chance(0.5):
                return self.distribution("0ms", "2ms", "8ms")
            return {self.pick(("choice", "sequence")): [self.pick(DELAYS) for _ in range(self.random.randint(1, 4))]}
        return self.pick(DELAYS)

    def duration(self, fixed: tuple[Any, ...]) -> Any:
        if self.has("params") and self.chance(0.05):
            return self.param(self.pick(fixed))
        if self.has("random") and self.chance(0.15):
            return self.distribution("0ms", "1ms", "4ms")
        return self.pick(fixed)

    def distribution(self, low: str, middle: str, high: str) -> dict[str, Any]:
        """Returns a random duration, which both sides draw from the same generator."""
        kind = self.pick(("uniform", "exponential", "normal", "lognormal", "pareto", "choice", "sequence"))
        match kind:
            case "uniform":
                return {kind: [low, high]}
            case "exponential":
                return {kind: middle}
            case "normal":
                return {kind: [middle, "0.8ms"]}
            case "lognormal":
                return {kind: [middle, 0.5]}
            case "pareto":
                return {kind: [middle, 2.5]}
        return {kind: [self.pick(CPU) for _ in range(self.random.randint(1, 4))]}

    def param(self, value: Any) -> str:
        name = self.new("param")
        self.params[name] = value
        return f"${name}"

    def guarded(self, name: str, step: Step, scope: Scope) -> Step:
        return step if name in scope.sure else {"if": name, "then": [step]}

    # ---- bodies ----

    def log(self, scope: Scope) -> Step:
        text = self.new("l")
        for value in scope.values + scope.captured[-2:]:
            if self.chance(0.7):
                field = self.pick((".message", ".code")) if value == "error" and self.chance(0.2) else ""
                text += f" {{{value}{field}}}"
        if self.chance(0.2):
            text += " {now}"
        if self.marks and self.chance(0.1):
            text += f" {{since {self.pick(self.marks)}}}"
        if self.has("values") and self.chance(0.15):
            return {"log": self.pick((
                [text, self.random.randint(0, 9), None, True],
                f"{text}\n second line",
                self.random.randint(0, 9),
                [],
                [text, {"error": self.new("e"), "name": "RangeError"}],
                [text, "{undefined}", "{{braces}} 100% `${{x}}` \\"],
                [text, f"{{{self.pick(self.promises)}}}" if self.promises else 0.5],
            ))}
        return {"log": text}

    def body(self, scope: Scope, most: int = 4) -> Steps:
        steps: Steps = []
        if self.chance(0.12):
            return steps
        if self.chance(0.8 if scope.values else 0.2):
            steps.append(self.log(scope))
        if scope.depth > 5:
            return steps
        many = self.random.randint(0, most if self.chance(1.2 / (1 + 0.5 * scope.depth)) else 1)
        for _ in range(many):
            if self.left <= 0:
                break
            steps += self.step(scope)
        return steps

    def callback(self, scope: Scope, values: Iterable[str] = (), most: int = 4, own: str = "") -> Steps | str:
        """Returns an inline callback, or sometimes the name of a function."""
        if self.functions and self.chance(0.25):
            name = self.function(scope)
            if name is not None:
                return name
        inner = scope.inner()
        inner.values = [*values]
        inner.own = own or scope.own
        inner.is_async = self.has("async", 8) and self.chance(0.1)
        return self.body(inner, most)

    def function(self, scope: Scope) -> str | None:
        names = list(self.functions)[scope.may_call :]
        return self.pick(names) if names else None

    def step(self, scope: Scope) -> Steps:
        self.left -= 1
        for _ in range(20):
            maker = self.random.choices([m for m, _ in self.makers], [w for _, w in self.makers])[0]
            steps = maker(scope)
            if steps:
                return steps
        return [self.log(scope)]

    def _makers(self) -> list[tuple[Callable[[Scope], Steps], float]]:
        table: list[tuple[str, int, float, Callable[[Scope], Steps]]] = [
            ("timers", 0, 6, self.timeout),
            ("intervals", 0, 1.5, self.interval),
            ("immediates", 0, 4, self.immediate),
            ("ticks", 0, 3, self.tick),
            ("microtasks", 11, 3, self.microtask),
            ("fs", 0, 3, self.file),
            ("dns", 0, 1, self.lookup),
            ("cpu", 0, 4, self.cpu),
            ("cpu", 0, 0.3, self.mark),
            ("clear", 0, 1.5, self.clear),
            ("unref", 0, 1, self.ref),
            ("values", 0, 0.5, self.alias),
            ("values", 0, 1, self.local),
            ("refresh", 10, 1, self.refresh),
            ("then", 0, 4, self.then),
            ("settle", 0, 3, self.promise),
            ("settle", 0, 3, self.settle),
            ("combine", 0, 2, self.combine),
            ("async", 8, 3, self.start_async),
            ("async", 8, 8, self.wait),
            ("throw", 0, 1, self.throw),
            *generate_timers.makers(self),
            *generate_failing.makers(self),
            ("rejections", 0, 1.5, self.rejected),
            ("rejections", 0, 1, self.handle_late),
            ("life", 0, 0.3, self.listen_process),
            ("exit", 0, 0.3, self.exit),
            ("processes", 0, 1, partial(processes.child, self)),
            ("processes", 0, 1, partial(processes.kill, self)),
            ("processes", 0, 0.3, partial(processes.reference, self)),
            ("emitters", 0, 2, self.listen),
            ("emitters", 0, 2, self.emit),
            ("emitters", 0, 0.5, self.take_off),
            ("functions", 0, 2, self.call),
            ("control", 0, 1, self.branch),
            ("control", 0, 1, self.loop),
            ("control", 0, 1, self.attempt),
            ("control", 0, 1, self.leave),
            *generate_network.makers(self),
        ]
        # Weights per program: some features are frequent, some rare, some absent.
        taste = {feature: self.pick((0, 0.3, 1, 1, 1, 3)) for feature in FEATURES}
        taste |= {feature: self.pick((0.5, 1, 3)) for feature in FEATURES if feature in self.focus}
        made = [(maker, weight * taste[feature]) for feature, since, weight, maker in table if self.has(feature, since)]
        return [(maker, weight) for maker, weight in made if weight > 0] or [(self.timeout, 1)]

    # ---- timers and queues ----

    def timeout(self, scope: Scope) -> Steps:
        name = self.new("t")
        step: Step = {"setTimeout": self.delay(), "do": [], "as": name}
        scope.sure.add(name)
        self.timers.append(name)
        step["do"] = self.callback(scope, self.arguments(step), own=name)
        return [step]

    def arguments(self, step: Step) -> list[str]:
        """Sometimes passes an argument to the callback."""
        if self.chance(0.8):
            return []
        step["with"] = [self.plain() for _ in range(self.pick((1, 1, 2, 3)))]
        return ["value"]

    def plain(self) -> Any:
        """Returns a value that is not a promise."""
        if self.has("params") and self.chance(0.1):
            return self.param(self.pick((7, "text", True, None)))
        if self.has("values") and self.chance(0.3):
            return self.pick((None, True, False, "text", "", -1.5, "{undefined}", "{now}", {"error": self.new("e")},
                              {"error": self.new("e"), "name": "TypeError", "code": "EBAD"}))
        return self.random.randint(0, 9)

    def interval(self, scope: Scope) -> Steps:
        name, counter = self.new("v"), self.new("n")
        step: Step = {"setInterval": self.delay(), "do": [], "as": name}
        front: Steps = [{"set": {counter: 0}}]
        if scope.depth > 0 and self.chance(0.7):
            front.append({"let": {name: None}})  # created repeatedly: each keeps its own variable
        else:
            scope.sure.add(name)
            self.timers.append(name)
        inner = scope.inner(own=name)
        inner.values = self.arguments(step)
        stop: Steps = [{"add": {counter: 1}}, {"if": [counter, ">=", self.pick(ROUNDS)], "then": [{"clear": name}]}]
        rest = self.body(inner, 3)
        at_end = not self.features & {"throw", "control", "rejections"} and self.chance(0.5)
        step["do"] = rest + stop if at_end else stop + rest
        self.counters.append(counter)
        return [*front, step]

    def immediate(self, scope: Scope) -> Steps:
        name = self.new("i")
        step: Step = {"setImmediate": [], "as": name}
        scope.sure.add(name)
        self.immediates.append(name)
        step["setImmediate"] = self.callback(scope, self.arguments(step), own=name)
        return [step]

    def tick(self, scope: Scope) -> Steps:
        label = self.pick(("output", "exit", "main")) if self.has("values") and self.chance(0.05) else self.new("k")
        step: Step = {"nextTick": [], "as": label}
        step["nextTick"] = self.callback(scope, self.arguments(step), most=3)
        return [step]

    def microtask(self, scope: Scope) -> Steps:
        return [{"queueMicrotask": self.callback(scope, most=3), "as": self.new("m")}]

    def handle(self, names: list[str], scope: Scope) -> str:
        """Chooses one of these, often the one whose callback is running."""
        return scope.own if scope.own in names and self.chance(0.35) else self.pick(names)

    def clear(self, scope: Scope) -> Steps:
        names = self.timers + self.immediates
        return [{"clear": self.handle(names, scope)}] if names else []

    def ref(self, scope: Scope) -> Steps:
        # Immediates have no ref() and unref() in Node 4 to 8.
        old = self.immediates if self.major >= 10 or (self.has("throw") and self.chance(0.1)) else []
        names = self.timers + old
        if not names:
            return []
        name = self.handle(names, scope)
        if self.major >= 11 and self.chance(0.2):
            result = self.new("h")
            return [self.guarded(name, {"hasRef": name, "as": result}, scope), {"log": f"{result} {{{result}}}"}]
        return [self.guarded(name, {"unref" if self.chance(0.6) else "ref": name}, scope)]

    def refresh(self, scope: Scope) -> Steps:
        names = [name for name in self.timers if name.startswith("t") or self.chance(0.3)]
        if self.has("throw") and self.chance(0.03):
            names = self.immediates  # immediates have no refresh()
        if not names:
            return []
        name, counter = self.handle(names, scope), self.new("n")
        self.counters.append(counter)
        step: Step = {"refresh": name}
        if scope.depth > 0:
            step = {"if": [counter, "<", self.pick(ROUNDS)], "then": [{"add": {counter: 1}}, step]}
        return [self.guarded(name, step, scope)]

    def alias(self, scope: Scope) -> Steps:
        """Creates another name for a timer or immediate."""
        names = self.timers + self.immediates
        if not names:
            return []
        source, name = self.pick(names), "alias"
        is_timer = source in self.timers
        verbs = ["clear", "clear"] + (["ref", "unref"] if is_timer or self.major >= 10 else [])
        return [{"set": {name: f"{{{source}}}"}}, {"if": name, "then": [{self.pick(verbs): name}]}]

    def local(self, scope: Scope) -> Steps:
        """Returns a variable of this block, of an enclosing one, or a global."""
        known = [name for name in scope.values + scope.captured if is_local(name) and name[0] == "y"]
        if known and self.chance(0.5):
            return [{self.pick(("set", "add")): {self.pick(known): self.plain()}}]
        name = self.new("y")
        scope.values.append(name)
        return [{"let": {name: self.plain()}}, {"log": f"{name} {{{name}}}"}]

    def mark(self, scope: Scope) -> Steps:
        name = self.pick(self.marks) if self.marks and self.chance(0.5) else self.new("mark")
        if name not in self.marks:
            if scope.depth > 0:
                return []  # otherwise it could be used before it is set
            self.marks.append(name)
        return [{"mark": name}]

    def cpu(self, scope: Scope) -> Steps:
        return [{"spin" if self.chance(0.1) else "cpu": self.duration(CPU)}]

    # ---- work outside the loop's thread ----

    def work(self) -> Step:
        """Returns a request, without its callback."""
        if self.has("dns") and self.chance(0.2):
            step: Step = {"dns": "lookup", "takes": self.duration(WORK)}
        elif self.chance(0.15):
            verb, words = self.pick((("crypto", CRYPTO), ("zlib", ZLIB)))
            step = {verb: self.pick([word for word, since in words if self.major >= since]), "cpu": self.duration(WORK)}
        elif self.has("files") and self.chance(0.25):
            verb = self.pick(("readFile", "readFile", "writeFile"))
            requests = ("open", "stat", "read", "close") if verb == "readFile" else ("open", "write", "close")
            step = {"fs": verb, "takes": {request: self.duration(WORK[:5]) for request in requests if self.chance(0.9)}}
            if not step["takes"] or self.chance(0.1):
                step["takes"] = self.duration(WORK)
        else:
            step = {"fs": self.pick(FS), "takes": self.duration(WORK)}
        if self.chance(0.05):
            step.pop("takes", None)
            step.pop("cpu", None)
        if self.chance(0.15):
            step["error"] = self.pick(("ENOENT", "EACCES"))
        return step

    def file(self, scope: Scope) -> Steps:
        steps: Steps = []
        for _ in range(self.pick((1, 1, 1, 2, 5, 9))):
            step = self.work()
            if self.functions and self.chance(0.1) and (name := self.function(scope)):
                step["do"] = name
            else:
                inner = scope.inner()
                offered = ("error", "error.code", "error") if "error" in step else ("error",)
                inner.values = [self.pick(offered)] if "error" in step or self.chance(0.3) else []
                inner.is_async = self.has("async", 8) and self.chance(0.05)
                step["do"] = self.body(inner, 3)
            if self.chance(0.95):
                step["as"] = self.new("f")
            steps.append(step)
        return steps

    def lookup(self, scope: Scope) -> Steps:
        steps: Steps = []
        for _ in range(self.pick((1, 1, 3, 6))):
            step: Step = {"dns": "lookup", "takes": self.duration(WORK)}
            if self.chance(0.1):
                step["error"] = "ENOTFOUND"
            step |= {"do": self.body(scope.inner(), 3), "as": self.new("f")}
            steps.append(step)
        return steps

    # ---- promises ----

    def value(self, scope: Scope) -> Any:
        if self.promises and self.chance(0.3):
            return f"{{{self.pick(self.promises)}}}"
        return self.plain()

    def result(self, scope: Scope) -> Steps:
        """Returns the last step of a promise callback."""
        if self.chance(0.4):
            return []
        if self.has("rejections") and self.chance(0.25):
            return [{"throw": self.reason()}]
        if self.chance(0.5):
            made = self.awaitable(scope, fresh=True)
            if made is not None:
                return [{"return": made}]
        return [{"return": self.value(scope)}]

    def then(self, scope: Scope) -> Steps:
        source = self.awaitable(scope)
        if isinstance(source, dict) and "call" in source:  # the function may not return a promise
            source["async"] = source.pop("call")
        guard = source if isinstance(source, str) and source not in scope.sure else None
        step: Step = {"then": source}
        name = self.new("q")
        inner = scope.inner()
        inner.values = ["value"]
        only_rejected = False
        if self.has("rejections") and self.has("rejected") and self.chance(0.2):
            failed = scope.inner()
            failed.values = ["error"]
            step["rejected"] = self.body(failed, 1) + self.result(scope.inner())
            only_rejected = self.chance(0.3)
        if self.functions and self.chance(0.1) and (found := self.function(scope)):
            step["do"] = found
        elif not only_rejected and self.chance(0.95):
            step["do"] = self.body(inner, 2) + self.result(scope.inner())
        if self.has("rejections") and self.chance(0.5):
            failed = scope.inner()
            failed.values = ["error"]
            step["catch"] = self.body(failed, 1) + self.result(scope.inner())
        if self.major >= 10 and self.chance(0.15):
            step["finally"] = self.body(scope.inner(), 1) + self.result(scope.inner())
        if not step.keys() & {"do", "rejected", "catch", "finally"}:
            step["do"] = self.body(inner, 1)
        step["as"] = name
        self.promises.append(name)
        if guard is not None:
            return [{"if": guard, "then": [step]}]
        scope.sure.add(name)
        return [step]

    def promise(self, scope: Scope) -> Steps:
        name = self.new("p")
        step: Step = {"promise": name}
        self.promises.append(name)
        if self.chance(0.2):
            step = self.settled(scope) | {"as": name}
        elif self.chance(0.5):
            self.pending.append(name)
        else:
            inner = scope.inner(may_return=False)
            step["do"] = self.body(inner, 2)
            if self.has("rejections") and self.chance(0.15):
                step["do"].append({"throw": self.new("e")})
            elif self.chance(0.85):
                step["do"].append(self.settling(name, inner))
            else:
                self.pending.append(name)
            if self.has("rejections") and self.chance(0.1):
                step["do"].append({"throw": self.new("e")})
        scope.sure.add(name)
        return [step]

    def settling(self, name: str, scope: Scope) -> Step:
        if self.has("rejections") and self.chance(0.3):
            return {"reject": name, "error": self.reason()} if self.chance(0.9) else {"reject": name}
        value = self.value(scope)
        return {"resolve": name, "with": value} if self.chance(0.9) else {"resolve": name}

    def settle(self, scope: Scope) -> Steps:
        if not self.pending:
            return []
        name = self.pick(self.pending)
        return [self.guarded(name, self.settling(name, scope), scope)]

    def awaitable(self, scope: Scope, fresh: bool = False) -> Any:
        """Returns a promise's name, null, or a step that creates a promise. None (null) is valid everywhere."""
        known = [name for name in self.promises if name in scope.sure]
        if self.promises and not fresh and scope.is_async and self.chance(0.1):
            return self.pick(self.promises)  # may be undefined, which can be awaited as well
        if known and not fresh and self.chance(0.4):
            return self.pick(known)
        roll = self.random.random()
        if self.has("async", 8) and self.functions and roll > 0.9 and (found := self.function(scope)):
            return {"async": found, "with": [self.plain()]} if self.chance(0.7) else {"call": found, "as": self.new("r")}
        if self.has("promisified") and roll < 0.3:
            return self.native()
        if self.has("async", 8) and roll < 0.45 and scope.depth < 5 and self.left > 0:
            return self.start_async(scope, name=False)[0]
        if roll < 0.6 and scope.depth < 5 and self.left > 0:
            self.left -= 1
            inner = scope.inner()
            inner.values = ["value"]
            return {"then": None, "do": self.body(inner, 2) + self.result(scope.inner()), "as": self.new("q")}
        if self.has("settle") and roll > 0.8:
            return self.settled(scope)
        if self.has("combine") and roll < 0.7 and scope.depth < 5:
            made = self.combine(scope, name=False)
            if made:
                return made[0]
        return None

    def settled(self, scope: Scope) -> Step:
        if self.has("rejections") and self.chance(0.3):
            return {"rejected": self.reason()}
        return {"resolved": self.value(scope)}

    def native(self) -> Step:
        step = self.unnamed_native()
        if self.chance(0.3):
            step["as"] = self.new("w")
        return step

    def unnamed_native(self) -> Step:
        if self.chance(0.4):
            step: Step = {"setTimeout": self.delay()}
            if self.chance(0.3):
                step["with"] = [self.plain()]
        elif self.chance(0.4):
            return {"setImmediate": None, "with": [self.plain()]} if self.chance(0.5) else {"setImmediate": None}
        else:
            step = self.work()
            if not self.has("rejections"):
                step.pop("error", None)
        return step

    def combine(self, scope: Scope, name: bool = True) -> Steps:
        verbs = ["all", "race"] + (["allSettled"] if self.major >= 12 else []) + (["any"] if self.major >= 16 else [])
        items = [self.awaitable(scope.inner()) for _ in range(self.random.randint(0 if self.chance(0.2) else 1, 3))]
        step: Step = {self.pick(verbs): items}
        if name:
            step["as"] = self.new("c")
            self.promises.append(step["as"])
            scope.sure.add(step["as"])
        return [step]

    def start_async(self, scope: Scope, name: bool = True) -> Steps:
        inner = scope.inner(is_async=True)
        if self.chance(0.2) and self.functions and (found := self.function(scope)):
            step: Step = {"async": found, "with": [self.plain(), self.plain()]} if self.chance(0.6) else {"async": found}
        else:
            step = {"async": self.body(inner, 4) + (self.result(inner) if self.chance(0.5) else [])}
        step["as"] = self.new("a")
        self.promises.append(step["as"])
        if name:
            scope.sure.add(step["as"])
        return [step]

    def wait(self, scope: Scope) -> Steps:
        if not scope.is_async and not (scope.is_main and self.is_module and self.major >= 14):
            return []
        step: Step = {"await": self.awaitable(scope)}
        text = self.new("w")
        if self.chance(0.5):
            step["as"] = self.new("x")
            text += f" {{{step['as']}}}"
        return [step, {"log": text}]

    # ---- failures ----

    def reason(self) -> Any:
        """Returns the thrown value, usually an Error."""
        if self.chance(0.85):
            return self.new("e")
        return self.pick((None, 7, "{undefined}", {"error": self.new("e"), "name": "TypeError"}, {"error": self.new("e"), "code": "EBAD"}))

    def throw(self, scope: Scope) -> Steps:
        if scope.depth == 0 and self.chance(0.9):
            return []
        step: Step = {"throw": self.reason()}
        return [step] if self.chance(0.7) else [{"try": [step], "catch": self.caught(scope.branch(), 1)}]

    def caught(self, scope: Scope, most: int) -> Steps:
        """Returns the body of a catch, which is often empty or ignores the error."""
        if self.chance(0.5):
            return self.body(scope, most)
        text = self.pick((" {error}", " {error}", " {error.message}", " {error.code} {error.message}"))
        return [{"log": self.new("l") + text}, *self.body(scope, most)]

    def rejected(self, scope: Scope) -> Steps:
        """Creates a promise that is rejected now or later, and possibly handled later."""
        name = self.new("p")
        self.promises.append(name)
        scope.sure.add(name)
        if self.chance(0.6):
            return [{"promise": name, "do": [{"reject": name, "error": self.new("e")}]}]
        self.pending.append(name)
        return [{"promise": name}, {"reject": name, "error": self.new("e")}]

    def handle_late(self, scope: Scope) -> Steps:
        if not self.promises:
            return []
        name = self.pick(self.promises)
        inner = scope.inner()
        inner.values = ["error"]
        step: Step = {"then": name, "catch": self.body(inner, 1), "as": self.new("q")}
        self.promises.append(step["as"])
        if self.chance(0.4):
            made: Steps = [self.guarded(name, step, scope.inner(sure=set()))]
            return [self.pick(({"setTimeout": self.pick((0, 1, 3)), "do": made, "as": self.new("t")},
                               {"setImmediate": made, "as": self.new("i")},
                               {"nextTick": made, "as": self.new("k")}))]
        return [self.guarded(name, step, scope)]

    def handlers(self, scope: Scope) -> Steps:
        steps: Steps = []

        def listen(event: str, values: list[str], most: int) -> None:
            inner = scope.inner()
            inner.values = values
            is_special = event == "uncaughtException" and self.chance(0.5)
            body = generate_timers.handler(self) if is_special else self.bounded(self.body(inner, most))
            steps.append({"on": "process", "event": event, "do": body, "as": self.new("u")})

        if self.chance(0.8):
            listen("uncaughtException", ["error"], self.pick((0, 0, 2)))
        if self.has("rejections") and self.chance(0.5):
            listen("unhandledRejection", ["error"], self.pick((0, 0, 2)))
        if self.has("rejections") and self.chance(0.4):
            listen("rejectionHandled", [], self.pick((0, 0, 2)))
        return steps

    def bounded(self, steps: Steps) -> Steps:
        """Returns the body of a listener that can cause its own event again: it does so only a few times."""
        if not any(step.keys() & {"throw", "reject"} for step in objects(steps)):
            return steps
        counter = self.new("n")
        self.counters.append(counter)
        return [{"if": [counter, ">=", self.pick(ROUNDS)], "then": [{"return": None}]}, {"add": {counter: 1}}, *steps]

    # ---- life cycle ----

    def listen_process(self, scope: Scope) -> Steps:
        event = self.pick(("exit", "beforeExit", "exit", "beforeExit", *PROCESS_EVENTS))
        if self.functions and self.chance(0.15) and event != "beforeExit":
            function = self.pick(list(self.functions))
            self.listeners.append(("process", event, function))
            return [{self.pick(("on", "once")): "process", "event": event, "do": function, "as": self.new("u")}]
        counter = self.new("n")
        inner = scope.inner()
        inner.values = ["code"] if event in ("exit", "beforeExit") else ["error"] if event != "rejectionHandled" else []
        steps = self.body(inner, 3)
        if event == "beforeExit":
            steps = [{"if": [counter, "<", self.pick(ROUNDS)], "then": [{"add": {counter: 1}}, *steps]}]
            self.counters.append(counter)
        verb = "once" if self.chance(0.2) else "on"
        return [{verb: "process", "event": event, "do": steps, "as": self.new("u")}]

    def exit(self, scope: Scope) -> Steps:
        if scope.depth == 0 or self.chance(0.5):
            return [{"exitCode": self.pick((0, 3, 42, None, self.counter()))}]
        return [{"exit": self.pick((0, 1, 7, None, self.counter()))}]

    def counter(self) -> Any:
        return f"{{{self.pick(self.counters)}}}" if self.counters else 5

    # ---- emitters, functions, control flow ----

    def listen(self, scope: Scope) -> Steps:
        steps: Steps = []
        if not self.emitters or self.chance(0.3):
            if scope.depth > 0:
                return []
            self.emitters.append((self.new("e_"), self.pick(("x", "y"))))
            steps.append({"emitter": self.emitters[-1][0]})
        emitter, event = self.pick(self.emitters)
        if self.has("throw") and self.chance(0.1):
            event = "error"
        inner = scope.inner(may_emit=False)
        inner.values = ["error" if event == "error" else "value"]
        verb = "once" if self.chance(0.3) else "on"
        if self.functions and self.chance(0.4):
            function = self.pick(list(self.functions))
            self.listeners.append((emitter, event, function))
            steps.append({verb: emitter, "event": event, "do": function, "as": self.new("u")})
            if self.chance(0.3):
                steps.append({"off": emitter, "event": event, "do": function})
            return steps
        body = self.body(inner, 3)
        if self.chance(0.3):  # a listener that emits a few times
            counter = self.new("n")
            self.counters.append(counter)
            other, name = self.pick(self.emitters)
            emission: Step = {"emit": other, "event": name, "with": [self.plain()]}
            body.insert(self.random.randint(0, len(body)), {
                "if": [counter, "<", self.pick(ROUNDS)], "then": [{"add": {counter: 1}}, self.guarded(other, emission, inner)]
            })
        steps.append({verb: emitter, "event": event, "do": body, "as": self.new("u")})
        return steps

    def take_off(self, scope: Scope) -> Steps:
        if not self.listeners:
            return []
        emitter, event, function = self.pick(self.listeners)
        return [{"off": emitter, "event": event, "do": function}]

    def emit(self, scope: Scope) -> Steps:
        if not self.emitters or not scope.may_emit:
            return []
        emitter, event = self.pick(self.emitters)
        if self.has("throw") and self.chance(0.1):
            return [{"emit": emitter, "event": "error", "with": [{"error": self.new("e")}]}]
        if self.chance(0.1):
            return [{"emit": emitter, "event": event}]
        return [{"emit": emitter, "event": event, "with": [self.plain() for _ in range(self.pick((1, 1, 2)))]}]

    def call(self, scope: Scope) -> Steps:
        name = self.function(scope)
        if not name:
            return []
        step: Step = {"call": name, "with": [self.plain() for _ in range(self.pick((1, 1, 2)))]}
        if self.chance(0.2):
            step.pop("with")
        if self.chance(0.4):
            step["as"] = self.new("r")
            return [step, {"log": f"{step['as']} {{{step['as']}}}"}]
        return [step]

    def branch(self, scope: Scope) -> Steps:
        if not self.counters:
            return []
        if self.has("params") and self.chance(0.1):
            condition: Any = self.param(self.pick((True, False, 0, 3)))
        elif self.chance(0.2):
            condition = self.pick(self.counters + self.timers + scope.values)
        else:
            condition = [self.pick(self.counters), self.pick(("<", "<=", ">", ">=", "==", "!=")), self.random.randint(0, 3)]
        step: Step = {"if": condition, "then": self.body(scope.branch(), 2)}
        if self.chance(0.4):
            step["else"] = self.body(scope.branch(), 2)
        return [step]

    def loop(self, scope: Scope) -> Steps:
        if scope.in_loop:
            return []
        name = self.new("j")
        inner = scope.branch()
        inner.in_loop = True
        if self.chance(0.1):
            return [{"repeat": self.counter() if self.chance(0.5) else 2, "do": self.body(inner, 2)}]
        inner.values = [*inner.values, name]
        count = self.param(self.pick((0, 1, 2))) if self.has("params") and self.chance(0.1) else self.random.randint(1, 3)
        return [{"repeat": count, "as": name, "do": self.body(inner, 2)}]

    def attempt(self, scope: Scope) -> Steps:
        step: Step = {"try": self.body(scope.branch(), 2)}
        if self.has("throw") and self.chance(0.5):
            step["try"].append({"throw": self.reason()})
        if self.chance(0.5):
            step["catch"] = self.caught(scope.branch(), 1)
        if "catch" not in step or self.chance(0.4):
            step["finally"] = self.body(scope.branch(), 2)
        if scope.depth > 0 and not scope.is_main and scope.may_return and self.chance(0.2):
            step[self.pick([key for key in ("try", "catch", "finally") if key in step])].append(self.result_now(scope))
        return [step]

    def result_now(self, scope: Scope) -> Step:
        if self.has("then") and self.chance(0.3):
            made = self.awaitable(scope.inner(), fresh=True)
            if made is not None:
                return {"return": made}
        return {"return": self.plain()}

    def leave(self, scope: Scope) -> Steps:
        if scope.depth == 0 or scope.is_main or not scope.may_return or self.chance(0.7):
            return []
        return [self.result_now(scope)]

    # ---- the document ----

    def scenario(self) -> dict[str, Any]:
        self.is_module = self.has("module", 12) and self.chance(0.3)
        runtime: dict[str, Any] = {"profile": f"node-{self.major}"}
        if self.is_module:
            runtime["entry"] = "module"
        if self.has("fs") and self.chance(0.2):
            runtime["threadpool"] = self.pick((1, 1, 2, 3, 5, 8))
        document: dict[str, Any] = {"title": f"Random {self.seed}", "runtime": runtime}
        if self.has("phase") and self.chance(0.3):
            phase = self.pick(PHASES) if self.chance(0.5) else f"{self.random.randint(0, 999999)}ns"
            document["machine"] = {"clock": phase}
        if self.has("random"):
            document["seed"] = self.random.randint(0, 2**64 - 1)

        if self.has("functions"):
            names = [f"fun{i}" for i in range(self.random.randint(0, 2))]
            for i, name in enumerate(names):
                self.functions[name] = {"parameters": ["value", "other"][: self.pick((0, 1, 1, 2))], "do": []}
            for i, name in enumerate(names):
                is_async = self.has("async", 8) and self.chance(0.3)
                parameters = list(self.functions[name]["parameters"])
                scope = Scope(depth=2, may_emit=False, may_call=i + 1, values=parameters, is_async=is_async)
                self.functions[name]["do"] = self.body(scope, 3)
                if self.has("then") and self.chance(0.3):
                    self.functions[name]["do"] += self.result(scope)

        scope = Scope(is_main=True, may_return=False)
        main: Steps = []
        if self.has("handlers"):
            main += self.handlers(scope)
        if self.has("processes") and self.chance(0.6):
            main += processes.listeners(self, scope)
            document["inputs"] = processes.inputs(self)
        if self.chance(0.9):
            main.append({"on": "process", "event": "exit", "do": [{"log": "exit {code}"}], "as": "atExit"})
        if self.chance(0.2):
            self.marks.append("mark1")
            main.append({"mark": "mark1"})
        while self.left > 0:
            main += self.step(scope)
        main += generate_network.ending(self)
        if self.has("network"):
            document["inputs"] = document.get("inputs", []) + generate_network.inputs(self)
        if not document.get("inputs"):
            document.pop("inputs", None)
        if self.counters:
            main.insert(0, {"set": {counter: 0 for counter in self.counters}})
        if self.functions:
            document["functions"] = self.functions
        if self.params:
            document["params"] = self.params
        document["limits"] = {"time": "20s", "callbacks": 2000, "steps": 20000}
        document["main"] = main
        return document


def generate(seed: int, features: Iterable[str], size: int = 30, major: int = 24, focus: str = "") -> dict[str, Any]:
    return Generator(seed, features, size, major, focus).scenario()


# ---- output --------------------------------------------------------------------------------------------------------


def dump(document: dict[str, Any], width: int = 110) -> str:
    """Formats JSON for reading: short values on one line, one line per step."""
    return write(document, 0, width) + "\n"


def write(value: Any, indent: int, width: int) -> str:
    short = json.dumps(value)
    is_simple = not isinstance(value, (dict, list)) or short.count('"do"') + short.count("setImmediate") < 2
    if is_simple and len(short) + indent <= width and not (isinstance(value, dict) and "main" in value):
        return short
    space = " " * indent
    if isinstance(value, list):
        items = [f"{space}  {write(item, indent + 2, width)}" for item in value]
        return "[\n" + ",\n".join(items) + f"\n{space}]"
    if isinstance(value, dict):
        if "main" in value:
            items = [f"{space}  {json.dumps(key)}: {write(item, indent + 2, width)}" for key, item in value.items()]
            return "{\n" + ",\n".join(items) + f"\n{space}}}"
        items = [f"{json.dumps(key)}: {write(item, indent + 2, width)}" for key, item in value.items()]
        return "{" + ", ".join(items) + "}"
    return short

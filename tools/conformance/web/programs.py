"""Draws random programs of a web page: the same from the same seed.

The standard orders the tasks of one source, and all microtasks, and leaves open which of several sources comes first. A program is
therefore a row of phases, which timers begin one behind the other; in each all tasks are of one source, with microtasks, events and
mutations of all kinds in them. Timers are in a grid of 20 ms: those that are due at the same time were asked for at the same time, with the
same delay, and so run in the order of their asking; or it is one of them, with timers of 0 ms that it asks for.

A program is drawn as a tree, which can be made smaller, and rendered as JavaScript. Steps with the same number belong together.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

Step = dict[str, Any]

GRID = 20  # ms
SLOTS = 5  # of the grid, in a phase of timers
PRIORITIES = ["user-blocking", "user-visible", "background"]
# How long a phase takes, in ms. Frames come late on a busy machine, and Firefox calls one idle callback in 50 to 100 ms.
LENGTHS = {"timers": GRID * (SLOTS + 2), "message": 80, "window message": 80, "ping pong": 80, "frames": 160, "idle": 450,
           "rejections": 180, "tasks": 100, "click": 180, "key": 180, "broadcast": 100, "fetch": 160, "request": 160, "addresses": 200,
           "nesting": 120, "delays": GRID * (SLOTS + 2), "loops": 100, "plain": 20}
DEEPEST = 3
MOST_IDLE = 3  # idle callbacks in a phase
MOST_ANSWERS = 3  # answers of the network in a phase, and moves in the history
POINTER = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]  # events of a click of the user
LATE = [40, 60, 80, 100]  # ms, when rejected promises are handled late: the events of two of them have no order if they are due together
TARGETS = ["outer", "inner", "window", "document", "target"]
NODES = ["outer", "inner"]
EVENTS = 4  # the types ev0 to ev3: a listener dispatches events of higher numbers only, so that there is an end


class Drawer:
    def __init__(self, seed: int, runtime: str) -> None:
        self.random = random.Random(f"{seed}")
        self.runtime = runtime
        self.number = 0
        self.left = 36  # steps
        self.phase_kind = "plain"
        self.owner: dict[int, int] = {}  # in a phase of timers: slot -> the slot in which its timers were asked for
        self.has_many: set[int] = set()  # slots with several timers
        self.alone: set[int] = set()  # slots whose timer asks for others of 0 ms
        self.handles: list[int] = []  # of tasks of this phase that may be cancelled

    def next(self) -> int:
        self.number += 1
        return self.number

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # ---- bodies ------------------------------------------------------------------------------------------------------

    def body(self, depth: int, rank: int = 0, task: Callable[[int], list[Step]] | None = None, throws: bool = False) -> list[Step]:
        """Steps of a callback: its line of output, what it asks for, and perhaps an error. `rank` is the lowest event it dispatches."""
        steps: list[Step] = [{"do": "log", "n": self.next()}]
        for _ in range(self.random.choice([0, 1, 1, 2, 2, 3] if depth > 0 else [0])):
            if self.left <= 0:
                break
            self.left -= 1
            steps += task(depth - 1) if task and self.chance(0.5) else [self.step(depth - 1, rank)]
        if throws and self.chance(0.08):
            steps.append({"do": "throw", "n": self.next()})
        return steps

    def step(self, depth: int, rank: int = 0) -> Step:
        kinds: list[tuple[Callable[[int, int], Step], int]] = [
            (self.microtask, 4), (self.chain, 4), (self.combinator, 2), (self.thenable, 2), (self.asynchronous, 4), (self.deferred, 2),
            (self.loop, 1), (self.mutation, 3), (self.observer, 1), (self.listen, 3), (self.unlisten, 1), (self.abort, 1),
            (self.dispatch, 4 if rank < EVENTS else 0), (self.click, 1 if rank == 0 else 0), (self.calls, 2), (self.generator, 1),
            (self.executor, 1), (self.cancelling, 2), (self.report, 1)]
        makers, weights = zip(*kinds)
        return self.random.choices(makers, weights)[0](depth, rank)

    def value(self) -> Step:
        """Something that can be awaited."""
        kind = self.random.choice(["value", "value", "promise", "promise", "thenable", "later", "rejected", "async", "derived"])
        return {"kind": kind, "n": self.next(), "turns": self.random.choice([1, 2, 3])}

    # ---- microtasks --------------------------------------------------------------------------------------------------

    def microtask(self, depth: int, rank: int) -> Step:
        return {"do": "microtask", "body": self.body(depth, rank, throws=True)}

    def chain(self, depth: int, rank: int) -> Step:
        links = []
        for _ in range(self.random.choice([1, 1, 2, 3])):
            kind = self.random.choice(["then", "then", "then", "finally", "both", "catch"])
            returns = self.random.choice([None, None, "value", "promise", "thenable", "throw"])
            links.append({"kind": kind, "n": self.next(), "returns": returns, "body": self.body(depth - 1, rank)})
        return {"do": "chain", "n": self.next(), "from": self.value(), "links": links}

    def combinator(self, depth: int, rank: int) -> Step:
        return {"do": "combinator", "name": self.random.choice(["all", "allSettled", "race", "any"]), "n": self.next(),
                "values": [self.value() for _ in range(self.random.choice([0, 1, 2, 3]))]}

    def thenable(self, depth: int, rank: int) -> Step:
        return {"do": "thenable", "n": self.next(), "body": self.body(depth, rank), "how": self.random.choice(["resolve", "new", "async"])}

    def asynchronous(self, depth: int, rank: int) -> Step:
        parts = []
        for _ in range(self.random.choice([1, 2, 2, 3])):
            parts.append({"n": self.next(), "value": self.value(), "body": self.body(depth - 1, rank)})
        return {"do": "async", "n": self.next(), "parts": parts, "ends": self.random.choice(["", "value", "promise", "throw"])}

    def deferred(self, depth: int, rank: int) -> Step:
        return {"do": "deferred", "n": self.next(), "reactions": [{"body": self.body(depth - 1, rank)}
                                                                 for _ in range(self.random.choice([1, 2]))],
                "value": self.value(), "turns": self.random.choice([0, 1, 2, 3])}

    def loop(self, depth: int, rank: int) -> Step:
        kind = self.random.choice(["list", "generator"])
        values = [self.value() for _ in range(self.random.choice([1, 2, 3]))]
        if kind == "list":  # a rejected promise that the loop does not come to would be an unhandled rejection
            values = [{**value, "kind": "later"} if value["kind"] == "rejected" else value for value in values]
        return {"do": "loop", "n": self.next(), "kind": kind, "breaks": self.chance(0.3), "values": values}

    def calls(self, depth: int, rank: int) -> Step:
        """Async functions that call each other."""
        levels = [{"n": self.next(), "value": self.value(), "waits": self.chance(0.8), "finally": self.chance(0.4),
                   "body": self.body(depth - 1, rank)} for _ in range(self.random.choice([2, 3, 4]))]
        return {"do": "calls", "n": self.next(), "levels": levels, "throws": self.chance(0.3)}

    def generator(self, depth: int, rank: int) -> Step:
        """An async generator, of which several values are asked for at once."""
        return {"do": "generator", "n": self.next(), "values": [self.value() for _ in range(self.random.choice([1, 2, 3]))],
                "asks": [self.random.choice(["next", "next", "next", "return", "throw"]) for _ in range(self.random.choice([2, 3, 4]))]}

    def executor(self, depth: int, rank: int) -> Step:
        return {"do": "executor", "n": self.next(), "how": self.random.choice(["throws", "twice", "itself", "thrower", "try", "finally"]),
                "value": self.value()}

    def cancelling(self, depth: int, rank: int) -> Step:
        return {"do": "cancelling", "n": self.next(), "any": self.chance(0.4), "before": self.chance(0.2), "again": self.chance(0.3),
                "late": self.chance(0.4), "body": self.body(depth - 1, rank, throws=True)}

    def report(self, depth: int, rank: int) -> Step:
        return {"do": "report", "n": self.next()}

    # ---- the tree ----------------------------------------------------------------------------------------------------

    def mutation(self, depth: int, rank: int) -> Step:
        return {"do": "mutation", "n": self.next(), "node": self.random.choice(NODES),
                "kind": self.random.choice(["attribute", "attribute", "append", "remove", "class", "replace", "markup", "move"])}

    def observer(self, depth: int, rank: int) -> Step:
        return {"do": "observer", "n": self.next(), "observer": self.random.choice([0, 1]),
                "kind": self.random.choice(["take", "disconnect", "observe"]), "node": self.random.choice(NODES)}

    def listen(self, depth: int, rank: int) -> Step:
        number = self.random.randrange(rank, EVENTS + 1)  # the last one is the event of a click
        n = self.next()
        kind = "click" if number == EVENTS else f"ev{number}"
        stops = ["stopPropagation", "stopImmediatePropagation", "preventDefault", "preventDefault"]
        return {"do": "listen", "n": n, "on": self.random.choice(NODES if kind == "click" else TARGETS), "type": kind,
                "how": self.random.choice(["function"] * 4 + ["object", "async"]),
                "capture": self.chance(0.35), "once": self.chance(0.2), "passive": self.chance(0.1),
                "signal": self.random.choice([0, 1]) if self.chance(0.2) else None,
                "stops": self.random.choice([None] * 6 + stops),
                "body": self.body(min(depth, 1), 1 if kind == "click" else number + 1, throws=True)}

    def unlisten(self, depth: int, rank: int) -> Step:
        return {"do": "unlisten", "n": self.random.randrange(1, self.number + 2)}

    def dispatch(self, depth: int, rank: int) -> Step:
        return {"do": "dispatch", "n": self.next(), "on": self.random.choice(TARGETS), "type": f"ev{self.random.randrange(rank, EVENTS)}",
                "bubbles": self.chance(0.7), "cancelable": self.chance(0.6), "again": self.chance(0.1)}

    def click(self, depth: int, rank: int) -> Step:
        return {"do": "click", "n": self.next(), "node": self.random.choice(NODES)}

    def abort(self, depth: int, rank: int) -> Step:
        return {"do": "abort", "n": self.next(), "signal": self.random.choice([0, 1])}

    # ---- tasks -------------------------------------------------------------------------------------------------------

    def timer(self, slot: int) -> Callable[[int], list[Step]]:
        """Asks for timers in a task of this slot."""

        def ask(depth: int) -> list[Step]:
            draw = self.random.random()
            if draw < 0.15 and self.handles:
                return [{"do": "clear", "n": self.random.choice(self.handles)}]
            if draw < 0.4 and slot not in self.has_many and depth > 0:
                self.alone.add(slot)
                return [self.timeout(slot, 0, depth)]
            free = [other for other in range(slot + 1, min(slot + 4, SLOTS + 1))
                    if self.owner.get(other, slot) == slot and (other not in self.owner or other not in self.alone)]
            if not free:
                return [self.step(depth)]
            if draw > 0.9 and slot + 1 not in self.owner and slot + 2 not in self.owner and slot + 2 <= SLOTS:
                self.owner[slot + 1], self.owner[slot + 2] = slot, slot + 1
                self.alone |= {slot + 1, slot + 2}
                n = self.next()
                return [{"do": "interval", "n": n, "delay": GRID, "times": 2, "body": self.body(min(depth, 1), throws=True)}]
            due = self.random.choice(free)
            if due in self.owner:
                self.has_many.add(due)
            self.owner[due] = slot
            return [self.timeout(due, (due - slot) * GRID, depth)]

        return ask

    def timeout(self, due: int, delay: int, depth: int) -> Step:
        n = self.next()
        # What is in it is drawn later, when all of the timers that are asked for at this time are known.
        step: Step = {"do": "timeout", "n": n, "delay": delay, "body": []}
        if delay == 0:
            step["body"] = self.body(min(depth, 2), task=self.timer(due), throws=True)
        else:
            self.waiting.setdefault(due, []).append(step)
        self.handles.append(n)
        return step

    def plain_task(self, kind: str) -> Callable[[int], list[Step]]:
        """Asks for a task of a source of which the tasks run in the order of asking."""

        def ask(depth: int) -> list[Step]:
            if kind in ("frame", "idle", "postTask") and self.handles and self.chance(0.12):
                return [{"do": f"cancel {kind}", "n": self.random.choice(self.handles)}]
            if kind == "idle" and len(self.handles) == MOST_IDLE:
                return [self.step(depth)]
            if kind == "postTask" and self.handles and self.chance(0.12):
                return [{"do": "priority", "n": self.random.choice(self.handles), "priority": self.random.choice(PRIORITIES)}]
            if kind == "frame" and self.chance(0.25):
                return [{"do": "resize", "n": self.next(), "node": self.random.choice(NODES)}]
            n = self.next()
            self.handles.append(n)
            step: Step = {"do": kind, "n": n}
            if kind == "postTask":
                step["priority"] = self.random.choice(PRIORITIES)
                step["yields"] = self.chance(0.3)
                step["fixed"] = self.chance(0.3)
            if kind == "idle":
                step["timeout"] = self.chance(0.4)
            step["body"] = self.body(depth, task=ask, throws=kind != "postTask")
            return [step]

        return ask

    def one_by_one(self, kind: str) -> Callable[[int], list[Step]]:
        """Asks for something whose end asks for the next: between two at the same time there is no order."""

        def ask(depth: int) -> list[Step]:
            if self.handles and self.handles[-1] != self.inner or len(self.handles) == MOST_ANSWERS:
                return [self.step(depth)]
            n = self.next()
            self.handles.append(n)
            step: Step = {"do": kind, "n": n, "how": self.random.choice(["text", "json", "both", "clone"]),
                          "aborts": self.random.choice([None] * 6 + ["before", "at once", "reason"])}
            outer, self.inner = self.inner, n
            step["body"] = self.body(depth, task=ask, throws=True)
            self.inner = outer
            return [step]

        return ask

    def nest(self) -> Step:
        """Timers of 0 ms in each other: beyond some levels they take 4 ms."""
        return {"do": "nest", "n": self.next(), "levels": [self.body(1, throws=True) for _ in range(self.random.choice([3, 5, 7, 8]))]}

    def delays(self) -> list[Step]:
        """In each slot of the grid one thing that waits for a time."""
        steps: list[Step] = []
        for slot in range(1, SLOTS + 1):
            n = self.next()
            steps.append({"do": "delay", "n": n, "kind": self.random.choice(["postTask", "AbortSignal", "abort", "timer"]),
                          "delay": slot * GRID, "priority": self.random.choice(PRIORITIES), "body": self.body(2, throws=True)})
        self.random.shuffle(steps)
        return steps

    def yielding(self) -> list[Step]:
        """Async functions that go on behind scheduler.yield(), beside tasks of the same priority."""
        steps: list[Step] = []
        for _ in range(self.random.choice([2, 3])):
            steps.append({"do": "yielding", "n": self.next(), "in": self.random.choice([None, *PRIORITIES]),
                          "bodies": [self.body(1) for _ in range(self.random.choice([1, 2, 3]))]})
            if self.chance(0.7):
                steps.append({"do": "postTask", "n": self.next(), "priority": self.random.choice(PRIORITIES), "yields": False,
                              "fixed": self.chance(0.5), "body": self.body(1)})
        return steps

    def rejection(self, depth: int) -> list[Step]:
        n = self.next()
        step: Step = {"do": "reject", "n": n, "how": self.random.choice(["plain", "async", "chain", "all", "later"]),
                      "handled": self.random.choice([None, "microtask", "late", "event"])}
        if step["handled"] == "late":
            if len(self.handles) == len(LATE):
                return [self.step(depth)]
            step["delay"] = LATE[len(self.handles)]
            self.handles.append(n)
        return [step]

    # ---- phases ------------------------------------------------------------------------------------------------------

    def phase(self, kind: str) -> Step:
        self.owner, self.has_many, self.alone, self.handles = {}, set(), set(), []
        self.inner = 0
        self.waiting: dict[int, list[Step]] = {}
        steps: list[Step] = []
        ask: Callable[[int], list[Step]] | None = {
            "timers": self.timer(0), "message": self.plain_task("message"), "window message": self.plain_task("window message"),
            "frames": self.plain_task("frame"), "idle": self.plain_task("idle"), "tasks": self.plain_task("postTask"),
            "broadcast": self.plain_task("broadcast"), "fetch": self.one_by_one("fetch"), "request": self.one_by_one("request"),
            "addresses": self.one_by_one("address"), "rejections": self.rejection}.get(kind)
        self.alone.add(0)
        for _ in range(self.random.choice([3, 4, 5])):
            if ask and self.chance(0.6):
                steps += ask(DEEPEST)
            else:
                steps.append(self.step(DEEPEST))
        for slot in range(1, SLOTS + 1):
            for step in self.waiting.get(slot, []):
                step["body"] = self.body(2, task=self.timer(slot), throws=True)
        if kind in ("click", "key"):
            types = POINTER if kind == "click" else ["keydown", "keyup"]
            for _ in range(self.random.choice([2, 3, 4])):
                places = [*NODES, "window", "document"] if kind == "click" else ["window", "document", "document.body"]
                steps.append({**self.listen(2, 0), "type": self.random.choice(types), "on": self.random.choice(places)})
        if kind == "nesting":
            steps.append(self.nest())
        if kind == "delays":
            steps += self.delays()
        if kind == "loops":
            steps += self.yielding()
        if kind == "ping pong":
            steps.append({"do": "ping pong", "n": self.next(), "times": self.random.choice([2, 3, 4]), "body": self.body(1)})
        return {"phase": kind, "steps": steps}

    def program(self, seed: int) -> dict[str, Any]:
        kinds = [kind for kind in LENGTHS if kind != "plain"]
        setting = [self.listen(1, 0) for _ in range(self.random.choice([2, 4, 6]))]
        self.inner = 0
        if self.chance(0.3):
            self.left = 6
            setting += [self.step(2) for _ in range(self.random.choice([1, 2, 3]))]
            self.left = 36
        phases = []
        # A phase that calls for many steps comes with fewer others.
        for _ in range(self.random.choice([2, 3, 4])):
            self.left = max(self.left, 8)
            phases.append(self.phase(self.random.choice([*kinds, "timers", "message"])))
        return {"seed": seed, "listens to errors": self.chance(0.5), "prevents errors": self.chance(0.2), "setting": setting,
                "phases": phases}


def draw(seed: int, runtime: str = "chrome") -> dict[str, Any]:
    return Drawer(seed, runtime).program(seed)


# ---- JavaScript ------------------------------------------------------------------------------------------------------

# Told of each record: enough to see that none is missing.
PRELUDE = """\
const outer = document.getElementById('outer');
const inner = document.getElementById('inner');
const target = new EventTarget();
const log = (...values) => console.log(...values);
const show = (value) =>
  value instanceof Error ? `${value.name} ${value.errors ? value.errors.join() : value.message}` : JSON.stringify(value);
const told = (name) => [(value) => log(name, 'fulfilled', show(value)), (reason) => log(name, 'rejected', show(reason))];
const thenable = (n) => ({ then: (resolve) => (log('then() of', n), resolve(n)) });
const turns = (count, n) => (count === 0 ? Promise.resolve(n) : Promise.resolve().then(() => turns(count - 1, n)));
class Derived extends Promise {}
const aborts = [new AbortController(), new AbortController()];
aborts.forEach(({ signal }, i) => signal.addEventListener('abort', () => {
  log('abort', i, signal.reason);
  queueMicrotask(() => log('microtask of abort', i));
}));
const any = AbortSignal.any(aborts.map(({ signal }) => signal));
any.onabort = () => log('abort any', any.reason);
const observed = { attributes: true, childList: true, subtree: true };
const observers = [0, 1].map((i) => new MutationObserver((records) => {
  log('observer', i, records.map(({ type, target: { id } }) => `${type} ${id}`).join());
  queueMicrotask(() => log('microtask of observer', i));
}));
observers[1].observe(outer, observed);
observers[0].observe(inner, { attributes: true });
const everywhere = [outer, inner, window, document, target];
const { port1, port2 } = new MessageChannel();
const messages = {};
port2.onmessage = ({ data }) => messages[data]();
port2.addEventListener('message', ({ data }) => {
  log('second listener of message', data);
  queueMicrotask(() => log('microtask of the second listener'));
});
const windowMessages = {};
window.addEventListener('message', ({ data }) => windowMessages[data]());
window.addEventListener('unhandledrejection', (event) => {
  log('unhandledrejection', show(event.reason));
  queueMicrotask(() => log('microtask of unhandledrejection'));
  handlers[event.reason]?.();
  if (event.reason % 3 === 0) event.preventDefault();
});
window.addEventListener('rejectionhandled', (event) => log('rejectionhandled', show(event.reason)));
const handlers = {};
const handles = {};
const listeners = {};
const channels = [0, 1, 2].map(() => new BroadcastChannel('loopsim'));
const broadcasts = {};
channels.forEach((channel, i) => channel.addEventListener('message', ({ data }) => {
  log('channel', i, data);
  queueMicrotask(() => log('microtask of channel', i));
  if (i === 2) broadcasts[data]();
}));
const resizes = new ResizeObserver((entries) => log('resized', entries.map(({ target: { id } }) => id).join()));
const moves = {};
for (const type of ['popstate', 'hashchange']) {
  window.addEventListener(type, () => log(type, location.hash, JSON.stringify(history.state)));
}
"""


def value_text(value: Step) -> str:
    n = value["n"]
    return {"value": f"{n}", "promise": f"Promise.resolve({n})", "thenable": f"thenable({n})", "later": f"turns({value['turns']}, {n})",
            "rejected": f"Promise.reject({n})", "async": f"(async () => {n})()", "derived": f"Derived.resolve({n})"}[value["kind"]]


class Renderer:
    """Writes steps as lines of JavaScript, with their indentation."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def write(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def block(self, begin: str, steps: list[Step], end: str, after: list[str] | None = None) -> None:
        self.write(begin)
        self.depth += 1
        self.steps(steps)
        for line in after or []:
            self.write(line)
        self.depth -= 1
        self.write(end)

    def steps(self, steps: list[Step]) -> None:
        for step in steps:
            getattr(self, step["do"].replace(" ", "_"))(step)

    def log(self, step: Step) -> None:
        self.write(f"log({step['n']});")

    def throw(self, step: Step) -> None:
        self.write(f"throw new Error('thrown {step['n']}');")

    def microtask(self, step: Step) -> None:
        self.block("queueMicrotask(() => {", step["body"], "});")

    def chain(self, step: Step) -> None:
        self.write(f"Promise.resolve({value_text(step['from'])})")
        self.depth += 1
        for link in step["links"]:
            returned = {None: [], "value": [f"return {link['n']};"], "promise": [f"return Promise.resolve({link['n']});"],
                        "thenable": [f"return thenable({link['n']});"], "throw": [f"throw {link['n']};"]}[link["returns"]]
            if link["kind"] == "both":
                self.block(".then((value) => {", [], f"}}, (reason) => log('rejected {link['n']}', show(reason)))",
                           [f"log('fulfilled {link['n']}', show(value));", *returned])
            else:
                self.block(f".{link['kind']}(() => {{", link["body"], "})", returned)
        self.write(f".then(...told('chain {step['n']}'));")
        self.depth -= 1

    def combinator(self, step: Step) -> None:
        values = ", ".join(map(value_text, step["values"]))
        self.write(f"Promise.{step['name']}([{values}]).then(...told('{step['name']} {step['n']}'));")

    def thenable(self, step: Step) -> None:
        n = step["n"]
        begin, end = {"resolve": ("Promise.resolve({", "})"), "new": ("new Promise((resolve) => resolve({", "}))"),
                      "async": ("(async () => ({", "}))()")}[step["how"]]
        self.write(begin)
        self.depth += 1
        self.block("then(resolve) {", step["body"], "},", [f"resolve({n});"])
        self.depth -= 1
        self.write(f"{end}.then(...told('thenable {n}'));")

    def async_(self, step: Step) -> None:
        n = step["n"]
        self.write("(async () => {")
        self.depth += 1
        for part in step["parts"]:
            self.block("try {", [], "} catch (reason) {", [f"log('awaited {part['n']}', show(await {value_text(part['value'])}));"])
            self.block("", [], "}", [f"log('caught {part['n']}', show(reason));"])
            self.steps(part["body"])
        end = {"": None, "value": f"return {n};", "promise": f"return Promise.resolve({n});", "throw": f"throw {n};"}[step["ends"]]
        if end:
            self.write(end)
        self.depth -= 1
        self.write(f"}})().then(...told('async {n}'));")

    def deferred(self, step: Step) -> None:
        n = step["n"]
        self.write("{")
        self.depth += 1
        self.write("const { promise, resolve } = Promise.withResolvers();")
        for reaction in step["reactions"]:
            self.block("promise.then(() => {", reaction["body"], f"}}, (reason) => log('deferred {n} rejected', show(reason)));")
        settle = f"resolve({value_text(step['value'])})"
        self.write(f"turns({step['turns']}).then(() => {settle});" if step["turns"] else f"{settle};")
        self.depth -= 1
        self.write("}")

    def loop(self, step: Step) -> None:
        n, values = step["n"], list(map(value_text, step["values"]))
        self.write("(async () => {")
        self.depth += 1
        if step["kind"] == "generator":
            self.block("async function* generate() {", [], "}", ["try {", *(f"  yield {value};" for value in values), "} finally {",
                                                                f"  log('generator {n} is over');", "}"])
        source = "generate()" if step["kind"] == "generator" else f"[{', '.join(values)}]"
        leave = ["break;"] if step["breaks"] else []
        self.block(f"for await (const value of {source}) {{", [], "}", [f"log('loop {n}', show(value));", *leave])
        self.depth -= 1
        self.write(f"}})().then(...told('loop {n}'));")

    def mutation(self, step: Step) -> None:
        node = step["node"]
        child = "document.createElement('template')"
        self.write({"class": f"{node}.classList.toggle('a');", "replace": f"{node}.querySelector('template')?.replaceWith({child});",
                    "markup": f"{node}.querySelector('template')?.insertAdjacentHTML('afterend', '<template></template>');",
                    "move": f"outer.append({node}.querySelector('template') ?? {child});",
                    "attribute": f"{node}.setAttribute('title', '{step['n']}');",
                    "append": f"{node}.append(document.createElement('template'));",
                    "remove": f"{node}.querySelector('template')?.remove();"}[step["kind"]])

    def observer(self, step: Step) -> None:
        observer = f"observers[{step['observer']}]"
        self.write({"take": f"log('taken {step['n']}', {observer}.takeRecords().length);", "disconnect": f"{observer}.disconnect();",
                    "observe": f"{observer}.observe({step['node']}, observed);"}[step["kind"]])

    def listen(self, step: Step) -> None:
        n = step["n"]
        begin, end = {"function": ("(event) => {", "}"), "async": ("async (event) => {", "}"),
                      "object": ("{ handleEvent(event) {", "} }")}[step["how"]]
        self.write(f"listeners[{n}] = ['{step['type']}', {begin}")
        self.depth += 1
        self.write(f"log('listener {n} of', event.type, event.eventPhase);")
        if step["stops"]:
            self.write(f"event.{step['stops']}();")
        if step["how"] == "async":  # what it throws would be a rejection, which is a task of another source
            self.write(f"log('listener {n} goes on', await turns(1, {n}));")
        self.steps([one for one in step["body"] if step["how"] != "async" or one["do"] != "throw"])
        options = [f"{name}: true" for name in ("capture", "once", "passive") if step[name]]
        if step["signal"] is not None:
            options.append(f"signal: aborts[{step['signal']}].signal")
        self.depth -= 1
        self.write(f"{end}, {{ {', '.join(options)} }}];" if options else f"{end}];")
        self.write(f"{step['on']}.addEventListener(...listeners[{n}]);")

    def unlisten(self, step: Step) -> None:
        n = step["n"]
        self.write(f"if (listeners[{n}]) everywhere.forEach((one) => one.removeEventListener(...listeners[{n}]));")

    def dispatch(self, step: Step) -> None:
        options = ", ".join(f"{name}: {json.dumps(step[name])}" for name in ("bubbles", "cancelable"))
        self.write(f"log('dispatched {step['n']}', {step['on']}.dispatchEvent(new Event('{step['type']}', {{ {options} }})));")
        if step["again"]:
            self.block("{", [], "}", [
                f"const event = new CustomEvent('{step['type']}', {{ detail: {step['n']}, {options} }});",
                f"for (const on of [{step['on']}, inner]) log('again {step['n']}', on.dispatchEvent(event), event.defaultPrevented);"])

    def calls(self, step: Step) -> None:
        n, levels = step["n"], step["levels"]
        self.write("{")
        self.depth += 1
        for number, level in enumerate(levels):
            self.write(f"async function level{number}() {{")
            self.depth += 1
            self.write(f"log('level {level['n']}', show(await {value_text(level['value'])}.catch?.(() => 'caught') ?? 'value'));"
                       if level["value"]["kind"] == "rejected" else
                       f"log('level {level['n']}', show(await {value_text(level['value'])}));")
            if number + 1 < len(levels):
                call = f"{'await ' if level['waits'] else ''}level{number + 1}()"
                if level["finally"]:
                    self.block("try {", [], f"}} finally {{ log('left {level['n']}'); }}", [f"return {call};"])
                else:
                    self.steps(level["body"])
                    self.write(f"return {call};")
            else:
                self.steps(level["body"])
                self.write(f"throw {n};" if step["throws"] else f"return {n};")
            self.depth -= 1
            self.write("}")
        self.write(f"level0().then(...told('calls {n}'));")
        self.depth -= 1
        self.write("}")

    def generator(self, step: Step) -> None:
        n = step["n"]
        self.write("{")
        self.depth += 1
        yields = [f"  log('yielded {n}', show(yield {value_text(value)}));" for value in step["values"]]
        self.block("const made = (async function* () {", [], "})();",
                   ["try {", *yields, "} finally {", f"  log('generator {n} is over');", "}"])
        for number, ask in enumerate(step["asks"]):
            self.write(f"made.{ask}({number}).then(...told('{ask} {n}'));")
        self.depth -= 1
        self.write("}")

    def executor(self, step: Step) -> None:
        n, value = step["n"], value_text(step["value"])
        made = {"throws": f"new Promise((resolve) => {{ resolve({value}); throw {n}; }})",
                "twice": f"new Promise((resolve, reject) => {{ resolve(turns(2, {n})); reject({n}); resolve({n}); }})",
                "itself": f"(() => {{ const one = turns(1).then(() => one); return one.catch((reason) => reason.name); }})()",
                "thrower": f"Promise.resolve({{ get then() {{ log('then is read {n}'); throw {n}; }} }})",
                "try": f"Promise.try((value) => value, {value})", "finally": f"turns(1, {n}).finally(() => {value})"}[step["how"]]
        self.write(f"{made}.then(...told('executor {n}'));")

    def cancelling(self, step: Step) -> None:
        n = step["n"]
        self.write("{")
        self.depth += 1
        self.write("const controller = new AbortController();")
        self.write(f"const signal = {'AbortSignal.any([controller.signal, aborts[0].signal])' if step['any'] else 'controller.signal'};")
        if step["before"]:
            self.write(f"controller.abort({n});")
        self.block("signal.addEventListener('abort', () => {", [*step["body"]], "}, { once: true });")
        self.write(f"signal.onabort = () => log('onabort {n}', signal.reason);")
        abort = f"controller.abort({n});"
        self.write(f"turns(2).then(() => {abort[:-1]});" if step["late"] else abort)
        if step["again"]:
            self.write(f"controller.abort('again');")
        self.write(f"log('aborted {n}', signal.aborted, show(signal.reason));")
        self.depth -= 1
        self.write("}")

    def report(self, step: Step) -> None:
        self.write(f"reportError(new Error('reported {step['n']}'));")

    def nest(self, step: Step) -> None:
        for body in step["levels"]:
            self.write("setTimeout(() => {")
            self.depth += 1
            self.steps([one for one in body if one["do"] != "throw"])
        for body in reversed(step["levels"]):
            self.steps([one for one in body if one["do"] == "throw"])
            self.depth -= 1
            self.write("}, 0);")

    def delay(self, step: Step) -> None:
        n, delay, body = step["n"], step["delay"], step["body"]
        if step["kind"] == "timer":
            self.block("setTimeout(() => {", body, f"}}, {delay});")
        elif step["kind"] == "postTask":
            told = f".then(...told('task {n}'))"
            self.block("scheduler.postTask(() => {", body, f"}}, {{ delay: {delay}, priority: '{step['priority']}' }}){told};")
        elif step["kind"] == "AbortSignal":
            self.block(f"AbortSignal.timeout({delay}).addEventListener('abort', () => {{", body, "});")
        else:
            self.write(f"handles[{n}] = new TaskController();")
            self.block("scheduler.postTask(() => {", body,
                       f"}}, {{ delay: {delay}, signal: handles[{n}].signal }}).then(...told('task {n}'));")
            self.write(f"turns(1).then(() => handles[{n}].abort({n}));")

    def yielding(self, step: Step) -> None:
        n = step["n"]
        if step["in"]:
            self.write("scheduler.postTask(async () => {")
        else:
            self.write("(async () => {")
        self.depth += 1
        for number, body in enumerate(step["bodies"]):
            self.steps(body)
            self.write("await scheduler.yield();")
            self.write(f"log('went on {n}', {number});")
        self.depth -= 1
        end = f"}}, {{ priority: '{step['in']}' }})" if step["in"] else "})()"
        self.write(f"{end}.then(...told('yielding {n}'));")

    def fetch(self, step: Step) -> None:
        n = step["n"]
        address = f"'data:text/plain,answer{n}'" if step["how"] != "json" else f"'data:application/json,[{n}]'"
        own = f"handles[{n}].signal"
        aborts = {"before": f"AbortSignal.abort({n})", "at once": own, "reason": own}.get(step["aborts"])
        if aborts:
            self.write(f"handles[{n}] = new AbortController();")
        self.write(f"fetch({address}{f', {{ signal: {aborts} }}' if aborts else ''}).then(async (response) => {{")
        self.depth += 1
        self.write(f"log('response {n}', response.status, response.ok, response.headers.get('content-type'));")
        read = {"text": ["await response.text()"], "json": ["JSON.stringify(await response.json())"],
                "both": ["await response.text()", "await response.text().catch((error) => error.name)"],
                "clone": ["await response.clone().text()", "await response.text()"]}[step["how"]]
        for one in read:
            self.write(f"log('read {n}', {one});")
        self.depth -= 1
        self.block("}).catch((reason) => log('failed', reason?.name ?? reason)).then(() => {",
                   [one for one in step["body"] if one["do"] != "throw"], "});")
        if step["aborts"] == "at once":
            self.write(f"handles[{n}].abort();")
        if step["aborts"] == "reason":
            self.write(f"turns(1).then(() => handles[{n}].abort({n}));")

    def request(self, step: Step) -> None:
        n = step["n"]
        self.write("{")
        self.depth += 1
        self.write("const request = new XMLHttpRequest();")
        self.write(f"for (const type of ['readystatechange', 'loadstart', 'load', 'error', 'abort', 'loadend']) {{")
        self.write(f"  request.addEventListener(type, () => {{")
        self.write(f"    log(type, {n}, request.readyState, request.responseText);")
        self.write(f"    queueMicrotask(() => log('microtask of', type, {n}));")
        self.write("  });")
        self.write("}")
        self.block("request.addEventListener('loadend', () => {", step["body"], "});")
        self.write(f"request.open('GET', 'data:text/plain,answer{n}');")
        self.write("request.send();")
        if step["aborts"]:
            self.write("request.abort();" if step["aborts"] != "reason" else "turns(1).then(() => request.abort());")
        self.depth -= 1
        self.write("}")

    def address(self, step: Step) -> None:
        n = step["n"]
        kind = {"text": "hash", "json": "push", "both": "replace", "clone": "back"}[step["how"]]
        if kind in ("hash", "back"):
            event = "hashchange" if kind == "hash" else "popstate"
            self.block(f"window.addEventListener('{event}', () => {{", step["body"], "}, { once: true });")
        self.write({"hash": f"location.hash = 'hash{n}';", "push": f"history.pushState({n}, '', '#push{n}');",
                    "replace": f"history.replaceState({n}, '', '#replace{n}');",
                    "back": f"history.pushState({n}, '', '#forth{n}'); history.back();"}[kind])
        self.write(f"log('address {n}', location.hash, JSON.stringify(history.state));")

    def click(self, step: Step) -> None:
        self.write(f"{step['node']}.click();")
        self.write(f"log('clicked {step['n']}');")

    def abort(self, step: Step) -> None:
        self.write(f"aborts[{step['signal']}].abort({step['n']});")

    def timeout(self, step: Step) -> None:
        self.block(f"handles[{step['n']}] = setTimeout(() => {{", step["body"], f"}}, {step['delay']});")

    def interval(self, step: Step) -> None:
        n = step["n"]
        self.write(f"handles[{n}] = setInterval((counts) => {{")
        self.depth += 1
        self.write(f"if (++counts[0] === {step['times']}) clearInterval(handles[{n}]);")
        self.steps(step["body"])
        self.depth -= 1
        self.write(f"}}, {step['delay']}, [0]);")

    def clear(self, step: Step) -> None:
        self.write(f"clearTimeout(handles[{step['n']}]);")

    def message(self, step: Step) -> None:
        self.block(f"messages[{step['n']}] = () => {{", step["body"], "};")
        self.write(f"port1.postMessage({step['n']});")

    def window_message(self, step: Step) -> None:
        self.block(f"windowMessages[{step['n']}] = () => {{", step["body"], "};")
        self.write(f"window.postMessage({step['n']});")

    def ping_pong(self, step: Step) -> None:
        n = step["n"]
        self.write("{")
        self.depth += 1
        self.write("const channel = new MessageChannel();")
        self.block("channel.port2.onmessage = ({ data }) => {", step["body"], "};",
                   [f"log('ping {n}', data);", "channel.port2.postMessage(data + 1);"])
        self.block("channel.port1.onmessage = ({ data }) => {", [], "};",
                   [f"log('pong {n}', data);", f"if (data < {2 * step['times']}) channel.port1.postMessage(data + 1);"])
        self.write("channel.port1.postMessage(0);")
        self.depth -= 1
        self.write("}")

    def broadcast(self, step: Step) -> None:
        self.block(f"broadcasts[{step['n']}] = () => {{", step["body"], "};")
        self.write(f"channels[0].postMessage({step['n']});")

    def resize(self, step: Step) -> None:
        self.write(f"{step['node']}.style.width = '{100 + step['n'] % 97}px';")
        self.write(f"resizes.observe({step['node']});")

    def priority(self, step: Step) -> None:
        self.write(f"handles[{step['n']}]?.setPriority('{step['priority']}');")

    def frame(self, step: Step) -> None:
        self.block(f"handles[{step['n']}] = requestAnimationFrame(() => {{", step["body"], "});")

    def cancel_frame(self, step: Step) -> None:
        self.write(f"cancelAnimationFrame(handles[{step['n']}]);")

    def idle(self, step: Step) -> None:
        end = "}, { timeout: 3000 });" if step["timeout"] else "});"
        self.block(f"handles[{step['n']}] = requestIdleCallback(() => {{", step["body"], end)

    def cancel_idle(self, step: Step) -> None:
        self.write(f"cancelIdleCallback(handles[{step['n']}]);")

    def postTask(self, step: Step) -> None:  # pylint: disable=invalid-name
        n = step["n"]
        self.write(f"handles[{n}] = new TaskController({{ priority: '{step['priority']}' }});")
        self.write(f"handles[{n}].signal.onprioritychange = (event) => log('priority {n}', event.previousPriority);")
        # A task may have aborted itself: then yield() rejects, and nobody waits for the promise of the function.
        yields = [f"await scheduler.yield().catch((reason) => log('yield {n} rejected', reason));", f"log('goes on {n}');"]
        fixed = f", priority: '{step['priority']}'" if step["fixed"] else ""
        self.block("scheduler.postTask(async () => {", step["body"],
                   f"}}, {{ signal: handles[{n}].signal{fixed} }}).then(...told('task {n}'));",
                   [*(yields if step["yields"] else []), f"return {n};"])

    def cancel_postTask(self, step: Step) -> None:  # pylint: disable=invalid-name
        self.write(f"handles[{step['n']}]?.abort({step['n']});")

    def reject(self, step: Step) -> None:
        n = step["n"]
        made = {"plain": f"Promise.reject({n})", "async": f"(async () => {{ throw {n}; }})()",
                "chain": f"turns(1).then(() => {{ throw {n}; }})",
                "all": f"Promise.all([Promise.reject({n}), turns(2)])", "later": f"turns(3).then(() => Promise.reject({n}))"}[step["how"]]
        handle = f"handles[{n}].catch((reason) => log('handled', show(reason)))"
        self.write(f"handles[{n}] = {made};")
        if step["handled"]:
            self.write({"microtask": f"turns(1).then(() => {{ {handle}; }});", "late": f"setTimeout(() => {handle}, {step.get('delay')});",
                        "event": f"handlers[{n}] = () => {handle};"}[step["handled"]])


setattr(Renderer, "async", Renderer.async_)


def render(document: dict[str, Any]) -> str:
    renderer = Renderer()
    begin, inputs = 20, []
    prevents = " event.preventDefault();" if document["prevents errors"] else ""
    if document["listens to errors"]:
        renderer.write(f"window.addEventListener('error', (event) => {{ log('error event', show(event.error));{prevents} }});")
    renderer.steps(document["setting"])
    for phase in document["phases"]:
        renderer.block("setTimeout(() => {", [{"do": "log", "n": f"'{phase['phase']}'"}, *phase["steps"]], f"}}, {begin});")
        if phase["phase"] == "click":
            inputs.append({"at": begin + 60, "click": "#inner"})
        if phase["phase"] == "key":
            inputs.append({"at": begin + 60, "keydown": ""})
        begin += LENGTHS[phase["phase"]]
    quiet = max((LENGTHS[phase["phase"]] for phase in document["phases"]), default=0) + 80
    lines = [f"// random program {document['seed']}", '// html: <div id="outer"><div id="inner"></div></div>',
             *(f"// input: {json.dumps(one)}" for one in inputs), f"// quiet: {quiet}", PRELUDE + "\n".join(renderer.lines)]
    return "\n".join(lines) + "\n"


# ---- smaller ---------------------------------------------------------------------------------------------------------


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where steps stand, from the last to the first, outer ones first."""
    if isinstance(value, list):
        for index in reversed(range(len(value))):
            if isinstance(value[index], dict):
                yield (*path, index)
            yield from places(value[index], (*path, index))
    elif isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, (list, dict)):
                yield from places(inner, (*path, key))


def without(document: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any] | None:
    smaller = deepcopy(document)
    where: Any = smaller
    try:
        for key in path[:-1]:
            where = where[key]
        del where[path[-1]]
    except (KeyError, IndexError, TypeError):
        return None
    return smaller


def shrink(document: dict[str, Any], still_fails: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Leaves out steps as long as it fails."""
    progress = True
    while progress:
        progress = False
        for path in [path for part in ("phases", "setting", "steps") for path in places(document.get(part, []), (part,))]:
            smaller = without(document, path)
            if smaller is not None and still_fails(smaller):
                document, progress = smaller, True
    return document

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
           "rejections": 180, "tasks": 100, "click": 180, "plain": 20}
DEEPEST = 3
MOST_IDLE = 3  # idle callbacks in a phase
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
            (self.dispatch, 4 if rank < EVENTS else 0), (self.click, 1 if rank == 0 else 0)]
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

    # ---- the tree ----------------------------------------------------------------------------------------------------

    def mutation(self, depth: int, rank: int) -> Step:
        return {"do": "mutation", "n": self.next(), "node": self.random.choice(NODES),
                "kind": self.random.choice(["attribute", "attribute", "append", "remove"])}

    def observer(self, depth: int, rank: int) -> Step:
        return {"do": "observer", "n": self.next(), "observer": self.random.choice([0, 1]),
                "kind": self.random.choice(["take", "disconnect", "observe"]), "node": self.random.choice(NODES)}

    def listen(self, depth: int, rank: int) -> Step:
        number = self.random.randrange(rank, EVENTS + 1)  # the last one is the event of a click
        n = self.next()
        kind = "click" if number == EVENTS else f"ev{number}"
        stops = ["stopPropagation", "stopImmediatePropagation", "preventDefault", "preventDefault"]
        return {"do": "listen", "n": n, "on": self.random.choice(NODES if kind == "click" else TARGETS), "type": kind,
                "capture": self.chance(0.35), "once": self.chance(0.2), "passive": self.chance(0.1),
                "signal": self.random.choice([0, 1]) if self.chance(0.2) else None,
                "stops": self.random.choice([None] * 6 + stops),
                "body": self.body(min(depth, 1), 1 if kind == "click" else number + 1, throws=True)}

    def unlisten(self, depth: int, rank: int) -> Step:
        return {"do": "unlisten", "n": self.random.randrange(1, self.number + 2)}

    def dispatch(self, depth: int, rank: int) -> Step:
        return {"do": "dispatch", "n": self.next(), "on": self.random.choice(TARGETS), "type": f"ev{self.random.randrange(rank, EVENTS)}",
                "bubbles": self.chance(0.7), "cancelable": self.chance(0.6)}

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
            n = self.next()
            self.handles.append(n)
            step: Step = {"do": kind, "n": n}
            if kind == "postTask":
                step["priority"] = self.random.choice(PRIORITIES)
                step["yields"] = self.chance(0.3)
            step["body"] = self.body(depth, task=ask, throws=kind != "postTask")
            return [step]

        return ask

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
        self.waiting: dict[int, list[Step]] = {}
        steps: list[Step] = []
        ask: Callable[[int], list[Step]] | None = {
            "timers": self.timer(0), "message": self.plain_task("message"), "window message": self.plain_task("window message"),
            "frames": self.plain_task("frame"), "idle": self.plain_task("idle"), "tasks": self.plain_task("postTask"),
            "rejections": self.rejection}.get(kind)
        self.alone.add(0)
        for _ in range(self.random.choice([3, 4, 5])):
            if ask and self.chance(0.6):
                steps += ask(DEEPEST)
            else:
                steps.append(self.step(DEEPEST))
        for slot in range(1, SLOTS + 1):
            for step in self.waiting.get(slot, []):
                step["body"] = self.body(2, task=self.timer(slot), throws=True)
        if kind == "ping pong":
            steps.append({"do": "ping pong", "n": self.next(), "times": self.random.choice([2, 3, 4]), "body": self.body(1)})
        return {"phase": kind, "steps": steps}

    def program(self, seed: int) -> dict[str, Any]:
        kinds = [kind for kind in LENGTHS if kind != "plain"]
        setting = [self.listen(1, 0) for _ in range(self.random.choice([2, 4, 6]))]
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
        self.write({"attribute": f"{node}.setAttribute('title', '{step['n']}');",
                    "append": f"{node}.append(document.createElement('template'));",
                    "remove": f"{node}.querySelector('template')?.remove();"}[step["kind"]])

    def observer(self, step: Step) -> None:
        observer = f"observers[{step['observer']}]"
        self.write({"take": f"log('taken {step['n']}', {observer}.takeRecords().length);", "disconnect": f"{observer}.disconnect();",
                    "observe": f"{observer}.observe({step['node']}, observed);"}[step["kind"]])

    def listen(self, step: Step) -> None:
        n = step["n"]
        self.write(f"listeners[{n}] = ['{step['type']}', (event) => {{")
        self.depth += 1
        self.write(f"log('listener {n} of', event.type, event.eventPhase);")
        if step["stops"]:
            self.write(f"event.{step['stops']}();")
        self.steps(step["body"])
        options = [f"{name}: true" for name in ("capture", "once", "passive") if step[name]]
        if step["signal"] is not None:
            options.append(f"signal: aborts[{step['signal']}].signal")
        self.depth -= 1
        self.write(f"}}, {{ {', '.join(options)} }}];" if options else "}];")
        self.write(f"{step['on']}.addEventListener(...listeners[{n}]);")

    def unlisten(self, step: Step) -> None:
        n = step["n"]
        self.write(f"if (listeners[{n}]) everywhere.forEach((one) => one.removeEventListener(...listeners[{n}]));")

    def dispatch(self, step: Step) -> None:
        options = ", ".join(f"{name}: {json.dumps(step[name])}" for name in ("bubbles", "cancelable"))
        self.write(f"log('dispatched {step['n']}', {step['on']}.dispatchEvent(new Event('{step['type']}', {{ {options} }})));")

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

    def frame(self, step: Step) -> None:
        self.block(f"handles[{step['n']}] = requestAnimationFrame(() => {{", step["body"], "});")

    def cancel_frame(self, step: Step) -> None:
        self.write(f"cancelAnimationFrame(handles[{step['n']}]);")

    def idle(self, step: Step) -> None:
        self.block(f"handles[{step['n']}] = requestIdleCallback(() => {{", step["body"], "});")

    def cancel_idle(self, step: Step) -> None:
        self.write(f"cancelIdleCallback(handles[{step['n']}]);")

    def postTask(self, step: Step) -> None:  # pylint: disable=invalid-name
        n = step["n"]
        self.write(f"handles[{n}] = new TaskController({{ priority: '{step['priority']}' }});")
        # A task may have aborted itself: then yield() rejects, and nobody waits for the promise of the function.
        yields = [f"await scheduler.yield().catch((reason) => log('yield {n} rejected', reason));", f"log('goes on {n}');"]
        self.block("scheduler.postTask(async () => {", step["body"], f"}}, {{ signal: handles[{n}].signal }}).then(...told('task {n}'));",
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
        for path in [*places(document["phases"], ("phases",)), *places(document["setting"], ("setting",))]:
            smaller = without(document, path)
            if smaller is not None and still_fails(smaller):
                document, progress = smaller, True
    return document

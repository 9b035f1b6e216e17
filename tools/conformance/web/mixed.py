"""Draws random programs of a web page in which tasks of all sources meet: the same from the same seed.

The order of such a program is open in part: it is for `loopsim orders` to say which orders there can be, and the real browsers' must be
among them. Each callback prints its own name, so that a line of output is a callback of the report.
"""

from __future__ import annotations

import json
import random
from typing import Any

Step = dict[str, Any]

MOST = 9  # callbacks: with more, a thousand runs do not meet each order
DELAYS = [0, 0, 0, 1, 4, 8, 12, 17, 20, 35]  # ms, of timers
PRIORITIES = ["user-blocking", "user-visible", "background"]
KINDS = ["timer", "timer", "timer", "port", "port", "window", "broadcast", "frame", "idle", "task", "task", "yield", "fetch", "microtask",
         "promise", "abort", "rejection"]
QUIET = 450  # ms without output, after which it is over: Firefox is idle after 50 ms and more

PRELUDE = """\
const say = (name) => console.log(name);
const { port1, port2 } = new MessageChannel();
const second = new MessageChannel();
const [from, to] = [new BroadcastChannel('loopsim'), new BroadcastChannel('loopsim')];
const calls = {};
for (const one of [port2, second.port2, to]) one.onmessage = ({ data }) => calls[data]();
window.addEventListener('message', ({ data }) => calls[data]());
window.addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  calls[event.reason]();
});
"""


class Drawer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"mixed {seed}")
        self.count = 0

    def callback(self, depth: int) -> Step:
        self.count += 1
        kind = self.random.choice(KINDS)
        step: Step = {"kind": kind, "name": f"c{self.count}", "inner": []}
        if kind in ("timer", "abort"):
            step["delay"] = self.random.choice(DELAYS)
        if kind == "task":
            step["priority"] = self.random.choice(PRIORITIES)
            step["delay"] = self.random.choice([0] * 6 + [10, 20])
        if kind == "port":
            step["port"] = self.random.choice(["port1", "port1", "second.port1"])
        for _ in range(self.random.choice([0, 0, 0, 1, 2]) if depth > 0 else 0):
            if self.count < MOST:
                step["inner"].append(self.callback(depth - 1))
        return step

    def program(self, seed: int) -> dict[str, Any]:
        steps = []
        while self.count < self.random.choice([4, 6, MOST]):
            steps.append(self.callback(2))
        clicks = [self.random.choice([5, 20, 40])] if self.random.random() < 0.2 else []
        busy = self.random.choice([0, 0, 0, 0, 3, 12, 30])
        return {"seed": seed, "steps": steps, "clicks": clicks, "busy": busy}


def draw(seed: int, _runtime: str = "chrome") -> dict[str, Any]:
    return Drawer(seed).program(seed)


def write(steps: list[Step], lines: list[str], depth: int) -> None:
    space = "  " * depth
    for step in steps:
        name, kind = step["name"], step["kind"]
        inner: list[str] = []
        write(step["inner"], inner, depth + 1)
        begin, end = {
            "timer": ("setTimeout(", f", {step.get('delay')})"),
            "frame": ("requestAnimationFrame(", ")"),
            "idle": ("requestIdleCallback(", ")"),
            "task": ("scheduler.postTask(", f", {{ priority: '{step.get('priority')}'"
                     f"{', delay: %d' % step['delay'] if step.get('delay') else ''} }})"),
            "yield": ("scheduler.yield().then(", ")"),
            "fetch": (f"fetch('data:text/plain,{name}').then(", ")"),
            "microtask": ("queueMicrotask(", ")"),
            "promise": ("Promise.resolve().then(", ")"),
            "abort": (f"AbortSignal.timeout({step.get('delay')}).addEventListener('abort', ", ")"),
        }.get(kind, (f"calls.{name} = ", ""))
        lines.append(f"{space}{begin}function {name}() {{")
        lines.append(f"{space}  say('{name}');")
        lines.extend(inner)
        lines.append(f"{space}}}{end};")
        sent = {"port": f"{step.get('port')}.postMessage('{name}')", "window": f"window.postMessage('{name}')",
                "broadcast": f"from.postMessage('{name}')", "rejection": f"Promise.reject('{name}')"}.get(kind)
        if sent:
            lines.append(f"{space}{sent};")


def render(document: dict[str, Any]) -> str:
    lines: list[str] = []
    write(document["steps"], lines, 0)
    if document["clicks"]:
        lines.append("document.getElementById('inner').addEventListener('click', function clicked() {")
        lines += ["  say('clicked');", "});"]
    if document["busy"]:
        lines.append(f"loopsim.cpu({document['busy']});")
    head = [f"// random program {document['seed']}, of several sources", '// html: <div id="outer"><div id="inner"></div></div>',
            *(f"// input: {json.dumps({'at': at, 'click': '#inner'})}" for at in document["clicks"]), f"// quiet: {QUIET}"]
    return "\n".join(head) + "\n" + PRELUDE + "\n".join(lines) + "\n"

"""Random programs of libuv's functions.

Every handle may be used at every moment, in main() and in callbacks, with what C defines: what a closed handle must not be asked is
guarded by uv_is_closing(). A timer bounds each run (a `dog`), and a counter the callbacks that start something again, so every program
ends. At the end main() closes what is left.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

Step = dict[str, Any]

TIMES = [0, 0, 1, 1, 2, 3, 5, 10, 20]
REPEATS = [0, 0, 0, 1, 2, 3, 7]
DURATIONS = ["1ms", "2ms", "5ms", "300us", "700us", "1500us", "10ms", "999999ns", "0ms"]
SIGNALS = ["SIGWINCH", "SIGTERM", "SIGHUP", "SIGUSR2", "SIGCONT"]
MOST_CALLBACKS = 25  # after so many nothing is started any more
MOST_ROUNDS = 40  # callbacks in all, behind which each stops its handle


class Drawer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"libuv {seed}")
        draw = self.random
        self.kinds: dict[str, str] = {}
        for kind, most in (("timer", 4), ("idle", 2), ("prepare", 2), ("check", 2), ("async", 2), ("signal", 2)):
            for i in range(draw.choice([0, 0, *range(1, most + 1)]) or (kind == "timer")):
                self.kinds[f"{kind}{i + 1}"] = kind
        self.requests = [f"work{i + 1}" for i in range(draw.choice([0, 0, 1, 2, 6]))]
        self.has_due_in = draw.random() < 0.08
        self.signals = draw.sample(SIGNALS, 2)
        self.count = 0

    # ---- steps ------------------------------------------------------------------------------------------------------

    def handle(self, *kinds: str) -> str:
        names = [name for name, kind in self.kinds.items() if not kinds or kind in kinds]
        return self.random.choice(names) if names else "timer1"

    def callback(self, depth: int, handle_stops: str = "") -> list[Step]:
        self.count += 1
        label = f"c{self.count}"
        body: list[Step] = [{"add": {"n": 1}}, {"log": label + self.random.choice(["", " at {now}", " {n}"])}]
        if handle_stops:  # of a handle that would be called for ever
            body += [{"if": ["n", ">", MOST_ROUNDS], "then": [{handle_stops: "handle"}]}]
        body += self.steps(self.random.choice([0, 0, 1, 1, 2, 3]) if depth else 0, depth - 1)
        return body

    def steps(self, count: int, depth: int) -> list[Step]:
        made: list[Step] = []
        for _ in range(count):
            made += self.step(depth)
        return made

    def step(self, depth: int) -> list[Step]:
        kinds = [(self.timer, 6), (self.phase, 4), (self.ask, 3), (self.about_loop, 3), (self.references, 3), (self.closing, 2),
                 (self.computation, 2), (self.work, 3 if self.requests else 0)]
        for kind, make in (("async", self.an_async), ("signal", self.a_signal)):
            kinds.append((make, 3 if kind in self.kinds.values() else 0))
        makers, weights = zip(*kinds)
        return self.random.choices(makers, weights)[0](depth)

    def guarded(self, name: str, steps: list[Step]) -> list[Step]:
        """Unless the handle is closing."""
        return [{"uv_is_closing": name, "as": "closing"}, {"if": ["closing", "==", 0], "then": steps}]

    def started(self, steps: list[Step]) -> list[Step]:
        """Unless there have been enough callbacks."""
        return [{"if": ["n", "<", MOST_CALLBACKS], "then": steps}]

    def sometimes_told(self, step: Step) -> list[Step]:
        if self.random.random() < 0.3:
            return [{**step, "as": "r"}, *([{"log": "r is {r}"}] if self.random.random() < 0.3 else [])]
        return [step]

    def timer(self, depth: int) -> list[Step]:
        name = self.handle("timer")
        draw = self.random.random()
        if draw < 0.55:
            start: Step = {"uv_timer_start": name, "timeout": self.random.choice(TIMES), "repeat": self.random.choice(REPEATS),
                           "do": self.callback(depth, "uv_timer_stop")}
            return self.started(self.guarded(name, self.sometimes_told(start)))
        if draw < 0.7:
            return self.guarded(name, self.sometimes_told({"uv_timer_stop": name}))
        if draw < 0.85:
            return self.started(self.guarded(name, self.sometimes_told({"uv_timer_again": name})))
        if draw < 0.93:
            return self.guarded(name, [{"uv_timer_set_repeat": name, "repeat": self.random.choice(REPEATS)}])
        return self.guarded(name, [{"uv_timer_get_due_in" if self.has_due_in else "uv_timer_get_repeat": name, "as": "r"}])

    def of_closing(self, name: str) -> list[Step]:
        """What may be asked of a handle that is closing, and not yet closed."""
        kind = self.kinds[name]
        choices = [{"uv_is_active": name, "as": "r"}, {"uv_has_ref": name, "as": "r"}, {"uv_ref": name}, {"uv_unref": name}]
        if kind == "timer":
            choices.append({"uv_timer_get_repeat": name, "as": "r"})
        if kind not in ("async", "signal"):  # libuv asserts that no signal handle is stopped once it is closing
            choices.append({f"uv_{kind}_stop": name})
        return self.random.sample(choices, 2)

    def phase(self, depth: int) -> list[Step]:
        name = self.handle("idle", "prepare", "check")
        kind = self.kinds[name]
        if kind == "timer":
            return self.timer(depth)
        if self.random.random() < 0.65:
            start = {f"uv_{kind}_start": name, "do": self.callback(depth, f"uv_{kind}_stop")}
            return self.started(self.guarded(name, self.sometimes_told(start)))
        return self.guarded(name, self.sometimes_told({f"uv_{kind}_stop": name}))

    def an_async(self, depth: int) -> list[Step]:
        name = self.handle("async")
        return self.started(self.guarded(name, [{"uv_async_send": name}] * self.random.choice([1, 1, 2])))

    def a_signal(self, depth: int) -> list[Step]:
        name = self.handle("signal")
        if self.random.random() < 0.6:
            verb = self.random.choice(["uv_signal_start", "uv_signal_start", "uv_signal_start_oneshot"])
            start = {verb: name, "signal": self.random.choice(self.signals), "do": self.callback(depth)}
            return self.guarded(name, self.sometimes_told(start))
        return self.guarded(name, self.sometimes_told({"uv_signal_stop": name}))

    def work(self, depth: int) -> list[Step]:
        name = self.random.choice(self.requests)
        if self.random.random() < 0.4:
            # A request that was cancelled, and whose callback has been called, is libuv's no more: asked again, it calls it again.
            cancelled = f"{name}_cancelled"
            return [{"if": [cancelled, "==", 0], "then": [{"uv_cancel": name, "as": "r"},
                                                          {"if": ["r", "==", 0], "then": [{"set": {cancelled: 1}}]}]}]
        return self.started(self.queue(name, depth))

    def queue(self, name: str, depth: int) -> list[Step]:
        return [{"set": {f"{name}_cancelled": 0}},
                {"uv_queue_work": name, self.random.choice(["cpu", "takes"]): self.random.choice(DURATIONS), "do": self.callback(depth)}]

    def ask(self, depth: int) -> list[Step]:
        verb = self.random.choice(["uv_is_active", "uv_has_ref", "uv_is_closing"])
        ask = {verb: (name := self.handle()), "as": "r"}
        return [ask] if verb == "uv_is_closing" else self.guarded(name, [ask])

    def about_loop(self, depth: int) -> list[Step]:
        verb = self.random.choice(["uv_stop", "uv_loop_alive", "uv_now", "uv_now", "uv_update_time", "uv_backend_timeout"])
        return [{verb: None} if verb in ("uv_stop", "uv_update_time") else {verb: None, "as": "r"}]

    def references(self, depth: int) -> list[Step]:
        return self.guarded(name := self.handle(), [{self.random.choice(["uv_ref", "uv_unref", "uv_unref"]): name}])

    def closing(self, depth: int) -> list[Step]:
        draw = self.random.random()
        if draw < 0.2:
            return [{"uv_walk": [{"log": "walk"}, *self.random.choice([
                [{"uv_is_active": "handle", "as": "r"}, {"uv_has_ref": "handle", "as": "r"}],
                self.guarded("handle", [{"uv_unref": "handle"}]), []])]}]
        name = self.handle()
        step: Step = {"uv_close": name}
        if self.random.random() < 0.7:
            step["do"] = self.callback(depth)
        steps = [step]
        if self.random.random() < 0.3:
            steps += self.of_closing(name)
        if self.random.random() < 0.4:  # a new one takes its name
            steps += self.new_handle(name, 1)
        return self.guarded(name, steps)

    def computation(self, depth: int) -> list[Step]:
        return [{"cpu": self.random.choice(DURATIONS)}]

    def new_handle(self, name: str, depth: int) -> list[Step]:
        kind = self.kinds[name]
        return [{f"uv_{kind}_init": name, **({"do": self.callback(depth)} if kind == "async" else {})}]

    # ---- the program ------------------------------------------------------------------------------------------------

    def run(self) -> list[Step]:
        """A call of uv_run, which a timer bounds."""
        ends = [{"log": "dog"}, {"uv_stop": None}]
        if self.random.random() < 0.1:
            ends += [{"uv_walk": self.guarded("handle", [{"uv_close": "handle"}])}]
        mode = self.random.choice(["UV_RUN_DEFAULT", "UV_RUN_DEFAULT", "UV_RUN_ONCE", "UV_RUN_ONCE", "UV_RUN_NOWAIT"])
        return [{"uv_timer_init": "dog"}, {"uv_timer_start": "dog", "timeout": self.random.choice([5, 8, 13, 30]), "do": ends},
                *([{"uv_unref": "dog"}] if self.random.random() < 0.5 else []),
                {"uv_run": mode, "as": "more"}]

    def program(self, seed: int) -> dict[str, Any]:
        main: list[Step] = [{"set": {"n": 0}}]
        if self.random.random() < 0.15:
            main.append({"uv_loop_configure": self.random.choice(["UV_LOOP_BLOCK_SIGNAL", "UV_METRICS_IDLE_TIME"]), "as": "r"})
        for name in self.kinds:
            main += self.new_handle(name, 2)
        for name in self.requests:
            main += self.queue(name, 2)
        for _ in range(self.random.choice([1, 2, 2, 3, 5])):
            main += self.steps(self.random.choice([1, 2, 3, 5, 8]), 3)
            main += self.run()
        main += [{"uv_timer_init": "last"}, {"uv_loop_close": None, "as": "r"},
                 {"uv_walk": self.guarded("handle", [{"uv_close": "handle"}])},
                 {"uv_run": self.random.choice(["UV_RUN_DEFAULT", "UV_RUN_ONCE", "UV_RUN_NOWAIT"]), "as": "more"},
                 {"uv_run": "UV_RUN_DEFAULT", "as": "more"}, {"uv_loop_close": None, "as": "r"}]
        if self.random.random() < 0.2:
            main.append({"return": self.random.choice([0, 3])})
        inputs = [{"at": f"{self.random.randrange(0, 40_000) * 1000 + self.random.choice([0, 1, 500])}ns",
                   "signal": self.random.choice(self.signals)}
                  for _ in range(self.random.choice([0, 1, 3, 6]) if "signal" in self.kinds.values() else 0)]
        # A signal that nobody waits for would end the process, and the programs with it: mostly there is somebody.
        if inputs and self.random.random() < 0.9:
            guards: list[Step] = []
            for i, signal in enumerate(sorted({one["signal"] for one in inputs})):
                guards += [{"uv_signal_init": f"guard{i}"}, {"uv_signal_start": f"guard{i}", "signal": signal, "do": [{"log": "guard"}]},
                           {"uv_unref": f"guard{i}"}]
            main = guards + main
        runtime: Any = "libuv-1.52"
        if self.requests and (threads := threads_of(seed)) != 4:
            runtime = {"profile": "libuv-1.52", "threadpool": threads}
        document: dict[str, Any] = {"title": f"random program {seed} for libuv", "runtime": runtime}
        if inputs:
            document["inputs"] = inputs
        return {**document, "limits": {"callbacks": 20000}, "main": main}


def threads_of(seed: int) -> int:
    """Of the pool: the same for programs that run in one process."""
    return (4, 4, 1, 2)[seed // 50 % 4]


def draw(seed: int) -> dict[str, Any]:
    return Drawer(seed).program(seed)


# ---- smaller -------------------------------------------------------------------------------------------------------


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
    for key in path[:-1]:
        try:
            where = where[key]
        except (KeyError, IndexError, TypeError):
            return None
    try:
        del where[path[-1]]
    except (KeyError, IndexError, TypeError):
        return None
    return smaller


def shrink(document: dict[str, Any], still_fails: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Leaves out steps as long as it fails."""
    progress = True
    while progress:
        progress = False
        for path in list(places(document["main"], ("main",))) + list(places(document.get("inputs", []), ("inputs",))):
            smaller = without(document, path)
            if smaller is not None and still_fails(smaller):
                document, progress = smaller, True
    return document

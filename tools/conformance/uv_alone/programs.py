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
PORTS = [8000, 8001]
PATHS = ["/tmp/one.sock", "/tmp/two.sock"]
EVENTS = ["UV_READABLE", "UV_READABLE", "UV_WRITABLE", "UV_READABLE | UV_WRITABLE", "UV_READABLE | UV_DISCONNECT", "UV_DISCONNECT"]
FILE_ERRORS = ["ENOENT", "EACCES", "EEXIST", "ENOTDIR"]
MOST_CHILDREN = 3  # each is a fork of Node
MOST_CALLBACKS = 25  # after so many nothing is started any more
MOST_TURNS = 150  # of a call of uv_run
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
        self.family = draw.choice(["tcp", "tcp", "pipe"])
        self.servers: list[str] = []
        self.clients: list[str] = []
        if draw.random() < 0.5:  # a server is never read, and a client never listens
            self.servers = [f"server{i + 1}" for i in range(draw.choice([1, 1, 2]))]
            self.clients = [f"client{i + 1}" for i in range(draw.choice([1, 2, 2, 3]))]
            self.kinds |= {name: self.family for name in [*self.servers, *self.clients]}
        self.polls = {f"poll{i + 1}": f"fd{i + 1}" for i in range(draw.choice([1, 2]) if draw.random() < 0.25 else 0)}
        self.kinds |= {name: "poll" for name in self.polls}
        self.children = [f"child{i + 1}" for i in range(draw.choice([1, 2]))] if draw.random() < 0.15 else []
        self.is_new = draw.random() < 0.1  # has functions that only newer versions have
        self.is_careless = draw.random() < 0.05  # reads what is not connected, which older versions do not survive
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
                 (self.computation, 2), (self.work, 3 if self.requests else 0), (self.stream, 12 if self.clients else 0),
                 (self.poll, 6 if self.polls else 0), (self.child, 4 if self.children else 0)]
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
        if kind in ("timer", "idle", "prepare", "check"):  # libuv asserts of others that none is stopped once it is closing
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
        kind = self.random.choice(["work", "work", "fs", "name"])
        made: Step = {"uv_queue_work": name, self.random.choice(["cpu", "takes"]): self.random.choice(DURATIONS)}
        if kind == "fs":
            verb = self.random.choice(["uv_fs_access", "uv_fs_stat", "uv_fs_mkdir", "uv_fs_rmdir", "uv_fs_unlink"])
            made = {verb: name, "path": "/tmp/x", "takes": self.random.choice(DURATIONS)}
            if self.random.random() < 0.3:
                made["error"] = self.random.choice(FILE_ERRORS)
        elif kind == "name":
            made = {"uv_getaddrinfo": name, "node": "example.org", "takes": self.random.choice(DURATIONS)}
            if self.random.random() < 0.3:
                made["error"] = self.random.choice(["EAI_NONAME", "EAI_AGAIN"])
        if kind != "work" and self.random.random() < 0.15:  # the function itself waits; what cannot be cancelled afterwards
            return [{**made, "as": "r"}, {"set": {f"{name}_cancelled": 1}}]
        body = self.callback(depth)
        if kind != "work":
            body.insert(1, {"log": "{result}" if kind == "fs" else "{status}"})
        return [{"set": {f"{name}_cancelled": 0}}, {**made, "do": body}]

    # ---- streams ----------------------------------------------------------------------------------------------------

    def with_status(self, depth: int, *what: str) -> list[Step]:
        body = self.callback(depth)
        body.insert(1, {"log": " ".join(f"{{{name}}}" for name in what)})
        return body

    def on_client(self, name: str, steps: list[Step]) -> list[Step]:
        return self.started(self.guarded(name, steps))

    def stream(self, depth: int) -> list[Step]:
        client = self.random.choice(self.clients)
        makers = [(self.listening, 3), (self.accepting, 1), (self.connecting, 5), (self.reading, 5), (self.read_stopping, 2),
                  (self.writing, 6), (self.shutting, 2), (self.asking_stream, 2)]
        make, weights = zip(*makers)
        return self.random.choices(make, weights)[0](client, depth)

    def listening(self, client: str, depth: int) -> list[Step]:
        server = self.random.choice(self.servers)
        where = {"port": self.random.choice(PORTS)} if self.family == "tcp" else {"path": self.random.choice(PATHS)}
        steps: list[Step] = [{f"uv_{self.family}_bind": server, **where, "as": "r"}] if self.random.random() < 0.95 else []
        body = self.with_status(depth, "status")
        if self.random.random() < 0.9:
            name = self.random.choice(self.clients)
            body[2:2] = [*self.new_handle(name, 0), {"uv_accept": "handle", "client": name, "as": "r"}]
            if self.random.random() < 0.6:
                body += self.reading(name, depth - 1)
        return self.on_client(server, [*steps, {"uv_listen": server, "do": body, "as": "r"}])

    def accepting(self, client: str, depth: int) -> list[Step]:
        server = self.random.choice(self.servers)
        return self.guarded(server, self.on_client(client, [{"uv_accept": server, "client": client, "as": "r"}]))

    def connecting(self, client: str, depth: int) -> list[Step]:
        where = {"port": self.random.choice(PORTS)} if self.family == "tcp" else {"path": self.random.choice(PATHS)}
        step: Step = {f"uv_{self.family}_connect": "connect", "handle": client, **where}
        if self.random.random() < 0.95:
            step["do"] = self.with_status(depth, "status")
        else:  # without one the process ends when the connection is cancelled
            step["do"] = [{"log": "connected"}]
        if self.family == "tcp":
            return self.on_client(client, self.sometimes_told(step))
        # A pipe that is connected once more forgets the first request, which then keeps the loop alive for ever.
        asked = f"{client}_asked"
        return self.on_client(client, [{"if": [asked, "==", 0], "then": [{"set": {asked: 1}}, step]}])

    def reading(self, client: str, depth: int) -> list[Step]:
        body = self.with_status(depth, "nread", "data")
        if self.random.random() < 0.6:
            body += [{"if": ["nread", "<", 0], "then": self.guarded("handle", [{"uv_close": "handle"}])}]
        start: list[Step] = self.sometimes_told({"uv_read_start": client, "do": body})
        if not self.is_careless:
            start = [{"uv_is_readable": client, "as": "x"}, {"if": ["x", "==", 1], "then": start}]
        return self.on_client(client, start)

    def read_stopping(self, client: str, depth: int) -> list[Step]:
        return self.guarded(client, self.sometimes_told({"uv_read_stop": client}))

    def writing(self, client: str, depth: int) -> list[Step]:
        data = {"data": self.random.choice(["a", "hello", "{n}"])} if self.random.random() < 0.85 else {"bytes": 3000}
        if self.random.random() < 0.3:
            return self.on_client(client, [{"uv_try_write": client, **data, "as": "r"}])
        step: Step = {"uv_write": "write", "handle": client, **data}
        if self.random.random() < 0.8:
            step["do"] = self.with_status(depth, "status")
        return self.on_client(client, self.sometimes_told(step) * self.random.choice([1, 1, 2]))

    def shutting(self, client: str, depth: int) -> list[Step]:
        step: Step = {"uv_shutdown": "shutdown_", "handle": client, "do": self.with_status(depth, "status")}
        return self.on_client(client, self.sometimes_told(step))

    def asking_stream(self, client: str, depth: int) -> list[Step]:
        if self.is_new and self.family == "tcp" and self.random.random() < 0.4:
            return self.guarded(client, [{"uv_tcp_close_reset": client, "do": self.callback(depth), "as": "r"}])
        return self.guarded(client, [{self.random.choice(["uv_is_readable", "uv_is_writable"]): client, "as": "r"}])

    # ---- descriptors, children --------------------------------------------------------------------------------------

    def poll(self, depth: int) -> list[Step]:
        name, fd = self.random.choice(list(self.polls.items()))
        draw = self.random.random()
        end = fd + self.random.choice(["a", "b"])
        if draw < 0.3:
            return self.started([{"send": end, "data": self.random.choice(["a", "hello"]), "as": "r"}])
        if draw < 0.4:
            return [{"recv": end, "as": "r"}]
        if draw < 0.45:
            return [{"shutdown": end, "as": "r"}]
        if draw < 0.55:
            return self.guarded(name, self.sometimes_told({"uv_poll_stop": name}))
        body = self.with_status(depth, "status", "events")
        if self.random.random() < 0.8:
            body.insert(2, {"recv": f"{fd}a", "as": "r"})
        body += [{"if": ["n", ">", MOST_ROUNDS], "then": self.guarded("handle", [{"uv_poll_stop": "handle"}])}]
        start = {"uv_poll_start": name, "events": self.random.choice(EVENTS), "do": body}
        return self.on_client(name, self.sometimes_told(start))

    def child(self, depth: int) -> list[Step]:
        name = self.random.choice(self.children)
        if self.random.random() < 0.35:
            kill = {"uv_process_kill": name, "signal": self.random.choice(["SIGTERM", "SIGKILL", "SIGCONT"]), "as": "r"}
            return [{"if": [f"{name}_up", "==", 1], "then": self.guarded(name, [kill])}]
        fails = self.random.random() < 0.15
        step: Step = {"uv_spawn": name, "takes": self.random.choice(DURATIONS), "code": self.random.choice([0, 0, 1, 7]), "as": "r"}
        if fails:
            step["error"] = "ENOENT"
        if self.random.random() < 0.8:
            step["do"] = self.with_status(depth, "exit_status", "term_signal")
        spawn = [{"add": {"spawned": 1}}, step, {"set": {f"{name}_up": 0 if fails else 1}}]
        return self.started([{"if": ["spawned", "<", MOST_CHILDREN], "then": spawn}])

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
        if self.random.random() < 0.4:  # a new one takes its name; one that is active from the start on keeps the loop running
            again = self.new_handle(name, 1)
            steps += self.started(again) if self.kinds[name] == "async" else again
        return self.guarded(name, steps)

    def computation(self, depth: int) -> list[Step]:
        return [{"cpu": self.random.choice(DURATIONS)}]

    def new_handle(self, name: str, depth: int) -> list[Step]:
        kind = self.kinds[name]
        more: Step = {}
        if kind == "async":
            more = {"do": self.callback(depth)}
        elif kind == "poll":
            more = {"fd": f"{self.polls[name]}a"}
        made: list[Step] = [{f"uv_{kind}_init": name, **more}]
        return [{"set": {f"{name}_asked": 0}}, *made] if kind == "pipe" else made

    # ---- the program ------------------------------------------------------------------------------------------------

    def run(self) -> list[Step]:
        """A call of uv_run, which a timer bounds."""
        ends = [{"log": "dog"}, {"uv_stop": None}]
        if self.random.random() < 0.1:
            ends += [{"uv_walk": self.guarded("handle", [{"uv_close": "handle"}])}]
        mode = self.random.choice(["UV_RUN_DEFAULT", "UV_RUN_DEFAULT", "UV_RUN_ONCE", "UV_RUN_ONCE", "UV_RUN_NOWAIT"])
        dog = {"uv_timer_start": "dog", "timeout": self.random.choice([5, 8, 13, 30]), "do": ends}
        return [{"set": {"turns": 0}}, {"uv_timer_init": "dog"}, dog,
                *([{"uv_unref": "dog"}] if self.random.random() < 0.5 else []),
                {"uv_run": mode, "as": "more"}]

    def outside_clients(self) -> list[Step]:
        inputs: list[Step] = []
        for i in range(self.random.choice([1, 2, 3])):
            name, at = f"outside{i + 1}", self.random.randrange(0, 20)
            inputs.append({"at": f"{at}ms", "connect": self.random.choice(PORTS), "as": name})
            for _ in range(self.random.choice([0, 1, 2])):
                at += self.random.choice([0, 0, 1, 3])
                inputs.append({"at": f"{at}ms", "write": name, "data": self.random.choice(["x", "some text"])})
            if self.random.random() < 0.8:
                at += self.random.choice([0, 1, 5])
                inputs.append({"at": f"{at}ms", self.random.choice(["end", "destroy"]): name})
        return inputs

    def program(self, seed: int) -> dict[str, Any]:
        # A loop that turns without waiting, as up to libuv 1.23 for data of a pipe that nobody reads, comes to no timer.
        watch = [{"add": {"turns": 1}}, {"if": ["turns", ">", MOST_TURNS], "then": [{"uv_stop": None}]}]
        main: list[Step] = [{"uv_check_init": "watch"}, {"uv_check_start": "watch", "do": watch}, {"uv_unref": "watch"},
                            {"set": {"n": 0, "turns": 0, "closing": 0, "x": 0, "r": 0,
                                     **{f"{name}_cancelled": 0 for name in self.requests}}}]
        if self.random.random() < 0.15:
            main.append({"uv_loop_configure": self.random.choice(["UV_LOOP_BLOCK_SIGNAL", "UV_METRICS_IDLE_TIME"]), "as": "r"})
        for fd in self.polls.values():
            main.append({"socketpair": f"{fd}a", "other": f"{fd}b"})
        if self.children:
            main.append({"set": {"spawned": 0, **{f"{name}_up": 0 for name in self.children}}})
        for name in self.kinds:
            main += self.new_handle(name, 2)
        for name in self.requests:
            main += self.queue(name, 2)
        for _ in range(self.random.choice([1, 2, 2, 3, 5])):
            main += self.steps(self.random.choice([1, 2, 3, 5, 8]), 3)
            main += self.run()
        main += [{"uv_timer_init": "last"}, {"uv_loop_close": None, "as": "r"}, {"set": {"n": MOST_CALLBACKS}},
                 {"uv_walk": self.guarded("handle", [{"uv_close": "handle"}])},
                 {"uv_run": self.random.choice(["UV_RUN_DEFAULT", "UV_RUN_ONCE", "UV_RUN_NOWAIT"]), "as": "more"},
                 {"uv_run": "UV_RUN_DEFAULT", "as": "more"}, {"uv_loop_close": None, "as": "r"}]
        if self.random.random() < 0.2:
            main.append({"return": self.random.choice([0, 3])})
        inputs = [{"at": f"{self.random.randrange(0, 40_000) * 1000 + self.random.choice([0, 1, 500])}ns",
                   "signal": self.random.choice(self.signals)}
                  for _ in range(self.random.choice([0, 1, 3, 6]) if "signal" in self.kinds.values() else 0)]
        if self.servers and self.family == "tcp" and self.random.random() < 0.4:
            inputs += self.outside_clients()
        # A signal that nobody waits for would end the process, and the programs with it: mostly there is somebody.
        if inputs and self.random.random() < 0.9:
            guards: list[Step] = []
            for i, signal in enumerate(sorted({one["signal"] for one in inputs if "signal" in one})):
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
            if isinstance(value[index], dict) and "set" not in value[index]:  # in C a variable is 0 from the start on
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

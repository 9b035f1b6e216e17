"""Servers and sockets in random scenarios: the feature `network` of generate.py.

Each program ends: a timer after everything else closes the named servers and destroys the named sockets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fidelity.generate import Generator, Scope, Steps

PORTS = (8081, 8081, 8081, 8082)
REFUSING = 9
NO_PATH = "/nonexistent/socket"
LAST = 60  # ms: time at which everything still open is closed


class Network:
    """The objects of the program so far."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.servers: list[str] = []
        self.sockets: list[str] = []
        self.halves = generator.chance(0.4)  # uses allowHalfOpen on some sockets and servers
        self.data = 0

    # ---- steps ----

    def listen(self, scope: Scope) -> Steps:
        make = self.generator
        if len(self.servers) >= (3 if scope.depth == 0 else 2):
            return []
        name, accepted = make.new("s_"), make.new("a_")
        self.servers.append(name)
        self.sockets.append(accepted)
        step: dict[str, Any] = {"listen": make.pick(PORTS), "as": name}
        if self.halves and make.chance(0.5):
            step["allowHalfOpen"] = True
        on: dict[str, Any] = {"connection": [{"set": {accepted: "{value}"}}, *self.accepted(scope, accepted)]}
        if make.chance(0.6):
            on["listening"] = make.body(scope.inner(), 2)
        if make.chance(0.8):
            on["close"] = make.body(scope.inner(), 1)
        if make.chance(0.95):
            on["error"] = [{"log": make.new("l") + " {error.message}"}] if make.chance(0.8) else []
        step["on"] = on
        steps: Steps = [{"set": {accepted: None}}, step]
        scope.sure.add(name)
        if make.chance(0.7):
            steps += self.connect(scope, step["listen"])
        return steps

    def accepted(self, scope: Scope, name: str) -> Steps:
        """Returns the body of a connection listener; the socket is its `value`, and later `name`."""
        make = self.generator
        inner = scope.inner()
        steps: Steps = []
        for event in ("data", "end", "finish", "close", "error", "drain"):
            likely = {"data": 0.85, "error": 0.95, "drain": 0.3}.get(event, 0.6)
            if make.chance(likely):
                steps.append({"on": "value", "event": event, "do": self.heard(inner, event, "value"), "as": make.new("u")})
        if make.chance(0.1):
            steps.append({make.pick(("pause", "unref", "resume")): "value"})
        steps += self.actions(inner, name, make.pick((0, 0, 1, 2, 3)))
        return steps + (make.body(inner, 1) if make.chance(0.3) else [])

    def connect(self, scope: Scope, port: Any = None) -> Steps:
        make = self.generator
        if len(self.sockets) > 8:
            return []
        name = make.new("c_")
        self.sockets.append(name)
        where: Any = port if port is not None else make.pick(PORTS)
        if make.chance(0.06):
            where = make.pick((REFUSING, NO_PATH))
        step: dict[str, Any] = {"connect": where, "as": name}
        if self.halves and make.chance(0.5):
            step["allowHalfOpen"] = True
        on: dict[str, Any] = {}
        events = ["connect", "data", "end", "finish", "drain", "close", "error"] + (["ready"] if make.major >= 8 else [])
        make.random.shuffle(events)
        for event in events:
            likely = {"data": 0.85, "error": 0.95, "drain": 0.3, "ready": 0.2, "connect": 0.8}.get(event, 0.7)
            if make.chance(likely):
                on[event] = self.heard(scope.inner(), event, name)
        step["on"] = on
        steps: Steps = [step]
        scope.sure.add(name)
        steps += self.actions(scope, name, make.pick((0, 0, 0, 1, 2, 3)))
        if port is not None and make.chance(0.3):
            steps += self.connect(scope, port)
        return steps

    def heard(self, scope: Scope, event: str, socket: str) -> Steps:
        make = self.generator
        scope = scope.inner()
        text = make.new("l")
        text += {"data": " {value}", "error": " {error.code} {error.message}"}.get(event, "")
        if event == "close" and socket != "value":
            text += " {value}"
        steps: Steps = [{"log": text}] if make.chance(0.85) else []
        if make.left > 0 and make.chance(0.5 if event in ("data", "connect", "end") else 0.25):
            make.left -= 1
            if self.sockets and event != "error":
                steps += self.actions(scope, make.pick(self.sockets), make.pick((1, 1, 2)))
        return steps + (make.body(scope, 1) if make.chance(0.25) else [])

    def act(self, scope: Scope) -> Steps:
        if not self.sockets:
            return self.listen(scope)
        return self.actions(scope, self.generator.pick(self.sockets), self.generator.pick((1, 1, 2, 3)))

    def actions(self, scope: Scope, socket: str, count: int) -> Steps:
        steps: Steps = []
        for _ in range(count):
            steps += self.action(scope, socket)
        return [{"if": socket, "then": steps}] if steps else []

    def action(self, scope: Scope, socket: str) -> Steps:
        make = self.generator
        kinds = ("write", "end", "destroy", "pause", "resume", "unref", "ref", "on", "close")
        kind = make.random.choices(kinds, (12, 4, 1.2, 0.5, 0.7, 0.2, 0.2, 0.3, 1.2))[0]
        if kind in ("write", "end"):
            return [self.sent(scope, kind, socket)]
        if kind == "destroy":
            step = {"destroy": socket}
            return [{**step, "error": make.new("e")} if make.chance(0.3) else step]
        if kind == "on":
            return [{"on": socket, "event": "data", "do": [{"log": make.new("l") + " {value}"}], "as": make.new("u")}]
        if kind == "close":
            return self.close(scope)
        return [{kind: socket}]

    def sent(self, scope: Scope, kind: str, socket: str) -> dict[str, Any]:
        make = self.generator
        step: dict[str, Any] = {kind: socket}
        if self.data < 6 and make.chance(0.1):
            self.data += 1
            step["bytes"] = make.pick((1, 1000, 9000, 16384))
        elif kind == "write" or make.chance(0.5):
            step["data"] = make.new("d") + ";"
        if make.chance(0.35):
            inner = scope.inner()
            step["do"] = self.told(inner)
            step["as"] = make.new("w")
        return step

    def told(self, scope: Scope) -> Steps:
        """Returns a callback with an error parameter, which it may ignore."""
        make = self.generator
        steps = make.body(scope, 1)
        return [{"log": make.new("l") + " {error}"}, *steps] if make.chance(0.75) else steps

    def close(self, scope: Scope) -> Steps:
        make = self.generator
        if not self.servers:
            return []
        name = make.pick(self.servers)
        step: dict[str, Any] = {"close": name}
        if make.chance(0.3):
            step["do"] = self.told(scope.inner())
            step["as"] = make.new("w")
        return [{"if": name, "then": [step]}]

    def inputs(self) -> list[dict[str, Any]]:
        """Returns clients from outside with independent lifetimes; the last ones end after everything else."""
        make = self.generator
        made: list[dict[str, Any]] = []
        if not self.servers or make.chance(0.5):
            return made
        for number in range(make.pick((1, 1, 2, 3, 4))):
            client = f"client{number}"
            at = self.moment(0)
            made.append({"at": f"{at}ns", "connect": make.pick(PORTS), "as": client})
            for _ in range(make.pick((0, 1, 1, 2, 3, 5))):
                at = self.moment(at)
                kind = make.random.choices(("write", "end", "destroy"), (8, 2, 1))[0]
                made.append({"at": f"{at}ns", kind: client})
                if kind == "write":
                    made[-1]["data"] = make.new("d") + ";"
            made.append({"at": f"{LAST + 1}ms", "destroy": client})
        return made

    def moment(self, after: int) -> int:
        """Returns nanoseconds, often equal or a whole millisecond."""
        make = self.generator
        if after > 0 and make.chance(0.3):
            return after
        at = after + make.random.randint(1, 8_000_000)
        return at - at % 1_000_000 + 1_000_000 if make.chance(0.5) else at

    def ending(self) -> Steps:
        if not self.servers and not self.sockets:
            return []
        steps: Steps = [{"if": name, "then": [{"close": name}]} for name in self.servers]
        steps += [{"if": name, "then": [{"destroy": name}]} for name in self.sockets]
        return [{"setTimeout": LAST, "do": steps, "as": "lastTimer"}]


def makers(generator: Generator) -> list[tuple[str, int, float, Callable[[Scope], Steps]]]:
    generator.network = network = Network(generator)
    return [
        ("network", 0, 4, network.listen),
        ("network", 0, 4, lambda scope: network.connect(scope)),
        ("network", 0, 8, network.act),
        ("network", 0, 0.5, network.close),
    ]


def ending(generator: Generator) -> Steps:
    return generator.network.ending()


def inputs(generator: Generator) -> list[dict[str, Any]]:
    return generator.network.inputs()

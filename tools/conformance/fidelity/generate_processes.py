"""Random steps with child processes and signals, and signals from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .generate import Generator, Scope, Step, Steps

# Without SIGQUIT, which writes a core file.
SIGNALS = ("SIGHUP", "SIGINT", "SIGUSR2", "SIGALRM", "SIGTERM", "SIGCONT", "SIGWINCH")
HARMLESS = ("SIGCONT", "SIGWINCH")
TAKES = ("0.3ms", "1ms", "1.7ms", "2ms", "3ms", "5ms", "6.5ms", "10ms", "15ms")


def child(g: Generator, scope: Scope) -> Steps:
    """Starts a child process, with listeners for some of its events."""
    name = g.new("child")
    is_missing = g.chance(0.1)
    step: Step = {"spawn": "no-such-command", "error": "ENOENT"} if is_missing else {"spawn": "work", "takes": g.pick(TAKES)}
    if not is_missing and g.chance(0.4):
        step["code"] = g.pick((1, 3, 255))
    step["as"] = name
    scope.sure.add(name)
    g.children.append(name)
    on: dict[str, Any] = {}
    for event in ("spawn", "exit", "close", "error"):
        must = event == "error" and is_missing and not g.has("throw")
        if not must and g.chance(0.35):
            continue
        inner = scope.inner()
        inner.values = [] if event == "spawn" else ["error.code"] if event == "error" else ["code", "signal"]
        on[event] = g.body(inner, 2)
    if on:
        step["on"] = on
    return [step]


def kill(g: Generator, scope: Scope) -> Steps:
    """Sends a signal to a child or to the process itself: mostly one that it listens to."""
    if g.children and g.chance(0.5):
        name = g.pick(g.children)
        step: Step = {"kill": name}
        if g.chance(0.6):
            step["signal"] = g.pick((*SIGNALS, "SIGKILL"))
        if g.chance(0.4):
            result = g.new("sent")
            step["as"] = result
            return [g.guarded(name, step, scope), {"log": f"{result} {{{result}}}"}]
        return [g.guarded(name, step, scope)]
    return [{"kill": "process", "signal": some_signal(g)}]


def reference(g: Generator, scope: Scope) -> Steps:
    if not g.children:
        return []
    name = g.pick(g.children)
    return [g.guarded(name, {"unref" if g.chance(0.7) else "ref": name}, scope)]


def some_signal(g: Generator) -> str:
    if g.signals and g.chance(0.9):
        return g.pick(g.signals)
    return g.pick(SIGNALS if g.chance(0.2) else HARMLESS)


def listeners(g: Generator, scope: Scope) -> Steps:
    """Listeners of some signals, at the beginning of the program."""
    steps: Steps = []
    for signal in SIGNALS:
        if g.chance(0.65):
            continue
        for _ in range(g.pick((1, 1, 1, 2))):
            g.signals.append(signal)
            inner = scope.inner(values=["value"])
            verb = "once" if g.chance(0.2) else "on"
            steps.append({verb: "process", "event": signal, "do": g.body(inner, 2), "as": g.new("sig")})
    return steps


def inputs(g: Generator) -> list[dict[str, Any]]:
    """Signals from outside, at whole and at odd times."""
    made = []
    for _ in range(g.pick((0, 0, 1, 2, 4))):
        at = g.pick(TAKES) if g.chance(0.5) else f"{g.random.randint(1, 12_000_000)}ns"
        made.append({"at": at, "signal": some_signal(g)})
    return made

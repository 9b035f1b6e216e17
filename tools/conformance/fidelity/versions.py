"""How each version of Node is started, fresh or as a fork server."""

from __future__ import annotations

MAJORS = (4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26)
MODULE_MAJORS = tuple(major for major in MAJORS if major >= 12)  # these load an .mjs file as main script


def fresh_flags(major: int) -> list[str]:
    """V8's memory reducer posts a task to the loop when the heap has grown, which wakes the poll."""
    return ["--no-memory-reducer"] if major >= 16 else []


def server_flags(major: int) -> list[str]:
    """A fork has no threads but the loop's: V8 must not leave work to others."""
    if major >= 10:
        return [*fresh_flags(major), "--single-threaded"]
    return [*fresh_flags(major), "--no-concurrent-recompilation", "--no-concurrent-sweeping"]

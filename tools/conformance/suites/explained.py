"""Why tests fail that fail: what is known of them, by name (explained.json)."""

from __future__ import annotations

import json
from pathlib import Path

from .running import FAILED, PASSED

EXPLAINED: dict[str, str] = json.loads((Path(__file__).parent / "explained.json").read_text(encoding="utf-8"))
# Of these groups each failure has to be explained.
DEMANDED = {"timers", "ticks", "microtasks", "promises", "process", "events", "event targets, abort", "streams", "net"}


def complaints(results: list) -> list[str]:
    """What is wrong with the explanations, by pairs of test and outcome."""
    lines = []
    for test, result in results:
        is_explained = test.name in EXPLAINED
        if result.verdict == FAILED and not is_explained and (test.core or test.group in DEMANDED):
            lines.append(f"{test.name} fails and has no explanation in suites/explained.json: {result.why}")
        if result.verdict == PASSED and is_explained:
            lines.append(f"{test.name} passes: take its explanation out of suites/explained.json")
    return lines

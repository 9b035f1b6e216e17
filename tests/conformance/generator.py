#!/usr/bin/env python3
"""Tests that the generator of random programs uses the whole language: every verb, option and word of the schema must occur.

EXCEPTIONS lists the words that cannot be compared with real Node, with the reason; generating one of them is an error, too.
A new verb of the language that the generator does not use makes this test fail.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools" / "conformance"))

from fidelity.generate import FEATURES, OF_DESCRIPTORS, OF_PAGES, generate  # noqa: E402

PROGRAMS = 500  # per version
VERSIONS = (4, 11, 26)  # oldest, middle, newest

OUTSIDE = "it is what other programs do to this one; no script can do it to itself at a set time"
HARDWARE = "the virtual clock has no cores: what is computed takes what the script says"
EXCEPTIONS = {
    "dns resolve": "real Node asks the network, which has no virtual time",
    "machine.startup": "it passes inside Node, between the script and the loop, where no script can burn it",
    "machine.stalls": OUTSIDE,
    "machine.load": OUTSIDE,
    "machine.quota": OUTSIDE,
    "machine.wakeup": OUTSIDE,
    "machine.preset": OUTSIDE,
    "machine.cores": HARDWARE,
    "machine.scheduler": HARDWARE,
    "machine.idleStates": HARDWARE,
    "machine.timerSlack": HARDWARE,
    "machine.steal": OUTSIDE,
    "machine.gc": "what V8 collects, and when, no script can say",
    "machine.warmUp": "what V8 compiles, and when, no script can say",
    "machine.nice": HARDWARE,
    "machine.weight": HARDWARE,
    "machine.speed": HARDWARE,
    "machine.overhead": "it passes inside Node, where no script can burn it",
    "runtime.monitorEventLoopDelay": "its timer would wake every loop; tests/unit/study_metrics.cpp has what real Node reports",
    "limits": "a program that reaches one has no end to compare; every program has some, so that it ends",
    "expect": "what is expected is what real Node does",
    "document": "a page of a browser; tools/conformance/web-programs draws those",
    "answers": "of a page",
    "machine.tasks": "of a page",
    "io": "models of I/O; tools/conformance/io-models draws those",
    "script": "the generator writes programs in the scenario language; tests/javascript compares scripts",
    "env": "of a script",
    "arguments": "of a script",
    "stdin": "of a script",
    "stubs": "of a script",
    "files": "of a script",
    "takes": "of a script",
    "commands": "of a script",
    "description": "for people",
    "source": "for people",
    "$schema": "for people",
}


def wanted(schema: dict[str, Any]) -> set[str]:
    """Returns the names of the language used in a document: `fs`, `fs.takes` (an option), `fs stat` (a word), `machine.clock`,
    `distribution normal`, `condition <=` ..."""
    definitions = schema["$defs"]

    def resolved(part: dict[str, Any]) -> dict[str, Any]:
        return definitions[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part

    names = set(schema["properties"])
    for key in ("runtime", "machine"):
        whole = resolved(schema["properties"][key])
        names |= {f"{key}.{name}" for part in [whole, *whole.get("anyOf", ())] for name in part.get("properties", {})}
    for name in definitions:
        kind, _, verb = name.partition(":")
        is_of_libuv = verb.startswith("uv_") or verb in OF_DESCRIPTORS  # libuv alone: tools/conformance/libuv
        is_of_node = not is_of_libuv and verb not in OF_PAGES
        if kind not in ("step", "promise") or not verb or not is_of_node:
            continue
        prefix = verb if kind == "step" else f"promise:{verb}"
        properties = definitions[name]["properties"]
        names |= {prefix} | {f"{prefix}.{option}" for option in properties if option != verb}
        if kind == "step":
            names |= {f"{verb} {word}" for part in walk(properties[verb]) for word in part.get("enum", ())}
    names |= {f"distribution {kind}" for kind in definitions["distribution"]["properties"]}
    names |= {f"condition {op}" for part in walk(definitions["condition"]) for op in part.get("enum", ())}
    requests = {name for part in walk(definitions["requestTimes"]) for name in part.get("properties", {})}
    names |= {f"takes {request}" for request in requests}
    return names


def walk(part: Any) -> Iterator[dict[str, Any]]:
    """Yields all objects in a part of a document, without following references."""
    if isinstance(part, dict):
        yield part
        for value in part.values():
            yield from walk(value)
    elif isinstance(part, list):
        for value in part:
            yield from walk(value)


class Used:
    def __init__(self, verbs: set[str]) -> None:
        self.verbs = verbs
        self.counts: Counter[str] = Counter()

    def document(self, document: dict[str, Any]) -> None:
        for key, value in document.items():
            self.counts[key] += 1
            if key in ("runtime", "machine") and isinstance(value, dict):
                self.counts.update(f"{key}.{name}" for name in value)
        for body in ([document["main"]], document.get("functions", {})):
            times = [part["takes"] for part in walk(body) if isinstance(part.get("takes"), dict)]
            for part in walk(body):
                self.part(part, any(part is time for time in times))

    def part(self, part: dict[str, Any], is_time: bool) -> None:
        for kind in ("uniform", "exponential", "normal", "lognormal", "pareto", "choice", "sequence"):
            if kind in part:
                self.counts[f"distribution {kind}"] += 1
        verb = next((key for key in part if key in self.verbs), None)
        if verb is None or is_time:
            return
        value = part[verb]
        options = [key for key in part if key != verb]
        # Without `do` it is used as an awaitable.
        prefixes = [verb] if "do" in part or isinstance(value, list) else [verb, f"promise:{verb}"]
        for prefix in prefixes:
            self.counts[prefix] += 1
            self.counts.update(f"{prefix}.{option}" for option in options)
        if isinstance(value, str):
            self.counts[f"{verb} {value}"] += 1
        if verb == "if" and isinstance(value, list):
            self.counts[f"condition {value[1]}"] += 1
        if isinstance(part.get("takes"), dict):
            self.counts.update(f"takes {request}" for request in part["takes"])


def main() -> int:
    schema = json.loads((ROOT / "scenarios" / "scenario.schema.json").read_text())
    names = wanted(schema)
    verbs = {name.removeprefix("step:") for name in schema["$defs"] if name.startswith("step:")}
    used = Used(verbs)
    for major in VERSIONS:
        for seed in range(1, PROGRAMS + 1):
            used.document(generate(seed, FEATURES, 30, major))

    def excused(name: str) -> bool:
        return any(name == excuse or name.startswith((excuse + ".", excuse + " ")) for excuse in EXCEPTIONS)

    problems = [f"never generated: {name}" for name in sorted(names) if not used.counts[name] and not excused(name)]
    problems += [
        f"generated, so it is no exception: {name}"
        for name in EXCEPTIONS
        if used.counts[name] and name != "limits"
    ]
    problems += [f"an exception for what does not exist: {name}" for name in EXCEPTIONS if name not in names]
    for problem in problems:
        print(problem)
    total = PROGRAMS * len(VERSIONS)
    print(f"{total} programs, {len(names)} things of the language, {len(EXCEPTIONS)} exceptions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Shrinks a scenario on which the sides differ as far as possible while they still differ."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[Any, ...]
Document = dict[str, Any]

BLOCKS = ("do", "then", "else", "try", "catch", "finally", "rejected", "setImmediate", "nextTick", "queueMicrotask", "async")
DROPPABLE = ("as", "with", "error", "else", "catch", "finally", "rejected")
NAMING = ("as", "promise", "emitter", "set", "add", "let")


def steps_lists(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yields every list of steps in a value, outer ones first."""
    if isinstance(value, list):
        if value and all(isinstance(item, dict) for item in value):
            yield path
        for i, item in enumerate(value):
            yield from steps_lists(item, (*path, i))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from steps_lists(item, (*path, key))


def steps(value: Any, path: Path = ()) -> Iterator[Path]:
    for place in steps_lists(value, path):
        for i in range(len(at(value, place[len(path) :]))):
            yield (*place, i)


def objects(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            yield from objects(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from objects(item, (*path, i))


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def put(value: Any, path: Path, new: Any) -> None:
    at(value, path[:-1])[path[-1]] = new


def remove(value: Any, path: Path) -> None:
    del at(value, path[:-1])[path[-1]]


def mentions(value: Any, name: str) -> bool:
    """Returns whether a step itself (not the steps inside it) uses the name."""
    if isinstance(value, str):
        return value == name or f"{{{name}}}" in value or f"{{{name}." in value
    if isinstance(value, dict):
        return any(key == name or mentions(item, name) for key, item in value.items() if key not in BLOCKS)
    if isinstance(value, list):
        return any(mentions(item, name) for item in value)
    return False


def names(document: Document) -> list[str]:
    found: dict[str, None] = {}
    for path in objects(document["main"]):
        step = at(document["main"], path)
        for key in NAMING:
            if isinstance(step.get(key), str):
                found[step[key]] = None
            elif isinstance(step.get(key), dict):
                found.update(dict.fromkeys(step[key]))
    return list(found)


def without_name(document: Document, name: str) -> Document:
    """Removes the steps that create or use the name."""
    made = copy.deepcopy(document)
    for root in ("main", "functions"):
        if root not in made:
            continue
        doomed = [
            path
            for path in steps(made[root], (root,))
            if mentions({k: v for k, v in at(made, path).items() if k != "as"}, name) or at(made, path).get("as") == name
        ]
        for path in reversed(doomed):
            try:
                remove(made, path)
            except (KeyError, IndexError):
                continue
    return made


def candidates(document: Document) -> Iterator[Document]:
    """Yields smaller documents, the largest reductions first."""
    for key in ("machine", "functions", "expect", "inputs", "params", "seed"):
        if key in document:
            made = copy.deepcopy(document)
            del made[key]
            yield made
    if isinstance(document.get("runtime"), dict):
        for key in ("entry", "threadpool"):
            if key in document["runtime"]:
                made = copy.deepcopy(document)
                del made["runtime"][key]
                yield made
    for name in document.get("functions", {}):
        made = without_name(document, name)
        made["functions"].pop(name, None)
        if not made["functions"]:
            del made["functions"]
        yield made

    # Whole lists, then chunks, then single steps: from the end, so that names stay defined while they are used.
    lists = list(steps_lists({key: document[key] for key in ("main", "functions") if key in document}))
    for path in lists:
        if len(at(document, path)) > 1 and path != ("main",):
            made = copy.deepcopy(document)
            put(made, path, [])
            yield made
    for path in lists:
        size = len(at(document, path))
        chunk = size // 2
        while chunk >= 2:
            for begin in range(size - chunk, -1, -chunk):
                made = copy.deepcopy(document)
                del at(made, path)[begin : begin + chunk]
                yield made
            chunk //= 2
    for path in lists:
        for i in reversed(range(len(at(document, path)))):
            made = copy.deepcopy(document)
            remove(made, (*path, i))
            yield made
    for name in names(document):
        yield without_name(document, name)

    # Replace a step by its contents.
    for path in lists:
        for i, step in enumerate(at(document, path)):
            for key in BLOCKS:
                inner = step.get(key)
                if isinstance(inner, list) and inner and all(isinstance(item, dict) for item in inner):
                    made = copy.deepcopy(document)
                    at(made, path)[i : i + 1] = inner
                    yield made

    # Drop options, simplify values.
    for path in objects(document["main"], ("main",)):
        step = at(document, path)
        for key in DROPPABLE:
            if key in step and not (key == "error" and is_work(step)):
                made = copy.deepcopy(document)
                remove(made, (*path, key))
                yield made
        for key, value in step.items():
            for simpler in simpler_values(key, value):
                made = copy.deepcopy(document)
                put(made, (*path, key), simpler)
                yield made


def is_work(step: Document) -> bool:
    """Returns whether an `error` option must stay: without it, `{error.code}` in the callback would read a property of null."""
    return bool(step.keys() & {"fs", "dns", "crypto", "zlib"})


def simpler_values(key: str, value: Any) -> list[Any]:
    match key:
        case "setTimeout" | "setInterval":
            return [simple for simple in (1, 2, 5) if rank(value) > rank(simple)]
        case "cpu" | "spin" | "takes":
            return [simple for simple in ("1ms", "2ms", "5ms", "10ms") if rank(value) > rank(simple)]
        case "fs" if value != "stat":
            return ["stat"]
        case "dns" | "crypto" | "zlib":
            return []
        case "log" if "{" in str(value):
            return [str(value).partition(" ")[0]]
        case "runtime" | "main":
            return []
    return []


def rank(value: Any) -> tuple[int, float]:
    """Returns a measure of complexity: round numbers are simpler than odd ones, small ones than large ones."""
    if isinstance(value, bool) or value is None or isinstance(value, dict):
        return (3, 0)
    text = str(value).removesuffix("ms")
    try:
        number = float(text)
    except ValueError:
        return (3, 0)
    return (0 if number in (1, 2, 5, 10) and (not isinstance(value, str) or value.endswith("ms")) else 1, number)


def shrink(document: Document, still_fails: Callable[[Document], bool], tries: int = 400) -> Document:
    return greedily(document, candidates, still_fails, tries)


def greedily(start: Any, candidates_of: Callable[[Any], Iterator[Any]], still_fails: Callable[[Any], bool], tries: int) -> Any:
    """Takes the first smaller one that still fails, and repeats with it."""
    seen: set[str] = set()
    best = start
    while True:
        for candidate in candidates_of(best):
            text = json.dumps(candidate)
            if text in seen:
                continue
            seen.add(text)
            if tries <= 0:
                return best
            tries -= 1
            if still_fails(candidate):
                best = candidate
                break
        else:
            return best

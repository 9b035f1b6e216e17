"""Makes a program on which the sides differ as small as it gets while they still differ: delta debugging over its tree."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from fidelity.shrink import greedily

from .constructs import Construct, grammar

Node = dict[str, Any]
Path = tuple[Any, ...]


def lists(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yields the path of every list of statements, outer ones first."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "list":
                yield (*path, key)
            yield from lists(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from lists(item, (*path, i))


def expressions(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yields the path of every hole that has an expression."""
    if isinstance(value, dict):
        if "node" in value:
            yield path
        for key, item in value.items():
            yield from expressions(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from expressions(item, (*path, i))


def texts(value: Any, path: Path = ()) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yields the path of every chosen text, and its choices."""
    if isinstance(value, dict):
        if "is" in value:
            for i, hole in enumerate(construct_of(value).holes()):
                if hole.what == "text":
                    yield (*path, "holes", i), hole.words
        for key, item in value.items():
            yield from texts(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from texts(item, (*path, i))


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def construct_of(node: Node) -> Construct:
    return grammar().constructs[node["is"]]


# ---- names that nothing makes any more -----------------------------------------------------------------------------


def repaired(program: Node) -> Node:
    """Takes away the statements that use a name which is not known where they stand (changes the program)."""
    program["list"] = known_statements(program["list"], frozenset())
    return program


def known_statements(nodes: list[Node], known: frozenset[str]) -> list[Node]:
    kept = []
    for node in nodes:
        if check(node, known):
            kept.append(node)
            known |= {hole["new"] for what, hole in zip(construct_of(node).holes(), node["holes"]) if what.what == "new"}
    return kept


def check(node: Node, known: frozenset[str]) -> bool:
    """Returns whether all names in it are known; statements in it that are not fit are taken away."""
    construct = construct_of(node)
    arguments: dict[str, str] = {}
    outside = known
    for what, hole, aliases in zip(construct.holes(), node["holes"], construct.known):
        known = outside | {arguments[alias] for alias in aliases}
        if hole is None or "text" in hole:
            continue
        if "new" in hole:
            if what.what == "arg":
                arguments[what.alias] = hole["new"]
            elif construct.names:
                outside |= {hole["new"]}
        elif "use" in hole:
            if hole["use"] not in known:
                return False
        elif "list" in hole:
            hole["list"] = known_statements(hole["list"], known)
        elif not check(hole["node"], known):
            return False
    return True


# ---- smaller programs ------------------------------------------------------------------------------------------------


def candidates(program: Node) -> Iterator[Node]:
    """Yields smaller programs, the largest reductions first."""

    def changed(change: Callable[[Node], None]) -> Node:
        made = copy.deepcopy(program)
        change(made)
        return repaired(made)

    places = list(lists(program))
    for path in places:
        size = len(at(program, path))
        chunk = size if path != ("list",) else size // 2
        while chunk >= 1:
            for begin in range(size - chunk, -1, -chunk):
                yield changed(lambda made: at(made, path).__delitem__(slice(begin, begin + chunk)))
            chunk //= 2
    # A statement is replaced by what it contains. (In another kind of function, await or yield may then be wrong: the runner
    # does not take a program with an error of syntax.)
    for path in places:
        for i, node in enumerate(at(program, path)):
            for hole_index, (what, hole) in enumerate(zip(construct_of(node).holes(), node["holes"])):
                if what.what == "list" and hole["list"]:
                    inner = (*path, i, "holes", hole_index, "list")
                    yield changed(lambda made: at(made, path).__setitem__(slice(i, i + 1), at(made, inner)))
    for path in expressions(program):
        node = at(program, path)["node"]
        for smaller in smaller_expressions(node):
            yield changed(lambda made: at(made, path).__setitem__("node", smaller))
    for path, words in texts(program):
        if at(program, path)["text"] != words[0]:
            yield changed(lambda made: at(made, path).__setitem__("text", words[0]))


def smaller_expressions(node: Node) -> Iterator[Node]:
    kind = construct_of(node).kind
    own = json.dumps(node)
    for construct in grammar().by_kind[kind]:
        if construct.is_leaf():
            leaf = {"is": f"{kind} {construct.id}", "holes": [{"text": hole.words[0]} for hole in construct.holes()]}
            if len(json.dumps(leaf)) < len(own):
                yield leaf
            break
    for path in expressions(node["holes"]):
        inner = at(node["holes"], path)["node"]
        if construct_of(inner).kind == kind:
            yield inner


def shrink(program: Node, still_fails: Callable[[Node], bool], tries: int = 400) -> Node:
    return greedily(program, candidates, still_fails, tries)

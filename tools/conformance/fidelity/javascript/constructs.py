"""Reads grammar.txt: what random JavaScript programs are made of."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

FILE = Path(__file__).resolve().parent / "grammar.txt"
HEAD = re.compile(r"^\[([a-z]+) ([a-z0-9-]+)((?: [a-z]+(?:=\S+)?)*)\]$")
HOLE = re.compile(r"<<(.*?)>>", re.DOTALL)
ALIASED = re.compile(r"(new|arg):(\S+) (\S+)")
# How the statements of a hole are run: (a function of its own?, the kind of that function, in a loop?).
LISTS = {
    "block": (False, "", False),
    "loop block": (False, "", True),
    "body": (True, "sync", False),
    "async body": (True, "async", False),
    "async loop": (True, "async", True),
    "gen body": (True, "generator", False),
    "agen body": (True, "asyncgenerator", False),
    "static body": (True, "static", False),
}
LAST = 1000  # a version that never comes


@dataclass(frozen=True)
class Hole:
    """`what`: list, text (one of `words`), label, new, arg, again (a name of this construct), name, expression."""

    what: str
    kind: str = ""
    alias: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Construct:
    kind: str
    id: str
    parts: tuple[str | Hole, ...]  # texts and holes in turn
    since: int
    until: int
    but: frozenset[int]
    weight: float
    topic: str
    inside: str
    needs: str
    ends: bool
    names: bool  # its new names are known in its own holes

    def holes(self) -> list[Hole]:
        return [part for part in self.parts if isinstance(part, Hole)]

    def wanted(self) -> list[str]:
        """Returns the kinds of names that there must be."""
        made = {hole.kind for hole in self.holes() if hole.what == "new"} if self.names else set()
        return list(dict.fromkeys(hole.kind for hole in self.holes() if hole.what == "name" and hole.kind not in made))

    def fits(self, first: int, last: int) -> bool:
        """Whether the versions from `first` to `last` have it."""
        return self.since <= first and last < self.until and not any(first <= major <= last for major in self.but)

    def is_leaf(self) -> bool:
        return all(hole.what == "text" for hole in self.holes())

    @cached_property
    def known(self) -> list[frozenset[str]]:
        """Returns for each hole the aliases of `arg` names that JavaScript knows there: until the braces close behind which they end."""
        made = []
        depth = 0
        open_names: dict[str, list[int]] = {}  # alias: (depth where it was made, deepest since then)
        for part in self.parts:
            if isinstance(part, Hole):
                made.append(frozenset(open_names))
                if part.what == "arg":
                    open_names[part.alias] = [depth, depth]
                continue
            for letter in part:
                depth += {"{": 1, "}": -1}.get(letter, 0)
                for alias, (own, deepest) in list(open_names.items()):
                    open_names[alias][1] = max(deepest, depth)
                    if depth < own or (depth == own and deepest > own and letter == "}"):
                        del open_names[alias]
        return made


@dataclass(frozen=True)
class Grammar:
    constructs: dict[str, Construct]  # by "kind id"
    by_kind: dict[str, list[Construct]]
    makers: dict[str, list[Construct]]  # statements that make a name of this kind

    def topics(self) -> list[str]:
        return sorted({construct.topic for construct in self.constructs.values() if construct.topic})


def read_hole(text: str) -> Hole:
    if text in LISTS:
        return Hole("list", text)
    if text == "L":
        return Hole("label")
    if text.startswith("pick "):
        return Hole("text", words=tuple(text.removeprefix("pick ").split("|")))
    if text.startswith("="):
        return Hole("again", alias=text[1:])
    if text.startswith("name "):
        return Hole("name", text.removeprefix("name "))
    if found := ALIASED.fullmatch(text):
        return Hole(found[1], found[3], found[2])
    return Hole("expression", text)


def read_construct(head: re.Match[str], lines: list[str]) -> Construct:
    keys = dict((word.partition("=")[0], word.partition("=")[2]) for word in head[3].split())
    pieces = HOLE.split("\n".join(lines).strip("\n"))
    parts = tuple(read_hole(piece) if i % 2 else piece for i, piece in enumerate(pieces))
    unknown = keys.keys() - {"since", "until", "but", "weight", "topic", "in", "needs", "ends", "names"}
    if unknown:
        raise ValueError(f"{head[0]}: {', '.join(unknown)}")
    return Construct(
        head[1],
        head[2],
        parts,
        int(keys.get("since", 0)),
        int(keys.get("until", LAST)),
        frozenset(int(major) for major in keys.get("but", "").split(",") if major),
        float(keys.get("weight", 1)),
        keys.get("topic", ""),
        keys.get("in", ""),
        keys.get("needs", ""),
        "ends" in keys,
        "names" in keys,
    )


@cache
def grammar() -> Grammar:
    constructs: dict[str, Construct] = {}
    head: re.Match[str] | None = None
    lines: list[str] = []

    def finish() -> None:
        if head is None:
            return
        made = read_construct(head, lines)
        name = f"{made.kind} {made.id}"
        if name in constructs:
            raise ValueError(f"grammar.txt: {name} twice")
        constructs[name] = made

    for line in FILE.read_text(encoding="utf-8").split("\n"):
        if line.startswith("#"):
            continue
        if found := HEAD.match(line):
            finish()
            head, lines = found, []
        else:
            lines.append(line)
    finish()
    constructs = with_versions(constructs)
    by_kind: dict[str, list[Construct]] = defaultdict(list)
    makers: dict[str, list[Construct]] = defaultdict(list)
    for construct in constructs.values():
        by_kind[construct.kind].append(construct)
        if construct.kind == "statement":
            for kind in {hole.kind for hole in construct.holes() if hole.what == "new"}:
                makers[kind].append(construct)
    for construct in constructs.values():
        for hole in construct.holes():
            if hole.what == "expression" and hole.kind not in by_kind:
                raise ValueError(f"grammar.txt: {construct.kind} {construct.id}: no expression is a {hole.kind}")
            if hole.what == "name" and hole.kind not in makers and not any(hole.kind == own.kind for own in all_names(constructs)):
                raise ValueError(f"grammar.txt: {construct.kind} {construct.id}: nothing makes a {hole.kind}")
    return Grammar(constructs, dict(by_kind), dict(makers))


def with_versions(constructs: dict[str, Construct]) -> dict[str, Construct]:
    """Returns the constructs, each since the version that also has what its holes want."""
    while True:
        first: dict[tuple[str, str], int] = {}
        for construct in constructs.values():
            made = [("expression", construct.kind), *(("name", hole.kind) for hole in construct.holes() if hole.what in ("new", "arg"))]
            for key in made:
                first[key] = min(first.get(key, LAST), construct.since)
        later = {}
        for name, construct in constructs.items():
            wanted = [("expression", hole.kind) for hole in construct.holes() if hole.what == "expression"]
            wanted += [("name", kind) for kind in construct.wanted()]
            since = max([construct.since, *(first.get(key, 0) for key in wanted)])
            if since > construct.since:
                later[name] = replace(construct, since=since)
        if not later:
            return constructs
        constructs = {**constructs, **later}


def all_names(constructs: dict[str, Construct]) -> list[Hole]:
    return [hole for construct in constructs.values() for hole in construct.holes() if hole.what in ("new", "arg")]

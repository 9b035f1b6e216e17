#!/usr/bin/env python3
"""Tests the plan: the grammar has the whole language, a walk draws every pair and triple, and the reader accepts the programs.

    plan.py [--feed FILE] [--sample N]    FILE: loopsim_conformance_feed; without it, the reader is not tested

Checks that verbs and options of the JSON Schema and of grammar.json are the same; that every exception exists and is never drawn; that
one walk draws everything else (counted in the documents); that planned, random and thinned programs of every focus are valid scenarios;
and that the same seed gives the same bytes in another process.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
TOOLS = ROOT / "tools" / "conformance"
sys.path.insert(0, str(TOOLS))

from fidelity.census import Census, possible  # noqa: E402
from fidelity.feed import Feed, FeedDied  # noqa: E402
from fidelity.generate import FEATURES, FOCUS, OF_DESCRIPTORS, OF_PAGES  # noqa: E402
from fidelity.grammar import EMPTY, Grammar, grammar  # noqa: E402
from fidelity.plan import bundle, bundles  # noqa: E402
from fidelity.planned import planned  # noqa: E402
from fidelity.programs import KINDS, choice, program, programs  # noqa: E402

ALL = frozenset(FEATURES)
MAJORS = (4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26)
NEWEST = MAJORS[-1]

# Options of the schema that the grammar leaves out.
LEFT_OUT: dict[str, str] = {}


# ---- the grammar and the schema ------------------------------------------------------------------------------------


def schema_options() -> set[tuple[str, str]]:
    """Returns (verb, option) pairs of steps and of awaited expressions; events are written `on.close`."""
    definitions = json.loads((ROOT / "scenarios" / "scenario.schema.json").read_text())["$defs"]
    found = set()
    for name, definition in definitions.items():
        kind, _, verb = name.partition(":")
        is_of_libuv = verb.startswith("uv_") or verb in OF_DESCRIPTORS  # libuv alone: tools/conformance/libuv
        is_of_node = not is_of_libuv and verb not in OF_PAGES
        if kind not in ("step", "promise") or not verb or not is_of_node:
            continue
        for option, value in definition["properties"].items():
            events = value.get("properties") if option == "on" and verb != "on" else None
            found |= {(verb, f"on.{event}") for event in events} if events else {(verb, option)}
    return found


def grammar_options(language: Grammar) -> set[tuple[str, str]]:
    found = set()
    for construct in language.constructs.values():
        for verb in (construct.verb, *construct.get("also", ())):
            found |= {(verb, verb if part.key == construct.verb else part.key) for part in construct.parts}
    return found


def grammar_problems() -> Iterator[str]:
    language = grammar()
    schema, ours = schema_options(), grammar_options(language)
    yield from (f"not in the grammar: {verb}.{option}" for verb, option in sorted(schema - ours) if f"{verb}.{option}" not in LEFT_OUT)
    yield from (f"not in the language: {verb}.{option}" for verb, option in sorted(ours - schema))
    holes = {hole.id for hole in language.holes()}
    for exception in language.exceptions:
        if not exception.get("why"):
            yield f"an exception without a reason: {exception}"
        if exception["hole"] not in holes | {"*"} or exception["inner"] not in {*language.constructs, EMPTY}:
            yield f"an exception for what does not exist: {exception}"
    for construct in language.constructs.values():
        unknown = set(construct.get("features")) - ALL
        if unknown:
            yield f"{construct.id}: no such feature: {', '.join(unknown)}"


# ---- a walk through the plan ---------------------------------------------------------------------------------------


def walk_problems(features: frozenset[str], name: str) -> Iterator[str]:
    """Tests one walk, then the additions of the second: there the other half of the items has a captured local."""
    census, space = Census(), possible(features)
    count = len(bundles(features))
    for number in range(count):
        census.add(planned(bundle(number, features), f"test {number}", "", features, NEWEST))
    print(f"{name}: {count:,} programs: {census.summary(space)}")
    for what, wanted, counts in (
        ("pair", space.pairs, census.pairs),
        ("triple", space.triples, census.triples),
        ("option", space.options, census.options),
        ("name", space.offers, census.offers),
    ):
        missing = [one for one in wanted if not counts[one]]
        yield from (f"{name}: {what} never drawn: {one}" for one in missing[:5])
        if len(missing) > 5:
            yield f"{name}: {len(missing)} {what}s never drawn"
    language = grammar()
    for hole, inner in census.pairs:
        if language.is_excepted(hole, inner):
            yield f"{name}: drawn, so it is no exception: {inner} in {hole}"
        if inner.startswith("unknown"):
            yield f"{name}: no construct of the grammar: {inner} in {hole}"


# ---- the reader ----------------------------------------------------------------------------------------------------


def reader_problems(feed: Feed, sample: int) -> Iterator[str]:
    for focus in ("", *FOCUS):
        made_of = choice("", focus)
        for seed in range(1, sample + 1):
            for document, majors in programs(seed, made_of, MAJORS):
                yield from refused(feed, document, sorted({majors[0], majors[-1]}), f"seed {seed} {focus} {made_of.kind_of(seed)}")


def refused(feed: Feed, document: dict[str, Any], majors: list[int], name: str) -> Iterator[str]:
    try:
        answers = feed.ask(json.dumps(document), majors)
    except FeedDied as problem:
        yield f"{name}: {problem}"
        return
    for answer in answers:
        if answer.status != "ok":
            yield f"{name} on node-{answer.major}: {answer.status}: {answer.message}"


# ---- the same again ------------------------------------------------------------------------------------------------


def digest() -> str:
    """Returns a digest of several programs of every kind and focus."""
    state = hashlib.sha256()
    for focus in ("", *FOCUS):
        for kind in KINDS:
            for seed in range(1, 13):
                for major in (4, NEWEST):
                    state.update(json.dumps(program(seed, choice("", focus, kind=kind), major)).encode())
    return state.hexdigest()


def sameness_problems() -> Iterator[str]:
    """Compares with processes of other hash seeds, in which sets have another order."""
    command = [sys.executable, __file__, "--digest"]
    others = {subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True).stdout for seed in "12"}
    if len(others) != 1 or others != {digest() + "\n"}:
        yield "the same seed gives other programs in another process"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--feed", type=Path, help="loopsim_conformance_feed")
    parser.add_argument("--sample", type=int, default=150, help="so many seeds of each focus are given to the reader (default 150)")
    parser.add_argument("--digest", action="store_true", help="print the digest of some programs, and nothing else")
    options = parser.parse_args()
    if options.digest:
        print(digest())
        return 0
    problems = [*grammar_problems(), *sameness_problems(), *walk_problems(ALL, "all")]
    if options.feed:
        feed = Feed(options.feed)
        problems += reader_problems(feed, options.sample)
        feed.stop()
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

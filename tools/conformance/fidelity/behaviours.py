"""The behaviours of docs/fidelity.md: the table as data, and the outcome of each in every version of the simulator.

A behaviour (tools/conformance/behaviours/*.json) has

    id        a short name, unique
    text      one sentence: the difference between versions, or the fact
    scenario  the scenario that shows it, below scenarios/; absent if none can be written
    set       params of the scenario, if not its own
    show      the kind of outcome: output, order, times, exit, limit (default: the keys of the scenario's `expect`)
    known     measured: the scenario runs in the real binaries; random: compared by random programs, no scenario isolates it;
              read: from the source only
    source    files of Node, libuv or V8
    change    the version that changed it, and the pull request if known
    fields    the fields of Profile that implement it
    unseen    field -> pairs of neighbouring versions whose difference no scenario can show, and why
    note      anything else
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CONFORMANCE = Path(__file__).resolve().parent.parent
ROOT = CONFORMANCE.parent.parent
FOLDER = CONFORMANCE / "behaviours"
DIFFERENCES = CONFORMANCE / "differences"
VIEWS = ("output", "order", "times", "exit", "limit")
KEYS = {"id", "text", "scenario", "set", "show", "known", "source", "change", "fields", "unseen", "note"}
PROSE = ("$schema", "title", "description", "source", "expect")

sys.path.insert(0, str(ROOT / "tests/docs"))
from check import profile_values  # noqa: E402  (the one place that reads profiles.cpp)


class BadTable(Exception):
    """The data are wrong; the message says how."""


@dataclass(frozen=True)
class Program:
    """A scenario with params: the input of a run."""

    file: Path
    settings: tuple[tuple[str, str], ...] = ()

    def name(self) -> str:
        name = self.file.relative_to(ROOT).as_posix().removeprefix("scenarios/")
        return " ".join([name, *(f"{key}={value}" for key, value in self.settings)])

    def document(self) -> dict[str, Any]:
        """Returns the document with the settings applied to its params, for real Node."""
        document = json.loads(self.file.read_text(encoding="utf-8"))
        for key, value in self.settings:
            document["params"][key] = json.loads(value)
        return document


@dataclass
class Trace:
    """One run of the simulator; `missing` if this version lacks a feature of the scenario."""

    missing: bool = False
    callbacks: list[tuple[str, int]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)  # the complete trace, in order, for the digest
    exit_code: int = 0
    end: int = 0
    limit: str = ""
    warnings: str = ""


@dataclass
class Behaviour:
    data: dict[str, Any]
    program: Program | None
    outcomes: dict[int, str] = field(default_factory=dict)  # major -> words
    letters: dict[int, str] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return self.data.get(name)


@dataclass
class Area:
    title: str
    about: str
    behaviours: list[Behaviour]


def load() -> list[Area]:
    areas: list[tuple[int, Area]] = []
    seen: set[str] = set()
    for path in sorted(FOLDER.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        rows = [read_behaviour(path, row, seen) for row in document["behaviours"]]
        areas.append((document["order"], Area(document["area"], document["about"], rows)))
    return [area for _, area in sorted(areas, key=lambda item: item[0])]


def read_behaviour(path: Path, row: dict[str, Any], seen: set[str]) -> Behaviour:
    where = f"{path.relative_to(ROOT)}: {row.get('id', '?')}"
    unknown = row.keys() - KEYS
    if unknown:
        raise BadTable(f"{where}: unknown key {sorted(unknown)[0]}; there are {', '.join(sorted(KEYS))}")
    if row.keys() < {"id", "text", "known", "source"} or row["known"] not in ("measured", "random", "read"):
        raise BadTable(f"{where}: needs id, text, source, and known: measured, random or read")
    if row["id"] in seen:
        raise BadTable(f"{where}: there are two of this id")
    seen.add(row["id"])
    if (row["known"] == "measured") != ("scenario" in row):
        raise BadTable(f"{where}: what is measured has a scenario, the others have none")
    if not set(row.get("show", [])) <= set(VIEWS):
        raise BadTable(f"{where}: show takes {', '.join(VIEWS)}")
    if "scenario" not in row:
        return Behaviour(row, None)
    file = ROOT / "scenarios" / row["scenario"]
    if not file.is_file():
        raise BadTable(f"{where}: there is no scenarios/{row['scenario']}")
    return Behaviour(row, Program(file, tuple((key, json.dumps(value)) for key, value in row.get("set", {}).items())))


# ---- runs of the simulator -----------------------------------------------------------------------------------------


def run(loopsim: str, program: Program, major: int) -> Trace:
    settings = [word for key, value in program.settings for word in ("--set", f"{key}={value}")]
    words = [loopsim, "run", "--quiet", "--runtime", f"node-{major}", "--format", "jsonl", *settings, str(program.file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if done.returncode == 2 and f"the runtime is node-{major}" in done.stderr:
        return Trace(missing=True)
    if done.returncode not in (0, 3):
        raise BadTable(f"{program.name()}: loopsim run ended with {done.returncode}\n{done.stderr}")
    trace = Trace(warnings=done.stderr)
    for line in done.stdout.rstrip("\n").split("\n")[1:]:
        record = json.loads(line)
        trace.end = record["t"]
        match record["ev"]:
            case "callback_begin":
                trace.callbacks.append((record["name"], record["t"]))
                trace.events.append(f"{record['name']} {record['t']}")
            case "log":
                trace.lines += record.get("text", "").split("\n")
                trace.events.append(f"| {record.get('text', '')}")
            case "limit":
                trace.limit = record["limit"]
            case "exit":
                trace.exit_code = record["code"]
    trace.events.append(f"exit {trace.exit_code} {trace.limit}")
    return trace


def run_all(loopsim: str, programs: list[Program], majors: list[int]) -> dict[Program, dict[int, Trace]]:
    pairs = [(program, major) for program in programs for major in majors]
    with ThreadPoolExecutor() as pool:
        traces = list(pool.map(lambda pair: run(loopsim, *pair), pairs))
    found: dict[Program, dict[int, Trace]] = {program: {} for program in programs}
    for (program, major), trace in zip(pairs, traces):
        found[program][major] = trace
    return found


def digest(program: Program, traces: dict[int, Trace], versions: dict[int, str]) -> str:
    """Returns a digest of the input, the binaries and the simulator's result; titles and explanations are not part of it."""
    document = {key: value for key, value in program.document().items() if key not in PROSE}
    runs = [[versions[major], trace.missing, trace.events] for major, trace in traces.items()]
    return hashlib.sha256(json.dumps([document, runs], sort_keys=True).encode()).hexdigest()[:16]


# ---- outcomes of behaviours ----------------------------------------------------------------------------------------


def expectations(document: dict[str, Any]) -> list[dict[str, Any]]:
    expect = document.get("expect", {})
    return [expect, *expect.get("cases", [])]


def milliseconds(time: int) -> str:
    return f"{time / 1e6:.6f}".rstrip("0").rstrip(".") + " ms"


def view_of(view: str, expected: list[dict[str, Any]], trace: Trace) -> list[str]:
    """Returns the words of a run in one view."""
    if trace.limit:
        return [f"ends at its limit of {trace.limit}"]
    match view:
        case "output":
            return trace.lines or ["(no output)"]
        case "order":
            names = {name for one in expected for name in one.get("order", [])}
            return [name for name, _ in trace.callbacks if name in names]
        case "times":
            words = []
            for name in dict.fromkeys(name for one in expected for name in one.get("times", {})):
                times = [milliseconds(time) for called, time in trace.callbacks if called == name]
                words.append(f"{name}: {', '.join(times) or 'not called'}")
            return words
        case "exit":
            keys = {key for one in expected for key in one.get("exit", {})}
            code = [f"exit code {trace.exit_code}"] if "code" in keys else []
            return code + ([f"ends at {milliseconds(trace.end)}"] if "at" in keys else [])
    return []


def outcomes(behaviour: Behaviour, expected: list[dict[str, Any]], traces: dict[int, Trace]) -> dict[int, list[str]]:
    """Returns the words of every version. The default is the fewest views that distinguish all outcomes that the scenario expects."""

    def look(views: list[str]) -> dict[int, list[str]]:
        return {major: [word for view in views for word in view_of(view, expected, trace)]
                for major, trace in traces.items() if not trace.missing}

    def number(views: list[str]) -> int:
        return len(set(map(tuple, look(views).values())))

    if behaviour.show:
        return look(behaviour.show)
    views = [view for view in VIEWS if any(view in one for one in expected)] or ["output"]
    chosen = views[:1]
    for view in views[1:]:
        if number([*chosen, view]) > number(chosen):
            chosen.append(view)
    return look(chosen)


def shorten(lists: list[list[str]], most: int = 14) -> list[list[str]]:
    """Shortens long outcomes: removes their common prefix and truncates them."""
    if max(map(len, lists)) <= most:
        return lists
    common = 0
    while len(lists) > 1 and all(len(one) > common and one[common] == lists[0][common] for one in lists):
        common += 1
    drop = max(0, common - 2)
    short = [["…", *one[drop:]] if drop else one for one in lists]
    return [[*one[:most], "…"] if len(one) > most else one for one in short]


def judge(behaviour: Behaviour, traces: dict[int, Trace]) -> None:
    """Sets the outcome of every version. Equal outcomes have the same letter; the oldest version has A."""
    assert behaviour.program is not None
    words = outcomes(behaviour, expectations(behaviour.program.document()), traces)
    different = list({tuple(one): None for one in words.values()})
    if len(different) > 26:
        raise BadTable(f"{behaviour.id}: more than 26 outcomes")
    short = shorten([list(one) for one in different])
    for major, one in words.items():
        index = different.index(tuple(one))
        behaviour.letters[major] = chr(ord("A") + index)
        behaviour.outcomes[major] = " · ".join(word.strip() for word in short[index])


def judge_by_fields(behaviour: Behaviour) -> None:
    """Without a scenario, sets the letters from the fields of the profiles."""
    majors, values = profile_values()
    names = [name for name in behaviour.fields or [] if name in values]
    said = [", ".join(f"{name} {values[name][i].strip(chr(34))}" for name in names) for i in range(len(majors))]
    different = list(dict.fromkeys(said))
    for major, words in zip(majors, said):
        behaviour.letters[major] = chr(ord("A") + different.index(words))
        behaviour.outcomes[major] = words


# ---- coverage of the profiles' fields ------------------------------------------------------------------------------


def uncovered(areas: list[Area]) -> list[str]:
    majors, values = profile_values()
    behaviours = [behaviour for area in areas for behaviour in area.behaviours]
    problems: list[str] = []
    for behaviour in behaviours:
        for name in behaviour.fields or []:
            if name not in values:
                problems.append(f"behaviour {behaviour.id}: include/loopsim/profile.hpp has no field {name}")
    for name, by_version in values.items():
        about = [behaviour for behaviour in behaviours if name in (behaviour.fields or [])]
        if not about:
            problems.append(f"no behaviour in tools/conformance/behaviours tells about the field {name} of Profile")
        if name in ("version", "libuv") or any(behaviour.known != "measured" for behaviour in about):
            continue
        for i in range(1, len(majors)):
            a, b = majors[i - 1], majors[i]
            seen = [one.letters for one in about if one.program and a in one.letters and b in one.letters]
            unseen = any(f"{a}-{b}" in (one.unseen or {}).get(name, {}) for one in about)
            if by_version[i - 1] == by_version[i] or not seen or unseen or any(one[a] != one[b] for one in seen):
                continue
            problems.append(
                f"{name} is {by_version[i - 1]} in node-{a} and {by_version[i]} in node-{b}, but the scenarios of "
                f"{', '.join(one.id for one in about)} do the same in both"
            )
    return problems

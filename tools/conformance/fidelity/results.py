"""The results of the real binaries: tools/conformance/fidelity-results.json, written by `fidelity-page --measure`.

For every scenario of the repository it has a digest (fidelity/behaviours.py) of the input and of the simulator's result, and
the verdict of each version:

    equal      every callback, its time, every line of output, the exit code and the end are the same
    different  they are not: the page marks it, and a known difference must document it
    skipped    not compared: the run ends at a limit, or the machine is not the ideal one

If the digest no longer matches the scenario, the simulator or the binary, the verdicts are stale.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .behaviours import CONFORMANCE, DIFFERENCES, Program, Trace, digest
from .compare import Comparison, Tools, compare_file

sys.path.append(str(CONFORMANCE.parent / "node"))
import node_versions  # noqa: E402

FILE = CONFORMANCE / "fidelity-results.json"
CAMPAIGN = CONFORMANCE / "campaign.json"


def versions() -> dict[int, str]:
    """Returns {major: exact version} from the lock."""
    return {int(release.major): release.version for release in node_versions.versions()}


def load() -> dict[str, Any]:
    if not FILE.is_file():
        return {"binaries": {}, "runs": {}}
    return json.loads(FILE.read_text(encoding="utf-8"))


def save(results: dict[str, Any]) -> None:
    """Writes one line per scenario, sorted, for small differences in version control."""
    parts = []
    for section in ("binaries", "runs"):
        rows = results[section]
        keys = sorted(rows, key=lambda key: (int(key), "") if key.isdigit() else (0, key))
        lines = [f"    {json.dumps(key)}: {json.dumps(rows[key], ensure_ascii=False)}" for key in keys]
        parts.append(f'  "{section}": {{\n' + ",\n".join(lines) + "\n  }")
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def verdict_of(results: dict[str, Any], program: Program, major: int) -> str:
    return results["runs"].get(program.name(), {}).get("verdicts", {}).get(str(major), "")


def is_stale(results: dict[str, Any], program: Program, traces: dict[int, Trace]) -> bool:
    return results["runs"].get(program.name(), {}).get("digest") != digest(program, traces, versions())


# ---- runs of the real binaries -------------------------------------------------------------------------------------


def ask_binary(tools: Tools, major: int) -> dict[str, str]:
    words = [tools.vnode, str(major), "-p", "JSON.stringify(process.versions)"]
    said = json.loads(subprocess.run(words, capture_output=True, text=True, check=True, timeout=120).stdout)
    return {"node": said["node"], "libuv": said["uv"], "v8": said["v8"]}


def has_machine(document: dict[str, Any]) -> bool:
    """Returns whether a real process cannot run it: the machine has costs, or there are arrival processes."""

    def value(written: Any) -> Any:
        return document["params"][written[1:]] if isinstance(written, str) and written.startswith("$") else written

    machine = value(document.get("machine", {}))
    asked = [value(one) for key, one in machine.items() if key != "clock"] if isinstance(machine, dict) else [machine]
    if any(one not in (None, [], 0, "0", "0ms", "0us", "0ns", "ideal") for one in asked):
        return True
    arrivals = ("every", "poisson", "clients")
    return any(isinstance(one.get("at"), list) or any(key in one for key in arrivals) for one in document.get("inputs", []))


def real_words(result: Comparison) -> str:
    """Returns a short description of the real run, for the page."""
    assert result.real is not None
    words = [f"{event.label} at {event.time / 1e6:g} ms" for event in result.real.events if event.label not in (None, "main")]
    return " · ".join([*words, f"exit code {result.real.exit_code}"])


def measure(tools: Tools, program: Program, traces: dict[int, Trace]) -> dict[str, Any]:
    document = program.document()
    row: dict[str, Any] = {"digest": digest(program, traces, versions()), "verdicts": {}}
    with tempfile.TemporaryDirectory(prefix="fidelity-page-") as folder:
        file = program.file
        if program.settings:
            file = Path(folder) / program.file.name
            file.write_text(json.dumps(document, indent=2), encoding="utf-8")
        for major, trace in traces.items():
            if trace.missing:
                continue
            if has_machine(document):
                row["verdicts"][str(major)] = "skipped"
                continue
            result = compare_file(tools, file, major, plain=program.file.parent == DIFFERENCES)
            if result.status in ("invalid", "harness"):
                raise RuntimeError(f"{program.name()}: node-{major}: {result.status}: {result.message}")
            row["verdicts"][str(major)] = result.status
            if result.status == "different":
                row.setdefault("real", {})[str(major)] = real_words(result)
    return row


def measure_all(tools: Tools, results: dict[str, Any], runs: dict[Program, dict[int, Trace]]) -> None:
    """Runs the given scenarios in the real binaries, one at a time, because servers use fixed ports."""
    with ThreadPoolExecutor() as pool:
        majors = list(versions())
        said = pool.map(lambda major: ask_binary(tools, major), majors)
        results["binaries"] = {str(major): one for major, one in zip(majors, said)}
    for number, (program, traces) in enumerate(runs.items(), 1):
        results["runs"][program.name()] = measure(tools, program, traces)
        counts: dict[str, int] = {}
        for verdict in results["runs"][program.name()]["verdicts"].values():
            counts[verdict] = counts.get(verdict, 0) + 1
        told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        print(f"{number}/{len(runs)} {program.name()}: {told}", file=sys.stderr, flush=True)
        save(results)

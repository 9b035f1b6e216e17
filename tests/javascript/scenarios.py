#!/usr/bin/env python3
"""Runs the scripts that scenarios stand for (`loopsim js`) with the JavaScript engine, and compares them with the scenarios' own runs.

    scenarios.py --program build/loopsim [--runtime NODE...] [--every N] [SCENARIO...]

Without SCENARIO: all of scenarios/; without --runtime: in all versions. The script runs as it does under the virtual clock of
tools/conformance, so that what takes time takes exactly that. Compared: the lines of output with their times, how it ended, when, the exit
code. With 77 as exit status: this build runs no JavaScript.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNTIMES = [f"node-{major}" for major in (4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26)]
# What the script does not say, or this engine does not do, so that the two differ.
DIFFERENT = {
    "articles/timer-111ms": "a busy machine: the script's own clock and output take time of the thread",
    "lessons/one-core": "the script's requests to the pool do not say that they use a CPU",
    "lessons/one-core-cfs": "the same",
    "lessons/one-core-eevdf": "the same",
    "studies/container-quota": "a busy machine: times of the scenario are drawn by another plan",
    "studies/interval-drift": "{now} counts from the start of the process, the script from its own start",
    "lessons/method-of-something-else": "the text of an error of a method that is not there",
    "versions/emit-error-without-listener": "how Node 8 to 11 tell an error that is no error",
}
# In some versions only. Node 4 names no promise. What a script writes queues a tick, with which Node 4 and 11 tell of a
# rejection earlier than a program that says {log} with no output: in both, `tests/javascript` shows what the real Node prints.
DIFFERENT_IN = {
    "node-4": {"versions/text-of-a-promise", "versions/rejection-listeners-that-throw"},
    "node-11": {"versions/rejection-hidden-by-another"},
}
# What Node itself prints on standard error has other words in a script, which has the whole report, as real Node has it.
OF_NODE = re.compile(r"\(node:|Uncaught |(?:UnhandledPromiseRejection|PromiseRejectionHandled)Warning: |Warning: Detected unsettled")
COPIED = ("machine", "seed", "inputs", "limits")


def run(words):
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)


def facts(jsonl, is_script):
    """What is compared of a trace."""
    lines = [json.loads(line) for line in jsonl.splitlines()]
    told = []
    for line in lines[1:]:
        if line["ev"] == "error_log" and OF_NODE.match(line["text"]):
            continue
        if line["ev"] in ("log", "error_log", "uncaught"):
            told.append((line["t"], line["ev"], line["text"]))
    reports = [i for i, (_, ev, _) in enumerate(told) if ev == "error_log"]
    if is_script and reports and any(ev == "uncaught" for _, ev, _ in told):
        del told[reports[-1]]
    end = lines[-1]
    return told, {key: end.get(key) for key in ("t", "reason", "exit_code", "outcome") if key in end}


def compare(options, scenario, runtime):
    """Returns None if they are equal, '' if the scenario has no script, and otherwise what differs."""
    with tempfile.TemporaryDirectory(prefix="loopsim-js-") as folder:
        words = ["-r", runtime] if runtime else []
        script = Path(folder, "script.js")
        made = run([options.program, "js", str(scenario), "--no-warnings", "-o", str(script), *words])
        if made.returncode != 0:
            return ""
        document = json.loads(scenario.read_text(encoding="utf-8"))
        own = run([options.program, "run", str(scenario), "--no-warnings", "-q", "-f", "jsonl", *words])
        if own.returncode not in (0, 1, 3):
            return ""
        copy = {key: document[key] for key in COPIED if key in document}
        if runtime is None and "runtime" in document:
            copy["runtime"] = document["runtime"]
        if isinstance(document.get("runtime"), dict) and runtime is not None:
            copy["runtime"] = {**document["runtime"], "profile": runtime}
        params = document.get("params", {})
        text = json.dumps({**copy, "script": "script.js", "env": {"LOOPSIM_VCLOCK": "1"}})
        for name, value in params.items():
            text = text.replace(f'"${name}"', json.dumps(value))
        Path(folder, "run.json").write_text(text, encoding="utf-8")
        words = [] if "runtime" in copy else words
        other = run([options.program, "run", str(Path(folder, "run.json")), "--no-warnings", "-q", "-f", "jsonl", *words])
        if other.returncode not in (0, 1, 3):
            return f"exit status {other.returncode}: {other.stderr.strip()[:300]}"
        if options.keep:
            Path(options.keep, scenario.stem + ".js").write_text(script.read_text(encoding="utf-8"), encoding="utf-8")
        (want, want_end), (got, got_end) = facts(own.stdout, False), facts(other.stdout, True)
        for a, b in zip(want, got):
            if a != b:
                return f"wanted {a}, got {b}"
        if len(want) != len(got):
            return f"wanted {len(want)} lines, got {len(got)}: {(want[len(got):] or got[len(want):])[0]}"
        if want_end != got_end:
            return f"wanted the end {want_end}, got {got_end}"
        return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--runtime", nargs="*", default=RUNTIMES)
    arguments.add_argument("--every", type=int, default=1, metavar="N", help="a scenario in each N-th version only, others for the next")
    arguments.add_argument("--keep", help="a folder for the scripts")
    arguments.add_argument("scenarios", nargs="*", type=Path)
    options = arguments.parse_args()
    probe = run([options.program, "run", str(ROOT / "tests/javascript/probe.js"), "-q", "-f", "none"])
    if "runs no JavaScript" in probe.stderr:
        print("skipped: this build runs no JavaScript")
        return 77
    of_others = {"browser", "io"}  # pages are JavaScript already, and models of I/O have no program
    scenarios = options.scenarios or sorted(path for path in (ROOT / "scenarios").rglob("*.json")
                                            if not path.name.endswith(".schema.json") and path.parent.name not in of_others)
    equal = different = left_out = 0
    name_of = lambda path: path.relative_to(ROOT / "scenarios").with_suffix("").as_posix()  # noqa: E731
    if not options.scenarios:
        scenarios = [path for path in scenarios if name_of(path) not in DIFFERENT]
    jobs = [(scenario, runtime) for i, scenario in enumerate(scenarios) for k, runtime in enumerate(options.runtime)
            if (i + k) % options.every == 0
            if options.scenarios or name_of(scenario) not in DIFFERENT_IN.get(runtime, ())]
    with ThreadPoolExecutor(2) as pool:
        for (scenario, runtime), result in zip(jobs, pool.map(lambda job: compare(options, *job), jobs)):
            equal += result is None
            left_out += result == ""
            if result:
                different += 1
                print(f"{scenario.relative_to(ROOT) if scenario.is_relative_to(ROOT) else scenario} {runtime or ''}: {result}")
    print(f"{equal} equal, {different} different, {left_out} without a script")
    return 1 if different or not equal else 0


if __name__ == "__main__":
    sys.exit(main())

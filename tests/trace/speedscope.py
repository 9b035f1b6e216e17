#!/usr/bin/env python3
"""Imports `loopsim run --format perfetto` with speedscope's own importer, and compares the result with the trace.

    speedscope.py --program build/loopsim [--speedscope FOLDER] [SCENARIO...]

Every slice of every track must arrive, with its name, its times to the nanosecond and its place in the nesting. FOLDER has the npm
package of speedscope; the default is LOOPSIM_SPEEDSCOPE, or a cache (~/.cache/loopsim) into which npm fetches it once. Without Node, npm
or a network the test is skipped.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import perfetto

SKIPPED = 77
VERSION = "1.25.0"
# Ends carry no arguments, which it takes for another name; it ends the right slice all the same.
HARMLESS = re.compile(r"Tried to end .* was on the top of the stack\. Ending .* instead\.$", re.DOTALL)


def bundle_in(folder):
    found = sorted(Path(folder).glob("dist/release/speedscope-*.js"))
    return found[0] if found else None


def fetch():
    """Returns speedscope's bundle from the cache, into which npm fetches it once; or None."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopsim" / f"speedscope-{VERSION}"
    if not cache.exists():
        cache.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="speedscope-", dir=cache.parent) as folder:
            words = ["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", f"speedscope@{VERSION}"]
            try:
                subprocess.run(words, capture_output=True, timeout=60, check=True)
                os.rename(Path(folder) / "node_modules/speedscope", cache)
            except (OSError, subprocess.SubprocessError):
                return None
    return bundle_in(cache)


def find_bundle(folder):
    """Returns the importer, or the reason why there is none."""
    if shutil.which("node") is None:
        return None, "speedscope's importer needs node"
    if folder:
        return bundle_in(folder), f"there is no speedscope in {folder}"
    if shutil.which("npm") is None:
        return None, "speedscope comes from npm, and there is none"
    return fetch(), f"npm could not fetch speedscope {VERSION}"


def shown_name(event):
    """Returns the name that speedscope gives to a slice, which includes its arguments."""
    if "args" not in event:
        return event["name"]
    return event["name"] + " " + json.dumps(event["args"], ensure_ascii=False, separators=(",", ":"))


def compare(trace, seen):
    """Returns the number of slices compared."""
    document = perfetto.parse(trace.read_text(encoding="utf-8"))
    wanted = {}
    for track, begin, start, end in perfetto.validate(document["traceEvents"], is_spread="widths" in document.get("otherData", {})):
        wanted.setdefault(track, []).append([shown_name(begin), start, end])
    found = {}
    for profile in seen["profiles"]:
        track = re.search(r", ([^,]+) \(tid \d+\)$", profile["name"]).group(1)
        # Its times are relative to the first event of the track, in microseconds; a picosecond more or less is rounding.
        found[track] = [[name, begin, end] for name, begin, end in profile["calls"]]
    perfetto.need(set(found) == set(wanted), f"tracks {sorted(found)} for {sorted(wanted)}")
    # More slices in one nanosecond than there are picoseconds: a documented limitation of speedscope (docs/formats.md).
    names = {event["tid"]: event["args"]["name"] for event in document["traceEvents"] if event["name"] == "thread_name"}
    crowded = {names[event["tid"]] for event in document["traceEvents"] if event.get("ts", 0) % Decimal("0.001") == Decimal("0.000999")}
    for track in crowded & set(wanted):
        print(f"{trace.name}: {track} is left out: over 999 slices in one nanosecond")
        del wanted[track]
    for track, calls in wanted.items():
        first = min(start for _, start, _ in calls)
        shown = [[name, first + math.floor(begin * 1000 + 0.0001), first + math.floor(end * 1000 + 0.0001)]
                 for name, begin, end in found[track]]
        for number, (mine, theirs) in enumerate(zip(calls, shown)):
            perfetto.need(mine == theirs, f"{track}, slice {number}: {theirs} for {mine}")
        perfetto.need(len(calls) == len(shown), f"{track}: {len(shown)} slices for {len(calls)}")
    wrong = [text for text in seen["warnings"] if not HARMLESS.search(text)]
    perfetto.need(crowded or not wrong, f"speedscope warns: {wrong[:3]}")
    return sum(map(len, wanted.values()))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--speedscope", default=os.environ.get("LOOPSIM_SPEEDSCOPE"))
    options.add_argument("scenarios", nargs="*", type=Path)
    arguments = options.parse_args()
    bundle, reason = find_bundle(arguments.speedscope)
    if bundle is None:
        print(f"skipped: {reason}")
        return SKIPPED
    scenarios = arguments.scenarios or perfetto.all_scenarios()
    with tempfile.TemporaryDirectory(prefix="loopsim-speedscope-") as folder:
        traces = []
        for number, scenario in enumerate(scenarios):
            for spread in ([], ["--spread"]):
                trace = Path(folder) / f"{number}{''.join(spread)}-{scenario.name}"
                words = [arguments.program, "run", scenario, "--quiet", "--no-warnings", "-f", f"perfetto={trace}", *spread]
                if subprocess.run(words, capture_output=True, timeout=120, check=False).returncode in (0, 3):
                    traces.append((scenario, trace))
        script = Path(__file__).with_suffix(".mjs")
        done = subprocess.run(["node", script, bundle, *(trace for _, trace in traces)], capture_output=True, text=True,
                              timeout=300, check=False)
        seen = [json.loads(line) for line in done.stdout.split("\n")[:-1]]
        if done.returncode != 0 or len(seen) != len(traces):
            print(f"speedscope has opened {len(seen)} of {len(traces)} traces: {done.stderr}")
            return 1
        failed = compared = 0
        for (scenario, trace), profiles in zip(traces, seen):
            try:
                compared += compare(trace, profiles)
            except perfetto.Wrong as error:
                failed += 1
                print(f"{scenario}: {error}")
    print(f"{len(traces)} traces opened with {bundle.name}, {compared} slices compared, {failed} failed")
    return 1 if failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

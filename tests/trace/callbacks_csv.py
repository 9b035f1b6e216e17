#!/usr/bin/env python3
"""Compares `loopsim run --format csv` with the JSON lines of the same run: all callbacks that began, in order, with all cells.

    callbacks_csv.py --program build/loopsim [SCENARIO...]
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import perfetto

FROM_BEGIN = {"id": "id", "name": "name", "api": "api", "op": "op", "phase": "phase", "turn": "turn", "due_ns": "due", "began_ns": "t",
              "late_ns": "late", "why": "why", "behind": "behind", "by": "by"}
OTHERS = ["run", "runtime", "seed", "scenario", "asked_ns", "ended_ns", "how"]


def cell(value):
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rows_of(lines, run):
    """Returns the expected rows, computed from the JSON lines, as dictionaries."""
    header, rows, by_id, asked = lines[0], [], {}, {}
    for line in lines[1:]:
        if line["ev"] == "schedule":
            asked[line["id"]] = line["t"]
        elif line["ev"] == "callback_begin":
            row = {"run": run, "runtime": header["runtime"],
                   "seed": cell(header["seed"]), "scenario": header["scenario"], "ended_ns": "", "how": ""}
            for name, value in header["params"].items():
                row[f"param.{name}" if name in FROM_BEGIN or name in OTHERS else name] = cell(value)
            row["asked_ns"] = cell(asked.get(line["id"]))
            row.update({column: cell(line.get(key)) for column, key in FROM_BEGIN.items()})
            by_id[line["id"]] = row
            rows.append(row)
        elif line["ev"] == "callback_end":
            by_id[line["id"]].update(ended_ns=cell(line["t"]), how=line["how"])
    return rows


def check(program, scenario):
    """Compares one scenario. Returns the number of rows, or None if it cannot be run."""
    with tempfile.TemporaryDirectory(prefix="loopsim-csv-") as name:
        table, jsonl = Path(name) / "rows.csv", Path(name) / "trace.jsonl"
        words = [program, "run", scenario, "--quiet", "--no-warnings", "-f", f"csv={table}", "-f", f"jsonl={jsonl}"]
        if subprocess.run(words, capture_output=True, timeout=120, check=False).returncode not in (0, 3):
            return None
        with table.open(encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(file, strict=True))
        run = found[0]["run"] if found else ""
        perfetto.need(re.fullmatch("[0-9a-f]{16}", run), f"the run's id is {run!r}")
        wanted = rows_of([json.loads(line) for line in jsonl.read_text(encoding="utf-8").split("\n")[:-1]], run)
    for number, (mine, theirs) in enumerate(zip(found, wanted), 1):
        perfetto.need(mine == theirs, f"row {number}: {mine} for {theirs}")
    perfetto.need(len(found) == len(wanted), f"{len(found)} rows for {len(wanted)}")
    return len(found)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("scenarios", nargs="*", type=Path)
    arguments = options.parse_args()
    failed = rows = 0
    for scenario in arguments.scenarios or perfetto.all_scenarios():
        try:
            rows += check(arguments.program, scenario) or 0
        except (perfetto.Wrong, csv.Error) as error:
            failed += 1
            print(f"{scenario}: {error}")
    print(f"{rows} rows compared, {failed} scenarios failed")
    return 1 if failed or rows == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

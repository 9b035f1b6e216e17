#!/usr/bin/env python3
"""Runs short_names_test.mjs, with the parser of a build tree. Exit status: 0 passed, 1 failed, 77 no Node here, or no parser."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
FIRST_WITH_TESTS = 18  # node --test, with its reporters


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, required=True, help="the folder with acorn")
    acorn = parser.parse_args().packages.resolve() / "acorn"
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout if node else ""
    if not node or int(version.removeprefix("v").split(".")[0]) < FIRST_WITH_TESTS or not acorn.exists():
        print(f"skipped: it takes Node {FIRST_WITH_TESTS} or later, and a build with JavaScript")
        return SKIPPED
    done = subprocess.run([node, "--test", Path(__file__).parent / "short_names_test.mjs"], capture_output=True, text=True, check=False,
                          env={**os.environ, "LOOPSIM_ACORN": str(acorn)})
    passed = re.search(r"^# pass (\d+)", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not passed or int(passed[1]) == 0:
        print(done.stdout + done.stderr)
        return 1
    print(f"{passed[1]} tests passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())

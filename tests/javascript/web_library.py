#!/usr/bin/env python3
"""Runs web/library_test.mjs: a browser's library in plain Node, over a toy loop. Exit status: 0 passed, 1 failed, 77 no Node here."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
FIRST_WITH_TESTS = 18  # node --test, with its reporters


def main() -> int:
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout if node else ""
    if not node or int(version.removeprefix("v").split(".")[0]) < FIRST_WITH_TESTS:
        print(f"skipped: it takes Node {FIRST_WITH_TESTS} or later")
        return SKIPPED
    done = subprocess.run([node, "--test", "library_test.mjs"], cwd=Path(__file__).parent / "web", capture_output=True, text=True, check=False)
    passed = re.search(r"^# pass (\d+)", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not passed or int(passed[1]) == 0:
        print(done.stdout + done.stderr)
        return 1
    print(f"{passed[1]} tests passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())

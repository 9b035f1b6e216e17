#!/usr/bin/env python3
"""Runs cppcheck on the sources and fails on findings; skipped (77) if it is not installed.

A syntax error is a finding, too: cppcheck stops reading a file that it cannot parse. It cannot parse lambdas called in the
initialiser of a constant; use a named function instead.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# danglingTemporaryLifetime: cppcheck 2.10 takes the result of emplace_back(T{...}) for the temporary. ASan covers this.
ARGUMENTS = ["--quiet", "--std=c++20", "--language=c++", "--enable=warning,performance,portability", "--inline-suppr",
             "--suppress=missingIncludeSystem", "--suppress=danglingTemporaryLifetime", "--error-exitcode=1", "-I", "include", "-I", "."]
MISTAKE = "int last(const int (&list)[4]) { return list[4]; }\n"


def cppcheck(*more: str, **options) -> int:
    return subprocess.run(["cppcheck", *ARGUMENTS, *more], cwd=ROOT, **options).returncode


def main() -> int:
    if shutil.which("cppcheck") is None:
        print("skipped: there is no cppcheck")
        return 77
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as control:
        control.write(MISTAKE)
        control.flush()
        if cppcheck(control.name, stderr=subprocess.DEVNULL) == 0:
            print("cppcheck does not see a mistake that is one")
            return 1
    if cppcheck("-j", str(os.cpu_count() or 1), "sim", "tools/loopsim", stderr=subprocess.STDOUT) != 0:
        return 1
    print("cppcheck: nothing to complain about")
    return 0


if __name__ == "__main__":
    sys.exit(main())

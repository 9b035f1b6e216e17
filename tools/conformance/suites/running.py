"""One program, run by loopsim or by real Node.js: did it end as a test that passes ends, and if not, why?"""

from __future__ import annotations

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

PASSED, FAILED, SKIPPED = "passed", "failed", "not run"
# What a program of loopsim says that needs a module of Node which is not there.
NO_MODULE = re.compile(r"loopsim has no module '([\w/]+)'|Cannot find module '(?:node:)?(stream|_stream_\w+|stream/\w+|fs/promises|"
                       r"dns/promises|zlib|readline|readline/promises|constants|sys|punycode)'")
STATUSES = {3: "a limit of the run was reached", 5: "it ran out of memory"}


@dataclass(frozen=True)
class Outcome:
    verdict: str
    why: str = ""
    output: str = ""


class Loopsim:
    """Runs a program by `loopsim run`. Flags of Node are given as NODE_OPTIONS."""

    def __init__(self, program: Path, runtime: str, timeout: float):
        self.program, self.runtime, self.timeout = program.resolve(), runtime, timeout

    def run(self, script: Path, flags: list[str]) -> Outcome:
        target = script
        if flags:
            target = script.with_name(f"{script.name}.json")
            target.write_text(json.dumps({"script": script.name, "env": {"NODE_OPTIONS": " ".join(flags)}}), encoding="utf-8")
        command = [self.program, "run", target.name, "-q", "-f", "jsonl", "--no-warnings", "-r", self.runtime]
        try:
            run = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, errors="replace", timeout=self.timeout,
                                 check=False)
        except subprocess.TimeoutExpired:
            return Outcome(FAILED, f"no end within {self.timeout:g} s")
        lines, code = [], None
        for line in run.stdout.splitlines():
            if line.startswith('{"ev":"log"') or '"ev":"error_log"' in line or '"ev":"log"' in line:
                lines.append(json.loads(line)["text"])
            elif '"ev":"exit"' in line:
                code = json.loads(line)["code"]
        output = "\n".join(lines)
        if code is None:
            words = STATUSES.get(run.returncode, f"exit status {run.returncode} of loopsim")
            return Outcome(FAILED, run.stderr.strip().splitlines()[0] if run.stderr.strip() else words, output + run.stderr)
        module = NO_MODULE.search(output)
        if code != 0 and module:
            return Outcome(SKIPPED, f"the module {module[1] or module[2]}", output)
        return judged(code, output)


class Node:
    """Runs a program by a binary of Node.js."""

    def __init__(self, binary: Path, timeout: float):
        self.binary, self.timeout = binary.resolve(), timeout

    def run(self, script: Path, flags: list[str]) -> Outcome:
        command = [self.binary, *flags, script.name]
        try:
            run = subprocess.run(command, cwd=script.parent, capture_output=True, text=True, errors="replace", timeout=self.timeout,
                                 stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            return Outcome(FAILED, f"no end within {self.timeout:g} s")
        return judged(run.returncode, run.stdout + run.stderr)


def judged(code: int, output: str) -> Outcome:
    for line in output.splitlines():
        if line.startswith("1..0 # Skipped:"):
            return Outcome(SKIPPED, f"it skips itself: {line[len('1..0 # Skipped:'):].strip()}", output)
    return Outcome(PASSED, "", output) if code == 0 else Outcome(FAILED, reason_of(code, output), output)


def reason_of(code: int, output: str) -> str:
    """The line of the output that says most."""
    lines = [line.strip() for line in output.splitlines()]
    for line in lines:
        if " was called " in line and " times, not " in line:
            return line
    for i, line in enumerate(lines):
        head, _, rest = line.partition(": ")
        if "Error" in head and " " not in head.replace(" [", "[") and not line.startswith("at "):
            following = next((text for text in lines[i + 1:] if text and not text.startswith("at ")), "")
            return f"{line} {following}"[:200] if len(rest) < 60 else line[:200]
    text = next((line for line in lines if line), "")
    return f"exit code {code}{': ' if text else ''}{text[:150]}"


def run_all(jobs: int, function, items: list) -> list:
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(function, items))

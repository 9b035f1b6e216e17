#!/usr/bin/env python3
"""Writes compact traces of some MB, which a second thread compresses piece by piece, and reads them back.

    compact_threads.py --program build/loopsim [--callbacks N] [--sanitized]

What `convert` makes of the trace are the lines that the run writes itself, and the same compact bytes again; `diff` finds no difference to
itself, and the right one to another run. And the other ways in which the two threads part: a disk that is full, a reader that has gone,
memory that has ended, one core, several traces at once. Any build runs it; the thread sanitizer, for which it is meant (`tools/dev
verify`), reports what it finds by an exit status of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from shared import ROOT

W1 = ROOT / "scenarios/bench/w1-timers.json"
FINE, DIFFERENT, LIMIT_REACHED, NOT_WRITTEN, NO_MEMORY = 0, 1, 3, 4, 5  # exit statuses


class Checks:
    def __init__(self, program: str, callbacks: int, folder: Path) -> None:
        self.program, self.callbacks, self.folder = program, callbacks, folder
        self.failed = 0

    def run_words(self, *more: str) -> list[str]:
        return ["run", str(W1), "--quiet", "--no-warnings", "--set", "timers=1000", "--set", f"callbacks={self.callbacks}", *more]

    def ends(self, title: str, words: list[str], status: int, **options) -> None:
        """The command ends with this exit status. Standard output is thrown away unless `options` say where it goes."""
        done = subprocess.run([self.program, *words], **{"stdout": subprocess.DEVNULL, **options}, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        self.verdict(title, done.returncode == status, f"exit status {done.returncode}, not {status}: {done.stderr}")

    def verdict(self, title: str, is_right: bool, why: str = "") -> None:
        print(f"{'ok' if is_right else 'FAILED':6}  {title}{'' if is_right else ': ' + why}", flush=True)
        self.failed += not is_right

    def digest(self, words: list[str], statuses: tuple[int, ...]) -> str:
        """Of standard output, which is too long to keep; not one of a run that failed."""
        digest = hashlib.sha256()
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([self.program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
            for piece in iter(lambda: process.stdout.read(1 << 20), b""):
                digest.update(piece)
            if process.wait() in statuses:
                return digest.hexdigest()
            errors.seek(0)
            return f"exit status {process.returncode}: {errors.read().decode(errors='replace')}"

    def same_digest(self, title: str, one: str, other: str) -> None:
        self.verdict(title, one == other, f"{one}\n{other}")

    # ---- the checks ----

    def written_and_read(self) -> None:
        trace, same, other = (str(self.folder / name) for name in ("trace.compact", "same.compact", "other.compact"))
        self.ends("a compact trace", self.run_words("-f", f"compact={trace}"), LIMIT_REACHED)
        self.verdict("it has some MB", os.path.getsize(trace) >= 8 * self.callbacks, f"{os.path.getsize(trace)} bytes")
        self.same_digest("the lines of convert", self.digest(["convert", trace], (FINE,)),
                         self.digest(self.run_words("-f", "jsonl"), (LIMIT_REACHED,)))
        self.ends("convert to the same form", ["convert", trace, "--format", "compact", "--output", same], FINE)
        self.verdict("gives the same bytes", Path(trace).read_bytes() == Path(same).read_bytes())
        self.ends("no difference to itself", ["diff", "--quiet", trace, same], FINE)
        one_core = [min(os.sched_getaffinity(0))]
        self.ends("on one core", self.run_words("-f", f"compact={same}"), LIMIT_REACHED,
                  preexec_fn=lambda: os.sched_setaffinity(0, one_core))
        self.verdict("the same bytes on one core", Path(trace).read_bytes() == Path(same).read_bytes())
        self.ends("two traces and lines at once", self.run_words(*[word for file in (same, other) for word in ("-f", f"compact={file}")],
                                                                 "-f", "jsonl=/dev/null"), LIMIT_REACHED)
        self.verdict("both have the same bytes", Path(trace).read_bytes() == Path(same).read_bytes() == Path(other).read_bytes())
        self.ends("another run", self.run_words("--seed", "2", "-f", f"compact={other}"), LIMIT_REACHED)
        self.ends("has a difference", ["diff", "--quiet", trace, other], DIFFERENT)

    def cut_short(self, counts_memory: bool) -> None:
        compact = self.run_words("-f", "compact")
        with open("/dev/full", "wb") as full:
            self.ends("a full disk", compact, NOT_WRITTEN, stdout=full)
        reading, writing = os.pipe()
        os.close(reading)
        self.ends("a reader that has gone", compact, NOT_WRITTEN, stdout=writing)
        os.close(writing)
        if not counts_memory:
            return
        bounded = ["run", str(W1), "--quiet", "--no-warnings", "--set", "timers=1000000", "--set", "callbacks=1000000", "-f", "compact",
                   "--max-memory", "48MiB"]
        self.ends("memory that ends meanwhile", bounded, NO_MEMORY)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--callbacks", type=int, default=300_000)
    options.add_argument("--sanitized", action="store_true", help="of the program: it does not count its memory")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="loopsim-compact-") as folder:
        checks = Checks(arguments.program, arguments.callbacks, Path(folder))
        checks.written_and_read()
        checks.cut_short(not arguments.sanitized)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())

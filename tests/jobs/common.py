"""Shared parts of the tests of the job files: a sweep, its unsharded result, and a wrapper of loopsim that can make shards fail."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
JOBS = ROOT / "tools" / "jobs"
SHARDS = 3

SCENARIO = {
    "title": "A timer beside work of random length",
    "params": {"pause": "1ms", "threads": 4},
    "runtime": {"profile": "node-24", "threadpool": "$threads"},
    "main": [
        {"setTimeout": 10, "as": "timer", "do": [{"log": "timer"}]},
        {"repeat": 6, "do": [{"fs": "read", "takes": {"exponential": "5ms"}, "as": "read", "do": [{"cpu": "$pause"}]}]},
    ],
}

# A wrapper that logs its arguments and executes loopsim. The shard named in the file `failing` exits with status 3;
# with a file `dying`, every shard is killed after the number of seconds in it.
WRAPPER = """#!/bin/sh
here=$(dirname "$0")
printf '%s\\n' "$*" >>"$here/calls"
if [ -e "$here/failing" ]; then
  case " $* " in *" --shard $(cat "$here/failing") "*) exit 3 ;; esac
fi
if [ -e "$here/dying" ]; then
  case " $* " in *" --shard "*) exec timeout -s KILL "$(cat "$here/dying")" '{program}' "$@" ;; esac
fi
exec '{program}' "$@"
"""


class SweepCase(unittest.TestCase):
    """A folder with a scenario, the result `whole.csv` of an unsharded sweep, and the wrapper."""

    program: Path

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="loopsim-jobs-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        scenario = self.folder / "it's a {1} scenario.json"  # needs quoting in the shell and in GNU parallel
        scenario.write_text(json.dumps(SCENARIO))
        self.sweep = [scenario.name, "--vary", "pause=0ms,1ms,2500us", "--vary", "threads=1:4:1", "--replications", "3"]
        done = subprocess.run([self.program, "sweep", *self.sweep, "-o", "whole.csv"], cwd=self.folder, capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.whole = (self.folder / "whole.csv").read_bytes()
        self.assertGreater(self.whole.count(b"\n"), 3 * 4)
        self.loopsim = self.folder / "bin" / "loopsim"
        self.loopsim.parent.mkdir()
        self.loopsim.write_text(WRAPPER.format(program=self.program))
        self.loopsim.chmod(0o755)
        self.environment = {"LOOPSIM": str(self.loopsim)}

    def fail_shard(self, number: int | None) -> None:
        failing = self.loopsim.parent / "failing"
        failing.unlink(missing_ok=True)
        if number is not None:
            failing.write_text(f"{number}/{SHARDS}")

    def calls(self) -> list[str]:
        """Returns the command lines of loopsim since the last call."""
        path = self.loopsim.parent / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def shards(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("*.shard-*") if not path.name.startswith("."))

    def shard_name(self, number: int) -> str:
        return f"result.shard-{number}-of-{SHARDS}.csv"

    def assert_merged(self) -> None:
        self.assertEqual((self.folder / "result.csv").read_bytes(), self.whole)
        self.assertEqual((self.shards(), (self.folder / "result.csv.shards").exists()), ([], False))


def skip(name: str, reason: str) -> int:
    print(f"skipped: {name}, {reason}")
    return 77

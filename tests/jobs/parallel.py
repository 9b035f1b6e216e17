#!/usr/bin/env python3
"""Tests tools/jobs/sweep-parallel: a sweep in shards with GNU parallel.

    parallel.py --program build/loopsim

Requires GNU parallel; exit status 77 if it is missing.
"""

import argparse
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import JOBS, SHARDS, SweepCase, skip  # noqa: E402


class Parallel(SweepCase):
    def run_shards(self, *arguments):
        return subprocess.run([JOBS / "sweep-parallel", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, env={**os.environ, **self.environment})

    def test_the_shards_and_their_merge_give_the_bytes_of_one_sweep(self):
        done = self.run_shards("-o", "result.csv", "--shards", str(SHARDS), "--at-once", "2", "--summary", "sums.csv", "--", *self.sweep)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater((self.folder / "sums.csv").read_text().count("\n"), 3 * 4)
        self.assert_merged()
        ran = sorted(call.split(" --shard ")[1].split(" ")[0] for call in self.calls() if " --shard " in call)
        self.assertEqual(ran, [f"{number}/{SHARDS}" for number in range(1, SHARDS + 1)])

    def test_machines_can_be_named(self):  # ":" is GNU parallel's name of the local machine: no ssh
        done = self.run_shards("-o", "result.csv", "--shards", str(SHARDS), "--sshlogin", "2/:", "--", *self.sweep)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_merged()

    def test_more_shards_than_ten_are_merged_in_order(self):
        done = self.run_shards("-o", "result.csv", "--shards", "11", "--", *self.sweep, "-j", "2")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([call for call in self.calls() if "--jobs" in call], [])  # -j gives the threads
        self.assert_merged()

    def test_after_a_failure_the_same_command_runs_what_is_missing(self):
        command = ["-o", "result.csv", "--shards", str(SHARDS), "--at-once", "1", "--", *self.sweep]
        self.fail_shard(2)
        done = self.run_shards(*command)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("sweep-parallel: a shard failed, and nothing was merged; the same command runs what is missing\n", done.stderr)
        self.assertFalse((self.folder / "result.csv").exists())
        self.assertEqual(self.shards(), [self.shard_name(1)])
        self.calls()

        self.fail_shard(None)
        done = self.run_shards(*command)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_merged()
        self.assertEqual([call for call in self.calls() if " --shard " in call and f" --shard 1/{SHARDS} " in call], [])

    def test_shards_can_be_kept(self):
        self.environment["LOOPSIM_KEEP_SHARDS"] = "1"
        done = self.run_shards("-o", "result.csv", "--shards", str(SHARDS), "--", *self.sweep)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.shards(), [self.shard_name(number) for number in range(1, SHARDS + 1)])

    def test_killed_shards_go_on_where_they_were(self):
        sweep = [*self.sweep[:-1], "3000"]
        whole = subprocess.run([self.program, "sweep", *sweep], cwd=self.folder, capture_output=True, timeout=120, check=True).stdout
        command = ["-o", "result.csv", "--shards", "2", "--at-once", "1", "--", *sweep]
        dying = self.loopsim.parent / "dying"
        for attempt in range(8):
            dying.write_text(str(0.1 * 2**attempt))
            done = self.run_shards(*command)
            begun = [path for path in self.folder.glob("*.partial") if path.stat().st_size > 100_000]
            if done.returncode == 0 or begun:
                break
        self.assertEqual((done.returncode, len(begun)), (1, 1), done.stdout + done.stderr)
        dying.unlink()
        done = self.run_shards(*command)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((self.folder / "result.csv").read_bytes(), whole)
        self.assertEqual(self.shards(), [])

    def test_shards_of_another_sweep_are_not_used(self):
        self.fail_shard(2)
        other = [word.replace("2500us", "3ms") for word in self.sweep]
        command = ["-o", "result.csv", "--shards", str(SHARDS), "--"]
        self.assertEqual(self.run_shards(*command, *other).returncode, 1)
        self.fail_shard(None)
        done = self.run_shards(*command, *self.sweep)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_merged()

    def test_a_wrong_sweep_is_not_begun(self):
        done = self.run_shards("-o", "result.csv", "--shards", "2", "--", self.sweep[0], "--vary", "no_such_param=1,2")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("no_such_param", done.stderr)
        self.assertEqual([call for call in self.calls() if " --shard " in call], [])

    def test_usage(self):
        for arguments, message in [
            ((), "which file? -o OUTPUT (see --help)"),
            (("-o", "result.csv", "--", "x"), "how many shards? --shards N, a whole number from 1 to 99999"),
            (("-o", "result.csv", "--shards", "2"), "which sweep? -- FILE --vary NAME=SPEC ... (see --help)"),
            (("-o", "none/result.csv", "--shards", "2", "--", "x"), "there is no folder for none/result.csv"),
            (("-o", "result.csv", "--shards", "2", "--", "x", "--plot-histogram", "x.svg"),
             "a shard has no summary and no plot: --summary and --plot stand before --"),
            (("-o", "result.csv", "--shards", "2", "--", "x", "--summary", "-"),
             "a shard has no summary and no plot: --summary and --plot stand before --"),
            (("-o", "result.csv", "--shards", "2", "--", "-"), "standard input has nothing for several shards: name a file"),
            (("result.csv",), "unknown argument result.csv; what loopsim sweep takes follows -- (see --help)"),
        ]:
            done = self.run_shards(*arguments)
            self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (2, f"sweep-parallel: {message}"))
        self.assertIn("--sshlogin LIST", self.run_shards("--help").stdout)


def main():
    parser = argparse.ArgumentParser(description="Tests a sweep with GNU parallel.")
    parser.add_argument("--program", type=Path, required=True, help="the built loopsim")
    options, rest = parser.parse_known_args()
    SweepCase.program = options.program.resolve()
    try:
        version = subprocess.run(["parallel", "--version"], capture_output=True, text=True, timeout=60).stdout
    except OSError:
        version = ""
    if not version.startswith("GNU parallel"):
        return skip("jobs.parallel", "no GNU parallel; Debian's package is parallel")
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Tests the Slurm job array of tools/jobs on a temporary cluster of one node on the loopback interface.

    slurm.py --program build/loopsim

Requires Debian's slurm-wlm and munge; exit status 77 if they are missing or do not start.
"""

import argparse
import signal
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from cluster import Cluster, Unavailable, missing  # noqa: E402
from common import JOBS, SHARDS, SweepCase, skip  # noqa: E402

CLUSTER = None
PATIENCE = 120  # seconds for a sweep; sbatch --wait polls every few seconds


class Slurm(SweepCase):
    def submit(self, *arguments, program=JOBS / "submit-sweep"):
        done = CLUSTER.run(program, *arguments, cwd=self.folder, timeout=PATIENCE, environment=self.environment)
        self.addCleanup(CLUSTER.run, "scancel", "--user", str(CLUSTER.user))
        return done

    def wait_for_the_queue(self):
        end = time.monotonic() + PATIENCE
        while (queue := CLUSTER.run("squeue", "--noheader").stdout) and time.monotonic() < end:
            time.sleep(0.2)
        self.assertEqual(queue, "", self.logs())

    def logs(self):
        return "\n".join(f"--- {path.name}\n{path.read_text()}" for path in sorted(self.folder.glob("loopsim-*.log"))) + CLUSTER.logs()

    def test_the_array_and_its_merge_give_the_bytes_of_one_sweep(self):
        done = self.submit("-o", "result.csv", "--shards", str(SHARDS), "--wait", "--summary", "sums.csv", "--", *self.sweep)
        self.assertEqual(done.returncode, 0, done.stderr + self.logs())
        self.assertGreater((self.folder / "sums.csv").read_text().count("\n"), 3 * 4)
        self.assertRegex(done.stdout, rf"\njob \d+: sweep, {SHARDS} shards\njob \d+: merge into {self.folder.resolve()}/result.csv\n\Z")
        self.assert_merged()
        ran = sorted(call.split(" --shard ")[1].split(" ")[0] for call in self.calls() if " --shard " in call)
        self.assertEqual(ran, [f"{number}/{SHARDS}" for number in range(1, SHARDS + 1)])

    def test_without_waiting_the_merge_waits_for_the_array(self):
        self.submit("-o", "result.csv", "--shards", str(SHARDS), "--", *self.sweep)
        self.wait_for_the_queue()
        self.assert_merged()

    def test_a_merge_whose_shard_failed_leaves_the_queue(self):
        self.fail_shard(3)
        self.submit("-o", "result.csv", "--shards", str(SHARDS), "--", *self.sweep)
        self.wait_for_the_queue()
        self.assertFalse((self.folder / "result.csv").exists())
        self.assertEqual(self.shards(), [self.shard_name(1), self.shard_name(2)])

    def test_after_a_failure_the_same_command_runs_what_is_missing(self):
        command = ["-o", "result.csv", "--shards", str(SHARDS), "--wait", "--", *self.sweep]
        self.fail_shard(2)
        done = self.submit(*command)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"submit-sweep: a shard failed: loopsim-sweep-\d+-\*\.log; the same command runs what is missing\n")
        self.assertFalse((self.folder / "result.csv").exists())
        self.assertEqual(self.shards(), [self.shard_name(1), self.shard_name(3)])
        self.calls()

        self.fail_shard(None)
        done = self.submit(*command)
        self.assertEqual(done.returncode, 0, done.stderr + self.logs())
        self.assert_merged()
        self.assertEqual([call for call in self.calls() if " --shard " in call and f" --shard 2/{SHARDS} " not in call], [])

    def test_shards_of_another_sweep_are_not_used(self):
        self.fail_shard(2)
        other = [word.replace("2500us", "3ms") for word in self.sweep]
        command = ["-o", "result.csv", "--shards", str(SHARDS), "--wait", "--"]
        self.assertEqual(self.submit(*command, *other).returncode, 1)
        self.fail_shard(None)
        done = self.submit(*command, *self.sweep)
        self.assertEqual(done.returncode, 0, done.stderr + self.logs())
        self.assert_merged()

    def test_a_wrong_sweep_is_not_submitted(self):
        done = self.submit("-o", "result.csv", "--shards", "2", "--", self.sweep[0], "--vary", "no_such_param=1,2")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("no_such_param", done.stderr)
        self.assertEqual(CLUSTER.run("squeue", "--noheader").stdout, "")

    def test_usage(self):
        for arguments, message in [
            ((), "which file? -o OUTPUT (see --help)"),
            (("-o", "result.csv", "--", "x"), "how many shards? --shards N, a whole number from 1 to 99999"),
            (("-o", "result.csv", "--shards", "0", "--", "x"), "how many shards? --shards N, a whole number from 1 to 99999"),
            (("-o", "result.csv", "--shards", "2"), "which sweep? -- FILE --vary NAME=SPEC ... (see --help)"),
            (("-o", "none/result.csv", "--shards", "2", "--", "x"), "there is no folder for none/result.csv"),
            (("-o", "result.csv", "--shards", "2", "--", "x", "--plot-histogram", "x.svg"),
             "a shard has no summary and no plot: --summary and --plot stand before --"),
            (("-o", "result.csv", "--shards", "2", "--", "x", "--summary", "-"),
             "a shard has no summary and no plot: --summary and --plot stand before --"),
            (("-o", "result.csv", "--shards", "2", "--", "-"), "standard input has nothing for several shards: name a file"),
            (("result.csv",), "unknown argument result.csv; what loopsim sweep takes follows -- (see --help)"),
        ]:
            done = self.submit(*arguments)
            self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (2, f"submit-sweep: {message}"))
        self.assertIn("--shards N", self.submit("--help").stdout)


def main():
    global CLUSTER
    parser = argparse.ArgumentParser(description="Tests the Slurm job array.")
    parser.add_argument("--program", type=Path, required=True, help="the built loopsim")
    options, rest = parser.parse_known_args()
    SweepCase.program = options.program.resolve()
    if missing():
        return skip("jobs.slurm", f"no {', '.join(missing())}; Debian's packages are slurm-wlm and munge")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the cluster is cleaned up
    try:
        with Cluster() as CLUSTER:
            return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1
    except Unavailable as reason:
        print(reason)
        return skip("jobs.slurm", "a cluster does not start here; its log is above")


if __name__ == "__main__":
    sys.exit(main())

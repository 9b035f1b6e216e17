#!/usr/bin/env python3
"""Tests sweeps: the same bytes on any number of threads, in shards, killed and resumed; and the messages for refused requests.

usage: tests/study/sweeps.py --program PROGRAM [TEST...]
"""

import argparse
import csv
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIO = os.path.join(HERE, "scenarios", "timer.json")
QUEUE = os.path.join(HERE, "scenarios", "queue.json")
PROGRAM = ""
FORMATS = ["csv", "jsonl", "sqlite"]
PLAIN = ["--vary", "read_time=80:100:4", "--vary", "busy=5ms,10ms", "--replications", "13"]
STOPPING = ["--vary", "read_time=90:100:5", "--vary", "busy=0ms,10ms", "--until-half-width", "20%", "--replications", "200"]


class Sweeps(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="loopsim-sweeps-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_program(self, *words, status=0, **options):
        options.setdefault("timeout", 120)
        done = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=self.folder, **options)
        self.assertEqual(done.returncode, status, f"{words}: {done.stderr.decode()}")
        return done

    def sweep(self, *words, **options):
        return self.run_program("sweep", SCENARIO, *words, **options)

    def errors(self, *words, status=2, **options):
        done = self.run_program(*words, status=status, **options)
        self.assertEqual(done.stdout, b"")
        return done.stderr.decode()

    def file(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def rows(self, name):
        with open(self.path(name), newline="") as file:
            return list(csv.DictReader(file))

    # ---- steady state, differences -----------------------------------------------------------------------------------

    OVERLOAD = ["--vary", "rate=80,400", "--vary", "until=2000,3000", "-n", "6", "-m", "pool_waiting_mean"]

    def test_overload_is_told_and_is_the_same_in_shards(self):
        self.run_program("sweep", QUEUE, *self.OVERLOAD, "-o", "rows.csv", "--summary", "whole.csv", "--compare", "until=2000")
        whole = self.rows("whole.csv")
        self.assertEqual([row["steady_state"] for row in whole], ["yes", "yes", "no", "no"])
        self.assertEqual([row["growing"] for row in whole], ["", "", "pool_waiting", "pool_waiting"])
        self.assertEqual([row["halves_differ"] for row in whole[2:]], ["pool_waiting", "pool_waiting"])
        rows = self.rows("rows.csv")
        for point in range(4):
            growing = [row["growing"] for row in rows if row["point"] == str(point)]
            self.assertGreater(sum(word == ("none" if point < 2 else "pool_waiting") for word in growing), 3, growing)
        # At a load of 2 the second half waits three times as long, and a run of 3 s half as long again as one of 2 s.
        for row in rows:
            if row["rate"] == "400":
                ratio = float(row["pool_waiting_second_half"]) / float(row["pool_waiting_first_half"])
                self.assertTrue(2 < ratio < 4.5, ratio)
        self.assertAlmostEqual(float(whole[3]["pool_waiting_mean.mean"]) / float(whole[2]["pool_waiting_mean.mean"]), 1.5, delta=0.2)

        for number in ["1", "2"]:
            said = self.run_program("sweep", QUEUE, *self.OVERLOAD, "--shard", number + "/2", "-o", number).stderr.decode()
            self.assertIn("not in steady state: pool_waiting still grows at the end of the run", said)
        said = self.run_program("merge", "2", "1", "-o", "merged.csv").stderr.decode()
        self.assertEqual(said, "loopsim: at 2 of 4 points not in steady state: pool_waiting still grows at the end of the run (overload; "
                               "column growing). The figures depend on the length of the run\n")
        self.assertEqual(self.file("merged.csv"), self.file("rows.csv"))
        said = self.run_program("merge", "1", "2", "-o", "merged.csv", "--summary", "parts.csv", "--compare", "until=2000").stderr
        self.assertEqual(said, b"")
        self.assertEqual(self.file("parts.csv"), self.file("whole.csv"))

    def test_overload_of_runs_made_earlier(self):
        whole = self.run_program("sweep", QUEUE, *self.OVERLOAD, "-f", "table").stdout
        self.assertIn(b"no: pool_waiting grows", whole)
        shard = ["sweep", QUEUE, *self.OVERLOAD, "--shard", "1/1", "-o", "all", "--summary", "table.txt", "--resume"]
        self.run_program(*shard)
        self.assertEqual(self.file("table.txt"), whole)
        os.remove(self.path("table.txt"))
        self.assertIn(b"is finished, and of this sweep", self.run_program(*shard).stderr)
        self.assertEqual(self.file("table.txt"), whole)
        with open(self.path("all"), "rb") as file:  # half of the runs are in a journal
            lines = file.read().splitlines(keepends=True)
        with open(self.path("all.partial"), "wb") as file:
            file.writelines(lines[:13])
        os.remove(self.path("all"))
        self.run_program(*shard)
        self.assertEqual(self.file("table.txt"), whole)
        self.assertEqual(self.file("all"), b"".join(lines))

    def test_warnings_of_overload_can_be_kept_quiet(self):
        words = ["sweep", QUEUE, "--set", "rate=400", "-o", "rows.csv"]
        self.assertEqual(self.run_program(*words).stderr.decode(),
                         "loopsim: not in steady state: pool_waiting still grows at the end of the run (overload; column growing). "
                         "The figures depend on the length of the run\n")
        self.assertEqual(self.run_program(*words, "--no-warnings").stderr, b"")

    def test_what_ends_by_itself_is_no_overload(self):
        for words in [["--vary", "read_time=80:100:4", "-n", "13"], ["-n", "1"]]:
            table = self.sweep(*words, "-f", "table").stdout.decode()
            self.assertNotIn("steady", table)
        self.sweep("--vary", "read_time=80:100:4", "-n", "13", "-o", "rows.csv", "--summary", "summary.csv")
        self.assertEqual({row["growing"] for row in self.rows("rows.csv")}, {""})
        self.assertEqual({row["steady_state"] for row in self.rows("summary.csv")}, {""})

    def test_differences_are_those_of_pairs(self):
        """Mean and interval of the differences, from the rows by the textbook; narrower than the two intervals say."""
        self.sweep("--vary", "busy=5ms,10ms", "--vary", "read_time=90,95", "-n", "20", "-m", "timer.lateness_mean", "-o", "rows.csv",
                   "--summary", "summary.csv", "--compare", "busy=5ms")
        rows, summary = self.rows("rows.csv"), self.rows("summary.csv")
        lateness = [[float(row["timer.lateness_mean"]) for row in rows if row["point"] == str(point)] for point in range(4)]
        for point in [2, 3]:
            differences = [a - b for a, b in zip(lateness[point], lateness[point - 2])]
            mean = statistics.mean(differences)
            half = 2.0930240544 * statistics.stdev(differences) / 20 ** 0.5  # t(19), 95 %
            self.assertAlmostEqual(float(summary[point]["timer.lateness_mean.difference"]), mean)
            self.assertAlmostEqual(float(summary[point]["timer.lateness_mean.difference_half_width"]), half)
            self.assertEqual(summary[point]["timer.lateness_mean.difference_runs"], "20")
            own = [float(summary[i]["timer.lateness_mean.half_width"]) for i in (point, point - 2)]
            self.assertLess(half, (own[0] ** 2 + own[1] ** 2) ** 0.5)
        for point in [0, 1]:
            self.assertEqual(summary[point]["timer.lateness_mean.difference"], "")
        table = self.sweep("--vary", "busy=5ms,10ms", "-n", "20", "-f", "table", "--compare", "busy=5ms").stdout.decode()
        self.assertRegex(table, r"\ndifference from busy=5ms\nbusy  pairs .*\n10ms     20  +\+")

    # ---- the same bytes --------------------------------------------------------------------------------------------------

    def test_any_number_of_threads(self):
        for matrix in [PLAIN, STOPPING]:
            for form in FORMATS:
                with self.subTest(form=form, matrix=matrix):
                    for jobs in ["1", "2", "5"]:
                        self.sweep(*matrix, "--jobs", jobs, "--format", form, "-o", jobs)
                    self.assertEqual(self.file("1"), self.file("2"))
                    self.assertEqual(self.file("1"), self.file("5"))
                    if form != "sqlite":
                        self.assertEqual(self.sweep(*matrix, "--format", form).stdout, self.file("1"))

    def test_shards(self):
        for matrix in [PLAIN, STOPPING]:
            for form in FORMATS:
                with self.subTest(form=form, matrix=matrix):
                    self.sweep(*matrix, "--format", form, "-o", "whole", "--summary", "whole.csv")
                    for count in [1, 3]:
                        shards = [f"{count}-{number}" for number in range(1, count + 1)]
                        for number, name in enumerate(shards, 1):
                            self.sweep(*matrix, "--format", form, "--shard", f"{number}/{count}", "-o", name)
                        self.run_program("merge", *reversed(shards), "-o", "merged", "--summary", "merged.csv")
                        self.assertEqual(self.file("whole"), self.file("merged"))
                        self.assertEqual(self.file("whole.csv"), self.file("merged.csv"))

    def test_shards_in_another_format(self):
        self.sweep(*PLAIN, "--format", "jsonl", "-o", "whole")
        for number in ["1", "2"]:
            self.sweep(*PLAIN, "--shard", f"{number}/2", "-o", number)
        self.assertEqual(self.run_program("merge", "1", "2", "--format", "jsonl").stdout, self.file("whole"))

    def test_shards_are_balanced(self):
        sizes = []
        for number in range(1, 5):
            self.sweep("--replications", "103", "--shard", f"{number}/4", "-o", "shard")
            sizes.append(self.file("shard").count(b"\n") - 2)
        self.assertEqual(sorted(sizes), [25, 26, 26, 26])

    def test_killed_and_resumed(self):
        matrix = ["--vary", "read_time=80:100:4", "--vary", "rounds=200,300", "--replications", "200"]
        for stopping in [[], ["--until-half-width", "0.1%"]]:
            with self.subTest(stopping=stopping):
                words = [*matrix, *stopping, "--jobs", "2"]
                self.sweep(*words, "-o", "whole")
                kills = 0
                for _ in range(6):
                    process = subprocess.Popen([PROGRAM, "sweep", SCENARIO, *words, "--resume", "-o", "killed"], cwd=self.folder)
                    before = self.journal_size("killed")
                    while process.poll() is None and self.journal_size("killed") < before + 200_000:
                        time.sleep(0.005)
                    if process.poll() is None:
                        process.kill()
                        kills += 1
                    process.wait()
                    if os.path.exists(self.path("killed")):
                        break
                    # As if the machine had stopped in the middle of a write.
                    with open(self.path("killed.partial"), "ab") as journal:
                        journal.write(b'[17,0,17,"torn')
                self.assertGreater(kills, 0, "the sweep was too quick to be killed")
                if not os.path.exists(self.path("killed")):
                    self.sweep(*words, "--resume", "-o", "killed")
                self.assertEqual(self.file("whole"), self.file("killed"))
                self.assertFalse(os.path.exists(self.path("killed.partial")))
                os.remove(self.path("killed"))

    def journal_size(self, name):
        try:
            return os.path.getsize(self.path(name + ".partial"))
        except FileNotFoundError:
            return 0

    def unfinished(self, name, *words, rows=40):
        """Leaves the journal of a killed sweep with so many rows."""
        self.sweep(*words, "--shard", "1/1", "-o", name)
        lines = self.file(name).splitlines(True)
        os.remove(self.path(name))
        with open(self.path(name + ".partial"), "wb") as journal:
            journal.writelines(lines[:1] + lines[rows:0:-1])  # rows are in any order there

    def test_resume_runs_only_what_is_missing(self):
        self.sweep(*PLAIN, "--shard", "1/1", "-o", "whole")
        self.unfinished("part", *PLAIN)
        # Existing rows are used without change: a modified row remains.
        journal = self.file("part.partial")
        self.assertIn(b'"loop_empty"', journal)
        with open(self.path("part.partial"), "wb") as file:
            file.write(journal.replace(b'"loop_empty"', b'"from the journal"'))
        self.sweep(*PLAIN, "--shard", "1/1", "--resume", "-o", "part")
        resumed = self.file("part")
        self.assertEqual(resumed.count(b'"from the journal"'), 40)
        self.assertEqual(resumed.replace(b'"from the journal"', b'"loop_empty"'), self.file("whole"))

    def test_a_shard_that_is_finished(self):
        for matrix in [PLAIN, STOPPING]:
            with self.subTest(matrix=matrix):
                words = [*matrix, "--shard", "2/3"]
                said = self.sweep(*words, "-o", "shard", "--summary", "summary.csv").stderr
                before, inode = self.file("shard"), os.stat(self.path("shard")).st_ino
                done = self.sweep(*words, "-o", "shard", "--resume", "--summary", "again.csv")
                self.assertEqual((done.stdout, done.stderr),
                                 (b"", b"loopsim: shard is finished, and of this sweep: nothing is run\n" + said))
                self.assertEqual((self.file("shard"), os.stat(self.path("shard")).st_ino), (before, inode))
                self.assertEqual(self.file("again.csv"), self.file("summary.csv"))
                self.assertFalse(os.path.exists(self.path("shard.partial")))

    def test_a_finished_shard_of_another_sweep(self):
        self.sweep(*PLAIN, "--shard", "1/2", "-o", "shard")
        before = self.file("shard")
        for words, difference in [
                (["--shard", "2/2"], "shard is [1,2] there, [2,2] here"),
                (["--shard", "1/2", "--seed", "5"], "seed is 0 there, 5 here"),
                (["--shard", "1/2", "--warm-up", "1ms"], "warm_up is 0 there, 1000000 here")]:
            with self.subTest(words=words):
                self.assertEqual(self.errors("sweep", SCENARIO, *PLAIN, *words, "--resume", "-o", "shard"),
                                 f"loopsim: shard is not of this sweep: {difference}. To begin anew, remove that file\n")
                self.assertEqual(self.file("shard"), before)
        self.sweep(*PLAIN, "-o", "rows.csv")
        self.assertEqual(self.errors("sweep", SCENARIO, *PLAIN, "--shard", "1/2", "--resume", "-o", "rows.csv"),
                         "loopsim: rows.csv is not of this sweep: it is no sweep. To begin anew, remove that file\n")
        self.assertEqual(sorted(os.listdir(self.folder)), ["rows.csv", "shard"])

    def test_a_shard_that_is_not_whole_is_made_again(self):
        words = [*PLAIN, "--shard", "3/3"]
        self.sweep(*words, "-o", "shard")
        whole = self.file("shard")
        lines = whole.splitlines(True)
        for content, problem in [
                (whole[:-20], "shard is not finished"),
                (b"".join(lines[:10] + lines[11:]), "shard has 51 rows instead of 52"),
                (b"".join(lines[:10] + lines[11:-1]) + b'{"end":51}\n', "shard has 51 rows instead of 52"),
                (b"".join(lines[:5] + [b"nonsense\n"] + lines[5:]), "line 6 of shard is no row of a sweep, or not in order")]:
            with self.subTest(problem=problem):
                with open(self.path("shard"), "wb") as file:
                    file.write(content)
                done = self.sweep(*words, "--resume", "-o", "shard")
                self.assertEqual(done.stderr.decode(), f"loopsim: {problem}: it is made again\n")
                self.assertEqual(self.file("shard"), whole)

    def test_rows_that_are_finished_are_not_resumed(self):
        for form in FORMATS:
            with self.subTest(form=form):
                words = [*PLAIN, "--format", form, "--resume", "-o", "rows"]
                self.sweep(*words)
                with open(self.path("rows"), "ab") as file:
                    file.write(b"mine")
                before = self.file("rows")
                text = self.errors("sweep", SCENARIO, *words)
                self.assertEqual(text, "loopsim: there is nothing to resume: rows is there, and no journal rows.partial. Rows do not "
                                       "tell which sweep they are all of; to run it again, leave out --resume or remove rows\n")
                self.assertEqual(self.file("rows"), before)
                self.assertFalse(os.path.exists(self.path("rows.partial")))
                self.sweep(*PLAIN, "--format", form, "-o", "rows")
                self.assertEqual(self.file("rows") + b"mine", before)
                os.remove(self.path("rows"))
        open(self.path("empty"), "w").close()  # as mktemp leaves it
        self.sweep(*PLAIN, "--resume", "-o", "empty")
        self.assertNotEqual(self.file("empty"), b"")

    # ---- what is refused -------------------------------------------------------------------------------------------------

    def test_a_journal_in_the_way(self):
        self.unfinished("rows", *PLAIN)
        self.assertEqual(self.errors("sweep", SCENARIO, *PLAIN, "--shard", "1/1", "-o", "rows"),
                         "loopsim: an earlier sweep was not finished: rows.partial has its runs. --resume goes on with it; "
                         "to begin anew, remove that file\n")
        for words, difference in [
                (["--replications", "14"], "replications is 13 there, 14 here"),
                (["--seed", "5"], "seed is 0 there, 5 here"),
                (["--warm-up", "1ms"], "warm_up is 0 there, 1000000 here"),
                (["--shard", "2/2"], "shard is [1,1] there, [2,2] here"),
                (["--set", "rounds=2"], 'set is [] there, [["rounds","2"]] here')]:
            with self.subTest(words=words):
                shard = [] if "--shard" in words else ["--shard", "1/1"]
                matrix = PLAIN[:-2] if "--replications" in words else PLAIN
                self.assertEqual(self.errors("sweep", SCENARIO, *matrix, *shard, *words, "--resume", "-o", "rows"),
                                 f"loopsim: rows.partial is not of this sweep: {difference}. To begin anew, remove that file\n")
        with open(self.path("rows.partial"), "ab") as journal:
            journal.write(b"nonsense\n")
        self.assertEqual(self.errors("sweep", SCENARIO, *PLAIN, "--shard", "1/1", "--resume", "-o", "rows"),
                         "loopsim: line 42 of rows.partial is no row of a sweep, or one twice\n")
        with open(self.path("rows.partial"), "w") as journal:
            journal.write("nonsense\n")
        self.assertEqual(self.errors("sweep", SCENARIO, *PLAIN, "--resume", "-o", "rows"),
                         "loopsim: rows.partial is not of this sweep: it is no sweep. To begin anew, remove that file\n")

    def test_two_at_once(self):
        slow = ["--vary", "rounds=20000", "--replications", "50", "--jobs", "1"]
        first = subprocess.Popen([PROGRAM, "sweep", SCENARIO, *slow, "-o", "rows"], cwd=self.folder)
        while self.journal_size("rows") == 0 and first.poll() is None:
            time.sleep(0.005)
        self.assertIsNone(first.poll(), "the sweep was too quick")
        text = self.errors("sweep", SCENARIO, *slow, "--resume", "-o", "rows")
        first.kill()
        first.wait()
        self.assertEqual(text, "loopsim: another loopsim is at work on this sweep: it has locked rows.partial\n")

    def test_merge_refuses_what_does_not_fit(self):
        for number in ["1", "2", "3"]:
            self.sweep(*PLAIN, "--shard", f"{number}/3", "-o", number)
        self.sweep(*PLAIN, "--shard", "1/2", "-o", "other-count")
        self.sweep(*PLAIN, "--shard", "2/3", "--seed", "9", "-o", "other-seed")
        self.sweep(*PLAIN, "-o", "rows.csv")
        shard = self.file("3")
        with open(self.path("cut"), "wb") as file:
            file.write(shard[:-20])
        with open(self.path("short"), "wb") as file:
            lines = shard.splitlines(True)
            file.writelines(lines[:10] + lines[11:])
        for names, message in [
                (["1", "3"], "there is one shard missing: shard 2/3"),
                (["2"], "there are shards missing: shard 1/3, 3/3"),
                (["1", "2", "1"], "shard 1/3 is given twice: 1 and 1"),
                (["1", "other-count"], "1 is one of 3 shards, other-count is one of 2"),
                (["1", "other-seed", "3"], "1 and other-seed are shards of different sweeps: seed is 9 there, 0 here"),
                (["rows.csv"], "rows.csv is no shard of a sweep; loopsim sweep --shard K/N makes them"),
                (["1", "2", "cut"], "cut is not finished: run that shard again, with --resume"),
                (["1", "2", "short"], "short has 51 rows instead of 52"),
                (["none"], "could not read none: No such file or directory")]:
            with self.subTest(names=names):
                self.assertEqual(self.errors("merge", *names, "-o", "merged"), f"loopsim: {message}\n")
                self.assertFalse(os.path.exists(self.path("merged")))
        self.assertEqual(self.errors("merge", "1", "2", "3", "-o", "1"), "loopsim: the output would overwrite a shard: 1\n")

    def test_outputs_that_fail(self):
        for output in ["/dev/full", "none/rows"]:
            text = self.errors("sweep", SCENARIO, *PLAIN, "-o", output, status=4)
            self.assertRegex(text, r"\Aloopsim: could not write \S+: (No space left on device|No such file or directory)\n\Z")

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

        text = self.errors("sweep", SCENARIO, *PLAIN, "-o", "rows", status=4, preexec_fn=small_files)
        self.assertEqual(text, "loopsim: could not write rows.partial: File too large\n")
        self.sweep(*PLAIN, "--resume", "-o", "rows")
        self.sweep(*PLAIN, "-o", "whole")
        self.assertEqual(self.file("rows"), self.file("whole"))

    # ---- what rows say -----------------------------------------------------------------------------------------------------

    def test_rows_are_runs(self):
        self.sweep(*PLAIN, "--seed", "7", "-o", "rows.csv")
        rows = self.rows("rows.csv")
        self.assertEqual(len(rows), 6 * 2 * 13)
        for number, row in enumerate(rows):
            self.assertEqual(int(row["run"]), number)
            self.assertEqual((int(row["point"]), int(row["replication"])), divmod(number, 13))
        self.assertEqual([(row["read_time"], row["busy"]) for row in rows[::13]],
                         [(str(read), busy) for read in range(80, 101, 4) for busy in ["5ms", "10ms"]])
        for row in [rows[0], rows[30], rows[-1]]:  # each can be run for itself
            done = self.run_program("run", SCENARIO, "--set", f"read_time={row['read_time']}", "--set", f"busy={row['busy']}",
                                    "--seed", row["seed"], "--format", "none")
            self.assertIn(f"trace {row['trace_hash']}", done.stdout.decode())
        self.assertEqual(rows[0]["seed"], "7")
        self.assertEqual([row["seed"] for row in rows[:13]], [row["seed"] for row in rows[-13:]])
        self.assertEqual(json.loads(rows[0]["params"]), {"read_time": 80, "busy": "5ms", "rounds": 1})

    def test_the_formats_have_the_same_rows(self):
        for form in FORMATS:
            self.sweep(*PLAIN, "--format", form, "-o", "rows." + form)
        rows = self.rows("rows.csv")
        with open(self.path("rows.jsonl")) as file:
            objects = [json.loads(line) for line in file]
        database = sqlite3.connect(self.path("rows.sqlite"))
        self.addCleanup(database.close)
        cursor = database.execute("SELECT * FROM runs ORDER BY run")
        names = [column[0] for column in cursor.description]
        table = [dict(zip(names, row)) for row in cursor]
        self.assertEqual(list(rows[0]), names)
        self.assertEqual(list(objects[0]), names)
        self.assertEqual([row[0] for row in database.execute("SELECT name FROM columns")], sorted(names))
        for row, one, entry in zip(rows, objects, table, strict=True):
            for name in names:
                value = one[name]
                if name == "params":
                    self.assertEqual(json.loads(row[name]), value)
                elif value is None:
                    self.assertEqual((row[name], entry[name]), ("", None))
                elif name == "seed":  # 64 bits, which is more than a number has in many programs
                    self.assertEqual((row[name], entry[name]), (str(value), str(value)))
                elif isinstance(value, str):
                    self.assertEqual((row[name], entry[name]), (value, value))
                else:
                    self.assertEqual((float(row[name]), float(entry[name])), (value, value), name)

    def test_a_limit_is_a_row(self):
        done = self.sweep("--vary", "rounds=1,10", "--set", "/limits={\"callbacks\":12}", "-o", "rows.csv")
        rows = self.rows("rows.csv")
        self.assertEqual([(row["limit"], row["exit_reason"]) for row in rows], [("", "loop_empty"), ("callbacks", "limit")])
        self.assertEqual(done.stderr.decode(), "loopsim: 1 run reached a limit of the scenario (column limit)\n")

    def test_the_stopping_rule(self):
        self.sweep(*STOPPING, "-o", "rows.csv", "--summary", "summary.csv")
        counts = {}
        for row in self.rows("rows.csv"):
            counts[row["point"]] = counts.get(row["point"], 0) + 1
            self.assertEqual(int(row["run"]), int(row["point"]) * 200 + int(row["replication"]))
        summary = self.rows("summary.csv")
        self.assertEqual([int(point["replications"]) for point in summary], list(counts.values()))
        self.assertIn(10, counts.values())  # no noise: the first batch is enough
        for point in summary:
            mean, half = float(point["timer.lateness_mean.mean"]), float(point["timer.lateness_mean.half_width"])
            self.assertTrue(half <= 0.2 * mean or point["replications"] == "200", point)

    def test_the_summary(self):
        done = self.sweep("--vary", "read_time=95", "--replications", "5", "--metric", "timer.latency_mean", "--metric", "turns",
                          "-o", "rows.csv", "--summary", "-")
        values = [float(row["timer.latency_mean"]) for row in self.rows("rows.csv")]
        mean = sum(values) / 5
        half = 2.7764451 * (sum((value - mean) ** 2 for value in values) / 4 / 5) ** 0.5
        head, line, empty, legend = done.stderr.decode().splitlines()
        self.assertEqual((empty, legend), ("", "mean over the runs ± half the width of its 95 % confidence interval"))
        self.assertEqual(head.split(), ["read_time", "runs", "timer.latency_mean", "(ms)", "turns"])
        found = re.fullmatch(r" +95 +5 +([\d.]+) ± ([\d.]+) +[\d.]+ ± [\d.]+", line)
        self.assertIsNotNone(found, line)
        self.assertAlmostEqual(float(found.group(1)), mean, delta=0.051 * half)
        self.assertAlmostEqual(float(found.group(2)), half, delta=0.051 * half)

    def test_the_order_of_callbacks(self):
        self.sweep("--vary", "read_time=80,110", "--vary", "rounds=1,400", "--set", "busy=0ms", "--order", "-o", "rows.csv")
        rows = self.rows("rows.csv")
        self.assertEqual(list(rows[0])[-1], "order")
        self.assertEqual([rows[0]["order"], rows[2]["order"]], ["read timer", "timer read"])
        self.assertEqual(rows[3]["order"], " ".join(["timer"] * 166 + ["..."]))  # 1000 bytes, and not one name more

    def test_replications_that_are_all_the_same(self):
        file = self.path("fixed.json")
        with open(file, "w") as document:
            json.dump({"params": {"time": 5}, "main": [{"setTimeout": "$time", "as": "timer", "do": []}]}, document)
        words = ["sweep", file, "--vary", "time=5,6"]
        warning = b"loopsim: nothing in this scenario is random: the replications of a point are all the same run\n"
        plain = self.run_program(*words, "-n", "3")
        self.assertEqual((plain.stdout.count(b"\n"), plain.stderr), (7, warning))
        for more, said in [
                ([], b""), (["-n", "3", "--no-warnings"], b""),
                (["-n", "3", "--dry-run"], warning),
                (["-n", "3", "--set", "/machine={\"startup\":\"1ms\"}"], warning),
                (["-n", "3", "--set", "/machine={\"startup\":{\"exponential\":\"1ms\"}}"], b""),
                (["-n", "3", "--vary", "/main/0/setTimeout=5,{\"exponential\":\"1ms\"}"],
                 b"<command line>: warning: /params/time: nothing uses the param \"time\" (as \"$time\")\n")]:
            with self.subTest(more=more):
                self.assertEqual(self.run_program(*words, *more).stderr, said)

    # ---- plots -----------------------------------------------------------------------------------------------------------

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_a_plot(self):
        title = ["--set", '/title="It\'s <b> & \\"c\\""']
        self.sweep(*PLAIN, *title, "-o", "rows", "--plot", "plot.svg")
        picture = xml.etree.ElementTree.fromstring(self.file("plot.svg"))
        texts = [text.strip() for element in picture.iter() for text in element.itertext() if text.strip()]
        for text in ['It\'s <b> & "c"', "read_time", "timer.lateness_mean (ms)", "busy = 5 ms", "busy = 10 ms"]:
            self.assertIn(text, texts)
        style = next(element.text for element in picture.iter() if element.tag.endswith("style"))
        self.assertIn("@media (prefers-color-scheme: dark)", style)
        colors = set(re.findall(r"(?:fill|stroke|color)\s*=\s*['\"](#[0-9a-f]{6}|rgb\([\d, ]+\))['\"]", self.file("plot.svg").decode()))
        self.assertGreater(len(colors), 4)
        for color in colors:
            self.assertIn(f'[fill="{color}"]', style)  # no color of the light theme is left
        points = [use for use in picture.iter() if use.tag.endswith("use") and use.get("transform", "").startswith("translate")]
        self.assertEqual(len(points), 12 + 2)  # and those of the key

        self.sweep(*PLAIN, *title, "-o", "rows", "--plot", "again.svg", "--jobs", "1")
        self.assertEqual(self.file("again.svg"), self.file("plot.svg"))
        for number in ["1", "2"]:
            self.sweep(*PLAIN, *title, "--shard", f"{number}/2", "-o", number)
        self.run_program("merge", "1", "2", "-o", "merged", "--plot", "merged.svg")
        self.assertEqual(self.file("merged.svg"), self.file("plot.svg"))
        self.sweep("--vary", "/runtime=node-10,node-24", "-o", "rows", "--plot", "words.svg")
        self.assertIn(b"node-10", self.file("words.svg"))

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_a_plot_of_the_histogram(self):
        title = ["--set", '/title="It\'s <b> & \\"c\\""']
        matrix = ["--vary", "read_time=80,95", "--vary", "busy=5ms,10ms", "--replications", "40", *title]
        self.sweep(*matrix, "-o", "rows.csv", "--plot-histogram", "plot.svg")
        text = self.file("plot.svg").decode()
        picture = xml.etree.ElementTree.fromstring(text)
        texts = [text.strip() for element in picture.iter() for text in element.itertext() if text.strip()]
        for word in ['It\'s <b> & "c"', "loop_delay (ms)", "share of turns (%)", "read_time = 80, busy = 5 ms",
                     "read_time = 95, busy = 10 ms", "0", "1", "10"]:
            self.assertIn(word, texts)
        style = next(element.text for element in picture.iter() if element.tag.endswith("style"))
        colors = set(re.findall(r"(?:fill|stroke|color)\s*=\s*['\"](#[0-9a-f]{6}|rgb\([\d, ]+\))['\"]", text))
        self.assertGreater(len(colors), 6)
        for color in colors:
            self.assertIn(f'[fill="{color}"]', style)

        # It is the same picture in shards, on one thread, and resumed; and the rows are those of --histogram.
        for number in ["1", "2"]:
            self.sweep(*matrix, "--histogram", "--shard", f"{number}/2", "-o", number)
        self.run_program("merge", "1", "2", "-o", "merged.csv", "--plot-histogram", "merged.svg")
        self.assertEqual(self.file("merged.svg"), self.file("plot.svg"))
        self.assertEqual(self.file("merged.csv"), self.file("rows.csv"))
        self.unfinished("part", *matrix, "--histogram")
        self.sweep(*matrix, "--resume", "-j", "1", "-o", "part", "--plot-histogram", "resumed.svg")
        self.assertEqual(self.file("resumed.svg"), self.file("plot.svg"))
        self.assertEqual(self.file("part"), self.file("rows.csv"))

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_what_the_plot_of_the_histogram_shows(self):
        """Returns the heights, parsed from the gnuplot script."""
        with open(self.path("gnuplot"), "w") as spy:
            spy.write(f"#!/bin/sh\ncat > {self.path('script')}\nexec {shutil.which('gnuplot')} {self.path('script')}\n")
        os.chmod(self.path("gnuplot"), 0o755)
        self.sweep("--vary", "read_time=80", "--replications", "50", "-o", "rows.csv", "--plot-histogram", "plot.svg",
                   env={**os.environ, "PATH": self.folder + ":" + os.environ["PATH"]})
        steps = [100, 125, 160, 200, 250, 315, 400, 500, 630, 800]
        edges = [step * 10 ** decade / 100 for decade in range(12) for step in steps]
        counts = {}
        for row in self.rows("rows.csv"):
            for bucket in row["loop_delay_histogram"].split():
                span, count = bucket.split(":")
                high = int(span.split("-")[1])
                edge = max((edge for edge in edges if edge <= high), default=0)
                counts[edge] = counts.get(edge, 0) + int(count)
        total = sum(counts.values())
        script = self.file("script").decode()
        zero, *rest = script.split("$point0 << END\n")[1].split("END\n")[0].split("\n\n")
        self.assertAlmostEqual(float(zero.split("\n")[1].split()[1]), 100 * counts.pop(0) / total)
        floor = float(zero.split()[1])
        heights = {}
        for line in "\n".join(rest).split("\n"):  # the last of several at one place is the height from there on
            if not line:
                continue
            at = float(line.split()[0]) * 1e6  # in ns
            heights[min(edges, key=lambda edge: abs(edge - at))] = float(line.split()[1])
        shown = {edge: height for edge, height in heights.items() if height > floor}
        self.assertGreater(len(counts), 5)
        for edge, count in counts.items():
            height = next(heights[at] for at in sorted(heights, reverse=True) if at <= edge)
            self.assertAlmostEqual(height, 100 * count / total, msg=edge)
        self.assertTrue(set(shown) <= set(counts), (shown, counts))

    def test_plots_of_the_histogram_that_are_refused(self):
        more = 'Try "loopsim sweep --help".\n'
        for options, message in [
                (["--vary", "rounds=1:9:1", "-o", "rows", "--plot-histogram", "plot.svg"],
                 "the plot of the histogram has a line for each point: 9 are too many, 8 can be told apart"),
                (["--shard", "1/2", "-o", "rows", "--plot-histogram", "plot.svg"],
                 "a shard has no plot of its own: loopsim merge makes it"),
                (["--plot-histogram", "-"], "the rows and the plot of the histogram cannot both go to standard output"),
                (["--vary", "rounds=1,2", "--plot", "a.svg", "--plot-histogram", "a.svg"],
                 "the plot and the plot of the histogram cannot both go to a.svg"),
                (["--output", "x.csv", "--summary", "x.csv"], "the rows and the summary cannot both go to x.csv"),
                (["--vary", "rounds=1,2", "--plot", "-"], "the rows and the plot cannot both go to standard output")]:
            with self.subTest(options=options):
                self.assertEqual(self.errors("sweep", SCENARIO, *options), f"loopsim: {message}\n{more}")
        self.sweep("--shard", "1/1", "-o", "shard")
        self.assertEqual(self.errors("merge", "shard", "-o", "rows", "--plot-histogram", "plot.svg"),
                         "loopsim: the shards have no distribution of loop_delay: loopsim sweep --distribution loop_delay keeps it\n")
        self.assertEqual(self.errors("merge", "shard", "--plot-histogram", "-"),
                         'loopsim: the rows and the plot of the histogram cannot both go to standard output\n'
                         'Try "loopsim merge --help".\n')
        self.assertEqual(os.listdir(self.folder), ["shard"])
        if not shutil.which("gnuplot"):
            return
        text = self.errors("sweep", SCENARIO, "--warm-up", "1h", "-o", "rows", "--plot-histogram", "plot.svg", status=4)
        self.assertEqual(text, "loopsim: there is no loop_delay to plot: no run has a value that counts\n")

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_plots_by_the_name_of_the_file(self):
        kinds = {"plot.svg": b"<?xml", "plot.png": b"\x89PNG", "plot.pdf": b"%PDF-", "plot.gp": b"# gnuplot",
                 "plot.csv": b"read_time,busy,"}
        words = [word for name in kinds for word in ("--plot", name)]
        self.sweep(*PLAIN, "-o", "rows", *words)
        for name, beginning in kinds.items():
            self.assertTrue(self.file(name).startswith(beginning), name)
        self.assertNotIn(b"/CreationDate (D:2", self.file("plot.pdf"))
        before = {name: self.file(name) for name in kinds}
        self.sweep(*PLAIN, "-o", "rows", *words, "--jobs", "1")
        self.assertEqual({name: self.file(name) for name in kinds}, before)
        # The script draws the picture, and the numbers are those of the summary.
        drawn = subprocess.run(["gnuplot", self.path("plot.gp")], capture_output=True, check=True).stdout
        self.assertEqual(re.sub(rb"<style>.*?</style>\n", b"", self.file("plot.svg"), flags=re.DOTALL), drawn)
        self.sweep(*PLAIN, "-m", "timer.lateness_mean", "-o", "rows", "--summary", "summary.csv")
        self.assertEqual(self.file("summary.csv"), self.file("plot.csv"))

    def test_numbers_of_a_distribution(self):
        """Without gnuplot. One timer in a run: its distribution is that of the runs' own figures."""
        matrix = ["--vary", "read_time=80,95", "--replications", "60"]
        there = {**os.environ, "PATH": self.folder}
        self.sweep(*matrix, "-o", "rows.csv", "--cdf", "timer.latency", "--plot", "cdf.csv", env=there)
        self.assertEqual(list(self.rows("rows.csv")[0])[-1], "timer.latency_histogram")
        numbers = self.rows("cdf.csv")
        self.assertEqual(list(numbers[0]), ["read_time", "low_ns", "high_ns", "count", "share", "cumulative"])
        for value in ("80", "95"):
            latencies = [round(float(row["timer.latency_mean"]) * 1e6) for row in self.rows("rows.csv") if row["read_time"] == value]
            of_value = [row for row in numbers if row["read_time"] == value]
            self.assertEqual(len(latencies), 60)
            self.assertEqual(sum(int(row["count"]) for row in of_value), 60)
            self.assertGreater(len(of_value), 10)
            for row in of_value:
                low, high = int(row["low_ns"]), int(row["high_ns"])
                self.assertLess(high - low, low / 1000)
                self.assertEqual(int(row["count"]), sum(low <= latency <= high for latency in latencies))
                self.assertAlmostEqual(float(row["cumulative"]), sum(latency <= high for latency in latencies) / 60)
                self.assertAlmostEqual(float(row["share"]), int(row["count"]) / 60)
            self.assertEqual(float(of_value[-1]["cumulative"]), 1)

        # They are the same in shards, resumed, and from the rows of each format.
        for number in ["1", "2"]:
            self.sweep(*matrix, "--distribution", "timer.latency", "--shard", f"{number}/2", "-o", number)
        self.run_program("merge", "1", "2", "-o", "merged.csv", "--cdf", "timer.latency", "--plot", "merged-cdf.csv")
        self.assertEqual(self.file("merged-cdf.csv"), self.file("cdf.csv"))
        self.assertEqual(self.file("merged.csv"), self.file("rows.csv"))
        self.unfinished("part", *matrix, "--distribution", "timer.latency")
        self.sweep(*matrix, "--resume", "-o", "part", "--ccdf", "timer.latency", "--plot", "resumed.csv")
        self.assertEqual(self.file("resumed.csv"), self.file("cdf.csv"))
        for form in FORMATS:
            self.sweep(*matrix, "-o", "saved", "--format", form, "--distribution", "timer.latency", "--distribution", "timer.latency")
            self.run_program("plot", "saved", "--histogram", "timer.latency", "-o", "again.csv", env=there)
            self.assertEqual(self.file("again.csv"), self.file("cdf.csv"), form)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_what_a_plot_of_a_distribution_shows(self):
        matrix = ["--vary", "read_time=80,95", "--replications", "60", "-o", "rows.csv"]
        self.sweep(*matrix, "--cdf", "timer.latency", "--plot", "cdf.csv", "--plot", "cdf.gp", "--plot", "cdf.svg")
        self.sweep(*matrix, "--ccdf", "timer.latency", "--plot", "ccdf.gp", "--plot", "ccdf.svg")
        texts = [text.strip() for element in xml.etree.ElementTree.fromstring(self.file("cdf.svg")).iter() for text in element.itertext()]
        for word in ["timer.latency (ms)", "cumulative share of values", "read_time = 80", "read_time = 95", "0.0", "1.0"]:
            self.assertIn(word, texts)
        self.assertIn("share of values above (logarithmic)", self.file("ccdf.svg").decode())
        for index, value in enumerate(("80", "95")):
            wanted = {round(int(row["high_ns"]) / 1e6, 6): float(row["cumulative"]) for row in self.rows("cdf.csv")
                      if row["read_time"] == value}
            for name in ("cdf", "ccdf"):
                data = self.file(f"{name}.gp").decode().split(f"$point{index} << END\n")[1].split("END\n")[0]
                drawn = {round(float(line.split()[0]), 6): float(line.split()[1]) for line in data.splitlines()}  # the last at a place
                found = {at: share for at, share in drawn.items() if at in wanted}
                self.assertGreater(len(found), 5)
                for at, share in found.items():
                    self.assertAlmostEqual(wanted[at] if name == "cdf" else max(1 - wanted[at], 0.01), share, places=6, msg=at)

    # ---- plots of saved rows --------------------------------------------------------------------------------------------

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_saved_rows_give_the_same_picture(self):
        title = ["--set", '/title="It\'s <b> & \\"c\\", 定时器"']
        for form in FORMATS:
            with self.subTest(form=form):
                self.sweep(*PLAIN, *title, "-m", "finish_time", "--format", form, "-o", "rows", "--plot", "plot.svg", "--plot", "plot.csv")
                self.run_program("plot", "rows", "-m", "finish_time", "-o", "again.svg", "-o", "again.csv")
                self.assertEqual(self.file("again.svg"), self.file("plot.svg"))
                self.assertEqual([row["finish_time.mean"] for row in self.rows("again.csv")],
                                 [row["finish_time.mean"] for row in self.rows("plot.csv")])
                self.assertEqual(self.run_program("plot", "rows", "-m", "finish_time").stdout, self.file("plot.svg"))
        self.sweep(*PLAIN, *title, "-o", "rows.csv", "--plot", "plot.svg")  # the metric of both, when none is named
        with open(self.path("rows.csv"), "rb") as rows:
            given = subprocess.run([PROGRAM, "plot", "-", "-o", self.path("again.svg")], stdin=rows, capture_output=True, check=False)
        self.assertEqual((given.returncode, given.stderr), (0, b""))
        self.assertEqual(self.file("again.svg"), self.file("plot.svg"))

    def test_saved_rows_in_other_ways(self):
        self.sweep(*PLAIN, "-o", "a.csv")
        self.sweep(*PLAIN, "--seed", "9", "-o", "b.csv", "--format", "jsonl")

        def lines(*words):
            self.run_program("plot", *words, "-o", "plot.gp")
            script = self.file("plot.gp").decode()
            names = re.findall(r"set label '([^']*)' at screen [\d.]+, screen [\d.]+ left front textcolor", script)
            return names, {name: data.split("END")[0].split() for name, data in
                           zip(names, re.findall(r"\$line\d+ << END\n(.*?END)", script, re.DOTALL))}

        names, data = lines("a.csv")
        self.assertEqual(names, ["busy = 5 ms", "busy = 10 ms"])
        names, across = lines("a.csv", "--across", "busy")
        self.assertEqual(names, [f"read_time = {value}" for value in (80, 84, 88, 92, 96, 100)])
        self.assertEqual(across["read_time = 84"][1], data["busy = 5 ms"][5])  # one mean, seen from both sides
        names, both = lines("a.csv", "b.csv")
        self.assertEqual(names, ["busy = 5 ms, a.csv", "busy = 10 ms, a.csv", "busy = 5 ms, b.csv", "busy = 10 ms, b.csv"])
        self.assertEqual(both["busy = 10 ms, a.csv"], data["busy = 10 ms"])
        self.assertNotEqual(both["busy = 10 ms, b.csv"], data["busy = 10 ms"])
        names, _ = lines("a.csv", "-m", "timer.latency_p50", "-m", "timer.latency_p99")
        self.assertEqual([name.split(" (")[0] for name in names],  # the two are the same where there is one timer
                         [f"timer.latency_{p}, busy = {busy} ms" for p in ("p50", "p99") for busy in (5, 10)])
        self.assertIn("'timer.latency (ms)'", self.file("plot.gp").decode())
        # The same file twice: lines that coincide are told.
        shutil.copy(self.path("a.csv"), self.path("c.csv"))
        names, _ = lines("a.csv", "c.csv")
        self.assertIn("busy = 5 ms, c.csv (coincides with busy = 5 ms, a.csv)", names)
        self.run_program("plot", "a.csv", "--title", "It's mine", "-o", "plot.gp")
        self.assertIn("'It''s mine'", self.file("plot.gp").decode())

    def test_saved_rows_that_cannot_be_plotted(self):
        self.sweep(*PLAIN, "-o", "a.csv")
        self.sweep("-o", "one.csv")
        self.sweep("--vary", "rounds=1,2", "-o", "other.csv")
        self.sweep("--shard", "1/1", "-o", "shard")
        for name, text in {"empty": "", "text": "no rows\n1\n", "list.jsonl": "{\n", "cut.csv": self.file("a.csv")[:-20].decode()}.items():
            with open(self.path(name), "w") as file:
                file.write(text)
        more = '\nTry "loopsim plot --help".'
        for words, message in [
                (["none.csv"], "could not read none.csv: No such file or directory"),
                (["empty"], "empty is empty"),
                (["text"], "text: these are no rows that loopsim sweep has written"),
                (["list.jsonl"], "list.jsonl:1: is no JSON object"),
                (["shard"], "shard is a shard or journal of a sweep: loopsim merge makes rows of the shards"),
                (["one.csv"], "nothing varies in the rows: a plot of means needs something to draw them against"),
                (["a.csv", "other.csv"], "a.csv and other.csv cannot be in one plot: one varies read_time, busy, the other rounds"),
                (["a.csv", "-m", "timer.latency_mena"],
                 'a.csv: there is no metric "timer.latency_mena"; did you mean "timer.latency_mean"?'),
                (["a.csv", "-m", "finish_time", "-m", "callbacks"],
                 "finish_time and callbacks cannot share an axis: one is in ms, the other is a number" + more),
                (["a.csv", "--across", "busi"],
                 '"busi" does not vary in the rows; these do: read_time, busy; did you mean "busy"?' + more),
                (["a.csv", "--cdf", "timer.latency"],
                 "a.csv: the rows have no distribution of timer.latency: loopsim sweep --distribution timer.latency keeps it"),
                (["a.csv", "--cdf", "latency", "--histogram", "latency"], "a plot shows one: --cdf, --ccdf or --histogram" + more),
                (["a.csv", "--cdf", "latency", "-m", "callbacks"],
                 "a plot shows the distribution of one thing or the means of metrics, not both" + more),
                (["a.csv", "-o", "x.bmp"], "a plot is a picture, FILE.svg, FILE.png or FILE.pdf, its numbers, FILE.csv, or its gnuplot "
                 'script, FILE.gp, not "x.bmp"' + more),
                (["a.csv", "-o", "a.csv"], "the plot would overwrite the rows: a.csv")]:
            with self.subTest(words=words):
                output = [] if "-o" in words else ["-o", "x.csv"]
                self.assertEqual(self.errors("plot", *words, *output), f"loopsim: {message}\n")
        said = self.errors("plot", "cut.csv", "-o", "x.csv")
        self.assertRegex(said, r"\Aloopsim: cut\.csv:157: has \d+ cells, the header has \d+\n\Z")
        self.assertFalse(os.path.exists(self.path("x.csv")))
        said = self.errors("plot", "a.csv", "-o", "x.png", env={"PATH": self.folder})
        self.assertEqual(said, "loopsim: a plot needs gnuplot, and there is none (Debian: apt-get install gnuplot-nox)\n")

    def test_plots_that_are_refused(self):
        words = ["sweep", SCENARIO, "-o", "rows", "--plot", "plot.svg"]
        more = 'Try "loopsim sweep --help".\n'
        for options, message in [
                ([], f"a plot needs something that is varied\n{more}"),
                (["--vary", "rounds=1,2", "--plot", "plot.jpg"], "a plot is a picture, FILE.svg, FILE.png or FILE.pdf, its numbers, "
                 f'FILE.csv, or its gnuplot script, FILE.gp, not "plot.jpg"\n{more}'),
                (["--vary", "rounds=1,2", "--plot", "plot.svg"], f"the plot cannot go to plot.svg twice\n{more}"),
                (["--cdf", "latency", "--ccdf", "latency"], f"--plot draws one: --cdf or --ccdf\n{more}"),
                (["--vary", "rounds=1:9:1", "--cdf", "latency"],
                 f"the plot of the distribution has a line for each point: 9 are too many, 8 can be told apart\n{more}"),
                (["--cdf", "timer.latecy"], 'there is no distribution of "timer.latecy"; did you mean "timer.latency"?\n' + more),
                (["--cdf", "nonsense"], 'there is no distribution of "nonsense"; there are loop_delay, lateness, latency, response, '
                 f"pool_waiting, pool_service, timer.lateness, timer.latency, read.lateness, read.latency\n{more}"),
                (["--vary", "read_time=1,2", "--vary", "rounds=1:9:1"],
                 "a plot has a line for each combination of all but the first --vary: 9 are too many, 8 can be told apart\n" + more),
                (["--vary", "rounds=1,2", "--shard", "1/2"], f"a shard has no plot of its own: loopsim merge makes it\n{more}")]:
            with self.subTest(options=options):
                self.assertEqual(self.errors(*words, *options), f"loopsim: {message}")
        text = self.errors(*words, "--vary", "rounds=1,2", env={"PATH": self.folder})
        self.assertEqual(text, "loopsim: a plot needs gnuplot, and there is none (Debian: apt-get install gnuplot-nox)\n")
        with open(self.path("gnuplot"), "w") as fake:
            fake.write("#!/bin/sh\nexit 1\n")
        os.chmod(self.path("gnuplot"), 0o755)
        text = self.errors(*words, "--vary", "rounds=1,2", env={"PATH": self.folder + ":/bin"}, status=4)
        self.assertEqual(text, "loopsim: gnuplot could not make the plot\n")
        self.assertFalse(os.path.exists(self.path("plot.svg")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    PROGRAM = os.path.abspath(options.program)
    unittest.main(argv=[sys.argv[0], *[name if "." in name else f"Sweeps.{name}" for name in options.tests]])

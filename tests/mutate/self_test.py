#!/usr/bin/env python3
"""Tests tools/mutate on a small project: the places that it finds, the faults that it inserts, and its report of an undetected fault."""

import contextlib
import io
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools" / "mutate"))

try:
    from mutation.sites import cindex

    cindex.Index.create()
except Exception as error:  # missing bindings or library
    print(f"skipped: libclang for Python is not here ({error}); Debian's package is python3-clang")
    sys.exit(77)

from mutation import children
from mutation.baseline import escaped, read_reached
from mutation.choose import Room, choose, choose_all, shares
from mutation.numbers import number
from mutation.project import Project, Stage
from mutation.runner import Runner, detail_of
from mutation.schemata import HEADER, RECORD_FILE, VARIABLE, switch_source, with_faults
from mutation.sites import each_file, find_sites
from mutation.table import figures, table

SAMPLE = HERE / "sample"
FILE = "sim/sample/sample.cpp"


class SampleProject(Project):
    """A project with its own build command and one test."""

    def add_switch(self, files):
        files["mutation.hpp"] = HEADER.encode()
        files["sim/sample/mutation.cpp"] = switch_source().encode()

    def compile(self, jobs, libraries):
        self.build.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["c++", "-std=c++20", "-include", self.copy / "mutation.hpp", f"-I{self.copy}", "-o", self.build / "test",
                               *sorted(self.copy.rglob("*.cpp"))], capture_output=True, text=True, cwd=self.build)
        return done.stderr if done.returncode else ""

    def stages(self):
        return [Stage("the test", [str(self.build / "test")])]


class Sample(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="loopsim-mutate-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.project = SampleProject(SAMPLE, self.folder, [Room("sim/sample")], ["sim", "test.cpp"])
        files = each_file(SAMPLE, ["sim"])
        self.sites = [site for file in files for site in find_sites(SAMPLE, file, ["-std=c++20"], self.folder / "sites")]

    def run_all(self, sites):
        runner = Runner(self.project, sites, len(sites), [1], 2)
        with contextlib.redirect_stderr(io.StringIO()):
            runner.build()
            runner.measure()
            runner.run()
        return runner


class Places(Sample):
    def test_what_is_found(self):
        self.assertEqual({site.file for site in self.sites}, {FILE})  # constexpr functions are not mutated
        found = [f"{site.line} {site.kind}: {site.before} -> {site.after}" for site in self.sites if site.function == "next"]
        self.assertEqual(found, [
            "11 condition: value < 10 && value != 4 -> !(value < 10 && value != 4)",
            "11 logic: value < 10 && value != 4 -> value < 10 || value != 4",
            "11 comparison: value < 10 -> value <= 10",
            "11 constant: 10 -> 11",
            "11 constant: 10 -> 9",
            "11 comparison: value != 4 -> value == 4",
            "11 constant: 4 -> 3",
            "11 constant: 4 -> 5",
            "11 sign: value + 1 -> value - 1",
            "11 constant: 1 -> 0",
            "11 constant: 1 -> 2",
            "12 constant: 40 -> 39",
            "12 constant: 40 -> 41",
            "13 constant: 10 -> 11",
            "13 constant: 10 -> 9",
        ])  # IS_SMALL(value) is in a macro and is not mutated
        self.assertEqual([site.key for site in self.sites if site.line == 13 and site.after == "9"],
                         ["sim/sample/sample.cpp: next: constant: 10 -> 9 #2"])
        kinds = {(site.function, site.kind) for site in self.sites}
        self.assertIn(("is_even", "return"), kinds)
        self.assertIn(("log", "dropped"), kinds)

    def test_they_are_kept(self):
        again = find_sites(SAMPLE, FILE, ["-no-such-option-is-looked-at"], self.folder / "sites")
        self.assertEqual(again, [site for site in self.sites if site.file == FILE])

    def test_text(self):
        text = (SAMPLE / FILE).read_bytes()
        sign = next(site for site in self.sites if site.kind == "sign")
        line = with_faults(text, [(7, sign)]).splitlines()[sign.line - 1].decode()
        self.assertIn("return (::mutation::on(7) ? (value - 1) : (value + 1));", line)
        dropped = next(site for site in self.sites if site.kind == "dropped")
        self.assertIn(b"  { if (!::mutation::on(8)) { ++calls; } }\n", with_faults(text, [(8, dropped)]))
        self.assertEqual(with_faults(text, [(1, sign), (2, dropped)]).count(b"\n"), text.count(b"\n"))


class Choice(Sample):
    def test_it_is_always_the_same_and_nothing_overlaps(self):
        chosen = choose(self.sites, self.project.rooms, 5, 1)
        self.assertEqual(chosen, choose(list(reversed(self.sites)), self.project.rooms, 5, 1))
        for i, site in enumerate(chosen):
            self.assertTrue(all(site.end <= other.start for other in chosen[i + 1:]))
        without = choose(self.sites, self.project.rooms, 5, 1, frozenset({chosen[0].key}))
        self.assertNotIn(chosen[0].key, {site.key for site in without})

    def test_several_seeds(self):
        both = choose_all(self.sites, self.project.rooms, 2, [1, 2, 3, 4])
        self.assertLess(set(choose(self.sites, self.project.rooms, 2, 1)), set(both))
        for i, site in enumerate(both):
            self.assertTrue(all(site.end <= other.start for other in both[i + 1:]))

    def test_shares(self):
        self.assertEqual(shares([Room("a", 3), Room("b", 1), Room("c", 1)], {"a": 10, "b": 10, "c": 0}, 8), {"a": 6, "b": 2, "c": 0})

    def test_numbers_stay(self):
        chosen = choose(self.sites, self.project.rooms, 5, 1)
        first = number(chosen, self.folder / "numbers.json")
        second = number(chosen[1:], self.folder / "numbers.json")
        self.assertTrue(all(first[fault] == site for fault, site in second.items()))


class Faults(Sample):
    def test_found_and_survived(self):
        def one(kind, function):
            return next(site for site in self.sites if site.kind == kind and site.function == function)

        sites = [one("sign", "next"), one("return", "is_even"), one("sign", "log"), one("comparison", "nobody")]
        runner = self.run_all(sites)
        rows = {site.function: runner.results.rows[site.key] for site in runner.faults.values()}
        self.assertEqual({function: (row.found_by, row.reached) for function, row in rows.items()}, {
            "next": ("the test", True), "is_even": ("the test", True), "log": ("SURVIVED", True), "nobody": ("SURVIVED", False)})

        shown = table(sites, runner.results.rows, {sites[2].key: "nobody looks"})
        self.assertIn("| sim/sample/sample.cpp:11 | `next` | sign | `value + 1` → `value - 1` | the test |", shown)
        self.assertIn("| **SURVIVED**: nobody looks |", shown)
        self.assertIn("**SURVIVED**, no test comes here", shown)
        self.assertTrue(figures(sites, runner.results.rows, {}).startswith("4 faults, 4 tried, 2 found (50.0 %), 2 survived"))

        # A second run resumes and has nothing to do.
        kept = (self.folder / "results.json").read_text()
        self.assertEqual(len(json.loads(kept)["faults"]), 4)
        self.run_all(sites)
        self.assertEqual((self.folder / "results.json").read_text(), kept)

    def test_a_test_that_fails_without_a_fault(self):
        self.project.stages = lambda: [Stage("broken", ["false"])]
        with self.assertRaisesRegex(ValueError, "broken fails without any fault"):
            self.run_all(self.sites[:1])


class EndlessProject(SampleProject):
    """A project whose test reaches every fault. With a fault, the test and its child sleep 100 seconds and ignore SIGTERM; both keep
    `told` open."""

    def compile(self, jobs, libraries):
        return ""

    def stages(self):
        return [Stage("endless", ["sh", "-c", f"""
            if [ "${VARIABLE}" = record ]; then seq 9 >"${RECORD_FILE}"; exit; fi
            trap '' TERM
            exec >>'{self.tree / "told"}'
            sleep 100 &
            echo started
            wait"""])]


class Stopping(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="loopsim-mutate-"))
        self.addCleanup(shutil.rmtree, self.folder)
        os.mkfifo(self.folder / "told")

    def read(self, told, enough):
        """Returns the bytes written to `told`: up to the expected ones, or, with for_ever, until no process has it open."""
        said, end = b"", time.monotonic() + 60
        while len(said) < enough:
            self.assertTrue(select.select([told], [], [], end - time.monotonic())[0], f"nothing more after {said!r}")
            piece = os.read(told, 1000)
            if not piece:
                break
            said += piece
        return said

    def test_all_children_end(self):
        words = b"started\n" * 2  # one per worker
        for signum in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signum.name):
                told = os.open(self.folder / "told", os.O_RDONLY | os.O_NONBLOCK)
                self.addCleanup(os.close, told)
                # If this test is a background job of a shell, SIGINT is ignored, and children would inherit that.
                run = subprocess.Popen([sys.executable, __file__, "endless", self.folder], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
                self.addCleanup(run.kill)
                self.assertEqual(self.read(told, len(words)), words)
                run.send_signal(signum)
                said = run.communicate(timeout=60)[1]
                self.assertEqual(run.returncode, 128 + signum, said)
                self.assertEqual(said.splitlines()[-1], f"mutate: stopped by {signum.name}; the same command goes on from here")
                self.assertEqual(self.read(told, sys.maxsize), b"")
                self.assertFalse((self.folder / "results.json").exists())  # a signal does not find a fault


def endless(folder):
    project = EndlessProject(SAMPLE, folder, [Room("sim/sample")], ["sim", "test.cpp"])
    runner = Runner(project, find_sites(SAMPLE, FILE, ["-std=c++20"], folder / "sites"), 4, [1], 2)
    runner.build()
    runner.measure()
    runner.run()
    return 0


class Output(unittest.TestCase):
    def test_names_of_test_cases(self):
        self.assertEqual(escaped("one, two [three]"), r"one\, two \[three\]")

    def test_what_is_reached(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "reached")
            path.write_text("4\n= \n1\n2\n= 250 a test\n3\n= \n2\n= 7 another\n")
            self.assertEqual(read_reached(path), ({1, 2, 3, 4}, {"a test": (0.25, {1, 2, 3, 4}), "another": (0.007, {2, 3, 4})}))

    def test_which_test_failed(self):
        rule = "-" * 79
        self.assertEqual(detail_of(f"Filters: x\n\n{rule}\nthe name of it\n{rule}\nfile.cpp:3\n"), "the name of it")
        python = f"..F\n{'=' * 70}\nFAIL: test_this (__main__.That)\n{rule}\nTraceback (most recent call last):\n{rule}\nRan 3 tests\n"
        self.assertEqual(detail_of(python), "test_this")


if __name__ == "__main__":
    if sys.argv[1:2] == ["endless"]:
        sys.exit(children.stoppable(lambda: endless(Path(sys.argv[2]))))
    unittest.main()

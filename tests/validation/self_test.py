#!/usr/bin/env python3
"""Tests tools/validate: its arithmetic, its questions in loopsim, and one question on real Node, in which only a gross miss fails.

    self_test.py --program build/loopsim

Without a Node, a C compiler or a core to be confined to, the part with real Node is skipped, and says so.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "tools" / "conformance"))

from fidelity.nodes import Missing, fetched  # noqa: E402
from validation.compare import compare, distance, quantile  # noqa: E402
from validation import into_docs  # noqa: E402
from validation.page import counts, draw_answer, page  # noqa: E402
from validation.question import TOLERANCES, Case, all_questions, read_question  # noqa: E402
from validation.simulated import Simulator, machine_of  # noqa: E402

PROGRAM = Path()
# A machine as tools/calibrate would describe it, roughly, whatever this one is.
MACHINE = {"startup": "60us", "wakeup": "60us", "timerSlack": "50us", "overhead": {"cold": "90us", "socket": "30us"},
           "scheduler": {"policy": "eevdf", "baseSlice": "1.4ms"}}


GROSS = 15  # points of utilisation
OTHERS = 60  # the same, where other programs are at work: they only add


def observations(*values: float) -> list[dict[str, float]]:
    return [{"x": value} for value in values]


class Arithmetic(unittest.TestCase):
    def test_quantiles_are_interpolated(self):
        self.assertEqual([quantile([10, 20, 30, 40], q) for q in (0, 0.5, 1)], [10, 25, 40])

    def test_the_distance_is_that_of_kolmogorov_and_smirnov(self):
        self.assertEqual(distance([1, 2, 3, 4], [1, 2, 3, 4]), 0)
        self.assertEqual(distance([1, 2], [3, 4]), 1)
        self.assertEqual(distance([1, 2, 3, 4], [3, 4, 5, 6]), 0.5)
        self.assertAlmostEqual(distance([1, 1, 1, 2], [1, 2, 2, 2]), 0.5)

    def test_a_prediction_hits_within_its_tolerance_or_the_spread_of_repetitions(self):
        def verdicts(kind: str, real: list[list[dict[str, float]]], simulated: list[dict[str, float]]) -> list[bool]:
            return [figure.is_hit for figure in compare("x", kind, real, [simulated]).figures]

        # 10 % of 10, which is more than 0.2 ms; 25 % of 10.
        self.assertEqual(verdicts("time", [observations(10, 10, 10)], observations(10.9, 10.9, 10.9)), [True, True])
        self.assertEqual(verdicts("time", [observations(10, 10, 10)], observations(11.1, 11.1, 11.1)), [False, True])
        self.assertEqual(verdicts("time", [observations(10, 10, 10)], observations(13, 13, 13)), [False, False])
        self.assertEqual(verdicts("lateness", [observations(0.5)], observations(0.65)), [True, True])
        # The medians of the repetitions are 8 and 12, so 4 is allowed.
        self.assertEqual(verdicts("time", [observations(8, 8, 8), observations(12, 12, 12)], observations(13, 13, 13)), [True, True])
        # Five points of a share, three of a utilisation.
        self.assertEqual(verdicts("share", [observations(0, 0, 0, 1)], observations(0, 0, 0.2, 1)), [True])
        self.assertEqual(verdicts("share", [observations(0, 0, 0, 1)], observations(0, 0, 1, 1)), [False])
        self.assertEqual(verdicts("utilisation", [observations(0.5, 0.5)], observations(0.52, 0.52)), [True])
        self.assertEqual(verdicts("utilisation", [observations(0.5, 0.5)], observations(0.54, 0.54)), [False])

    def test_observations_may_lack_a_quantity(self):
        found = compare("x", "time", [[{"x": 1.0}, {"y": 5.0}, {"x": 3.0}]], [[{"y": 1.0}, {"x": 2.0}]])
        self.assertEqual((found.real, found.simulated), ([1.0, 3.0], [2.0]))


class Questions(unittest.TestCase):
    def test_each_observes_in_loopsim_what_it_says(self):
        self.assertGreaterEqual(len(all_questions()), 9)
        for name in all_questions():
            question = read_question(name)
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                simulator = Simulator(PROGRAM, MACHINE, Path(folder), 1)
                found = simulator.run(question, question.cases[-1], range(1, 2))[0]
                self.assertGreater(len(found), question.warm_up + 10)
                for quantity, about in question.quantities.items():
                    values = [one[quantity] for one in found if quantity in one]
                    self.assertTrue(values, quantity)
                    self.assertIn(about["kind"], TOLERANCES)
                    if about["kind"] in ("share", "utilisation"):
                        self.assertTrue(all(0 <= value <= 1 for value in values), quantity)

    def test_the_case_is_on_the_machine(self):
        question = read_question("timer")
        machine = machine_of(question, Case("", 0.5, 24, quota=0.5, cores=2), {"load": 0.1, "wakeup": "1us"})
        self.assertEqual(machine, {"wakeup": "1us", "cores": 2, "quota": {"quota": "50ms", "period": "100ms"}, "load": {
            "busy": {"exponential": "3ms"}, "idle": {"exponential": "3000000ns"}, "threads": 2, "pinned": True}})

    def test_the_page_tells_hits_and_misses(self):
        question = read_question("timer")
        results = [(question.cases[0], [compare("lateness", "lateness", [[{"lateness": 5.0}]], [[{"lateness": 5.1}]]),
                                        compare("missed", "share", [[{"missed": 0.0}]], [[{"missed": 1.0}]])])]
        self.assertEqual(counts(results), (2, 3))
        text = page({"date": "today"}, [(question, results)], {})
        self.assertIn("| predictions hit | **2 of 3** |", text)
        self.assertIn("| load 0 | 5.00 ± 0.00 | 5.10 | hit | 5.00 ± 0.00 | 5.10 | hit | 1.00, 0.00 |", text)
        self.assertIn("| load 0 | 0.0 % ± 0.0 % | 100.0 % | **miss** | 1.00, 0.00 |", text)

    @unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot")
    def test_answers_are_drawn_against_the_load_or_from_case_to_case(self):
        # timer: a panel for each quantity, and the load below; quota: one load, and so the names of its cases.
        by_load = ("rounds in which it ran later than 110 ms", "median (ms)", ">load<")
        by_case = ("from the moment at which a request is due", "p99 (ms)", "no limit", "0.65 CPU")
        for name, said, not_said in (("timer", by_load, "no limit"), ("quota", by_case, ">load<")):
            question = read_question(name)
            results = [(case, [compare(quantity, kind["kind"], [[{quantity: 0.5}], [{quantity: 0.7}]], [[{quantity: 0.6}]])
                               for quantity, kind in question.quantities.items()]) for case in question.cases]
            with tempfile.TemporaryDirectory() as folder:
                self.assertTrue(draw_answer(question, results, Path(folder, "plot.svg")))
                drawn = Path(folder, "plot.svg").read_text()
            for words in (*said, "loopsim", "real Node"):
                self.assertIn(words, drawn)
            self.assertNotIn(not_said, drawn)

    def test_a_page_goes_between_the_marks(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(into_docs, "DOCS", Path(folder, "docs")), \
                mock.patch.object(sys, "argv", ["into_docs.py", str(Path(folder, "page"))]):
            for name in ("docs", "page"):
                Path(folder, name).mkdir()
            Path(folder, "docs/validation.md").write_text(f"before\n{into_docs.BEGIN}old\n{into_docs.END}after\n")
            for plot in ("timer", "timer-quantiles", "delay-quantiles"):
                Path(folder, f"page/{plot}.svg").write_text(plot)
            Path(folder, "page/README.md").write_text(
                "# Predicted\n\n| | |\n|---|---|\n| Is it late? | 1 of 2 |\n\n## Is it late?\n\n"
                "![a](timer.svg)\n\n![q](timer-quantiles.svg)\n\n![q](delay-quantiles.svg)\n")
            self.assertEqual(into_docs.main(), 0)
            self.assertEqual(
                Path(folder, "docs/validation.md").read_text(),
                f"before\n{into_docs.BEGIN}| | |\n|---|---|\n| [Is it late?](#is-it-late) | 1 of 2 |\n\n### Is it late?\n\n"
                f"![a](question-timer.svg)\n\n![q](validation-timer.svg)\n{into_docs.END}after\n")
            plots = sorted(path.name for path in Path(folder, "docs").glob("*.svg"))
            self.assertEqual(plots, ["question-timer.svg", "validation-timer.svg"])

            Path(folder, "docs/validation-again.md").write_text(f"before\n{into_docs.BEGIN}{into_docs.END}after\n")
            with mock.patch.object(sys, "argv", ["into_docs.py", "--again", str(Path(folder, "page"))]):
                self.assertEqual(into_docs.main(), 0)
            self.assertEqual(
                Path(folder, "docs/validation-again.md").read_text(),
                f"before\n{into_docs.BEGIN}| | |\n|---|---|\n| [Is it late?](#is-it-late) | 1 of 2 |\n\n### Is it late?\n"
                f"{into_docs.END}after\n")

            other = Path(folder, "other.md")
            other.write_text(f"{into_docs.BEGIN}{into_docs.END}")
            with mock.patch.object(sys, "argv", ["into_docs.py", "--again", str(Path(folder, "page")), str(other)]):
                self.assertEqual(into_docs.main(), 0)
            self.assertIn("| [Is it late?](#is-it-late) | 1 of 2 |", other.read_text())


class Usage(unittest.TestCase):
    def run_tool(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, str(ROOT / "tools/validate"), *words], capture_output=True, text=True, timeout=300)

    def test_the_list(self):
        done = self.run_tool("--list")
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, len(all_questions())))

    def test_errors(self):
        self.assertIn("there is no question nothing: there are connect, delay, files,", self.run_tool("nothing").stderr)
        self.assertIn("--machine FILE is needed: tools/calibrate -o FILE writes it", self.run_tool("timer").stderr)
        done = self.run_tool("timer", "--machine", "/no/such/file")
        self.assertEqual((done.returncode, done.stderr), (2, "tools/validate: [Errno 2] No such file or directory: '/no/such/file'\n"))


class Real(unittest.TestCase):
    def test_one_question(self):
        """Other programs may be at work on this machine, so only a gross miss fails."""
        try:
            fetched([24])
        except Missing as problem:
            print(f"skipped: one question on real Node: {problem}")
            self.skipTest(str(problem))
        if shutil.which(os.environ.get("CC", "cc")) is None:
            self.skipTest("no C compiler for the load")
        with tempfile.TemporaryDirectory() as folder:
            machine = Path(folder, "machine.json")
            machine.write_text(json.dumps(MACHINE))
            words = ["tools/validate", "utilisation", "--program", str(PROGRAM), "--machine", str(machine), "--loads", "0.35",
                     "--repeats", "1", "--bursts", "1", "--seeds", "2", "--keep", folder, "-o", str(Path(folder, "page"))]
            done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=300, cwd=ROOT)
            if done.returncode == 2:  # it could not be confined to a core, or did not end
                print(f"skipped: one question on real Node: {done.stderr.strip()}")
                self.skipTest(done.stderr)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            kept = json.loads(next(Path(folder).glob("utilisation, *.json")).read_text())
            self.assertEqual(len(kept[0]), 220)
            found = read_question("utilisation")
            real = sorted(one["second"] for one in kept[0] if "second" in one)
            self.assertGreater(quantile(real, 0.5), 0.25, real)
            self.assertIn(found.title, Path(folder, "page", "README.md").read_text())
            measured, predicted = re.search(r"second +mean +(\S+) ± +\S+ +(\S+) %", done.stdout).groups()
            above = float(measured) - float(predicted)
            self.assertTrue(-GROSS < above < OTHERS, done.stdout)


def main() -> None:
    global PROGRAM
    parser = argparse.ArgumentParser(description="Tests tools/validate.")
    parser.add_argument("--program", type=Path, required=True, help="the built loopsim")
    options, rest = parser.parse_known_args()
    PROGRAM = options.program.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()

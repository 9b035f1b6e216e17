#!/usr/bin/env python3
"""Tests tools/calibrate: its presets are plausible and repeatable, and a slower Node gives larger costs.

    self_test.py [--program build/loopsim]      the program, if given, must accept the preset as a machine

Requires a real Node; exit status 77 if none is available.
"""

import argparse
import decimal
import importlib.machinery
import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "calibrate"
NODE = Path()
PROGRAM = None
UNITS = {"ns": 1, "us": 1000, "ms": 1_000_000}

loader = importlib.machinery.SourceFileLoader("calibrate", str(TOOL))
calibrate = importlib.util.module_from_spec(importlib.util.spec_from_loader("calibrate", loader))
loader.exec_module(calibrate)

# Slows down the calls that schedule callbacks; preloaded into Node.
SLOWER = """
const { hrtime } = process;
const slower = (f, microseconds) => function (...all) {
  const begin = hrtime();
  for (let now; now = hrtime(begin), now[0] * 1e6 + now[1] / 1e3 < microseconds;);
  return f.apply(this, all);
};
global.setTimeout = slower(setTimeout, 2);
process.nextTick = slower(process.nextTick, 2);
// A chain of immediates asks for one a turn; those of a batch are asked for before it is timed.
global.setImmediate = slower(setImmediate, 5);
"""


def nanoseconds(value):
    """Returns the nanoseconds of a duration, or of the median of a distribution."""
    if isinstance(value, dict):
        (name, numbers), = value.items()
        assert name == "lognormal" and 0 < numbers[1] < 5, value
        value = numbers[0]
    number, unit = re.fullmatch(r"(\d+(?:\.\d+)?)(ns|us|ms)", value).groups()
    exact = decimal.Decimal(number) * UNITS[unit]  # not as a float: 16.1 * 1000 is a little more than 16100
    assert exact == int(exact), f"{value} has fractions of a nanosecond"
    return float(exact)


def run(*arguments, **environment):
    return subprocess.run([sys.executable, str(TOOL), *arguments], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment})


def measure(*arguments, **environment):
    for _ in range(3):  # other tests may keep a small machine too busy
        done = run("--node", str(NODE), "--rounds", "24", *arguments, **environment)
        if "too busy" not in done.stderr or done.returncode == 0:
            break
    assert done.returncode == 0, done.stderr
    return done


class Arithmetic(unittest.TestCase):
    def test_durations_have_three_digits_and_the_unit_that_suits(self):
        for value, text in [(0, "1ns"), (0.4, "1ns"), (1, "1ns"), (123.4, "123ns"), (999.4, "999ns"), (999.6, "1us"), (1234, "1.23us"),
                            (12345, "12.3us"), (123456, "123us"), (999999, "1ms"), (1.5e6, "1.5ms"), (1e8, "100ms"), (2e9, "2000ms")]:
            self.assertEqual(calibrate.duration(value), text, value)

    def test_quantiles(self):
        samples = [40, 10, 30, 20, 50]
        self.assertEqual([calibrate.quantile(samples, q) for q in (0, 0.25, 0.5, 0.9, 1)], [10, 20, 30, 46, 50])

    def test_a_lognormal_distribution_is_found_again(self):
        from statistics import NormalDist
        places = [(i + 0.5) / 10000 for i in range(10000)]
        middle, sigma = calibrate.fit([55000 * math.exp(0.3 * NormalDist().inv_cdf(place)) for place in places])
        self.assertAlmostEqual(middle, 55000, delta=10)
        self.assertAlmostEqual(sigma, 0.3, delta=0.001)
        self.assertEqual(calibrate.spell(middle, sigma), {"lognormal": ["55us", 0.3]})
        self.assertEqual(calibrate.spell(*calibrate.fit([1200] * 10)), "1.2us")


class Kernel(unittest.TestCase):
    def test_idle_states_begin_where_waking_up_takes_longer(self):
        sleeps = {"1": [60e3] * 5, "2": [61e3] * 5, "4": [62e3] * 5, "8": [130e3] * 5, "16": [135e3] * 5, "32": [250e3] * 5}
        usual, states = calibrate.idle_states(sleeps, 50e3)
        self.assertEqual(calibrate.spell(*usual), "10us")
        self.assertEqual(states, [{"after": "5.66ms", "wakeup": "80us"}, {"after": "22.6ms", "wakeup": "200us"}])
        self.assertEqual(calibrate.idle_states({"1": [60e3] * 5, "2": [62e3] * 5}, 50e3)[1], [])

    def test_a_warm_up_has_the_time_of_a_triangle(self):
        # 9 + 4 + 1 times longer; (10 - 1) * 3 / 2 is nearest to that.
        self.assertEqual(calibrate.warm_up([100, 50, 20, 10]), (10, 3))
        self.assertEqual(calibrate.warm_up([10, 10, 10]), (1, 1))

    def test_thefts_are_told_if_there_are_some(self):
        core = {"lasted": 5e9, "stolen": [1e6] * 100, "sees": True}
        self.assertEqual(calibrate.steal(core), {"takes": "1ms", "between": {"exponential": "49ms"}})
        self.assertIsNone(calibrate.steal({**core, "stolen": [1e6] * 5}))
        self.assertIsNone(calibrate.steal({**core, "sees": False}))

    def test_the_scheduler_is_that_of_the_version(self):
        from unittest import mock
        for release, cores, ticks, found in [
                ("6.18.44-fc", 2, 250, {"policy": "eevdf", "baseSlice": "1.4ms", "tick": "4ms", "newidleBalance": 0}),
                ("6.18.4", 2, 250, {"policy": "eevdf", "baseSlice": "1.4ms", "tick": "4ms"}),
                ("6.1.160-1", 1, 250, {"policy": "cfs", "latency": "6ms", "minGranularity": "750us", "wakeupGranularity": "1ms",
                                       "tick": "4ms", "newidleBalance": 0}),
                ("6.12.64", 2, 250, {"policy": "eevdf", "baseSlice": "1.5ms", "tick": "4ms"}),
                ("6.19-rc1", 2, 250, {"policy": "eevdf", "baseSlice": "1.4ms", "tick": "4ms", "newidleBalance": 0}),
                ("6.12.0", 4, 1000, {"policy": "eevdf", "baseSlice": "2.25ms", "tick": "1ms"}),
                ("6.6.1-2-amd64", 64, 100, {"policy": "eevdf", "baseSlice": "3ms", "tick": "10ms"}),
                ("6.1.0-18", 1, None, {"policy": "cfs", "latency": "6ms", "minGranularity": "750us", "wakeupGranularity": "1ms",
                                       "tick": "4ms"})]:
            with mock.patch.object(calibrate.platform, "release", lambda: release), \
                    mock.patch.object(calibrate.os, "cpu_count", lambda: cores):
                self.assertEqual(calibrate.scheduler(ticks), found)


class Usage(unittest.TestCase):
    def test_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for option in ("--node PATH", "--rounds N", "-o FILE", "--samples FILE"):
            self.assertIn(option, done.stdout)

    def test_errors(self):
        done = run("--rounds", "5")
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (2, "tools/calibrate: error: argument --rounds: "
                         "'5' is no whole number from 10 to 100000"))
        done = run("--node", "/no/such/node")
        self.assertEqual((done.returncode, done.stderr), (1, "tools/calibrate: --node /no/such/node: there is no such program\n"))
        python = Path(sys.executable).resolve()
        done = run("--node", str(python))
        self.assertEqual((done.returncode, done.stderr), (1, f"tools/calibrate: {python} is no Node.js: its --version printed "
                         f"Python {sys.version.split()[0]}\n"))
        done = run("--node", str(NODE), "-o", "/no/such/folder/preset.json")
        self.assertEqual((done.returncode, done.stderr), (1, "tools/calibrate: cannot write /no/such/folder/preset.json: "
                          "/no/such/folder is no folder that can be written to\n"))

    def test_what_fails_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder, "node")
            broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo v20.0.0 && exit\necho broken >&2\nexit 3\n')
            broken.chmod(0o755)
            done = run("--node", str(broken), "-o", str(Path(folder, "preset.json")))
            self.assertEqual((done.returncode, done.stderr), (1, "tools/calibrate: startup.js failed with exit status 3:\nbroken\n"))
            self.assertEqual(os.listdir(folder), ["node"])


class Measuring(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="calibrate-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.files = [Path(cls.temporary.name, name) for name in ("preset.json", "samples.json")]
        cls.report = measure("-o", str(cls.files[0]), "--samples", str(cls.files[1])).stdout
        cls.preset, cls.samples = (json.loads(file.read_text()) for file in cls.files)

    def test_shape(self):
        if shutil.which(os.environ.get("CC", "cc")) is None:
            self.skipTest("no C compiler: some keys are left out")
        keys = [key for key in self.preset if key not in ("quota", "steal", "idleStates")]
        self.assertEqual(keys, ["cores", "speed", "startup", "wakeup", "timerSlack", "overhead", "scheduler"])
        costs = ["callback", "cold", "socket", "task", "turn", "poll", "timer", "log", "firstLog", "submit", "request", "syscall", "jumps"]
        self.assertEqual(list(self.preset["overhead"]), costs)
        afters = [nanoseconds(state["after"]) for state in self.preset.get("idleStates", [])]
        self.assertEqual(afters, sorted(set(afters)))
        self.assertEqual((self.preset["cores"], self.preset["speed"]), (len(os.sched_getaffinity(0)), 1))

    def test_plausible(self):
        for key, value in self.preset["overhead"].items():
            most = {"firstLog": 50e6, "submit": 1e6, "request": 10e6, "cold": 10e6, "socket": 2e6}.get(key, 100e3)
            self.assertTrue(1 <= nanoseconds(value) < most, f"{key}: {value}")
        self.assertTrue(5e3 < nanoseconds(self.preset["startup"]) < 50e6, self.preset)
        self.assertTrue(1e3 < nanoseconds(self.preset["wakeup"]) < 20e6, self.preset)

    def test_report_has_every_measurement_in_order(self):
        for name, samples in self.samples.items():
            self.assertTrue(samples and all(math.isfinite(sample) for sample in samples), name)
            if name == "lost":
                continue
            match = re.search(rf"^{re.escape(name)} +(\d+) +(\S+) +(\S+) +(\S+)$", self.report, re.MULTILINE)
            self.assertEqual(int(match.group(1)), len(samples))
            middle, p90, p99 = (nanoseconds(text) for text in match.groups()[1:])
            self.assertTrue(0 < middle <= p90 <= p99, match.group(0))
        self.assertRegex(self.report, r"\ncheck: with this start-up setTimeout 0 runs before setImmediate in \d+ % of the runs; it did in "
                                      r"\d+ %")
        self.assertRegex(self.report, r'\nwarm-up: the first call of a function took [\d.]+ times .* '
                                      r'"warmUp": \{"factor": [\d.]+, "calls": \d+\}')
        self.assertRegex(self.report, r"\nnoise: other work took \d+\.\d % of the time")

    def test_the_parts_make_up_the_whole_turn(self):
        parts = nanoseconds(self.preset["overhead"]["turn"]) + nanoseconds(self.preset["overhead"]["poll"])
        whole = calibrate.median(self.samples["turn.with-immediate"]) - calibrate.median(self.samples["callback.immediate"])
        self.assertAlmostEqual(parts, whole, delta=0.02 * whole + 2)

    def test_repeatable(self):
        again = json.loads(measure().stdout)
        pairs = {key: (self.preset["overhead"][key], again["overhead"][key], 4) for key in again["overhead"]}
        pairs |= {key: (*pairs[key][:2], 8) for key in ("cold", "socket", "log", "firstLog", "submit", "request")}  # with system calls
        pairs["socket"] = (*pairs["socket"][:2], 20)  # a sixth of a difference
        pairs.update({key: (self.preset[key], again[key], 8) for key in ("startup", "wakeup")})  # the noisiest
        for key, (one, other, factor) in pairs.items():
            ratio = nanoseconds(one) / nanoseconds(other)
            self.assertTrue(1 / factor < ratio < factor, f"{key}: {one}, then {other}")

    def test_a_slower_node_is_noticed(self):
        slower = Path(self.temporary.name, "slower.js")
        slower.write_text(SLOWER)
        slow = json.loads(measure(NODE_OPTIONS=f"--require={slower}").stdout)["overhead"]
        # Upper limits are wide: on a busy machine longer operations are interrupted more often.
        for key, least in (("timer", 2e3), ("task", 1e3), ("turn", 5e3)):  # task: mean of (slower) ticks and microtasks
            self.assertTrue(least <= nanoseconds(slow[key]) < 5 * least, f"{key}: {slow}")
            self.assertLess(nanoseconds(self.preset["overhead"][key]), least / 1.5, key)
        self.assertLess(nanoseconds(slow["callback"]), 2e3)

    def test_the_simulator_accepts_it(self):
        if PROGRAM is None:
            self.skipTest("no --program")
        scenario = {"machine": self.preset, "main": [{"setTimeout": 1, "do": [{"log": "done"}]}], "expect": {"output": ["done"]}}
        done = subprocess.run([PROGRAM, "check", "-"], input=json.dumps(scenario), capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


def main():
    global NODE, PROGRAM
    parser = argparse.ArgumentParser(description="Tests tools/calibrate.")
    parser.add_argument("--program", type=Path, help="the built loopsim")
    options, rest = parser.parse_known_args()
    PROGRAM = options.program and options.program.resolve()
    try:
        NODE = calibrate.find_node(None)
        calibrate.version_of(NODE)
    except calibrate.Failure as failure:
        print(f"skipped: calibrate.self_test, {' '.join(str(failure).split())}")
        return 77
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())

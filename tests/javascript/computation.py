#!/usr/bin/env python3
"""What computation costs: the jumps of tools/calibration/jumps.js are as many as it says, a trace costs the program nothing, and a loop
without an end meets a limit.

    computation.py --program build/loopsim       exit status 77: this build runs no JavaScript
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
JUMPS_COST = '{"overhead": {"jumps": "1ms"}}'
A_NANOSECOND_EACH = '{"overhead": {"jumps": "1us"}}'
PROGRAM = ""

# Everything that the trace has a name for, and values whose text would be code of the program.
TOLD = r"""
const { EventEmitter } = require('events');
const seen = [];
const emitter = new EventEmitter();
emitter.on('x', function listener() { for (let i = 0; i < 50; i++); });
for (let i = 0; i < 50; i++) emitter.emit('x', i);
class Loud extends Error { get name() { seen.push('name'); return 'Loud'; } get message() { seen.push('message'); return 'loud'; } }
const named = function () {};
Object.defineProperty(named, 'name', { get() { seen.push('function name'); return 'x'; } });
const proxy = new Proxy(function () {}, { get(...args) { seen.push('get'); return Reflect.get(...args); },
                                          getOwnPropertyDescriptor() { seen.push('descriptor'); } });
Error.prepareStackTrace = () => { seen.push('prepareStackTrace'); return ''; };
Error.stackTraceLimit = 0;
setTimeout(named, 1);
setTimeout(proxy, 1);
setImmediate(proxy);
process.nextTick(() => {});
queueMicrotask(() => {});
Promise.reject({ toString() { seen.push('toString'); return 'x'; } }).catch(function handler() {});
Promise.reject(new Loud()).catch(() => {});
Promise.resolve(Symbol('s')).then(() => {});
(async () => { await [1, 2]; await Object.create(null); })();
process.on('uncaughtException', () => {});
setImmediate(() => { throw new Loud(); });
setImmediate(() => { throw null; });
setTimeout(() => {
  for (let i = 0; i < 100000; i++);
  process.exitCode = seen.length;
}, 2);
"""


def run(source, *words, name="app.js"):
    with tempfile.TemporaryDirectory(prefix="loopsim-computation-") as folder:
        Path(folder, name).write_text(source, encoding="utf-8")
        return subprocess.run([PROGRAM, "run", name, "-q", *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def run_scenario(scenario, *words):
    return run(json.dumps(scenario), *words, name="run.json")


def events(source, *words):
    return [json.loads(line) for line in run(source, "-f", "jsonl", *words).stdout.splitlines()[1:]]


class Computation(unittest.TestCase):
    def test_the_jumps_of_the_calibration(self):
        source = (ROOT / "tools/calibration/jumps.js").read_text(encoding="utf-8")
        said = dict(re.findall(r"name: '(\w+)', run: .*, jumps: (\d+) ", source))
        counted = dict(event["text"].split() for event in events(source, "--machine", A_NANOSECOND_EACH) if event["ev"] == "log")
        self.assertEqual(len(said), 3)
        self.assertEqual(counted, said)

    def test_no_cost_on_the_ideal_machine(self):
        self.assertEqual(events("for (let i = 0; i < 1e6; i++);")[-1]["t"], 0)

    def test_a_loop_keeps_the_thread_busy(self):
        trace = events("setTimeout(function timer() {}, 1); for (let i = 0; i < 1e6; i++);", "--machine", A_NANOSECOND_EACH)
        (burn,) = [event for event in trace if event["ev"] == "burn"]
        self.assertTrue(2_000_000 <= burn["asked"] < 2_001_000, burn)
        (timer,) = [event for event in trace if event["ev"] == "callback_begin" and event["name"] == "timer"]
        self.assertEqual((timer["t"], timer["why"]), (burn["from"] + burn["asked"], "main"))

    def test_a_slower_machine_takes_longer(self):
        whole = '{"overhead": {"jumps": "1us"}, "speed": 0.5}'
        slow, fast = (events("for (let i = 0; i < 1e6; i++);", "--machine", machine)[-1]["t"] for machine in (whole, A_NANOSECOND_EACH))
        self.assertAlmostEqual(slow, 2 * fast, delta=2)

    def test_readings_of_a_clock_and_system_calls(self):
        source = """const { hrtime } = process, fs = require('fs');
            const times = [hrtime.bigint(), hrtime.bigint()];
            fs.statSync('.');
            times.push(hrtime.bigint());
            console.log(times.map((time, i) => Number(time - times[0])).join());"""
        for overhead, output in (({}, "0,1000,2000"), ({"clock": "85ns"}, "0,85,170"), ({"clock": "85ns", "syscall": "900ns"}, "0,85,1070")):
            machine = json.dumps({"overhead": overhead})
            self.assertEqual(run(source, "-f", "console", "--machine", machine).stdout, output + "\n")
        source = "const end = Date.now() + 5; let n = 0; while (Date.now() < end) n++; console.log(n);"
        self.assertEqual(run(source, "-f", "console", "--machine", '{"overhead": {"clock": "10us"}}').stdout, "499\n")

    def test_a_trace_costs_nothing_and_runs_no_code(self):
        for runtime in ("node-24", "node-12"):
            traced = events(TOLD, "--machine", JUMPS_COST, "-r", runtime)[-1]
            self.assertEqual(traced["code"], 0, "code of the program ran for the trace")
            # Without a trace only the exit status tells something: a limit of time just above and just below the end.
            for limit, status in ((traced["t"] + 1, 0), (traced["t"] - 1, 3)):
                scenario = {"runtime": runtime, "machine": json.loads(JUMPS_COST), "script": TOLD.split("\n"), "limits": {"time": f"{limit}ns"}}
                untraced = run_scenario(scenario, "-f", "none")
                self.assertEqual((untraced.returncode, untraced.stdout, untraced.stderr), (status, "", ""))

    def test_a_loop_without_an_end(self):
        for source, limit in (("for (;;);", "limits.steps"), ("/(a*)*b/.test('a'.repeat(60))", "limits.steps"),
                              ("(function f() { Promise.resolve().then(f); })()", "limits.steps")):
            result = run_scenario({"script": [source], "limits": {"steps": 100_000}})
            self.assertEqual(result.returncode, 3, result)
            self.assertIn(limit, result.stdout)
        result = run_scenario({"machine": json.loads(JUMPS_COST), "script": ["for (;;);"], "limits": {"time": "1s"}})
        self.assertEqual(result.returncode, 3, result)
        self.assertIn("limits.time", result.stdout)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", required=True)
    options, rest = arguments.parse_known_args()
    global PROGRAM
    PROGRAM = str(Path(options.program).resolve())
    if "runs no JavaScript" in run("").stderr:
        print("skipped: this build runs no JavaScript")
        return 77
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures what the search for races costs a run, in instructions, with callgrind: `loopsim run` of a scenario, and the same where
the scenario says its machine ("ideal"), so that nothing is open and nothing is searched for. The trace is the same.

    tests/races/cost.py --program build/loopsim [--verbose]

Two bounds. No run takes more than MOST instructions more, whatever it does: about 3 ms, where the process needs 4 million
to start. A long one takes at most 5 % more. One of which nothing is open takes hardly any. What takes a second says so on a
terminal. Skipped (exit status 77) without valgrind."""
import argparse
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MOST = 12_000_000
LITTLE = 200_000
LONG_SHARE = 0.05
PROGRAM = None
VERBOSE = False


def timers(count):
    """A chain of timers: nothing is open."""
    return {"limits": {"callbacks": count}, "main": [{"setInterval": 10, "as": "tick", "do": [{"log": "tick"}]}]}


def chance(count):
    """Two races in each of many rounds."""
    requests = [{"fs": "stat", "as": name, "do": []} for name in ("one", "two", "three")]
    return {"limits": {"callbacks": count}, "main": [{"setInterval": 2, "as": "tick", "do": requests}]}


def immediates(count):
    main = [{"setImmediate": [{"log": f"line {i}"}], "as": f"i{i}"} for i in range(count)]
    return {"main": main + [{"setTimeout": 0, "as": "t", "do": []}]}


SHORT = {
    "two that race": {"main": [{"setTimeout": 0, "as": "t", "do": []}, {"setImmediate": [], "as": "i"}]},
    "nothing open": {"main": [{"setTimeout": 10, "as": "t", "do": []}, {"setImmediate": [], "as": "i"}]},
    "60 immediates and a timer": immediates(60),
    "100 rounds with races": chance(400),
}
LONG = {
    "10,000 timers": timers(10_000),
    "2,500 rounds with races": chance(10_000),
}


def instructions(document, *options):
    with tempfile.TemporaryDirectory(prefix="races-") as folder:
        file = Path(folder, "scenario.json")
        file.write_text(json.dumps(document))
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", PROGRAM, "run", str(file), "--no-sandbox",
                   *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=3000)
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1)), done.stdout.splitlines()[-1]


def said_by_a_long_look(on_a_terminal):
    """What a run says on standard error whose look takes over a second: under valgrind any does."""
    with tempfile.TemporaryDirectory(prefix="races-") as folder:
        file = Path(folder, "app.js")
        file.write_text("setTimeout(() => {}, 0);\nsetImmediate(() => {});\nfor (let i = 0; i < 150000; ++i);\n")
        command = ["valgrind", "--tool=none", f"--log-file={folder}/log", PROGRAM, "run", str(file), "--no-sandbox"]
        if not on_a_terminal:
            return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=3000, check=True).stderr
        master, slave = pty.openpty()
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=slave, timeout=3000, check=True)
            os.set_blocking(master, False)
            return os.read(master, 65536).decode().replace("\r\n", "\n")
        except BlockingIOError:
            return ""
        finally:
            os.close(slave)
            os.close(master)


class Cost(unittest.TestCase):
    def compare(self, name, document):
        searched, trace = instructions(document)
        plain, same = instructions(document, "--set", "/machine=ideal")
        self.assertEqual(trace, same)  # with the hash
        if VERBOSE:
            print(f"{name}: {plain:,} instructions, {searched - plain:,} more ({(searched - plain) / plain:.1%})")
        return searched - plain, plain

    def test_short(self):
        for name, document in SHORT.items():
            more, _ = self.compare(name, document)
            self.assertLess(more, MOST, name)

    def test_nothing_open(self):
        more, _ = self.compare("nothing open", SHORT["nothing open"])
        self.assertLess(more, LITTLE)

    def test_long(self):
        for name, document in LONG.items():
            more, plain = self.compare(name, document)
            self.assertLess(more, LONG_SHARE * plain, name)
            self.assertLess(more, MOST, name)

    def test_a_long_look_is_told_on_a_terminal(self):
        told = "loopsim: looking for callbacks that may as well run in another order (--no-races does without)\n"
        self.assertEqual(said_by_a_long_look(on_a_terminal=True), told)
        self.assertEqual(said_by_a_long_look(on_a_terminal=False), "")  # the same bytes on machines of all speeds


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    PROGRAM, VERBOSE = str(Path(arguments.program).resolve()), arguments.verbose
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is missing (Debian: apt-get install valgrind)")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]], verbosity=2)

#!/usr/bin/env python3
"""Can io-models fail? It compares real processes with fake-loopsim, right and wrong; and the parts that read and fold by small examples."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parents[2] / "tools" / "conformance"
sys.path.insert(0, str(HERE))
from io_models.calls import VAIN_READ, VAIN_WAIT, by_thread, difference, fold, read_log  # noqa: E402

PLANS = Path(__file__).resolve().parent / "io"
VAIN = "read({}) = -1 EAGAIN"


class Judge(unittest.TestCase):
    def status(self, model: str, fault: str, plan: str = "quiet") -> int:
        command = [sys.executable, str(HERE / "io-models"), "--program", str(HERE / "io" / "fake-loopsim"), "--models", model,
                   str(PLANS / f"{plan}.json")]
        return subprocess.run(command, env={**os.environ, "FAKE_FAULT": fault}, capture_output=True, check=False).returncode

    def test_right(self) -> None:
        for model in ("poll", "nonblocking", "async", "signal", "threads"):
            self.assertEqual(self.status(model, ""), 0, model)

    def test_wrong(self) -> None:
        for fault in ("order", "result", "missing", "extra"):
            for model in ("poll", "async"):
                self.assertEqual(self.status(model, fault), 1, f"{model} {fault}")
        self.assertEqual(self.status("nonblocking", "vain"), 1)

    def test_not_run(self) -> None:
        self.assertEqual(self.status("poll", "status"), 2)


class Lines(unittest.TestCase):
    def test_rounds(self) -> None:
        lines = [VAIN.format(4), VAIN.format(3), VAIN.format(4), "read(3) = 1", VAIN.format(4), "close(3) = 0", VAIN.format(4),
                 VAIN.format(4)]
        self.assertEqual(fold(lines, VAIN_READ, 2), [f"{VAIN.format('4,3')} *1", VAIN.format(4), "read(3) = 1", VAIN.format(4),
                                                     "close(3) = 0",
                                                     f"{VAIN.format(4)} *2"])

    def test_rounds_that_are_folded(self) -> None:
        lines = [VAIN.format(4), f"{VAIN.format('3,4')} *10", VAIN.format(3), "read(4) = 1"]
        self.assertEqual(fold(lines, VAIN_READ, 2), [f"{VAIN.format('4,3')} *11", "read(4) = 1"])

    def test_waits(self) -> None:
        self.assertEqual(fold(["poll(3; 0) = 0", "poll(3; 0) = 0", "poll(3; 0) = 1 [3]", VAIN.format(3)], VAIN_WAIT, 1),
                         ["poll(3; 0) = 0 *2", "poll(3; 0) = 1 [3]", VAIN.format(3)])

    def test_difference(self) -> None:
        rounds = f"{VAIN.format(3)} *"
        self.assertIsNone(difference([rounds + "100", "read(3) = 1"], [rounds + "7", "read(3) = 1"]))
        self.assertIsNone(difference(["read(3) = 1"], [rounds + "1", "read(3) = 1"]))
        self.assertIsNotNone(difference(["read(3) = 1"], [rounds + "100", "read(3) = 1"]))
        self.assertIsNotNone(difference([rounds + "100", "read(3) = 1"], [rounds + "7", "read(3) = 1"], counts=True))
        self.assertIsNotNone(difference(["read(3) = 1"], ["read(3) = 1", "close(3) = 0"]))
        self.assertIsNone(difference(["T1 a", "T2 b"], ["T2 b", "T1 a"]))
        self.assertEqual(by_thread(["T2 b", "T1 a", "T2 c"]), ["T1 a", "T2 b", "T2 c"])

    def test_log(self) -> None:
        log = "\n".join(['7 1.000000 read(9, "x", 1) = 1 <0.1>', '7 1.100000 write(1000, "begin", 5) = 5 <0.000001>',
                         "7 1.200000 poll([{fd=3, events=POLLIN}, {fd=4, events=POLLIN}], 2, -1) = 1 ([{fd=4, revents=POLLIN}]) <0.5>",
                         "7 1.700000 rt_sigsuspend([], 8) = ? ERESTARTNOHAND (To be restarted if no handler) <0.1>",
                         "7 1.800000 --- SIGIO {si_signo=SIGIO} ---",
                         "7 1.800100 read(3, 0x1, 4096) = -1 EAGAIN (Resource temporarily unavailable) <0.000009>",
                         "7 1.900000 rt_sigreturn({mask=[IO]}) = -1 EINTR (Interrupted system call) <0.1>",
                         '7 2.000000 write(1000, "end", 3) = 3 <0.1>', "7 2.100000 close(3) = 0 <0.1>"])
        self.assertEqual([call.text for call in read_log(log)],
                         ["poll(3,4) = 1 [4]", "sigsuspend() = -1 EINTR", "SIGIO", VAIN.format(3), "sigreturn()"])


if __name__ == "__main__":
    if shutil.which(os.environ.get("CC", "cc")) is None or shutil.which("strace") is None:
        print("skipped: no C compiler, or no strace")
        sys.exit(77)
    unittest.main()

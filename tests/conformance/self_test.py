#!/usr/bin/env python3
"""Tests tools/conformance/campaign and its fork server: it reports differences, resumes, and cleans up after failures.

    self_test.py --feed FILE        FILE: loopsim_conformance_feed

Requires a real Node; exit status 77 if none is available.
"""

import argparse
import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools" / "conformance"
sys.path.insert(0, str(TOOLS))

from fidelity.server import Fresh, RunTimeout, Server, ServerDied  # noqa: E402

MAJOR = 24
FEED = Path()
LIBRARY = Path()
NODES = Path(os.environ.get("LOOPSIM_NODE_DIR") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopsim/node")

# A wrapper around the simulator's feed that modifies each answer with the Python statements in `change`.
CHANGED_FEED = """#!/usr/bin/env python3
import json, subprocess, sys
feed = subprocess.Popen([{feed!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
while head := sys.stdin.buffer.readline():
    size, runtimes = head.split()
    feed.stdin.write(head + sys.stdin.buffer.read(int(size)))
    feed.stdin.flush()
    for runtime in runtimes.split(b","):
        answer = json.loads(feed.stdout.readline())
        {change}
        print(json.dumps(answer), flush=True)
"""
LAST_BEGIN = "[event for event in answer.get('events', []) if event[0] != 'log'][-1]"


class Case(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="conformance-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def command(self, *arguments, feed=None):
        command = [sys.executable, str(TOOLS / "campaign"), "--feed", str(feed or FEED), "--versions", str(MAJOR), "--jobs", "2"]
        return [*command, "--programs-only", "--folder", str(self.folder / "state"), *arguments]

    def campaign(self, *arguments, feed=None, **more):
        return subprocess.run(self.command(*arguments, feed=feed), capture_output=True, text=True, timeout=300, **more)

    def changed_feed(self, change):
        path = self.folder / "feed"
        path.write_text(CHANGED_FEED.format(feed=str(FEED), change=change))
        path.chmod(0o755)
        return path


class CanFail(Case):
    def mismatch(self, change, kind):
        done = self.campaign("--programs", "4", "--features", "timers", feed=self.changed_feed(change))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"seed-1 on node-{MAJOR} differs: {kind}\n", done.stdout)
        self.assertRegex(done.stdout, r"\nall +4 .* 4 +0 +0 +-\n")
        saved = self.folder / "state" / "failures" / f"node-{MAJOR}-seed-1"
        small = json.loads(Path(f"{saved}.json").read_text())
        self.assertLessEqual(len(json.dumps(small["main"])), 200)
        self.assertIn(">>", Path(f"{saved}.txt").read_text())
        self.assertIn("real Node", Path(f"{saved}.txt").read_text())

    def test_one_nanosecond(self):
        self.mismatch(f"{LAST_BEGIN}[2] += 1", "time")

    def test_label(self):
        self.mismatch(f"{LAST_BEGIN}[1] += 'x'", "order")

    def test_output(self):
        self.mismatch("answer['events'].append(['log', 'more'])", "extra")

    def test_exit_code(self):
        self.mismatch("answer['exit_code'] += 1", "exit")

    def test_time_of_the_end(self):
        self.mismatch("answer['exit_time'] += 1", "exit")

    def test_no_result(self):
        feed = self.changed_feed("answer['script'] = 'process.kill(process.pid, \"SIGSEGV\");'")
        done = self.campaign("--programs", "2", "--features", "timers", feed=feed)  # programs that no limit stops
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(f"seed-1 on node-{MAJOR} has no result: signal 11\n", done.stdout)

    def test_the_simulator_crashes(self):
        feed = self.changed_feed("sys.exit(3)")
        done = self.campaign("--programs", "2", feed=feed)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("has no result: the simulator ended with status 3 (node-24)\n", done.stdout)

    def test_equal(self):
        done = self.campaign("--programs", "10", "--features", "basic")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("no mismatch\n", done.stdout)


class JavaScriptCanFail(Case):
    """Programs that are JavaScript from the start."""

    def changed(self, change):
        return self.campaign("--javascript", "--programs", "3", "--features", "timers", feed=self.changed_feed(change))

    def mismatch(self, change, kind):
        done = self.changed(change)
        if "runs no JavaScript" in done.stdout + done.stderr:
            self.skipTest("this build runs no JavaScript")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, f"seed-\\d on node-{MAJOR} differs: {kind}\n")
        saved = next((self.folder / "state" / "failures").glob("*.*js"))
        self.assertLessEqual(len(saved.read_text().splitlines()), 60)  # the prelude has most of them
        self.assertIn(">>", saved.with_suffix(".txt").read_text())

    def test_one_nanosecond(self):
        first = "answer['events'][0][1]"
        self.mismatch(f"if answer.get('events'): {first} = str(int({first}.split()[0]) + 1) + ' ' + {first}.partition(' ')[2]", "output")

    def test_one_line_more(self):
        self.mismatch("answer['events'].append(['log', 'more'])", "(extra|missing|order|output|exit)")

    def test_exit_code(self):
        self.mismatch("answer['exit_code'] += 1", "exit")

    def test_an_error_of_other_words(self):
        self.mismatch("answer['events'].append(['error', 'Uncaught Error: planted'])", "(extra|missing|order|output|exit)")

    def test_equal(self):
        done = self.campaign("--javascript", "--programs", "3", "--features", "timers")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("0 scenarios and 3 random programs (seed 1, JavaScript, timers), 3 runs", done.stdout)


class Resume(Case):
    def table(self, done):
        return [line for line in done.stdout.splitlines() if line.startswith(("node-", "all"))]

    def test_killed(self):
        arguments = ("--programs", "60", "--features", "basic")
        process = subprocess.Popen(self.command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        journal = self.folder / "state" / "journal.jsonl"
        while process.poll() is None and (not journal.exists() or journal.read_text().count("\n") < 12):
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with journal.open("a") as file:
            file.write('{"name": "seed-')  # as if killed in the middle of a write
        before = journal.read_text().count("\n") - 1
        resumed = self.campaign(*arguments)
        self.assertEqual(resumed.returncode, 0, resumed.stdout + resumed.stderr)
        self.assertIn(f"goes on: {before} tasks were done before", resumed.stderr)
        fresh = self.campaign(*arguments, "--fresh")
        self.assertNotIn("goes on", fresh.stderr)
        self.assertEqual(self.table(resumed), self.table(fresh))

    def test_another_simulator(self):
        arguments = ("--programs", "3", "--features", "basic")
        self.campaign(*arguments)
        again = self.campaign(*arguments, feed=self.changed_feed("pass"))
        self.assertIn("begins again: the simulator, or the check itself, is not what it was", again.stderr)


    def test_two_at_once(self):
        with open(self.folder / "state.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            refused = self.campaign("--programs", "1")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("the same is running already, in ", refused.stderr)


class Missing(Case):
    def test_binaries(self):
        tools = self.folder / "bin"
        tools.mkdir()
        for tool in ("bash", "sh", "cc", "uname", "dirname", "cat", "sha256sum", "mkdir", "awk"):
            found = subprocess.run(["sh", "-c", f"command -v {tool}"], capture_output=True, text=True).stdout.strip()
            if found:
                (tools / tool).symlink_to(found)
        environment = {**os.environ, "PATH": str(tools), "LOOPSIM_NODE_DIR": str(self.folder / "nodes")}
        skipped = self.campaign("--programs", "1", "--may-skip", env=environment)
        self.assertEqual((skipped.returncode, skipped.stdout), (77, "skipped: fetch-node: needs npm, which is not installed\n"))
        refused = self.campaign("--programs", "1", env=environment)
        self.assertEqual((refused.returncode, refused.stderr), (2, "campaign: fetch-node: needs npm, which is not installed\n"))

    def test_usage(self):
        self.assertEqual(self.campaign("--features", "nothing").returncode, 2)
        self.assertEqual(self.campaign(env={**os.environ}, *("--versions", "7")).returncode, 2)


class ForkServer(Case):
    def server(self, kind=Server):
        server = kind(NODES / str(MAJOR) / "bin" / "node", LIBRARY, MAJOR, ".js", self.folder / kind.__name__)
        self.addCleanup(server.stop)
        return server

    def test_each_run_is_a_process_of_its_own(self):
        script = "global.x = (global.x || 0) + 1; console.log(x, process.env.A, process.env.B); process.exitCode = x + 1"
        server = self.server()
        first = server.run(script, {"A": "1"})
        second = server.run(script, {"B": "2"})
        self.assertEqual((first.exit_code, first.stdout), (2, "1 1 undefined\n"))
        self.assertEqual((second.exit_code, second.stdout), (2, "1 undefined 2\n"))

    def test_as_a_fresh_process(self):
        script = "setTimeout(() => { console.log(process.hrtime(t)); require('fs').access('/vclock/op/5000000/0', () => {"
        script += "console.error(process.hrtime(t)); null.x }) }, 7); process.chdir('vclock:start'); const t = process.hrtime()"
        fork, fresh = self.server(), self.server(Fresh)
        for phase in ("0", "300000"):
            environment = {"VCLOCK_PHASE_NS": phase, "UV_THREADPOOL_SIZE": "1"}
            a, b = fork.run(script, environment), fresh.run(script, environment)
            self.assertEqual((a.exit_code, a.stdout), (b.exit_code, b.stdout))
            self.assertEqual(a.stderr.replace("/Server/", "/Fresh/"), b.stderr)

    def test_much_output(self):
        run = self.server().run("for (let i = 0; i < 50000; i++) require('fs').writeSync(1, 'a line of output\\n')", {})
        self.assertEqual(run.stdout, "a line of output\n" * 50000)

    def test_a_run_that_hangs(self):
        server = self.server()
        with self.assertRaises(RunTimeout):
            server.run("for (;;);", {}, timeout=1)
        self.assertEqual(server.run("console.log(1)", {}).stdout, "1\n")

    def test_a_server_that_dies(self):
        server = self.server()
        server.run("", {})
        server.process.kill()
        with self.assertRaises(ServerDied):
            server.run("", {})
        self.assertEqual(server.run("console.log(1)", {}).stdout, "1\n")

    def test_nothing_is_left_behind(self):
        server = self.server()
        server.run("", {})
        descriptors = Path(f"/proc/{server.process.pid}/fd")
        before, ours = len(list(descriptors.iterdir())), len(os.listdir("/proc/self/fd"))
        for _ in range(100):
            server.run("setTimeout(() => {}, 1)", {})
        self.assertEqual((len(list(descriptors.iterdir())), len(os.listdir("/proc/self/fd"))), (before, ours))
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text()
        self.assertEqual(children, "")


def main():
    global FEED, LIBRARY
    parser = argparse.ArgumentParser()
    parser.add_argument("--feed", type=Path, required=True)
    options, rest = parser.parse_known_args()
    FEED = options.feed.resolve()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(TOOLS / "campaign"), "--feed", str(FEED), "--versions", str(MAJOR), "--programs", "0"]
        done = subprocess.run([*command, "--programs-only", "--may-skip", "--folder", f"{folder}/state"], capture_output=True, text=True)
    if done.returncode == 77:
        print(done.stdout, end="")
        return 77
    LIBRARY = Path(subprocess.run([TOOLS / "vnode", "--library"], capture_output=True, text=True, check=True).stdout.strip())
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())

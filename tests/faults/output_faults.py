#!/usr/bin/env python3
"""Tests output under faults: full disks, closed pipes, read-only folders, a kill in the middle, two programs writing the same
file.

    output_faults.py --program build/loopsim [TEST...]

Covers every command, option and format that writes: they are read from --help, so that none is missed (a new one that needs
arguments fails here until BASES has them). Requirements:

    the exit status is 4, and the message gives the file and the reason
    the final name has the previous contents or all of the new output; never a part of it
    no other file is left behind, except after kill -9

Small file systems and read-only folders are mounted in a separate mount namespace, which requires root or unprivileged user
namespaces. strace injects errors of single system calls. Unavailable parts are reported as skipped.

Exit status: 0 no failures, 1 failures.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLI = ROOT / "tests" / "cli" / "scenarios"
SWEPT = str(ROOT / "tests" / "study" / "scenarios" / "timer.json")
PROGRAM = ""
MAY_MOUNT = False
SKIPPED: set[str] = set()

OK, DIFFERENT, BAD_INPUT, LIMIT, OUTPUT = range(5)
PAGE = 4096
OUT = "{out}"  # placeholder in a command line: the output file under test
ASIDE = "{aside}"  # an additional output file, in a good place
SHARDS = "{shards}"  # a folder with shards 1 and 2, and other-1 and other-2

# Per command: arguments that produce output, and arguments that change the output.
BASES: dict[str, tuple[list[str], list[str]]] = {
    "run": (["run", str(CLI / "timer.json")], ["--set", "delay=1234"]),
    "explain": (["explain", str(CLI / "timer.json")], ["--set", "delay=1234"]),
    "convert": (["convert", str(ROOT / "tests/page/window.jsonl")], []),
    "diff": (["diff", str(CLI / "order.json"), "--set-b", "first=9"], ["--set-a", "first=1"]),
    "sweep": (["sweep", SWEPT, "--vary", "read_time=90,100", "--replications", "24", "--jobs", "1"], ["--seed", "7"]),
    "merge": (["merge", f"{SHARDS}/1", f"{SHARDS}/2"], ["{other-shards}"]),
    "plot": (["plot", f"{SHARDS}/rows.csv"], ["--metric", "utilization"]),
    "orders": (["orders", str(CLI / "race.json"), "--runs", "60", "--jobs", "1"], ["--seed", "7"]),
    "js": (["js", str(CLI / "timer.json")], ["--set", "delay=1234"]),
    "c": (["c", str(ROOT / "tests/conformance/libuv/check-and-idle.json")], []),
    "schema": (["schema"], []),
    "completion": (["completion", "bash"], []),
    "man": (["man"], []),
    "new": (["new", "first"], ["--template", "server"]),
}
# Of a format that such a program has nothing to write in.
BASES_OF_FORMATS: dict[tuple[str, str], tuple[list[str], list[str]]] = {
    ("run", "calls"): (["run", str(ROOT / "scenarios/io/poll.json")], ["--set", "/io/buffer=16"]),
}
NO_FILES = {"check", "list"}  # write to standard output only
FOLDERS = {"play"}  # write a folder; tests/play/server.py has its faults
# Options that write a file in addition to the command's own output; the latter goes to ASIDE.
BESIDE = {("sweep", "summary"), ("sweep", "plot"), ("sweep", "plot-histogram"), ("merge", "summary"), ("merge", "plot"),
          ("merge", "plot-histogram"), ("orders", "plot")}
ENDINGS = {"plot": ".svg", "plot-histogram": ".svg", "summary": ".csv"}
TAKE_INPUT = ("run", "explain", "check", "diff", "orders", "sweep")
READ = {("play", "page"), *((command, "stdin") for command in TAKE_INPUT)}  # files that are read
NEVER_OVERWRITES = {"new"}
SCHEMA = "scenario.schema.json"  # `new` writes it beside the scenario


@dataclass(frozen=True)
class Writer:
    """A command line that writes a file."""

    command: str
    option: str
    words: tuple[str, ...]
    ending: str = ""

    @property
    def name(self) -> str:
        return " ".join(Path(word).name if word.startswith("/") else word for word in self.words)

    def line(self, out: str | Path, other: bool = False, **places: str) -> list[str]:
        words = list(self.words)
        if other:
            form = next((form for of, form in BASES_OF_FORMATS if of == self.command and form in " ".join(self.words[2:])), "")
            more = BASES_OF_FORMATS.get((self.command, form), BASES[self.command])[1]
            if more == ["{other-shards}"]:
                words = [word.replace(f"{SHARDS}/", f"{SHARDS}/other-") for word in words]
            else:
                words += more
        for mark, place in {"out": str(out), **places}.items():
            words = [word.replace("{" + mark + "}", place) for word in words]
        return [PROGRAM, *words]

    @property
    def keeps_journal(self) -> bool:
        return self.command == "sweep" and self.option == "output"


# ---- writers, from the program's help ------------------------------------------------------------------------------


def help_of(*words: str) -> str:
    return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, check=True).stdout


def commands() -> list[str]:
    return re.findall(r"^  ([a-z]+) ", help_of().split("Options:")[0], re.MULTILINE)


def options_of(command: str) -> dict[str, str]:
    """Returns the options that take a value, with its placeholder."""
    return dict(re.findall(r"^  (?:-\w, |    )--([a-z-]+) ([^ \n]+)", help_of(command), re.MULTILINE))


def writers_of(command: str) -> list[Writer]:
    options = options_of(command)
    naming_files = {name: value for name, value in options.items() if "FILE" in value and (command, name) not in READ}
    if not naming_files:
        return []
    if command not in BASES:
        raise AssertionError(f"loopsim {command} writes files ({', '.join(naming_files)}): say in BASES how to call it")
    base = BASES[command][0]

    def of(form: str) -> list[str]:
        return BASES_OF_FORMATS.get((command, form), BASES[command])[0]

    formats = options.get("format", "").removesuffix("[=FILE]").split("|") if "format" in options else []
    found = []
    for option, value in naming_files.items():
        if option == "output":
            found += [Writer(command, option, (*of(word), *(("--format", word) if word else ()), "--output", OUT))
                      for word in formats or [""]]
        elif value.endswith("[=FILE]"):
            found += [Writer(command, option, (*of(word), f"--{option}", f"{word}={OUT}")) for word in formats]
        elif value == "FORMAT=FILE":
            found += [Writer(command, option, (*of(word), f"--{option}", f"{word}={OUT}")) for word in formats]
        else:
            aside = ("--output", ASIDE) if (command, option) in BESIDE else ()
            found.append(Writer(command, option, (*base, *aside, f"--{option}", OUT), ENDINGS.get(option, "")))
    return found


class Faults(unittest.TestCase):
    maxDiff = None
    writers: list[Writer] = []
    wanted: dict[Writer, bytes] = {}  # expected output without faults
    other: dict[Writer, bytes] = {}  # the same with other input
    status: dict[Writer, int] = {}
    said: dict[Writer, str] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.base = Path(tempfile.mkdtemp(prefix="loopsim-faults-"))
        cls.shards = cls.base / "shards"
        cls.shards.mkdir()
        for prefix, more in (("", []), ("other-", ["--seed", "7"])):
            for number in ("1", "2"):
                subprocess.run([PROGRAM, *BASES["sweep"][0], *more, "--histogram", "--shard", f"{number}/2",
                                "--output", cls.shards / f"{prefix}{number}"], check=True, stderr=subprocess.PIPE)
        subprocess.run([PROGRAM, *BASES["sweep"][0], "--output", cls.shards / "rows.csv"], check=True, stderr=subprocess.PIPE)
        for writer in [writer for command in commands() for writer in writers_of(command)]:
            for other, contents in ((False, cls.wanted), (True, cls.other)):
                out = cls.base / f"out{writer.ending}"
                done = cls.run_line(writer.line(out, other, aside=str(cls.base / "aside"), shards=str(cls.shards)))
                if done.returncode not in (OK, DIFFERENT) or not out.exists():
                    SKIPPED.add(f"loopsim {writer.name} does not work here: {done.stderr.decode().splitlines()[:1]}")
                    break
                contents[writer] = out.read_bytes()
                cls.status[writer] = done.returncode
                if not other:
                    cls.said[writer] = done.stderr.decode()
                for path in cls.base.glob("*"):
                    if path != cls.shards:
                        path.unlink()
            else:
                cls.writers.append(writer)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.base, ignore_errors=True)

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="loopsim-faults-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.place = self.folder / "place"  # folder of the output
        self.place.mkdir()
        self.aside = self.folder / "aside"

    # ---- helpers ----------------------------------------------------------------------------------------------------

    @staticmethod
    def run_line(words: list[str], **options) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(words, stdin=subprocess.DEVNULL, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120,
                                                                   **options}, check=False)

    def line(self, writer: Writer, out: Path | str, other: bool = False) -> list[str]:
        return writer.line(out, other, aside=str(self.aside), shards=str(self.shards))

    def forget_aside(self) -> None:
        for path in (self.aside, Path(f"{self.aside}.partial")):
            path.unlink(missing_ok=True)

    @contextmanager
    def case(self, writer: Writer) -> Iterator[None]:
        """Tests one command line in its own folder, so that files left by a failure do not affect the next."""
        self.forget_aside()
        with self.subTest(writer=writer.name):
            yield
        for path in self.place.iterdir() if os.access(self.place, os.W_OK) else ():
            try:
                path.unlink()
            except OSError:
                return  # read-only

    def mount(self, *words: str | Path) -> None:
        done = self.run_line(["mount", *map(str, words)])
        if done.returncode != 0:
            self.skip(f"mount {words[0]} {words[1]}: {done.stderr.decode().strip()}")

    def skip(self, why: str) -> None:
        SKIPPED.add(f"{self.id().rsplit('.', 1)[1]}: {why}")
        self.skipTest(why)

    def need_mounts(self) -> None:
        if not MAY_MOUNT:
            self.skip("this user may not mount anything, not even in a namespace of its own")

    def small_disk(self, size: int) -> None:
        self.need_mounts()
        self.mount("-t", "tmpfs", "-o", f"size={size}", "none", self.place)
        self.addCleanup(subprocess.run, ["umount", "-l", self.place], check=False)

    def fill_disk(self, pages_free: int) -> Path:
        """Fills the file system except for `pages` pages; returns the file that fills it."""
        filler = self.place / "filler"
        free = os.statvfs(self.place).f_bavail * os.statvfs(self.place).f_bsize
        filler.write_bytes(b"x" * (free - pages_free * PAGE))
        return filler

    def names(self, *without: str) -> list[str]:
        found = set(os.listdir(self.place)) - set(without)
        if any(name.startswith("out") for name in found):
            found.discard(SCHEMA)  # `new` writes it beside a scenario, and only there
        return sorted(found)

    def assert_message(self, writer: Writer, done: subprocess.CompletedProcess[bytes], out: Path, reason: str) -> None:
        """Checks for status 4 and a message of one line with the file and the reason."""
        files = [str(out)] + ([f"{out}.partial"] if writer.keeps_journal else [])
        files += [str(out.parent / SCHEMA)] if writer.command == "new" else []
        said = done.stderr.decode().removeprefix(self.said[writer])  # the summary of a run
        self.assertIn(said, [f"loopsim: could not write {file}: {reason}\n" for file in files])
        self.assertEqual(done.returncode, OUTPUT)

    def old_file(self, writer: Writer) -> tuple[Path, bytes | None]:
        """Creates an existing output; nothing for commands that never overwrite one."""
        out = self.place / f"out{writer.ending}"
        if writer.command in NEVER_OVERWRITES:
            return out, None
        out.write_bytes(b"old")
        return out, b"old"

    def content(self, out: Path) -> bytes | None:
        return out.read_bytes() if out.exists() else None

    # ---- completeness ------------------------------------------------------------------------------------------

    def test_every_command_is_known(self) -> None:
        self.assertEqual(set(commands()) - set(BASES) - NO_FILES - FOLDERS, set(), "say in BASES, NO_FILES or FOLDERS what they write")
        self.assertGreater(len(self.writers), 20)
        for writer in self.writers:
            self.assertNotEqual(self.wanted[writer], b"", writer.name)

    # ---- full disks -------------------------------------------------------------------------------------------------

    def test_a_full_disk(self) -> None:
        self.small_disk(64 * PAGE)
        for writer in self.writers:
            with self.case(writer):
                out, old = self.old_file(writer)
                filler = self.fill_disk(0)
                done = self.run_line(self.line(writer, out))
                left = self.names("filler")
                self.assert_message(writer, done, out, "No space left on device")
                self.assertEqual(self.content(out), old)
                self.assertEqual(left, [out.name] if old else [])  # a journal without runs is removed
                filler.unlink()
                done = self.run_line(self.line(writer, out))
                self.assertEqual(done.returncode, self.status[writer], done.stderr)
                self.assertEqual(out.read_bytes(), self.wanted[writer])
                out.unlink()

    def test_a_disk_that_becomes_full(self) -> None:
        """Leaves room for so many pages, so that any number of writes may succeed first."""
        self.small_disk(64 * PAGE)
        failures = 0
        for writer in self.writers:
            with self.case(writer):
                for free in (1, 2, 3, 5):
                    out, old = self.old_file(writer)
                    filler = self.fill_disk(free)
                    done = self.run_line(self.line(writer, out))
                    journal = Path(f"{out}.partial")
                    resume = journal.exists()
                    if done.returncode == self.status[writer]:
                        self.assertEqual(out.read_bytes(), self.wanted[writer])
                        self.assertEqual(self.names("filler"), [out.name])
                    else:
                        failures += 1
                        self.assert_message(writer, done, out, "No space left on device")
                        self.assertEqual(self.content(out), old)
                        self.assertEqual(self.names("filler", journal.name if writer.keeps_journal else ""), [out.name] if old else [])
                    filler.unlink()
                    if resume:  # after space was freed
                        done = self.run_line([*self.line(writer, out), "--resume"])
                        self.assertEqual(done.returncode, OK, done.stderr)
                        self.assertEqual(out.read_bytes(), self.wanted[writer])
                        self.assertEqual(self.names(), [out.name])
                    out.unlink(missing_ok=True)
        self.assertGreater(failures, 5)

    def test_a_full_device(self) -> None:
        for writer in self.writers:
            with self.case(writer):
                if writer.command in NEVER_OVERWRITES:
                    continue
                done = self.run_line(self.line(writer, "/dev/full"))
                self.assert_message(writer, done, Path("/dev/full"), "No space left on device")

    # ---- standard output --------------------------------------------------------------------------------------------

    def streams(self) -> list[list[str]]:
        lines = [[PROGRAM, *words] for words in (["--help"], ["--version"], ["check", str(CLI / "timer.json")], ["list", "verbs"])]
        lines += [[PROGRAM, command, "--help"] for command in commands()]
        for writer in self.writers:
            # The others need a named file.
            if "sqlite" not in writer.words and writer.option in ("output", "format"):
                lines.append(self.line(writer, "-"))
        return lines

    def test_standard_output_on_a_full_device(self) -> None:
        for line in self.streams():
            with self.subTest(line=line[1:]), open("/dev/full", "wb") as full:
                done = self.run_line(line, stdout=full)
                self.assertTrue(done.stderr.decode().endswith("loopsim: could not write standard output: No space left on device\n"),
                                done.stderr)
                self.assertEqual(done.returncode, OUTPUT)

    def test_a_closed_pipe(self) -> None:
        for line in self.streams():
            with self.subTest(line=line[1:]):
                read, write = os.pipe()
                os.close(read)
                with os.fdopen(write, "wb") as pipe:
                    done = self.run_line(line, stdout=pipe)
                self.assertTrue(done.stderr.decode().endswith("loopsim: could not write standard output: Broken pipe\n"), done.stderr)
                self.assertEqual(done.returncode, OUTPUT)

    def test_a_named_pipe_whose_reader_leaves(self) -> None:
        for writer in self.writers:
            with self.case(writer):
                if writer.command in NEVER_OVERWRITES:
                    continue
                pipe = self.place / f"pipe{writer.ending}"
                os.mkfifo(pipe)
                reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
                child = subprocess.Popen(["sh", "-c", 'exec "$@" 3>&-', "sh", *self.line(writer, pipe)], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                # Wait until there are bytes in the pipe or the child has ended; then close the reader without reading.
                deadline = time.monotonic() + 60
                while child.poll() is None and time.monotonic() < deadline and not self.has_bytes(reader):
                    time.sleep(0.001)
                os.close(reader)
                _, said = child.communicate(timeout=60)
                if child.returncode != self.status[writer]:  # all output may have fitted into the pipe
                    self.assertEqual(said.decode().removeprefix(self.said[writer]), f"loopsim: could not write {pipe}: Broken pipe\n")
                    self.assertEqual(child.returncode, OUTPUT)
                self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
                self.assertEqual(self.names(), [pipe.name])
                pipe.unlink()

    @staticmethod
    def has_bytes(descriptor: int) -> bool:
        import array
        import fcntl
        import termios
        count = array.array("i", [0])
        fcntl.ioctl(descriptor, termios.FIONREAD, count)
        return count[0] > 0

    # ---- folders ----------------------------------------------------------------------------------------------------

    def test_a_read_only_file_system(self) -> None:
        self.need_mounts()
        before = {}
        for writer in self.writers:
            if writer.command not in NEVER_OVERWRITES:
                before[f"out{writer.ending}"] = b"old"
        for name, old in before.items():
            (self.place / name).write_bytes(old)
        self.mount("--bind", self.place, self.place)
        self.addCleanup(subprocess.run, ["umount", "-l", self.place], check=False)
        self.mount("-o", "remount,bind,ro", self.place)
        for writer in self.writers:
            with self.case(writer):
                for name in (f"out{writer.ending}", f"new{writer.ending}"):
                    if name in before and writer.command in NEVER_OVERWRITES:
                        continue
                    done = self.run_line(self.line(writer, self.place / name))
                    self.assert_message(writer, done, self.place / name, "Read-only file system")
                    self.assertEqual(self.content(self.place / name), before.get(name))
                    self.assertEqual(self.names(), sorted(before))

    def test_a_folder_without_the_right_to_write(self) -> None:
        """Runs the program as another user, because root may write everywhere."""
        user = {}
        if os.geteuid() == 0:
            os.chmod(self.folder, 0o755)
            os.chmod(self.base, 0o755)
            user = {"user": 65534, "group": 65534, "extra_groups": []}
            try:
                allowed = self.run_line([PROGRAM, "--version"], **user).returncode == OK
            except (OSError, subprocess.SubprocessError):
                allowed = False
            if not allowed:
                self.skip("only this user may run the program, and it may write everywhere")
        aside = self.folder / "everybody"
        aside.mkdir()
        aside.chmod(0o777)
        self.aside = aside / "aside"
        for writer in self.writers:
            with self.case(writer):
                out = self.place / f"out{writer.ending}"
                for old in (None,) if writer.command in NEVER_OVERWRITES else (None, b"old"):
                    if old:
                        out.write_bytes(old)
                        out.chmod(0o666)  # the file is writable, but cannot be replaced
                    self.place.chmod(0o555)
                    done = self.run_line(self.line(writer, out), **user)
                    self.place.chmod(0o755)
                    self.assert_message(writer, done, out, "Permission denied")
                    self.assertEqual(self.content(out), old)
                    self.assertEqual(self.names(), [out.name] if old else [])
                    out.unlink(missing_ok=True)
                    self.forget_aside()

    def test_a_folder_that_is_not_there(self) -> None:
        for writer in self.writers:
            with self.case(writer):
                out = self.place / "none" / f"out{writer.ending}"
                self.assert_message(writer, self.run_line(self.line(writer, out)), out, "No such file or directory")
                self.assertEqual(self.names(), [])

    # ---- errors of single system calls ------------------------------------------------------------------------------

    def traced(self, writer: Writer, out: Path, *injections: str) -> subprocess.CompletedProcess[bytes]:
        words = ["strace", "-q", "-o", "/dev/null", *(word for text in injections for word in ("-e", f"inject={text}"))]
        return self.run_line([*words, *self.line(writer, out)], env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})

    def need_strace(self) -> None:
        if not shutil.which("strace"):
            self.skip("there is no strace (Debian: apt-get install strace)")
        done = self.run_line(["strace", "-q", "-o", "/dev/null", "true"])
        if done.returncode != 0:
            self.skip(f"strace is not allowed: {done.stderr.decode().strip()}")

    def test_a_disk_that_fails_at_the_end(self) -> None:
        """Makes fsync or rename fail."""
        self.need_strace()
        for writer in self.writers:
            with self.case(writer):
                # The command's own output is written first, without a fault; that of orders last.
                is_second = (writer.command, writer.option) in BESIDE and writer.command != "orders"
                which = ":when=2" if is_second else ""
                for injection, reason in (("fsync:error=EIO", "Input/output error"), ("fsync:error=EDQUOT", "Disk quota exceeded"),
                                          ("/^rename|^link:error=EIO", "Input/output error")):
                    out, old = self.old_file(writer)
                    done = self.traced(writer, out, injection + which)
                    self.assert_message(writer, done, out, reason)
                    self.assertEqual(self.content(out), old)
                    journal = f"{out.name}.partial"
                    self.assertEqual(self.names(journal if writer.keeps_journal else ""), [out.name] if old else [])
                    for path in self.place.iterdir():
                        path.unlink()
                    self.forget_aside()

    def test_a_kill_at_any_system_call(self) -> None:
        """Sends SIGKILL at the creation of the file, at each write, before fsync, and before and after the rename."""
        self.need_strace()
        killed = 0
        for writer in self.writers:
            with self.case(writer):
                for call, count in (("write", 3), ("pwrite64", 3), ("fsync", 2), ("/^rename", 2), ("unlink", 2)):
                    for number in range(1, count + 1):
                        out, old = self.old_file(writer)
                        done = self.traced(writer, out, f"{call}:signal=KILL:when={number}")
                        if done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL):
                            killed += 1
                        else:
                            self.assertEqual(done.returncode, self.status[writer], done.stderr)
                            self.assertEqual(self.content(out), self.wanted[writer])
                        self.assertIn(self.content(out), [old, self.wanted[writer]])
                        for name in self.names(out.name):  # temporary files, distinguishable from results
                            self.assertTrue(re.fullmatch(r"\.loopsim-\d+-\d+\.tmp", name) or (writer.command == "new" and name == SCHEMA) or
                                            (writer.keeps_journal and name == f"{out.name}.partial"), name)
                        if f"{out.name}.partial" in self.names():
                            resumed = self.run_line([*self.line(writer, out), "--resume"])
                            self.assertEqual(resumed.returncode, OK, resumed.stderr)
                            self.assertEqual(out.read_bytes(), self.wanted[writer])
                            self.assertNotIn(f"{out.name}.partial", self.names())
                        for path in self.place.iterdir():
                            path.unlink()
                        self.forget_aside()
                        if done.returncode == self.status[writer]:
                            break  # no further calls of this kind
        self.assertGreater(killed, 20)

    # ---- kill in the middle -----------------------------------------------------------------------------------------

    def test_a_sweep_that_is_killed_goes_on(self) -> None:
        words = ["sweep", SWEPT, "--vary", "read_time=80:100:4", "--vary", "rounds=100,200", "--replications", "60", "--jobs", "2"]
        for form in options_of("sweep")["format"].split("|"):
            if form == "table":
                continue  # it goes to standard output
            with self.subTest(form=form):
                whole, out = self.place / "whole", self.place / "killed"
                line = [PROGRAM, *words, "--format", form]
                self.assertEqual(self.run_line([*line, "--output", str(whole)]).returncode, OK)
                journal = self.place / "killed.partial"
                kills = 0
                while not out.exists() and kills < 4:
                    before = journal.stat().st_size if journal.exists() else 0
                    child = subprocess.Popen([*line, "--resume", "--output", str(out)], stdin=subprocess.DEVNULL)
                    while child.poll() is None and (not journal.exists() or journal.stat().st_size < before + 60_000):
                        time.sleep(0.002)
                    if child.poll() is None:
                        kills += 1
                        child.kill()
                    child.wait()
                    self.assertEqual(out.exists(), child.returncode == OK)
                self.assertGreater(kills, 0)
                if not out.exists():
                    self.assertEqual(self.names(), ["killed.partial", "whole"])
                    self.assertEqual(self.run_line([*line, "--resume", "--output", str(out)]).returncode, OK)
                self.assertEqual(out.read_bytes(), whole.read_bytes())
                self.assertEqual(self.names(), ["killed", "whole"])
                out.unlink()

    # ---- concurrent runs --------------------------------------------------------------------------------------------

    def test_two_that_write_the_same_file(self) -> None:
        for writer in self.writers:
            with self.case(writer):
                for _ in range(8):
                    out = self.place / f"out{writer.ending}"
                    asides = [str(self.folder / f"aside{number}") for number in range(2)]
                    lines = [writer.line(out, bool(number), aside=asides[number], shards=str(self.shards)) for number in range(2)]
                    both = [subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                            for line in lines]
                    said = [child.communicate(timeout=120)[1].decode() for child in both]
                    wrote = []
                    for child, text, content in zip(both, said, (self.wanted[writer], self.other[writer])):
                        if child.returncode in (OK, DIFFERENT):
                            wrote.append(content)
                            continue
                        self.assertEqual(child.returncode, BAD_INPUT, text)
                        if writer.keeps_journal:  # the second one reports it
                            self.assertEqual(text, f"loopsim: another loopsim is at work on this sweep: it has locked {out}.partial\n")
                        else:
                            self.assertIn(writer.command, NEVER_OVERWRITES, text)
                    self.assertIn(out.read_bytes(), wrote)
                    self.assertEqual(self.names(), [out.name])
                    if writer.command in NEVER_OVERWRITES:
                        self.assertEqual(len(wrote), 1)
                    out.unlink()
                    for aside in asides:
                        Path(aside).unlink(missing_ok=True)


def enter_namespace() -> bool:
    """Restarts this script in a namespace in which it may mount; returns False if that is impossible."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    words = ["unshare", *user, "--mount", "--propagation", "private"]
    if not shutil.which("unshare") or subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
        return False
    os.execvp("unshare", [*words, sys.executable, *sys.argv, "--inside"])
    return True


def main() -> int:
    global PROGRAM, MAY_MOUNT
    parser = argparse.ArgumentParser(description="Full disks, closed pipes, kills: what becomes of the output.")
    parser.add_argument("--program", required=True)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    MAY_MOUNT = options.inside or enter_namespace()
    PROGRAM = os.path.abspath(options.program)
    done = unittest.main(argv=[sys.argv[0], *[f"Faults.{name}" for name in options.tests]], exit=False).result
    print(f"{len(Faults.writers)} ways to write a file, {done.testsRun} tests")
    for text in sorted(SKIPPED):
        print(f"skipped: faults, {text}")
    return 0 if done.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())

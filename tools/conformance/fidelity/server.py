"""Runs scripts in real Node under the virtual clock: each in a separate process, or in forks of a booted process.

A `Server` is a Node process that has started and stopped just before its main script (vclock_fork.c). It has its own folder with one
script; every run rewrites the script and requests a fork.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fidelity.compare import NODE_FLAGS

TIMEOUT_S = 30.0

class RunTimeout(Exception):
    """A run exceeded its time and was killed."""


class ServerDied(Exception):
    """The server ended; a new one can be started."""


@dataclass
class RealRun:
    exit_code: int  # negative: the signal that ended it
    stdout: str
    stderr: str
    cpu_s: float = 0.0


def environment_of(folder: Path, library: Path) -> dict[str, str]:
    """Returns an environment without the user's variables that could affect Node or a script."""
    return {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "LD_PRELOAD": str(library)}


def open_errors(folder: Path) -> BinaryIO:
    """Starts the process with standard error in a file: in Node 26, writing to a pipe later wakes the poll; a terminal or file does not."""
    return open(folder / "stderr", "w+b", buffering=0, opener=lambda path, flags: os.open(path, flags | os.O_APPEND, 0o600))


def read_errors(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


class Fresh:
    """Runs each script in a separate process."""

    def __init__(self, node: Path, library: Path, major: int, suffix: str, folder: Path, flags: tuple[str, ...] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.script = folder.resolve() / f"script{suffix}"
        self.command = [str(node), *NODE_FLAGS.get(major, ()), *flags, str(self.script)]
        self.environment = environment_of(folder, library)

    def run(self, script: str, environment: dict[str, str], timeout: float = TIMEOUT_S) -> RealRun:
        self.script.write_text(script)
        try:
            with tempfile.TemporaryFile() as errors:  # not a pipe: see run_real
                done = subprocess.run(
                    self.command,
                    env={**self.environment, **environment},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    cwd=self.script.parent,
                    timeout=timeout,
                )
                errors.seek(0)
                stderr = errors.read()
        except subprocess.TimeoutExpired as problem:
            raise RunTimeout(f"the real run took longer than {timeout:g} s") from problem
        return RealRun(done.returncode, done.stdout.decode(errors="replace"), stderr.decode(errors="replace"))

    def stop(self) -> None:
        pass


class Server:
    def __init__(self, node: Path, library: Path, major: int, suffix: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.script = folder.resolve() / f"script{suffix}"
        self.command = [str(node), *NODE_FLAGS.get(major, ()), str(self.script)]
        self.environment = {**environment_of(folder, library), "VCLOCK_FORK_SCRIPT": str(self.script)}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.out, out = os.pipe()
        os.set_blocking(self.out, False)
        self.errors = tempfile.TemporaryFile()  # not a pipe: see run_real
        self.errors_read = 0
        self.process = subprocess.Popen(
            self.command,
            env={**self.environment, "VCLOCK_FORK_SOCKET": str(theirs.fileno())},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=self.errors,
            pass_fds=[theirs.fileno()],
            cwd=self.script.parent,
        )
        theirs.close()
        os.close(out)
        self.poll = select.poll()
        for fd in (self.socket.fileno(), self.out):
            self.poll.register(fd, select.POLLIN)

    def stop(self) -> None:
        if self.process is None:
            return
        self.socket.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        self.errors.close()
        self.process = None

    def run(self, script: str, environment: dict[str, str], timeout: float = TIMEOUT_S) -> RealRun:
        """Runs a script in a fork. Raises RunTimeout or ServerDied; the next run works after either."""
        if self.process is None:
            self.start()
        self.script.write_text(script)
        os.ftruncate(self.errors.fileno(), 0)
        try:
            # Never an empty message: that would end the server.
            self.socket.send("".join(f"{name}={value}\0" for name, value in environment.items()).encode() or b"\0")
            return self.collect(timeout)
        except (ServerDied, OSError, RunTimeout) as problem:
            self.process.kill() if self.process else None
            self.stop()
            if isinstance(problem, OSError):
                raise ServerDied(str(problem)) from problem
            raise

    def collect(self, timeout: float) -> RealRun:
        out: list[bytes] = []
        deadline = time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise RunTimeout(f"the real run took longer than {timeout:g} s")
            done = None
            for fd, _ in self.poll.poll(1000 * left):
                if fd == self.out:
                    self.drain(out)
                    continue
                message = self.socket.recv(256).decode()
                if not message:
                    raise ServerDied(read_errors(self.errors).strip() or "the fork server died")
                if message.startswith("done "):
                    done = message.split()
            if done is None:
                continue
            self.drain(out)
            status = os.waitstatus_to_exitcode(int(done[1]))
            return RealRun(status, b"".join(out).decode(errors="replace"), read_errors(self.errors), int(done[2]) / 1e6)

    def drain(self, into: list[bytes]) -> None:
        try:
            while data := os.read(self.out, 65536):
                into.append(data)
        except BlockingIOError:
            pass

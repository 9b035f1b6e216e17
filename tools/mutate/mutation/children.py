"""Child processes, each in its own process group. A stopped run ends them all: a fault may cause an endless loop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GRACE_S = 1.0  # for children that must end their own children: ninja starts each compiler in its own group

_running: dict[int, subprocess.Popen] = {}
_stopped_by = 0  # signal number, or 0
_main_starts = False


class Stopped(BaseException):
    """The run was stopped by a signal. Not an Exception, so that handlers of those do not catch it."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.signum = signum


def _on_signal(signum: int, frame: object) -> None:
    global _stopped_by
    if _stopped_by:  # a second signal must not interrupt the cleanup
        return
    _stopped_by = signum
    if not _main_starts:
        raise Stopped(signum)


def check() -> None:
    """Raises Stopped if the run is being stopped: the status of a child is then meaningless."""
    if _stopped_by:
        raise Stopped(_stopped_by)


def start(command: list[str | Path], **options: object) -> subprocess.Popen:
    """Starts a child. A signal that arrives meanwhile is handled afterwards, so that end_all() knows every child."""
    global _main_starts
    is_main = threading.current_thread() is threading.main_thread()
    check()
    if is_main:
        _main_starts = True
    try:
        process = subprocess.Popen(command, start_new_session=True, **options)
        _running[process.pid] = process
    finally:
        if is_main:
            _main_starts = False
    if _stopped_by:  # end_all() may have run already
        end(process)
        check()
    return process


def _kill(process: subprocess.Popen, signum: int) -> bool:
    """Sends a signal to the group. Returns False if no process is left in it."""
    try:
        os.killpg(process.pid, signum)
    except ProcessLookupError:
        return False
    return True


def end(process: subprocess.Popen) -> None:
    """Ends the remaining processes of the group, and forgets it."""
    _kill(process, signal.SIGKILL)
    process.wait()
    _running.pop(process.pid, None)


def run(command: list[str | Path]) -> subprocess.CompletedProcess:
    """Runs a command; stdout has the output of both streams."""
    process = start(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said, _ = process.communicate()  # on a signal, end_all() kills the process
    _running.pop(process.pid, None)
    check()
    return subprocess.CompletedProcess(command, process.returncode, said)


def end_all() -> None:
    processes = list(_running.values())
    for process in processes:
        _kill(process, signal.SIGTERM)
    end_of_grace = time.monotonic() + GRACE_S
    while time.monotonic() < end_of_grace and any(process.poll() is None or _kill(process, 0) for process in processes):
        time.sleep(0.01)
    for process in processes:
        _kill(process, signal.SIGKILL)


def stoppable(work: Callable[[], int]) -> int:
    """Runs `work` and returns its exit status. A signal ends it with all its children; an ignored signal (nohup) stays ignored."""
    for signum in SIGNALS:
        if signal.getsignal(signum) != signal.SIG_IGN:
            signal.signal(signum, _on_signal)
    try:
        return work()
    except Stopped as stopped:
        print(f"mutate: stopped by {stopped}; the same command goes on from here", file=sys.stderr)
        return 128 + stopped.signum
    finally:
        end_all()


def leave_signals_to_parent() -> None:
    """Ignores Ctrl-C in a process of a pool: the terminal sends it there, too, but the parent ends the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for signum in SIGNALS[1:]:
        signal.signal(signum, signal.SIG_DFL)

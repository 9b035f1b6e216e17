"""The programs that are started here, each in a process group of its own. A run that is stopped ends them all: a fault may have made
of one what never ends by itself."""

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
    """By a signal. No Exception: what answers those must not answer this."""

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
    """Raises Stopped in a run that is being stopped: how a child ended then says nothing of it."""
    if _stopped_by:
        raise Stopped(_stopped_by)


def start(command: list[str | Path], **options: object) -> subprocess.Popen:
    """Once it is here, either end_all() knows the child or there is none: a signal that comes in between is answered behind it."""
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
    """False: nobody is left in its group."""
    try:
        os.killpg(process.pid, signum)
    except ProcessLookupError:
        return False
    return True


def end(process: subprocess.Popen) -> None:
    """Ends what is left of its group, and forgets it."""
    _kill(process, signal.SIGKILL)
    process.wait()
    _running.pop(process.pid, None)


def run(command: list[str | Path]) -> subprocess.CompletedProcess:
    """With all that it says, on either stream, in stdout."""
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
    """The exit status of `work`. A signal ends it with all its children; one that is ignored, as nohup wants, stays ignored."""
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
    """In a process of a pool: the terminal's Ctrl-C goes to it, too, and its parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for signum in SIGNALS[1:]:
        signal.signal(signum, signal.SIG_DFL)

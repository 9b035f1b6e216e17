"""System calls as text, one a line: what a real process did, read from strace, and what loopsim prints with -f calls.

    read(3) = 100                       bytes; 0 is the end; errors are -1 and their name
    read(3,4) = -1 EAGAIN *12           twelve rounds over these sockets in vain, by a process that does not block
    close(3) = 0
    fcntl(3, F_SETFL, O_NONBLOCK) = 0   O_ASYNC|O_NONBLOCK; fcntl(3, F_SETOWN) = 0; fcntl(3, F_SETSIG, SIGRTMIN) = 0
    select(3,4) = 1 [4]                 the sockets watched, and those found; poll the same. select(3,4; 0): does not wait
    epoll_create1() = 0                 epoll_ctl(ADD, 3) = 0; epoll_ctl(ADD, 3, EPOLLET) = 0
    epoll_wait() = 2 [5 3]              in the order in which the kernel names them; epoll_wait(0): does not wait
    sigprocmask(SIG_BLOCK, SIGIO) = 0   sigaction(SIGIO) = 0
    sigsuspend() = -1 EINTR             told when a signal ends it, before its handler
    SIGIO                               the handler begins; its calls follow, and
    sigreturn()
    sigwaitinfo() = SIGRTMIN [3]        and the signal's socket; sigwaitinfo(0) = -1 EAGAIN
    io_uring_setup(2) = 0
    io_uring_enter(2, 1) = 2 [3:100]    entries handed over, completions waited for; entries taken, and the completions
                                        that the process takes from the ring before its next call: socket:bytes
    clone() = T1                        a thread; its calls begin with T1, those of the first thread then with T0
    (killed)                            the time was over

Lines are in the order in which calls return. Lines that are empty or begin with # mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

FIRST = 3  # the first socket's descriptor
MARK = 1000
LINE = re.compile(r"^(?:(\d+)\s+)?(\d+\.\d+) (.*)$")
CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?|0x[0-9a-f]+)(.*?)(?: <([\d.]+)>)?$")
RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$")
SIGNAL = re.compile(r"^--- (SIG\w+) ")
SIGNALS = {"IO": "SIGIO", "SIGIO": "SIGIO", "RT_2": "SIGRTMIN", "SIGRT_2": "SIGRTMIN"}  # the C library keeps two for itself
FOLD = re.compile(r"^(.*) \*(\d+)$")
VAIN_READ = re.compile(r"^read\((\d+)\) = -1 EAGAIN$")
VAIN_WAIT = re.compile(r"^\w+\((?:[\d,]+; )?0\) = (?:0|-1 EAGAIN)$")


@dataclass
class Call:
    text: str
    begin: float  # ms since the first mark
    end: float


def flags(text: str) -> str:
    """O_RDONLY|O_NONBLOCK|FASYNC as the program wrote it."""
    known = [("FASYNC", "O_ASYNC"), ("O_NONBLOCK", "O_NONBLOCK")]
    return "|".join(name for word, name in known if word in text.split("|"))


def numbers(text: str) -> str:
    return ",".join(re.findall(r"\d+", text))


def describe(name: str, arguments: str, result: str, rest: str) -> str | None:
    """Returns the line for a call, or None if it is not one of the model's."""
    error = re.match(r" (E[A-Z]+)", rest)
    value = f"{result} {error[1]}" if error else result
    first = re.match(r"\d+", arguments)
    if name in ("read", "close") and first:
        return f"{name}({first[0]}) = {value}"
    if name == "fcntl":
        fd, what, *more = arguments.split(", ")
        if what == "F_SETFL":
            return f"fcntl({fd}, F_SETFL, {flags(more[0])}) = {value}"
        if what == "F_SETSIG":
            return f"fcntl({fd}, F_SETSIG, {SIGNALS.get(more[0], more[0])}) = {value}"
        return f"fcntl({fd}, {what}) = {value}"
    if name in ("select", "pselect6"):
        sets = re.findall(r"\[([\d ]*)\]", arguments)
        wait = "; 0" if re.search(r"\{tv_sec=0, tv_n?u?sec=0\}", arguments) else ""
        found = re.search(r"\(in \[([\d ]*)\]", rest)
        return f"select({numbers(sets[0])}{wait}) = {value}" + (f" [{found[1]}]" if found else "")
    if name in ("poll", "ppoll"):
        fds = ",".join(re.findall(r"fd=(\d+), events", arguments))
        wait = "; 0" if arguments.endswith(", 0") else ""
        found_fds = " ".join(re.findall(r"fd=(\d+), revents", rest))
        return f"poll({fds}{wait}) = {value}" + (f" [{found_fds}]" if found_fds else "")
    if name == "epoll_create1":
        return "epoll_create1() = 0"
    if name == "epoll_ctl":
        _, what, fd = arguments.split(", ")[:3]
        return f"epoll_ctl({what.removeprefix('EPOLL_CTL_')}, {fd}{', EPOLLET' if 'EPOLLET' in arguments else ''}) = {value}"
    if name in ("epoll_wait", "epoll_pwait"):
        wait = "0" if re.search(r", \d+, 0\b", arguments) else ""
        found_fds = " ".join(re.findall(r"u32=(\d+)", arguments))
        return f"epoll_wait({wait}) = {value}" + (f" [{found_fds}]" if found_fds else "")
    if name == "rt_sigprocmask":
        found = re.match(r"(SIG_BLOCK|SIG_UNBLOCK), \[(\w+)\]", arguments)
        return f"sigprocmask({found[1]}, {SIGNALS[found[2]]}) = {value}" if found and found[2] in SIGNALS else None
    if name == "rt_sigaction":
        which = arguments.split(",")[0]
        return f"sigaction({SIGNALS[which]}) = {value}" if which in SIGNALS else None
    if name == "rt_sigsuspend":
        return "sigsuspend() = -1 EINTR"
    if name == "rt_sigreturn":
        return "sigreturn()"
    if name == "rt_sigtimedwait":
        wait = "0" if "tv_nsec=0}" in arguments else ""
        which_socket = re.search(r"si_(?:int|fd)=(\d+)", arguments)
        if error or which_socket is None:
            return f"sigwaitinfo({wait}) = {value}"
        return f"sigwaitinfo({wait}) = SIGRTMIN [{which_socket[1]}]"
    if name == "io_uring_setup":
        return f"io_uring_setup({first[0]}) = 0" if first else None
    if name == "io_uring_enter":
        return "io_uring_enter({}, {}) = {}".format(*arguments.split(", ")[1:3], value)
    if name in ("clone", "clone3"):
        return "clone()"
    return None


def read_log(log: str, got: Iterable[tuple[int, int, int]] = ()) -> list[Call]:
    """Reads strace -f -ttt -T: the calls between the marks. `got`: what an asynchronous program has read, as (number of the
    io_uring_enter() before it, socket, bytes)."""
    calls: list[Call] = []
    open_calls: dict[str, tuple[str, float]] = {}
    threads: dict[str, str] = {}
    zero: float | None = None
    enters = 0
    completed: dict[int, list[str]] = {}
    for number, fd, count in got:
        completed.setdefault(number, []).append(f"{fd}:{count}")
    for line in log.splitlines():
        found = LINE.match(line)
        if found is None:
            continue
        process, stamp, text = found[1] or "0", float(found[2]) * 1000, found[3]
        begin = stamp
        if text.endswith("<unfinished ...>"):
            open_calls[process] = (text.removesuffix("<unfinished ...>").rstrip(" "), stamp)
            continue
        resumed = RESUMED.match(text)
        if resumed:
            before, begin = open_calls.pop(process, ("", stamp))
            text = before + resumed[2]
        if text.startswith(f"write({MARK},"):
            if zero is not None:
                break
            zero = stamp
            threads[process] = "T0"
            continue
        if zero is None:
            continue
        signal = SIGNAL.match(text)
        if signal:
            if signal[1] == "SIGALRM":
                calls.append(Call("(killed)", stamp - zero, stamp - zero))
                break
            if signal[1] == "SIGIO":
                calls.append(Call("SIGIO", stamp - zero, stamp - zero))
            continue
        one = CALL.match(text)
        if one is None or (one[3] == "?" and one[1] != "rt_sigsuspend"):
            continue
        if one[1] == "rt_sigsuspend" and "ERESTARTNOHAND" not in text and "EINTR" not in text:
            continue
        words = describe(one[1], one[2], one[3], one[4])
        if words is None:
            continue
        if words == "clone()":
            threads[one[3]] = f"T{len(threads)}"
            words += f" = {threads[one[3]]}"
        if words.startswith("io_uring_enter"):
            enters += 1
            if enters in completed:
                words += f" [{' '.join(completed[enters])}]"
        name = threads.get(process, "T?")
        end = begin + float(one[5]) * 1000 if one[5] else stamp
        calls.append(Call(f"{name} {words}", begin - zero, end - zero))
    if len(threads) == 1:
        for call in calls:
            call.text = call.text.removeprefix("T0 ")
    # In the order in which calls return; strace tells one that was not interrupted by another thread where it begins.
    if len(threads) > 1:
        calls.sort(key=lambda call: call.end)
    return calls


def fold(lines: list[str], vain: re.Pattern[str] | None, sockets: int) -> list[str]:
    """Replaces whole rounds of calls in vain by one line with their number: of a program that asks again and again. A round is one
    call for each open socket with VAIN_READ, one call with VAIN_WAIT; what is left of a round stays. Lines that are folded already
    may be among them. None: nothing is replaced."""
    if vain is None:
        return lines
    folded: list[str] = []
    is_open = list(range(FIRST, FIRST + sockets))
    index = 0
    while index < len(lines):
        run: list[str] = []  # one round at most, in the order in which it was asked
        length = 0
        while index < len(lines):
            found = FOLD.match(lines[index])
            text, rounds = (found[1], int(found[2])) if found else (lines[index], 1)
            one = re.match(r"read\(([\d,]+)\) = -1 EAGAIN$", text) if vain is VAIN_READ else VAIN_WAIT.match(text)
            if one is None:
                break
            fds = one[1].split(",") if vain is VAIN_READ else [text]
            run += fds if len(run) < len(is_open) else []
            length += rounds * len(fds)
            index += 1
        if vain is VAIN_READ and length > 0:
            first = is_open.index(int(run[0]))
            order = [str(fd) for fd in is_open[first:] + is_open[:first]]
            if length >= len(order):
                folded.append(f"read({','.join(order)}) = -1 EAGAIN *{length // len(order)}")
            folded += [f"read({fd}) = -1 EAGAIN" for fd in order[:length % len(order)]]
        elif length > 0:
            folded.append(f"{run[0]} *{length}")
        if index < len(lines):
            closed = re.match(r"close\((\d+)\)", lines[index])
            if closed:
                is_open.remove(int(closed[1]))
            folded.append(lines[index])
            index += 1
    return folded


def parse(text: str) -> list[str]:
    """Reads the lines that loopsim prints, or a recorded file."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def by_thread(lines: list[str]) -> list[str]:
    """Orders lines by thread: what two threads do at the same time has no order."""
    if not any(re.match(r"T\d+ ", line) for line in lines):
        return lines
    return sorted(lines, key=lambda line: int(line[1:line.index(" ")]) if re.match(r"T\d+ ", line) else 10**9)


MANY = 5  # rounds in vain


def difference(simulated: list[str], real: list[str], counts: bool = False) -> str | None:
    """Returns the first difference, or None. How many rounds were in vain is compared only with `counts`, within one and 5 %;
    otherwise that there were none on one side and many on the other is a difference."""

    def split(lines: list[str]) -> list[tuple[str, str, int]]:  # (call, rounds in vain before it, their number)
        result: list[tuple[str, str, int]] = []
        vain, rounds = "", 0
        for line in lines:
            found = FOLD.match(line)
            if found:
                vain, rounds = found[1], int(found[2])
            else:
                result.append((line, vain, rounds))
                vain, rounds = "", 0
        return [*result, ("(the end)", vain, rounds)]

    ours, theirs = split(by_thread(simulated)), split(by_thread(real))
    for index in range(max(len(ours), len(theirs))):
        a = ours[index] if index < len(ours) else ("(nothing)", "", 0)
        b = theirs[index] if index < len(theirs) else ("(nothing)", "", 0)
        if a[0] != b[0]:
            return f"call {index + 1}: simulated {a[0]}, real {b[0]}"
        if a[1] and b[1] and a[1] != b[1]:
            return f"before call {index + 1}, {a[0]}: in vain simulated {a[1]}, real {b[1]}"
        few, many = sorted((a[2], b[2]))
        if (few == 0 and many >= MANY) or (counts and many - few > 1 + many // 20):
            return f"before call {index + 1}, {a[0]}: rounds in vain simulated {a[2]}, real {b[2]}"
    return None

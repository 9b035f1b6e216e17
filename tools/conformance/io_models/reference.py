"""The runtime io in small, written on its own: docs/io-models.md, on a core for each thread, without load. A second opinion on loopsim, for
tests; and it says which random plans a real process must follow (drawn.py).

Times are whole nanoseconds. A process uses CPU (`compute`) or is blocked (`block`); arrivals happen meanwhile, each at its time, and
before what the process does at the same time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from io_models.programs import FIRST

# CPU, in ns: each system call; a KiB copied; a descriptor that select() or poll() looks at; an entry of epoll's ready list; a thread
# that runs again after it was blocked; a signal's way to its handler; an entry handed to a ring, and one that is done; a new thread.
FREE = {"call": 0, "copy": 0, "scan": 0, "ready": 0, "switch": 0, "signal": 0, "submit": 0, "complete": 0, "thread": 0}
LINUX = {"call": 300, "copy": 70, "scan": 80, "ready": 150, "switch": 2000, "signal": 2500, "submit": 200, "complete": 300,
         "thread": 25000}
END = None


@dataclass
class Socket:
    fd: int
    parts: deque[tuple[int, int]] = field(default_factory=deque)  # (time, bytes) of what nobody has read
    ended: int | None = None                                      # when the other side did
    is_open: bool = True

    def ready(self) -> bool:
        return bool(self.parts) or self.ended is not None


@dataclass
class Row:
    time: int
    process: str
    kernel: str


class Finished(Exception):
    """The limit of time."""


class World:
    """One process, its clock and its sockets."""

    def __init__(self, sockets: int, entries: Iterable[tuple[int, int, int | None]], costs: dict[str, int], limit: int, buffer: int,
                 datagram: bool = False, wakeup: int = 0) -> None:
        self.now = 0
        self.sockets = {fd: Socket(fd) for fd in range(FIRST, FIRST + sockets)}
        self.entries = list(entries)
        self.next = 0
        self.costs, self.limit, self.buffer, self.datagram, self.wakeup = costs, limit, buffer, datagram, wakeup
        self.on_arrival: Callable[[Socket], None] = lambda socket: None
        self.interrupt: Callable[[], bool] = lambda: False  # true if it has used CPU
        self.in_interrupt = False
        self.calls: list[tuple[int, str]] = []
        self.rows: list[Row] = []
        self.used = {"user": 0, "kernel": 0, "blocked": 0}
        self.switches = self.vain = self.number_of_calls = 0
        self.lateness: list[int] = []  # of each message: from its arrival until the process has its last byte
        self.last_taken: list[int] = []

    # ---- time -----------------------------------------------------------------------------------------------------
    def arrive(self) -> None:
        time, fd, count = self.entries[self.next]
        self.next += 1
        socket = self.sockets[fd]
        if count is None:
            socket.ended = time
            self.rows.append(Row(time, "", f"{fd} ends"))
        else:
            socket.parts.append((time, count))
            self.rows.append(Row(time, "", f"{count} bytes arrive at {fd}"))
        self.on_arrival(socket)

    def compute(self, cost: int, where: str = "kernel", interruptible: bool = False) -> None:
        left = cost
        while True:
            end = self.now + left
            if end > self.limit:
                self.now = self.limit
                raise Finished
            # What came before a thread began is there when it begins.
            due = max(self.entries[self.next][0], self.now) if self.next < len(self.entries) else None
            if due is None or due > end:
                self.used[where] += left
                self.now = end
                break
            self.used[where] += due - self.now
            left = end - due
            self.now = max(self.now, due)
            self.arrive()
            if interruptible and not self.in_interrupt:
                self.run_interrupts()
        if interruptible and not self.in_interrupt:
            self.run_interrupts()

    def run_interrupts(self) -> None:
        self.in_interrupt = True
        while self.interrupt():
            pass
        self.in_interrupt = False

    def block(self, until: Callable[[], bool]) -> None:
        """Sleeps until the condition holds; then wakes up."""
        self.rows.append(Row(self.now, "blocked", ""))
        while not until():
            if self.next == len(self.entries) or self.entries[self.next][0] > self.limit:
                self.used["blocked"] += self.limit - self.now
                self.now = self.limit
                raise Finished
            due = self.entries[self.next][0]
            self.used["blocked"] += max(due - self.now, 0)
            self.now = max(self.now, due)
            self.arrive()
        self.rows.append(Row(self.now, "", "wakes the process"))
        self.switches += 1
        if self.wakeup:
            self.compute(self.wakeup, "blocked")
        self.compute(self.costs["switch"])

    # ---- system calls ---------------------------------------------------------------------------------------------
    def enter(self, cost: int = 0) -> None:
        self.number_of_calls += 1
        self.compute(self.costs["call"] + cost)

    def told(self, text: str) -> None:
        self.calls.append((self.now, text))
        self.rows.append(Row(self.now, text, ""))

    def take(self, socket: Socket) -> int:
        """Takes bytes out of the socket's buffer, and copies them."""
        count = 0
        taken: list[int] = []
        while socket.parts and count < self.buffer:
            time, size = socket.parts[0]
            part = min(size, self.buffer - count)
            count += part
            if part == size or self.datagram:
                socket.parts.popleft()
                taken.append(time)
            else:
                socket.parts[0] = (time, size - part)
            if self.datagram:
                break
        if count:
            self.rows.append(Row(self.now, "", f"copies {count} bytes of {socket.fd}"))
            self.compute(-(-count * self.costs["copy"] // 1024))
        self.last_taken = taken
        return count

    def have(self, taken: list[int]) -> None:
        """The process has messages that arrived at these times."""
        self.lateness += [self.now - time for time in taken]

    def read(self, socket: Socket, blocks: bool) -> int:
        """Returns bytes, 0 at the end, -1 for EAGAIN."""
        self.enter()
        if not socket.ready():
            if not blocks:
                self.vain += 1
                self.told(f"read({socket.fd}) = -1 EAGAIN")
                return -1
            self.block(socket.ready)
        count = self.take(socket)
        self.have(self.last_taken)
        self.told(f"read({socket.fd}) = {count}")
        return count

    def call(self, text: str, cost: int = 0) -> None:
        self.enter(cost)
        self.told(text)

    def close(self, socket: Socket) -> None:
        self.enter()
        socket.is_open = False
        self.told(f"close({socket.fd}) = 0")

    def open(self) -> list[Socket]:
        return [socket for socket in self.sockets.values() if socket.is_open]


class Process:
    def __init__(self, world: World, work: int, meanwhile: int) -> None:
        self.world, self.work, self.meanwhile = world, work, meanwhile

    def got(self, count: int, interruptible: bool = False) -> None:
        if count > 0 and self.work:
            self.world.rows.append(Row(self.world.now, "computes: work", ""))
            self.world.compute(self.work, "user", interruptible)

    def read_once(self, socket: Socket, blocks: bool = False) -> bool:
        count = self.world.read(socket, blocks)
        if count > 0:
            self.got(count)
        elif count == 0:
            self.world.close(socket)
        return count > 0

    def look_elsewhere(self, interruptible: bool = False) -> None:
        if self.meanwhile and self.world.open():
            self.world.compute(self.meanwhile, "user", interruptible)

    # ---- the models -----------------------------------------------------------------------------------------------
    def blocking(self, variant: str) -> None:
        if variant == "clients":
            for socket in self.world.open():
                while self.read_once(socket, blocks=True):
                    pass
            return
        while self.world.open():
            for socket in self.world.open():
                self.read_once(socket, blocks=True)

    def nonblocking(self, _: str) -> None:
        world = self.world
        for socket in world.open():
            world.call(f"fcntl({socket.fd}, F_SETFL, O_NONBLOCK) = 0")
        while open_ := world.open():
            if not any(socket.ready() for socket in open_):
                self.skip(open_)
            for socket in open_:
                if socket.is_open:
                    self.read_once(socket)
            self.look_elsewhere()

    def skip(self, open_: list[Socket]) -> None:
        """Whole rounds in vain, up to the next arrival, in one step: their number is known."""
        world = self.world
        one = len(open_) * world.costs["call"] + self.meanwhile
        if one == 0:
            raise ValueError("a busy loop whose calls cost nothing")
        due = min(world.entries[world.next][0] if world.next < len(world.entries) else world.limit, world.limit)
        rounds = (due - 1 - world.now + self.meanwhile) // one
        if rounds <= 0:
            return
        world.vain += rounds * len(open_)
        world.number_of_calls += rounds * len(open_)
        world.calls.append((world.now, f"read({','.join(str(socket.fd) for socket in open_)}) = -1 EAGAIN *{rounds}"))
        world.rows.append(Row(world.now, f"spins: {rounds} rounds in vain", ""))
        world.compute(rounds * len(open_) * world.costs["call"])
        world.compute(rounds * self.meanwhile, "user")

    def select(self, _: str) -> None:
        self.scanning("select")

    def poll(self, _: str) -> None:
        self.scanning("poll")

    def scanning(self, name: str) -> None:
        world = self.world
        while open_ := world.open():
            scan = len(open_) * world.costs["scan"]
            world.enter(scan)
            if not self.meanwhile and not any(socket.ready() for socket in open_):
                world.block(lambda: any(socket.ready() for socket in open_))
                world.compute(scan)
            ready = [socket for socket in open_ if socket.ready()]
            watched = ",".join(str(socket.fd) for socket in open_) + ("; 0" if self.meanwhile else "")
            world.told(f"{name}({watched}) = {len(ready)}" + (f" [{' '.join(str(one.fd) for one in ready)}]" if ready else ""))
            for socket in ready:
                self.read_once(socket)
            self.look_elsewhere()

    def epoll(self, variant: str) -> None:
        world, edge = self.world, variant == "edge"
        ready: deque[Socket] = deque()
        watched: set[int] = set()

        def arrival(socket: Socket) -> None:
            if socket.fd in watched and socket not in ready:
                ready.append(socket)

        world.on_arrival = arrival
        world.call("epoll_create1() = 0")
        for socket in world.open():
            if edge:
                world.call(f"fcntl({socket.fd}, F_SETFL, O_NONBLOCK) = 0")
            world.call(f"epoll_ctl(ADD, {socket.fd}{', EPOLLET' if edge else ''}) = 0")
            watched.add(socket.fd)
            if socket.ready():
                arrival(socket)
        while world.open():
            world.enter()
            while True:
                found: list[Socket] = []
                for _ in range(len(ready)):
                    if len(found) == 64:
                        break
                    socket = ready.popleft()
                    world.compute(world.costs["ready"])
                    if socket.is_open and socket.ready():
                        found.append(socket)
                        if not edge and socket not in ready:  # data may have come while the kernel looked at it
                            ready.append(socket)
                if found or self.meanwhile:
                    break
                world.block(lambda: bool(ready))
            wait = "0" if self.meanwhile else ""
            world.told(f"epoll_wait({wait}) = {len(found)}" + (f" [{' '.join(str(one.fd) for one in found)}]" if found else ""))
            for socket in found:
                if edge:
                    while self.read_once(socket):
                        pass
                else:
                    self.read_once(socket)
                if not socket.is_open and socket in ready:
                    ready.remove(socket)
            self.look_elsewhere()

    def signal(self, variant: str) -> None:
        if variant == "queue":
            self.signal_queue()
            return
        world = self.world
        pending = False

        asynchronous: set[int] = set()  # O_ASYNC is set: what had arrived before makes no signal

        def arrival(socket: Socket) -> None:
            nonlocal pending
            pending = pending or socket.fd in asynchronous

        world.on_arrival = arrival
        world.call("sigprocmask(SIG_BLOCK, SIGIO) = 0")
        world.call("sigaction(SIGIO) = 0")
        for socket in world.open():
            world.call(f"fcntl({socket.fd}, F_SETOWN) = 0")
            world.call(f"fcntl({socket.fd}, F_SETFL, O_ASYNC|O_NONBLOCK) = 0")
            asynchronous.add(socket.fd)

        def deliver() -> bool:  # the handler; SIGIO is blocked in it
            nonlocal pending
            if not pending:
                return False
            pending = False
            world.compute(world.costs["signal"])
            world.told("SIGIO")
            for socket in list(world.sockets.values()):
                while socket.is_open and self.read_once(socket):
                    pass
            world.enter()
            world.told("sigreturn()")
            return True

        if self.meanwhile:
            world.interrupt = deliver
            world.call("sigprocmask(SIG_UNBLOCK, SIGIO) = 0")
            while world.open():
                self.look_elsewhere(interruptible=True)
            return
        while world.open():
            world.enter()
            if not pending:
                world.block(lambda: pending)
            world.told("sigsuspend() = -1 EINTR")
            deliver()

    def signal_queue(self) -> None:
        world = self.world
        queue: deque[Socket] = deque()
        asynchronous: set[int] = set()
        world.on_arrival = lambda socket: queue.append(socket) if socket.fd in asynchronous else None
        world.call("sigprocmask(SIG_BLOCK, SIGRTMIN) = 0")
        for socket in world.open():
            world.call(f"fcntl({socket.fd}, F_SETOWN) = 0")
            world.call(f"fcntl({socket.fd}, F_SETSIG, SIGRTMIN) = 0")
            world.call(f"fcntl({socket.fd}, F_SETFL, O_ASYNC|O_NONBLOCK) = 0")
            asynchronous.add(socket.fd)
        while world.open():
            world.enter()
            if not queue and not self.meanwhile:
                world.block(lambda: bool(queue))
            if queue:
                socket = queue.popleft()
                world.told(f"sigwaitinfo({'0' if self.meanwhile else ''}) = SIGRTMIN [{socket.fd}]")
                while socket.is_open and self.read_once(socket):
                    pass
            else:
                world.told("sigwaitinfo(0) = -1 EAGAIN")
            self.look_elsewhere()

    def async_(self, _: str) -> None:
        world = self.world
        pending: list[Socket] = []        # entries of the submission queue
        armed: dict[int, Socket] = {}     # reads that wait for data
        wakes: deque[Socket] = deque()    # of those, data has arrived
        done: deque[tuple[Socket, int, list[int]]] = deque()

        def arrival(socket: Socket) -> None:
            if socket.fd in armed and socket not in wakes:
                wakes.append(socket)

        def complete(socket: Socket) -> None:
            armed.pop(socket.fd, None)
            world.compute(world.costs["complete"])
            count = world.take(socket)
            done.append((socket, count, world.last_taken))

        def work() -> bool:  # the kernel's, on the process's thread
            if not wakes:
                return False
            complete(wakes.popleft())
            return True

        world.on_arrival = arrival
        world.interrupt = work
        world.call(f"io_uring_setup({len(world.sockets)}) = 0")
        pending += world.open()
        while world.open():
            at, text = -1, ""
            if pending or not self.meanwhile:
                given, wanted = len(pending), 0 if self.meanwhile else 1
                world.enter(given * world.costs["submit"])
                for socket in pending:
                    if socket.ready():
                        complete(socket)
                    else:
                        armed[socket.fd] = socket
                pending.clear()
                world.run_interrupts()
                while len(done) < wanted:
                    world.block(lambda: bool(wakes))
                    world.run_interrupts()
                text = f"io_uring_enter({given}, {wanted}) = {given}"
                world.told(text)
                at = len(world.calls) - 1
            while done:
                socket, count, taken = done.popleft()
                world.have(taken)
                if at < 0:  # found in the ring without a call: told with the last one
                    at = max(i for i, (_, one) in enumerate(world.calls) if one.startswith("io_uring_enter"))
                time, text = world.calls[at]
                world.calls[at] = (time, f"{text} [{socket.fd}:{count}]" if not text.endswith("]") else f"{text[:-1]} {socket.fd}:{count}]")
                if count == 0:
                    world.close(socket)
                else:
                    self.got(count, interruptible=True)
                    pending.append(socket)
            self.look_elsewhere(interruptible=True)


def simulate(model: tuple[str, str], sockets: int, entries: list[tuple[int, int, int | None]], costs: dict[str, int], limit: int,
             buffer: int, work: int, meanwhile: int, datagram: bool = False, wakeup: int = 0) -> list[World]:
    """Returns the world of the process, or one for each thread."""
    name, variant = model
    if name != "threads":
        world = World(sockets, entries, costs, limit, buffer, datagram, wakeup)
        try:
            getattr(Process(world, work, meanwhile), name if name != "async" else "async_")(variant)
        except Finished:
            world.told("(killed)")
        return [world]
    worlds = []
    main = World(sockets, [], costs, limit, buffer)
    for number in range(sockets):
        try:
            main.call(f"T0 clone() = T{number + 1}", costs["thread"])
        except Finished:
            break
        own = World(sockets, [entry for entry in entries if entry[1] == FIRST + number], costs, limit, buffer, datagram, wakeup)
        own.now = main.now
        for fd, socket in own.sockets.items():
            socket.is_open = fd == FIRST + number
        try:
            Process(own, work, meanwhile).blocking("rounds")
        except Finished:
            pass
        own.calls = [(time, f"T{number + 1} {text}") for time, text in own.calls]
        worlds.append(own)
    return [main, *worlds]

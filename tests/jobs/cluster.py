"""A context manager for a Slurm cluster of one node on the loopback interface. All of its files are in one temporary folder.

It runs Debian's slurmctld, slurmd and munged with its own configuration, key, state and sockets, as the current user. Nothing is
installed, enabled or changed outside that folder.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo", "squeue", "scancel")
SYSTEM_FOLDERS = os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"  # not in every user's PATH
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None, use_errno=True)

CONFIGURATION = """\
ClusterName=loopsim
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
PropagateResourceLimits=NONE
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MinJobAge=300
NodeName={host} NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=10 State=UP
"""


def missing() -> list[str]:
    return [name for name in PROGRAMS if which(name) is None]


def which(name: str) -> str | None:
    return shutil.which(name, path=os.environ.get("PATH", "") + SYSTEM_FOLDERS)


class Unavailable(Exception):
    """A daemon does not start on this machine; the message names it and has its output."""


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def dies_with_its_parent() -> None:
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Cluster:
    def __init__(self, cpus: int = 2, patience: float = 60):
        self.cpus, self.patience = cpus, patience
        self.user = pwd.getpwuid(os.geteuid()).pw_name
        self.daemons: list[tuple[str, subprocess.Popen]] = []

    # ---- start and stop ---------------------------------------------------------------------------------------------

    def __enter__(self) -> Cluster:
        # Slurm's children outlive its daemons; as their subreaper, this process can wait for all of them.
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.folder = Path(tempfile.mkdtemp(prefix="loopsim-slurm-"))
        try:
            self.configure()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for name, daemon in reversed(self.daemons):  # the controller first (it saves its state), munged last
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
                try:
                    daemon.wait(timeout=10)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()
        for process in self.processes():  # jobs and their step daemons
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            end = time.monotonic() + 10
            while time.monotonic() < end and (os.waitpid(-1, os.WNOHANG)[0] or self.processes()):
                time.sleep(0.01)
        shutil.rmtree(self.folder, ignore_errors=True)

    def processes(self) -> list[int]:
        """Returns the processes with this cluster's configuration in their environment or command line."""
        mark, found = os.fsencode(self.folder), []
        for entry in Path("/proc").glob("[0-9]*"):
            if int(entry.name) == os.getpid():
                continue
            with contextlib.suppress(OSError):
                if b"SLURM_CONF=" + mark in (entry / "environ").read_bytes() or mark in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return found

    def configure(self) -> None:
        self.folder.chmod(0o711)  # munged requires its socket to be reachable by everyone
        for name, mode in (("munge", 0o711), ("state", 0o700), ("spool", 0o755)):
            (self.folder / name).mkdir()
            (self.folder / name).chmod(mode)
        key = self.folder / "key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))
        host = socket.gethostname().split(".")[0]
        controller_port, node_port = free_ports(2)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, host=host, user=self.user, cpus=self.cpus, controller_port=controller_port,
            node_port=node_port))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_"))}
        self.environment |= {"SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": os.environ.get("PATH", "") + SYSTEM_FOLDERS}

    def start(self) -> None:
        munge = self.folder / "munge"
        self.daemon("munged", "--foreground", "--num-threads=2", f"--key-file={self.folder / 'key'}", f"--socket={munge / 'socket'}",
                    f"--pid-file={munge / 'pid'}", f"--seed-file={munge / 'seed'}")
        self.wait("munged", (munge / "socket").exists)
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        self.wait("slurmctld and slurmd", lambda: self.run("sinfo", "--noheader", "--format=%T").stdout.strip() in ("idle", "mixed"))

    def daemon(self, name: str, *arguments: str) -> None:
        with open(self.folder / f"{name}.out", "wb") as out:
            self.daemons.append((name, subprocess.Popen(
                [which(name), *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.environment, cwd=self.folder,
                start_new_session=True, preexec_fn=dies_with_its_parent)))

    def wait(self, what: str, ready) -> None:
        end = time.monotonic() + self.patience
        while not ready():
            ended = [name for name, daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > end:
                raise Unavailable(f"{' and '.join(ended) or what} did not start:\n{self.logs()}")
            time.sleep(0.1)

    # ---- use --------------------------------------------------------------------------------------------------------

    def run(self, *command: str, timeout: float = 60, **more) -> subprocess.CompletedProcess:
        environment = self.environment | more.pop("environment", {})
        return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=timeout, env=environment, **more)

    def logs(self) -> str:
        """Returns the last lines of the daemons' logs."""
        parts = []
        for path in sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")]):
            lines = path.read_text(errors="replace").splitlines()[-20:]
            parts.append("\n".join([f"--- {path.name}", *lines]))
        return "\n".join(parts)

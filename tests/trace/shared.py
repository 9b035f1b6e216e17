"""Shared parts of the trace checks."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def all_scenarios(of_io=False):
    """Returns the scenarios of the repository, and those of the command line tests. Models of I/O have no callbacks: only with `of_io`."""
    folders = [ROOT / "scenarios", ROOT / "tests/cli/scenarios"]
    return sorted(path for folder in folders for path in folder.rglob("*.json") if not path.name.endswith(".schema.json")
                  and (of_io or path.parent.name != "io"))

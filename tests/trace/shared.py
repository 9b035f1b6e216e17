"""What several checks of traces need."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def all_scenarios():
    """Those that ship, and those of the tests of the command line."""
    folders = [ROOT / "scenarios", ROOT / "tests/cli/scenarios"]
    return sorted(path for folder in folders for path in folder.rglob("*.json") if not path.name.endswith(".schema.json"))

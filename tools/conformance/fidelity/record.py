"""Writes the figures of a large random run into campaign.json, the source of those in docs/fidelity.md and README.md."""

from __future__ import annotations

import datetime
import json
import re
from collections import Counter

from fidelity.campaign import HERE, Plan, Tally
from fidelity.census import Census

FILE = HERE / "campaign.json"


def record(plan: Plan, tally: Tally, census: Census, what: str) -> None:
    """Adds an entry, or replaces the one with the same words."""
    space = plan.space()
    rows = tally.rows.values()
    entry = {
        "date": datetime.date.today().isoformat(),
        "what": what,
        "features": plan.words(),
        "seeds": [plan.seed, plan.seed + plan.programs - 1],
        "programs": plan.programs,
        "versions": list(plan.majors),
        "runs": sum(row.programs for row in rows),
        "callbacks": sum(row.callbacks for row in rows),
        "mismatches": tally.mismatches(),
        "repeated": dict(sorted(sum((row.repeated for row in rows), Counter()).items())),
        "skipped": sum(sum(row.skipped.values()) for row in rows),
        "drawn": census.figures(space),
        "pairs": census.by_area(space),
        "command": f"tools/dev conformance --programs-only --versions {','.join(map(str, plan.majors))} "
        f"--programs {plan.programs} --seed {plan.seed} {plan.arguments()} --size {plan.size}",
    }
    campaigns = [one for one in json.loads(FILE.read_text())["campaigns"] if one["what"] != what]
    FILE.write_text(short_lists(json.dumps({"campaigns": [*campaigns, entry]}, indent=2)) + "\n")


def short_lists(text: str) -> str:
    """Formats JSON with each list of numbers on one line."""
    return re.sub(r"\[[\d\s,]+\]", lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"), text)

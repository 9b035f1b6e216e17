"""Numbers faults stably from run to run, so that a file with the same faults is not recompiled."""

from __future__ import annotations

import json
from pathlib import Path

from mutation.sites import Site


def number(chosen: list[Site], kept: Path) -> dict[int, Site]:
    old: dict[str, int] = json.loads(kept.read_text()) if kept.exists() else {}
    old = {site.key: old[site.key] for site in chosen if site.key in old}
    free = iter(sorted(set(range(1, len(chosen) + 1)) - set(old.values())))
    new = {site.key: old[site.key] if site.key in old else next(free) for site in chosen}
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(new))
    return {new[site.key]: site for site in chosen}

"""Formats the results: a Markdown table, and the figures above it."""

from __future__ import annotations

from collections import Counter

from mutation.results import Result
from mutation.sites import Site


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def code(text: str) -> str:
    return f"`` {cell(text)} ``" if "`" in text else f"`{cell(text)}`"


def fault_text(site: Site) -> str:
    return f"{code(site.before)} dropped" if site.kind == "dropped" else f"{code(site.before)} → {code(site.after)}"


def table(faults: list[Site], rows: dict[str, Result], reasons: dict[str, str]) -> str:
    lines = ["| place | function | kind | fault | found by |", "|---|---|---|---|---|"]
    for site in sorted(faults, key=lambda site: (site.file, site.start)):
        row = rows.get(site.key)
        if row is None:
            found = "not tried yet"
        elif row.survived:
            found = "**SURVIVED**" + ("" if row.reached else ", no test comes here")
            found += ": " + reasons[site.key] if site.key in reasons else ""
        else:
            found = row.found_by + (f": {row.detail}" if row.detail else "")
        lines.append(f"| {site.file}:{site.line} | {code(site.function)} | {site.kind} | {fault_text(site)} | {cell(found)} |")
    return "\n".join(lines) + "\n"


def figures(faults: list[Site], rows: dict[str, Result], reasons: dict[str, str]) -> str:
    tried = [(site, rows[site.key]) for site in faults if site.key in rows]
    survived = [site for site, row in tried if row.survived]
    by_stage = Counter(row.found_by for _, row in tried if not row.survived)
    found = len(tried) - len(survived)
    share = 100 * found / len(tried) if tried else 0.0
    lines = [f"{len(faults)} faults, {len(tried)} tried, {found} found ({share:.1f} %), {len(survived)} survived, "
             f"{sum(site.key in reasons for site in survived)} of them explained"]
    lines += [f"  {count:4}  {stage}" for stage, count in by_stage.most_common()]
    return "\n".join(lines) + "\n"

"""The table of a suite: passed, failed, and not run with the reasons, by group."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .explained import EXPLAINED
from .running import FAILED, PASSED, SKIPPED


@dataclass
class Row:
    name: str
    members: list  # pairs of test and outcome

    def count(self, verdict: str) -> int:
        return sum(result.verdict == verdict for _, result in self.members)

    def reasons(self) -> str:
        counts = Counter(result.why for _, result in self.members if result.verdict == SKIPPED)
        return ", ".join(f"{why} {count}" for why, count in counts.most_common())


# Of groups with so few failures each one is told; of the others, how often something was the reason.
TOLD = 25


def failures_as_markdown(rows: list[Row]) -> str:
    lines = []
    for row in rows:
        failed = [(test, result) for test, result in row.members if result.verdict == FAILED]
        if not failed or row.name == "all" or row.name.startswith("core"):
            continue
        lines += [f"### {row.name}: {len(failed)}", ""]
        if len(failed) <= TOLD:
            lines += [f"- `{test.name}`: {EXPLAINED.get(test.name) or plain(result.why)}" for test, result in failed]
        else:
            counts = Counter(plain(result.why) for _, result in failed)
            lines += [f"- {count} times: {why}" for why, count in counts.most_common(10)]
            rest = len(counts) - 10
            lines += [f"- {rest} other reasons"] if rest > 0 else []
        lines.append("")
    return "\n".join(lines)


def plain(why: str) -> str:
    """A reason as a line of Markdown."""
    return f"`{why.replace('`', chr(39)).replace('|', '/')[:120].strip()}`"


def as_text(rows: list[Row]) -> str:
    width = max(len(row.name) for row in rows)
    lines = [f"{'':{width}}  passed  failed  not run"]
    for row in rows:
        lines.append(f"{row.name:{width}}  {row.count(PASSED):6}  {row.count(FAILED):6}  {row.count(SKIPPED):7}")
    return "\n".join(lines) + "\n"


def as_markdown(rows: list[Row]) -> str:
    lines = ["| group | passed | failed | not run | what these need |", "|---|---|---|---|---|"]
    for row in rows:
        why = row.reasons() if row.name != "all" else ""
        lines.append(f"| {row.name} | {row.count(PASSED)} | {row.count(FAILED)} | {row.count(SKIPPED)} | {why} |")
    return "\n".join(lines) + "\n"

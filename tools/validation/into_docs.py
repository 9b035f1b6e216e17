#!/usr/bin/env python3
"""Puts a page that tools/validate has written into docs/validation.md, between its two marks, and the plots beside it.

    tools/validation/into_docs.py PAGE
    tools/validation/into_docs.py --again PAGE [FILE]

--again: the page of another day or machine, whose tables go into FILE (docs/validation-again.md), without plots.

The answers become docs/question-NAME.svg, and the quantiles of some questions docs/validation-NAME.svg. What the figures mean, and why some
predictions missed, is written by hand, outside of the marks.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
BEGIN, END = "<!-- page of tools/validate -->\n", "<!-- end of the page -->\n"
WITH_QUANTILES = ("timer", "requests", "lock")  # each has 100 KB and more


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def text_of(page: Path) -> str:
    """The page from its first table on, with links to its questions, which become headings of the third level."""
    text = (page / "README.md").read_text()
    text = text[text.index("| | |\n"):]
    text = re.sub(r"^## ", "### ", text, flags=re.M)
    for heading in re.findall(r"^### (.*)$", text, flags=re.M):
        text = text.replace(f"| {heading} |", f"| [{heading}](#{anchor(heading)}) |", 1)
    return text


def fill(path: Path, text: str) -> None:
    before, _, rest = path.read_text().partition(BEGIN)
    path.write_text(before + BEGIN + text.rstrip() + "\n" + END + rest.partition(END)[2])


def main() -> int:
    again = sys.argv[1:2] == ["--again"]
    words = sys.argv[2 if again else 1:]
    if not 1 <= len(words) <= (2 if again else 1):
        print(__doc__, file=sys.stderr)
        return 2
    page = Path(words[0])
    text = text_of(page)
    if again:
        target = Path(words[1]) if len(words) > 1 else DOCS / "validation-again.md"
        fill(target, re.sub(r"^!\[.*\n\n?", "", text, flags=re.M))
        return 0
    for plot in sorted(page.glob("*.svg")):
        name, is_quantiles = plot.stem.removesuffix("-quantiles"), plot.stem.endswith("-quantiles")
        target = f"validation-{name}.svg" if is_quantiles else f"question-{name}.svg"
        if is_quantiles and name not in WITH_QUANTILES:
            text = re.sub(rf"!\[[^\]]*\]\({plot.name}\)\n\n?", "", text)
            continue
        shutil.copyfile(plot, DOCS / target)
        text = text.replace(f"({plot.name})", f"({target})")
    fill(DOCS / "validation.md", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

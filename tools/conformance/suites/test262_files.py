"""The files of test262 that assert the order of promise jobs, and the programs that run them."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

FOLDERS = ["test/built-ins/Promise", "test/language"]
# What a file compares that asserts an order: the list that its jobs have filled.
ORDER = re.compile(r"\bcheckSequence\(|\bcompareArray\((?:actual|order|logs?|ticks|sequence|calls)\b|\bsequence\.length|\bsequence\[")
ALWAYS = ["assert.js", "sta.js", "doneprintHandle.js"]
PRINT = "function print(text) { console.log(text); }\n"
COMPLETE = "Test262:AsyncTestComplete"


@dataclass
class File:
    path: Path
    root: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def name(self) -> str:
        return str(self.path.relative_to(self.root / "test"))

    @cached_property
    def group(self) -> str:
        return str(Path(self.name).parent)

    def listed(self, key: str) -> list[str]:
        """An item of the file's frontmatter that is a list, in either form."""
        front = re.search(r"/\*---(.*?)---\*/", self.text, re.S)
        if not front:
            return []
        found = re.search(rf"^{key}:\s*\[(.*?)\]", front[1], re.M | re.S)
        if found:
            return [word.strip() for word in found[1].split(",") if word.strip()]
        found = re.search(rf"^{key}:\s*\n((?:\s*-.*\n)+)", front[1], re.M)
        return re.findall(r"-\s*(\S+)", found[1]) if found else []

    @cached_property
    def flags(self) -> list[str]:
        return self.listed("flags")

    @property
    def asserts_order(self) -> bool:
        return "async" in self.flags and bool(ORDER.search(self.text))

    @property
    def modes(self) -> list[str]:
        """How it has to be run: INTERPRETING.md of test262."""
        if "module" in self.flags:
            return ["module"]
        if "onlyStrict" in self.flags:
            return ["strict"]
        return ["sloppy"] if "noStrict" in self.flags or "raw" in self.flags else ["sloppy", "strict"]

    def harness(self) -> str:
        names = [*ALWAYS, *(name for name in self.listed("includes") if name not in ALWAYS)]
        return PRINT + "\n".join((self.root / "harness" / name).read_text(encoding="utf-8") for name in names)

    def put(self, folder: Path, mode: str) -> Path:
        """The program in the folder. A module finds the harness among the globals, and its own imports beside it."""
        if mode != "module":
            path = folder / f"{self.path.stem}.{mode}.js"
            start = '"use strict";\n' if mode == "strict" else ""
            path.write_text(f"{start}{self.harness()}\n{self.text}", encoding="utf-8")
            return path
        harness = self.harness()
        declared = re.findall(r"^(?:async )?(?:function|var|let|const|class)\*? ([\w$]+)", harness, re.M)
        names = ", ".join(dict.fromkeys(declared))
        (folder / "harness.cjs").write_text(f"{harness}\nObject.assign(globalThis, {{ {names} }});\n", encoding="utf-8")
        for beside in self.path.parent.glob("*_FIXTURE.js"):
            text = beside.read_text(encoding="utf-8")
            (folder / beside.name).write_text(text, encoding="utf-8")
        (folder / "package.json").write_text('{ "type": "module" }\n', encoding="utf-8")
        path = folder / f"{self.path.stem}.mjs"
        path.write_text(f"import './harness.cjs';\n{self.text}", encoding="utf-8")
        return path


def find_files(checkout: Path) -> list[File]:
    found = [File(path, checkout) for folder in FOLDERS for path in sorted((checkout / folder).rglob("*.js"))]
    return [file for file in found if not file.path.name.endswith("_FIXTURE.js") and file.asserts_order]


def clear(folder: Path):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

#!/usr/bin/env python3
"""Checks the metadata of a release against the sources.

The version in CMakeLists.txt is repeated without change elsewhere. The changelog has the form that it declares. The page on
third-party software lists exactly the software that is compiled in, linked or embedded. The npm packages are pinned.

    metadata.py --program build/loopsim
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ""
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]  # https://keepachangelog.com
# Packages that CMake searches for, and their names on the page; None: not part of a release.
LIBRARIES = {"fmt": "{fmt}", "nlohmann_json": "nlohmann/json", "Boost": "Boost", "SQLite3": "SQLite", "XXHASH": "xxHash", "ZSTD": "zstd",
             "Threads": None, "Catch2": None, "Python3": None, "benchmark": None}
# What npm's packages bring with them, and wasm2c.
NOT_FOUND_BY_CMAKE = {"D3", "CodeMirror", "Node.js", "QuickJS and Node's library", "WABT", "wasi-libc"}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def version() -> str:
    return re.search(r"^project\(loopsim VERSION ([0-9.]+)", text_of("CMakeLists.txt"), re.MULTILINE)[1]


def packages_of(lock: dict, names: list[str]) -> set[str]:
    """Returns these npm packages and their transitive dependencies."""
    found: set[str] = set()
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            names += lock["packages"][f"node_modules/{name}"].get("dependencies", {})
    return found


class Metadata(unittest.TestCase):
    maxDiff = None

    def test_the_version_is_semantic_and_the_programs(self) -> None:
        self.assertRegex(version(), r"\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)\Z")
        said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, f"loopsim {version()}\n")

    def test_the_version_stands_in_one_place(self) -> None:
        files = subprocess.run(["git", "-C", ROOT, "grep", "-lF", version(), "--", "*.hpp", "*.cpp", "*.in", "*.cmake", "*.txt", "*.py",
                                "tools/dev", "tools/package"], capture_output=True, text=True, check=False)
        if files.returncode > 1:
            self.skipTest("these sources are no clone")
        others = [name for name in files.stdout.split() if name != "CMakeLists.txt" and "golden" not in name]
        # Other matches may be the version of something else.
        others = [name for name in others if re.search(r"(?i)loopsim\D{0,20}" + re.escape(version()), text_of(name))]
        self.assertEqual(others, [])

    def test_the_changelog(self) -> None:
        text = text_of("CHANGELOG.md")
        headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
        releases = []
        for number, heading in enumerate(headings):
            if number == 0 and heading == "[Unreleased]":
                continue
            form = re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (unreleased|\d{4}-\d\d-\d\d)", heading)
            self.assertTrue(form, heading)
            releases.append(tuple(map(int, form.groups()[:3])))
            self.assertTrue(form[4] != "unreleased" or len(releases) == 1, f"{heading}: only the next release has no date yet")
        self.assertEqual(releases, sorted(set(releases), reverse=True))
        self.assertEqual(".".join(map(str, releases[0])), version(), "the changelog's newest release is that of CMakeLists.txt")
        for heading in re.findall(r"^### (.*)$", text, re.MULTILINE):
            self.assertIn(heading, KINDS)

    def test_every_library_is_named(self) -> None:
        wanted = set()
        for path in [*ROOT.glob("CMakeLists.txt"), *ROOT.glob("*/CMakeLists.txt"), *ROOT.glob("tools/*/CMakeLists.txt")]:
            names = re.findall(r"^\s*find_package\((\w+)", path.read_text(), re.MULTILINE)
            names += re.findall(r"^\s*find_path\((\w+?)_INCLUDE_DIR", path.read_text(), re.MULTILINE)
            for name in names:
                self.assertIn(name, LIBRARIES, f"{path}: say in {Path(__file__).name} and THIRD_PARTY.md whether it is in a package")
                wanted.add(LIBRARIES[name])
        rows = re.findall(r"^\| \[([^]]+)\]", text_of("THIRD_PARTY.md"), re.MULTILINE)
        self.assertEqual(sorted(set(rows) - NOT_FOUND_BY_CMAKE), sorted(wanted - {None}))

    def test_every_package_of_the_library_is_named(self) -> None:
        bundler = text_of("tools/quickjs/bundle.mjs")  # it fails to build where its list is wrong
        embedded = re.findall(r"'([^']+)'", bundler.split("const packages = [")[1].split("]")[0])
        section = text_of("THIRD_PARTY.md").split("## QuickJS and Node's library\n")[1].split("Packages:")[1].split(".")[0]
        self.assertEqual(sorted(re.findall(r"(?:@[a-z-]+/)?[a-z][a-z0-9_-]+", section)), sorted(embedded))

    def test_every_part_of_the_page_is_named_and_pinned(self) -> None:
        for path in ROOT.glob("**/package.json"):
            if "node_modules" in path.parts or any(part.startswith("build") for part in path.relative_to(ROOT).parts[:-1]):
                continue
            document = json.loads(path.read_text())
            if not {"dependencies", "devDependencies"} & set(document):
                self.assertEqual(document.get("version"), version(), path)
                continue
            self.assertTrue((path.parent / "package-lock.json").is_file(), f"{path}: npm ci takes a lock file")
            lock = json.loads((path.parent / "package-lock.json").read_text())
            for kind in ("dependencies", "devDependencies"):
                for name, wanted in document.get(kind, {}).items():
                    self.assertRegex(wanted, r"\A(npm:[a-z-]+@)?\d+\.\d+\.\d+\Z", f"{path}: {name} is not pinned")
            for name, entry in lock["packages"].items():
                if name and not entry.get("link"):
                    self.assertIn("integrity", entry, f"{path}: {name}")
            self.assertIn(document.get("version", version()), (version(), "0.0.0"), path)
        page = ROOT / "tools" / "page"
        if not (page / "package-lock.json").exists():
            self.skipTest("there is no page")
        imported: dict[bool, set[str]] = {False: set(), True: set()}  # by whether the playground alone has it
        for path in page.glob("src/**/*.ts"):
            names = re.findall(r"""(?:from|import) ['"]([a-z@][^'"]*)['"]""", path.read_text())
            imported["play" in path.relative_to(page).parts] |= set(names)
        lock = json.loads((page / "package-lock.json").read_text())
        of_page = packages_of(lock, list(imported[False]))
        of_play = set(packages_of(lock, list(imported[True]))) - set(of_page)  # it may use those of the page, too
        for embedded, heading in ((of_page, "## D3\n"), (of_play, "## The playground\n")):
            section = text_of("THIRD_PARTY.md").split(heading)[1].split("Copyright")[0]
            self.assertEqual(sorted(re.findall(r"(?:@[a-z0-9]+/)?[a-z][a-z0-9_-]+", section)), sorted(embedded))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    PROGRAM = parser.parse_args().program
    unittest.main(argv=[sys.argv[0]])

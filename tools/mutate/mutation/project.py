"""The mutated project: its rooms, the build of the copy, and the tests in their order."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from mutation import children
from mutation.choose import Room
from mutation.schemata import HEADER, LISTENER, switch_source, with_faults
from mutation.sites import Site

ERROR = re.compile(r"^(\S+?):(\d+):\d+: (?:fatal )?error:", re.MULTILINE)
FAILED = re.compile(r"^FAILED: \S*?CMakeFiles/\w+\.dir/(\S+)\.o\b", re.MULTILINE)
# Files that no test of the copy reads; changing them does not invalidate results.
NOT_COPIED = re.compile(r"(^|/)(node_modules|__pycache__)/|^(tools|tests)/mutate/|^docs/mutation\.md$")


@dataclass(frozen=True)
class Stage:
    """One test. `{work}` in its command is its own folder, `{tests}` a file with the names of chosen test cases."""

    name: str
    command: list[str]
    by_case: bool = False  # a Catch2 program; only cases that reach the fault are run
    memory_gib: int = 6  # address space limit; 0: none
    environment: dict[str, str] = field(default_factory=dict)


@dataclass
class Project:
    """The project loopsim; the self-test derives a small one with another build and other stages."""

    root: Path
    tree: Path
    rooms: list[Room]
    parts: list[str]  # files and folders to copy

    @property
    def copy(self) -> Path:
        return self.tree / "source"

    @property
    def build(self) -> Path:
        return self.tree / "build"

    def parse_arguments(self) -> list[str]:
        version = self.tree / "version" / "loopsim"
        version.mkdir(parents=True, exist_ok=True)
        template = self.root / "include/loopsim/version.hpp.in"
        if template.exists():
            (version / "version.hpp").write_text(re.sub(r"@\w+@", "0", template.read_text()))
        return ["-std=c++20", f"-I{self.root}", f"-I{self.root / 'include'}", f"-I{version.parent}", "-DNDEBUG", "-DXXH_INLINE_ALL"]

    # ---- the copy ---------------------------------------------------------------------------------------------------

    def write_copy(self, faults: dict[int, Site]) -> None:
        """Writes the sources with all faults. An unchanged file keeps its modification time, and is not recompiled."""
        wanted: dict[str, bytes] = {}
        for part in self.parts:
            path = self.root / part
            files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file() or file.is_symlink())
            for file in files:
                name = file.relative_to(self.root).as_posix()
                if not NOT_COPIED.search(name):
                    wanted[name] = file.read_bytes()
        by_file: dict[str, list[tuple[int, Site]]] = {}
        for number, site in faults.items():
            by_file.setdefault(site.file, []).append((number, site))
        for name, mutants in by_file.items():
            wanted[name] = with_faults(wanted[name], mutants)
        self.add_switch(wanted)
        for name, data in wanted.items():
            path = self.copy / name
            if not path.exists() or path.read_bytes() != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            original = self.root / name
            if original.exists():
                shutil.copymode(original, path)
        for path in sorted(self.copy.rglob("*")):
            if path.is_file() and path.relative_to(self.copy).as_posix() not in wanted and "__pycache__" not in path.parts:
                path.unlink()

    def add_switch(self, files: dict[str, bytes]) -> None:
        files["mutation.hpp"] = HEADER.encode()
        files["sim/machine/mutation.cpp"] = switch_source().encode()
        files["tests/main.cpp"] = b"#include <chrono>\n" + files["tests/main.cpp"] + LISTENER.encode()

    # ---- the build --------------------------------------------------------------------------------------------------

    def compile(self, jobs: int, libraries: bool) -> str:
        """Builds the copy. Returns the errors of the compiler, or an empty string. `libraries`: only those, which have all
        the faults."""
        if not (self.build / "build.ninja").exists():
            self.build.mkdir(parents=True, exist_ok=True)
            launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={shutil.which('ccache')}"] if shutil.which("ccache") else []
            done = children.run([
                "cmake", "-S", self.copy, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DLOOPSIM_PAGE=OFF",
                f"-DCMAKE_CXX_FLAGS=-w -include {self.copy / 'mutation.hpp'}", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", *launcher])
            if done.returncode:
                return done.stdout
        targets = ["loopsim_core", "loopsim_language", "loopsim"] if libraries else [
            "loopsim_cli", "loopsim_tests", "loopsim_fuzz_replay", "loopsim_conformance_feed", "loopsim_allocations"]
        done = children.run(["cmake", "--build", self.build, "--parallel", str(jobs), "--target", *targets, "--", "-k", "0"])
        return done.stdout if done.returncode else ""

    def blamed(self, said: str, faults: dict[int, Site]) -> set[str]:
        """Returns the keys of the faults that do not compile, found by the lines in the errors."""
        keys = set()
        for name, line in set(ERROR.findall(said)):
            path = Path(os.path.normpath(self.build / name))
            if path.is_relative_to(self.copy):
                file = path.relative_to(self.copy).as_posix()
                keys |= {site.key for site in faults.values()
                         if site.file == file and 0 <= int(line) - site.line <= 12 and self.covers(site, int(line))}
        if not keys:  # the error is elsewhere: blame all faults of the sources that failed
            failed = FAILED.findall(said)
            keys = {site.key for site in faults.values() if any(site.file.endswith("/" + name) for name in failed)}
        return keys

    def covers(self, site: Site, line: int) -> bool:
        text = (self.root / site.file).read_bytes()
        return site.line <= line <= site.line + text[site.start:site.end].count(b"\n")

    # ---- the tests --------------------------------------------------------------------------------------------------

    def stages(self) -> list[Stage]:
        program = str(self.build / "loopsim")
        given = {test["name"]: test.get("command", []) for test in json.loads(subprocess.run(
            ["ctest", "--test-dir", self.build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout)["tests"]}

        def of_ctest(name: str, **options: int) -> Stage:
            return Stage(name, list(given[name]), **options)

        return [
            Stage("unit, property and golden tests", [str(self.build / "tests/loopsim_tests"), "--abort", "-f", "{tests}"], by_case=True),
            Stage("check of all scenarios", [program, "check", "--quiet", "--no-warnings", *sorted(
                str(path) for path in (self.copy / "scenarios").iterdir() if path.is_dir())]),
            of_ctest("cli"),
            of_ctest("schema.valid"),
            of_ctest("fidelity.page"),
            of_ctest("trace.csv"),
            of_ctest("trace.perfetto"),
            of_ctest("trace.pftrace"),
            of_ctest("trace.svg"),
            of_ctest("allocations.steady_state"),
            Stage("fuzz.replay", [str(self.build / "tests/fuzz/loopsim_fuzz_replay"), *(
                str(self.copy / folder) for folder in ("tests/fuzz/cases", "scenarios")), "500", "500", "50"]),
            of_ctest("study.sweeps"),
            Stage("conformance.real_node", [
                "python3", str(self.copy / "tools/conformance/campaign"), "--feed",
                str(self.build / "tools/conformance/loopsim_conformance_feed"), "--folder", "{work}/campaign", "--programs-only",
                "--programs", "150", "--shrink", "0", "--jobs", "1", "--fresh", "--may-skip"],
                memory_gib=0),
        ]


def loopsim(root: Path) -> Project:
    return Project(root, root / "build-mutate", [
        Room("sim/uv", 3), Room("sim/node", 2), Room("sim/vm", 2), Room("sim/native", 1), Room("sim/machine", 3),
        Room("sim/program", 3), Room("sim/scenario", 1), Room("sim/text", 0.7), Room("sim/trace", 0.7), Room("sim/study", 0.7),
        Room("sim/explain", 0.7), Room("sim/page", 0.5)],
        ["include", "sim", "tools", "tests", "scenarios", "docs", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
         "README.zh.md", "CHANGELOG.md", "SECURITY.md", "THIRD_PARTY.md"])

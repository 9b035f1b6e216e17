#!/usr/bin/env python3
"""Checks the Markdown pages against the program and the contents of the repository.

    check.py --program build/loopsim            report every difference; exit status 1 if there is one
    check.py --program build/loopsim --bless    rewrite outputs, copied files and the table of profiles, then check the rest

A comment declares the contents of the code block after it:

    <!-- output of: loopsim run scenarios/docs/timer-105ms.json -->   the bytes that this command prints, standard error included;
                                                                      `| head -n N`, `| tail -n [+]N` and `| grep [-v] TEXT` may follow;
                                                                      a block of sh right before shows the same command
    <!-- scenario -->                                                 a scenario that passes `loopsim check -`
    <!-- file: hello.json -->                                         a file that commands further down the page may name
    <!-- copy of: tests/package/example.cpp -->                       the bytes of that file

The same for a picture; --bless writes its file:

    <!-- drawing of: loopsim run scenarios/docs/timer-105ms.json -->  the bytes that this command prints with --format svg
    ![what is to be seen](timer-105ms.svg)

Also checked: a block that looks like a trace has such a comment; targets of links to files and headings exist; named scenarios
exist; docs/command-line.md has every command and option, docs/scenario-language.md every verb, and docs/profiles.md every
field of every profile, with its values.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED_FOLDERS = re.compile(r"^(?:build.*|node_modules|__pycache__|\..+)$")

MARKER = re.compile(r"^<!-- (output of|scenario|file|copy of)(?:: (.*?))? -->$")
DRAWING = re.compile(r"^<!-- drawing of: (loopsim run .*) -->$")
PICTURE = re.compile(r"^!\[[^\]]+\]\(([^)\s]+\.svg)\)$")
FENCE = re.compile(r"^(```+)(\w*)$")
LOOKS_LIKE_A_TRACE = re.compile(r"^── (?:main script|turn \d+|end) ─|· trace [0-9a-f]{16}$|^\d+ passed, \d+ failed", re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|<(?:img|a|source)\b[^>]*?(?:src|href|srcset)=\"([^\"]+)\"")
SCENARIO_PATH = re.compile(r"(?<![\w./-])scenarios/[\w./-]+\.json\b")


class Page:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.relative_to(ROOT).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.split("\n")

    def blocks(self) -> list[tuple[int, int, str, str]]:
        """Yields (first line, line after the last, kind declared by the comment before it, its argument) of every fenced block."""
        found = []
        number = 0
        while number < len(self.lines):
            fence = FENCE.match(self.lines[number])
            if fence:
                end = number + 1
                while end < len(self.lines) and self.lines[end] != fence.group(1):
                    end += 1
                marker = MARKER.match(self.lines[number - 1]) if number else None
                found.append((number + 1, end, marker.group(1) if marker else "", (marker.group(2) or "") if marker else ""))
                number = end
            number += 1
        return found

    def command_before(self, number: int) -> str:
        """Returns the loopsim command of the sh block that ends two lines before this one, as one line; or None."""
        if number < 2 or self.lines[number - 1] or self.lines[number - 2] != "```":
            return ""
        first = number - 3
        while first > 0 and not FENCE.match(self.lines[first]):
            first -= 1
        command = " ".join(" ".join(self.lines[first + 1:number - 2]).replace("\\ ", " ").split())
        is_command = self.lines[first] == "```sh" and command.startswith("build/loopsim ")
        return command.removeprefix("build/") if is_command else ""

    def prose(self) -> str:
        """Returns the text with code removed."""
        lines = list(self.lines)
        for first, end, _, _ in self.blocks():
            lines[first - 1:end + 1] = [""] * (min(end + 1, len(lines)) - first + 1)
        return re.sub(r"`[^`\n]*`", "", "\n".join(line for line in lines if not line.startswith("    ")))


class Check:
    def __init__(self, program: Path, bless: bool) -> None:
        self.program = program
        self.bless = bless
        self.problems: list[str] = []
        self.checked: dict[str, int] = {}

    def problem(self, page: Page, line: int, text: str) -> None:
        self.problems.append(f"{page.name}:{line}: {text}")

    def count(self, what: str) -> None:
        self.checked[what] = self.checked.get(what, 0) + 1

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def run(self, words: list[str], folder: Path | None = None, text: str | None = None) -> tuple[int, str]:
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        done = subprocess.run([self.program, *words], cwd=folder or ROOT, env=environment, input=text or "", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", timeout=60, check=False)
        return done.returncode, done.stdout

    def output_of(self, command: str, folder: Path) -> str:
        first, *filters = (shlex.split(part) for part in command.split(" | "))
        if not first or first[0] != "loopsim":
            raise ValueError(f"not a loopsim command: {command}")
        status, text = self.run(first[1:], folder)
        if status < 0:
            raise ValueError(f"killed by signal {-status}: {command}")
        lines = text.removesuffix("\n").split("\n")
        for words in filters:
            if words[0] == "head" and words[1] == "-n":
                lines = lines[:int(words[2])]
            elif words[0] == "tail" and words[1] == "-n":
                lines = lines[int(words[2]) - 1:] if words[2].startswith("+") else lines[-int(words[2]):]
            elif words[0] == "grep":
                lines = [line for line in lines if (words[-1] in line) != ("-v" in words[1:-1])]
            else:
                raise ValueError(f"only head -n, tail -n and grep are known, not {shlex.join(words)}")
        return "\n".join(lines)

    def check_blocks(self, page: Page) -> None:
        with tempfile.TemporaryDirectory(prefix="loopsim-docs-") as name:
            folder = Path(name)
            (folder / "scenarios").symlink_to(ROOT / "scenarios")
            replaced = []
            for first, end, kind, argument in page.blocks():
                text = "\n".join(page.lines[first:end])
                wanted = None
                try:
                    if kind == "output of":
                        shown = page.command_before(first - 2)
                        if shown and shown != argument:
                            self.problem(page, first, f"the block before shows another command: {shown}")
                        wanted = self.output_of(argument, folder)
                        self.count("outputs")
                    elif kind == "copy of":
                        wanted = (ROOT / argument).read_text(encoding="utf-8").removesuffix("\n")
                        self.count("copied files")
                    elif kind == "file":
                        (folder / argument).write_text(text + "\n", encoding="utf-8")
                    elif kind == "scenario":
                        self.count("scenarios in the text")
                        status, answer = self.run(["check", "-"], folder, text + "\n")
                        if status != 0:
                            self.problem(page, first, f"this scenario fails:\n{answer}")
                    elif LOOKS_LIKE_A_TRACE.search(text):
                        self.problem(page, first, "this looks like output of loopsim, but no comment says of which command")
                except (ValueError, IndexError, OSError) as error:
                    self.problem(page, first, str(error))
                if wanted is not None and wanted != text:
                    replaced.append((first, end, wanted))
                    if not self.bless:
                        self.problem(page, first, f"not what it is now ({argument}); --bless writes it anew:\n{difference(text, wanted)}")
            if self.bless and replaced:
                for first, end, wanted in reversed(replaced):
                    page.lines[first:end] = wanted.split("\n")
                self.write(page)

    def check_drawings(self, page: Page) -> None:
        for number, line in enumerate(page.lines, 1):
            marker = DRAWING.match(line)
            if not marker:
                continue
            self.count("drawings")
            picture = PICTURE.match(page.lines[number]) if number < len(page.lines) else None
            if not picture:
                self.problem(page, number, "no picture, ![what is to be seen](FILE.svg), stands behind this comment")
                continue
            words = [self.program, *shlex.split(marker.group(1))[1:], "--format", "svg"]
            done = subprocess.run(words, cwd=ROOT, capture_output=True, timeout=60, check=False)
            path = page.path.parent / picture.group(1)
            if not done.stdout:
                self.problem(page, number, f"it draws nothing: {done.stderr.decode()}")
            elif self.bless and (not path.exists() or path.read_bytes() != done.stdout):
                path.write_bytes(done.stdout)
                print(f"written: {path.relative_to(ROOT)}")
            elif not path.exists() or path.read_bytes() != done.stdout:
                self.problem(page, number, f"{picture.group(1)} is not what it is now ({marker.group(1)}); --bless writes it anew")

    def write(self, page: Page) -> None:
        page.path.write_text("\n".join(page.lines), encoding="utf-8")
        print(f"written: {page.name}")

    # ---- links ------------------------------------------------------------------------------------------------------

    def check_links(self, page: Page) -> None:
        prose = page.prose()
        for match in LINK.finditer(prose):
            target = match.group(1) or match.group(2)
            if re.match(r"[a-z]+:", target):
                continue
            self.count("links")
            line = next((n for n, text in enumerate(page.lines, 1) if target in text), 1)
            file, _, heading = target.partition("#")
            path = (page.path.parent / file).resolve() if file else page.path
            if not path.exists():
                self.problem(page, line, f"{target}: there is no such file")
            elif heading and path.suffix == ".md" and heading not in headings(path):
                self.problem(page, line, f"{target}: there is no such heading")
        for number, text in enumerate(page.lines, 1):
            for match in SCENARIO_PATH.finditer(text):
                self.count("scenarios named")
                if not (ROOT / match.group()).is_file():
                    self.problem(page, number, f"{match.group()}: there is no such scenario")

    # ---- pages that list commands, verbs and the like ---------------------------------------------------------------

    def check_command_line(self) -> None:
        page = Page(ROOT / "docs/command-line.md")
        sections = {match.group(1): match.group() for match in
                    re.finditer(r"^### `loopsim (\w+).*?(?=^##|\Z)", page.text, re.MULTILINE | re.DOTALL)}
        for_all = page.text[:page.text.index("\n## Commands")]  # the part about all commands
        _, help_text = self.run(["--help"])
        commands = re.findall(r"^  (\w+)  +\S", re.search(r"^Commands:\n(.*?)\n\n", help_text, re.M | re.S).group(1), re.M)
        for command in commands:
            self.count("commands")
            if command not in sections:
                self.problem(page, 1, f"nothing tells about loopsim {command}")
                continue
            for option in re.findall(r"^ +(?:-\w, )?(--[\w-]+)", self.run([command, "--help"])[1], re.MULTILINE):
                if option != "--help" and option not in sections[command] and option not in for_all:
                    self.problem(page, 1, f"the section of loopsim {command} does not tell about {option}")
        for section in sections:
            if section not in commands:
                self.problem(page, 1, f"there is no command loopsim {section}")

    def check_verbs(self) -> None:
        page = Page(ROOT / "docs/scenario-language.md")
        for line in self.run(["list", "verbs"])[1].splitlines():
            verb = line.split()[0]
            self.count("verbs")
            if not re.search(rf'`\{{"{verb}":|`{verb}`', page.text):
                self.problem(page, 1, f'nothing tells about the verb "{verb}"')

    def check_profiles(self) -> None:
        page = Page(ROOT / "docs/profiles.md")
        majors, values = profile_values()
        rows = {}
        for number, line in enumerate(page.lines):
            match = re.match(r"^\| `(\w+)` \| (.*) \| (.*?) \|$", line)
            if match:
                rows[match.group(1)] = number
        changed = False
        for field, by_version in values.items():
            self.count("fields of the profiles")
            if field not in rows:
                self.problem(page, 1, f"no row tells about the field {field}: | `{field}` | meaning | evidence | scenarios | versions |")
                continue
            number = rows[field]
            cells = page.lines[number].split(" | ")
            wanted = spell_versions(majors, by_version) + " |"
            if cells[-1] != wanted:
                if self.bless:
                    page.lines[number] = " | ".join([*cells[:-1], wanted])
                    changed = True
                else:
                    self.problem(page, number + 1, f"{field}: the page says {cells[-1]}, sim/node/profiles.cpp {wanted}")
        for field, number in rows.items():
            if field not in values:
                self.problem(page, number + 1, f"there is no field {field} in sim/node/profiles.cpp")
        listed = [line.split()[0] for line in self.run(["list", "profiles"])[1].splitlines() if line.startswith("node-")]
        if listed != [f"node-{major}" for major in majors]:
            self.problem(page, 1, f"sim/node/profiles.cpp was read as {majors}, but the program has {listed}")
        if changed:
            self.write(page)

    def check_all(self) -> int:
        pages = sorted(markdown_files())
        for path in pages:
            self.check_blocks(Page(path))
            self.check_drawings(Page(path))
        self.check_command_line()
        self.check_verbs()
        self.check_profiles()
        for path in pages:
            self.check_links(Page(path))
        for text in self.problems:
            print(text)
        print(f"{len(pages)} pages: " + ", ".join(f"{number} {what}" for what, number in self.checked.items())
              + f"; {len(self.problems)} problems")
        return 1 if self.problems else 0


def markdown_files() -> list[Path]:
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not SKIPPED_FOLDERS.match(name)]
        found += [Path(folder, name) for name in names if name.endswith(".md")]
    return found


def headings(path: Path) -> set[str]:
    """Returns the anchors of a page, as GitHub generates them."""
    found: set[str] = set()
    for line in path.read_text(encoding="utf-8").split("\n"):
        match = re.match(r"^#{1,6} (.*?)\s*$", line)
        if match:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match.group(1)).replace("`", "").lower()
            found.add(re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", text)))
    return found


def difference(old: str, new: str) -> str:
    return "\n".join(difflib.unified_diff(old.split("\n"), new.split("\n"), "page", "program", lineterm="", n=1))


def profile_values() -> tuple[list[int], dict[str, list[str]]]:
    """Returns the major versions, and for each field of Profile and its LibuvProfile the value in each version. Parsed from
    sim/node/profiles.cpp and sim/uv/profiles.hpp: the oldest profile is complete, each later one is a copy with changes."""
    libuv = profiles_in("sim/uv/profiles.hpp", "LibuvProfile", r"k1_\d+")
    profiles = profiles_in("sim/node/profiles.cpp", "Profile", r"kNode\d+")
    for profile in profiles.values():
        inside = dict(libuv[profile["libuv"]])
        profile["libuv"] = inside.pop("version")
        profile |= inside
    of_node = [field for field in struct_fields("profile.hpp", "Profile") if field != "browser"]  # docs/browser.md
    fields = [*of_node, *struct_fields("libuv.hpp", "LibuvProfile")]
    values = {field: [profile.get(field, "") for profile in profiles.values()] for field in fields}
    if not profiles or any("" in of_each for of_each in values.values()):
        sys.exit("check.py cannot read the profiles of Node and libuv: a field without a value")
    majors = [int(major) for major in values.pop("major")]
    for field in ("family", "name", "note"):
        values.pop(field)
    return majors, values


def struct_fields(header: str, struct: str) -> list[str]:
    text = (ROOT / "include/loopsim" / header).read_text(encoding="utf-8")
    body = re.search(rf"^struct {struct} \{{(.*?)^\}};", text, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r"[\w:]+\s+(\w+);", re.sub(r"//.*", "", body))


def profiles_in(source: str, struct: str, name: str) -> dict[str, dict[str, str]]:
    profiles: dict[str, dict[str, str]] = {}
    text = (ROOT / source).read_text(encoding="utf-8")
    definition = rf"^(?:inline )?constexpr {struct} ({name}) = (.*?^\}}.*?;)$"
    for name_of_one, body in re.findall(definition, text, re.MULTILINE | re.DOTALL):
        base = re.search(rf"{struct} p = ({name});", body)
        profiles[name_of_one] = dict(profiles[base.group(1)]) if base else {}
        for field, value in re.findall(r'(?:^ *|p)\.(\w+) = ("(?:\\.|[^"\\])*"|[\w:]+)[,;]', body, re.MULTILINE):
            profiles[name_of_one][field] = value.split("::")[-1].replace('\\"', '"')
            if value.startswith('"'):
                profiles[name_of_one][field] = value.replace('\\"', '"')
    return profiles


def spell_versions(majors: list[int], values: list[str]) -> str:
    """Formats the values of a field: `8, 12, 14`; `11 - 26`; `timers_first` 4 - 18, `timers_last` 20 - 26."""
    def spell(wanted: str) -> str:
        runs: list[list[int]] = []
        for index, value in enumerate(values):
            if value != wanted:
                continue
            if runs and majors.index(runs[-1][-1]) == index - 1:
                runs[-1].append(majors[index])
            else:
                runs.append([majors[index]])
        if sum(map(len, runs)) == len(majors):
            return "all"
        return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} - {run[-1]}" if len(run) > 2 else f"{run[0]}, {run[-1]}"
                         for run in runs)

    if set(values) <= {"true", "false"}:
        return spell("true") or "none"
    return "; ".join(f"`{value.strip(chr(34)).strip()}` {spell(value)}" for value in dict.fromkeys(values))


def main() -> int:
    parser = argparse.ArgumentParser(description="Holds the Markdown pages to what the program does.")
    parser.add_argument("--program", type=Path, required=True, help="the built loopsim")
    parser.add_argument("--bless", action="store_true", help="write outputs, copied files and the table of profiles anew")
    options = parser.parse_args()
    return Check(options.program.resolve(), options.bless).check_all()


if __name__ == "__main__":
    sys.exit(main())

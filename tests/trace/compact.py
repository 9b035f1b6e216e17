#!/usr/bin/env python3
"""Reads `loopsim run --format compact` with a decoder that is not loopsim's, and compares it with the JSON lines of the same run.

    compact.py --program build/loopsim [SCENARIO...]

Without SCENARIO: all of scenarios/ and tests/cli/scenarios/, except those that the program refuses. The decoder was written from
docs/trace-format.md alone; what it does not know is what that page does not say. The bytes of two runs are equal, on one core and on
several. Skipped without zstd's program.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from shared import ROOT, all_scenarios

SKIPPED = 77
GOOD = (0, 3)  # exit statuses: 3 is a limit that was reached
LONG = ROOT / "scenarios/bench/w1-timers.json"
WORD, NAME, TEXT, ZERO, LAST, TIME, RUNNING, OWN_ID, ASKED, DELAY = range(10)
OPTIONAL, SIGNED, FLAG = 0x10, 0x20, 0x40
WRAP = 1 << 64
STEPS = {"scope", "assign", "condition", "promise", "line", "leave", "steps_end"}


class Bytes:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def take(self, size: int) -> bytes:
        self.at += size
        assert self.at <= len(self.data), "cut off"
        return self.data[self.at - size:self.at]


def difference(code: int) -> int:
    return code >> 1 if code % 2 == 0 else -(code >> 1) - 1


def zigzag(number: int) -> int:
    number %= WRAP
    return 2 * number if number < WRAP // 2 else 2 * (WRAP - number) - 1


class Key:
    def __init__(self, name: str, coding: int) -> None:
        self.name, self.coding, self.optional = name, coding & 0x0F, coding & OPTIONAL != 0
        self.signed, self.flag = coding & SIGNED != 0, coding & FLAG != 0
        self.absent, self.difference, self.last, self.word, self.text = True, 0, 0, None, ""


class Kind:
    def __init__(self, name: str, keys: list[Key]) -> None:
        self.name, self.keys, self.phases = name, keys, {}


def decode(data: bytes) -> list[dict]:
    first, header, rest = data.split(b"\n", 2)
    assert first == b"loopsim_compact 1"
    lines = [json.loads(header)]
    file, texts, kinds = Bytes(rest), [], []
    sequence = time = loop = turn = loop_id = asked = 0
    phase, running = "main", []
    while size := file.number():
        block = Bytes(file.take(size))
        count = block.number()
        for _ in range(block.number()):
            texts.append(block.take(block.number()).decode())
        for _ in range(block.number()):
            name = texts[block.number()]
            keys = [Key(texts[block.number()], block.take(1)[0]) for _ in range(block.number())]
            kinds.append(Kind(name, keys))
        columns = defaultdict(lambda: Bytes(b""))
        while number := block.number():
            columns[number] = Bytes(block.take(block.number()))
        first_column, next_column = {}, 7
        for kind in kinds:
            first_column[kind], next_column = next_column, next_column + 1 + 2 * len(kind.keys)
        for _ in range(count):
            kind = kinds[columns[1].take(1)[0]]
            mask = columns[first_column[kind]].number()
            common = mask >> len(kind.keys)
            if common & 1:
                time += difference(columns[2].number())
            if common & 2:
                loop += difference(columns[3].number())
            turn += kind.name == "turn"
            if common & 4:
                turn += difference(columns[4].number())
            if common & 8:
                kind.phases[phase] = texts[columns[5].number()]
            phase = kind.phases.get(phase, phase)
            if common & 16:
                loop_id = columns[6].number()
            sequence += kind.name not in STEPS
            event = {"seq": sequence, "t": time, "loop": loop, "turn": turn, "phase": phase}
            if loop_id:
                event["loop_id"] = loop_id
            event["ev"] = kind.name
            for place, key in enumerate(kind.keys):
                column = columns[first_column[kind] + 1 + 2 * place]
                value = read(key, mask >> place & 1, column, columns[first_column[kind] + 2 + 2 * place], texts, event, running, asked)
                if value is not None:
                    event[key.name] = value
            if kind.name == "callback_begin":
                running.append(event["id"])
            if kind.name == "callback_end" and running:
                running.pop()
            if kind.name == "schedule":
                asked = event["id"]
            lines.append(event)
    assert file.at == len(rest), "more follows"
    return lines


def read(key: Key, is_new: int, codes: Bytes, texts_of_key: Bytes, texts: list[str], event: dict, running: list[int], asked: int):
    if key.coding == TEXT:
        if is_new:
            key.text = texts_of_key.take(codes.number()).decode()
        return None if key.optional and not key.text else key.text
    if key.coding in (WORD, NAME):
        if is_new:
            code = codes.number()
            key.word = texts[code - 1] if code else None
        return key.word
    if key.coding == DELAY:
        delay = event.get("delay", 0)
        base = event["loop"] * 1_000_000 + delay - delay % 1_000_000
    else:
        base = {ZERO: 0, LAST: key.last, TIME: event["t"], RUNNING: running[-1] if running else 0, OWN_ID: event.get("id", 0),
                ASKED: asked}[key.coding]
    if is_new:
        code = codes.number()
        key.absent = key.optional and code == 0
        if not key.absent:
            if key.optional and code <= zigzag(-key.signed - base):
                code -= 1
            key.difference = difference(code)
    if key.optional and key.absent:
        return None
    key.last = (base + key.difference) % WRAP
    if key.flag:
        return key.last != 0
    return key.last - WRAP if key.signed and key.last >= WRAP // 2 else key.last


def check(program: str, path: Path, folder: Path, *settings: str) -> int:
    lines, columns, again = (folder / name for name in ("lines.jsonl", "columns.zst", "again.zst"))
    for file in (lines, columns, again):
        file.unlink(missing_ok=True)
    words = [program, "run", str(path), "--quiet", "--no-warnings", "--steps", *settings]
    done = subprocess.run([*words, "-f", f"jsonl={lines}", "-f", f"compact={columns}"], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        return 0
    if done.returncode not in GOOD:
        print(f"{path}: exit status {done.returncode}: {done.stderr}")
        return 1
    one_core = [sorted(os.sched_getaffinity(0))[0]]
    done = subprocess.run([*words, "-f", f"compact={again}"], capture_output=True, text=True, check=False,
                          preexec_fn=lambda: os.sched_setaffinity(0, one_core))
    if done.returncode not in GOOD:
        print(f"{path}: exit status {done.returncode} on one core: {done.stderr}")
        return 1
    if again.read_bytes() != columns.read_bytes():
        print(f"{path}: two runs have other bytes")
        return 1
    stored = subprocess.run(["zstd", "-dcq", str(columns)], capture_output=True, check=True).stdout
    found, expected = decode(stored), [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    for number, (one, other) in enumerate(zip(found, expected)):
        if one != other:
            print(f"{path}:{number + 1}:\n  {one}\nwhere the lines have\n  {other}")
            return 1
    if len(found) != len(expected):
        print(f"{path}: {len(found)} lines of {len(expected)}")
        return 1
    check.compared += len(found)
    return 0


check.compared = 0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("scenarios", nargs="*", type=Path)
    arguments = options.parse_args()
    if shutil.which("zstd") is None:
        print("skipped: there is no zstd on the PATH")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="loopsim-compact-") as folder:
        wrong = sum(check(arguments.program, path, Path(folder)) for path in arguments.scenarios or all_scenarios())
        # Long enough for several blocks, and for a second thread that compresses them.
        wrong += check(arguments.program, LONG, Path(folder), "--set", "timers=100", "--set", "callbacks=40000")
    print(f"{check.compared} events compared, {wrong} scenarios differ")
    return 1 if wrong or check.compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

"""Damages traces: values at the ends of their range, words in the wrong place, lines twice or not at all, bytes that have turned.

Sequence numbers are mended, so that a reader takes most of what is damaged: what is behind the reader is what is tried.
"""

from __future__ import annotations

import json
import random
from typing import Any

NUMBERS = (0, 1, -1, 2, 255, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, -(2**63), 2**64 - 1)
TEXTS = ("", "x", "a" * 300, "\u0000", "#", "@5", "then@1:2#3", "%s{}", "\ud83d\ude00", "-1")


def damaged(trace: bytes, form: str, draw: random.Random) -> bytes:
    return damaged_bytes(trace, draw) if form == "compact" else damaged_lines(trace, draw)


def damaged_bytes(trace: bytes, draw: random.Random) -> bytes:
    made = bytearray(trace)
    for _ in range(draw.randint(1, 4)):
        if made:
            made[draw.randrange(len(made))] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))
    if draw.random() < 0.15:
        del made[draw.randrange(len(made) + 1):]
    return bytes(made)


def damaged_lines(trace: bytes, draw: random.Random) -> bytes:
    lines: list[dict[str, Any]] = [json.loads(line) for line in trace.decode().splitlines()]
    header, events = lines[0], lines[1:]
    words: dict[str, list[Any]] = {}
    for event in events[:2000]:
        for key, value in event.items():
            if key not in ("seq", "t") and value not in (seen := words.setdefault(key, [])) and len(seen) < 40:
                seen.append(value)
    for _ in range(draw.randint(1, 8)):
        if len(events) < 3:
            break
        at = draw.randrange(len(events) - 1)
        match draw.randrange(8):
            case 0:
                del events[at]
            case 1:
                events.insert(at, dict(events[at]))
            case 2:  # another order, but the time of the place
                other = draw.randrange(len(events) - 1)
                first, second = events[at], events[other]
                first["t"], second["t"] = second["t"], first["t"]
                events[at], events[other] = second, first
            case 3:
                header[draw.choice(("threadpool", "seed", "clock_phase"))] = draw.choice([number for number in NUMBERS if number >= 0])
            case _:
                keys = [key for key in events[at] if key not in ("seq", "t", "ev")]
                if keys:
                    change(events[at], draw.choice(keys), words, draw)
    seq = 0
    for event in events:
        seq += 0 if event["ev"] in ("scope", "assign", "condition", "promise", "line", "leave", "steps_end") else 1
        event["seq"] = seq
    return ("\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in [header, *events]) + "\n").encode(
        errors="surrogatepass")


def change(event: dict[str, Any], key: str, words: dict[str, list[Any]], draw: random.Random) -> None:
    value = event[key]
    if draw.random() < 0.1:
        del event[key]
    elif isinstance(value, bool):
        event[key] = not value
    elif isinstance(value, int):
        event[key] = draw.choice((*NUMBERS, value + 1, -value, *words[key][:4]))
    elif key in ("text", "name", "value") and draw.random() < 0.5:
        event[key] = draw.choice(TEXTS)
    else:
        event[key] = draw.choice(words[key])

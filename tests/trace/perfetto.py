#!/usr/bin/env python3
"""Checks `loopsim run --format perfetto` strictly against the Trace Event Format, and compares it with the JSON lines of the same run.

    perfetto.py --program build/loopsim [SCENARIO...]

Without SCENARIO: all of scenarios/ and tests/cli/scenarios/, except those that the program refuses. Checks: JSON without
repeated keys; every track has a name and a place; `ts` never goes back on a track; every B has its E, on its track and in stack
order; async events nest by category and id; every arrow begins once, inside a slice, and ends once, inside a slice; the nanoseconds of
callbacks, requests, stalls, output and polls are those of the JSON lines, and so are the use of the CPU and the lengths of the queues.

The same with --spread, for the times of the run that its arguments have: there no slice of the loop's thread is without a width.
"""

from __future__ import annotations

import argparse
import bisect
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

from shared import all_scenarios

KNOWN_KEYS = {
    "M": {"ph", "pid", "tid", "name", "args"},
    "B": {"ph", "pid", "tid", "ts", "cat", "name", "args"},
    "E": {"ph", "pid", "tid", "ts", "name", "args"},
    "i": {"ph", "pid", "tid", "ts", "cat", "name", "s", "args"},
    "s": {"ph", "pid", "tid", "ts", "cat", "name", "id"},
    "f": {"ph", "pid", "tid", "ts", "cat", "name", "id", "bp"},
    "b": {"ph", "pid", "tid", "ts", "cat", "name", "id", "args"},
    "e": {"ph", "pid", "tid", "ts", "cat", "name", "id", "args"},
    "C": {"ph", "pid", "tid", "ts", "name", "args"},
}
ARROW_KEYS = ("cat", "name", "id")
LOOP_THREAD = ("event loop", "callbacks")
SHOWN_WIDTH_NS = 1000  # in a spread trace


class Wrong(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Wrong(message)


def without_repeats(pairs):
    keys = [key for key, _ in pairs]
    need(len(set(keys)) == len(keys), f"a key is repeated: {keys}")
    return dict(pairs)


def parse(text):
    return json.loads(text, object_pairs_hook=without_repeats, parse_float=Decimal, parse_int=int)


def ns(event):
    return int(event["ts"] * 1000)


def ns_of_run(event):
    """Returns the time of the run of an event in a spread trace."""
    return int(Decimal(event["args"]["until_ms" if event["ph"] in "Ee" else "at_ms"]) * 1_000_000)


def validate(events, time=ns, is_spread=False):
    """Checks the form. Returns (track name, B event, begin, end) of every slice, in the order of their ends, with the times that
    `time` gives. In a spread trace the ends say when they are in the run."""
    named = {event["tid"]: event["args"]["name"] for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    placed = [event["args"]["sort_index"] for event in events if event["ph"] == "M" and event["name"] == "thread_sort_index"]
    need(len(placed) == len(set(placed)) == len(named), "every track has a place of its own")
    need(len(set(named.values())) == len(named), f"two tracks have one name: {named}")
    need(sum(event["name"] == "process_name" for event in events if event["ph"] == "M") == 1, "one process_name")
    last, open_slices, open_async = defaultdict(Decimal), defaultdict(list), defaultdict(list)
    arrows, slices = {}, []
    for number, event in enumerate(events):
        phase, tid = event["ph"], event["tid"]
        where = f"event {number}: {event}"
        need(phase in KNOWN_KEYS and set(event) <= KNOWN_KEYS[phase], f"unknown phase or key: {where}")
        need(is_spread or time is not ns or phase not in "Ee" or "args" not in event, f"an end with arguments: {where}")
        need(event["pid"] == 1 and tid in named, f"a track without a name: {where}")
        if phase == "M":
            continue
        need(isinstance(event["ts"], Decimal) and event["ts"] >= 0, f"ts is no decimal: {where}")
        need(-6 <= event["ts"].as_tuple().exponent <= -3, f"ts has other decimals: {where}")
        need(event["name"] or phase == "i", f"no name: {where}")
        if phase in "BEisf":
            need(event["ts"] >= last[tid], f"ts goes back on its track: {where}")
            last[tid] = event["ts"]
        stack = open_slices[tid]
        if phase == "B":
            stack.append(event)
        elif phase == "E":
            need(stack and stack[-1]["name"] == event["name"], f"not the end of the innermost slice: {where}")
            begin = stack.pop()
            wide = time is ns or named[tid] not in LOOP_THREAD or ns(event) - ns(begin) >= SHOWN_WIDTH_NS
            need(wide, f"a slice without a width in a spread trace: {where}")
            slices.append((named[tid], begin, time(begin), time(event)))
        elif phase in "sf":
            arrow = tuple(event[key] for key in ARROW_KEYS)
            need(stack, f"an arrow outside of all slices: {where}")
            need(arrow not in arrows if phase == "s" else arrows.get(arrow) == "s", f"an arrow that is not in pairs: {where}")
            need(phase == "s" or event["bp"] == "e", f"the arrow does not end at its slice: {where}")
            arrows[arrow] = phase
        elif phase == "b":
            open_async[event["cat"], event["id"]].append(event)
        elif phase == "e":
            waiting = open_async[event["cat"], event["id"]]
            need(waiting and waiting[-1]["name"] == event["name"], f"no async event to end: {where}")
            need(waiting.pop()["ts"] <= event["ts"], f"ends before it begins: {where}")
        elif phase == "C":
            need(all(isinstance(value, int) and value >= 0 for value in event["args"].values()), f"no queue is that long: {where}")
    need(not any(open_slices.values()), "slices are open at the end")
    need(not any(open_async.values()), f"async events are open at the end: {[v for v in open_async.values() if v]}")
    need(all(state == "f" for state in arrows.values()), "arrows lead nowhere")
    return slices


def same(what, found, wanted):
    if found != wanted:
        extra, missing = list((found - wanted).items())[:3], list((wanted - found).items())[:3]
        raise Wrong(f"{what}: not what the JSON lines tell: {extra} for {missing}")


QUEUES = {"timers": ("setTimeout", "setInterval", "uv_timer_start"), "immediates": ("setImmediate",), "ticks": ("nextTick",),
          "microtasks": ("queueMicrotask", "then", "catch", "finally", "await"),
          "requests": ("fs", "dns", "crypto", "zlib", "uv_queue_work", "uv_fs", "uv_getaddrinfo")}


def queue_lengths(lines):
    """Returns (time, (queue, length)...) at the end of every time at which a callback was scheduled, or a scheduled one began or was
    cancelled."""
    queue_of = {api: name for name, apis in QUEUES.items() for api in apis}
    waiting, asked, changed = dict.fromkeys(QUEUES, 0), {}, None
    for line in lines:
        queue = None
        if line["ev"] == "schedule":
            queue, by = queue_of.get(line["api"]), 1
            asked[line["id"]] = queue
        elif line["ev"] in ("callback_begin", "cancel"):
            queue, by = asked.pop(line["id"], None), -1
        if queue is None:
            continue
        if changed is not None and line["t"] != changed:
            yield changed, *sorted(waiting.items())
        waiting[queue] += by
        changed = line["t"]
    if changed is not None:
        yield changed, *sorted(waiting.items())


def running(burns, stalls):
    """Returns the intervals in which JavaScript computed: cpu and spin steps without stalls; adjacent intervals are merged."""
    parts = []

    def add(begin, end):
        if begin >= end:
            return
        if parts and parts[-1][1] == begin and not any(start == begin for start, _ in stalls):
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((begin, end))

    for begin, end in burns:
        for start, stop in stalls:
            if start < end and begin < stop:
                add(begin, start)
                begin = max(begin, stop)
        add(begin, end)
    return parts


def counters(events, time):
    """Returns the lengths of the queues by time. A spread trace shows each change; the last one of a time counts."""
    if time is ns:
        counted = {ns(e): e["args"] for e in events if e["ph"] == "C"}
        need(len(counted) == sum(e["ph"] == "C" for e in events), "two counters for one moment")
        return counted
    loop = {e["tid"] for e in events if e["name"] == "thread_name" and e["args"]["name"] in LOOP_THREAD}
    placed = sorted((ns(e), ns_of_run(e)) for e in events if e["ph"] in "BEibe" and e["tid"] in loop and "args" in e)
    shown = [at for at, _ in placed]
    counted = {}
    for event in sorted((e for e in events if e["ph"] == "C"), key=ns):
        counted[placed[bisect.bisect_right(shown, ns(event)) - 1][1]] = event["args"]
    return counted


def check_order(slices):
    """Checks that a spread trace shows the slices of the loop's thread in their order."""
    for track in LOOP_THREAD:
        begins = sorted((ns(b), ns_of_run(b)) for name, b, _, _ in slices if name == track)
        need(all(a[1] <= b[1] for a, b in zip(begins, begins[1:])), f"{track}: not in the order of the run")


def compare(events, slices, lines, time=ns):
    """Compares the slices with the JSON lines. Returns the number compared."""
    begun, wanted, depth = {}, Counter(), []
    for line in lines:
        if line["ev"] == "callback_begin":
            depth.append(line["id"])
            begun[line["id"]] = (line["t"], len(depth))
        elif line["ev"] == "callback_end":
            depth.remove(line["id"])
            wanted[line["id"], begun[line["id"]][0], line["t"]] += 1
    callbacks = [(b["args"]["id"], begin, end) for _, b, begin, end in slices if b["cat"] == "loopsim.callback"]
    same("callbacks", Counter(callbacks), wanted)

    ready = [e for e in lines if e["ev"] == "ready" and "thread" in e]
    requests = Counter((f"pool thread {e['thread']}", e["id"], e["started"], e["at"]) for e in ready)
    same("requests", Counter((t, b["args"]["id"], begin, end) for t, b, begin, end in slices if t.startswith("pool")), requests)

    stalls = Counter((e["from"], e["from"] + e["for"]) for e in lines if e["ev"] == "stall")
    same("stalls", Counter((begin, end) for _, b, begin, end in slices if b["cat"] == "loopsim.machine"), stalls)

    had = sorted((begin, end) for track, _, begin, end in slices if track == "CPU")
    need(all(a[1] <= b[0] for a, b in zip(had, had[1:])), "two had the CPU at once")
    same("who had the CPU", Counter((begin, end) for _, b, begin, end in slices if b["cat"] == "loopsim.running"),
         Counter(running([(e["from"], e["t"]) for e in lines if e["ev"] == "burn"], sorted(stalls))))

    burns = Counter((e["from"], e["t"]) for e in lines if e["ev"] == "burn")
    same("cpu steps", Counter((begin, end) for _, b, begin, end in slices if b["cat"] == "loopsim.cpu"), burns)

    output = Counter((e["t"], e["text"]) for e in lines if e["ev"] in ("log", "error_log"))
    same("output", Counter((time(e), e["name"]) for e in events if e.get("cat") in ("loopsim.stdout", "loopsim.stderr")), output)

    turns = Counter(e["turn"] for e in lines if e["ev"] == "turn")
    same("turns", Counter(int(b["name"].split()[1]) for _, b, _, _ in slices if b["cat"] == "loopsim.turn"), turns)

    polls = Counter((e["t"] - e["blocked"], e["t"]) for e in lines if e["ev"] == "poll" and e["blocked"])
    same("polls", Counter((begin, end) for _, b, begin, end in slices if b["cat"] == "loopsim.poll"), polls)

    # The counter has the lengths of the queues at the end of every moment in which one changed.
    counted = counters(events, time)
    same("queues", Counter((at, *sorted(args.items())) for at, args in counted.items()), Counter(queue_lengths(lines)))

    # What is asked for inside a callback has an arrow. libuv itself starts its handles again, before their callbacks.
    asked = Counter(e["id"] for e in lines if e["ev"] == "schedule" and "by" in e and not (e["as"] == "again" and e["api"][:3] == "uv_"))
    arrows = Counter(e["id"] for e in events if e["ph"] == "s")
    need(not asked - arrows, f"no arrow for {list((asked - arrows))[:5]}")
    return sum(map(len, (wanted, requests, stalls, burns, output, turns, polls)))


def check(program, scenario, spread):
    with tempfile.TemporaryDirectory(prefix="loopsim-perfetto-") as name:
        trace, jsonl = Path(name) / "trace.json", Path(name) / "trace.jsonl"
        words = [program, "run", scenario, "--quiet", "--no-warnings", "-f", f"perfetto={trace}", "-f", f"jsonl={jsonl}",
                 *(["--spread"] if spread else [])]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode == 2:
            return None
        need(done.returncode in (0, 3), f"exit status {done.returncode}: {done.stderr}")
        document = parse(trace.read_text(encoding="utf-8"))
        lines = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()]
    need(set(document) == {"displayTimeUnit", "otherData", "traceEvents"}, "unknown keys of the document")
    need(document["otherData"]["scenario"] == lines[0]["scenario"], "another scenario")
    need(document["otherData"]["params"] == json.loads(json.dumps(lines[0]["params"]), parse_float=Decimal), "other params")
    said = [event["args"]["name"] for event in document["traceEvents"] if event["name"] == "process_name"]
    need(spread == said[0].endswith("widths are not time") == ("widths" in document["otherData"]), "does not say what the widths are")
    time = ns_of_run if spread else ns
    slices = validate(document["traceEvents"], time)
    if spread:
        check_order(slices)
    return compare(document["traceEvents"], slices, lines[1:], time)


def self_test():
    """Tests that the validator finds each kind of error, inserted into a correct trace."""
    track = [{"ph": "M", "pid": 1, "tid": 1, "name": "process_name", "args": {"name": "p"}},
             {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "t"}},
             {"ph": "M", "pid": 1, "tid": 1, "name": "thread_sort_index", "args": {"sort_index": 1}}]

    def event(phase, time, name, **more):
        return {"ph": phase, "pid": 1, "tid": 1, "ts": Decimal(time), "name": name, **more}

    a, b = event("B", "0.000", "a", cat="c"), event("B", "1.000", "b", cat="c")
    end_a, end_b = event("E", "3.000", "a"), event("E", "2.000", "b")
    arrow = [event("s", "1.000", "x", cat="c", id=1), event("f", "1.000", "x", cat="c", id=1, bp="e")]
    validate([*track, a, b, *arrow, end_b, end_a])
    late = {**end_b, "ts": Decimal("9.000")}
    for wrong in ([*track, a], [*track, end_a], [*track, a, b, end_a, end_b], [*track, b, a, end_a, end_b], [*track, a, b, late, end_a],
                  [*track, a, arrow[0], end_a], [*track, a, arrow[1], end_a], [*track, *arrow], [*track, a, *arrow, *arrow, end_a],
                  [*track[:1], a, end_a], [*track, {**a, "tid": 2}], [*track, event("b", "0.000", "n", cat="c", id="1")],
                  [*track, event("e", "0.000", "n", cat="c", id="1")], [*track, event("X", "0.000", "n")],
                  [*track, event("C", "0.000", "n", args={"q": -1})]):
        try:
            validate(wrong)
        except Wrong:
            continue
        raise Wrong(f"the validator accepts {wrong[3:]}")
    track[1]["args"]["name"] = LOOP_THREAD[0]
    narrow = [{**a, "args": {"at_ms": "0.000"}}, {**end_a, "ts": Decimal("0.999"), "args": {"until_ms": "0.000"}}]
    validate([*track, narrow[0], {**narrow[1], "ts": Decimal("1.000")}], ns_of_run)
    for wrong, time in ((narrow, ns_of_run), (narrow, ns)):
        try:
            validate([*track, *wrong], time)
        except Wrong:
            continue
        raise Wrong(f"the validator accepts {wrong}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("scenarios", nargs="*", type=Path)
    arguments = options.parse_args()
    scenarios = arguments.scenarios or all_scenarios()
    self_test()
    failed = refused = compared = 0
    for scenario in scenarios:
        for spread in (False, True):
            try:
                count = check(arguments.program, scenario, spread)
                refused += count is None and not spread
                compared += count or 0
            except (Wrong, ValueError, KeyError) as error:
                failed += 1
                print(f"{scenario}{' --spread' if spread else ''}: {type(error).__name__}: {error}")
    print(f"{len(scenarios) - refused} scenarios, {compared} slices and lines compared, {failed} failed, {refused} no scenarios")
    return 1 if failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

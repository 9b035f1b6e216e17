#!/usr/bin/env python3
"""Decodes `loopsim run --format pftrace` with Google's protobuf library, reads it by the rules of Perfetto's trace processor, and compares
it with `--format perfetto` of the same run.

    pftrace.py --program build/loopsim [SCENARIO...]

Without SCENARIO: all of scenarios/ and tests/cli/scenarios/, except those that the program refuses. The messages are declared here, with
the numbers and types of Perfetto's published .proto files; a field that is not declared is an error. The rules: packets are taken in the
order of their times, those of one time in that of the file; what is interned must have been defined since the sequence's state was cleared;
the end of a slice is that of the innermost one of its track; a flow begins and ends at the slices that carry its number.

Compared: processes, tracks and their order, slices with names, categories, arguments and times, instants, intervals, where arrows begin and
end, counters, and the facts of the run; each with --spread, too. `convert` gives the same bytes. Skipped without Debian's python3-protobuf.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from perfetto import Wrong, need, ns, parse, same
from shared import all_scenarios

try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields
    from google.protobuf.message import DecodeError
except ImportError:
    # Debian's package is installed for Debian's interpreter, which may not be the first in PATH.
    SYSTEM_PYTHON = "/usr/bin/python3"
    if sys.executable != SYSTEM_PYTHON and os.path.exists(SYSTEM_PYTHON) and "LOOPSIM_PFTRACE" not in os.environ:
        os.environ["LOOPSIM_PFTRACE"] = "second try"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    descriptor_pb2 = None

SKIPPED = 77
CAUSE = "loopsim.cause"
CLEARED, NEEDS_STATE = 1, 2  # TracePacket.SequenceFlags
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4  # TrackEvent.Type
MOST_DEPTH = 512  # the trace processor drops what is deeper

# Message: (field, number, type), "*" for repeated ones.
MESSAGES = {
    "Trace": [("packet", 1, "*TracePacket")],
    "TracePacket": [("timestamp", 8, "uint64"), ("trusted_packet_sequence_id", 10, "uint32"), ("track_event", 11, "TrackEvent"),
                    ("interned_data", 12, "InternedData"), ("sequence_flags", 13, "uint32"), ("track_descriptor", 60, "TrackDescriptor"),
                    ("first_packet_on_sequence", 87, "bool"), ("trace_attributes", 126, "TraceAttributes")],
    "TraceAttributes": [("attribute", 1, "*Attribute")],
    "Attribute": [("key", 1, "string"), ("long_value", 2, "int64"), ("string_value", 3, "string")],
    "TrackDescriptor": [("uuid", 1, "uint64"), ("name", 2, "string"), ("process", 3, "ProcessDescriptor"),
                        ("thread", 4, "ThreadDescriptor"), ("parent_uuid", 5, "uint64"), ("counter", 8, "CounterDescriptor"),
                        ("sibling_order_rank", 12, "int32"), ("process_ordering", 19, "int32"), ("thread_ordering", 20, "int32")],
    "ProcessDescriptor": [("pid", 1, "int32"), ("process_name", 6, "string")],
    "ThreadDescriptor": [("pid", 1, "int32"), ("tid", 2, "int64"), ("thread_name", 5, "string")],
    "CounterDescriptor": [("unit", 3, "int32")],
    "TrackEvent": [("category_iids", 3, "*uint64"), ("debug_annotations", 4, "*DebugAnnotation"), ("type", 9, "int32"),
                   ("name_iid", 10, "uint64"), ("track_uuid", 11, "uint64"), ("name", 23, "string"), ("counter_value", 30, "int64"),
                   ("flow_ids", 47, "*fixed64"), ("terminating_flow_ids", 48, "*fixed64")],
    "DebugAnnotation": [("name_iid", 1, "uint64"), ("bool_value", 2, "bool"), ("uint_value", 3, "uint64"), ("int_value", 4, "int64"),
                        ("string_value", 6, "string"), ("dict_entries", 11, "*DebugAnnotation")],
    "InternedData": [("event_categories", 1, "*Interned"), ("event_names", 2, "*Interned"), ("debug_annotation_names", 3, "*Interned")],
    "Interned": [("iid", 1, "uint64"), ("name", 2, "string")],
}


def trace_class():
    """Returns the class of Trace, made from MESSAGES."""
    file = descriptor_pb2.FileDescriptorProto(name="trace.proto", package="p", syntax="proto2")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, number, kind in fields:
            label = "LABEL_REPEATED" if kind.startswith("*") else "LABEL_OPTIONAL"
            kind = kind.lstrip("*")
            of = descriptor_pb2.FieldDescriptorProto
            added = message.field.add(name=field, number=number, label=of.Label.Value(label))
            if kind in MESSAGES:
                added.type, added.type_name = of.TYPE_MESSAGE, f".p.{kind}"
            else:
                added.type = of.Type.Value(f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = pool.FindMessageTypeByName("p.Trace")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(found)
    return message_factory.MessageFactory(pool).GetPrototype(found)


def need_known(message):
    """Every field is declared, in the message and in all within it."""
    unknown = message.UnknownFields() if hasattr(message, "UnknownFields") else unknown_fields.UnknownFieldSet(message)
    need(len(unknown) == 0, f"unknown fields of {message.DESCRIPTOR.name}: {[field.field_number for field in unknown]}")
    for field, value in message.ListFields():
        if field.message_type is not None:
            for one in value if field.label == field.LABEL_REPEATED else [value]:
                need_known(one)


class Story:
    """What a viewer gets to see, in terms that both forms have."""

    def __init__(self):
        self.facts, self.processes, self.tracks = {}, {}, {}  # tracks: (pid, name) to (tid, place)
        self.slices, self.instants, self.intervals = Counter(), Counter(), Counter()
        self.arrows, self.counts = Counter(), Counter()


def frozen(args):
    return json.dumps(args, sort_keys=True)


# ---- the protobuf ----------------------------------------------------------------------------------------------------------------


class Slice:
    def __init__(self, name, category, time, args, depth):
        self.name, self.category, self.begin, self.end, self.args, self.depth = name, category, time, None, args, depth


class Reader:
    def __init__(self, trace):
        self.story, self.trace = Story(), trace
        self.names = None  # nothing is defined before the state is cleared
        self.descriptors, self.stacks, self.flows = {}, defaultdict(list), {}
        self.values = defaultdict(dict)

    def read(self):
        events = [event for event in map(self.tokenized, self.trace.packet) if event]
        for time, uuid, event in sorted(events, key=lambda event: event[0]):
            self.tell(time, self.descriptors.get(uuid), uuid, event)
        for uuid, stack in self.stacks.items():
            track = self.descriptors[uuid]
            need(not stack or track.name == "messages", f"slices are open at the end on {uuid}")
            for waiting in stack:  # a message that nobody has taken when the run ends
                self.put(self.descriptors[track.parent_uuid].process.pid, track, waiting, None, waiting.args)
        need(not self.flows, f"arrows lead nowhere: {list(self.flows)[:3]}")
        return self.story

    def tokenized(self, packet):
        """Takes a packet in the order of the file. Returns (time, track, what is to be told) of an event, its names resolved."""
        need(packet.trusted_packet_sequence_id == 1, "a packet without its sequence")
        if packet.sequence_flags & CLEARED:
            need(packet.first_packet_on_sequence and self.names is None, "the state is cleared later on")
            self.names = {"event_categories": {}, "event_names": {}, "debug_annotation_names": {}}
        else:
            need(packet.sequence_flags == NEEDS_STATE and self.names is not None, "a packet before the state is cleared")
        for field, values in packet.interned_data.ListFields():
            for value in values:
                known = self.names[field.name]
                need(value.iid != 0 and value.iid not in known, f"{field.name} {value.iid} is defined again, or nothing")
                known[value.iid] = value.name
        for attribute in packet.trace_attributes.attribute:
            need(attribute.key not in self.story.facts, f"{attribute.key} is said twice")
            is_param = attribute.key.startswith("params.")
            self.story.facts[attribute.key] = frozen(json.loads(attribute.string_value)) if is_param else attribute.string_value
        if packet.HasField("track_descriptor"):
            self.describe(packet.track_descriptor)
        if not packet.HasField("track_event"):
            return None
        event = packet.track_event
        need(packet.HasField("timestamp") and event.track_uuid in self.descriptors, "an event without a time or a track")
        name = event.name if event.HasField("name") else self.name("event_names", event.name_iid) if event.name_iid else ""
        category = ",".join(self.name("event_categories", iid) for iid in event.category_iids)
        return packet.timestamp, event.track_uuid, (event, name, category, self.args(event.debug_annotations))

    def name(self, kind, iid):
        need(iid in self.names[kind], f"{kind} {iid} is not defined")
        return self.names[kind][iid]

    def args(self, annotations):
        found = {}
        for one in annotations:
            values = [field for field, _ in one.ListFields() if field.name != "name_iid"]
            need(len(values) == 1, f"not one value: {one}")
            key = self.name("debug_annotation_names", one.name_iid)
            need(key not in found, f"{key} is repeated")
            found[key] = self.args(one.dict_entries) if one.dict_entries else getattr(one, values[0].name)
        return found

    def describe(self, track):
        need(track.uuid not in self.descriptors, f"track {track.uuid} is described twice")
        self.descriptors[track.uuid] = track
        if track.uuid == 0:
            need(track.process_ordering == 1 and track.thread_ordering == 1, "the order of tracks is not said")
        elif track.HasField("process"):
            self.story.processes[track.process.pid] = track.process.process_name
        else:
            parent = self.descriptors.get(track.parent_uuid)
            need(parent is not None and parent.HasField("process"), f"a track without its process: {track}")
            need(track.HasField("name") != track.HasField("thread"), f"a track without a name: {track}")
            if track.HasField("thread"):
                need(track.thread.pid == parent.process.pid, f"a thread of another process: {track}")
                key = track.thread.pid, track.thread.thread_name
                need(key not in self.story.tracks, f"two tracks have one name: {key}")
                self.story.tracks[key] = track.thread.tid, track.sibling_order_rank

    def tell(self, time, track, uuid, event):
        message, name, category, args = event
        pid = self.descriptors[track.parent_uuid].process.pid
        if message.type == COUNTER:
            need(track.HasField("counter") and message.HasField("counter_value"), "a counter without a value")
            self.values[pid, time][track.name] = message.counter_value
            return
        need(not track.HasField("counter"), f"a slice on a counter: {name}")
        stack = self.stacks[uuid]
        if message.type == END:
            need(stack, f"no slice to end at {time}")
            ended = stack.pop()
            need(not set(ended.args) & set(args), "an argument at both ends")
            self.put(pid, track, ended, time, {**ended.args, **args})
            return
        need(message.type in (BEGIN, INSTANT) and name, f"an event without type or name at {time}")
        if message.type == BEGIN:
            stack.append(Slice(name, category, time, args, len(stack)))
            need(len(stack) <= MOST_DEPTH, "deeper than the trace processor goes")
        else:
            self.story.instants[pid, track.thread.thread_name, time, category, name, frozen(args)] += 1
        self.follow(time, message, stack, category)

    def follow(self, time, message, stack, category):
        for flow in message.flow_ids:
            need(flow not in self.flows, f"arrow {flow} begins twice")
            need(category == CAUSE and len(stack) > 1 and stack[-1].begin == time, f"arrow {flow} begins outside of all slices")
            self.flows[flow] = time, stack[-2].name, stack[-2].begin
        for flow in message.terminating_flow_ids:
            need(flow in self.flows, f"arrow {flow} ends and has not begun")
            need(stack, f"arrow {flow} ends outside of all slices")
            self.story.arrows[flow, *self.flows.pop(flow), time, stack[-1].name, stack[-1].begin] += 1

    def put(self, pid, track, ended, time, args):
        if ended.category == CAUSE:
            need(ended.begin == time and not args, "the begin of an arrow takes time")
        elif track.HasField("thread"):
            self.story.slices[pid, track.thread.thread_name, ended.begin, time, ended.category, ended.name, frozen(args)] += 1
        else:
            self.story.intervals[pid, ended.begin, time, ended.category, ended.name, frozen(args)] += 1


def decoded(data, trace_type):
    trace = trace_type()
    trace.ParseFromString(data)
    need_known(trace)
    need(trace.packet, "no packets")
    reader = Reader(trace)
    story = reader.read()
    last = defaultdict(dict)
    for (pid, time), values in sorted(reader.values.items()):
        last[pid].update(values)
        story.counts[pid, time, frozen(last[pid])] += 1
    return story


# ---- JSON ------------------------------------------------------------------------------------------------------------------------


def told(document):
    """The story of the JSON form, whose own test is perfetto.py."""
    story = Story()
    facts = dict(document["otherData"])
    params = facts.pop("params")
    story.facts = {**facts, **{f"params.{name}": json.dumps(value, sort_keys=True, default=float) for name, value in params.items()}}
    names, stacks, intervals, flows = {}, defaultdict(list), defaultdict(list), {}
    for event in document["traceEvents"]:
        phase, pid = event["ph"], event["pid"]
        track, args = (pid, event["tid"]), event.get("args", {})
        if phase == "M":
            if event["name"] == "process_name":
                story.processes[pid] = args["name"]
            elif event["name"] == "thread_name":
                names[track] = args["name"]
            else:
                story.tracks[pid, names[track]] = event["tid"], args["sort_index"]
            continue
        time, stack = ns(event), stacks[track]
        if phase == "B":
            stack.append((event, time))
        elif phase == "E":
            begin, since = stack.pop()
            story.slices[pid, names[track], since, time, begin["cat"], begin["name"], frozen({**begin.get("args", {}), **args})] += 1
        elif phase == "X":
            story.slices[pid, names[track], time, time + int(event["dur"] * 1000), event["cat"], event["name"], frozen(args)] += 1
        elif phase == "i":
            story.instants[pid, names[track], time, event["cat"], event["name"], frozen(args)] += 1
        elif phase == "s":
            flows[event["id"]] = time, stack[-1][0]["name"], stack[-1][1]
        elif phase == "f":
            story.arrows[event["id"], *flows.pop(event["id"]), time, stack[-1][0]["name"], stack[-1][1]] += 1
        elif phase == "b":
            intervals[event["cat"], event["id"]].append((event, time))
        elif phase == "e":
            begin, since = intervals[event["cat"], event["id"]].pop()
            story.intervals[pid, since, time, event["cat"], event["name"], frozen({**begin.get("args", {}), **args})] += 1
        else:
            need(phase == "C", f"unknown phase {phase}")
            story.counts[pid, time, frozen({f"{event['name']} {key}": value for key, value in args.items()})] += 1
    for waiting in intervals.values():
        for event, since in waiting:
            need(event["cat"] == "loopsim.message", "an interval is open at the end")
            story.intervals[event["pid"], since, None, event["cat"], event["name"], frozen(event.get("args", {}))] += 1
    return story


def compare(found, wanted):
    """Returns the number of things compared."""
    same("facts of the run", Counter(found.facts.items()), Counter(wanted.facts.items()))
    same("processes", Counter(found.processes.items()), Counter(wanted.processes.items()))
    same("tracks", Counter(found.tracks.items()), Counter(wanted.tracks.items()))
    for what in ("slices", "instants", "intervals", "arrows", "counts"):
        same(what, getattr(found, what), changes(wanted.counts) if what == "counts" else getattr(wanted, what))
    return sum(sum(getattr(found, what).values()) for what in ("slices", "instants", "intervals", "arrows", "counts"))


def changes(counts):
    """Those at which a value is another one than before: the protobuf has no others."""
    last, kept = {}, Counter()
    for (pid, time, values), count in sorted(counts.items()):
        if last.get(pid) != values:
            kept[pid, time, values] += count
        last[pid] = values
    return kept


def check(program, scenario, more, trace_type, convert):
    with tempfile.TemporaryDirectory(prefix="loopsim-pftrace-") as name:
        paths = {form: Path(name) / form for form in ("pftrace", "perfetto", "jsonl", "converted")}
        words = [program, "run", scenario, "--quiet", "--no-warnings", *more]
        for form in ("pftrace", "perfetto", "jsonl"):
            words += ["-f", f"{form}={paths[form]}"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode == 2:
            return None
        need(done.returncode in (0, 3), f"exit status {done.returncode}: {done.stderr}")
        data = paths["pftrace"].read_bytes()
        if convert:
            words = [program, "convert", paths["jsonl"], "-f", "pftrace", "-o", paths["converted"]]
            subprocess.run(words, timeout=120, check=True)
            need(paths["converted"].read_bytes() == data, "convert writes other bytes")
        wanted = told(parse(paths["perfetto"].read_text(encoding="utf-8")))
    return compare(decoded(data, trace_type), wanted), len(data)


def self_test(program, scenario, trace_type):
    """The decoder and the comparison find what is put into a correct trace."""
    data, wanted = (subprocess.run([program, "run", scenario, "-q", "-f", form], capture_output=True, timeout=60, check=True).stdout
                    for form in ("pftrace", "perfetto"))
    wanted = told(parse(wanted.decode()))
    compare(decoded(data, trace_type), wanted)

    def with_change(change):
        trace = trace_type()
        trace.ParseFromString(data)
        change(trace.packet)
        return trace.SerializeToString()

    def first(packets, test):
        return next(packet for packet in packets if test(packet))

    def of_type(number):
        return lambda packet: packet.HasField("track_event") and packet.track_event.type == number

    changes_of = {
        "cut off": lambda: data[:-3],
        "no first packet": lambda: with_change(lambda packets: packets.pop(0)),
        "no end": lambda: with_change(lambda packets: packets.remove(first(packets, of_type(END)))),
        "no name": lambda: with_change(lambda packets: packets.remove(first(packets, lambda p: p.HasField("interned_data")))),
        "no track": lambda: with_change(lambda packets: packets.remove(first(packets, lambda p: p.track_descriptor.HasField("thread")))),
        "another time": lambda: with_change(lambda packets: setattr(first(packets, of_type(INSTANT)), "timestamp", 1)),
        "another value": lambda: with_change(lambda packets: setattr(first(packets, of_type(COUNTER)).track_event, "counter_value", 77)),
        "another flow": lambda: with_change(lambda packets: first(
            packets, lambda p: p.track_event.flow_ids).track_event.flow_ids.append(99)),
        "no arrow": lambda: with_change(lambda packets: first(
            packets, lambda p: p.track_event.terminating_flow_ids).track_event.ClearField("terminating_flow_ids")),
        "no argument": lambda: with_change(lambda packets: first(
            packets, lambda p: p.track_event.debug_annotations).track_event.ClearField("debug_annotations")),
        "no flags": lambda: with_change(lambda packets: packets[5].ClearField("sequence_flags")),
        "no rank": lambda: with_change(lambda packets: first(
            packets, lambda p: p.track_descriptor.HasField("thread")).track_descriptor.ClearField("sibling_order_rank")),
        "an unknown field": lambda: data + b"\x10\x01",
    }
    for name, change in changes_of.items():
        try:
            compare(decoded(change(), trace_type), wanted)
        except (Wrong, DecodeError):
            continue
        raise Wrong(f"the decoder accepts: {name}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("scenarios", nargs="*", type=Path)
    arguments = options.parse_args()
    if descriptor_pb2 is None:
        print("skipped: this takes Debian's python3-protobuf (apt-get install python3-protobuf)")
        return SKIPPED
    scenarios = arguments.scenarios or all_scenarios(of_io=True)
    trace_type = trace_class()
    self_test(arguments.program, next(path for path in all_scenarios() if path.name == "timer-105ms.json"), trace_type)
    failed = refused = compared = size = 0
    for scenario in scenarios:
        for more in ([], ["--spread"]):
            try:
                result = check(arguments.program, scenario, more, trace_type, convert=not more)
            except (Wrong, DecodeError, ValueError, KeyError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"{scenario} {' '.join(more)}: {type(error).__name__}: {error}")
                continue
            if result is None:
                refused += not more
                continue
            compared += result[0]
            size += result[1]
    print(f"{len(scenarios) - refused} scenarios, {compared} slices, instants, intervals, arrows and counters compared, "
          f"{size} bytes decoded, {failed} failed, {refused} no scenarios")
    return 1 if failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs JavaScript programs in the simulator, and compares what they wrote with what real Node wrote.

Compared: the lines of standard output, in which a program says where it is, and when, to the nanosecond; on standard error Node's warnings
and the head of the error that ended the process; the exit code; the time of the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from fidelity.compare import Comparison, Event, Run, first_difference, shell_status
from fidelity.feed import Answer, Feed
from fidelity.server import RealRun

from .programs import phase_of, suffix_of, write

WARNING = re.compile(r"^\(node:\d+\) ")
CARET = re.compile(r"^\s*\^+\s*$")
UNCAUGHT = re.compile(r"^Uncaught (\(in promise\) )?")


def ask(feed: Feed, program: dict[str, Any], majors: Sequence[int]) -> list[Answer]:
    text = write(program)
    scenario: dict[str, Any] = {"script": {"file": f"script{suffix_of(program)}", "text": text}, "env": {"LOOPSIM_VCLOCK": "1"}}
    if program["module"]:
        scenario["runtime"] = {"entry": "module"}
    if phase := phase_of(program):
        scenario["machine"] = {"clock": f"{phase}ns"}
    answers = []
    for record, major in zip(feed.records(json.dumps(scenario), majors), majors):
        if record["status"] != "ok":
            answers.append(Answer(major, record["status"], record["message"]))
            continue
        lines = [without_quotes(text) for stream, text in record["events"] if stream == "log"]
        errors = [text for stream, text in record["events"] if stream == "error"]
        events = [Event(None, 0, line) for line in lines] + heads("\n".join(errors))
        answers.append(
            Answer(
                major,
                run=Run(events, record["exit_code"], limit=record["limit"], end_time=record["exit_time"]),
                script=text,
                suffix=suffix_of(program),
                environment={
                    "LOOPSIM_VCLOCK": "1",
                    "LOOPSIM_TRACE_FD": "1",
                    "VCLOCK_END_FD": "1",
                    "VCLOCK_PATIENCE": "1",
                    "VCLOCK_PHASE_NS": str(record["clock_phase"]),
                },
            )
        )
    return answers


def heads(text: str) -> list[Event]:
    """Returns what is compared of standard error: each warning, and the first line of the error that ended the process."""
    lines = text.split("\n")
    warnings = [WARNING.sub("(node) ", line) for line in lines if WARNING.match(line)]
    told = [f"stderr: {without_quotes(line)}" for line in warnings]
    carets = [i for i, line in enumerate(lines) if CARET.match(line)]
    after = lines[carets[-1] + 1 :] if carets else [UNCAUGHT.sub("", line) for line in lines if UNCAUGHT.match(line)]
    if not after and not carets:  # a report without the line where it was thrown, or none
        no_head = ("(", "node:", "undefined:0", " ", "Node.js v", "Timeout duration was set")  # the last: the end of a warning
        after = [line for line in lines if not WARNING.match(line) and not line.startswith(no_head)]
    if head := next((line for line in after if line.strip()), "").removesuffix(" {"):
        bare = head[1:-1] if head.startswith("[") and head.endswith("]") else head  # of an error without a stack
        told.append(f"stderr: fatal {without_quotes(without_code(bare))}")
    return [Event(None, 0, line) for line in told]


# What V8's messages quote of the source or of a value, QuickJS does not know: of these only what they say is compared.
QUOTING = (
    (
        re.compile(r"TypeError: Cannot read property 'Symbol\(Symbol\.iterator\)' of \w+"),  # up to Node 11
        "TypeError: (no function, or not iterable)",
    ),
    (
        re.compile(
            r"TypeError: .*?(?:is not a function or its return value is not iterable"
            r"|is not (?:async )?iterable(?: \(cannot read property Symbol\(Symbol\.iterator\)\))?"
            r"|Spread syntax requires \.\.\.iterable\[Symbol\.iterator\] to be a function"
            r"|(?:is )?not a function|(?:is )?not a constructor)"
        ),
        "TypeError: (no function, or not iterable)",
    ),
    (
        re.compile(r"TypeError: (Iterator result .*? is not an object|iterator must return an object|not an object\b)"),
        "TypeError: (no iterator result)",
    ),
    # Whether an object with an error fits into a line depends on the length of the stack, in which frames of Node's count.
    (re.compile(r"(Unhandled error\. \(\{)\s.*"), r"\1"),
    # A function of Node's own, which has other words in each version: that of AsyncResource.bind().
    (re.compile(r"DataCloneError: function ?\(\.\.\.args\).*"), "DataCloneError: (a function of Node's)"),
)


# Up to Node 11 a value that is a function is quoted with all of its lines.
LONG_QUOTE = re.compile(
    r"TypeError: (?:(?:async )?function|class|async|\()(?:(?!\n    at ).){0,5000}?"
    r"(?:is not iterable(?: \(cannot read property Symbol\(Symbol\.iterator\)\))?|is not a function|is not a constructor)",
    re.DOTALL,
)


def without_long_quotes(text: str) -> str:
    return LONG_QUOTE.sub("TypeError: (no function, or not iterable)", text)


def without_quotes(line: str) -> str:
    for pattern, words in QUOTING:
        line = pattern.sub(words, line)
    return line


def without_code(head: str) -> str:
    """Returns `TypeError: text` of `TypeError [ERR_CODE]: text`, and `AbortError: text` of `DOMException [AbortError]: text`."""
    return re.sub(r"^(\w+) \[\w+\]: ", r"\1: ", re.sub(r"^DOMException \[(\w+)\]: ", r"\1: ", head))


def compare_runs(answer: Answer, real: RealRun) -> Comparison:
    assert answer.run is not None
    run = Run([], shell_status(real.exit_code), real.stderr)
    if real.exit_code == 125 and "vclock:" in real.stderr:
        return Comparison("harness", real.stderr.strip(), simulated=answer.run, real=run)
    if run.exit_code < 0:
        return Comparison("harness", f"signal {-run.exit_code}\n{real.stderr.strip()}", simulated=answer.run, real=run)
    lines = without_long_quotes(real.stdout).removesuffix("\n").split("\n") if real.stdout else []
    if lines and lines[-1].startswith("exit "):
        run.end_time = int(lines.pop().removeprefix("exit "))
    else:
        run.end_time = answer.run.end_time  # up to Node 8 the clock does not tell it of a script that ends before the loop begins
    run.events = [Event(None, 0, without_quotes(line)) for line in lines] + heads(without_long_quotes(real.stderr))
    first = first_difference(answer.run.events, run.events)
    if first < 0 and answer.run.end() != run.end():
        first = max(len(answer.run.events), len(run.events))
    return Comparison("equal" if first < 0 else "different", "", first, answer.run, run)

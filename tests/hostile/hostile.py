#!/usr/bin/env python3
"""Tests hostile documents: they end with a message or at a limit, within the promised memory and time, never in a crash.

usage: tests/hostile/hostile.py --program PROGRAM [--list] [NAME...]

The table CASES has the expected exit status, standard error and cost for every input (inputs.py) and command. Every run has limits of
address space and CPU time that only a bug reaches, so that a bug cannot harm the machine either.
"""

import argparse
import collections
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import inputs  # noqa: E402

MIB = 1 << 20
ALL_MEMORY = 1024  # MiB, the default of --max-memory
CPU_SECONDS = 120  # exceeded only by a bug
DOCUMENTED = (0, 1, 2, 3, 4, 5)

OUT_OF_MEMORY = ("loopsim: out of memory: this needs more than {}, the bound that --max-memory sets "
                 "(--max-memory 4GiB raises it)\n")
MEMORY_1G = OUT_OF_MEMORY.format("1 GiB")

# Expectations of a case: exit `status`; `says`, all of standard error (a string, or a compiled regular expression);
# upper bounds `memory` (MiB) and `seconds` (CPU). FILE in arguments and texts is replaced by the document's path.
Case = collections.namedtuple("Case", "input arguments status says memory seconds")
CASES = []


def case(name, *arguments, status=0, says="", memory=ALL_MEMORY, seconds=30):
    CASES.append(Case(name, arguments or ("run", "FILE", "--format", "none"), status, says, memory, seconds))


def matches(pattern):
    """Compiles a message to a regular expression; SOURCE matches the quoted source line and the caret below it, if any."""
    return re.compile(pattern.replace("SOURCE", r"(?:  [^\n]*\n  [ \t]*\^\n)?"))


def each(pattern):
    """Expects a hundred errors and the note that further ones are not shown."""
    return matches("(?:" + pattern + "SOURCE){100}" + MORE)


MORE = "FILE: error: there are more errors than these 100\n"



# ---- the table ----------------------------------------------------------------------------------------------------

LARGE = "loopsim: could not read FILE: it is larger than 64 MiB\n"

case("empty", status=2, says="FILE:1:1: error: the document is empty; expected an object\n", memory=32)
case("blanks", status=2, says=matches(r"FILE:1000001:2: error: the document is empty; expected an object\nSOURCE"), memory=128)
case("byte-order-mark", memory=32)
case("utf-16", status=2, says="FILE:1:1: error: the document is UTF-16; save it as UTF-8\n", memory=32)
case("nul", status=2, memory=32,
     says='FILE:1:24: error: the byte 0x00 may not stand in a text; write it as \\u0000\n'
          '  { "main": [ { "log": "a?b" } ] }\n                         ^\n')
case("nul-between", status=2, memory=32, says=matches(r"FILE:1:13: error: expected a value, or '\]', found the byte 0x00\nSOURCE"))
case("escaped-nul", memory=32)
case("escaped-nul", "js", "FILE", memory=32)
case("invalid-utf-8", status=2, says="FILE:1:24: error: the byte 0xFF is not UTF-8; save the document as UTF-8\n", memory=32)
case("overlong-utf-8", status=2, says="FILE:1:23: error: the byte 0xC0 is not UTF-8; save the document as UTF-8\n", memory=32)
case("lone-surrogate", status=2, memory=32,
     says="FILE:1:23: error: half of a surrogate pair; \\uD800 to \\uDBFF need one of \\uDC00 to \\uDFFF after them\n"
          '  { "main": [ { "log": "\\ud800" } ] }\n                        ^\n')
case("open-lists", status=2, says="FILE:1:201: error: values are nested more than 200 deep\n", memory=400)
case("open-objects", status=2, says="FILE:1:1601: error: values are nested more than 200 deep\n")
case("nested-steps", status=2, says=matches(r"FILE:1:\d+: error: values are nested more than 200 deep\n"))
case("nested-awaits", memory=32)
case("nested-awaits", "js", "FILE", memory=32)
case("hundred-megabytes", status=2, says=LARGE, memory=200)
for command in ("check", "js", "sweep", "orders"):
    case("hundred-megabytes", command, "FILE", status=2, says=LARGE, memory=200)
case("many-small-values", status=5, says=MEMORY_1G)
case("many-wrong-steps", status=2,
     says=each(r'FILE:\d+:\d+: error: /main/\d+/lgo: there is no verb "lgo"; did you mean "log"\?\n'))
case("many-wrong-keys", status=2, says=each(r'FILE:\d+:\d+: error: /key\d+: a scenario has no key "key\d+"; it has [^\n]*\n'))
case("many-duplicate-keys", status=2,
     says=each(r'FILE:\d+:\d+: error: /main: the key "main" is given twice, first on line 1\n'))
case("duplicate-keys", status=2, memory=32,
     says='FILE:1:27: error: /main/0/log: the key "log" is given twice, first on line 1\n'
          '  { "main": [ { "log": "x", "log": "y" } ],\n                            ^\n'
          'FILE:1:27: error: /main/0/log: a step has one verb, this one has "log" and "log"; write two steps\n'
          '  { "main": [ { "log": "x", "log": "y" } ],\n                            ^\n'
          'FILE:2:3: error: /main: the key "main" is given twice, first on line 1\n    "main": [] }\n    ^\n')
case("one-huge-text")
case("one-huge-text", "run", "FILE")
case("one-huge-text", "js", "FILE")
case("one-huge-number", status=2, says=matches(r"FILE:1:\d+: error: the number 9+\.\.\.\n"), memory=200)
case("infinite-number", status=2, memory=32,
     says="FILE:1:29: error: the number 1e400 is too large\n"
          '  { "main": [ { "setTimeout": 1e400, "do": [] } ] }\n                              ^\n')
case("tiny-number", memory=32)

case("million-functions")
case("many-functions")
case("many-functions", "js", "FILE")
for variables in ("million-variables", "many-variables"):
    case(variables, status=2,
         says=matches(r"FILE:65537:1: error: /main/65536: a function has at most 65536 local variables of its own\nSOURCE"))
case("many-globals")
case("million-unknown-names", status=2, says=each(r'FILE:1:\d+: error: /main/\d+/log: nothing defines the name "a\d+"\n'))
case("unknown-names-among-many", status=2,
     says=each(r'FILE:1:\d+: error: /main/\d+/log: nothing defines the name "nmae\d+"(; did you mean "name\d+"\?)?\n'))
case("million-params", says=matches(r'(?:FILE:1:\d+: warning: /params/p\d+: nothing uses the param "p\d+" \(as "\$p\d+"\)\n){100}'))
case("many-params-used")
case("million-expectations", "check", "FILE", status=2,
     says=each(r'FILE:1:\d+: error: /expect/order/\d+: no callback is named "n\d+"; a step\'s "as" names its callback\n'))
case("million-inputs", status=5, says=MEMORY_1G)
case("many-inputs", status=3)
case("million-callbacks", status=3)
case("many-callbacks", status=3)
case("many-stalls")
case("wide-objects", status=2,
     says=matches(r'FILE:1:11: error: /main/0/k0: there is no verb "k0"; `loopsim list verbs` shows them all\n'))

TOO_LONG = r"error: \S+: a name of 1048576 bytes is too long; it may have 1000\n"
for command in ("run", "js", "check"):
    case("long-name", command, "FILE", status=2, memory=64, says=matches(
        r'FILE:1:44: error: /main/0/do/0/log: nothing defines the name "n+\.\.\.\n(FILE:1:\d+: ' + TOO_LONG + "){2}"))
case("long-wrong-name", status=2, memory=64, says=matches(r"FILE:1:\d+: " + TOO_LONG))
case("long-wrong-verb", status=2, says=matches(r'FILE:1:\d+: error: /main/0/n+\.\.\.: there is no verb "n+\.\.\.\n'), memory=64)
case("long-runtime", status=2, says=matches(r'FILE:1:\d+: error: /runtime: there is no runtime "n+\.\.\.\n'), memory=64)
case("long-param", status=2, says=matches(r'FILE:1:\d+: error: /main/0/log: there is no param "n+\.\.\.\n'), memory=64)
case("long-label-many-times", "run", "FILE", "--format", "jsonl", "--quiet", status=2, memory=64, says=matches(r"FILE:1:\d+: " + TOO_LONG))
case("many-long-lines", memory=64)
case("many-long-lines", "sweep", "FILE", "--lines", status=5, says=MEMORY_1G)
case("many-long-lines", "check", "FILE", memory=64)
case("billion-laughs", status=3, seconds=60)  # the uses share one text, but a trace would have 10 GB of it
case("billion-laughs-with-placeholders", status=3, memory=128)
case("billion-laughs-in-params", status=2, memory=32,
     says=matches(r"(FILE:1:\d+: error: /params/[b-z]: a param cannot refer to a param\n){25}"))
case("growing-text", status=5, says=MEMORY_1G)

case("end-of-time", status=2, memory=32,
     says=matches(r"FILE:1:\d+: error: /limits/time: "
                  r"the duration \"9000000000000000000ns\" is longer than 1000000000s \(about 31 years\)\nSOURCE"))
case("beyond-the-end-of-time", status=2, memory=32,
     says=matches(r"FILE:1:\d+: error: /main/0/cpu: "
                  r"the duration \"9223372036854775807ns\" is longer than 1000000000s \(about 31 years\)\nSOURCE"))
case("sum-beyond-the-end-of-time", status=3, memory=32)
case("timer-beyond-the-end-of-time", memory=32)
case("counter-overflow", memory=32)
case("huge-count", status=2, memory=32,
     says=matches(r"FILE:1:\d+: error: /main/0/repeat: "
                  r"expected a number of rounds, a whole number from 0 to 1000000000000, found the number 18446744073709551616\nSOURCE"))
case("huge-limits", status=2, memory=32,
     says=matches(r"FILE:1:\d+: error: /limits/steps: "
                  r"expected a limit, a whole number from 1 to 1000000000000000, found the number 1e\+18\nSOURCE"))
case("repeat-bomb", status=3, memory=32)
case("repeat-bomb", "check", "FILE", status=3, memory=32)
case("repeat-bomb", "orders", "FILE", "--runs", "3", memory=64)
for bomb in ("immediate-bomb", "timer-bomb", "promise-bomb", "listener-bomb", "connection-bomb"):
    case(bomb, status=5, says=MEMORY_1G, seconds=60)
    case(bomb, "run", "FILE", "--format", "none", "--max-memory", "64MiB", status=5, says=OUT_OF_MEMORY.format("64 MiB"), memory=64)
    case(bomb, "run", "FILE", "--format", "none", "--set", "/limits={}", status=3)
case("promise-bomb", "check", "FILE", "--max-memory", "64MiB", status=5, memory=64)
case("promise-bomb", "sweep", "FILE", "--replications", "4", "--jobs", "2", "--max-memory", "64MiB", status=5,
     says="loopsim: nothing in this scenario is random: the replications of a point are all the same run\n" +
     OUT_OF_MEMORY.format("64 MiB"), memory=68)  # each of the two threads keeps some blocks
case("promise-bomb", "orders", "FILE", "--max-memory", "64MiB", status=5, says=OUT_OF_MEMORY.format("64 MiB"), memory=64)
case("promise-bomb", "diff", "FILE", "--runtime", "node-10", "--runtime", "node-24", "--max-memory", "64MiB", status=5,
     says=OUT_OF_MEMORY.format("64 MiB"), memory=64)
case("deep-calls", status=3)
case("deep-emits", status=3)
case("promise-chain")
case("nested-promises")
case("nothing-but-turns", status=3, memory=32)
case("thousand-threads", status=3, memory=256)

# The command line's bound on steps applies whatever the document's limits are.
STEPS = ("loopsim: the scenario allows itself {} {}; --max-steps stopped it at {} (--max-steps none lifts that)\n")
RAISED = STEPS.format(10**15, "steps", 10**9)
case("raised-limits-of-rounds", status=3, says=RAISED, memory=32, seconds=90)
case("raised-limits", "run", "FILE", "--format", "none", "--max-steps", "50000000", status=3, memory=32,
     says=STEPS.format(10**15, "steps", 5 * 10**7))
case("raised-limits", "run", "FILE", "--format", "jsonl", "--quiet", "--max-steps", "1000000", status=3, memory=32,
     says=STEPS.format(10**15, "steps", 10**6))
case("raised-limits", "explain", "FILE", "--max-steps", "1000000", status=3, memory=256, says=STEPS.format(10**15, "steps", 10**6))
case("raised-limits", "orders", "FILE", "--runs", "3", "--max-steps", "1000000", memory=64)
case("raised-limits", "sweep", "FILE", "--max-steps", "1000000", memory=64,
     says="loopsim: 1 run reached a limit of the scenario (column limit)\n")
case("raised-limits", "diff", "FILE", "--runtime", "node-4", "--runtime", "node-24", "--max-steps", "1000000")
case("raised-limits-of-callbacks", "run", "FILE", "--format", "none", "--max-steps", "1000000", status=3, memory=32,
     says=matches("loopsim: the scenario allows itself 10{15} (steps|callbacks); --max-steps stopped it at 1000000 [^\n]*\n"))
case("many-cases", "check", "FILE", "--max-steps", "50000000", status=1, memory=256)

# Much work in few steps: a step's work counts as further steps.
for name in ("long-texts", "long-texts-compared", "long-texts-thrown", "long-text-rejected"):
    case(name, status=3, memory=256)
case("long-name-of-an-event", status=2, memory=64,
     says=matches(r"FILE:1:50: error: /main/1/event: a name of 1048576 bytes is too long; it may have 1000\nSOURCE"))
case("long-name-of-a-client", status=2, memory=64,
     says=matches(r"FILE:1:50: error: /inputs/0/as: a name of 1048576 bytes is too long; it may have 1000\nSOURCE"))
case("many-listeners", status=3, memory=128)
case("many-listeners-of-once", status=3, memory=128)
case("many-listeners-taken-off", status=3, memory=128)
case("many-events", status=3, memory=128)
case("wide-scopes", status=3, memory=128)
case("many-variables-in-functions")
case("nested-lists", memory=256)
case("nested-lists", "explain", "FILE")
case("lists-of-twins", status=3, memory=64)
case("chain-below-twins", status=3, memory=64)

# Other commands and formats, on runs of the default limits.
for name, formats in (("busy-and-random", ("text", "jsonl", "csv", "perfetto", "pftrace", "svg", "html")),
                      ("repeat-bomb", ("svg", "html", "perfetto", "pftrace"))):
    for word in formats:
        case(name, "run", "FILE", "--format", word, "--quiet", status=3)
case("busy-and-random", "explain", "FILE", status=3)
case("busy-and-random", "explain", "FILE", "--format", "json", status=3)
case("busy-and-random", "diff", "FILE", "--seed", "1", "--seed", "2", status=1, seconds=60)
case("busy-and-random", "diff", "FILE", "--seed", "1", "--seed", "2", "--events", status=5, says=MEMORY_1G)
case("busy-and-random", "orders", "FILE", "--runs", "5", seconds=60)
case("busy-and-random", "sweep", "FILE", "--replications", "5", "--lines", "--order", "--histogram",
     says="loopsim: 5 runs reached a limit of the scenario (column limit)\n")
case("repeat-bomb", "explain", "FILE", status=3)
case("repeat-bomb", "diff", "FILE", "--runtime", "node-4", "--runtime", "node-24", seconds=60)
case("many-functions", "diff", "FILE", "FILE")
case("many-functions", "explain", "FILE")
case("many-functions", "orders", "FILE", "--runs", "10")
case("many-functions", "run", "FILE", "--format", "html", "--quiet")
case("many-functions", "run", "FILE", "--format", "perfetto", "--quiet")
case("many-callbacks", "run", "FILE", "--format", "svg", "--quiet", status=3)
for command in ("explain", "diff"):
    case("hundred-megabytes", command, "FILE", *(["FILE"] if command == "diff" else []), status=2, memory=400, says=matches(
        "(loopsim: could not read FILE: it is larger than 64 MiB\n)|.*larger than 64 MiB.*\n"))

# ---- running a case -------------------------------------------------------------------------------------------------


class Failure(Exception):
    pass


class Runner:
    def __init__(self, program, sanitized, folder):
        self.program, self.sanitized, self.folder = program, sanitized, folder
        self.made = None

    def document(self, name):
        """Creates the input and returns its path. A separate process does it, because getrusage counts the parent's peak memory for the
    child (it survives exec)."""
        path = os.path.join(self.folder, "document.json")
        if self.made != name:
            subprocess.run([sys.executable, os.path.abspath(inputs.__file__), name, path], check=True)
            self.made = name
        return path

    def limit(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        seconds = CPU_SECONDS * (10 if self.sanitized else 1)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        if not self.sanitized:  # sanitizers reserve terabytes of address space
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

    def start(self, words, **options):
        return subprocess.Popen([self.program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=self.limit, cwd=self.folder, **options)

    def run(self, words):
        """Returns (exit status, standard error, peak memory in MiB, CPU seconds). Standard output is read and discarded."""
        child = self.start(words)
        errors = []
        reader = threading.Thread(target=lambda: errors.append(child.stderr.read()))
        reader.start()
        while child.stdout.read(1 << 20):
            pass
        reader.join()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
        child.stderr.close()
        return child.returncode, errors[0].decode("utf-8", "strict"), usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime

    def check(self, case):
        path = self.document(case.input)
        words = [word.replace("FILE", path) for word in case.arguments]
        status, errors, memory, seconds = self.run(words)
        shown = errors.replace(path, "FILE")
        if len(shown) > 3000:
            shown = shown[:3000] + f"... ({len(errors)} bytes)"
        if status < 0:
            raise Failure(f"ended by signal {-status}: {shown}")
        if status not in DOCUMENTED or status != case.status:
            raise Failure(f"exit status {status}, not {case.status}: {shown}")
        said = errors.replace(path, "FILE")
        if isinstance(case.says, str) and said != case.says:
            raise Failure(f"standard error is not\n{case.says}--- but\n{shown}")
        if not isinstance(case.says, str) and not case.says.fullmatch(said):
            raise Failure(f"standard error does not match\n{case.says.pattern}\n--- it is\n{shown}")
        if not self.sanitized and memory > case.memory:
            raise Failure(f"held {memory:.0f} MiB, more than {case.memory}")
        if not self.sanitized and seconds > case.seconds:
            raise Failure(f"took {seconds:.1f} s, more than {case.seconds}")
        return memory, seconds


# ---- inputs that are not documents ---------------------------------------------------------------------------------


def expect(runner, words, status, says):
    got, errors, _, _ = runner.run(words)
    if (got, errors) != (status, says):
        raise Failure(f"{words}: exit status {got}, not {status}, and standard error\n{errors}--- not\n{says}")


def special_files(runner):
    expect(runner, ["run", "/"], 2, "loopsim: could not read /: Is a directory\n")
    expect(runner, ["run", "/dev/zero"], 2, "loopsim: could not read /dev/zero: it is larger than 64 MiB\n")
    expect(runner, ["run", "/dev/null"], 2, "/dev/null:1:1: error: the document is empty; expected an object\n")
    expect(runner, ["run", "missing.json"], 2, "loopsim: could not read missing.json: No such file or directory\n")
    long = "n" * 5000
    expect(runner, ["run", long], 2, f"loopsim: could not read {long}: File name too long\n")


def slow_pipe(runner):
    """Reads a document from a FIFO that is written byte by byte."""
    fifo = os.path.join(runner.folder, "fifo")
    os.mkfifo(fifo)

    def write():
        with open(fifo, "wb", buffering=0) as file:
            for byte in b'{ "main": [] }':
                file.write(bytes([byte]))
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    expect(runner, ["run", fifo, "--format", "none", "--quiet"], 0, "")
    os.remove(fifo)


def memory_option(runner):
    for size in ("", "1", "31MiB", "1TiB", "-1GiB", "1.5GiB", "99999999999999999999GiB", "GiB"):
        expect(runner, ["list", "verbs", "--max-memory", size], 2,
               f'loopsim: option --max-memory takes a size of at least 32MiB, such as 512MiB or 4GiB, or none, not "{size}"\n'
               'Try "loopsim list --help".\n')
    expect(runner, ["list", "verbs", "--max-memory", "32MiB"], 0, "")
    expect(runner, ["list", "verbs", "--max-memory", "none"], 0, "")


def traces_that_memory_ended(runner):
    """Tests that a run out of memory leaves a complete trace of the events before, in every format."""
    if runner.sanitized:
        return
    for name in ("promise-bomb", "immediate-bomb", "connection-bomb"):
        path = runner.document(name)
        for megabytes in (32, 37):
            size = f"{megabytes}MiB"
            expect(runner, ["run", path, "--max-memory", size, "--quiet", "--format", "jsonl=trace.jsonl", "--also", "perfetto=trace.json",
                            "--also", "csv=trace.csv", "--also", "text=trace.txt"], 5, OUT_OF_MEMORY.format(size.replace("M", " M")))
            # The trace is complete: the reader of `diff` accepts it.
            expect(runner, ["diff", "trace.jsonl", "trace.jsonl", "--quiet"], 0, "")
            with open(os.path.join(runner.folder, "trace.json"), encoding="utf-8") as file:
                json.load(file)
            with open(os.path.join(runner.folder, "trace.txt"), encoding="utf-8") as file:
                if "limit reached: there is no memory for more" not in file.read():
                    raise Failure(f"{name} {size}: the timeline does not tell of the limit")


def hostile_traces(runner):
    path = os.path.join(runner.folder, "hostile.jsonl")
    first = None
    long_line = "hostile.jsonl:1:1: error: this line is longer than 16 MiB: expected a line of a trace\n"
    for content, says in ((b'{"loopsim_trace":2' + b"," * (17 * MIB), long_line),
                          (b'{"loopsim_trace":99}\n', first),
                          (b'{"loopsim_trace":2,"a":' + b"[" * 1_000_000 + b"\n", first),
                          (b'{"loopsim_trace":2}\0\n', first)):
        with open(path, "wb") as file:
            file.write(content)
        got, errors, memory, _ = runner.run(["diff", "hostile.jsonl", "hostile.jsonl"])
        if got != 2 or not errors.startswith("hostile.jsonl:1:") or (says is not None and errors != says):
            raise Failure(f"{content[:40]}: exit status {got}, and standard error\n{errors[:2000]}")
        if memory > 256 and not runner.sanitized:
            raise Failure(f"{content[:40]}: held {memory:.0f} MiB")


CHECKS = [special_files, slow_pipe, memory_option, traces_that_memory_ended, hostile_traces]


def title(case):
    return " ".join((case.input, *case.arguments))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--sanitized", action="store_true", help="of the program: its memory and time are not those of others")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help="inputs; all of them by default")
    arguments = parser.parse_args()
    cases = [case for case in CASES if not arguments.names or case.input in arguments.names]
    if arguments.list:
        for case in cases:
            print(title(case))
        return 0
    if not cases:
        sys.exit("hostile: nothing has such a name; --list names all")

    failed = 0
    with tempfile.TemporaryDirectory(prefix="loopsim-hostile-") as folder:
        runner = Runner(os.path.abspath(arguments.program), arguments.sanitized, folder)
        for case in cases:
            if arguments.sanitized and case.status == 5:
                continue  # the memory limit does not work with the sanitizers' allocator
            try:
                memory, seconds = runner.check(case)
                if arguments.verbose:
                    print(f"ok      {title(case)}: {memory:.0f} MiB, {seconds:.1f} s", flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAILED  {title(case)}: {failure}", flush=True)
        for check in CHECKS:
            if arguments.names:
                break
            try:
                check(runner)
                if arguments.verbose:
                    print(f"ok      {check.__name__}", flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAILED  {check.__name__}: {failure}", flush=True)
    print(f"hostile: {len(cases) + len(CHECKS)} checks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs a program of a web page in loopsim and in a real browser, and compares what the two print.

browser.mjs runs the programs in the browser, one behind the other; the packages it needs and the browsers are found as tests/page/page.py
finds them.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BROWSERS = {"chrome": "chromium", "firefox": "firefox"}  # the runtime of loopsim -> as tests/page/page.py calls the browser
TIMEOUT = 60  # seconds of real time, for a run of loopsim
TIMEOUT_OF_ORDERS = 900
HEADER = re.compile(r"^// (html|input|quiet): (.*)$")
# Real browsers do what these do.
JUDGED = {"chrome": "chrome", "chrome-73": "chrome", "firefox": "firefox"}
SETTLED = 400  # ms without output after which a scenario's program is over
ALSO = "---- or ----"  # in a recorded file, between outputs of which each was observed
LIMIT_REACHED = 3  # exit status of loopsim


class Impossible(Exception):
    """Something could not be run: the message says why."""


def milliseconds(duration: str | float) -> float:
    """Of a duration that is a number of ms or a text such as "20ms"."""
    return float(str(duration).removesuffix("ms"))


class NoBrowser(Exception):
    """There is no browser here, or nothing to drive it with."""


@dataclass
class Program:
    """A JavaScript program, with the body of its document and its user's input, which stand in its first comments; or a scenario."""

    file: Path
    source: str = ""
    html: str = ""
    inputs: list[dict[str, Any]] = field(default_factory=list)
    quiet: int | None = None  # ms without output after which it is over
    scenario: dict[str, Any] = field(default_factory=dict)  # of a .json
    query: str = ""  # of the page's address
    answers: dict[str, Any] = field(default_factory=dict)  # of a server, by the path; `takes` in ms

    def __post_init__(self) -> None:
        if self.file.suffix == ".json":
            self.read_scenario()
        else:
            self.read_program()

    def read_scenario(self) -> None:
        self.scenario = json.loads(self.file.read_text(encoding="utf-8"))
        if "script" in self.scenario:
            self.source = "\n".join(self.scenario["script"])
        self.answers = {path: {"text": given} if isinstance(given, str) else {**given, "takes": milliseconds(given.get("takes", 0))}
                        for path, given in self.scenario.get("answers", {}).items()}
        html = self.scenario.get("document", "")
        self.html = html if isinstance(html, str) else "\n".join(html)
        self.inputs = [{**one, "at": float(one["at"].removesuffix("ms"))} for one in self.scenario.get("inputs", [])]
        params = self.scenario.get("params", {})
        env = {name: params.get(str(value).removeprefix("$"), value) for name, value in self.scenario.get("env", {}).items()}
        self.query = f"?{urllib.parse.urlencode(env)}" if env else ""
        self.quiet = SETTLED

    def make_source(self, loopsim: str) -> None:
        """The script of a program that is steps."""
        if self.source:
            return
        done = subprocess.run([loopsim, "js", str(self.file)], capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise Impossible(f"loopsim js: {done.stderr.strip()[:300]}")
        self.source = done.stdout

    def read_program(self) -> None:
        self.source = self.file.read_text(encoding="utf-8")
        for line in self.source.splitlines():
            if not line.startswith("//"):
                break
            header = HEADER.match(line)
            if header and header[1] == "html":
                self.html += header[2]
            elif header:
                try:
                    value = json.loads(header[2])
                    if header[1] == "quiet":
                        self.quiet = int(value)
                    else:
                        self.inputs.append(value)
                except ValueError as error:
                    raise Impossible(f"{self.file}: {line}: {error}") from error

    def runs_in(self, runtime: str) -> bool:
        """A file NAME.chrome-only.js is for Chromium, a scenario for its runtime. One that a limit ends would keep a real browser busy."""
        if self.scenario:
            return JUDGED.get(self.scenario["runtime"]) == runtime and "limits" not in self.scenario
        only = re.search(r"\.(\w+)-only\.js$", self.file.name)
        return only is None or only[1] == runtime

    def recorded(self, runtime: str) -> Path:
        return self.file.with_name(f"{self.file.name.removesuffix('.js')}.{runtime}.txt")


def page_tests() -> Any:
    """tests/page/page.py, whose cache of packages and whose browsers are used here, too."""
    spec = importlib.util.spec_from_file_location("page_tests", ROOT / "tests/page/page.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Browser:
    """A real browser, started once."""

    def __init__(self, runtime: str) -> None:
        if shutil.which("node") is None:
            raise NoBrowser("there is no node to drive a browser with")
        tests = page_tests()
        try:
            packages = tests.fetch_packages() / "node_modules"
            environment = {**os.environ, **tests.find_browser(BROWSERS[runtime]), "LOOPSIM_PACKAGES": str(packages)}
        except tests.Skip as reason:
            raise NoBrowser(str(reason)) from reason
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(["node", str(HERE / "browser.mjs")], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, encoding="utf-8")
        self.runtime = runtime
        self.version: str = self.answer()["version"]

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self.process.stdin
        self.process.stdin.close()  # browser.mjs closes its browser, then
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise Impossible(f"{self.runtime}: browser.mjs has ended")
        return json.loads(line)

    def run(self, program: Program) -> tuple[str, ...]:
        """The lines that the program prints, with its uncaught errors."""
        assert self.process.stdin
        asked = {"id": program.file.name, "source": program.source, "html": program.html, "inputs": program.inputs, "query": program.query,
                 "answers": program.answers, **({} if program.quiet is None else {"quiet": program.quiet})}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = self.answer()
        if "failed" in answer:
            raise Impossible(f"{self.runtime}: {answer['failed']}")
        return tuple(answer["output"])

    def observe(self, program: Program, times: int) -> list[tuple[str, ...]]:
        """The different outputs of some runs, the most frequent one first."""
        outputs = [self.run(program) for _ in range(times)]
        return sorted(dict.fromkeys(outputs), key=lambda output: -outputs.count(output))


def document_of(program: Program, runtime: str) -> dict[str, Any]:
    """The program as a scenario."""
    document: dict[str, Any] = {"runtime": runtime, "script": {"file": program.file.name, "text": program.source},
                                "limits": {"time": "30s"}}
    if program.scenario:
        document = {key: value for key, value in program.scenario.items() if key != "expect"}
    elif program.html:
        document["document"] = program.html
    if program.inputs and not program.scenario:  # their times are numbers of ms in both
        document["inputs"] = program.inputs
    return document


def simulated(loopsim: str, program: Program, runtime: str) -> tuple[str, ...]:
    """What the program prints in loopsim; uncaught errors are among it, as a browser's console shows both in one list."""
    words = [loopsim, "run", "-", "-f", "console", "-q", "--no-warnings"]
    try:
        done = subprocess.run(words, input=json.dumps(document_of(program, runtime)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, encoding="utf-8", timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Impossible(f"loopsim: {error}") from error
    if done.returncode not in (0, 1, LIMIT_REACHED):
        raise Impossible(f"loopsim: status {done.returncode}: {done.stdout.strip()[:300]}")
    return tuple(done.stdout.splitlines())


@dataclass
class Orders:
    """What `loopsim orders` says of a program: the orders that it found, and of two lines which it never found in that order."""

    found: list[tuple[str, ...]]
    guaranteed: list[tuple[str, str, str]]  # of two callbacks that print their names: the first, the second, and the rule

    def __post_init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()
        for order in self.found:
            for at, line in enumerate(order):
                self.seen.update((line, later) for later in order[at + 1:])

    def verdict(self, output: tuple[str, ...]) -> tuple[str, str]:
        """found; allowed: no order of two lines that was not found; differs, and why."""
        if output in self.found:
            return "found", ""
        place = {line: at for at, line in enumerate(output)}
        if len(place) == len(output):
            for first, second, rule in self.guaranteed:
                if first in place and second in place and place[first] > place[second]:
                    return "differs", f"{second} before {first}, which is said to be guaranteed the other way: {rule}"
        lines = sorted(output)
        if all(sorted(order) != lines for order in self.found):
            return "differs", "no order has these lines"
        for at, line in enumerate(output):
            for later in output[at + 1:]:
                if (line, later) not in self.seen:
                    return "differs", f"no order has {line} before {later}"
        return "allowed", ""


def orders_of(loopsim: str, program: Program, runtime: str, runs: int) -> Orders:
    words = [loopsim, "orders", "-", "--runs", str(runs), "--of", "output", "--format", "json", "--no-warnings"]
    try:
        done = subprocess.run(words, input=json.dumps(document_of(program, runtime)), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, encoding="utf-8", timeout=TIMEOUT_OF_ORDERS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Impossible(f"loopsim orders: {error}") from error
    if done.returncode != 0:
        raise Impossible(f"loopsim orders: status {done.returncode}: {done.stderr.strip()[:300]}")
    report = json.loads(done.stdout)
    return Orders([tuple(order.get("lines", [])) for order in report["orders"]],
                  [(pair["first"], pair["second"], pair["reason"]) for pair in report["pairs"] if pair["verdict"] == "guaranteed"])


def read_recorded(file: Path) -> list[tuple[str, ...]]:
    outputs: list[list[str]] = [[]]
    for line in file.read_text(encoding="utf-8").splitlines():
        if line == ALSO:
            outputs.append([])
        else:
            outputs[-1].append(line)
    return [tuple(output) for output in outputs]


def write_recorded(file: Path, outputs: Iterable[tuple[str, ...]]) -> None:
    file.write_text(f"{ALSO}\n".join("".join(f"{line}\n" for line in output) for output in outputs), encoding="utf-8")


def difference(theirs: list[tuple[str, ...]], ours: tuple[str, ...], what: str) -> str:
    """The first one from the most similar output, with what stands around it."""

    def common(output: tuple[str, ...]) -> int:
        return next((i for i, pair in enumerate(zip(output, ours)) if pair[0] != pair[1]), min(len(output), len(ours)))

    nearest = max(theirs, key=common)
    first = common(nearest)
    outputs = f", of {len(theirs)} different outputs" if len(theirs) > 1 else ""
    return "\n".join([f"line {first + 1} of {what} (-), {len(nearest)} lines{outputs}, and of loopsim (+), {len(ours)} lines",
                      *(f"  {line}" for line in ours[max(first - 3, 0):first]), *(f"- {line}" for line in nearest[first:first + 4]),
                      *(f"+ {line}" for line in ours[first:first + 4])])

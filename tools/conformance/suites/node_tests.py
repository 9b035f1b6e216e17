"""The tests in test/parallel of Node's repository: which group each belongs to, what it needs, and what cannot be run here."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

COMMON = Path(__file__).resolve().parent / "common"

# The groups, in the table's order: the name, and how a file's name begins behind "test-".
GROUPS = [
    ("timers", r"timers?-|timers?\.|set-|immediate|clear|handle-wrap-hasref|no-addons-resolution"),
    ("ticks", r"next-?tick|process-next-tick"),
    ("microtasks", r"microtask|queue-microtask"),
    ("promises", r"promises?-|promises?\.|unhandled|await|async-await"),
    ("process", r"process-|process\.|beforeexit|uncaught|exception|emit-"),
    ("events", r"events?-|events?\.|eventemitter"),
    ("event targets, abort", r"eventtarget|abort|domexception|messagechannel|message-port|messageport|messageevent|structuredclone"),
    ("async hooks", r"async-hooks|async-wrap|async-local|asyncresource|als"),
    ("streams", r"streams?-|streams?\.|streams?2|streams?3|readable|writable|finished|pipe"),
    ("net", r"net-|net\."),
    ("util, assert, console", r"util|assert|console"),
    ("buffer, url, path", r"buffer|url|whatwg|path|querystring|string-decoder|stringbytes"),
    ("performance", r"perf|performance"),
    ("files", r"fs|filehandle"),
    ("dns, crypto, zlib, readline", r"dns|crypto|webcrypto|zlib|readline"),
]
OTHER = "everything else"

CORE_MODULES = {"assert", "assert/strict", "events", "timers", "timers/promises", "util", "process", "async_hooks"}
CORE_GROUPS = {"timers", "ticks", "microtasks", "promises", "process", "events"}

# Flags that change nothing here, or that loopsim knows as well.
FLAGS = re.compile(r"--(?:no-warnings|trace-warnings|no-deprecation|trace-deprecation|throw-deprecation|pending-deprecation|expose[-_]gc"
                   r"|unhandled-rejections=\w+|stack-trace-limit=\d+|no-opt|no-force-async-hooks-checks|gc-interval=\d+|"
                   r"trace-uncaught|experimental-abortcontroller)$")

MODULES_NOT_HERE = {
    "http": "HTTP", "https": "HTTP", "http2": "HTTP", "_http_agent": "HTTP", "_http_client": "HTTP", "_http_common": "HTTP",
    "_http_incoming": "HTTP", "_http_outgoing": "HTTP", "_http_server": "HTTP", "tls": "TLS", "_tls_wrap": "TLS",
    "_tls_common": "TLS", "quic": "QUIC", "dgram": "UDP", "cluster": "processes of itself", "inspector": "the inspector",
    "inspector/promises": "the inspector", "repl": "the REPL", "vm": "vm", "v8": "v8", "domain": "domains",
    "diagnostics_channel": "diagnostics_channel", "tty": "terminals", "trace_events": "trace_events", "wasi": "WASI",
    "sqlite": "SQLite", "test": "the test runner", "test/reporters": "the test runner", "sea": "single executables",
    "stream/web": "web streams", "stream/iter": "iterable streams", "zlib/iter": "iterable streams",
}
HELPERS_NOT_HERE = {"http2": "HTTP", "tls": "TLS", "dns": "answers of a DNS server", "inspector-helper": "the inspector",
                    "wpt": "the Web Platform Tests", "internet": "the internet", "child_process": "processes of itself",
                    "udp": "UDP", "repl": "the REPL", "wasi": "WASI", "sea": "single executables"}
NAMES_NOT_HERE = [
    (r"\bnew Worker\b", "worker threads"),
    (r"\bWebAssembly\b", "WebAssembly"),
    (r"\b(?:fork|spawnPromisified)\(|process\.execPath|spawnSync|execFile|common\.spawn", "processes of itself"),
    (r"%[A-Z]\w+\(", "functions of V8 itself"),
    (r"process\.binding\(|internalBinding|_linkedBinding", "internals of Node"),
    (r"\b(?:ReadableStream|WritableStream|TransformStream|CompressionStream)\b", "web streams"),
    (r"\b(?:fetch|WebSocket|EventSource)\(", "HTTP"),
    (r"\bcrypto\.subtle\b|\bsubtle\b", "web crypto"),
]


@dataclass
class Test:
    path: Path
    core: bool = field(init=False)

    def __post_init__(self):
        self.text = self.path.read_text(encoding="utf-8", errors="replace")
        self.core = self.group in CORE_GROUPS and not self.obstacle and not self.helpers and self.modules <= CORE_MODULES

    @cached_property
    def name(self) -> str:
        return self.path.name

    @cached_property
    def group(self) -> str:
        bare = self.name.removeprefix("test-")
        return next((name for name, pattern in GROUPS if re.match(pattern, bare)), OTHER)

    @cached_property
    def flags(self) -> list[str]:
        return [flag for line in re.findall(r"^// Flags: (.*)$", self.text, re.M) for flag in line.split()]

    @cached_property
    def required(self) -> set[str]:
        found = re.findall(r"""\brequire\(\s*['"]([^'"]+)['"]\s*\)""", self.text)
        found += re.findall(r"""^\s*(?:import|export)\b[^'"]*['"]([^'"]+)['"]""", self.text, re.M)
        found += re.findall(r"""\bimport\(\s*['"]([^'"]+)['"]\s*\)""", self.text)
        return {name.removeprefix("node:") for name in found}

    @cached_property
    def modules(self) -> set[str]:
        return {name for name in self.required if not name.startswith(".")}

    @cached_property
    def helpers(self) -> set[str]:
        return {Path(name).stem for name in self.required if name.startswith("../common/") and not name.startswith("../common/index")}

    @cached_property
    def obstacle(self) -> str:
        """Why it is not run, or an empty text."""
        if "--expose-internals" in self.flags or "--expose_internals" in self.flags or any(m.startswith("internal/") for m in self.modules):
            return "internals of Node"
        for module in sorted(self.modules):
            if module in MODULES_NOT_HERE:
                return MODULES_NOT_HERE[module]
        for helper in sorted(self.helpers):
            if helper in HELPERS_NOT_HERE:
                return HELPERS_NOT_HERE[helper]
            if not (COMMON / f"{helper}.js").exists():
                return f"the helper common/{helper}"
        for pattern, why in NAMES_NOT_HERE:
            if re.search(pattern, self.text):
                return why
        if "child_process" in self.modules:
            return "processes of itself"
        for flag in self.flags:
            if not FLAGS.match(flag):
                return f"the flag {flag.split('=')[0]}"
        if any(re.match(r"\.\.?/(?!common)", name) for name in self.required) or "addons" in self.required:
            return "other files of the tests"
        return ""


def find_tests(checkout: Path) -> list[Test]:
    folder = checkout / "test/parallel"
    return [Test(path) for path in sorted(folder.glob("test-*.*js")) if path.suffix in (".js", ".mjs")]


def lay_out(folder: Path, checkout: Path):
    """The stand-in for test/common, and the fixtures, where a test finds them that is put into the folder."""
    shutil.copytree(COMMON, folder / "common", dirs_exist_ok=True)
    fixtures = checkout / "test/fixtures"
    if fixtures.is_dir() and not (folder / "fixtures").exists():
        (folder / "fixtures").symlink_to(fixtures.resolve(), target_is_directory=True)


def put(test: Test, folder: Path) -> Path:
    """The test in the folder, beside `common`: a program reads files below its own folder. Columns of stacks stay as they are."""
    path = folder / test.name
    text = test.text
    for quote in "'\"`":
        text = text.replace(f"{quote}../common", f"{quote}.//common").replace(f"{quote}../fixtures", f"{quote}.//fixtures")
    path.write_text(text, encoding="utf-8")
    return path

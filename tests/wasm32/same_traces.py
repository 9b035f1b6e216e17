#!/usr/bin/env python3
"""Tests that the simulator compiled to WebAssembly gives the same traces as the native one: with 32-bit pointers, another standard
library, no exceptions and no threads.

    same_traces.py --native build/tests/wasm32/loopsim_trace_hashes --tree build/wasm32 [--jobs N] [SCENARIO...]
    same_traces.py --tree build/wasm32 --build-only [--jobs N]

Builds the libraries `core` and `language` and the program of this folder with clang 19 (tools/cmake/wasm32-wasi.cmake), runs it with
Node's WASI on every scenario and program in JavaScript in every version of Node, and compares its output with that of the native
program: hashes of the traces and of all other outputs of a run, and of the messages if a version refuses a scenario. Exhausted memory must
be reported.

Skipped, with a message, without a compiler for WebAssembly or Node (20 or later). Exit status: 0 all equal, 1 differences, 2 the
build failed, 77 skipped.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "conformance"))
from fidelity.nodes import Missing, fetched, folder  # noqa: E402
TOOLCHAIN = ROOT / "tools" / "cmake" / "wasm32-wasi.cmake"
RUNNER = Path(__file__).with_name("run.mjs")
SKIPPED = 77
OUT_OF_MEMORY = 5
OLDEST_NODE = 20  # the first whose WASI needs no flag
TIMEOUT = 1200  # seconds, for one run
# Keys from passwords take real seconds, whatever computes them.
SLOW = ("tests/javascript/crypto/pbkdf2.js", "tests/javascript/crypto/keys.js")

# Ends at QuickJS's own limit, of calls in JavaScript and of functions of C, which have each another share of both stacks.
DEEP = """const f = () => f(), g = () => [1].map(g), attempts = [f, g, () => JSON.parse('['.repeat(1e5)), () => eval('['.repeat(1e5))];
for (const attempt of attempts) {
  try { attempt(); } catch (error) { console.log(error.name, error.message); }
}
"""

# Needs more than the program's 256 MiB: schedules a billion timers.
ENDLESS = """{ "limits": { "callbacks": 1000000000, "steps": 1000000000, "queue": 1000000000 },
  "main": [ { "repeat": 1000000000, "do": [ { "setTimeout": 1, "do": [] } ] } ] }"""


class Skip(Exception):
    """A required tool is missing; the message names it."""


def compiler() -> None:
    """Raises Skip unless a program that uses the C++ library can be compiled and linked."""
    for command in ("clang++-19", "wasm-ld-19"):
        if not shutil.which(command):
            raise Skip(f"there is no {command}: it takes clang-19, lld-19 and the packages that {TOOLCHAIN.name} names")
    with tempfile.TemporaryDirectory(prefix="loopsim-wasm32-") as folder:
        source = Path(folder) / "probe.cpp"
        source.write_text("#include <string>\nint main(int count, char**) { return std::to_string(count).empty(); }\n")
        words = ["clang++-19", "--target=wasm32-wasi", "-fno-exceptions", str(source), "-o", str(source.with_suffix(".wasm"))]
        done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        reason = next((line for line in done.stderr.splitlines() if "error" in line), "it fails")
        raise Skip(f"clang++-19 cannot compile for WebAssembly here ({reason.strip()}); {TOOLCHAIN.name} names the packages")


def find_node() -> str:
    """Returns the node on the PATH, the newest one that is fetched, or one that is fetched now; none older than OLDEST_NODE."""
    there = sorted((path for path in folder().glob("*/bin/node") if path.parts[-3].isdigit()), key=lambda path: -int(path.parts[-3]))
    for node in (shutil.which("node"), *map(str, there)):
        if node is None:
            continue
        done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
        version = re.match(r"v(\d+)\.", done.stdout)
        if version and int(version.group(1)) >= OLDEST_NODE:
            return node
    try:
        return str(fetched([OLDEST_NODE]) / str(OLDEST_NODE) / "bin" / "node")
    except Missing as problem:
        raise Skip(f"there is no node of version {OLDEST_NODE} or later: {problem}") from None


def build(tree: Path, jobs: int, with_javascript: bool) -> Path | None:
    """Builds the program that prints hashes and returns its path, or None after printing the errors."""
    javascript = "ON" if with_javascript else "OFF"
    # The command line, too, where it runs JavaScript: what the tests of the playground and of the npm package take.
    targets = ["all", *(["loopsim_cli"] if with_javascript else [])]
    commands = [["cmake", "--build", str(tree), "--parallel", str(jobs), "--target", *targets]]
    cache = tree / "CMakeCache.txt"
    if not cache.exists() or f"LOOPSIM_JAVASCRIPT:STRING={javascript}\n" not in cache.read_text():
        if shutil.which("ninja"):
            os.environ.setdefault("CMAKE_GENERATOR", "Ninja")  # for a new tree; an existing one keeps its generator
        # Warnings are errors: the build has to find implicit narrowing to 32 bits.
        commands.insert(0, ["cmake", "-S", str(ROOT), "-B", str(tree), f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}", "-DLOOPSIM_WERROR=ON",
                            "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-Oz -DNDEBUG", "-DLOOPSIM_QUICK_BUILD=ON",
                            f"-DLOOPSIM_JAVASCRIPT={javascript}"])
    for words in commands:
        done = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            print(f"{' '.join(words)}\n{done.stdout.decode(errors='replace')[-6000:]}")
            return None
    return tree / "tests" / "wasm32" / "loopsim_trace_hashes.wasm"


def run(words: list[str], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=TIMEOUT)


def compare(native: str, wasm: list[str], scenarios: list[str], folder: Path = ROOT) -> int:
    """Returns the number of differences; prints the first ones."""
    lines = []
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = {name: pool.submit(run, [*program, *scenarios], folder) for name, program in (("native", [native]), ("wasm32", wasm))}
    for name, future in runs.items():
        done = future.result()
        if done.returncode != 0:
            print(f"{name}: exit status {done.returncode}: {done.stderr.strip()[-2000:]}")
            return 1
        lines.append(done.stdout.splitlines())
    differing = [pair for pair in itertools.zip_longest(*lines, fillvalue="(nothing)") if pair[0] != pair[1]]
    for ours, theirs in differing[:20]:
        print(f"native  {ours}\nwasm32  {theirs}")
    pairs = [line for line in lines[0] if not line.startswith("number ")]
    refused = sum(" refused " in line for line in pairs)
    print(f"{len(pairs)} pairs of a scenario and a version of Node ({refused} of them refused by the version), and "
          f"{len(lines[0]) - len(pairs)} numbers: {len(differing)} differ")
    # No results, or the same hash for all, would prove nothing. Some programs have the same trace: JSON and its JavaScript, for example.
    distinct = len({line.split(" ", 2)[-1] for line in pairs if " refused " not in line})
    if distinct < 0.8 * min(sum("." in name for name in scenarios), len(pairs) - refused) or len(lines[0]) == len(pairs):
        print(f"only {distinct} different results of {len(scenarios)} scenarios")
        return 1
    return len(differing)


def check_stack(native: str, wasm: list[str]) -> int:
    """Returns the number of differences of a program that recurses without end; 1 if it was refused."""
    with tempfile.TemporaryDirectory(prefix="loopsim-wasm32-") as folder:
        (Path(folder) / "deep.js").write_text(DEEP)
        return compare(native, wasm, ["deep.js"], Path(folder))


def check_memory(wasm: list[str]) -> int:
    """Returns 1 if exhausted memory is not reported, else 0."""
    with tempfile.TemporaryDirectory(prefix="loopsim-wasm32-") as folder:
        (Path(folder) / "endless.json").write_text(ENDLESS)
        done = run([*wasm, "endless.json"], Path(folder))
    if (done.returncode, done.stderr) == (OUT_OF_MEMORY, "loopsim_trace_hashes: out of memory\n"):
        return 0
    print(f"without memory: exit status {done.returncode}, not {OUT_OF_MEMORY}: {done.stderr.strip()[-2000:]}")
    return 1


def all_scenarios() -> list[str]:
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "scenarios").rglob("*.json")) if not path.name.endswith(".schema.json")]


def all_programs() -> list[str]:
    folders = (ROOT / "scenarios", ROOT / "tests/javascript")
    paths = [path for folder in folders for path in folder.rglob("*.*js") if "node_modules" not in path.parts]
    return [name for name in sorted(str(path.relative_to(ROOT)) for path in paths if path.suffix in (".js", ".mjs")) if name not in SLOW]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--native", type=Path)
    options.add_argument("--build-only", action="store_true", help="a test of its own: only the build uses all cores")
    options.add_argument("--tree", required=True, type=Path)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--javascript", action="store_true", help="also the programs in JavaScript, which both builds must be able to run")
    options.add_argument("--every", type=int, default=1, metavar="N",
                         help="a program in JavaScript in each N-th version only, other ones for the next program")
    options.add_argument("scenarios", nargs="*", help="paths below the root of the repository")
    arguments = options.parse_args()
    if not arguments.native and not arguments.build_only:
        options.error("it takes --native or --build-only")
    try:
        compiler()
        node = find_node()
    except Skip as missing:
        print(f"skipped: {missing}")
        return SKIPPED
    program = build(arguments.tree.resolve(), arguments.jobs, arguments.javascript)
    if program is None:
        return 2
    if arguments.build_only:
        return 0
    native = str(arguments.native.resolve())
    wasm = [node, "--no-warnings", "--no-turbo-fast-api-calls", str(RUNNER), str(program)]
    failed = compare(native, wasm, arguments.scenarios or all_scenarios()) + check_memory(wasm)
    if arguments.javascript:
        every = ["--every", str(arguments.every)]
        failed += compare(native, wasm, every + all_programs()) + check_stack(native, wasm)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

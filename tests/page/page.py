#!/usr/bin/env python3
"""Tests of the page that `loopsim run --format html` writes.

    page.py model   --program build/loopsim --tree build/tools/page                 the model in Node: scenarios, 500 random programs
    page.py types   --program build/loopsim --tree build/tools/page                 type check of its TypeScript
    page.py browser --program build/loopsim --tree build/tools/page [--shots DIR]   the page in headless Chromium
    page.py units   --program build/loopsim --tree build/tools/page                 parts of the playground in Node: links, its engine
    page.py play    --program build/loopsim --tree build/tools/page [--shots DIR]   the playground in headless Chromium
    page.py play-firefox --program build/loopsim --tree build/tools/page            the same in headless Firefox: what a browser may do in
                                                                                    its own way; with LOOPSIM_THOROUGH=1 all of it
    page.py play-speed --program build/loopsim --tree build/tools/page              its size, how soon one can type, CPU time of a
                                                                                    key; alone on the machine
    page.py traces  --program build/loopsim --tree build/tools/page --engine FILE [--every N]   the engine in Chromium: the same traces
    page.py traces-firefox ...                                                      the same in headless Firefox
    page.py depth, depth-firefox ... --engine FILE                                  how deep a program may recurse there
    page.py speed   --program build/loopsim --tree build/tools/page                 CPU time of its steps; alone on the machine
    page.py million --program build/loopsim --tree build/tools/page                 the page of a million events: CPU time until it is
                                                                                    open, and of its steps; alone on the machine
    page.py build   --program build/loopsim                                        builds with and without the page

Without Node, or if the program was built without its page, the tests are skipped with a message. `browser`, `play`, `traces` and
`depth` use Debian's chromium-headless-shell, or its chromium, which `speed`, `million` and `play-speed` measure; `play-firefox` and its
like its firefox-esr; and all of them playwright-core and axe-core from npm, fetched once into a cache (~/.cache/loopsim) as pinned by
tests/page/package-lock.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tools/conformance"))
from fidelity.compare import MAJORS  # noqa: E402
from fidelity.programs import choice, program  # noqa: E402

SKIPPED = 77
RANDOM_PROGRAMS = 500
RANDOM_SEED = 4100
# Programs that repeat themselves: by name, what `main` and `functions` have, and how many callbacks they may take.
LONG = {
    "ticks": ({"again": [{"nextTick": "again"}]},
              [{"setTimeout": 1, "as": "timer", "do": []}, {"fs": "access", "as": "file", "takes": "1ms", "do": []},
               {"call": "again"}], 20000),
    "ticks-and-microtasks": ({"again": [{"queueMicrotask": [{"log": "job"}]}, {"nextTick": "again"}]},
                             [{"call": "again"}], 4000),
    "immediates": ({"again": [{"nextTick": [{"nextTick": []}]}, {"setImmediate": "again", "as": "next"}]},
                   [{"repeat": 600, "do": [{"setTimeout": 5, "as": "five", "do": []}]}, {"call": "again"}], 4000),
    "interval": ({}, [{"setInterval": 10, "as": "beat", "do": [{"log": "beat"}]}], 4000),
    "counter": ({}, [{"let": {"n": 0}}, {"set": {"last": 0}},
                     {"setInterval": 10, "as": "beat",
                      "do": [{"add": {"n": 1}}, {"let": {"own": "{n}"}}, {"set": {"last": "{own}"}}]}], 4000),
    "files": ({"again": [{"fs": "read", "as": "file", "takes": "3ms", "do": [{"call": "again"}]}]},
              [{"setInterval": 2, "as": "every", "do": []}, {"call": "again"}], 4000),
    "leak": ({"again": [{"setTimeout": 3600000, "as": "kept", "do": []}, {"setImmediate": "again", "as": "next"}]},
             [{"call": "again"}], 2000),
    "backlog": ({}, [{"repeat": 3000, "do": [{"nextTick": [], "as": "tick"}]}, {"setTimeout": 3, "as": "last", "do": []}], 4000),
    "cleared": ({"again": [{"setTimeout": 3600000, "as": "guard", "do": []}, {"clear": "guard"}, {"setImmediate": "again", "as": "next"}]},
                [{"call": "again"}], 2000),
}
BROWSERS = {"chromium": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}
# Chromium without the windows around a page, which take more than half of the CPU time of a test that opens many.
SHELL = "chromium-headless-shell"


class Skip(Exception):
    pass


def scenarios():
    """Those whose page steps through a loop: models of I/O have one of their own, without a script."""
    return sorted(path for path in (ROOT / "scenarios").rglob("*.json")
                  if not path.name.endswith(".schema.json") and path.parent.name != "io")


def page_name(scenario):
    return "-".join(scenario.relative_to(ROOT / "scenarios").with_suffix(".html").parts)


def write_page(program, scenario, page, *options):
    """Returns False if the program was built without its page."""
    done = subprocess.run([program, "run", scenario, "--quiet", "--no-warnings", *options, "-f", f"html={page}"],
                          capture_output=True, text=True, timeout=120, check=False)
    if done.returncode == 2 and "built without its page" in done.stderr:
        raise Skip("this program was built without its page")
    if done.returncode not in (0, 3):
        sys.exit(f"{scenario}: status {done.returncode}: {done.stderr}")


def random_programs():
    """Writes random programs of the conformance generator, for each version in turn."""
    made_of = choice("all")
    for number in range(RANDOM_PROGRAMS):
        major = MAJORS[number % len(MAJORS)]
        yield f"random-{number:03}", f"node-{major}", program(RANDOM_SEED + number, made_of, major)


def need_node():
    if shutil.which("node") is None:
        raise Skip("the page's tests need node")


def model(options):
    need_node()
    esbuild = options.tree / "work/node_modules/esbuild/bin/esbuild"
    with tempfile.TemporaryDirectory(prefix="loopsim-page-") as folder:
        for scenario in scenarios():
            write_page(options.program, scenario, Path(folder, page_name(scenario)), "--all")
        source = Path(folder, "variables.json")
        source.write_text(json.dumps(VARIABLES, indent=2), encoding="utf-8")
        write_page(options.program, source, source.with_suffix(".html"))
        write_lines(options, folder)
        for name, runtime, document in random_programs():
            source = Path(folder, f"{name}.json")
            source.write_text(json.dumps(document), encoding="utf-8")
            write_page(options.program, source, source.with_suffix(".html"), "--all", "--runtime", runtime)
        Path(folder, "long").mkdir()
        for name, (functions, main, callbacks) in LONG.items():
            source = Path(folder, "long", f"{name}.json")
            document = {"main": main, "limits": {"callbacks": callbacks}}
            source.write_text(json.dumps({"functions": functions, **document} if functions else document), encoding="utf-8")
            write_page(options.program, source, source.with_suffix(".html"))
            write_page(options.program, source, source.with_suffix(".all.html"), "--all")
        write_packed(options.program, Path(folder, "packed"))
        if not esbuild.exists():
            raise Skip("the page was built elsewhere: there is no esbuild to bundle its model with")
        bundle = Path(folder, "model.mjs")
        subprocess.run(["node", esbuild, HERE / "bundle_entry.ts", "--bundle", "--format=esm", "--log-level=warning",
                        f"--outfile={bundle}"], timeout=120, check=True)
        environment = {**os.environ, "LOOPSIM_MODEL": str(bundle), "LOOPSIM_PAGES": folder}
        command = ["node", "--test", HERE / "model.test.mjs", HERE / "folds.test.mjs", HERE / "packed.test.mjs", HERE / "window.test.mjs"]
        return subprocess.run(command, env=environment, timeout=600, check=False).returncode


def types(options):
    """Checks the types, which the build of the page does not check, for speed."""
    need_node()
    tsc = options.tree / "work/node_modules/typescript/bin/tsc"
    if not tsc.exists():
        raise Skip("the page was built elsewhere: there is no TypeScript to check it with")
    return subprocess.run(["node", tsc, "--noEmit"], cwd=options.tree / "work", timeout=300, check=False).returncode


def fetch_packages():
    lock = (HERE / "package-lock.json").read_bytes()
    name = f"page-tests-{hashlib.sha256(lock).hexdigest()[:12]}"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopsim" / name
    if cache.exists():
        return cache
    if shutil.which("npm") is None:
        raise Skip("playwright-core comes from npm, and there is none")
    cache.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="page-tests-", dir=cache.parent) as folder:
        for file in ("package.json", "package-lock.json"):
            shutil.copy(HERE / file, folder)
        words = ["npm", "ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
        try:
            subprocess.run(words, capture_output=True, cwd=folder, timeout=120, check=True)
            os.rename(folder, cache)
        except (OSError, subprocess.SubprocessError) as error:
            raise Skip(f"npm could not fetch playwright-core and axe-core ({error})") from error
        os.mkdir(folder)  # for the with statement
    return cache


# Output, timers in one list, pool requests, ticks and microtasks: over 100,000 events.
BIG = {
    "title": "A hundred thousand events",
    "limits": {"callbacks": 1000000},
    "main": [
        {"setInterval": 2, "as": "ticker", "do": [
            {"nextTick": [], "as": "tick"}, {"then": None, "as": "micro", "do": []}, {"cpu": "100us"}]},
        {"setInterval": 5, "as": "reader", "do": [
            {"fs": "stat", "as": "file", "takes": "7ms", "do": [{"log": "file at {now} ms"}, {"setImmediate": [], "as": "soon"}]}]},
        {"repeat": 400, "do": [{"setTimeout": 8800, "as": "late", "do": [{"log": "late"}]}]},
        {"setTimeout": 8900, "as": "stop", "do": [{"clear": "ticker"}, {"clear": "reader"}]},
    ],
}
# What a packed line may have in it: numbers with and without decimals, of which some begin with zeros, are very long or stand behind
# a backslash, and texts that all differ.
PACKED = {
    "title": "Numbers in texts",
    "limits": {"callbacks": 1000000},
    "main": [
        {"let": {"n": 0}},
        {"setInterval": {"uniform": [1, 3]}, "as": "odd2", "do": [
            {"add": {"n": 1}}, {"log": "{n} at {now} ms, 007, 0.50, 1.2.3, 12345678901234567890, 1e-7, -{n}, \u0001\u4e2d{n}"},
            {"log": "\u0012\"34\\u0056\t78\\</script>{n}"}]},
        {"setInterval": 5, "as": "reader", "do": [
            {"fs": "stat", "as": "file", "takes": {"exponential": "7ms"}, "do": [{"setImmediate": [], "as": "soon"}]}]},
        {"setTimeout": 4000, "as": "stop", "do": [{"exit": 0}]},
    ],
}


def write_packed(program, folder):
    """A long run as a page, as JSON lines, and its reasons."""
    folder.mkdir()
    source = folder / "packed.json"
    source.write_text(json.dumps(PACKED), encoding="utf-8")
    lines = f"jsonl={folder / 'packed.jsonl'}"
    write_page(program, source, source.with_suffix(".html"), "--all", "--steps", "--no-races", "--also", lines)
    reasons = folder / "packed.reasons.json"
    subprocess.run([program, "explain", source, "--no-warnings", "-f", "json", "-o", reasons], timeout=120, check=True)


# A title, a name and an output with markup, which the page must escape.
HOSTILE = {
    "title": "</script><script>window.injected = 1</script><img src=x onerror='window.injected = 2'><!--<script>",
    "description": ["</script><script>window.injected = 3</script>", "<!-- <script>"],
    "params": {"p": "</script><script>window.injected = 5</script>"},
    "main": [{"setTimeout": 1, "as": "a", "do": [{"log": "</script><script>window.injected = 4</script><b>bold</b>"}]}],
}


# Variables in scopes, promises that are settled and one that nobody handles, a choice between callbacks.
VARIABLES = {
    "title": "Variables and promises",
    "main": [
        {"let": {"n": 0}},
        {"promise": "p"},
        {"promise": "q"},
        {"then": "p", "as": "reaction", "do": [{"set": {"last": "{value}"}}, {"log": "p: {value}"}]},
        {"setTimeout": 1, "as": "first", "do": [
            {"call": "count", "with": [2]},
            {"if": ["n", ">", 1], "then": [{"resolve": "p", "with": "done"}]}]},
        {"setImmediate": [{"call": "count", "with": [1]}], "as": "second"},
        {"setTimeout": 5, "as": "third", "do": [{"reject": "q", "error": "too late"}]},
        {"cpu": "2ms"},
    ],
    "functions": {"count": {"parameters": ["by"], "do": [{"add": {"n": "{by}"}}, {"log": "n is {n}"}]}},
    "expect": {"output": ["n is 2", "p: done", "n is 3"]},
}


# A program in JavaScript: a call within a callback, a loop, a closure, a block.
LINES = """\
const seen = [];
function add(name, n) {
  const text = name + n;
  seen.push(text);
  return text;
}
setTimeout(function late() {
  for (let i = 0; i < 2; i++) {
    add('t', i);
  }
  console.log(seen.join());
}, 1);
console.log(add('a', 1));
"""


def write_lines(options, folder):
    """The page of a JavaScript program; without one where this build runs none."""
    source = Path(folder, "lines.js")
    source.write_text(LINES, encoding="utf-8")
    if runs_javascript(options, source):
        write_page(options.program, source, source.with_suffix(".html"))


def runs_javascript(options, source):
    probe = subprocess.run([options.program, "run", source, "-q", "-f", "none"], capture_output=True, text=True, timeout=60, check=False)
    return "runs no JavaScript" not in probe.stderr


# What nothing catches, of which the playground shows the place.
UNCAUGHT = """\
console.log('x');
setTimeout(() => missing(), 1);
"""


def stand_in(folder):
    """Builds a module with the interface of the engine; None without a compiler for it."""
    compiler = next(filter(None, map(shutil.which, ("clang-19", "clang"))), None)
    if compiler is None:
        return None
    module = Path(folder, "stand_in.wasm")
    words = [compiler, "--target=wasm32-wasi", "-mexec-model=reactor", "-O1", HERE / "engine_fixture.c", "-o", module]
    exports = [f"-Wl,--export={name}" for name in ("malloc", "free", "loopsim_run")]
    done = subprocess.run([*words, *exports], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        print(f"not looked at: the engine's host, for {compiler} builds no WebAssembly with WASI: {done.stderr[:300]}")
    return module if done.returncode == 0 else None


def units(options):
    need_node()
    esbuild = options.tree / "work/node_modules/esbuild/bin/esbuild"
    if not esbuild.exists():
        raise Skip("the page was built elsewhere: there is no esbuild to bundle the playground with")
    with tempfile.TemporaryDirectory(prefix="loopsim-page-") as folder:
        bundle = Path(folder, "play.mjs")
        environment = {**os.environ, "LOOPSIM_PLAY": str(bundle), "LOOPSIM_PROGRAM": str(Path(options.program).resolve()),
                       "NODE_PATH": str((options.tree / "work/node_modules").resolve())}
        subprocess.run(["node", esbuild, HERE / "play_entry.ts", "--bundle", "--format=esm", "--log-level=warning", f"--outfile={bundle}"],
                       env=environment, timeout=120, check=True)
        source = Path(folder, "uncaught.js")
        source.write_text(UNCAUGHT, encoding="utf-8")
        if runs_javascript(options, source):
            write_page(options.program, source, source.with_suffix(".html"))
            environment["LOOPSIM_UNCAUGHT"] = str(source.with_suffix(".html"))
        fixture = stand_in(folder)
        if fixture:
            environment["LOOPSIM_FIXTURE"] = str(fixture)
        return subprocess.run(["node", "--test", HERE / "play_units.test.mjs"], env=environment, timeout=600, check=False).returncode


def play(options):
    """The playground with the program itself in the place of its engine, and with a module that has the engine's interface."""
    need_node()
    browser_paths = find_browser("firefox" if options.what == "play-firefox" else "chromium", options.what == "play-speed")
    page = options.tree / "work/dist-play/play.html"
    shell = options.tree / "page.html"
    if not page.exists():
        raise Skip("the playground was not built here")
    with tempfile.TemporaryDirectory(prefix="loopsim-page-") as folder:
        source = Path(folder, "probe.js")
        source.write_text(UNCAUGHT, encoding="utf-8")
        if not runs_javascript(options, source):
            raise Skip("this program runs no JavaScript, which the playground begins with")
        empty = Path(folder, "empty.wasm")
        empty.write_bytes(b"\0asm\1\0\0\0")
        fixture = stand_in(folder)
        for name, engine in (("play", empty), ("stand-in", fixture), ("real", options.engine), ("without", None)):
            if name != "without" and engine is None:
                continue
            words = ["node", ROOT / "tools/page/fill_play.mjs", page, Path(folder, f"{name}.html"), "--shell", shell]
            words += ["--gallery", ROOT / "scenarios", "--schema", ROOT / "scenarios/scenario.schema.json", "--tour", ROOT / "docs/tour"]
            subprocess.run([*words, *(["--engine", engine] if engine else [])], timeout=60, check=True)
        packages = fetch_packages()
        environment = {**os.environ, "LOOPSIM_PAGES": folder, "LOOPSIM_PACKAGES": str(packages / "node_modules"),
                       **browser_paths, "LOOPSIM_SHOTS": shots_of(options), "LOOPSIM_PROGRAM": str(Path(options.program).resolve()),
                       "LOOPSIM_HAS_STAND_IN": "yes" if fixture else "", "LOOPSIM_HAS_ENGINE": "yes" if options.engine else ""}
        test = {"play": "play.test.mjs", "play-firefox": "play.test.mjs", "play-speed": "play_speed.test.mjs"}[options.what]
        return node_tests(options, test, environment)


def traces(options):
    """The playground's engine in a browser: against the program, on all scenarios, or how deep a program may recurse in it."""
    need_node()
    what, *firefox = options.what.split("-")
    browser_paths = find_browser("firefox" if firefox else "chromium", False)
    esbuild = options.tree / "work/node_modules/esbuild/bin/esbuild"
    if not options.engine or not esbuild.exists():
        raise Skip("there is no engine, or no esbuild to bundle its host with")
    with tempfile.TemporaryDirectory(prefix="loopsim-page-") as folder:
        words = ["node", esbuild, HERE / "host_entry.ts", "--bundle", "--format=iife", "--global-name=engine", "--log-level=warning"]
        bundled = subprocess.run(words, env={**os.environ, "NODE_PATH": str(options.tree / "work/node_modules")}, stdout=subprocess.PIPE,
                                 timeout=120, check=True).stdout.decode()
        page = '<!doctype html><html lang="en" data-ready="yes"><meta charset="utf-8"><link rel="icon" href="data:,">'
        Path(folder, "host.html").write_text(f"{page}<title>host</title><script>{bundled}</script>", encoding="utf-8")
        Path(folder, "host.js").write_text(bundled, encoding="utf-8")
        # The one that stands in the playground has the small stack.
        engine = options.engine.with_name("loopsim_page.wasm") if what == "depth" else options.engine
        environment = {**os.environ, "LOOPSIM_PAGES": folder, "LOOPSIM_PACKAGES": str(fetch_packages() / "node_modules"), **browser_paths,
                       "LOOPSIM_PROGRAM": str(Path(options.program).resolve()), "LOOPSIM_ENGINE": str(engine.resolve()),
                       "LOOPSIM_EVERY": str(options.every), "LOOPSIM_SCENARIOS": str(ROOT / "scenarios")}
        return node_tests(options, f"{what}.test.mjs", environment)


def shots_of(options):
    """Where the screenshots are kept, or nothing."""
    if not options.shots:
        return ""
    options.shots.mkdir(parents=True, exist_ok=True)
    return str(options.shots.resolve())


def node_tests(options, file, environment):
    only = ["--test-name-pattern", options.only] if options.only else []
    return subprocess.run(["node", "--test", *only, HERE / file], env=environment, timeout=1500, check=False).returncode


def find_browser(name, measures=True):
    """What the tests are told of the browser; LOOPSIM_CHROMIUM and LOOPSIM_FIREFOX name one that is to be taken. What measures nothing
    takes Chromium's shell, where it is there."""
    variable = f"LOOPSIM_{name.upper()}"
    candidates = BROWSERS[name] if measures or name != "chromium" else (SHELL, *BROWSERS[name])
    path = os.environ.get(variable) or next(filter(None, map(shutil.which, candidates)), None)
    if path is None:
        raise Skip(f"there is no {name} (Debian: apt-get install {BROWSERS[name][0]})")
    return {"LOOPSIM_BROWSER": name, variable: path}


def browser(options):
    need_node()
    browser_paths = find_browser("chromium", options.what == "speed")
    with tempfile.TemporaryDirectory(prefix="loopsim-page-") as folder:
        names = ("docs/timer-105ms", "lessons/a-tour-of-the-loop", "lessons/thread-pool-six-on-four", "lessons/echo-server",
                 "lessons/uncaught-exception", "lessons/ticks-and-microtasks-in-turns", "studies/container-quota")
        for name in names:
            scenario = ROOT / "scenarios" / f"{name}.json"
            write_page(options.program, scenario, Path(folder, page_name(scenario)))
        for name, document in (("big", BIG), ("hostile", HOSTILE), ("variables", VARIABLES)):
            scenario = Path(folder, f"{name}.json")
            scenario.write_text(json.dumps(document, indent=2), encoding="utf-8")
            write_page(options.program, scenario, Path(folder, f"{name}.html"))
        write_lines(options, folder)
        packages = fetch_packages()
        environment = {**os.environ, "LOOPSIM_PAGES": folder, "LOOPSIM_PACKAGES": str(packages / "node_modules"),
                       **browser_paths, "LOOPSIM_SHOTS": shots_of(options)}
        return node_tests(options, f"{options.what}.test.mjs", environment)


def million(options):
    need_node()
    browser_paths = find_browser("chromium")
    with tempfile.TemporaryDirectory(prefix="loopsim-page-") as folder:
        # 1,000 timers at random: hardly anything repeats itself, so that the page has it all.
        write_page(options.program, ROOT / "scenarios/bench/w1-timers.json", Path(folder, "million.html"), "--all", "--no-races",
                   "--set", "timers=1000", "--set", "callbacks=213000")
        environment = {**os.environ, "LOOPSIM_PAGES": folder, "LOOPSIM_PACKAGES": str(fetch_packages() / "node_modules"), **browser_paths}
        return node_tests(options, "million.test.mjs", environment)


def build(options):
    """Tests the program without its page, and with a page that was built elsewhere."""
    with tempfile.TemporaryDirectory(prefix="loopsim-page-") as folder:
        work = Path(folder)
        wrong = []

        def asset(name, **variables):
            """Runs build.cmake. Returns the process, and the source file that embeds the page."""
            out = work / f"{name}.cpp"
            given = [f"-D{key}={value}" for key, value in {"PAGE": work / f"{name}.html", "ASSET": out, "WORK": work / name,
                                                          "SOURCE": ROOT / "tools/page", **variables}.items()]
            done = subprocess.run(["cmake", *given, "-P", ROOT / "tools/page/build.cmake"], capture_output=True, text=True, timeout=300,
                                  check=False)
            return done, out.read_text(encoding="utf-8") if out.exists() else ""

        done, text = asset("off", MODE="OFF")
        if done.returncode != 0 or "{\n0}" not in text:
            wrong.append(f"OFF: {done.returncode} {done.stderr} {text[-200:]}")

        mine = work / "mine.page"
        mine.write_text("<!doctype html><p>\u4e2d [;] \\ \"</p><!--loopsim:data-->\n", encoding="utf-8")
        done, text = asset("file", MODE="FILE", GIVEN=mine)
        carried = bytes(int(word, 16) for word in text.split("kBytes[] = {\n")[-1].split("0};")[0].replace("\n", "").split(",") if word)
        if done.returncode != 0 or carried != mine.read_bytes():
            wrong.append(f"FILE: {done.returncode} {done.stderr} {carried!r}")

        other = work / "other.page"
        other.write_text("<!doctype html>\n", encoding="utf-8")
        done, _ = asset("other", MODE="FILE", GIVEN=other)
        if done.returncode == 0 or "is no page of loopsim" not in done.stderr:
            wrong.append(f"a page without a place for data: {done.returncode} {done.stderr}")

        # If npm fails, AUTO continues without the page and reports it; ON fails.
        broken = work / "npm"
        broken.write_text("#!/bin/sh\necho no network\nexit 1\n", encoding="utf-8")
        broken.chmod(0o755)
        done, text = asset("auto", MODE="AUTO", NPM=broken, NODE="node")
        if done.returncode != 0 or "{\n0}" not in text or "no network" not in done.stderr or "without --format html" not in done.stderr:
            wrong.append(f"AUTO without network: {done.returncode} {done.stderr}")
        done, _ = asset("on", MODE="ON", NPM=broken, NODE="node")
        if done.returncode == 0 or "no network" not in done.stderr:
            wrong.append(f"ON without network: {done.returncode} {done.stderr}")

        # A program with its page writes the complete page, including the data.
        scenario = ROOT / "scenarios/docs/timer-105ms.json"
        page = work / "page.html"
        try:
            write_page(options.program, scenario, page)
            html = page.read_text(encoding="utf-8")
            if "<!--loopsim:data-->" in html or html.count('id="trace"') != 1 or not html.rstrip().endswith("</html>"):
                wrong.append("the page is not whole")
            for part in ("http://", "https://"):
                where = html.split('id="trace"')[0]
                if f'src="{part}' in html or f'href="{part}' in where:
                    wrong.append(f"the page names {part}")
        except Skip as skipped:
            print(f"not looked at: {skipped}")
        print("\n".join(wrong) if wrong else "the page can be left out, taken from elsewhere, and is written whole")
        return 1 if wrong else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tests = {"model": model, "types": types, "browser": browser, "units": units, "play": play, "play-firefox": play, "play-speed": play,
             "traces": traces, "traces-firefox": traces, "depth": traces, "depth-firefox": traces, "speed": browser, "million": million,
             "build": build}
    arguments.add_argument("what", choices=tuple(tests))
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--tree", type=Path)
    arguments.add_argument("--engine", type=Path, help="the program as WebAssembly, for the playground")
    arguments.add_argument("--every", type=int, default=1, metavar="N", help="traces: a program in each N-th version only")
    arguments.add_argument("--only", help="of the tests in a browser those whose names this pattern matches")
    arguments.add_argument("--shots", type=Path, help="keep the screenshots there")
    options = arguments.parse_args()
    if options.tree:
        options.tree = options.tree.resolve()  # some of the tests work in a folder of their own
    if options.engine and not options.engine.exists():
        print(f"not looked at: the engine itself, for there is no {options.engine} (the test wasm32.build makes one)")
        options.engine = None
    try:
        return tests[options.what](options)
    except Skip as reason:
        print(f"skipped: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())

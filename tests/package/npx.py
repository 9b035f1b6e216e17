#!/usr/bin/env python3
r"""Tests the program of the npm package: `npx loopsim` has the native command line's output, and its functions work in tests.

    npx.py --program build/loopsim --wasm build/wasm32/loopsim.wasm --page build/tools/page/page.html \
        --playground build/tools/page/play.html --library build/node-library

Packs what tools/npm/fill puts together, installs it into an empty folder without network, and runs it in every Node from 18 on that is at
hand. The examples of docs/npm.md run with their test runners, which npm fetches once into a cache (~/.cache/loopsim), as pinned by
tests/package/runners/package-lock.json; without network that is left out, and said. Exit status 77: there is no such Node, no npm, or no
WebAssembly (wasm32.build makes it where clang 19 is there).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from npm import SKIPPED, nodes  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
RUNNERS = Path(__file__).with_name("runners")
FIRST = 18
# The examples of docs/npm.md, and what runs each of them.
EXAMPLES = {
    "order.test.js": ("node", "--test"),
    "versions.jest.test.js": ("node_modules/.bin/jest", "--runTestsByPath"),
    "late.vitest.test.mjs": ("node_modules/.bin/vitest", "run"),
}

FILES = {
    "app.js": """const fs = require('fs');
setTimeout(() => console.log('timeout'), 1);
setImmediate(() => console.log('immediate'));
fs.stat('app.js', () => console.log('stat'));
Promise.resolve().then(() => console.log('promise'));
process.nextTick(() => console.log('tick'));
console.log('main');
""",
    "wrong.js": "setTimeout(() => {\n  console.log('a'\n}, 1);\n",
    "throws.js": "setTimeout(() => { throw new Error('now'); }, 5);\n",
    "endless.mjs": "const again = () => setImmediate(again);\nagain();\n",
    "deep.js": "let n = 0;\nconst f = () => { n++; f(); };\ntry { f(); } catch (e) { console.log(e.name); }\n",
    "timers.json": """{ "machine": "laptop", "main": [ { "setTimeout": 5, "as": "five", "do": [ { "log": "five" } ] },
  { "setImmediate": [ { "cpu": "2ms" } ], "as": "check" } ] }
""",
    "bad.json": '{ "main": [ { "setTimeuot": 5, "do": [] } ] }\n',
}

# The words of each call. What differs by nature is left out: threads, other programs, SQLite, the page's own file.
CALLS = [
    ["run", "app.js"],
    ["run", "app.js", "-f", "jsonl", "-r", "node-10"],
    ["run", "app.js", "-f", "csv", "--machine", "laptop", "--load", "0.5", "--seed", "7"],
    ["run", "app.js", "--steps", "-f", "jsonl=steps.jsonl"],
    ["run", "app.js", "-f", "svg=run.svg", "-f", "html=run.html", "-f", "perfetto=run-trace.json", "-f", "pftrace=run.pftrace"],
    ["run", "timers.json", "--lang", "zh"],
    ["run", "throws.js", "-q"],
    ["run", "wrong.js"],
    ["run", "bad.json"],
    ["run", "missing.js"],
    ["run", "endless.mjs", "--max-steps", "20000", "-q"],
    ["run", "deep.js"],
    ["explain", "app.js"],
    ["check", "timers.json"],
    ["check", "bad.json"],
    ["diff", "app.js", "-r", "node-10", "-r", "node-24"],
    ["orders", "app.js", "--runs", "60"],
    ["orders", "app.js", "--runs", "60", "-f", "json"],
    ["sweep", "timers.json", "--load", "0:0.8:0.4", "-n", "8", "-f", "csv"],
    ["sweep", "timers.json", "--load", "0:0.8:0.4", "-n", "8"],
    ["js", "timers.json"],
    ["new", "--js"],
    ["list", "machines"],
    ["list", "versions"],
    ["schema"],
    ["run", "--help"],
    ["--version"],
    ["run", "app.js", "--runtme", "node-10"],
    ["run", "-r"],
    ["frobnicate"],
]

LIBRARY = """const test = require('node:test');
const assert = require('node:assert');
const { simulate, orders, expectOrder, expectOutput, expectGuaranteed } = require('loopsim');

const source = `
setTimeout(function later() { console.log('later'); }, 10);
process.nextTick(function tick() { console.log('tick'); });
`;

test('a run', async () => {
  const run = await simulate(source, { runtime: 'node-10', machine: 'laptop', seed: 1 });
  expectOutput(run, ['tick', 'later']);
  expectOrder(run, ['tick', 'later']);
  assert.throws(() => expectOrder(run, ['later', 'tick']), /tick does not begin after the one before it/);
  assert.throws(() => expectOutput(run, ['later']), assert.AssertionError);
  assert.strictEqual(run.exitCode, 0);
  assert.match(run.hash, /^[0-9a-f]{16}$/);
  const again = await simulate(source, { runtime: 'node-10', machine: 'laptop', seed: 1 });
  assert.strictEqual(again.hash, run.hash);
});

test('a function is a program', async () => {
  for (const own of [() => { console.log(1); }, function f() { console.log(1); }, async () => { console.log(1); },
                     { m() { console.log(1); } }.m, { async m() { console.log(1); } }.m, { 'a b'() { console.log(1); } }['a b']]) {
    expectOutput(await simulate(own), ['1']);
  }
});

test('a scenario, modules beside a program, a limit', async () => {
  expectOutput(await simulate({ main: [{ setTimeout: 3, do: [{ log: 'three' }] }] }), ['three']);
  const files = { 'lib/twice.mjs': 'export default (n) => 2 * n;' };
  expectOutput(await simulate("import twice from './lib/twice.mjs'; console.log(twice(21));", { module: true, files }), ['42']);
  const endless = await simulate('(function again() { setImmediate(again); })();', { set: { '/limits/callbacks': 100 } });
  assert.strictEqual(endless.limit, 'callbacks');
  assert.strictEqual(endless.exitCode, null);
});

test('orders', async () => {
  const study = await orders(source, { runs: 60 });
  expectGuaranteed(study, 'tick', 'later');
  assert.throws(() => expectGuaranteed(study, 'later', 'tick'), {
    message: 'later before tick is not guaranteed: it was judged the other way round, tick before later, and the verdict is guaranteed',
  });
  assert.throws(() => expectGuaranteed(study, 'later', 'never'), {
    message: 'later before never is not guaranteed: no such pair was judged',
  });
});

test('the seed of an order gives a run of it', async () => {
  const race = `setTimeout(function timeout() { console.log('timeout'); }, 0);
setImmediate(function immediate() { console.log('immediate'); });`;
  const study = await orders(race, { runs: 100 });
  assert.strictEqual(study.orders.length, 2);
  for (const { seed, lines } of study.orders) {
    const run = await simulate(race, { seed, set: study.set });
    assert.deepStrictEqual([run.output, run.header.seed], [lines, seed]);
  }
  await assert.rejects(simulate(race, { seed: 2 ** 63 }), { name: 'TypeError', message: /is no whole number up to 2\\^53/ });
});

test('functions, lines, and a program among its packages', async () => {
  expectOutput(await simulate(() => { setImmediate(() => console.log('a\\nb')); console.log('first'); }), ['first', 'a', 'b']);
  expectOutput(await simulate(async function main() { console.log(await 1); }), ['1']);
  await assert.rejects(simulate(undefined), { name: 'TypeError', message: /as an object, not undefined/ });
  const fs = require('node:fs');
  fs.mkdirSync('among/node_modules/twice', { recursive: true });
  fs.writeFileSync('among/node_modules/twice/index.js', 'module.exports = (n) => 2 * n;');
  fs.writeFileSync('among/own.js', 'exports.n = 21;');
  const text = "console.log(require('twice')(require('./own').n))";
  expectOutput(await simulate(text, { root: 'among' }), ['42']);
  expectOutput(await simulate({ script: [text] }, { root: 'among' }), ['42']);
  assert.match((await simulate(text)).errors.join(), /Cannot find module 'twice'/);
  await assert.rejects(simulate(text, { root: 'nowhere' }), { name: 'TypeError', message: 'there is no folder nowhere' });
});

test('errors', async () => {
  const isTold = { name: 'SimulationError', message: /scenario\\.json:1:\\d+: .*setTimeout/s };
  await assert.rejects(simulate({ main: [{ setTimeuot: 5 }] }), isTold);
  await assert.rejects(simulate('let x;\\nconst x = ;'), { name: 'SimulationError', message: /app\\.js:2\\n.*SyntaxError: /s });
  const ofModule = { name: 'SimulationError', message: /app\\.mjs:1\\n.*SyntaxError: /s };
  await assert.rejects(simulate('import x from ;', { module: true }), ofModule);
  assert.strictEqual((await simulate("throw new SyntaxError('mine')", { module: true })).exitCode, 1);
  for (const text of ["throw new SyntaxError('mine')", "new Function('const x = ;')", "setTimeout(() => JSON.parse('{'))"]) {
    const { exitCode, errors } = await simulate(text);  // as in Node: the program ends with 1
    assert.strictEqual(exitCode, 1);
    assert.match(errors.join('\\n'), /SyntaxError/);
  }
  await assert.rejects(orders(source, { pairs: [['tick', 'tock']] }), /no callback of the program has the name "tock"/);
  await assert.rejects(simulate('', { runtmie: 'node-10' }), /there is no option "runtmie"/);
});
"""


class Skip(Exception):
    """What is missing."""


def call(words, folder, environment=None, timeout=240):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                          timeout=timeout, env={**os.environ, **(environment or {})})


def install(folder: Path, options: argparse.Namespace) -> Path:
    """Packs the package and installs it into an empty folder as a user does who has no network. Returns its file."""
    filled = folder / "filled"
    given = [word for name in ("wasm", "page", "playground", "library") for word in (f"--{name}", os.path.abspath(getattr(options, name)))]
    subprocess.run([ROOT / "tools/npm/fill", *given, "--into", filled], check=True)
    packed = call(["npm", "pack", "--offline", "--pack-destination", folder, filled], folder)
    package = folder / packed.stdout.decode().split()[-1]
    user = folder / "user"
    user.mkdir()
    done = call(["npm", "install", "--offline", "--no-audit", "--no-fund", package], user)
    if done.returncode != 0:
        raise RuntimeError(f"npm install fails: {done.stderr.decode()}")
    return user


def written(folder: Path, before: set[str]) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file() and path.name not in before}


def outcome(words, folder: Path) -> tuple:
    """What a call prints, its status, and the files that it leaves, which are removed."""
    before = {path.name for path in folder.iterdir()}
    done = call(words, folder)
    files = written(folder, before)
    for name in files:
        (folder / name).unlink()
    return done.returncode, done.stdout, done.stderr, files


def compare(program: str, node: str, major: int, user: Path, calls) -> list[str]:
    cli = user / "node_modules/loopsim/cli.js"
    problems = []
    for words in calls:
        native, ours = outcome([program, *words], user), outcome([node, cli, *words], user)
        for name, theirs, own in zip(("exit status", "output", "messages", "files"), native, ours):
            if theirs != own:
                problems.append(f"Node {major}: loopsim {' '.join(words)}: {name}\n  native {theirs!r:.600}\n  npm    {own!r:.600}")
    return problems


def fetch_runners() -> Path | None:
    """The folder with Jest and Vitest, or None if npm cannot fetch them."""
    name = f"test-runners-{hashlib.sha256((RUNNERS / 'package-lock.json').read_bytes()).hexdigest()[:12]}"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopsim" / name
    if cache.exists():
        return cache
    cache.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="test-runners-", dir=cache.parent))
    for file in ("package.json", "package-lock.json"):
        shutil.copy(RUNNERS / file, folder)
    done = call(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], folder)
    if done.returncode != 0:
        shutil.rmtree(folder)
        print(f"left out: Jest and Vitest, which npm cannot fetch ({done.stderr.decode().strip().splitlines()[-1:]})")
        return None
    folder.rename(cache)
    return cache


def examples(user: Path, node: str) -> list[str]:
    """Runs the examples of docs/npm.md, each in a folder with its runner and the package."""
    blocks = re.findall(r"```js\n// (\S+)\n(.*?)```", (ROOT / "docs/npm.md").read_text(encoding="utf-8"), re.DOTALL)
    if [name for name, _ in blocks] != list(EXAMPLES):
        return [f"docs/npm.md has other examples than these: {', '.join(EXAMPLES)}"]
    runners = fetch_runners()
    folder = user.parent / "examples"
    modules = folder / "node_modules"
    modules.mkdir(parents=True)
    for package in [] if runners is None else (runners / "node_modules").iterdir():
        (modules / package.name).symlink_to(package)
    shutil.copytree(user / "node_modules/loopsim", modules / "loopsim")
    (folder / "package.json").write_text("{}\n", encoding="utf-8")
    problems = []
    for name, text in blocks:
        (folder / name).write_text(text, encoding="utf-8")
        program, *words = EXAMPLES[name]
        if program != "node" and runners is None:
            continue
        done = call([node, *([] if program == "node" else [program]), *words, name], folder)
        if done.returncode != 0:
            problems.append(f"docs/npm.md: {name}\n{done.stdout.decode()[-3000:]}{done.stderr.decode()[-3000:]}")
        # A test that expects the opposite must fail, or the runner has not looked.
        (folder / name).write_text(text.replace("later']", "never']").replace("'second']", "'never']"), encoding="utf-8")
        if call([node, *([] if program == "node" else [program]), *words, name], folder).returncode == 0:
            problems.append(f"docs/npm.md: {name} also passes with another expectation")
    return problems


def play(user: Path, node: str, playground: Path) -> list[str]:
    """The playground, which the package writes, and does not serve."""
    problems = []
    command = [node, "node_modules/loopsim/cli.js", "play"]
    done = call([*command, "--output", "site"], user)
    index = user / "site" / "index.html"
    if (done.returncode, done.stdout, done.stderr) != (0, b"", b"") or index.read_bytes() != playground.read_bytes():
        problems.append(f"play --output: {done}")
    done = call([*command, "app.js", "--no-open"], user)
    said = (b"loopsim: WebAssembly has no sockets to serve on. Write the playground to a folder, and open DIR/index.html: "
            b"loopsim play --output DIR\n")
    if (done.returncode, done.stdout, done.stderr) != (2, b"", said):
        problems.append(f"play: {done}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "wasm", "page", "playground", "library"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    known = {major: node for major, node in (nodes() or nodes(fetch=True)).items() if major >= FIRST}
    if not Path(options.wasm).exists() or not Path(options.playground).exists() or not known or not shutil.which("npm"):
        print("skipped: no WebAssembly of the program (wasm32.build makes it), no page, no npm, or no Node from 18 on")
        return SKIPPED
    program = os.path.abspath(options.program)
    problems = []
    with tempfile.TemporaryDirectory(prefix="loopsim-npx-") as name:
        user = install(Path(name), options)
        for file, text in FILES.items():
            (user / file).write_text(text)
        (user / "library.test.js").write_text(LIBRARY)
        newest = max(known)
        for major, node in sorted(known.items()):
            problems += compare(program, node, major, user, CALLS if major == newest else CALLS[:3])
            done = call([node, "--test", "library.test.js"], user)
            if done.returncode != 0:
                problems.append(f"Node {major}: the functions in node:test\n{done.stdout.decode()[-3000:]}{done.stderr.decode()[-1000:]}")
        problems += examples(user, known[newest])
        problems += play(user, known[newest], Path(options.playground))
        done = call(["npx", "--offline", "loopsim", "run", "app.js"], user)
        if done.returncode != 0 or b"exit code 0" not in done.stdout + done.stderr:
            problems.append(f"npx loopsim: {done.stdout.decode()}{done.stderr.decode()}")
    for problem in problems:
        print(f"FAILED  {problem}")
    print(f"{len(CALLS)} command lines and the functions, in Node {', '.join(map(str, sorted(known)))}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

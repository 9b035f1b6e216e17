#!/usr/bin/env python3
"""Replaces the functions of the language, one at a time, before and while a program runs that uses much of Node's library.

    tampering.py --program build/loopsim [--all] [--known] [--versions 24...] [--jobs N] [--verbose]
    tampering.py --bless MAJOR=NODE... [--limit N] [--jobs N]    asks real Node.js which of these it bears, for tampering/borne.json

A function is replaced by one that throws, by one that lies (it returns undefined), or by one that notes what it gets: no function
of the host may be among that. Where real Node.js prints what it prints without that, so must loopsim. Everywhere else (what Node
itself trips over, or was not asked for) a run ends with a documented exit status, and says nothing of the machine that it runs on.

Without --all, a sample of the day: LOOPSIM_THOROUGH=1 has all of them.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BROAD = FOLDER / "tampering/broad.js"
BORNE = FOLDER / "tampering/borne.json"
MAJORS = (10, 11, 12, 14, 16, 18, 20, 22, 24, 26)
SKIPPED = 77
SAMPLE = 30

# Where functions are that a program can replace, as it names them.
OWNERS = {
    "Object": "Object", "Function.prototype": "Function.prototype", "Object.prototype": "Object.prototype", "Array": "Array",
    "Array.prototype": "Array.prototype", "String": "String", "String.prototype": "String.prototype", "Number": "Number",
    "Number.prototype": "Number.prototype", "Symbol": "Symbol", "Symbol.prototype": "Symbol.prototype", "BigInt": "BigInt",
    "Boolean.prototype": "Boolean.prototype",
    "RegExp.prototype": "RegExp.prototype", "Date": "Date", "Date.prototype": "Date.prototype", "Map.prototype": "Map.prototype",
    "Set.prototype": "Set.prototype", "WeakMap.prototype": "WeakMap.prototype", "WeakSet.prototype": "WeakSet.prototype",
    "Promise": "Promise", "Promise.prototype": "Promise.prototype", "Reflect": "Reflect", "JSON": "JSON", "Math": "Math",
    "ArrayBuffer": "ArrayBuffer", "ArrayBuffer.prototype": "ArrayBuffer.prototype", "DataView.prototype": "DataView.prototype",
    "TypedArray": "Object.getPrototypeOf(Uint8Array)", "TypedArray.prototype": "Object.getPrototypeOf(Uint8Array.prototype)",
    "Error": "Error", "Error.prototype": "Error.prototype",
    "ArrayIterator": "Object.getPrototypeOf([][Symbol.iterator]())", "MapIterator": "Object.getPrototypeOf(new Map().entries())",
    "SetIterator": "Object.getPrototypeOf(new Set().values())", "StringIterator": "Object.getPrototypeOf(''[Symbol.iterator]())",
    "RegExpStringIterator": "Object.getPrototypeOf('a'.matchAll(/a/g))",
    "Iterator.prototype": "Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))",
    "Generator.prototype": "Object.getPrototypeOf(function* () {}).prototype",
    "AsyncGenerator.prototype": "Object.getPrototypeOf(async function* () {}).prototype",
    "global": "(0, eval)('this')",
}
# Their members, as the first Node that is asked has them. Accessors are replaced as such.
LIST = r"""
const owners = %s;
const isOfLanguage = /^(?:[A-Z]|parse|is|decode|encode|escape|unescape)/;
const cases = [];
for (const [name, text] of Object.entries(owners)) {
  const owner = (0, eval)(text);
  for (const key of Reflect.ownKeys(owner)) {
    if (key === 'constructor' || key === 'prototype') continue;
    const isName = typeof key === 'string' && isOfLanguage.test(key);
    if (name === 'global' && !(isName && require('vm').runInNewContext(`'${key}' in globalThis`))) continue;
    const { value, get, configurable } = Object.getOwnPropertyDescriptor(owner, key);
    if (!configurable || (typeof value !== 'function' && get === undefined)) continue;
    cases.push([name, typeof key === 'symbol' ? key.description : key]);
  }
}
process.stdout.write(JSON.stringify(cases));
"""
# In the language of Node 10, like the program.
CHANGE = """(() => {{
  const all = Function('return this')(), key = {key};
  const {{ defineProperty, getOwnPropertyDescriptor }} = Object, {{ apply }} = Reflect;
  let owner;
  try {{ owner = {owner}; }} catch (missing) {{ return; }}
  const found = owner && getOwnPropertyDescriptor(owner, key);
  if (!found || !found.configurable) return;
  const ofLanguage = new Set();
  const note = (descriptor) => {{
    if (descriptor && typeof descriptor.value === 'function') ofLanguage.add(descriptor.value);
    return descriptor && descriptor.value;
  }};
  for (const name of Object.getOwnPropertyNames(all)) {{
    const value = note(getOwnPropertyDescriptor(all, name));
    for (const part of [value, value === undefined || value === null ? undefined : value.prototype]) {{
      if (part === undefined || part === null || part === all) continue;
      for (const member of Reflect.ownKeys(Object(part))) note(getOwnPropertyDescriptor(part, member));
    }}
  }}
  const textOf = Function.prototype.call.bind(Function.prototype.toString), original = found.get === undefined ? found.value : found.get;
  const tampered = function () {{ {body} }};
  if (found.get !== undefined) found.get = tampered;
  else found.value = tampered;
  defineProperty(owner, key, found);
}})();
"""
KINDS = {
    "throws": "throw new Error('tampered');",
    "lies": "return undefined;",
    # Says so where it gets a function of the host: one without JavaScript, which is not the language's.
    "notes": """for (const one of [this, ...arguments]) {
      if (typeof one !== 'function' || ofLanguage.has(one)) continue;
      const text = /^function \\w+\\(\\) \\{\\s*\\[native code/.exec(textOf(one));
      if (text !== null) process.stdout.write('GOT ' + text[0]);
    }
    return new.target ? Reflect.construct(original, arguments, new.target) : apply(original, this, arguments);""",
}
# What says of the machine, or of the engine's memory, more than a program may know. (Frames of the library have no path.)
LEAKS = re.compile(r"/(?:root|home|tmp|proc|etc)/(?!.*\.js)|0x[0-9a-f]{6,}")


def text_of(case, kind, when):
    owner, key = case
    change = CHANGE.format(owner=OWNERS[owner], key=key if key.startswith("Symbol.") else json.dumps(key), body=KINDS[kind])
    text = BROAD.read_text(encoding="utf-8")
    return change + text if when == "before" else text.replace("/* LATER */", f"setTimeout(() => {change.strip()[:-1]}, 0);").replace(
        "setImmediate(parts);", "setTimeout(parts, 5);")


def name_of(case, kind, when):
    return f"{case[0]} {case[1]} {kind} {when}"


def of_node(node, text):
    with tempfile.TemporaryDirectory(prefix="loopsim-tampering-") as folder:
        Path(folder, "it.js").write_text(text, encoding="utf-8")
        try:
            run = subprocess.run([node, "it.js"], cwd=folder, capture_output=True, text=True, timeout=20, check=False, errors="replace")
        except subprocess.TimeoutExpired:
            return "never ends", ""
    return f"{run.stdout.replace(folder, '/usr/src/app')}exit {run.returncode}", run.stderr


def of_loopsim(program, text, major):
    """What it prints, as far as it runs; its messages; what is wrong with its end."""
    with tempfile.TemporaryDirectory(prefix="loopsim-tampering-") as folder:
        Path(folder, "it.js").write_text(text, encoding="utf-8")
        words = [program, "run", "it.js", "-q", "-f", "jsonl", "-r", f"node-{major}", "--no-races", "--max-steps", "3000000"]
        try:
            run = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60, check=False, errors="replace")
        except subprocess.TimeoutExpired:
            return "", "", "it does not end"
        if run.returncode not in (0, 1, 2, 3):
            return run.stdout[-300:], run.stderr, f"status {run.returncode}"
        events = [json.loads(line) for line in run.stdout.split("\n") if line]
        out = "".join(f"{event['text']}\n" for event in events if event.get("ev") == "log")
        err = "".join(f"{event['text']}\n" for event in events if event.get("ev") == "error_log")
        code = events[-1]["code"] if events and events[-1].get("ev") == "exit" else "?"
        leak = LEAKS.search((out + err + run.stderr).replace(folder, ""))
        return f"{out}exit {code}", err, f"it prints {leak[0]}" if leak else ""


def all_cases(node):
    run = subprocess.run([node, "-e", LIST % json.dumps(OWNERS)], capture_output=True, text=True, check=True)
    return [tuple(case) for case in json.loads(run.stdout)]


def variants(cases):
    return [(case, kind, when) for case in cases for kind in KINDS for when in ("before", "later")]


def in_order(tried):
    """In an order that has a little of everything at its begin: what is asked first where not all can be."""
    return sorted(tried, key=lambda one: zlib.crc32(name_of(*one).encode()))


def bless(majors, jobs, limit):
    """Goes on where it ended, so that it can be ended."""
    known = json.loads(BORNE.read_text(encoding="utf-8")) if BORNE.exists() else {"cases": [], "output": {}, "borne": {}}
    for major, node in majors:
        if not known["cases"]:
            known["cases"] = sorted(" ".join(case) for case in all_cases(node))
        tried = in_order(variants([tuple(case.rsplit(" ", 1)) for case in known["cases"]]))
        usual = known["output"].setdefault(major, of_node(node, BROAD.read_text(encoding="utf-8"))[0])
        marks = list(known["borne"].get(major, "").ljust(len(tried), "?"))
        open_cases = [i for i, mark in enumerate(marks) if mark == "?"][:limit]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            results = pool.map(lambda i: (i, of_node(node, text_of(*tried[i]))[0]), open_cases)
            for done, (i, result) in enumerate(results, 1):
                marks[i] = "+" if result == usual else "-"
                if done % 25 == 0 or done == len(open_cases):
                    known["borne"][major] = "".join(marks)
                    BORNE.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"Node {major}: {len(tried)} cases, {marks.count('+')} borne, {marks.count('-')} not, {marks.count('?')} not asked")
    return 0


def first_difference(got, wanted):
    got, wanted = got.split("\n"), wanted.split("\n")
    at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
    return f"prints\n    {(got + [''])[at][:150]}\n  where real Node.js prints\n    {(wanted + [''])[at][:150]}"


def compare(program, majors, everything, options):
    known = json.loads(BORNE.read_text(encoding="utf-8"))
    tried = in_order(variants([tuple(case.rsplit(" ", 1)) for case in known["cases"]]))
    day = datetime.date.today().timetuple().tm_yday  # tidy: allow wall-clock: the sample of the day
    work = []
    for major in majors:
        marks = known["borne"].get(str(major), "?" * len(tried))
        asked = [i for i in range(len(tried)) if not options.known or marks[i] != "?"]
        if not everything:  # of those that Node was asked for, twice as many
            asked.sort(key=lambda i: zlib.crc32(f"{day} {major} {i}".encode()))
            asked = [i for i in asked if marks[i] == "?"][:SAMPLE] + [i for i in asked if marks[i] != "?"][:2 * SAMPLE]
        work += [(major, i) for i in asked]
    same = failed = borne = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: of_loopsim(program, text_of(*tried[item[1]]), item[0]), work)
        for (major, i), (out, err, wrong) in zip(work, results):
            must = known["borne"].get(str(major), "?" * len(tried))[i] == "+"
            borne += must
            if must and out == known["output"][str(major)]:
                same += 1
            elif must and not wrong:
                wrong = first_difference(out, known["output"][str(major)]) + (f"\n  {err[-900:]}" if options.verbose else "")
            if wrong:
                failed += 1
                print(f"Node {major}, {name_of(*tried[i])}: {wrong}", flush=True)
    print(f"{len(work)} runs: {same} of {borne} that real Node.js bears are as there, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--bless", nargs="+", metavar="MAJOR=NODE")
    parser.add_argument("--limit", type=int, default=10**6, help="with --bless: as many cases more")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--known", action="store_true", help="only those that real Node.js was asked for")
    parser.add_argument("--verbose", action="store_true", help="with the messages of what differs")
    parser.add_argument("--versions", nargs="+", type=int, default=MAJORS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.bless:
        return bless([one.split("=", 1) for one in options.bless], options.jobs, options.limit)
    program = options.program.resolve()
    run = subprocess.run([program, "run", FOLDER / "print/path.js"], capture_output=True, text=True, timeout=60, check=False)
    if run.returncode != 0 and "runs no JavaScript" in run.stderr:
        print(f"skipped: {run.stderr.strip()}")
        return SKIPPED
    return compare(program, options.versions, options.all or os.environ.get("LOOPSIM_THOROUGH") == "1", options)


sys.exit(main())

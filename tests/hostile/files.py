#!/usr/bin/env python3
"""Tests that a program, a scenario or a folder that means no good gets no file outside of its root: by functions of the library that it
replaces, NUL bytes, links, pipes, /proc. With the sandbox and without: each of the two must be enough.

usage: tests/hostile/files.py --program PROGRAM [NAME...]     exit status 77: it runs no JavaScript
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

SECRET = "a secret of the machine"
SECONDS = 60

# What they share: the path that the host is given is this one, whatever was asked for.
LIE = r"""
const { join } = Array.prototype, { set } = Map.prototype, { slice, split } = String.prototype;
const { apply } = Reflect, kUp = '../'.repeat(40), kFolder = %r;
const hidden = kFolder.slice(1) + '/outside/secret.js';
// Above the folder by as many as it has, and down again; the host of old saw the text behind the NUL, and opened what is before it.
const cut = (path) => kUp + path + '\0/' + '../'.repeat(path.split('/').length) + 'node_modules/x';
"""
# By name: the program. It may print what it likes but the secret.
PROGRAMS = {
    "join": LIE + r"""
let wanted, text;
Array.prototype.join = function (by) { return wanted === undefined ? apply(join, this, [by]) : 'usr/src/app/' + cut(wanted); };
Map.prototype.set = function (key, value) {
  if (wanted !== undefined && typeof value === 'string') text ??= value;
  return apply(set, this, [key, value]);
};
for (const path of [hidden, 'proc/self/environ', 'etc/passwd', 'proc/self/cmdline']) {
  wanted = path; text = undefined;
  try { require('./x' + Math.random()); } catch {}
  wanted = undefined;
  console.log(path, text);
}
""",
    "slice": LIE + r"""
for (const path of [kUp + hidden, cut(hidden), '../outside/secret.js', '/' + hidden, '../../../' + hidden, 'x/../../outside/secret.js',
                    '../node_modules/../outside/secret.js', 'a.js\0', './/../outside/secret.js', '../outside/secret.js/']) {
  let on = true;
  String.prototype.slice = function (...all) { return on && this.startsWith('/usr/src/app/') ? path : apply(slice, this, all); };
  try { console.log(require('./anything' + Math.random() + '.js')); } catch (error) { console.log(error.message); }
  on = false;
}
""",
    "split": LIE + r"""
const fs = require('fs');
for (const path of [cut(hidden), '../outside/secret.js', '../../outside/secret.js', kUp + hidden, '/' + hidden]) {
  String.prototype.split = function (...all) {
    return String(this).endsWith('wanted') ? ['usr', 'src', 'app', path] : apply(split, this, all);
  };
  const wanted = '/usr/src/app/wanted';
  for (const read of [() => fs.readFileSync(wanted, 'utf8'), () => fs.readdirSync(wanted), () => fs.statSync('wanted')]) {
    try { console.log(read()); } catch (error) { console.log(error.code); }
  }
}
""",
    "includes": LIE + r"""
const fs = require('fs');
Array.prototype.includes = () => true;
for (const path of ['..', '../outside', '../outside/secret.js', cut(hidden), 'link/secret.js']) {
  try { console.log(fs.readdirSync(path)); } catch (error) { console.log(error.code); }
  try { console.log(fs.readFileSync(path, 'utf8')); } catch (error) { console.log(error.code); }
}
""",
    "link": "try { console.log(require('./link.js')); } catch (error) { console.log(error.message); }",
    "link-to-folder": "try { console.log(require('./link/secret.js')); } catch (error) { console.log(error.message); }",
    "link-of-fs": "try { console.log(require('fs').readFileSync('link.js', 'utf8')); } catch (error) { console.log(error.code); }",
    "link-of-folder": "try { console.log(require('fs').readdirSync('link')); } catch (error) { console.log(error.code); }",
    "link-of-package": "try { console.log(require('leaves/secret.js')); } catch (error) { console.log(error.message); }",
    "link-above": "try { console.log(require('pack')); } catch (error) { console.log(error.message); }",
    "link-of-package.json": "try { console.log(require('./describes')); } catch (error) { console.log(error.message); }",
    "link-to-proc": r"""
for (const name of ['environ', 'cmdline', 'self/environ']) {
  try { console.log(require('fs').readFileSync(name, 'utf8')); } catch (error) { console.log(error.code); }
}
""",
    "pipe": r"""
for (const read of [() => require('./pipe.js'), () => require('fs').readFileSync('pipe.js')]) {
  try { console.log(read()); } catch (error) { console.log(error.code); }
}
""",
    "up": "try { console.log(require('../outside/secret.js')); } catch (error) { console.log(error.message); }",
    "absolute": LIE + "try { console.log(require('/' + hidden)); } catch (error) { console.log(error.message); }",
}
MODULES = {
    "import-link": "import('./link.js').then(console.log, (error) => console.log(error.message));",
    "import-up": "import('../outside/secret.js').then(console.log, (error) => console.log(error.message));",
}
# By name: the script that a scenario names.
SCRIPTS = {
    "script-up": "../outside/secret.js",
    "script-absolute": "FOLDER/outside/secret.js",
    "script-link": "link.js",
    "script-proc": "/proc/self/environ",
    "script-link-to-proc": "environ",
    "script-pipe": "pipe.js",
    "script-device": "/dev/zero",
    "script-nul": "a.js\0b",
    "script-system": "/etc/passwd",
}


def make(folder):
    """The program's folder is FOLDER/inside."""
    inside, outside = os.path.join(folder, "inside"), os.path.join(folder, "outside")
    for path in (inside, outside, f"{inside}/node_modules", f"{inside}/describes"):
        os.mkdir(path)
    with open(f"{outside}/secret.js", "w", encoding="utf-8") as file:
        file.write(f"module.exports = '{SECRET}';\n")
    with open(f"{outside}/package.json", "w", encoding="utf-8") as file:
        file.write(json.dumps({"main": SECRET}))
    os.symlink("../outside/secret.js", f"{inside}/link.js")
    os.symlink(outside, f"{inside}/link")
    os.symlink("../../outside", f"{inside}/node_modules/leaves")
    os.symlink("outside", f"{folder}/node_modules")
    os.mkdir(f"{outside}/pack")
    os.symlink("../secret.js", f"{outside}/pack/index.js")
    with open(f"{outside}/{SECRET}", "w", encoding="utf-8"):
        pass
    os.symlink("../../outside/package.json", f"{inside}/describes/package.json")
    os.symlink("/proc/self/environ", f"{inside}/environ")
    os.symlink("/proc/self/cmdline", f"{inside}/cmdline")
    os.symlink("/proc/self", f"{inside}/self")
    os.mkfifo(f"{inside}/pipe.js")
    return inside


def check(program, words, folder):
    """What is wrong, or None."""
    environment = {**os.environ, "LOOPSIM_SECRET": SECRET, "HOME": folder}
    try:
        done = subprocess.run([program, *words], cwd=os.path.join(folder, "inside"), env=environment, capture_output=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return f"did not end in {SECONDS} s"
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if SECRET in said or "root:x:0" in said:
        return "printed what is outside: " + said[:300]
    if done.returncode not in (0, 2, 3):
        return f"exit status {done.returncode}: {said[:300]}"
    if words[1].endswith(".json") and done.returncode != 2:
        return f"read a script that it should not: exit status {done.returncode}: {said[:300]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    knows = subprocess.run([program, "run", "--help"], capture_output=True, text=True, check=False).stdout
    ways = [[], ["--no-sandbox"]] if "--no-sandbox" in knows else [[]]
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        inside = make(folder)
        probe = os.path.join(inside, "probe.js")
        with open(probe, "w", encoding="utf-8") as file:
            file.write("console.log(1)")
        if "no JavaScript" in subprocess.run([program, "run", probe], capture_output=True, text=True, check=False).stderr:
            print("skipped: this build runs no JavaScript")
            return 77
        for name in arguments.names or [*PROGRAMS, *MODULES, *SCRIPTS]:
            file_name = f"app-{name}." + ("js" if name in PROGRAMS else "mjs" if name in MODULES else "json")
            with open(os.path.join(inside, file_name), "w", encoding="utf-8") as file:
                if name in SCRIPTS:
                    json.dump({"script": SCRIPTS[name].replace("FOLDER", folder)}, file)
                else:
                    file.write((PROGRAMS | MODULES)[name].replace("%r", json.dumps(folder)))
            for way in ways:
                for version in ("node-24", "node-12"):
                    count += 1
                    words = ["run", file_name, "-f", "console", "-q", "--max-steps", "1000000", "-r", version, *way]
                    if (wrong := check(program, words, folder)) is not None:
                        failed += 1
                        print(f"FAILED  {' '.join(words)}: {wrong}", flush=True)
    print(f"{count} attempts, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

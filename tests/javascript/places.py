#!/usr/bin/env python3
"""Where a trace says that a callback was handed over: line and column of the last word of the callee, as V8's stacks have it; on the first
line, behind a shebang, in modules and in scripts.

    places.py --program build/loopsim       exit status 77: this build runs no JavaScript
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = ""

# In each, `HERE` stands before the callees, in the order of the calls, and is taken out.
SOURCES = {
    "first.js": "HEREsetTimeout(() => 1, 0);\n",
    "blanks.js": "  HEREsetTimeout(() => 1, 0);  HEREsetImmediate(() => 1);\n",
    "behind.js": "const x = [1, (2)]; Promise.resolve(x).HEREthen(() => 1); process.HEREnextTick(() => 1);\n",
    "second.js": "'use strict';\n   HEREsetTimeout(() => 1, 0);\n",
    "shebang.js": "#!/usr/bin/env node\nHEREsetTimeout(() => 1, 0);\n",
    "module.mjs": "HEREsetTimeout(() => 1, 0);  HEREsetTimeout(() => 1, 1);\n HEREsetImmediate(() => 1);\n",
    "meta.mjs": "console.log(typeof import.meta.url); HEREsetTimeout(() => 1, 0);\nHEREsetImmediate(() => 1);\n",
}
APIS = ("setTimeout", "setImmediate", "nextTick", "then")


def marked(text: str) -> tuple[str, list[list[int]]]:
    """The text without its marks, and where these were: line and column, from 1."""
    places = []
    while (at := text.find("HERE")) >= 0:
        places.append([text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1])
        text = text[:at] + text[at + 4:]
    return text, places


class Places(unittest.TestCase):
    def test_callees(self) -> None:
        for name, source in SOURCES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                text, expected = marked(source)
                file = Path(folder, name)
                file.write_text(text, encoding="utf-8")
                result = subprocess.run([PROGRAM, "run", str(file), "--format", "jsonl"], capture_output=True, text=True, check=True)
                events = [json.loads(line) for line in result.stdout.splitlines()]
                found = [[event["line"], event["column"]] for event in events if event.get("ev") == "schedule" and event["api"] in APIS]
                self.assertEqual(found, expected, result.stdout)


def main() -> int:
    global PROGRAM
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    options, rest = parser.parse_known_args()
    PROGRAM = options.program
    with tempfile.NamedTemporaryFile(suffix=".js") as probe:
        if "runs no JavaScript" in subprocess.run([PROGRAM, "run", probe.name], capture_output=True, text=True, check=False).stderr:
            print("this build runs no JavaScript")
            return 77
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())

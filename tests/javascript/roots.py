#!/usr/bin/env python3
"""Tests what a program sees of the project that it stands in: its root, --root, node_modules above, and what is said of the rest.

usage: tests/javascript/roots.py --program PROGRAM
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
FILES = {
    "project/package.json": "{}",
    "project/src/x.js": "exports.name = 'x'; exports.file = __filename;",
    "project/src/fails.js": "throw new Error('of x');",
    "project/src/y.mjs": "export default import.meta.url;",
    "project/data.txt": "data",
    "project/test/a.js": """
const { name, file } = require('../src/x.js');
console.log(name, file, __filename, process.argv[1], process.cwd(), require.main.filename);
console.log(require('fs').readFileSync('data.txt', 'utf8'), require('fs').readdirSync('.').join());
console.log(require('fs').readFileSync(__filename, 'utf8').length > 100);
""",
    "project/test/m.mjs": "import url from '../src/y.mjs'; console.log(url, import.meta.url);",
    "project/test/fails.js": "require('../src/fails.js');",
    "project/test/above.js": "console.log(require('near'), require('far'));",
    "project/test/out.js": """
for (const name of ['../../other/z.js', '../..', '/other/z', 'leaves', './link', './missing', 'missing']) {
  try { require(name); } catch (error) { console.log(error.code, error.message.split('\\n')[0]); }
}
import('../../other/z.js').catch((error) => console.log(error.code, error.message));
""",
    "project/test/script.json": json.dumps({"script": "../src/x.js"}),
    "project/test/outside.json": json.dumps({"script": "../../other/z.js"}),
    "node_modules/near/index.js": "module.exports = 'near';",
    "other/z.js": "console.log('z');",
}


class Roots(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.top = os.path.realpath(self.place.name)
        for name, text in FILES.items():
            path = os.path.join(self.top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        os.symlink("../../other/z.js", os.path.join(self.top, "project/test/link.js"))
        os.makedirs(os.path.join(self.top, "project/node_modules"))
        os.symlink("../../other", os.path.join(self.top, "project/node_modules/leaves"))

    def tearDown(self):
        self.place.cleanup()

    def run_in(self, folder, *words, status=0):
        done = subprocess.run([PROGRAM, "run", *words, "-f", "console", "-q"], cwd=os.path.join(self.top, folder), capture_output=True,
                              text=True, timeout=120, check=False)
        said = (done.stdout + done.stderr).replace(self.top, "TOP")
        self.assertEqual(done.returncode, status, said)
        return said

    def test_project(self):
        app = "/usr/src/app"
        expected = (f"x {app}/src/x.js {app}/test/a.js {app}/test/a.js {app} {app}/test/a.js\n"
                    "data data.txt,node_modules,package.json,src,test\ntrue\n")
        for folder, words in (("project", ["test/a.js"]), ("project/test", ["a.js"]), ("", ["project/test/a.js"]),
                              ("other", [f"{self.top}/project/test/a.js"]), ("project", ["test/a.js", "--sandbox"])):
            if words[-1] == "--sandbox" and "cannot be had" in subprocess.run(
                    [PROGRAM, "run", *words], cwd=os.path.join(self.top, folder), capture_output=True, text=True, check=False).stderr:
                continue
            self.assertEqual(self.run_in(folder, *words), expected)
        self.assertEqual(self.run_in("project", "test/m.mjs"), f"file://{app}/src/y.mjs file://{app}/test/m.mjs\n")

    def test_places_of_modules(self):
        said = self.run_in("project", "test/fails.js")
        self.assertIn("src/fails.js:1", said)
        os.rename(f"{self.top}/project/src/fails.js", f"{self.top}/project/fails.js")
        with open(f"{self.top}/project/test/fails.js", "w", encoding="utf-8") as file:
            file.write("\n\nrequire('../fails.js');")
        self.assertIn("at Object.<anonymous> (/usr/src/app/fails.js:1:7)", self.run_in("project/test", "fails.js"))

    def test_packages_above(self):
        self.assertIn("Cannot find module 'far'", self.run_in("project", "test/above.js"))
        os.makedirs(f"{self.top}/node_modules/far")
        with open(f"{self.top}/node_modules/far/index.js", "w", encoding="utf-8") as file:
            file.write("module.exports = 'far';")
        self.assertEqual(self.run_in("project", "test/above.js"), "near far\n")

    def test_outside(self):
        way_out = "is outside the program's root (--root DIR gives another)"
        expected = [f"MODULE_NOT_FOUND /usr/src/other/z.js {way_out}", f"MODULE_NOT_FOUND /usr/src {way_out}",
                    f"MODULE_NOT_FOUND /other/z {way_out}", f"MODULE_NOT_FOUND /usr/src/app/node_modules/leaves {way_out}",
                    f"MODULE_NOT_FOUND /usr/src/app/test/link {way_out}", "MODULE_NOT_FOUND Cannot find module './missing'",
                    "MODULE_NOT_FOUND Cannot find module 'missing'",
                    f"ERR_MODULE_NOT_FOUND /usr/src/other/z.js {way_out}, imported from /usr/src/app/test/out.js"]
        self.assertEqual(self.run_in("project", "test/out.js").splitlines(), expected)

    def test_root_option(self):
        said = self.run_in("project", "test/out.js", "--root", "..").splitlines()
        self.assertEqual(said[0], "z")
        self.assertIn("MODULE_NOT_FOUND /usr/src/app/src/x.js is outside", self.run_in("project", "test/a.js", "--root", "test").replace(
            "/usr/src/src", "/usr/src/app/src").replace("Error: ", "MODULE_NOT_FOUND "))
        self.assertEqual(self.run_in("project", "test/a.js", "--root", "src", status=2),
                         "loopsim: test/a.js is outside src, which --root names\n")
        self.assertEqual(self.run_in("project", "test/a.js", "--root", "nowhere", status=2),
                         'loopsim: option --root takes a folder, and "nowhere" is none\nTry "loopsim run --help".\n')

    def test_scripts_of_scenarios(self):
        self.assertEqual(self.run_in("project", "test/script.json"), "")
        said = self.run_in("project", "test/outside.json", status=2).splitlines()
        self.assertEqual(said[0], "loopsim: could not read test/../../other/z.js: it is outside the root of the scenario's programs, "
                                  "TOP/project (--root DIR gives another)")
        self.assertEqual(self.run_in("project", "test/outside.json", "--root", ".."), "z\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    known, rest = parser.parse_known_args()
    PROGRAM = os.path.abspath(known.program)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)

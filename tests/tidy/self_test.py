#!/usr/bin/env python3
"""Tests tools/tidy: plants breaches, and things that only look like breaches, in a tree of their own."""

import contextlib
import importlib.machinery
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
PATH = str(Path(__file__).resolve().parents[2] / "tools" / "tidy")
LOADER = importlib.machinery.SourceFileLoader("tidy", PATH)  # it has no .py in its name
TIDY = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", LOADER))
LOADER.exec_module(TIDY)


def tidy(files):
    """The findings for these files, as `file:line: rule`."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            status = TIDY.main(["--root", root])
        found = [":".join(line.split(":")[:3]) for line in printed.getvalue().splitlines()]
        assert status == (1 if found else 0), printed.getvalue()
        return found


def rules(name, line):
    """The rules that one line breaks in the file of that name."""
    guard = "#pragma once\n" if name.endswith(".hpp") else "\n"
    return [finding.split(": ")[1] for finding in tidy({name: guard + line + "\n"})]


class Layering(unittest.TestCase):
    def test_arrows(self):
        for name, header, expected in [
            ("sim/program/a.cpp", "sim/program/b.hpp", []),
            ("sim/program/a.cpp", "loopsim/time.hpp", []),
            ("sim/program/a.cpp", "sim/scenario/b.hpp", ["layering"]),
            ("sim/machine/a.cpp", "sim/program/b.hpp", ["layering"]),
            ("sim/uv/a.cpp", "sim/machine/b.hpp", []),
            ("sim/uv/a.cpp", "sim/node/b.hpp", ["layering"]),
            ("sim/node/a.cpp", "sim/uv/b.hpp", []),
            ("sim/node/a.cpp", "sim/trace/b.hpp", ["layering"]),
            ("sim/trace/a.cpp", "sim/node/b.hpp", ["layering"]),
            ("sim/scenario/a.cpp", "sim/program/b.hpp", []),
            ("sim/scenario/a.cpp", "sim/node/b.hpp", ["layering"]),
            ("sim/study/a.cpp", "sim/node/b.hpp", []),
            ("sim/newcomer/a.cpp", "sim/node/b.hpp", ["layering"]),
            ("sim/node/a.cpp", "timers.hpp", ["layering"]),
            ("sim/node/a.cpp", "tools/loopsim/main.hpp", ["layering", "layering"]),
            ("include/loopsim/a.hpp", "loopsim/time.hpp", []),
            ("include/loopsim/a.hpp", "sim/node/b.hpp", ["layering"]),
            ("tools/loopsim/a.cpp", "sim/node/b.hpp", []),
            ("tests/unit/a.cpp", "sim/node/b.hpp", []),
        ]:
            with self.subTest(name=name, header=header):
                self.assertEqual(rules(name, f'#include "{header}"')[:1], expected[:1])

    def test_libraries(self):
        for name, header, expected in [
            ("sim/scenario/a.cpp", "nlohmann/json.hpp", []),
            ("sim/node/a.cpp", "nlohmann/json.hpp", ["layering"]),
            ("sim/node/a.cpp", "fmt/format.h", []),
            ("include/loopsim/a.hpp", "fmt/format.h", ["layering"]),
            ("include/loopsim/a.hpp", "string_view", []),
            ("sim/scenario/a.cpp", "boost/program_options.hpp", ["layering"]),
            ("tools/loopsim/a.cpp", "boost/program_options.hpp", []),
            ("tools/loopsim/a.cpp", "catch2/catch.hpp", ["layering"]),
            ("sim/node/a.cpp", "thread", ["threads"]),
            ("sim/study/a.cpp", "thread", []),
            ("sim/trace/a.cpp", "fstream", ["input-output"]),
            ("sim/study/a.cpp", "fstream", []),
            ("sim/study/a.cpp", "ctime", ["wall-clock"]),
        ]:
            with self.subTest(name=name, header=header):
                self.assertEqual(rules(name, f"#include <{header}>"), expected)

    def test_an_include_in_a_comment_is_none(self):
        self.assertEqual(tidy({"sim/uv/a.cpp": '// #include "sim/node/b.hpp"\n/*\n#include <ctime>\n*/\n'}), [])


class Engine(unittest.TestCase):
    def test_breaches(self):
        for line, rule in [
            ("auto t = std::chrono::steady_clock::now();", "wall-clock"),
            ("auto t = time(nullptr);", "wall-clock"),
            ("auto t = std::time(&x);", "wall-clock"),
            ("clock_gettime(CLOCK_MONOTONIC, &ts);", "wall-clock"),
            ("int x = rand();", "randomness"),
            ("std::random_device seed;", "randomness"),
            ("std::uniform_int_distribution<int> d(1, 6);", "randomness"),
            ("std::shuffle(a.begin(), a.end(), g);", "randomness"),
            ("double x = std::log(y);", "float-math"),
            ("double x = std::pow(y, 2);", "float-math"),
            ("double now = 0;", "float-time"),
            ("float due_ms;", "float-time"),
            ("std::unordered_map<int, int> m;", "hash-order"),
            ("std::map<Handle*, int> m;", "pointer-order"),
            ("std::set<const uv::Handle*> m;", "pointer-order"),
            ("std::thread t;", "threads"),
        ]:
            with self.subTest(line=line):
                self.assertEqual(rules("sim/node/a.cpp", line), [rule])

    def test_look_alikes(self):
        for line in [
            "TimeNs time() const { return time_; }",
            "if (event.time() < loop->time()) return;",
            "auto t = machine.clock();",
            "machine_.sleep_until(due);",
            "// rand() and std::log(x) and steady_clock in a comment",
            'auto text = "time(0) rand() std::thread";',
            'auto text = R"x(std::random_device " quoted)x";',
            "std::int64_t n = 1'000'000; char c = '\"'; // std::log(x)",
            "double x = std::sqrt(y);",
            "double delay = 1.9;",
            "void log(std::string_view line);",
            "std::map<int, Handle*> m;",
            "std::chrono::milliseconds five{5};",
            "std::unordered_map<int, int> m;  // lookup only, never iterated",
            "// lookup only, never iterated\nstd::unordered_map<int, int> m;",
            "double x = std::log(y);  // tidy: allow float-math: printed with two digits, decides nothing",
            "// tidy: allow float-math: printed with two digits, decides nothing\ndouble x = std::log(y);",
        ]:
            with self.subTest(line=line):
                self.assertEqual(rules("sim/node/a.cpp", line), [])

    def test_bare_mathematics_counts_with_cmath(self):
        self.assertEqual(rules("sim/machine/a.cpp", "#include <cmath>\ndouble x = exp(y);"), ["float-math"])

    def test_other_folders_are_free(self):
        for name in ("tools/loopsim/a.cpp", "tests/unit/a.cpp"):
            self.assertEqual(rules(name, "auto t = std::chrono::steady_clock::now();"), [])

    def test_statistics_are_no_time(self):
        self.assertEqual(rules("sim/study/a.cpp", "double mean_ms = 0;"), [])

    def test_an_allowance_needs_a_rule_and_a_reason(self):
        self.assertEqual(rules("sim/node/a.cpp", "double x = std::log(y);  // tidy: allow float-math"), ["allowance", "float-math"])
        self.assertEqual(rules("sim/node/a.cpp", "int x;  // tidy: allow everything: because"), ["allowance"])


class Text(unittest.TestCase):
    def test_text(self):
        for text, expected in [
            ("int a;\n", []),
            ("\tint a;\n", ["sim/uv/a.cpp:1: text"]),
            ("int a; \n", ["sim/uv/a.cpp:1: text"]),
            ("int a;\r\n", ["sim/uv/a.cpp:1: text"]),
            ("\nint a;", ["sim/uv/a.cpp:2: text"]),
            ("//" + "x" * 138 + "\n", []),
            ("//" + "x" * 139 + "\n", ["sim/uv/a.cpp:1: text"]),
        ]:
            with self.subTest(text=text):
                self.assertEqual(tidy({"sim/uv/a.cpp": text}), expected)

    def test_header_guard(self):
        self.assertEqual(tidy({"sim/uv/a.hpp": "int a;\n"}), ["sim/uv/a.hpp:1: header-guard"])

    def test_one_name(self):
        one = "#pragma once\nnamespace loopsim {\nstruct Stall {\n};\n}  // namespace loopsim\n"
        other = "namespace loopsim {\nclass Stall : public One {\n};\n}  // namespace loopsim\n"
        self.assertEqual(tidy({"include/loopsim/a.hpp": one, "sim/node/a.cpp": other}), ["sim/node/a.cpp:2: one-name"])
        for harmless in (
            other.replace("namespace loopsim {", "namespace loopsim::node {"),
            other.replace("class", "namespace {\nclass").replace("};", "};\n}  // namespace"),
            "namespace loopsim {\nclass Stall;\n}  // namespace loopsim\n",
            "namespace loopsim {\n// class Stall {\n}  // namespace loopsim\n",
            "namespace loopsim {\nclass Own {\n  struct Stall {\n  };\n};\n}  // namespace loopsim\n",
        ):
            self.assertEqual(tidy({"include/loopsim/a.hpp": one, "sim/node/a.cpp": harmless}), [])

    def test_machine_paths(self):
        self.assertEqual(tidy({"docs/a.md": "see\n/home/somebody/loopsim/build\n"}), ["docs/a.md:2: machine-path"])
        self.assertEqual(tidy({"docs/a.md": "https://example.org/home/page/ and ~/root/ and $HOME/x\n"}), [])

    def test_build_trees_are_not_read(self):
        self.assertEqual(tidy({"tests/build-x/a.cpp": "int a; \n", "sim/.cache/a.cpp": "\t\n"}), [])


if __name__ == "__main__":
    unittest.main()

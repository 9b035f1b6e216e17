#!/usr/bin/env python3
"""Tests tools/tidy on trees with violations, and with code that only resembles violations."""

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
    """Returns the findings for these files, as `file:line: rule`."""
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
    """Returns the rules that a line violates in the file of that name."""
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
            ("sim/node/a.cpp", "tools/loopsim/io/output_file.hpp", ["layering", "layering"]),
            ("include/loopsim/a.hpp", "loopsim/time.hpp", []),
            ("include/loopsim/a.hpp", "sim/node/b.hpp", ["layering"]),
            ("tools/loopsim/main.cpp", "tools/loopsim/line/b.hpp", []),
            ("tools/loopsim/main.cpp", "tools/loopsim/sweep/b.hpp", ["layering"]),
            ("tools/loopsim/sweep/a.cpp", "loopsim/study.hpp", []),
            ("tools/loopsim/sweep/a.cpp", "sim/study/b.hpp", ["layering"]),
            ("tools/loopsim/sweep/a.cpp", "../../sim/study/b.hpp", ["layering"]),
            ("tools/loopsim/sweep/a.cpp", "tools/loopsim/sweep/b.hpp", []),
            ("tools/loopsim/sweep/a.cpp", "tools/loopsim/io/b.hpp", []),
            ("tools/loopsim/sweep/a.cpp", "tools/loopsim/orders/b.hpp", ["layering"]),
            ("tools/loopsim/io/a.cpp", "tools/loopsim/sweep/b.hpp", ["layering"]),
            ("tools/loopsim/line/a.cpp", "tools/loopsim/io/b.hpp", ["layering"]),
            ("tools/loopsim/commands/a.cpp", "tools/loopsim/diff/unified_diff.hpp", []),
            ("tools/loopsim/commands/a.cpp", "tools/loopsim/diff/rows.hpp", ["layering"]),
            ("tools/loopsim/commands/a.cpp", "tools/page/page_asset.hpp", []),
            ("tools/loopsim/newcomer/a.cpp", "tools/loopsim/line/b.hpp", ["layering"]),
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
            ("sim/trace/a.cpp", "cassert", ["assertion"]),
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


def body(lines):
    """Returns a block of so many lines, including those of the braces."""
    return "{\n" + "  f();\n" * (lines - 2) + "}\n"


class Length(unittest.TestCase):
    LIST = "tools/long-functions.txt"

    def found(self, text):
        return [(name, line, length) for name, line, length in TIDY.functions(text)]

    def test_what_is_a_function(self):
        for text, expected in [
            ("int a() {\n  return 1;\n}\n", [("a", 1, 3)]),
            ("int a() { return 1; }\n", [("a", 1, 1)]),
            ("int a(int b,\n      int c) {\n}\n", [("a", 2, 2)]),
            ("namespace one::two {\nvoid a() {\n}\n}  // namespace\n", [("a", 2, 2)]),
            ("void One::Two::a() const noexcept {\n  if (b) {\n  }\n}\n", [("One::Two::a", 1, 4)]),
            ("class A final : public B<int> {\n public:\n  A() : a_{1}, b_(2) {\n  }\n  void b() override {\n  }\n};\n",
             [("A", 3, 2), ("b", 5, 2)]),
            ("struct A {\n  int a = 1;\n  std::array<int, 2> b{1, 2};\n  bool operator==(const A&) const = default;\n};\n", []),
            ("A::~A() {\n}\nbool A::operator==(const A& a) const {\n}\nvoid A::operator()(int a) {\n}\n",
             [("A::~A", 1, 2), ("A::operator==", 3, 2), ("A::operator()", 5, 2)]),
            ("template <class T, class = std::enable_if_t<B<T>>>\nstd::vector<T> a(const T& b = {}) {\n}\n", [("a", 2, 2)]),
            ("auto a() -> std::vector<int> {\n}\n", [("a", 1, 2)]),
            ("constexpr std::array kA = {\n    B{1, f(2)},\n    B{2, f(3)},\n};\nint a() {\n}\n", [("a", 5, 2)]),
            ("constexpr auto kA = [] {\n  return 1;\n}();\nint a() {\n}\n", [("kA", 1, 3), ("a", 4, 2)]),
            ("static_assert(all(kA, [](int a) { return a > 0; }));\nint a() {\n}\n", [("a", 2, 2)]),
            ("#define A(x) \\\n  {\nint a() {\n  // }\n  b('{', \"{\");\n}\n", [("a", 3, 4)]),
            ('TEST_CASE("one thing", "[tag]") {\n  const auto a = [] {\n  };\n}\n', [('"one thing"', 1, 4)]),
            ("enum class A : char { b, c };\nextern \"C\" {\nint a() {\n}\n}\n", [("a", 3, 2)]),
        ]:
            with self.subTest(text=text):
                self.assertEqual(self.found(text), expected)

    def test_a_long_function_is_found(self):
        for lines, expected in [(80, []), (81, ["sim/uv/a.cpp:2: long-function"])]:
            self.assertEqual(tidy({"sim/uv/a.cpp": "\nint a() " + body(lines)}), expected)

    def test_those_of_the_list_may_only_shrink(self):
        for lines, entry, expected in [
            (100, "100 sim/uv/a.cpp a", []),
            (101, "100 sim/uv/a.cpp a", ["sim/uv/a.cpp:1: long-function"]),
            (99, "100 sim/uv/a.cpp a", [f"{self.LIST}:2: long-function"]),  # the entry has to be lowered
            (80, "100 sim/uv/a.cpp a", [f"{self.LIST}:2: long-function"]),  # the entry has to be removed
            (100, "100 sim/uv/b.cpp a", ["sim/uv/a.cpp:1: long-function", f"{self.LIST}:2: long-function"]),
        ]:
            with self.subTest(lines=lines, entry=entry):
                self.assertEqual(tidy({"sim/uv/a.cpp": "int a() " + body(lines), self.LIST: f"# a comment\n{entry}\n"}), expected)

    def test_the_list_is_printed(self):
        with tempfile.TemporaryDirectory() as root, contextlib.redirect_stdout(io.StringIO()) as printed:
            Path(root, "sim").mkdir()
            Path(root, "sim/a.cpp").write_text("void A::a() " + body(90) + "void b() " + body(80))
            self.assertEqual(TIDY.main(["--root", root, "--lengths"]), 0)
        self.assertEqual(printed.getvalue(), "90 sim/a.cpp A::a\n")


class DeadFiles(unittest.TestCase):
    BUILD = {
        "CMakeLists.txt": "add_subdirectory(sim)\n",
        "sim/CMakeLists.txt": "# folders: forgotten\nfile(GLOB found ${folder}/*.cpp ${folder}/*.hpp)\nlibrary(core uv node)\n",
        "tests/CMakeLists.txt": "file(GLOB sources unit/*.cpp)\nadd_executable(t main.cpp ${PROJECT_SOURCE_DIR}/tools/loopsim/io/a.cpp)\n",
    }

    def found(self, files):
        return tidy({**self.BUILD, **files})

    def test_sources(self):
        for name, is_dead in [
            ("sim/uv/a.cpp", False),
            ("sim/forgotten/a.cpp", True),  # named in a comment only
            ("sim/uv/deeper/a.cpp", True),
            ("tests/main.cpp", False),
            ("tests/other.cpp", True),
            ("tests/unit/a.cpp", False),
            ("tests/units/a.cpp", True),
            ("tools/loopsim/io/a.cpp", False),
            ("tools/loopsim/io/b.cpp", True),
        ]:
            with self.subTest(name=name):
                self.assertEqual(self.found({name: "\n"}), [f"{name}:1: dead-file"] if is_dead else [])

    def test_headers(self):
        guard = "#pragma once\n"
        for name, user, include, is_dead in [
            ("sim/uv/a.hpp", "sim/uv/b.cpp", '"sim/uv/a.hpp"', False),
            ("sim/uv/a.hpp", "sim/uv/a.cpp", '"sim/uv/a.hpp"', True),  # only its own source
            ("sim/uv/a.hpp", "sim/uv/b.cpp", '"sim/uv/c.hpp"', True),
            ("include/loopsim/a.hpp", "sim/uv/b.cpp", '"loopsim/a.hpp"', False),
            ("include/loopsim/a.hpp", "tests/main.cpp", "<loopsim/a.hpp>", False),
            ("include/loopsim/a.hpp.in", "sim/uv/b.cpp", '"loopsim/a.hpp"', False),
            ("include/loopsim/a.hpp", "sim/uv/b.cpp", '"loopsim/b.hpp"', True),
            ("tests/unit/a.hpp", "tests/unit/b.cpp", '"a.hpp"', False),
        ]:
            with self.subTest(name=name, user=user, include=include):
                self.assertEqual(self.found({name: guard, user: f"#include {include}\n"}), [f"{name}:1: dead-file"] if is_dead else [])

    def test_a_header_that_only_a_comment_names_is_dead(self):
        files = {"sim/uv/a.hpp": "#pragma once\n", "sim/uv/b.cpp": '// #include "sim/uv/a.hpp"\n'}
        self.assertEqual(self.found(files), ["sim/uv/a.hpp:1: dead-file"])

    def test_an_allowance(self):
        self.assertEqual(self.found({"tests/other.cpp": "// tidy: allow dead-file: compiled by a script\n"}), [])

    def test_what_scripts_build(self):
        self.assertEqual(self.found({"tests/bench/peers/a.cpp": "\n"}), [])


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

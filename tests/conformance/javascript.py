#!/usr/bin/env python3
"""Tests the generator of JavaScript programs (tools/conformance/fidelity/javascript): it draws every construct, the same seed gives the
same program, a version gets only what it has, and shrinking keeps programs whole."""

import json
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
TOOLS = Path(__file__).resolve().parents[2] / "tools" / "conformance"
sys.path.insert(0, str(TOOLS))

from fidelity.compare import MAJORS  # noqa: E402
from fidelity.javascript import compare, programs, shrink  # noqa: E402
from fidelity.javascript.constructs import grammar  # noqa: E402
from fidelity.javascript.generate import choice, generate  # noqa: E402

SIZE = 40


def constructs_of(value):
    """Yields the names of the constructs of a tree."""
    if isinstance(value, dict):
        if "is" in value:
            yield value["is"]
        for item in value.values():
            yield from constructs_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from constructs_of(item)


class Grammar(unittest.TestCase):
    def test_every_construct_is_drawn(self):
        drawn = Counter()
        for seed in range(700):
            drawn.update(constructs_of(generate(seed, 20, 20, SIZE, choice("all"))))
            drawn.update(constructs_of(generate(seed, 26, 26, SIZE, choice("all"))))
        for seed in range(150):
            drawn.update(constructs_of(generate(seed, 4, 4, SIZE, choice("all"))))  # what later versions have otherwise
        self.assertEqual(sorted(grammar().constructs.keys() - drawn.keys()), [])

    def test_only_what_a_version_has(self):
        for major in MAJORS:
            for seed in range(40):
                for name in constructs_of(generate(seed, major, MAJORS[-1], SIZE, choice("all"))):
                    construct = grammar().constructs[name]
                    self.assertLessEqual(construct.since, major, name)
                    self.assertLess(MAJORS[-1], construct.until, name)

    def test_features(self):
        made = Counter()
        for seed in range(60):
            made.update(constructs_of(generate(seed, 24, 24, SIZE, choice("timers,-timeout-wrong"))))
        topics = {grammar().constructs[name].topic for name in made if name.startswith("statement ")}
        self.assertEqual(topics, {"", "timers"})
        self.assertNotIn("statement timeout-wrong", made)
        with self.assertRaisesRegex(ValueError, "no such feature: nothing; there are all, abort, "):
            choice("nothing")

    def test_arguments_end_with_their_function(self):
        then = grammar().constructs["statement then-both"]
        self.assertEqual([sorted(known) for known in then.known], [[], [], ["v"], ["v"], ["v"], [], ["e"], ["e"], ["e"]])


class Programs(unittest.TestCase):
    def test_the_same_seed_gives_the_same_text(self):
        code = (
            "import sys; sys.path.insert(0, sys.argv[1]); from fidelity.javascript import programs as p; "
            "print('\\n'.join(p.write(t) + str(m) for s in range(20) for t, m in p.programs(s, 'all', 40, range(4, 27, 2))))"
        )
        texts = []
        for hash in ("1", "2"):
            words = [sys.executable, "-B", "-c", code, TOOLS]
            texts.append(subprocess.run(words, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": hash}).stdout)
        self.assertEqual(texts[0], texts[1])
        self.assertGreater(len(texts[0]), 20_000)

    def test_every_version_has_a_program(self):
        for seed in range(50):
            majors = [major for _, those in programs.programs(seed, "all", SIZE, MAJORS) for major in those]
            self.assertEqual(majors, list(MAJORS))


class Shrink(unittest.TestCase):
    def test_to_the_construct_that_it_is_about(self):
        wanted = "statement emit"
        found = 0
        for seed in range(80):
            program = generate(seed, 24, 24, SIZE, choice("all"))
            if wanted not in set(constructs_of(program)):
                continue
            found += 1
            small = shrink.shrink(program, lambda made: wanted in set(constructs_of(made)), 2000)
            statements = [name for name in constructs_of(small) if name.startswith("statement")]
            self.assertLessEqual(len(statements), 5, statements)  # it, its emitter, and what its value and the emitter's class need
            self.assertEqual(small, shrink.repaired(json.loads(json.dumps(small))), "a name is used that nothing makes")
        self.assertGreater(found, 5)


class StandardError(unittest.TestCase):
    def heads(self, *lines):
        return [event.text for event in compare.heads("\n".join(lines))]

    def test_real(self):
        warning = ("(node:7) Warning: careful", "(Use `node ...`)")
        error = ("/a/script.js:3", "throw x;", "^", "", "TypeError [ERR_X]: no", "    at f (/a)")
        self.assertEqual(self.heads(*warning, *error), ["stderr: (node) Warning: careful", "stderr: fatal TypeError: no"])

    def test_without_a_stack(self):
        self.assertEqual(self.heads("node:internal:1", "^", "", "[Rejection: no] {", "  code: 1", "}"), ["stderr: fatal Rejection: no"])

    def test_simulated(self):
        self.assertEqual(self.heads("Uncaught (in promise) Error: one"), ["stderr: fatal Error: one"])

    def test_a_quote_of_many_lines(self):
        text = compare.without_long_quotes("(node:7) W: TypeError: function (a) {\n  say(1);\n} is not iterable\n    at f (/a)")
        self.assertEqual(self.heads(*text.split("\n")), ["stderr: (node) W: TypeError: (no function, or not iterable)"])
        other = "TypeError: function (a) {\n    at f (/a)\nError: 5 is not iterable"
        self.assertEqual(compare.without_long_quotes(other), other)

    def test_nothing(self):
        self.assertEqual(self.heads(""), [])


if __name__ == "__main__":
    unittest.main()

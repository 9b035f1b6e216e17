// Syntax that not every version of Node can read. Written by tools/quickjs/syntax.py, from the versions themselves:
// 4, 6, 8, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26.
#pragma once

#include <array>
#include <string_view>

namespace loopsim::quickjs {

struct ConstructRow {
  std::string_view name, words;  // as syntax/constructs.js and as messages call it
  int since;                     // the first version with it
  std::string_view marks;        // one of them is in every text that has it (syntax.cpp); empty: there is no such mark
};

// clang-format off
inline constexpr std::array kConstructs = {
    ConstructRow{"let-in-sloppy", "let outside strict mode", 6, "let"},
    ConstructRow{"class-in-sloppy", "class outside strict mode", 6, "class"},
    ConstructRow{"spread-of-calls", "spread arguments (f(...list))", 6, "..."},
    ConstructRow{"spread-of-arrays", "spread elements ([...list])", 6, "..."},
    ConstructRow{"new-target", "new.target", 6, "target"},
    ConstructRow{"destructuring", "destructuring", 6, ""},
    ConstructRow{"default-parameters", "default parameters", 6, ""},
    ConstructRow{"rest-parameters", "rest parameters", 6, "..."},
    ConstructRow{"sticky-expressions", "flag y of regular expressions", 6, "/~y"},
    ConstructRow{"unicode-expressions", "flag u of regular expressions", 6, "/~u"},
    ConstructRow{"exponentiation", "exponentiation (**)", 8, "**"},
    ConstructRow{"trailing-commas", "comma behind the last parameter or argument", 8, ",_)"},
    ConstructRow{"async-functions", "async functions", 8, "async"},
    ConstructRow{"loose-templates", "invalid escapes in tagged templates", 8, "`"},
    ConstructRow{"object-rest", "rest properties ({ ...rest } = object)", 8, "..."},
    ConstructRow{"object-spread", "spread properties ({ ...object })", 8, "..."},
    ConstructRow{"async-generators", "async generators", 10, "async"},
    ConstructRow{"for-await", "for await", 10, "await"},
    ConstructRow{"optional-catch-binding", "catch without a variable", 10, "catch_{"},
    ConstructRow{"line-separators-in-strings", "U+2028 or U+2029 in strings", 10, "\u2028 \u2029"},
    ConstructRow{"named-groups", "named groups in regular expressions (?<name>)", 10, "(?<"},
    ConstructRow{"lookbehind", "lookbehind in regular expressions (?<=)", 8, "(?<"},
    ConstructRow{"dot-all", "flag s of regular expressions", 8, "/~s"},
    ConstructRow{"unicode-properties", "Unicode properties in regular expressions (\\p{L})", 10, "\\p{ \\P{"},
    ConstructRow{"big-integers", "big integers (1n)", 10, "9n"},
    ConstructRow{"numeric-separators", "separators in numbers (1_000)", 12, "9_"},
    ConstructRow{"class-fields", "class fields", 12, "class"},
    ConstructRow{"private-fields", "private fields (#name)", 12, "#"},
    ConstructRow{"private-methods", "private methods (#name())", 14, "#"},
    ConstructRow{"private-in", "#name in object", 16, "#"},
    ConstructRow{"static-blocks", "static blocks of a class", 16, "static_{"},
    ConstructRow{"optional-chaining", "optional chaining (?.)", 14, "?."},
    ConstructRow{"nullish-coalescing", "nullish coalescing (?\?)", 14, "?\?"},
    ConstructRow{"logical-assignment", "logical assignment (?\?=, ||=, &&=)", 16, "?\?= ||= &&="},
    ConstructRow{"match-indices", "flag d of regular expressions", 16, "/~d"},
    ConstructRow{"unicode-sets", "flag v of regular expressions", 20, "/~v"},
    ConstructRow{"modifiers", "modifiers in regular expressions (?i:)", 24, "(?i (?m (?s (?-"},
    ConstructRow{"duplicate-groups", "second group of the same name in a regular expression", 24, "(?<"},
    ConstructRow{"using", "using", 24, "using"},
    ConstructRow{"await-using", "await using", 24, "using"},
    ConstructRow{"dynamic-import", "import()", 10, "import_("},
    ConstructRow{"top-level-await", "await outside a function", 14, "await"},
    ConstructRow{"strings-as-names", "strings as names of exports", 16, "import export"},
    ConstructRow{"import-attributes", "import attributes (with { type: 'json' })", 18, "with_{ import_("},
};
// clang-format on

}  // namespace loopsim::quickjs

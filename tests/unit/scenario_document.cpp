#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/scenario/document.hpp"

using namespace loopsim;

namespace {

std::shared_ptr<Document> parse(std::string text) {
  Diagnostics diagnostics;
  auto document = Document::parse(std::move(text), "test.json", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) UNSCOPED_INFO(to_string(diagnostic));
  REQUIRE(diagnostics.empty());
  return document;
}

Diagnostics problems(std::string text) {
  Diagnostics diagnostics;
  Document::parse(std::move(text), "test.json", diagnostics);
  return diagnostics;
}

}  // namespace

TEST_CASE("every value knows its place", "[scenario][document]") {
  const auto document = parse("{\n  \"a\" : [1, -2.5e3 , true,\n null],\n\t\"b~/\": { \"c\": \"x\" }\n}");
  const auto place = [&](std::string_view pointer) { return document->place(document->at_pointer(pointer)); };
  CHECK(document->place(document->root()).line == 1);
  CHECK(place("/a").line == 2);
  CHECK(place("/a").column == 9);
  CHECK(place("/a/1").column == 13);
  CHECK(place("/a/2").column == 22);
  CHECK(place("/a/3").line == 3);
  CHECK(place("/a/3").column == 2);
  CHECK(place("/b~0~1/c").line == 4);
  CHECK(place("/b~0~1/c").pointer == "/b~0~1/c");
  CHECK(document->at_pointer("/a/4") == kNone);
  CHECK(document->at_pointer("/a/x") == kNone);
  CHECK(document->at_pointer("a") == kNone);
  CHECK(document->place(kNone).line == 0);
}

TEST_CASE("texts are decoded, and kept as views when there is nothing to decode", "[scenario][document]") {
  const auto document = parse(R"(["plain", "a\"b\\", "\u00e9\ud83d\ude00\n", "", "\\"])");
  std::vector<std::string> texts;
  for (const NodeIndex item : children(*document, document->root())) texts.emplace_back(document->text(item));
  CHECK(texts == std::vector<std::string>{"plain", "a\"b\\", "\xC3\xA9\xF0\x9F\x98\x80\n", "", "\\"});
  CHECK(document->json(document->root()) == "[\"plain\",\"a\\\"b\\\\\",\"\xC3\xA9\xF0\x9F\x98\x80\\n\",\"\",\"\\\\\"]");
}

TEST_CASE("members of objects have keys, and no other value has", "[scenario][document]") {
  const auto document = parse(R"({"\u0061": [1, {"\u0062": "x"}, "y", []], "\u0063": 2})");
  const std::vector<std::pair<std::string, std::string>> keys = {
      {"", ""}, {"/a", "a"}, {"/a/0", ""}, {"/a/1", ""}, {"/a/1/b", "b"}, {"/a/2", ""}, {"/a/3", ""}, {"/c", "c"}};
  for (const auto& [pointer, key] : keys) {
    INFO(pointer);
    CHECK(document->key(document->at_pointer(pointer)) == key);
  }
}

TEST_CASE("numbers are kept as written", "[scenario][document]") {
  const auto document = parse("[18446744073709551615, 0.10, 1e3]");
  CHECK(document->json(document->root()) == "[18446744073709551615,0.10,1e3]");
  CHECK(document->number(document->at_pointer("/2")) == 1000);
}

TEST_CASE("a byte order mark is passed over", "[scenario][document]") {
  const auto document = parse("\xEF\xBB\xBF{\"a\": 1}");
  CHECK(document->place(document->at_pointer("/a")).column == 7);
}

TEST_CASE("duplicate keys are found in objects of every size", "[scenario][document]") {
  for (const int size : {1, 5, 11, 12, 13, 1000}) {
    std::string text = "{\"twice\": 0";
    for (int i = 0; i < size; ++i) text += ",\n\"k" + std::to_string(i) + "\": 0";
    text += ",\n\"tw\\u0069ce\": 1}";
    const Diagnostics found = problems(text);
    REQUIRE(found.size() == 1);
    CHECK(found[0].line == static_cast<std::uint32_t>(size) + 2);
    CHECK(found[0].message == "the key \"twice\" is given twice, first on line 1");
  }
}

TEST_CASE("an object with 100,000 keys is checked quickly", "[scenario][document]") {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i * 7919 % 100'000) + "\":0";
  const auto document = parse(text + "}");  // comparing all pairs would take minutes
  CHECK(document->size(document->root()) == 100'000);
}

TEST_CASE("nesting has a limit", "[scenario][document]") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(problems(nested(Document::kMaxNesting)).empty());
  CHECK(problems(nested(Document::kMaxNesting + 1)).size() == 1);
  CHECK(problems(std::string(1'000'000, '[')).size() == 1);
}

TEST_CASE("every way to cut off or damage a document is answered, and never with a crash", "[scenario][document]") {
  const std::string good = R"({"a": [1, -2.5e3, true, null, "x\u00e9\n"], "b": {"c": {}, "d": []}})";
  REQUIRE(problems(good).empty());
  for (std::size_t i = 0; i < good.size(); ++i) {
    const Diagnostics cut = problems(good.substr(0, i));
    REQUIRE(cut.size() == 1);
    CHECK_FALSE(cut[0].message.empty());
    CHECK(cut[0].line == 1);
    for (const char c : std::string("{}[],:\"x0-.\\\n\x01\xFF ")) {
      std::string damaged = good;
      damaged[i] = c;
      for (const Diagnostic& diagnostic : problems(damaged)) {
        CHECK_FALSE(diagnostic.message.empty());
        CHECK(diagnostic.line >= 1);
        CHECK(diagnostic.column >= 1);
        CHECK_FALSE(to_string(diagnostic).empty());
      }
    }
  }
}

TEST_CASE("a diagnostic is written with its line and a caret", "[scenario][diagnostic]") {
  Diagnostic diagnostic;
  diagnostic.message = "something is wrong";
  CHECK(to_string(diagnostic) == "error: something is wrong\n");
  diagnostic.file = "a.json";
  CHECK(to_string(diagnostic) == "a.json: error: something is wrong\n");
  diagnostic.line = 3;
  diagnostic.column = 5;
  diagnostic.pointer = "/main/0";
  diagnostic.suggestion = "right";
  diagnostic.source_line = "\t\xC3\xA9 x";
  CHECK(to_string(diagnostic) ==
        "a.json:3:5: error: /main/0: something is wrong; did you mean \"right\"?\n  \t\xC3\xA9 x\n  \t  ^\n");
  CHECK(has_errors({diagnostic}));
  diagnostic.severity = Diagnostic::Severity::warning;
  CHECK_FALSE(has_errors({diagnostic}));
  CHECK(to_string(diagnostic).find("warning: ") != std::string::npos);
}

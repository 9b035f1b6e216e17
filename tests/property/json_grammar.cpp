// Compares the project's JSON tokenizer with nlohmann's parser on many texts.
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/files.hpp"
#include "tests/support/json_oracle.hpp"
#include "tests/support/scenario_files.hpp"

using loopsim::testing::json_difference;

namespace {

void compare(const std::string& text) {
  const std::string difference = json_difference(text);
  if (difference.empty()) return;
  CAPTURE(text);
  FAIL_CHECK(difference);
}

// Compares the parsers on all sequences of up to `length` pieces between `begin` and `end`.
void compare_all(const std::vector<std::string>& pieces, std::size_t length, const std::string& begin,
                 const std::string& end) {
  compare(begin + end);
  std::vector<std::string> texts = {begin};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<std::string> longer;
    for (const std::string& text : texts) {
      for (const std::string& piece : pieces) {
        compare(text + piece + end);
        if (i + 1 < length) longer.push_back(text + piece);
      }
    }
    texts = std::move(longer);
  }
}

}  // namespace

TEST_CASE("every short text is taken or refused as by nlohmann's parser", "[property][document]") {
  compare_all({"{", "}", "[", "]", ",", ":", "\"a\"", "1", " "}, 5, "", "");
  compare_all({"{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "null", "\n"}, 4, "{\"c\":[", "");
  compare_all({"t", "true", "r", "u", "e", "f", "false", "null", "nul", "]", ","}, 3, "[", "]");
}

TEST_CASE("every short number is taken or refused as by nlohmann's parser", "[property][document]") {
  compare_all({"0", "1", "-", "+", ".", "e", "E"}, 6, "[", "]");
  compare_all({"0", "12", "-", ".5", "e", "e400", "e-400", "E+308", "9", ",", "x"}, 4, "", "");
  for (const int digits : {17, 25, 299, 300, 308, 309, 310, 400}) {
    compare(std::string(static_cast<std::size_t>(digits), '9'));
    compare('-' + std::string(static_cast<std::size_t>(digits), '9') + ".5");
    compare("1e" + std::to_string(digits));
    compare("0." + std::string(static_cast<std::size_t>(digits), '0') + "1");
  }
}

TEST_CASE("every short text in quotes means what nlohmann's parser says", "[property][document]") {
  compare_all({"\\", "\"", "u", "0041", "n", "/", "b", "\x7f", "\xc3\xa9", "\x1f", "\n"}, 4, "\"", "\"");
  compare_all({"\\u", "d83d", "DE00", "dbff", "dc00", "0000", "00e9", "20AC", "d7ff", "e000", "\\"}, 4, "[\"", "\"]");
  compare_all({"\\ud83d", "\\ude00", "\\udbff\\udfff", "\\ud800\\udc00", "\\n", "x", "\\", "\\u12"}, 4, "{\"",
              "\": 1}");
}

TEST_CASE("bytes that are no text are refused as by nlohmann's parser", "[property][document]") {
  compare_all(
      {"\xEF\xBB\xBF", "\xEF", "\xBB", "\xFF\xFE", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC0\x80", "1", "\"", " "}, 3,
      "", "");
  compare_all({std::string(1, '\0'), "1", "[", "]", "\"", "\x01", "\x0b", "\x0c"}, 4, "", "");
}

TEST_CASE("scenarios, and scenarios with damage, are read as by nlohmann's parser", "[property][document]") {
  std::mt19937 random(20261122);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  constexpr std::string_view kBytes = "{}[],:\"\\ \n0123456789eE+-.tfnu/ax\x01\x7f\xc3\xa9";
  for (const auto& file : loopsim::testing::scenario_files()) {
    const std::string whole = loopsim::testing::read_file(file);
    compare(whole);
    for (int i = 0; i < 60; ++i) {
      std::string damaged = whole;
      for (std::size_t times = 1 + below(3); times > 0 && !damaged.empty(); --times) {
        const std::size_t at = below(damaged.size());
        switch (below(4)) {
          case 0: damaged.erase(at, 1 + below(3)); break;
          case 1: damaged.insert(at, 1, kBytes[below(kBytes.size())]); break;
          case 2: damaged[at] = kBytes[below(kBytes.size())]; break;
          default: damaged.resize(at); break;
        }
      }
      compare(damaged);
    }
  }
}

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tools/loopsim/diff/unified_diff.hpp"

using loopsim::cli::unified_diff;

namespace {

using Lines = std::vector<std::string>;

std::string diff(const Lines& a, const Lines& b) { return unified_diff(a, b, {"a", "b"}); }

Lines numbers(int from, int to) {
  Lines lines;
  for (int i = from; i <= to; ++i) lines.push_back(std::to_string(i));
  return lines;
}

// Applies a diff as patch(1) does, which shows that it is valid.
Lines patched(const Lines& old_lines, const std::string& diff) {
  Lines result;
  std::size_t at = 0;
  std::size_t from = 0;
  const auto next_line = [&] {
    const std::size_t end = diff.find('\n', from);
    std::string line = diff.substr(from, end - from);
    from = end + 1;
    return line;
  };
  while (from < diff.size()) {
    const std::string line = next_line();
    if (line.starts_with("---") || line.starts_with("+++")) continue;
    if (line.starts_with("@@ -")) {
      const std::size_t comma = line.find_first_of(", ", 4);
      const std::size_t start = std::stoul(line.substr(4, comma - 4));
      const bool none = line.compare(comma, 3, ",0 ") == 0;
      for (const std::size_t begin = none ? start : start - 1; at < begin; ++at) result.push_back(old_lines.at(at));
    } else if (line.at(0) == '+') {
      result.push_back(line.substr(1));
    } else {
      REQUIRE(old_lines.at(at) == line.substr(1));
      if (line[0] == ' ') result.push_back(old_lines[at]);
      ++at;
    }
  }
  for (; at < old_lines.size(); ++at) result.push_back(old_lines[at]);
  return result;
}

}  // namespace

TEST_CASE("equal lists have no difference", "[cli][diff]") {
  CHECK(diff({}, {}).empty());
  CHECK(diff({"a", "b"}, {"a", "b"}).empty());
}

TEST_CASE("a changed line is shown between its neighbours", "[cli][diff]") {
  Lines changed = numbers(1, 10);
  changed[4] = "five";
  CHECK(diff(numbers(1, 10), changed) == "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("lists of one line and empty lists have the ranges that diff -u gives them", "[cli][diff]") {
  CHECK(diff({"x"}, {"y"}) == "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n");
  CHECK(diff({}, {"y", "z"}) == "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+y\n+z\n");
  CHECK(diff({"x"}, {}) == "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
}

TEST_CASE("changes near each other share a hunk, others do not", "[cli][diff]") {
  Lines near = numbers(1, 30);
  near[4] = "five";
  near[11] = "twelve";  // six lines between the changes
  Lines far = near;
  far[11] = "12";
  far[12] = "thirteen";  // seven lines between
  const auto hunks = [](const std::string& text) {
    int count = 0;
    for (std::size_t at = text.find("@@ -"); at != std::string::npos; at = text.find("@@ -", at + 1)) ++count;
    return count;
  };
  CHECK(hunks(diff(numbers(1, 30), near)) == 1);
  CHECK(hunks(diff(numbers(1, 30), far)) == 2);
}

TEST_CASE("the difference is the shortest, and makes one list of the other", "[cli][diff]") {
  std::uint32_t random = 1;
  for (int round = 0; round < 300; ++round) {
    const auto make = [&random, round] {
      Lines lines;
      random = random * 1664525U + 1013904223U;
      const std::uint32_t size = (random >> 16U) % 12U;
      for (std::uint32_t i = 0; i < size; ++i) {
        random = random * 1664525U + 1013904223U;
        lines.push_back(std::to_string((random >> 16U) % (2U + static_cast<unsigned>(round) % 4U)));
      }
      return lines;
    };
    const Lines a = make();
    const Lines b = make();
    const std::string text = diff(a, b);
    CHECK(patched(a, text) == b);

    // The longest common subsequence, by dynamic programming.
    std::vector<std::vector<std::size_t>> longest(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
      for (std::size_t j = 1; j <= b.size(); ++j) {
        longest[i][j] =
            a[i - 1] == b[j - 1] ? longest[i - 1][j - 1] + 1 : std::max(longest[i - 1][j], longest[i][j - 1]);
      }
    }
    std::size_t edits = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const bool is_name = text.compare(at, 4, "--- ") == 0 || text.compare(at, 4, "+++ ") == 0;
      if (!is_name && (text[at] == '-' || text[at] == '+')) ++edits;
    }
    CHECK(edits == a.size() + b.size() - 2 * longest[a.size()][b.size()]);
  }
}

TEST_CASE("large and very different lists are still told apart, within bounds", "[cli][diff]") {
  const Lines a = numbers(1, 20'000);
  Lines b = numbers(20'001, 40'000);
  CHECK(patched(a, diff(a, b)) == b);
  b = a;
  b.erase(b.begin() + 10'000);
  b.insert(b.begin() + 15'000, "new");
  CHECK(patched(a, diff(a, b)) == b);
}

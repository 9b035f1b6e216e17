// The table of explanation rules in both languages.
#include <algorithm>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "loopsim/explain.hpp"

#include "sim/explain/rules.hpp"

using namespace loopsim;

namespace {

// The placeholders: digits in braces. Fails on any other use of braces.
std::multiset<char> placeholders(std::string_view words) {
  std::multiset<char> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '}') FAIL("a brace is closed that was not opened: " << words);
    if (words[i] != '{') continue;
    REQUIRE(i + 2 < words.size());
    REQUIRE(words[i + 1] >= '0');
    REQUIRE(words[i + 1] <= '9');
    REQUIRE(words[i + 2] == '}');
    found.insert(words[i + 1]);
    i += 2;
  }
  return found;
}

}  // namespace

TEST_CASE("rules have a key of their own, whole sentences in both languages, and a source", "[explain]") {
  std::set<std::string_view> keys;
  for (const ExplanationRule& rule : explanation_rules()) {
    INFO(rule.key);
    CHECK(keys.insert(rule.key).second);
    CHECK_FALSE(rule.source.empty());
    CHECK(rule.source.find(": ") != (rule.source == "signal(7)" ? 0 : std::string_view::npos));
    CHECK(rule.english.ends_with("."));
    CHECK(rule.chinese.ends_with("。"));
    // Both languages use the same placeholders, numbered from 0 without gaps.
    const auto english = placeholders(rule.english);
    const auto chinese = placeholders(rule.chinese);
    const std::set<char> in_english(english.begin(), english.end());
    const std::set<char> in_chinese(chinese.begin(), chinese.end());
    CHECK(in_english == in_chinese);
    if (!in_english.empty()) CHECK(*in_english.rbegin() - '0' + 1 == static_cast<int>(in_english.size()));
  }
}

TEST_CASE("a rule that has moved is named where the version keeps it", "[explain]") {
  const auto source = [](Rule rule, int major) {
    const auto profile = std::ranges::find(profiles(), major, &Profile::major);
    return explanation_rules()[rule_numbers(*profile)[static_cast<std::size_t>(rule)]].source;
  };
  CHECK(source(Rule::tick_ran, 4) == "Node: src/node.js, _tickCallback()");
  CHECK(source(Rule::tick_ran, 6) == "Node: lib/internal/process/next_tick.js, _tickCallback()");
  CHECK(source(Rule::tick_ran, 10) == "Node: lib/internal/process/next_tick.js, _tickCallback()");
  CHECK(source(Rule::tick_ran, 11) == "Node: lib/internal/process/task_queues.js, processTicksAndRejections()");
  CHECK(source(Rule::socket_ran, 12) == "libuv: src/unix/linux-core.c, uv__io_poll()");
  CHECK(source(Rule::socket_ran, 18) == "libuv: src/unix/epoll.c, uv__io_poll()");
  CHECK(source(Rule::socket_ran, 26) == "libuv: src/unix/linux.c, uv__io_poll()");
}

// The comparison of two traces by loopsim diff: the first difference and the side-by-side alignment.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/simulator.hpp"

#include "tests/support/simulate.hpp"
#include "tools/loopsim/diff/diff_rows.hpp"
#include "tools/loopsim/diff/edit_script.hpp"

using namespace loopsim;
using namespace loopsim::cli;

namespace {

// Makes a row from each letter (the event) and the digit behind it (its time).
std::vector<Row> rows(const std::string& text) {
  std::vector<Row> result;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      result.back().when = static_cast<std::uint32_t>(c - '0');
    } else {
      result.push_back({static_cast<std::uint32_t>(c), 0, static_cast<std::uint32_t>(result.size())});
    }
  }
  return result;
}

// The aligned rows, one word each: "aa" equal, "a~a" at another time, "a<" and ">a" on one side only. "av2" is a row of
// a whose counterpart stands further down, as row 2 of b; "^a0" one of b whose counterpart stands further up, as row 0.
std::string aligned(const std::string& a_text, const std::string& b_text) {
  using Mark = AlignedRow::Mark;
  const std::vector<Row> a = rows(a_text);
  const std::vector<Row> b = rows(b_text);
  std::string text;
  for (const AlignedRow& row : align(a, b)) {
    const std::string in_a(row.a == kNoRow ? 0 : 1, row.a == kNoRow ? ' ' : static_cast<char>(a[row.a].what));
    const std::string in_b(row.b == kNoRow ? 0 : 1, row.b == kNoRow ? ' ' : static_cast<char>(b[row.b].what));
    std::string mark;
    if (row.mark == Mark::other_time) mark = "~";
    if (row.mark == Mark::only_a) mark = "<";
    if (row.mark == Mark::only_b) mark = ">";
    if (row.mark == Mark::moved) mark = row.comes_later ? "v" : "^";
    text += (text.empty() ? "" : " ") + in_a + mark + in_b;
    if (row.mark == Mark::moved) text += std::to_string(row.other);
  }
  return text;
}

StoredTrace stored(const std::string& document, const std::string& runtime = "",
                   TraceStore::Keeps keeps = TraceStore::Keeps::all_events) {
  TraceStore store(keeps);
  TraceSink* const sinks[] = {&store};
  run(*testing::compile_text(document, runtime), sinks);
  return std::move(store.trace());
}

const std::string kTimer = R"({ "main": [ { "setTimeout": 5, "do": [ { "log": "x" } ] } ] })";
const std::string kTimerLower = "\n\n" + kTimer;
const std::string kLaterTimer = R"({ "main": [ { "setTimeout": 7, "do": [ { "log": "x" } ] } ] })";

}  // namespace

TEST_CASE("the first difference is of what happens, when, or the end", "[diff]") {
  CHECK(first_difference(rows("abc"), rows("abc")) == std::nullopt);
  CHECK(first_difference(rows("abc"), rows("axc")) == 1);
  CHECK(first_difference(rows("a1b1"), rows("a1b2")) == 1);
  CHECK(first_difference(rows("ab"), rows("abc")) == 2);
  CHECK(first_difference(rows(""), rows("a")) == 0);
  CHECK(first_difference(rows(""), rows("")) == std::nullopt);
}

TEST_CASE("rows are aligned, and those that moved find each other", "[diff]") {
  CHECK(aligned("abc", "abc") == "aa bb cc");
  CHECK(aligned("a1b1", "a1b2") == "aa b~b");
  CHECK(aligned("ab", "b") == "a< bb");
  CHECK(aligned("b", "ab") == ">a bb");
  CHECK(aligned("abc", "xyz") == "a< b< c< >x >y >z");
  CHECK(aligned("", "") == "");
  CHECK(aligned("tpqr", "pqtr") == "tv2 pp qq ^t0 rr");
  CHECK(aligned("pqtr", "tpqr") == "vt2 pp qq t^0 rr");
  // The n-th occurrences are counterparts; a surplus one has not moved.
  CHECK(aligned("ttpq", "pqt") == "tv2 t< pp qq ^t0");
}

TEST_CASE("the counterpart of a row is the one of the same rank", "[diff]") {
  const std::vector<Row> a = rows("abab");
  const std::vector<Row> b = rows("bbaa");
  CHECK(counterpart(a, 0, b) == 2);
  CHECK(counterpart(a, 2, b) == 3);
  CHECK(counterpart(a, 3, b) == 1);
  CHECK(counterpart(rows("aaa"), 2, b) == kNoRow);
  CHECK(counterpart(rows("x"), 0, b) == kNoRow);
}

TEST_CASE("edits make one list of another, also where they are too many to be the fewest", "[diff]") {
  using Numbers = std::vector<std::uint32_t>;
  const auto apply = [](const std::vector<Edit>& edits, const Numbers& a, const Numbers& b) {
    Numbers made;
    std::size_t at_a = 0;
    std::size_t at_b = 0;
    bool ok = true;
    for (const Edit edit : edits) {
      if (edit == Edit::keep) ok = ok && a.at(at_a) == b.at(at_b);
      if (edit == Edit::keep) made.push_back(a.at(at_a));
      if (edit == Edit::insert) made.push_back(b.at(at_b));
      if (edit != Edit::insert) ++at_a;
      if (edit != Edit::remove) ++at_b;
    }
    CHECK(ok);
    CHECK(at_a == a.size());
    CHECK(at_b == b.size());
    return made;
  };
  std::uint32_t state = 1;
  const auto random = [&state](std::uint32_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 16U) % below;
  };
  for (int round = 0; round < 60; ++round) {
    const auto length = [&] { return round < 50 ? random(40) : 3000 + random(1000); };
    Numbers a(length());
    Numbers b(length());
    const std::uint32_t letters = round % 3 == 0 ? 2 : round % 3 == 1 ? 5 : 1000;
    for (std::uint32_t& number : a) number = random(letters);
    for (std::uint32_t& number : b) number = random(letters);
    CHECK(apply(edits_between(a, b), a, b) == b);
    CHECK(apply(edits_in_stretches(a, b), a, b) == b);
  }
}

TEST_CASE("what is common is found in long lists with many differences", "[diff]") {
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    a.push_back(i % 14);
    b.push_back(i % 14);
    if (i % 14 == 13) b.push_back(100);
  }
  const std::vector<Edit> edits = edits_in_stretches(a, b);
  CHECK(std::count(edits.begin(), edits.end(), Edit::keep) == 200'000);
  CHECK(std::count(edits.begin(), edits.end(), Edit::remove) == 0);
}

TEST_CASE("rows say what happens; times and places may be left out", "[diff]") {
  const auto difference = [](const RowOptions& options, const StoredTrace& a, const StoredTrace& b) {
    RowMaker maker(options);
    const std::vector<Row> a_rows = maker.rows_of(a);
    return first_difference(a_rows, maker.rows_of(b));
  };
  const StoredTrace timer = stored(kTimer);
  const StoredTrace lower = stored(kTimerLower);
  const StoredTrace later = stored(kLaterTimer);
  CHECK(difference({}, timer, stored(kTimer)) == std::nullopt);
  CHECK(difference({}, timer, later) == 1);  // rows: main, timer, its line, exit
  CHECK(difference({.ignore_times = true}, timer, later) == std::nullopt);
  CHECK(difference({}, timer, lower) == 1);  // setTimeout@1, setTimeout@3
  CHECK(difference({.ignore_places = true}, timer, lower) == std::nullopt);
  CHECK(difference({.all_events = true, .ignore_lines = true, .ignore_places = true}, timer, lower) == std::nullopt);
  const StoredTrace pair = stored(R"({"main": [{"then": null, "do": []}, {"then": null, "do": []}]})");
  const StoredTrace lower_pair = stored("{\"main\": [\n {\"then\": null, \"do\": []}, {\"then\": null, \"do\": []}]}");
  CHECK(difference({}, pair, lower_pair) == 1);  // then@1:11, then@2:2
  CHECK(difference({.ignore_places = true}, pair, lower_pair) == std::nullopt);
  CHECK_FALSE(places_agree(pair, lower_pair));
  CHECK(places_agree(timer, later));
  CHECK_FALSE(places_agree(timer, lower));
  CHECK(difference({.all_events = true}, timer, lower) == 1);
  CHECK(difference({.all_events = true}, timer, later) == 1);
  CHECK(difference({.all_events = true, .ignore_times = true}, timer, later) == std::nullopt);
}

TEST_CASE("ids are compared by what they stand for", "[diff]") {
  const std::string before =
      R"({ "main": [ { "setTimeout": 5, "as": "t", "do": [ { "nextTick": [], "as": "k" } ] } ] })";
  const std::string after = R"({ "main": [ { "setTimeout": 90, "as": "x", "do": [] }, { "clear": "x" }, )"
                            R"({ "setTimeout": 5, "as": "t", "do": [ { "nextTick": [], "as": "k" } ] } ] })";
  RowMaker maker({.all_events = true, .ignore_lines = true});
  const StoredTrace a = stored(before);
  const StoredTrace b = stored(after);
  const std::vector<Row> a_rows = maker.rows_of(a);
  std::size_t only_a = 0;
  for (const AlignedRow& row : align(a_rows, maker.rows_of(b))) {
    if (row.mark != AlignedRow::Mark::same && row.b == kNoRow) ++only_a;
  }
  CHECK(only_a == 0);
}

TEST_CASE("what programs notice is kept without the rest", "[diff]") {
  const StoredTrace all = stored(kTimer);
  const StoredTrace few = stored(kTimer, "", TraceStore::Keeps::what_programs_notice);
  CHECK(few.events.size() < all.events.size());
  RowMaker maker({});
  const std::vector<Row> all_rows = maker.rows_of(all);
  CHECK(first_difference(all_rows, maker.rows_of(few)) == std::nullopt);
  CHECK(all_rows.size() == 4);
  CHECK(few.summary.events == all.summary.events);
}

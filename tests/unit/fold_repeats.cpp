// Folding: the detector against a plain reference, and the events that a Folder passes on.
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/writers.hpp"

#include "sim/trace/folder.hpp"
#include "sim/trace/repeats.hpp"
#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;

namespace {

struct Letter {
  std::uint64_t signature = 0;
  int rank = 0;
  bool is_telling = true;
  std::size_t place = 0;
  [[nodiscard]] std::size_t weight() const { return 1; }
};

// What the detector says, as text: shown letters, and <count x period> in place of what is hidden.
struct Story {
  std::vector<Letter> all;         // in the order in which they came out
  std::vector<Letter> hidden;      // of the current fold
  std::vector<Letter> last_shown;  // since the last fold
  std::string text;
  std::size_t shown = 0;

  void show(Letter&& letter) {
    text += static_cast<char>('a' + letter.signature);
    last_shown.push_back(letter);
    all.push_back(letter);
    ++shown;
  }
  void hide(Letter&& letter, bool begins) {
    if (begins != (letter.rank == least_rank)) begins_are_right = false;
    hidden.push_back(letter);
    all.push_back(letter);
  }
  void close(std::uint64_t count, std::size_t period) {
    text += "<" + std::to_string(count) + "x" + std::to_string(period) + ">";
    REQUIRE(hidden.size() == count * period);
    // Unfolded, the first repetition, `count` times, is what was hidden.
    REQUIRE(last_shown.size() >= period);
    const std::size_t first = last_shown.size() - period;
    for (std::size_t i = 0; i < hidden.size(); ++i)
      REQUIRE(hidden[i].signature == last_shown[first + i % period].signature);
    hidden.clear();
    last_shown.clear();
  }

  int least_rank = 0;
  bool begins_are_right = true;
};

Story story_of(const std::vector<std::uint64_t>& letters, const RepeatLimits& limits) {
  Repeats<Letter> repeats(limits);
  Story story;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    repeats.push(Letter{.signature = letters[i], .place = i}, story);
    // Nothing is held beyond what a repetition may need.
    REQUIRE(i + 1 - story.all.size() <= (limits.least_hidden + 4) * limits.longest);
  }
  repeats.flush(story);
  return story;
}

std::vector<std::uint64_t> letters_of(const std::string& text) {
  std::vector<std::uint64_t> letters;
  for (const char c : text) letters.push_back(static_cast<std::uint64_t>(c - 'a'));
  return letters;
}

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

std::string folded(const std::string& text) {
  return story_of(letters_of(text), {.longest = 4, .least_hidden = 3}).text;
}

}  // namespace

TEST_CASE("What repeats itself is hidden between its first and its last time", "[fold]") {
  CHECK(folded("aaaa") == "aaaa");
  CHECK(folded("aaaaa") == "a<3x1>a");
  CHECK(folded("xaaaaaay") == "xa<4x1>ay");
  CHECK(folded("x" + times(5, "abc") + "y") == "xabc<3x3>abcy");
  CHECK(folded("x" + times(5, "aab") + "y") == "xaab<3x3>aaby");
  CHECK(folded("x" + times(5, "aabb")) == "xaabb<3x4>aabb");
  // The begin of another repetition is shown.
  CHECK(folded(times(7, "abc") + "aby") == "abc<5x3>abcaby");
  // One follows the other, and one is cut off by another that begins with it.
  CHECK(folded(times(6, "a") + times(6, "b")) == "a<4x1>ab<4x1>b");
  CHECK(folded(times(6, "abb") + times(6, "b")) == "abb<4x3>abbb<4x1>b");
  // Too long a period.
  CHECK(folded(times(9, "abcde")) == times(9, "abcde"));
}

TEST_CASE("A repetition begins where its rank is lowest, and needs something to tell", "[fold]") {
  Repeats<Letter> repeats({.longest = 4, .least_hidden = 3});
  Story story;
  for (const std::uint64_t letter : letters_of(times(8, "abc")))
    repeats.push(Letter{.signature = letter, .rank = letter == 1 ? 0 : 1}, story);
  repeats.flush(story);
  CHECK(story.text == "abca<5x3>bcabc");
  CHECK(story.begins_are_right);

  Repeats<Letter> quiet({.longest = 4, .least_hidden = 3});
  Story whole;
  for (const std::uint64_t letter : letters_of(times(8, "ab")))
    quiet.push(Letter{.signature = letter, .is_telling = false}, whole);
  quiet.flush(whole);
  CHECK(whole.text == times(8, "ab"));
}

TEST_CASE("Whatever the sequence, unfolding gives it back", "[fold]") {
  std::mt19937 random(20261124);
  const auto below = [&random](std::uint32_t limit) { return static_cast<std::size_t>(random() % limit); };
  std::size_t folds = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::uint64_t> letters;
    while (letters.size() < 600) {
      std::vector<std::uint64_t> period;
      for (std::size_t i = 0; i <= below(7); ++i) period.push_back(below(3));
      for (std::size_t i = 0; i <= below(12); ++i) letters.insert(letters.end(), period.begin(), period.end());
    }
    const RepeatLimits limits = {.longest = 1 + below(8), .least_hidden = 1 + below(5)};
    const Story story = story_of(letters, limits);
    REQUIRE(story.hidden.empty());
    REQUIRE(story.all.size() == letters.size());
    for (std::size_t i = 0; i < letters.size(); ++i) REQUIRE(story.all[i].place == i);

    // No run of a letter is left that had to be folded, but for those that touch a repetition of something longer.
    std::size_t run = 1;
    for (std::size_t i = 1; i < story.text.size(); ++i) {
      run = story.text[i] == story.text[i - 1] && story.text[i] != '>' ? run + 1 : 1;
      REQUIRE(run <= limits.least_hidden + 1 + 2 * limits.longest);
    }
    if (story.shown < letters.size()) ++folds;
  }
  CHECK(folds > 300);
}

// ---- events ---------------------------------------------------------------------------------------------------------------------

namespace {

class Log final : public FoldTarget {
 public:
  void shown(const Event& event, std::string_view) override { note(event), ++shown_events; }
  void hidden(const Event& event, std::string_view, bool) override { note(event); }
  void folded(const Fold& fold) override { folds.push_back(fold); }

  std::vector<Fold> folds;
  std::uint64_t shown_events = 0;
  std::uint64_t last = 0;
  bool is_in_order = true;

 private:
  void note(const Event& event) {
    is_in_order = is_in_order && event.sequence > last;
    last = event.sequence;
  }
};

// Turns with a timer of the given lateness, each of which prints a line.
struct Round {
  TimeNs late = 0;
  LateReason why = LateReason::none;
  std::string line = "beat";
};

Log folds_of(const std::vector<Round>& rounds, std::span<const CallbackNote> notes = {}) {
  Events events;
  TimeNs time = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Round& round = rounds[i];
    const std::uint64_t turn = i + 1;
    time += 10 * kMillisecond;
    events.add(EventKind::turn, time, Phase::timers, turn);
    Event& begin = events.add(EventKind::callback_begin, time + round.late, Phase::timers, turn);
    begin.api = Api::set_timeout, begin.id = turn, begin.name = 0, begin.a = time, begin.b = round.late, begin.c = -1;
    begin.detail = detail(round.why);
    events.add_text(EventKind::log, round.line, time + round.late, Phase::timers, turn);
    Event& end = events.add(EventKind::callback_end, time + round.late, Phase::timers, turn);
    end.api = Api::set_timeout, end.id = turn, end.name = 0;
  }
  Log log;
  Folder folder(log, {.notes = notes});
  for (const Event& event : events.all())
    folder.push(event, std::string_view(events.text()).substr(event.text_offset, event.text_size));
  folder.flush();
  CHECK(log.last == events.all().size());
  CHECK(log.is_in_order);
  return log;
}

}  // namespace

TEST_CASE("Turns that differ in times only are folded", "[fold]") {
  std::vector<Round> rounds(1000);
  for (std::size_t i = 0; i < rounds.size(); ++i)
    rounds[i] = {.late = static_cast<TimeNs>(i + 1), .why = LateReason::rounding, .line = "beat"};
  const Log log = folds_of(rounds);
  REQUIRE(log.folds.size() == 1);
  const Fold& fold = log.folds.front();
  CHECK(fold.count == 998);
  CHECK(fold.turns == 1);
  CHECK(fold.callbacks == 1);
  CHECK(fold.lines == 998);
  CHECK(fold.events == 998 * 4);
  CHECK(fold.first.turn == 2);
  CHECK(fold.last.turn == 999);
  CHECK(fold.least_late == 2);
  CHECK(fold.most_late == 999);
  CHECK(log.shown_events == 8);
}

TEST_CASE("What differs is never folded away", "[fold]") {
  std::vector<Round> rounds(101);
  std::vector<CallbackNote> notes;
  SECTION("a callback with a note") { notes = {{.id = 51, .text = "a race"}}; }
  SECTION("another line of output") { rounds[50].line = "beat!"; }
  SECTION("a cause of lateness that is new") {
    for (Round& round : rounds) round = {.late = 5, .why = LateReason::rounding, .line = "beat"};
    rounds[50].why = LateReason::preempted;
  }
  SECTION("lateness where there was none") { rounds[50] = {.late = 1, .why = LateReason::callback, .line = "beat"}; }
  const Log log = folds_of(rounds, notes);
  REQUIRE(log.folds.size() == 2);
  for (const Fold& fold : log.folds) {
    CHECK(fold.count == 48);
    CHECK((fold.last.turn < 51 || fold.first.turn > 51));
  }
}

TEST_CASE("Few repetitions stay as they are", "[fold]") {
  CHECK(folds_of(std::vector<Round>(Folder::kLeastHidden + 1)).folds.empty());
  CHECK(folds_of(std::vector<Round>(Folder::kLeastHidden + 2)).folds.size() == 1);
}

TEST_CASE("Callbacks with the same note are all shown", "[fold]") {
  std::vector<CallbackNote> notes;
  for (std::uint64_t id = 20; id < 60; ++id) notes.push_back({.id = id, .text = "a race"});
  const Log log = folds_of(std::vector<Round>(101), notes);
  REQUIRE(log.folds.size() == 2);
  CHECK(log.folds.front().last.turn < 20);
  CHECK(log.folds.back().first.turn > 60);
}

TEST_CASE("Events about queues are passed on without being compared", "[fold]") {
  Events events;
  constexpr std::uint64_t kRounds = 100;
  for (std::uint64_t id = 1; id <= kRounds; ++id) {
    const auto time = static_cast<TimeNs>(id);
    Event& begin = events.add(EventKind::callback_begin, time, Phase::timers, 1);
    begin.api = Api::set_timeout, begin.id = id, begin.name = 0, begin.a = begin.c = -1;
    Event& put = events.add(EventKind::enqueue, time, Phase::timers, 1);
    put.detail = detail(id % 3 == 0 ? Queue::ticks : Queue::microtasks), put.a = static_cast<std::int64_t>(id);
    Event& end = events.add(EventKind::callback_end, time, Phase::timers, 1);
    end.api = Api::set_timeout, end.id = id, end.name = 0;
  }
  Log log;
  Folder folder(log, {.passes_queues = true});
  for (const Event& event : events.all()) folder.push(event, {});
  folder.flush();
  CHECK(log.last == events.all().size());
  CHECK(log.is_in_order);
  REQUIRE(log.folds.size() == 1);
  CHECK(log.folds.front().count == kRounds - 2);
}

TEST_CASE("A counter in the output keeps every turn", "[fold]") {
  std::vector<Round> rounds(500);
  for (std::size_t i = 0; i < rounds.size(); ++i) rounds[i].line = "beat " + std::to_string(i);
  CHECK(folds_of(rounds).folds.empty());
}

namespace {

// A timer's callback that gives a variable of a new scope a value.
Log folds_of_values(bool steps, bool counts) {
  Events events;
  constexpr std::uint64_t kRounds = 100;
  for (std::uint64_t id = 1; id <= kRounds; ++id) {
    const auto time = static_cast<TimeNs>(id);
    Event& begin = events.add(EventKind::callback_begin, time, Phase::timers, 1);
    begin.api = Api::set_timeout, begin.id = id, begin.name = 0, begin.a = begin.c = -1;
    Event& step = events.add_text(EventKind::assign, counts ? std::to_string(id) : "1", time, Phase::timers, 1);
    step.name = 1, step.a = static_cast<std::int64_t>(id), step.detail2 = detail(ValueKind::number);
    Event& end = events.add(EventKind::callback_end, time, Phase::timers, 1);
    end.api = Api::set_timeout, end.id = id, end.name = 0;
  }
  Log log;
  Folder folder(log, {.steps = steps});
  for (const Event& event : events.all())
    folder.push(event, std::string_view(events.text()).substr(event.text_offset, event.text_size));
  folder.flush();
  CHECK(log.last == events.all().size());
  CHECK(log.is_in_order);
  return log;
}

}  // namespace

TEST_CASE("Steps of the program are compared by what they say", "[fold]") {
  REQUIRE(folds_of_values(true, false).folds.size() == 1);
  CHECK(folds_of_values(true, false).folds.front().count == 98);
  CHECK(folds_of_values(true, true).folds.empty());
}

TEST_CASE("Steps that are not compared are passed on, and are no events of a fold", "[fold]") {
  const Log log = folds_of_values(false, true);
  REQUIRE(log.folds.size() == 1);
  CHECK(log.folds.front().count == 98);
  CHECK(log.folds.front().events == 2 * 98);
}

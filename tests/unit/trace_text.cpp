#include <catch2/catch.hpp>

#include "loopsim/time_text.hpp"
#include "loopsim/writers.hpp"

#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;

namespace {

std::string text(const Events& events, const TextOptions& options = {}) {
  StringOutput output;
  events.play(*make_text_writer(output, options), timer_info(), timer_summary(), 3);
  return output.text();
}

// The text without the header and the summary.
std::string body(const Events& events) {
  std::string all = text(events, {.summary = false});
  const std::size_t begin = all.find("── main script");
  return all.substr(all.find('\n', begin) + 1);
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string without_colors(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

Events empty_turns(std::uint64_t count) {
  Events events;
  for (std::uint64_t turn = 1; turn <= count; ++turn) {
    events.add(EventKind::turn, 0, Phase::main, turn);
    events.add(EventKind::poll, 0, Phase::poll, turn).detail = detail(PollRule::idle_handle);
  }
  return events;
}

}  // namespace

TEST_CASE("the timeline of the first example", "[trace][text]") {
  CHECK(text(timer_at_105()) ==
        "A 100 ms timer that fires at 105 ms\n"
        "node-24 · libuv 1.51.0 · commonjs · machine ideal · 4 pool threads · seed 0\n"
        "\n"
        " time (ms)  phase       what happens\n"
        "── main script ─────────────────────────────────────────────────────────────────────────────────────\n"
        "     0.000  main        ▶ main script\n"
        "                          · setTimeout 100 ms → timer, due at 100.000\n"
        "                          · fs.read, 95 ms of work → someAsyncOperation\n"
        "── turn 1 ──────────────────────────────────────────────────────────────────────────────────────────\n"
        "     0.000  poll        waited 95.000 ms (at most 100, until timer is due): someAsyncOperation is\n"
        "                          done (read ran 0.000-95.000 on thread 0)\n"
        "    95.000              ▶ someAsyncOperation (fs)\n"
        "                          · spins for 10 ms, until 105.000\n"
        "   105.000  timers      ▶ timer (setTimeout), 5.000 ms late: someAsyncOperation was running when it\n"
        "                          came due at 100.000\n"
        "                          │ 105ms have passed since I was scheduled\n"
        "── end ─────────────────────────────────────────────────────────────────────────────────────────────\n"
        "   105.000  exit        ■ exit code 0: nothing is left to wait for\n"
        "\n"
        "exit code 0 at 105.000 ms · 1 turn, 2 callbacks · idle 90.5 %\n");
}

TEST_CASE("colours change nothing but colours", "[trace][text]") {
  const std::string colorful = text(timer_at_105(), {.color = true});
  CHECK(contains(colorful, "\x1b[1mtimer\x1b[0m"));
  CHECK(without_colors(colorful) == text(timer_at_105()));
}

TEST_CASE("the summary shows the hash of a sink that stands before", "[trace][text]") {
  const auto hash = make_hash_sink();
  timer_at_105().play(*hash, timer_info(), timer_summary());
  CHECK(contains(text(timer_at_105(), {.hash = hash.get()}), "· trace " + format_hash(hash->hash()) + "\n"));
  CHECK_FALSE(contains(text(timer_at_105(), {.summary = false}), "exit code 0 at"));
}

TEST_CASE("a summary says how the run ended", "[trace][summary]") {
  RunSummary summary = timer_summary();
  CHECK(format_summary(summary, nullptr) == "exit code 0 at 105.000 ms · 1 turn, 2 callbacks · idle 90.5 %");
  summary.limit = LimitKind::callbacks;
  summary.turns = 0;
  summary.callbacks = 1;
  CHECK(format_summary(summary, nullptr) ==
        "stopped by the limit of callbacks at 105.000 ms · 0 turns, 1 callback · idle 90.5 %");
  summary.end_time = summary.poll_time = kMaxDuration * 9;
  CHECK(contains(format_summary(summary, nullptr), "idle 100.0 %"));
  summary.end_time = summary.poll_time = 0;
  CHECK(contains(format_summary(summary, nullptr), "idle 0.0 %"));
}

TEST_CASE("turns in which nothing happens take one row", "[trace][text]") {
  CHECK(body(empty_turns(1)) ==
        "── turn 1 ──────────────────────────────────────────────────────────────────────────────────────────\n"
        "     0.000  poll        did not wait: immediates are waiting\n");
  const std::string folded =
      "── turns 1-998 ─────────────────────────────────────────────────────────────────────────────────────\n"
      "     0.000  poll        did not wait: immediates are waiting, in each of these turns\n";
  CHECK(body(empty_turns(998)) == folded);

  Events then_something = empty_turns(998);
  then_something.add(EventKind::turn, 0, Phase::main, 999);
  then_something.add(EventKind::poll, 0, Phase::poll, 999).detail = detail(PollRule::idle_handle);
  then_something.add_text(EventKind::log, "something", 0, Phase::check, 999);
  CHECK(body(then_something) ==
        folded +
            "── turn 999 ────────────────────────────────────────────────────────────────────────────────────────\n"
            "     0.000  poll        did not wait: immediates are waiting\n"
            "            check         │ something\n");

  Events different = empty_turns(2);
  different.add(EventKind::turn, 0, Phase::main, 3);
  different.add(EventKind::poll, 0, Phase::poll, 3).detail = detail(PollRule::due_timer);
  CHECK(contains(body(different), "── turns 1-2 ──"));
  CHECK(contains(body(different), "── turn 3 ──"));
}

TEST_CASE("why poll waited, and what ended it", "[trace][text]") {
  const auto poll = [](PollRule rule, PollWake wake, TimeMs timeout, TimeNs blocked) {
    Events events;
    events.add(EventKind::turn, 0, Phase::main, 1);
    Event& event = events.add(EventKind::poll, blocked, Phase::poll, 1);
    event.detail = detail(rule), event.detail2 = detail(wake), event.a = timeout, event.b = blocked;
    const std::string all = body(events);
    const std::size_t at = all.find("poll") + 12;
    return all.substr(at, all.find('\n', at) - at);
  };
  CHECK(poll(PollRule::no_timer, PollWake::event, -1, 2 * kMillisecond) == "waited 2.000 ms (no timer is set)");
  CHECK(poll(PollRule::timer, PollWake::timeout, 2, 2 * kMillisecond) ==
        "waited 2.000 ms, until the next timer was due");
  CHECK(poll(PollRule::timer, PollWake::event, 2, kMillisecond) ==
        "waited 1.000 ms (at most 2, until the next timer is due)");
  CHECK(poll(PollRule::timer, PollWake::event, 2, 0) == "did not have to wait");
  CHECK(poll(PollRule::nothing_active, PollWake::none, 0, 0) == "did not wait: nothing is left to wait for");
  CHECK(poll(PollRule::due_timer, PollWake::none, 0, 0) == "did not wait: a timer is due");
  CHECK(poll(PollRule::closing_handle, PollWake::none, 0, 0) == "did not wait: something is closing");
}

TEST_CASE("why a callback is late", "[trace][text]") {
  const auto late = [](LateReason reason, std::int64_t behind, Api api) {
    Events events;
    Event& event = events.add(EventKind::callback_begin, 7 * kMillisecond);
    event.api = api, event.id = 5, event.name = 1, event.detail = detail(reason);
    event.a = 5 * kMillisecond, event.b = 2 * kMillisecond, event.c = behind;
    const std::string all = text(events, {.width = 200, .summary = false});
    const std::size_t at = all.find("2.000 ms late: ") + 15;
    return all.substr(at, all.find('\n', at) - at);
  };
  CHECK(late(LateReason::callback, 9, Api::set_timeout) == "callback 9 was running when it came due at 5.000");
  CHECK(late(LateReason::main, -1, Api::set_timeout) == "the main script was running when it came due at 5.000");
  CHECK(late(LateReason::main, -1, Api::fs) == "the main script was running when it was ready at 5.000");
  CHECK(late(LateReason::stall, -1, Api::set_timeout) == "the process did not run when it came due at 5.000");
  CHECK(late(LateReason::startup, -1, Api::set_timeout) == "Node was still starting when it came due at 5.000");
  CHECK(late(LateReason::rounding, -1, Api::set_timeout) ==
        "it came due at 5.000, but the loop counts whole milliseconds");
  CHECK(late(LateReason::order, 9, Api::set_timeout) == "it came due at 5.000, but callback 9 came first");
  CHECK(late(LateReason::order, 0, Api::set_timeout) ==
        "it came due at 5.000, and the loop had other phases to go through first");
}

TEST_CASE("output is never wrapped, cut or mistaken for anything else", "[trace][text]") {
  std::string longest(600, 'x');
  longest[300] = ' ';
  Events events;
  events.add_text(EventKind::log, longest);
  events.add_text(EventKind::log, "first\n\nthird \x1b[31mred\x1b[0m \x01");
  events.add_text(EventKind::error_log, "oh");
  const std::string all = body(events);
  CHECK(contains(all, longest.append("\n").insert(0, "│ ")));
  CHECK(contains(
      all, "│ first\n                          │ \n                          │ third \\x1b[31mred\\x1b[0m \\x01\n"));
  CHECK(contains(all, "stderr│ oh\n"));
}

TEST_CASE("several requests done in one poll are told apart", "[trace][text]") {
  constexpr TimeNs ms = kMillisecond;
  Events events;
  events.add(EventKind::turn, 0, Phase::main, 1);
  Event& poll = events.add(EventKind::poll, 3 * ms, Phase::poll, 1);
  poll.detail = detail(PollRule::no_timer), poll.detail2 = detail(PollWake::event), poll.a = -1, poll.b = 3 * ms;
  const auto ready = [&](std::uint64_t id, std::uint32_t name, bool calls) {
    Event& done = events.add(EventKind::ready, 3 * ms, Phase::poll, 1);
    done.api = Api::fs, done.id = id, done.name = name, done.a = 2 * ms, done.b = ms, done.c = 1;
    if (!calls) return;
    Event& begin = events.add(EventKind::callback_begin, 3 * ms, Phase::poll, 1);
    begin.api = Api::fs, begin.id = id, begin.name = name, begin.a = begin.b = begin.c = -1;
    events.add(EventKind::callback_end, 3 * ms, Phase::poll, 1).id = id;
  };
  ready(1, 2, true);
  ready(2, 1, false);
  ready(3, 2, true);
  CHECK(body(events) ==
        "── turn 1 ──────────────────────────────────────────────────────────────────────────────────────────\n"
        "     0.000  poll        waited 3.000 ms (no timer is set): someAsyncOperation is done (ran\n"
        "                          1.000-2.000 on thread 1)\n"
        "     3.000              ▶ someAsyncOperation (fs)\n"
        "                        a request of timer is done (ran 1.000-2.000 on thread 1)\n"
        "     3.000              ▶ someAsyncOperation (fs), ran 1.000-2.000 on thread 1\n");
}

TEST_CASE("a limit is the end of the simulation, not of the process", "[trace][text]") {
  Events events;
  Event& limit = events.add(EventKind::limit, kSecond);
  limit.detail = detail(LimitKind::time), limit.a = kSecond;
  events.add(EventKind::exit, kSecond).detail = detail(ExitReason::limit);
  const std::string all = body(events);
  CHECK(contains(all, "■ limit reached: 1000 ms of virtual time (limits.time)\n"));
  CHECK_FALSE(contains(all, "exit code"));
}

TEST_CASE("every event can be told with nothing filled in", "[trace][text]") {
  Events events;
  for (const EventInfo& info : event_table()) events.add(info.kind);
  CHECK(!text(events).empty());
  CHECK(!text(events, {.color = true, .width = 1}).empty());
}

TEST_CASE("times have three decimals, or six where they need them", "[trace][text]") {
  CHECK(ms_text(0) == "0.000");
  CHECK(ms_text(95'000'000) == "95.000");
  CHECK(ms_text(1'234'567) == "1.234567");
  CHECK(ms_text(-1'500'000) == "-1.500");
  CHECK(short_ms_text(95'000'000) == "95");
  CHECK(short_ms_text(700'000) == "0.7");
  CHECK(short_ms_text(40) == "0.00004");
}

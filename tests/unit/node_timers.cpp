// Timers. The expected values were measured on real Node under a virtual clock (tools/conformance), not with loopsim.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/node/slab.hpp"
#include "sim/node/timers/list_queue.hpp"
#include "tests/support/simulate.hpp"

using loopsim::EventKind;
using loopsim::testing::Lines;
using loopsim::testing::Run;
using loopsim::testing::simulate_main;

namespace {
const char* const kAll[] = {"node-4",  "node-6",  "node-8",  "node-10", "node-11", "node-12", "node-14",
                            "node-16", "node-18", "node-20", "node-22", "node-24", "node-26"};
}

TEST_CASE("timers of one duration run as a batch: A C B", "[timers]") {
  for (const char* runtime : kAll) {
    INFO(runtime);
    CHECK(simulate_main(R"(
      {"setTimeout": 10, "do": [], "as": "A"}, {"spin": 2},
      {"setTimeout": 9, "do": [], "as": "B"}, {"spin": 2},
      {"setTimeout": 10, "do": [], "as": "C"}, {"spin": 30})",
                        runtime)
              .callbacks == Lines{"A@34", "C@34", "B@34"});
  }
}

TEST_CASE("setInterval of 5 ms whose callback takes 7 ms", "[timers]") {
  const std::string main = R"(
    {"set": {"n": 0}},
    {"setInterval": 5, "as": "i", "do": [
      {"spin": 7}, {"add": {"n": 1}}, {"if": ["n", "==", 4], "then": [{"clear": "i"}]} ]})";
  CHECK(simulate_main(main, "node-4").callbacks == Lines{"i@5", "i@24", "i@43", "i@62"});
  for (const char* runtime : {"node-6", "node-8", "node-11"})
    CHECK(simulate_main(main, runtime).callbacks == Lines{"i@5", "i@17", "i@29", "i@41"});
  CHECK(simulate_main(main, "node-10").callbacks == Lines{"i@5", "i@13", "i@21", "i@29"});
  for (const char* runtime : {"node-12", "node-14", "node-16", "node-18", "node-20", "node-22", "node-24", "node-26"}) {
    CHECK(simulate_main(main, runtime).callbacks == Lines{"i@5", "i@12", "i@19", "i@26"});
  }
}

TEST_CASE("every odd delay becomes 1 ms", "[timers]") {
  for (const char* delay :
       {"0", "-5", "\"NaN\"", "\"\"", "null", "false", "true", "\"abc\"", "2147483648", "\"Infinity\"", "0.5", "1"}) {
    INFO(delay);
    CHECK(simulate_main(std::string(R"({"setTimeout": )") + delay + R"(, "do": [], "as": "t"})").callbacks ==
          Lines{"t@1"});
  }
  CHECK(simulate_main(R"({"setTimeout": "50", "do": [], "as": "t"})").callbacks == Lines{"t@50"});
  CHECK(simulate_main(R"({"setTimeout": 1.9, "do": [], "as": "t"})").callbacks == Lines{"t@1"});
  CHECK(simulate_main(R"({"setTimeout": 2147483647, "do": [], "as": "t"})", "", R"("limits": {"time": "1000h"})")
            .callbacks == Lines{"t@2147483647"});
}

TEST_CASE("a timer armed while the timers run waits for the next pass", "[timers]") {
  CHECK(
      simulate_main(
          R"({"setTimeout": 1, "as": "a", "do": [{"setTimeout": 0, "as": "b", "do": []}, {"setImmediate": [], "as": "i"}]})")
          .callbacks == Lines{"a@1", "i@1", "b@2"});
}

TEST_CASE("clearing a timer that is already due, from a timer of the same batch", "[timers]") {
  CHECK(simulate_main(R"(
    {"setTimeout": 5, "as": "a", "do": [{"clear": "b"}]}, {"setTimeout": 5, "as": "b", "do": []}, {"setTimeout": 6, "as": "c", "do": []},
    {"spin": 20})")
            .callbacks == Lines{"a@20", "c@20"});
}

TEST_CASE("refresh counts again from now", "[timers]") {
  for (const char* runtime : {"node-10", "node-11", "node-12", "node-18", "node-20", "node-26"}) {
    INFO(runtime);
    CHECK(simulate_main(
              R"({"setTimeout": 50, "as": "t", "do": []}, {"setTimeout": 30, "as": "r", "do": [{"refresh": "t"}]})",
              runtime)
              .callbacks == Lines{"r@30", "t@80"});
  }
}

TEST_CASE("a lone unref'd timer never runs, even when overdue", "[timers]") {
  for (const char* runtime : kAll) {
    INFO(runtime);
    CHECK(simulate_main(R"({"setTimeout": 1, "as": "t", "do": []}, {"unref": "t"}, {"spin": 5})", runtime)
              .callbacks.empty());
  }
}

TEST_CASE("an unref'd timer that comes due in the last turn", "[timers]") {
  const std::string main =
      R"({"setImmediate": [{"spin": 5}], "as": "i"}, {"setTimeout": 1, "as": "f", "do": []}, {"unref": "f"})";
  for (const char* runtime : {"node-8", "node-10", "node-12", "node-14", "node-16", "node-18"}) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).callbacks == Lines{"i@0"});
  }
  for (const char* runtime : {"node-4", "node-20", "node-22", "node-24", "node-26"}) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).callbacks == Lines{"i@0", "f@5"});
  }
}

TEST_CASE("a timeout of 0 against an immediate, from the main script", "[timers]") {
  const std::string pair = R"({"setTimeout": 0, "as": "t", "do": []}, {"setImmediate": [], "as": "i"})";
  CHECK(simulate_main(pair).callbacks == Lines{"i@0", "t@1"});
  CHECK(simulate_main(pair + R"(, {"spin": 1.2})").callbacks == Lines{"t@1.2", "i@1.2"});
  CHECK(simulate_main(pair, "", R"("machine": {"startup": "999.999us"})").callbacks ==
        Lines{"i@0.999999", "t@1.999999"});
  CHECK(simulate_main(pair, "", R"("machine": {"startup": "1ms"})").callbacks == Lines{"t@1", "i@1"});
  CHECK(simulate_main(pair, "", R"("machine": {"startup": "300us", "clock": "700us"})").callbacks ==
        Lines{"t@0.3", "i@0.3"});
}

TEST_CASE("from an I/O callback the immediate always comes first", "[timers]") {
  for (const char* runtime : kAll) {
    INFO(runtime);
    CHECK(simulate_main(R"({"fs": "read", "takes": 2, "as": "io", "do": [
            {"setTimeout": 0, "as": "t", "do": []}, {"setImmediate": [], "as": "i"}, {"spin": 5}]})",
                        runtime)
              .callbacks == Lines{"io@2", "i@7", "t@7"});
  }
}

TEST_CASE("Node 6 and 8: a list that empties before its own tick is run by that tick no more", "[timers]") {
  // `a` throws, so the rest of its list and, once due, the list of `b` are left to ticks. `x` precedes these ticks,
  // empties the list of `b` and creates another one, whose timer is still called by its own handle. The durations
  // exceed a minute because Node keeps emptied lists of shorter ones for the next timer.
  for (const char* runtime : {"node-6", "node-8"}) {
    INFO(runtime);
    const Run run = simulate_main(R"(
      {"on": "process", "event": "uncaughtException", "do": [], "as": "caught"},
      {"setImmediate": [], "as": "i"},
      {"setTimeout": 70000, "as": "b", "do": []},
      {"setTimeout": 10, "as": "a", "do": [
        {"nextTick": [{"clear": "b"}, {"setTimeout": 66000, "as": "c", "do": []}, {"spin": "67s"}], "as": "x"}, {"throw": "e"}]},
      {"setTimeout": 10, "as": "a2", "do": []},
      {"spin": "80s"})",
                                  runtime);
    CHECK(run.callbacks == Lines{"a@80000", "caught@80000", "x@80000", "a2@147000", "c@147000", "i@147000"});
    std::vector<EventKind> before_c;  // the event before `c`: it runs from the loop, not in a drain
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      if (run.events[i].event.kind == EventKind::callback_begin && run.events[i].name == "c")
        before_c.push_back(run.events[i - 1].event.kind);
    }
    CHECK(before_c == std::vector<EventKind>{EventKind::drain_end});
  }
}

TEST_CASE("the queue of timer lists gives the least of (expiry, id), however far ahead they are", "[timers]") {
  using loopsim::node::ListQueue;
  using loopsim::node::TimerList;
  loopsim::node::Slab<TimerList> lists;
  ListQueue queue(lists);
  std::set<std::tuple<loopsim::TimeMs, std::uint64_t, std::uint32_t>> model;
  std::uint64_t random = 1, id = 0;
  const auto below = [&random](std::uint64_t end) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return (random >> 33U) % end;
  };
  const std::uint64_t reach[] = {3, 70, 2047, 2049, 2050, 9000, 200'000};  // the wheel has 2048 slots
  loopsim::TimeMs now = 0;
  for (int step = 0; step < 60'000; ++step) {
    const std::uint64_t many = step / 10'000 % 2 == 0 ? 40 : 3;  // few lists, so that the queue is often empty
    if (model.empty() || (model.size() < many && below(3) != 0)) {
      const std::uint32_t list = lists.make();
      const std::uint64_t least = below(4) == 0 ? 2048 : below(reach[below(std::size(reach))]) + 1;
      lists[list].expiry = now + static_cast<loopsim::TimeMs>(least);
      lists[list].id = ++id;
      queue.enqueue(list, lists[list], now);
      model.emplace(lists[list].expiry, id, list);
    } else {
      auto taken = model.begin();
      if (below(3) == 0) std::advance(taken, below(model.size()));
      if (taken == model.begin()) now = std::max(now, std::get<0>(*taken));
      queue.dequeue(lists[std::get<2>(*taken)]);
      lists.free(std::get<2>(*taken));
      model.erase(taken);
    }
    REQUIRE(queue.empty() == model.empty());
    if (!model.empty()) REQUIRE(queue.first(now).list == std::get<2>(*model.begin()));
  }
}

TEST_CASE("lists that come due together are run in the order in which they were queued for that time", "[timers]") {
  // Some of these are further ahead than the wheel of the queue reaches.
  const std::string main = R"(
    {"setTimeout": 5000, "as": "far", "do": []},
    {"setTimeout": 2000, "as": "t1", "do": [{"setTimeout": 3000, "as": "near", "do": []}]},
    {"setTimeout": 3000, "as": "t2", "do": [{"setTimeout": 2000, "as": "nearer", "do": []}]},
    {"setTimeout": 1000, "as": "t0", "do": [{"setTimeout": 4000, "as": "four", "do": []}]},
    {"setTimeout": 4000, "as": "t4", "do": [{"setTimeout": 1000, "as": "one", "do": []}]})";
  for (const char* runtime : kAll) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).callbacks == Lines{"t0@1000", "t1@2000", "t2@3000", "t4@4000", "far@5000",
                                                          "nearer@5000", "near@5000", "one@5000", "four@5000"});
  }
}

TEST_CASE("lists of long durations are made anew when one has ended", "[timers]") {
  const std::string main = R"({"setTimeout": 70000, "as": "a", "do": [{"setImmediate": [
    {"setTimeout": 80000, "as": "b", "do": []}, {"setTimeout": 90000, "as": "c", "do": []}], "as": "i"}]})";
  for (const char* runtime : kAll) {
    INFO(runtime);
    CHECK(simulate_main(main, runtime).callbacks == Lines{"a@70000", "i@70000", "b@150000", "c@160000"});
  }
}

TEST_CASE("poll's sleep until the timer of monitorEventLoopDelay is until none of the program's", "[timers]") {
  const Run run = loopsim::testing::simulate(
      R"({"runtime": {"profile": "node-24", "monitorEventLoopDelay": 3}, "main": [{"setTimeout": 7, "as": "t", "do": []}]})");
  std::vector<std::pair<std::string, std::uint64_t>> polls;  // when each ended, and the timer it slept for
  for (const auto& kept : run.events) {
    if (kept.event.kind == EventKind::poll) polls.emplace_back(loopsim::testing::in_ms(kept.event.time), kept.event.id);
  }
  CHECK(polls == std::vector<std::pair<std::string, std::uint64_t>>{{"3", 0}, {"6", 0}, {"7", 2}});
}

TEST_CASE("work that is done while Node waits busily for the fraction of a delay", "[timers]") {
  // It was not the poll's sleep that held `read` up: that ended when `read` was ready.
  const Run run = simulate_main(
      R"({"setTimeout": 2, "as": "t", "do": [{"fs": "stat", "as": "stat", "do": []}]}, {"setTimeout": 2.5, "as": "u", "do": []})",
      "node-10");
  std::vector<std::string> late;
  for (const auto& kept : run.events) {
    if (kept.event.kind == EventKind::callback_begin && kept.event.b > 0)
      late.push_back(kept.name + " " + loopsim::testing::in_ms(kept.event.b) + " behind #" +
                     std::to_string(kept.event.c));
    if (kept.event.kind == EventKind::callback_begin && kept.event.b > 0)
      CHECK(static_cast<loopsim::LateReason>(kept.event.detail) == loopsim::LateReason::order);
  }
  CHECK(run.callbacks == Lines{"t@2", "u@3", "stat@3"});
  CHECK(late == Lines{"u 1 behind #2", "stat 1 behind #3"});
}

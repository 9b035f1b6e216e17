// libuv's loop without Node. Expected orders: measured on the real libuv in Node 4 to 26, by an addon that makes the
// same calls on its own loop. Tests note where versions differ.
#include "tests/support/uv_loop.hpp"

#include <catch2/catch.hpp>

#include "tests/support/simulate.hpp"

using loopsim::kMillisecond;
using loopsim::libuv_profiles;
using loopsim::LibuvProfile;
using loopsim::testing::Lines;
using loopsim::testing::LoopOnMachine;
using loopsim::uv::Handle;
using loopsim::uv::IoEvents;
using loopsim::uv::RunMode;
using loopsim::uv::Timer;

namespace {

// Runs four timers of 1 ms, all due in the first pass; the first one calls `act` with all four.
template <typename Act>
Lines four_timers(const LibuvProfile& profile, Act act) {
  LoopOnMachine test(profile);
  std::vector<Timer*> timers;
  bool is_first = true;
  timers.push_back(&test.timer("A", [&](Timer&) {
    if (std::exchange(is_first, false)) act(test, timers);
  }));
  for (const char* name : {"B", "C", "D"}) timers.push_back(&test.timer(name));
  for (auto* timer : timers) test.loop.start(*timer, 1);
  test.loop.run(RunMode::run_default);
  return test.told;
}

}  // namespace

TEST_CASE("libuv: a timer that is stopped, started or closed by one in front of it is not called", "[uv]") {
  using Timers = std::vector<Timer*>;
  for (const LibuvProfile& profile : libuv_profiles()) {
    CAPTURE(profile.version);
    CHECK(four_timers(profile, [](LoopOnMachine& test, Timers& it) { test.loop.stop(*it[1]); }) ==
          Lines{"A@1", "C@1", "D@1"});
    CHECK(four_timers(profile, [](LoopOnMachine& test, Timers& it) { test.loop.start(*it[1], 5); }) ==
          Lines{"A@1", "C@1", "D@1", "B@6"});
    CHECK(four_timers(profile, [](LoopOnMachine& test, Timers& it) { test.loop.start(*it[1], 0); }) ==
          Lines{"A@1", "C@1", "D@1", "B@1"});
    CHECK(four_timers(profile, [](LoopOnMachine& test, Timers& it) { test.loop.close(*it[1]); }) ==
          Lines{"A@1", "C@1", "D@1", "close B"});
    CHECK(four_timers(profile, [](LoopOnMachine& test, Timers& it) { test.loop.again(*it[1]); }) ==
          Lines{"A@1", "B@1", "C@1", "D@1"});
    CHECK(four_timers(profile, [](LoopOnMachine& test, Timers& it) { test.loop.start(*it[0], 0); }) ==
          Lines{"A@1", "B@1", "C@1", "D@1", "A@1"});
    CHECK(four_timers(profile, [](LoopOnMachine& test, Timers& it) {
            test.loop.stop(*it[1]);
            test.loop.start(*it[2], 0);
          }) == Lines{"A@1", "D@1", "C@1"});
  }
}

TEST_CASE("libuv: a timer that repeats is started anew before its callback", "[uv]") {
  for (const LibuvProfile& profile : libuv_profiles()) {
    CAPTURE(profile.version);
    LoopOnMachine test(profile);
    test.loop.measure_idle_time();  // otherwise the computing time would prolong poll's sleep
    int rounds = 0;
    Timer& repeating = test.timer("A", [&](Timer& it) {
      test.compute(2 * kMillisecond);  // counts from the time at which the pass began
      if (++rounds == 3) test.loop.stop(it);
    });
    repeating.repeat = 3;
    test.loop.start(repeating, 2);
    test.loop.start(test.timer("B"), 5);
    test.loop.run(RunMode::run_default);
    CHECK(test.told == Lines{"A@2", "B@5", "A@5", "A@8"});
  }
}

TEST_CASE("libuv: again() starts an active timer anew, and does nothing to one without a repeat", "[uv]") {
  LoopOnMachine test(loopsim::uv::k1_52);
  Timer& a = test.timer("A", [&](Timer& it) {
    if (test.told.size() == 2) test.loop.stop(it);
  });
  test.loop.start(a, 2);
  test.loop.again(a);
  a.repeat = 4;
  test.loop.again(a);
  test.loop.run(RunMode::run_default);
  CHECK(test.told == Lines{"A@4", "A@8"});
}

TEST_CASE("libuv: the phases of a turn, and the last started of a kind is called first", "[uv]") {
  for (const LibuvProfile& profile : libuv_profiles()) {
    CAPTURE(profile.version);
    const bool timers_last = profile.loop_order == loopsim::LoopOrder::timers_last;
    LoopOnMachine test(profile);
    std::vector<Handle*> handles;
    for (const char* name : {"idle 1", "idle 2", "prepare 1", "prepare 2", "check 1", "check 2"})
      handles.push_back(&test.handle(name, [&test](Handle& it) { test.loop.stop(it); }));
    test.loop.start_idle(*handles[0]);
    test.loop.start_idle(*handles[1]);
    test.loop.start_prepare(*handles[2]);
    test.loop.start_prepare(*handles[3]);
    test.loop.start_check(*handles[4]);
    test.loop.start_check(*handles[5]);
    test.loop.start(test.timer("timer"), 0);
    test.loop.feed_pending(7);
    test.loop.close_with_callback(8);
    test.loop.run(RunMode::run_default);
    const Lines rest = {"pending7", "idle 2", "idle 1", "prepare 2", "prepare 1", "check 2", "check 1", "close8"};
    Lines expected = {"timer@0"};
    expected.insert(expected.end(), rest.begin(), rest.end());
    CHECK(test.told == expected);

    // In a single turn, timers run first or last, by version.
    LoopOnMachine once(profile);
    once.loop.start(once.timer("timer"), 0);
    Handle& check = once.handle("check");
    once.loop.start_check(check);
    once.loop.run(RunMode::nowait);
    CHECK(once.told == (timers_last ? Lines{"check", "timer@0"} : Lines{"timer@0", "check"}));
    once.loop.stop(check);
  }
}

TEST_CASE("libuv: a handle that a callback starts waits for the next turn, one that it stops is not called", "[uv]") {
  LoopOnMachine test(loopsim::uv::k1_52);
  int turns = 0;
  Handle& late = test.handle("late");
  Handle& victim = test.handle("victim");
  Handle& first = test.handle("first", [&](Handle& it) {
    test.loop.start_check(late);
    test.loop.stop(victim);
    if (++turns == 2) {
      test.loop.stop(it);
      test.loop.stop(late);
    }
  });
  test.loop.start_check(victim);
  test.loop.start_check(first);
  Handle& idle = test.handle("idle", [&](Handle& it) {
    if (turns == 2) test.loop.stop(it);
  });
  test.loop.start_idle(idle);
  test.loop.run(RunMode::run_default);
  // In the second turn `late` is first, since it was inserted at the head of the list.
  CHECK(test.told == Lines{"idle", "first", "idle", "late", "first", "idle"});
}

TEST_CASE("libuv: what keeps a loop alive", "[uv]") {
  for (const LibuvProfile& profile : libuv_profiles()) {
    CAPTURE(profile.version);
    LoopOnMachine test(profile);
    CHECK_FALSE(test.loop.alive());

    Timer& timer = test.timer("timer");
    test.loop.start(timer, 5);
    CHECK(test.loop.alive());
    test.loop.unref(timer);
    CHECK_FALSE(test.loop.alive());
    test.loop.ref(timer);
    CHECK(test.loop.alive());
    test.loop.stop(timer);
    CHECK_FALSE(test.loop.alive());

    Handle& check = test.handle("check");
    check.referenced = false;
    test.loop.start_check(check);
    CHECK_FALSE(test.loop.alive());
    test.loop.ref(check);
    CHECK(test.loop.alive());
    test.loop.unref(check);
    CHECK_FALSE(test.loop.alive());
    test.loop.ref(check);
    test.loop.stop(check);
    CHECK_FALSE(test.loop.alive());

    test.loop.close(timer);
    CHECK(test.loop.alive());
    test.loop.run(RunMode::run_default);
    CHECK(test.told == Lines{"close timer"});
    CHECK_FALSE(test.loop.alive());

    test.work("work", 3 * kMillisecond);
    CHECK(test.loop.alive());
    test.loop.run(RunMode::run_default);
    CHECK(test.told.back() == "work@3");
    CHECK_FALSE(test.loop.alive());
  }
}

TEST_CASE("libuv: an active idle handle keeps poll from blocking, referenced or not", "[uv]") {
  for (const bool referenced : {true, false}) {
    LoopOnMachine test(loopsim::uv::k1_52);
    int turns = 0;
    Handle& idle = test.handle("idle", [&](Handle& it) {
      if (++turns == 3) test.loop.stop(it);
    });
    idle.referenced = referenced;
    test.loop.start_idle(idle);
    test.loop.start(test.timer("timer"), 4);
    test.loop.run(RunMode::run_default);
    CHECK(test.told == Lines{"idle", "idle", "idle", "timer@4"});
  }
}

TEST_CASE("libuv: stop() ends the run after the turn, once, and the next run goes on", "[uv]") {
  for (const LibuvProfile& profile : libuv_profiles()) {
    CAPTURE(profile.version);
    LoopOnMachine test(profile);
    test.loop.start(test.timer("A", [&](Timer&) { test.loop.stop(); }), 1);
    test.loop.start(test.timer("B"), 3);
    Handle& check = test.handle("check");
    check.referenced = false;
    test.loop.start_check(check);
    CHECK(test.loop.run(RunMode::run_default));
    CHECK(test.told == (profile.loop_order == loopsim::LoopOrder::timers_last ? Lines{"check", "A@1"}
                                                                              : Lines{"check", "A@1", "check"}));
    CHECK_FALSE(test.loop.run(RunMode::run_default));
    CHECK(std::count(test.told.begin(), test.told.end(), "B@3") == 1);
    test.loop.stop(check);
  }
}

// libuv src/unix/linux.c, uv__io_poll: "File descriptor that we've stopped watching, disarm it."
TEST_CASE("libuv: an event of a descriptor that is no longer watched corrects a sleep by an old reading, once",
          "[uv]") {
  for (const LibuvProfile& profile : libuv_profiles()) {
    CAPTURE(profile.version);
    for (const bool stays : {false, true}) {
      LoopOnMachine test(profile);
      test.loop.start(test.timer("busy", [&](Timer&) { test.compute(7 * kMillisecond); }), 1);
      test.loop.start(test.timer("second", [&](Timer&) { test.compute(5 * kMillisecond); }), 20);
      test.loop.start(test.timer("third"), 40);
      std::uint32_t descriptor = 0;
      descriptor = test.descriptor("connected", IoEvents::out, [&] {
        test.compute(1 * kMillisecond);  // so that `busy` runs before the next poll
        test.stop_watching(descriptor);
        if (!stays) test.loop.unwatch(descriptor);
      });
      test.loop.run(RunMode::run_default);
      CHECK(test.told == Lines{"connected@0", "busy@1", stays ? "second@20" : "second@27", "third@45"});
    }
  }
}

// At each event, update_timeout subtracts the whole time since the poll began: from 18 ms first 4, then 8.
TEST_CASE("libuv: two events for nobody in one sleep let it end too early", "[uv]") {
  LoopOnMachine test(loopsim::uv::k1_52);
  std::vector<std::uint32_t> descriptors;
  for (const char* name : {"A", "B"}) descriptors.push_back(test.descriptor(name, IoEvents::in));
  test.loop.start(test.timer("stop",
                             [&](Timer&) {
                               for (const std::uint32_t descriptor : descriptors) test.stop_watching(descriptor);
                             }),
                  2);
  test.loop.start(test.timer("timer"), 20);
  test.gets_data(descriptors[0], 6 * kMillisecond);
  test.gets_data(descriptors[1], 10 * kMillisecond);
  Handle& turn = test.handle("turn", [&](Handle&) { test.tell("at " + std::to_string(test.loop.now())); });
  turn.referenced = false;
  test.loop.start_prepare(turn);
  test.loop.run(RunMode::run_default);
  CHECK(test.told == Lines{"turn", "at 0", "stop@2", "turn", "at 2", "turn", "at 16", "timer@20"});
}

// libuv src/unix/linux.c, uv__io_poll: a full batch may not be all there is, "Avoid monopolizing the loop".
TEST_CASE("libuv: while batches are full poll asks again, 48 times in all", "[uv]") {
  const auto served = [](int descriptors) {
    LoopOnMachine test(loopsim::uv::k1_52);
    int calls = 0;
    for (int i = 0; i < descriptors; ++i) test.descriptor("ready", IoEvents::out, [&calls] { ++calls; });
    test.loop.start(test.timer("timer"), 1);
    test.loop.run(RunMode::nowait);
    return calls;
  };
  CHECK(served(1023) == 1023);
  CHECK(served(1024) == 48 * 1024);
}

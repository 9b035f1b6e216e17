// Several loops on one machine (sim/machine/shared_cores.hpp), as processes of C++ functions. The times are derived by
// hand from the model of the cores (docs/machine.md): each of n computing threads on C cores has min(1, C / n) cores.
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "loopsim/writers.hpp"

#include "sim/native/together.hpp"

using namespace std::chrono_literals;
using loopsim::Process;
using loopsim::Together;

namespace {

// The notes of all processes in order: "loop name@microseconds".
struct Notes {
  std::vector<std::string> list;
  void add(int loop, const char* what, const Process& process) {
    list.push_back(fmt::format("{} {}@{}", loop, what, process.now() / 1000));
  }
};

loopsim::MachineSpec cores(std::uint32_t count) {
  loopsim::MachineSpec machine;
  machine.cores = count;
  return machine;
}

// Keeps the events of a trace.
class Order : public loopsim::TraceSink {
 public:
  void begin(const loopsim::RunInfo& /*info*/) override {}
  void events(const loopsim::EventBatch& batch) override {
    for (const loopsim::Event& event : batch.events) events_.push_back(event);
  }
  void end(const loopsim::RunSummary& /*summary*/) override {}
  std::vector<loopsim::Event> events_;
};

// The main scripts of three processes set a timer of 10 ms, whose callback computes 1 ms, and compute 3, 6 and 9 ms.
std::vector<std::string> three(const loopsim::MachineSpec& machine, Order* order = nullptr) {
  Process first, second, third;
  Notes notes;
  const auto main = [&notes](int loop, Process& process, Process::Duration work) {
    return [=, &notes, &process] {
      process.set_timeout(
          10ms,
          [=, &notes, &process] {
            notes.add(loop, "timer", process);
            process.compute(1ms);
            notes.add(loop, "done", process);
          },
          "timer");
      process.compute(work);
      notes.add(loop, "main", process);
    };
  };
  const Together::Member members[] = {
      {&first, main(0, first, 3ms)}, {&second, main(1, second, 6ms)}, {&third, main(2, third, 9ms)}};
  std::vector<loopsim::TraceSink*> sinks;
  if (order != nullptr) sinks.push_back(order);
  Together::run(machine, members, sinks);
  return notes.list;
}
std::vector<std::string> three(std::uint32_t count, Order* order = nullptr) { return three(cores(count), order); }

}  // namespace

TEST_CASE("three loops on one core share it", "[unit][machine][several]") {
  // Times in ms, "left" of the computations in loops 1 and 2:
  //   0 to 9      a third of the core each: loop 0 has its 3 ms at 9; left 3 and 6
  //   9 to 10     loops 1, 2: half each, 0.5 ms; left 2.5 and 5.5. Loop 0's timer is due at 10
  //   10 to 13    all three: 1 ms each; loop 0 is done at 13; left 1.5 and 4.5
  //   13 to 16    loops 1, 2: 1.5 ms each; loop 1's main script ends at 16; left 3. Its timer, due at 10, runs at once: 1 ms
  //   16 to 18    loops 1, 2: 1 ms each: loop 1 is done at 18; left 2
  //   18 to 20    loop 2 alone; its timer runs at 20, and is done at 21
  CHECK(three(1) == std::vector<std::string>{"0 main@9000", "0 timer@10000", "0 done@13000", "1 main@16000",
                                             "1 timer@16000", "1 done@18000", "2 main@20000", "2 timer@20000",
                                             "2 done@21000"});
}

TEST_CASE("three loops on one core take turns under a scheduler", "[unit][machine][several][scheduler]") {
  // Ticks at 4, 8 ... ms, virtual times v:
  //   0 to 3      loop 0, which sleeps then
  //   3 to 8      loop 1, of two: at 8 it has had 5, more than a slice of 3, v is 5
  //   8 to 12     loop 2. At 10 loop 0's timer wakes it up at v 3; loop 2 is at 2. At 12 it has had 4, more than 2 of three
  //   12 to 13    loop 0, whose timer was due at 10
  //   13 to 19    loop 2, at v 4: at 16 it has had 3. Done at 18, then its timer
  //   19 to 21    loop 1, 1 ms of the main script and its timer
  loopsim::MachineSpec machine = cores(1);
  machine.scheduler.policy = loopsim::SchedulerSpec::Policy::cfs;
  machine.scheduler.has_phase = true;
  CHECK(three(machine) == std::vector<std::string>{"0 main@3000", "0 timer@12000", "0 done@13000", "2 main@18000",
                                                   "2 timer@18000", "2 done@19000", "1 main@20000", "1 timer@20000",
                                                   "1 done@21000"});
}

TEST_CASE("three loops on two cores", "[unit][machine][several]") {
  // Two thirds of a core each: loop 0 has its 3 ms at 4.5. Then the other two have a core each, with 3 and 6 ms left:
  // 7.5 and 10.5. Poll timeouts are whole milliseconds from the loop's time, which is 4 and 7 when loops 0 and 1 block:
  // 6 and 3 ms, until 10.5. Then three timers run at once, with two thirds of a core each: 1 ms takes 1.5.
  CHECK(three(2) == std::vector<std::string>{"0 main@4500", "1 main@7500", "0 timer@10500", "1 timer@10500",
                                             "2 main@10500", "2 timer@10500", "0 done@12000", "1 done@12000",
                                             "2 done@12000"});
}

TEST_CASE("three loops on three cores know nothing of each other", "[unit][machine][several]") {
  CHECK(three(15) == std::vector<std::string>{"0 main@3000", "1 main@6000", "2 main@9000", "0 timer@10000",
                                              "1 timer@10000", "2 timer@10000", "0 done@11000", "1 done@11000",
                                              "2 done@11000"});
}

TEST_CASE("a trace of several loops goes forward, and each event names its loop", "[unit][machine][several]") {
  Order order;
  three(2, &order);
  loopsim::TimeNs before = 0;
  std::uint64_t sequence = 0;
  std::vector<int> begun(3), ended(3);
  for (const loopsim::Event& event : order.events_) {
    CAPTURE(event.sequence);
    CHECK(event.time >= before);
    CHECK(event.sequence == ++sequence);
    REQUIRE(event.loop < 3);
    before = event.time;
    if (event.kind == loopsim::EventKind::callback_begin) ++begun[event.loop];
    if (event.kind == loopsim::EventKind::callback_end) ++ended[event.loop];
  }
  CHECK(begun == std::vector<int>{2, 2, 2});
  CHECK(ended == begun);
}

TEST_CASE("the threads of all pools compute on the same cores", "[unit][machine][several]") {
  // One core. Loop 0 submits 2 ms of CPU to its pool and computes 2 ms itself; loop 1 computes 1 ms. A third each until
  // loop 1 has its 1 ms, at 3; then 1 ms is left for each of loop 0's two threads: 5.
  Process first, second;
  Notes notes;
  const Together::Member members[] = {{&first,
                                       [&] {
                                         Process::Work work;
                                         work.duration = 2ms;
                                         work.needs_cpu = true;
                                         first.start_work(work,
                                                          [&](const loopsim::Error*) { notes.add(0, "work", first); });
                                         first.compute(2ms);
                                         notes.add(0, "main", first);
                                       }},
                                      {&second, [&] {
                                         second.compute(1ms);
                                         notes.add(1, "main", second);
                                       }}};
  Together::run(cores(1), members);
  CHECK(notes.list == std::vector<std::string>{"1 main@3000", "0 main@5000", "0 work@5000"});
}

TEST_CASE("of loops whose time has come together the one with the lowest number runs first",
          "[unit][machine][several]") {
  Process first, second, third;
  Notes notes;
  const auto main = [&notes](int loop, Process& process) {
    return [=, &notes, &process] {
      process.set_timeout(5ms, [=, &notes, &process] { notes.add(loop, "timer", process); });
    };
  };
  const Together::Member members[] = {{&first, main(0, first)}, {&second, main(1, second)}, {&third, main(2, third)}};
  Together::run(cores(0), members);
  CHECK(notes.list == std::vector<std::string>{"0 timer@5000", "1 timer@5000", "2 timer@5000"});
}

TEST_CASE("what ends one process leaves the others alone", "[unit][machine][several]") {
  Process first, second, third;
  Notes notes;
  const Together::Member members[] = {{&first, [&] { throw loopsim::Error("no"); }},
                                      {&second,
                                       [&] {
                                         second.set_timeout(2ms, [&] {
                                           notes.add(1, "timer", second);
                                           second.exit(3);
                                         });
                                       }},
                                      {&third, [&] { third.set_timeout(4ms, [&] { notes.add(2, "timer", third); }); }}};
  const std::vector<loopsim::RunSummary> ends = Together::run(cores(0), members);
  CHECK(notes.list == std::vector<std::string>{"1 timer@2000", "2 timer@4000"});
  REQUIRE(ends.size() == 3);
  CHECK(ends[0].exit_code == 1);
  CHECK(ends[0].end_time == 0);
  CHECK(ends[1].exit_code == 3);
  CHECK(ends[1].end_time == 2'000'000);
  CHECK(ends[2].exit_code == 0);
  CHECK(ends[2].end_time == 4'000'000);
}

TEST_CASE("exceptions stay in their loops while others run", "[unit][machine][several]") {
  // Each computes, which lets other loops run, while it handles its own exception.
  Process first, second;
  std::vector<std::string> caught;
  const auto main = [&caught](Process& process, const char* what, Process::Duration work) {
    return [=, &caught, &process] {
      try {
        throw loopsim::Error(what);
      } catch (const loopsim::Error&) {
        process.compute(work);
        try {
          throw;
        } catch (const loopsim::Error& again) {
          caught.emplace_back(again.what());
        }
      }
    };
  };
  const Together::Member members[] = {{&first, main(first, "first", 3ms)}, {&second, main(second, "second", 2ms)}};
  Together::run(cores(1), members);
  CHECK(caught == std::vector<std::string>{"second", "first"});
}

TEST_CASE("a limit of time ends every loop that is still there", "[unit][machine][several]") {
  loopsim::ProcessOptions options;
  options.limits.time = 7'000'000;
  Process first(options), second(options);
  int rounds = 0;
  const Together::Member members[] = {{&first, [&] { first.set_interval(2ms, [&] { ++rounds; }); }},
                                      {&second, [&] { second.compute(20ms); }}};
  const std::vector<loopsim::RunSummary> ends = Together::run(cores(0), members);
  CHECK(rounds == 3);
  for (const loopsim::RunSummary& end : ends) {
    CHECK(end.reason == loopsim::ExitReason::limit);
    CHECK(end.limit == loopsim::LimitKind::time);
  }
  CHECK(ends[0].end_time == 7'000'000);
  CHECK(ends[1].end_time == 7'000'000);
}

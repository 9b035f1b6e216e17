// Invariants of every trace, checked for all shipped scenarios in every version of Node.
#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "sim/program/program.hpp"
#include "tests/support/every_run.hpp"
#include "tests/support/queue_rules.hpp"
#include "tests/support/simulate.hpp"
#include "tests/support/trace_rules.hpp"

using namespace loopsim;
using loopsim::testing::Kept;
using loopsim::testing::Run;

namespace {

template <class Check>
void for_every_run(const Check& check) {
  const auto check_it = [&](const Program& program, const Profile&, const auto&) { check(program); };
  loopsim::testing::for_every_run(check_it);
  loopsim::testing::for_every_page(check_it);
}

}  // namespace

// Rules: tests/support/trace_rules.hpp.
TEST_CASE("every trace keeps the rules of traces", "[property]") {
  for_every_run([](const Program& program) {
    testing::TraceRules rules;
    TraceSink* const sinks[] = {&rules};
    run(program, sinks);
    CHECK(rules.broken() == "");
  });
}

// Rules: tests/support/queue_rules.hpp.
TEST_CASE("what a trace tells of the queues is what comes out of them", "[property][queues]") {
  std::uint64_t first_outs = 0;
  for_every_run([&first_outs](const Program& program) {
    testing::QueueRules rules;
    TraceSink* const sinks[] = {&rules};
    run(program, sinks);
    CHECK(rules.broken() == "");
    first_outs += rules.first_outs();
  });
  CHECK(first_outs > 28000);  // the rule of FIFO was asked
}

// Removes one event from a trace: the rules must notice.
TEST_CASE("the rules of queues find what breaks them", "[property][queues]") {
  const Run run = testing::simulate_main(
      R"({ "fs": "read", "takes": "1ms", "as": "f", "do": [ { "nextTick": [] }, { "nextTick": [] } ] })");
  std::vector<Event> events;
  for (const Kept& kept : run.events) {
    events.push_back(kept.event);
    events.back().text_offset = events.back().text_size = 0;  // the texts are not kept
  }
  const auto broken_without = [&](EventKind kind, int number) {
    std::vector<Event> left;
    for (const Event& event : events) {
      if (event.kind == kind && number-- == 0) continue;
      left.push_back(event);
    }
    testing::QueueRules rules;
    RunInfo info;
    info.threadpool = 4;
    rules.begin(info);
    EventBatch batch;
    batch.events = left;
    rules.events(batch);
    return rules.broken().substr(std::min(rules.broken().find(": "), rules.broken().size() - 2) + 2);
  };
  CHECK(broken_without(EventKind::enqueue, 0) == "a thread takes what stands at the pool");
  CHECK(broken_without(EventKind::work_begin, 0) == "a thread ends what it has begun");
  CHECK(broken_without(EventKind::schedule, 2) == "the ticks are as many as stand there");
  CHECK(broken_without(EventKind::callback_begin, 2) == "who came first goes first");
}

// Damages a trace: the rules must notice.
TEST_CASE("the rules of traces find what breaks them", "[property]") {
  const auto broken_by = [](auto&& damage) {
    const Run run = testing::simulate_main(R"({ "setTimeout": 1, "as": "t", "do": [ { "setImmediate": [] } ] })");
    std::vector<Event> events;
    for (const Kept& kept : run.events) events.push_back(kept.event);
    const auto first = std::ranges::find_if(events, [](const Event& event) {
      return event.kind == EventKind::callback_begin && event.api == Api::set_timeout;
    });
    REQUIRE(first != events.end());
    damage(events, first);
    testing::TraceRules rules;
    EventBatch batch;
    batch.events = events;
    rules.events(batch);
    rules.end(run.summary);
    return rules.broken().substr(std::min(rules.broken().find(": "), rules.broken().size() - 2) + 2);
  };
  CHECK(broken_by([](auto&, auto event) { event->time -= 1; }) == "time, sequence and turns never go back");
  CHECK(broken_by([](auto&, auto event) { event->id = 99; }) ==
        "a callback begins once, and not after it was cancelled");
  CHECK(broken_by([](auto&, auto event) { event->kind = EventKind::schedule; }) == "a callback is scheduled once");
  CHECK(broken_by([](auto&, auto event) { event->kind = EventKind::ref; }) == "callbacks, drains and phases nest");
  CHECK(broken_by([](auto&, auto event) { event->a += 1; }) == "no callback begins before it is due");
  CHECK(broken_by([](auto& events, auto) { events.pop_back(); }) ==
        "the summary has the number and time of the last event");
}

TEST_CASE("the same program gives the same bytes, with and without other sinks", "[property]") {
  for_every_run([](const Program& program) {
    const Run first = testing::simulate(program);
    const Run second = testing::simulate(program);
    CHECK(first.jsonl == second.jsonl);
    const auto hash = make_hash_sink();
    TraceSink* const sinks[] = {hash.get()};
    run(program, sinks);
    const auto again = make_hash_sink();
    TraceSink* const others[] = {again.get()};
    run(program, others);
    CHECK(hash->hash() == again->hash());
  });
}

namespace {

// The fields of a summary that a run without a trace sets.
auto told(const RunSummary& run) {
  return std::tuple(run.reason, run.limit, run.exit_code, run.end_time, run.poll_time, run.turns, run.callbacks,
                    run.steps);
}

// Whom the trace is told, and who does nothing with it: a hash would take longer than the run.
struct Listener final : TraceSink {
  void begin(const RunInfo&) override {}
  void end(const RunSummary&) override {}
  void events(const EventBatch&) override {}
};

void check_untraced(const Program& program) {
  Listener listener;
  TraceSink* const sinks[] = {&listener};
  const RunSummary traced = run(program, sinks);
  const RunSummary untraced = run(program, {});
  CHECK(told(untraced) == told(traced));
}

}  // namespace

// Without a trace, callbacks take shortcuts (leaves, quiet polls), which must have the same result.
TEST_CASE("a run that is not traced is the same run", "[property]") {
  for_every_run([](const Program& program) { check_untraced(program); });
}

// The first ten limits in every run, the others up to 60 in turn: each of them in two of a scenario's versions, which have the same
// shortcuts. LOOPSIM_THOROUGH=1 gives every run every limit.
TEST_CASE("a run that is not traced ends at the same limit", "[property]") {
  const bool is_thorough = std::getenv("LOOPSIM_THOROUGH") != nullptr;
  constexpr std::uint64_t kFirst = 10, kLast = 60, kTurns = 7;
  std::uint64_t turn = 0;
  for_every_run([is_thorough, &turn](const Program& program) {
    ++turn;
    Program limited = program;
    for (std::uint64_t limit = 1; limit <= kLast; ++limit) {
      if (!is_thorough && limit > kFirst && (limit + turn) % kTurns != 0) continue;
      limited.limits = program.limits;
      limited.limits.steps = limit;
      check_untraced(limited);
      limited.limits = program.limits;
      limited.limits.callbacks = limit;
      check_untraced(limited);
      if (limit > 5) continue;
      limited.limits = program.limits;
      limited.limits.queue = limit;
      check_untraced(limited);
      limited.limits = program.limits;
      limited.limits.time = static_cast<TimeNs>(limit) * 3 * kMillisecond;
      check_untraced(limited);
    }
  });
}

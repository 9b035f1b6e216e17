// What must hold for every trace, looked at over all scenarios that ship, under every version of Node.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "sim/program/program.hpp"
#include "tests/support/scenario_files.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;
using loopsim::testing::Kept;
using loopsim::testing::Run;
using loopsim::testing::scenario_files;

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Every scenario under every version that has what it uses.
template <class Check>
void for_every_run(const Check& check) {
  std::size_t runs = 0;
  for (const auto& path : scenario_files()) {
    const std::string text = read_file(path);
    for (const Profile& profile : profiles()) {
      ReadOptions options;
      options.runtime = profile.name;
      const ReadResult read = read_scenario(text, path.filename().string(), options);
      if (!read.scenario) continue;
      const CompileResult compiled = compile(*read.scenario);
      REQUIRE(compiled.program != nullptr);
      INFO(path.filename().string() << " under " << profile.name);
      check(*compiled.program);
      ++runs;
    }
  }
  CHECK(runs > 13);
}

}  // namespace

TEST_CASE("time, sequence and turns never go back", "[property]") {
  for_every_run([](const Program& program) {
    const Run run = testing::simulate(program);
    TimeNs time = 0;
    std::uint64_t sequence = 0, turn = 0;
    bool ok = true;
    for (const Kept& kept : run.events) {
      ok = ok && kept.event.time >= time && kept.event.sequence == sequence + 1 && kept.event.turn >= turn;
      time = kept.event.time;
      sequence = kept.event.sequence;
      turn = kept.event.turn;
    }
    CHECK(ok);
    CHECK(run.summary.events == sequence);
    CHECK(run.summary.end_time >= time);
  });
}

TEST_CASE("a callback is scheduled once, begins at most once, and not after it was cancelled", "[property]") {
  for_every_run([](const Program& program) {
    const Run run = testing::simulate(program);
    std::set<std::uint64_t> scheduled, begun, cancelled;
    bool ok = true;
    for (const Kept& kept : run.events) {
      const std::uint64_t id = kept.event.id;
      if (kept.event.kind == EventKind::schedule) ok = ok && scheduled.insert(id).second;
      if (kept.event.kind == EventKind::cancel)
        ok = ok && scheduled.count(id) == 1 && begun.count(id) == 0 && cancelled.insert(id).second;
      if (kept.event.kind == EventKind::callback_begin) {
        // Listeners are called by an emit, Node's own or the program's, and the main script by Node: nothing schedules them.
        const Api api = kept.event.api;
        const bool direct = api == Api::on || api == Api::process_event || api == Api::main || api == Api::listen ||
                            api == Api::connect || api == Api::close || api == Api::spawn;
        ok = ok && begun.insert(id).second && (direct || scheduled.count(id) == 1) && cancelled.count(id) == 0;
      }
    }
    CHECK(ok);
  });
}

TEST_CASE("callbacks, drains and phases nest", "[property]") {
  for_every_run([](const Program& program) {
    const Run run = testing::simulate(program);
    std::vector<std::pair<EventKind, std::uint64_t>> open;
    bool ok = true;
    const auto close = [&](EventKind kind, std::uint64_t id) {
      ok = ok && !open.empty() && open.back() == std::pair(kind, id);
      if (!open.empty()) open.pop_back();
    };
    for (const Kept& kept : run.events) {
      switch (kept.event.kind) {
        case EventKind::callback_begin: open.emplace_back(EventKind::callback_begin, kept.event.id); break;
        case EventKind::drain_begin: open.emplace_back(EventKind::drain_begin, 0); break;
        case EventKind::phase_enter: open.emplace_back(EventKind::phase_enter, 0); break;
        case EventKind::callback_end: close(EventKind::callback_begin, kept.event.id); break;
        case EventKind::drain_end: close(EventKind::drain_begin, 0); break;
        case EventKind::phase_exit: close(EventKind::phase_enter, 0); break;
        default: break;
      }
    }
    CHECK(ok);
    if (run.summary.reason == ExitReason::loop_empty) CHECK(open.empty());
  });
}

TEST_CASE("no callback begins before it is due", "[property]") {
  for_every_run([](const Program& program) {
    const Run run = testing::simulate(program);
    bool ok = true;
    for (const Kept& kept : run.events) {
      if (kept.event.kind != EventKind::callback_begin || kept.event.a < 0) continue;
      ok = ok && kept.event.time >= kept.event.a && kept.event.b == kept.event.time - kept.event.a;
      if (kept.event.b > 0) ok = ok && kept.event.detail != static_cast<std::uint8_t>(LateReason::none);
    }
    CHECK(ok);
  });
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

// All that a run without a trace tells.
auto told(const RunSummary& run) {
  return std::tuple(run.reason, run.limit, run.exit_code, run.end_time, run.poll_time, run.turns, run.callbacks,
                    run.steps);
}

void check_untraced(const Program& program) {
  const auto hash = make_hash_sink();
  TraceSink* const sinks[] = {hash.get()};
  const RunSummary traced = run(program, sinks);
  const RunSummary untraced = run(program, {});
  CHECK(told(untraced) == told(traced));
}

}  // namespace

// Callbacks that nobody is told about take shorter ways (leaves, quiet polls); they must lead to the same place.
TEST_CASE("a run that is not traced is the same run", "[property]") {
  for_every_run([](const Program& program) { check_untraced(program); });
}

TEST_CASE("a run that is not traced ends at the same limit", "[property]") {
  for_every_run([](const Program& program) {
    Program limited = program;
    for (std::uint64_t limit = 1; limit <= 60; ++limit) {
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

// Runs a program on a machine under a version of Node.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

class Program;  // the compiled form (sim/program/program.hpp)

struct CompileResult {
  std::shared_ptr<const Program> program;  // null when there was an error
  Diagnostics diagnostics;
};

// Compiles a checked scenario: flat arrays, names resolved to indices. The program is immutable; it can be run many
// times and from many threads.
[[nodiscard]] CompileResult compile(const Scenario& scenario);

// What a program's runs report besides what everybody wants to know.
struct CompileOptions {
  bool steps = false;  // calls, assignments and conditions (is_step): the same run, with further events
  // After that many steps, a last one says that there would have been more.
  std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
};
[[nodiscard]] CompileResult compile(const Scenario& scenario, const CompileOptions& options);

// The same program under another profile, of profiles() or made by the caller. The profile is copied.
//
// Unlike read_scenario(), does not check that the version supports all features of the scenario (async functions need
// Node 8, for example).
[[nodiscard]] std::shared_ptr<const Program> with_profile(const Program& program, const Profile& profile);

// A run is out of memory. The sinks have received the events so far, the limit event (LimitKind::memory) and end();
// summary() is what run() would have returned.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(const RunSummary& summary) : summary_(summary) {}
  [[nodiscard]] const char* what() const noexcept override { return "a run needs more memory than there is"; }
  [[nodiscard]] const RunSummary& summary() const { return summary_; }

 private:
  RunSummary summary_;
};

// Runs to the end of the process or to a limit. Deterministic: the same program and seed give the same calls of the
// sinks with the same bytes. Sinks are called in order, each with every batch. Without sinks no events are built.
// Throws OutOfMemory if the engine runs out of memory. A std::bad_alloc of a sink is passed on, and the sinks are not
// called again.
RunSummary run(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks);
RunSummary run(const Program& program, std::span<TraceSink* const> sinks);  // with the scenario's seed

}  // namespace loopsim

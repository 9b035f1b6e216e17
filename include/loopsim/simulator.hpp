// Runs a program on a machine under a version of Node.
#pragma once

#include <cstdint>
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

// Turns a checked scenario into a program: flat arrays, names resolved to indices. Immutable; may be run many times and from many threads.
[[nodiscard]] CompileResult compile(const Scenario& scenario);

// The same program under another profile: one of profiles(), or one that the caller has made. That is copied.
//
// A program knows nothing of its profile but this; so there is no check here that the version has all that the scenario uses, as
// read_scenario() does it (async functions need Node 8, say).
[[nodiscard]] std::shared_ptr<const Program> with_profile(const Program& program, const Profile& profile);

// There is no memory for more of a run. What happened until then has been told to the sinks, the limit (LimitKind::memory) and the end()
// as well; this is what run() would have returned.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(const RunSummary& summary) : summary_(summary) {}
  [[nodiscard]] const char* what() const noexcept override { return "a run needs more memory than there is"; }
  [[nodiscard]] const RunSummary& summary() const { return summary_; }

 private:
  RunSummary summary_;
};

// Runs to the end of the process or to a limit. The same program, seed and sinks give the same calls with the same bytes, always.
// Sinks are called in order, each with every batch. With no sinks no event is built at all.
// Throws OutOfMemory where the engine gets no more memory (std::bad_alloc); a std::bad_alloc of a sink is passed on as it is, and the
// sinks are told nothing more.
RunSummary run(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks);
RunSummary run(const Program& program, std::span<TraceSink* const> sinks);  // with the scenario's seed

}  // namespace loopsim

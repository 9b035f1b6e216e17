// JavaScript helpers of an exported script, for features that Node lacks: work with a set duration, promises that are
// resolved from outside, random durations, a trace of the callbacks.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim::javascript {

// In the order of the script. Only other helpers use `virtual_clock`, `operations`, `elapsed` and `pace`.
enum class Helper : std::uint8_t {
  virtual_clock,  // true under the conformance check's clock
  trace,          // instrumented: a line for each callback begun
  busy_wait,      // instrumented, before Node 11: virtual time passes in busy waits of the timers phase
  output,         // instrumented: console.log
  listen,         // instrumented: emitter.on with a named function
  operations,     // number of the next request to the virtual clock
  elapsed,        // milliseconds since an hrtime
  cpu,
  spin,
  pace,  // pbkdf2 iterations per millisecond on this machine
  work,
  work_in_turn,
  lookup,
  child_process,
  outside,  // inputs from outside the process
  deferred,
  clear,
  draw,
  loop_delay,  // monitorEventLoopDelay()
  start,       // Date.now() at the beginning of the program's own part
  page_cpu,    // cpu and spin of a page
  page_spin,
  named,  // a function under a name of the trace
};
inline constexpr std::size_t kHelpers = 23;

// The helpers that a script uses, under names that the scenario does not use.
class Helpers {
 public:
  Helpers(const Scenario& scenario, const JavaScriptOptions& options);

  // Adds the helper to the script; returns its name.
  const std::string& use(Helper helper);
  [[nodiscard]] bool uses(Helper helper) const { return used_[static_cast<std::size_t>(helper)]; }

  // An unused name, made from `wish`.
  std::string fresh(std::string_view wish);

  // The script's first lines: modules, then the helpers used.
  [[nodiscard]] std::string text() const;
  // Modules that the script's own part uses.
  void use_emitter() { uses_emitter_ = true; }
  const std::string& use_net() { return uses_net_ = true, net_; }
  const std::string& use_child_process() { return uses_child_process_ = true, child_process_; }

 private:
  [[nodiscard]] const std::string& name(Helper helper) const { return names_[static_cast<std::size_t>(helper)]; }
  [[nodiscard]] std::string modules() const;
  [[nodiscard]] std::string filled(std::string_view source) const;

  const Scenario& scenario_;
  bool instrumented_, named_;
  bool uses_emitter_ = false;
  bool uses_net_ = false;
  bool uses_child_process_ = false;
  std::set<std::string, std::less<>> taken_;
  std::array<std::string, kHelpers> names_;
  std::array<bool, kHelpers> used_{};
  std::string fs_, crypto_, dns_, net_, child_process_, perf_hooks_;
};

}  // namespace loopsim::javascript

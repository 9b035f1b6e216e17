// The few lines of JavaScript that an exported script needs for what Node itself does not have: work with a set duration,
// promises that are resolved from outside, random durations, a trace of its callbacks.
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

// In the order in which they stand in the script. `virtual_clock`, `operations` and `pace` are used by others only.
enum class Helper : std::uint8_t {
  virtual_clock,  // true under the conformance check's clock
  trace,          // instrumented: a line for each callback begun
  busy_wait,      // instrumented, before Node 11: a busy wait of the timers phase takes no more than its time
  output,         // instrumented: console.log
  listen,         // instrumented: emitter.on with a named function
  operations,     // numbers what the virtual clock is asked for
  elapsed,        // milliseconds since an hrtime
  cpu,
  spin,
  pace,  // how much pbkdf2 this machine does in a millisecond
  work,
  work_in_turn,
  lookup,
  child_process,
  outside,  // what the world outside does
  deferred,
  clear,
  draw,
  loop_delay,  // monitorEventLoopDelay()
  start,       // Date.now() at the beginning of the program's own part
};
inline constexpr std::size_t kHelpers = 20;

// Which helpers a script uses, and under which names: those of the scenario come first.
class Helpers {
 public:
  Helpers(const Scenario& scenario, bool instrumented);

  // The helper's name; from now on it belongs to the script.
  const std::string& use(Helper helper);
  [[nodiscard]] bool uses(Helper helper) const { return used_[static_cast<std::size_t>(helper)]; }

  // A name that nothing in the script has, made from `wish`.
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
  bool instrumented_;
  bool uses_emitter_ = false;
  bool uses_net_ = false;
  bool uses_child_process_ = false;
  std::set<std::string, std::less<>> taken_;
  std::array<std::string, kHelpers> names_;
  std::array<bool, kHelpers> used_{};
  std::string fs_, crypto_, dns_, net_, child_process_, perf_hooks_;
};

}  // namespace loopsim::javascript

// A runtime's interface to a language, whatever the runtime: it calls the program's functions and counts their steps. What Node asks
// of a language beyond that is in node/engine.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/runtime/flow.hpp"
#include "sim/runtime/value.hpp"

namespace loopsim::runtime {

class Engine {
 public:
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // By Callable::place. Places are never removed.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  // The items of Callable::arguments.
  [[nodiscard]] virtual std::span<const Value> list(std::uint32_t list) const = 0;

  // ---- calls ----------------------------------------------------------------------------------------------------------------
  // Runs the callable to its end, or to its first await. The caller gets the result's reference; it was undefined.
  virtual Flow call(std::uint32_t place, std::uint32_t context, std::span<const Value> arguments, Value* result) = 0;
  // The same where Place::leaf allows it: without arguments or a result.
  virtual Flow run_leaf(std::uint32_t place, std::uint32_t context) = 0;
  virtual Flow run_main(Value* result) = 0;  // the main script, or the body of the main module

  // A text as a value, for an argument; drop() gives its reference back.
  virtual Value make_text(std::string_view /*text*/) { return {}; }
  virtual void drop(const Value& /*value*/) {}

  // The process is over: what the program has written is told, also the line that has no end.
  virtual void process_ends() {}

  // ---- cost of a step -----------------------------------------------------------------------------------------------
  // An expensive step counts as several, so that the limit of steps bounds the time of a run: one more for each KiB of
  // text, and for every sixteen entries visited. The presence of a trace makes no difference.
  bool count_step() { return --steps_left_ >= 0; }
  void charge_bytes(std::size_t bytes) { steps_left_ -= static_cast<std::int64_t>(bytes >> 10U); }
  void charge_entries(std::size_t entries) { steps_left_ -= static_cast<std::int64_t>(entries >> 4U); }
  // For what only the trace needs: steps() as it was before. Nothing may have stopped the run since.
  void uncount(std::uint64_t steps_before) { steps_left_ = step_budget_ - static_cast<std::int64_t>(steps_before); }
  [[nodiscard]] std::uint64_t steps() const { return static_cast<std::uint64_t>(step_budget_ - steps_left_); }
  virtual Flow out_of_steps() = 0;
  // Nothing more may run: the running code stops at its next step.
  void stop() {
    step_budget_ -= steps_left_;
    steps_left_ = 0;
  }

 protected:
  explicit Engine(std::uint64_t step_limit)
      : step_budget_(static_cast<std::int64_t>(std::min(step_limit, kMostSteps))), steps_left_(step_budget_) {}
  ~Engine() = default;

  std::vector<Place> places_;

 private:
  static constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 62U;  // leaves room for charges beyond it
  std::int64_t step_budget_;
  std::int64_t steps_left_;  // none once nothing may run: one test instead of two
};

}  // namespace loopsim::runtime

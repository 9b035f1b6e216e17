// The end of a run: by the process, or by a limit.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sim/runtime/context.hpp"

namespace loopsim::runtime {

class Ending {
 public:
  explicit Ending(const Context& context) : context_(context) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

  [[nodiscard]] bool is_over() const { return over_; }  // nothing more runs
  [[nodiscard]] const RunSummary& summary() const { return summary_; }
  // RunSummary::advice. That of an exception which ends the process goes before what helped earlier.
  void set_advice(std::string advice) {
    if (!advice.empty()) summary_.advice = std::move(advice);
  }
  void suggest(std::string advice) {
    if (summary_.advice.empty()) summary_.advice = std::move(advice);
  }

  void set_place(std::string place) { summary_.place = std::move(place); }

  void end_process(ExitReason reason, std::int64_t code);
  // A limit of the scenario, or of this program: ends the run and reports the limit.
  void halt(LimitKind limit, std::int64_t value);
  void halt_for_steps() { halt(LimitKind::steps, static_cast<std::int64_t>(context_.limits.steps)); }
  void halt_for_queue() { halt(LimitKind::queue, static_cast<std::int64_t>(context_.limits.queue)); }
  void halt_for_memory();
  // True when nothing more may run. Also checks the clock against its limit.
  bool stopping() {
    if (context_.machine.needs_attention()) [[unlikely]]
      return stop_if_over();
    return false;
  }
  bool stop_if_over();
  void trace();  // the last event of a trace

 private:
  void stop();

  const Context& context_;
  bool over_ = false;
  RunSummary summary_;  // how it ended
};

}  // namespace loopsim::runtime

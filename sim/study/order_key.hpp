// The order of a run as a comparable key, and the lines in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/orders.hpp"
#include "loopsim/trace.hpp"

#include "sim/program/program.hpp"
#include "sim/study/judged_names.hpp"

namespace loopsim::study {

// Builds the key of a run: equal keys are equal orders.
class OrderSink final : public TraceSink {
 public:
  OrderSink(const JudgedNames& judged, OrderOf of) : judged_(judged), names_(judged), of_(of) {}

  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override;
  void end(const RunSummary& summary) override;
  [[nodiscard]] std::string take() { return std::move(key_); }  // after a run
  [[nodiscard]] const RunNames& names() const { return names_; }  // of the run

 private:
  void add(std::string_view line);

  const JudgedNames& judged_;
  RunNames names_;
  OrderOf of_;
  std::string key_;
  std::size_t lines_ = 0;
  std::uint64_t rest_ = 0;  // hash of the lines left out
  bool is_cut_ = false;
};

struct OrderWords {
  LimitKind limit = LimitKind::none;
  std::vector<std::string> lines;
  bool is_cut = false;
};
[[nodiscard]] OrderWords words_of(std::string_view key);
[[nodiscard]] std::string key_of(const std::vector<std::string>& lines);

// Whether durations, arrivals or the machine are random.
[[nodiscard]] bool program_draws(const Program& program);
[[nodiscard]] bool machine_draws(const MachineSpec& machine);
[[nodiscard]] inline bool draws(const Program& program) {
  return program_draws(program) || machine_draws(program.machine);
}
// Whether the traces of the first `seeds` replications differ.
[[nodiscard]] bool differs_between_seeds(const Program& program, std::uint64_t seeds);

}  // namespace loopsim::study

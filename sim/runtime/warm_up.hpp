// How much longer JavaScript computes while V8 has not compiled it yet (WarmUpSpec), by callback.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim::runtime {

class WarmUp {
 public:
  // Outside of callbacks is the main script, which is called once.
  explicit WarmUp(const WarmUpSpec& spec) : spec_(spec), factor_ppm_(spec.calls == 0 ? kMillion : spec.factor_ppm) {}

  [[nodiscard]] bool is_on() const { return spec_.calls != 0; }
  // A callback of this name begins. Returns what to hand to end() when it has returned.
  std::int64_t begin(std::uint32_t label) {
    const std::uint32_t slot = label + 1;  // kNoName, the highest number, has the first
    if (called_.size() <= slot) called_.resize(std::size_t{slot} + 1, 0);
    const std::int64_t outer = factor_ppm_;
    const std::int64_t left = spec_.calls - std::int64_t{called_[slot]};
    factor_ppm_ = kMillion + (spec_.factor_ppm - kMillion) * left / spec_.calls;
    if (left > 0) ++called_[slot];
    return outer;
  }
  void end(std::int64_t outer) { factor_ppm_ = outer; }
  [[nodiscard]] TimeNs scaled(TimeNs amount) const {
    if (factor_ppm_ == kMillion) return amount;
    return amount / kMillion * factor_ppm_ + amount % kMillion * factor_ppm_ / kMillion;
  }

 private:
  static constexpr std::int64_t kMillion = 1'000'000;
  const WarmUpSpec& spec_;
  std::int64_t factor_ppm_;            // of what runs
  std::vector<std::uint32_t> called_;  // by label, up to `calls`
};

}  // namespace loopsim::runtime

// The names of a trace (callback labels), numbered at first use. The processes of one trace share a table.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/tracer.hpp"

namespace loopsim {

class Names {
 public:
  // The first name is "main".
  explicit Names(Tracer& tracer) : tracer_(tracer), list_{"main"}, numbers_{{"main", 0}} {}

  // The number of `label`; a new one is added to the trace.
  std::uint32_t of(std::string_view label) {
    if (const auto known = numbers_.find(label); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(list_.size());
    list_.emplace_back(label);
    numbers_.emplace(label, number);
    tracer_.add_name(label);
    return number;
  }
  [[nodiscard]] std::span<const std::string> list() const { return list_; }

 private:
  Tracer& tracer_;
  std::vector<std::string> list_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

}  // namespace loopsim

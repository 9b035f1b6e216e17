// Lists of descriptors as texts, in events and in lines of calls: long ones are not written out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace loopsim {

inline constexpr std::size_t kMostListed = 32;   // of a list of descriptors
inline constexpr std::size_t kListedOfMany = 8;  // of a longer one

// Appends "3,4,5", or "3,4,5,6,7,8,9,10,... 1000 in all": `at(i)` is the descriptor at place i.
template <typename Out, typename At>
void put_descriptors(Out& out, std::size_t count, char separator, At&& at) {
  const std::size_t listed = count > kMostListed ? kListedOfMany : count;
  for (std::size_t i = 0; i < listed; ++i) {
    if (i > 0) out.push_back(separator);
    fmt::format_to(std::back_inserter(out), "{}", at(i));
  }
  if (listed < count) fmt::format_to(std::back_inserter(out), "{}... {} in all", separator, count);
}

}  // namespace loopsim

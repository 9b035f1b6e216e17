// Arguments that a language passes to Node's functions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "loopsim/time.hpp"

namespace loopsim::node {

// A timer's delay, in milliseconds: the coerced value and its whole part. Two registers hold it: written to memory in parts and read
// as a whole by the next call, it was a sixth of the time of a timer.
struct Delay {
  double asked = 1;
  std::int32_t whole = 1;
  bool odd = false;  // another delay was asked for, not from 1 to 2147483647, which counts as 1
};

inline constexpr std::size_t kMostRequests = 4;  // readFile

// fs, dns, crypto, zlib: requests one after another. The caller owns the texts, which live as long as the run.
struct Operation {
  std::string_view name;                                        // "readFile"
  std::string_view error;                                       // error code of its first request; empty: none
  std::uint32_t requests = 1;                                   // one after another
  std::array<std::string_view, kMostRequests> request_names{};  // "open", "read" ...
  std::array<TimeNs, kMostRequests> durations{};
  bool needs_cpu = false, is_slow = false, is_network = false;
  // The language's number for an operation of which it says, after each request, what comes next
  // (Engine::next_request); kNone: the requests are those above. Then `requests` is 1 or, for several, 2.
  std::uint32_t plan = 0xffffffffU;
};

}  // namespace loopsim::node

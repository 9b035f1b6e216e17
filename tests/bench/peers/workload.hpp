// Common to the C++ peers: the arguments and the delays.
//
//   PEER w1 PENDING CALLBACKS     PENDING events; each reschedules itself after a random 1 to 1000 ms
//   PEER w2 CALLBACKS             a chain: each event schedules the next one at the current time
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

struct Workload {
  bool chain = false;
  std::uint64_t pending = 1, callbacks = 0;
};

inline Workload read_workload(int count, char** words) {
  const std::string_view name = count > 1 ? words[1] : "";
  if (name == "w1" && count > 3)
    return {false, std::strtoull(words[2], nullptr, 10), std::strtoull(words[3], nullptr, 10)};
  if (name == "w2" && count > 2) return {true, 1, std::strtoull(words[2], nullptr, 10)};
  std::fprintf(stderr, "usage: %s w1 PENDING CALLBACKS | w2 CALLBACKS\n", words[0]);
  std::exit(2);
}

// xorshift64*, by Sebastiano Vigna; scaled without a division.
class Delays {
 public:
  std::uint64_t next_ms() {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    const std::uint64_t high = (state_ * 2685821657736338717ULL) >> 32U;
    return 1 + ((high * 1000) >> 32U);
  }

 private:
  std::uint64_t state_ = 88172645463325252ULL;
};

// Prints the number of callbacks, so that a peer that stopped early is noticed.
inline int report(std::uint64_t callbacks) {
  std::printf("%llu\n", static_cast<unsigned long long>(callbacks));
  return 0;
}

// What comes from outside: the messages of the other sides, and their ends. Only the next arrival of each source is queued, so an
// endless source costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "loopsim/io.hpp"

#include "sim/machine/machine.hpp"
#include "sim/machine/random.hpp"

namespace loopsim::io {

struct Arrival {
  std::uint32_t socket = 0;
  std::uint32_t bytes = 0;
  bool is_end = false;
};

class Outside {
 public:
  // Both must outlive it. Queues the first arrival of each source as a future event of the machine.
  Outside(const IoSpec& spec, std::uint64_t seed, Machine& machine);
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

  // The arrival of an event of the machine. Queues the next one of its source.
  Arrival take(const FutureEvent& event);
  // False: a source with bursts had so many of them without an arrival that it counts as endless.
  [[nodiscard]] bool has_an_end() const { return has_an_end_; }

 private:
  // In the order in which what comes at the same time comes: by group, socket, entry; the end is the last of a socket.
  struct Source {
    const IoArrivals* arrivals = nullptr;  // null: the end
    std::uint32_t socket = 0;
    TimeNs end = kNever;  // of the socket: then nothing comes any more
    Sampler gap, on, off;
    TimeNs on_until = 0;       // bursts: end of the current one
    std::uint64_t sent = 0;    // so far
    std::size_t position = 0;  // in a list
  };
  void queue_next(std::uint32_t number, TimeNs after);
  [[nodiscard]] TimeNs next_of(Source& source, TimeNs after);
  TimeNs add_on_time(Source& source, TimeNs after, TimeNs time);

  Machine& machine_;
  std::vector<Source> sources_;
  bool has_an_end_ = true;
};

}  // namespace loopsim::io

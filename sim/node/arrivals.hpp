// Arrival processes: signals and clients that come again and again. A client is another program. It connects, sends what it has to send,
// and has its answer when the server ends the connection; then it closes its end. In a closed system the same clients come back after they
// have thought.
//
// Only the next arrival of each process is queued, so that a process without an end costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/machine/random.hpp"
#include "sim/node/context.hpp"
#include "sim/node/slab.hpp"

namespace loopsim::node {

class OutsideArrivals : public Part {
 public:
  explicit OutsideArrivals(const Context& context) : Part(context), sources_(context.setup.inputs.size()) {}

  void begin(std::uint32_t input, std::uint64_t seed);
  void arrive(std::uint32_t input, TimeNs at);
  // The client at that end of a connection is told of the other end: the end of the answer, a reset, a refusal.
  void client_hears(std::uint32_t net, AnswerKind how);
  void client_is_answered(std::uint32_t client, TimeNs at);

 private:
  struct Source {
    Sampler gap, on, off;
    TimeNs on_until = 0;        // bursts: the end of the present one
    std::uint64_t begun = 0;    // arrivals so far
    std::size_t position = 0;   // in a list
    std::uint64_t clients = 0;  // that have come
  };
  struct Client {  // from its request to its answer
    std::uint32_t input = 0;
    std::uint32_t net = kNone;
    std::uint64_t number = 0;
    TimeNs asked_at = 0;
    AnswerKind how = AnswerKind::end;
    bool is_answered = false;
  };
  void next(std::uint32_t input, TimeNs after);
  TimeNs add_on_time(Source& source, TimeNs after, TimeNs time);

  std::vector<Source> sources_;  // by input
  Slab<Client> clients_;
};

}  // namespace loopsim::node

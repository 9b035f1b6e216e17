// Arrival processes: repeated signals and clients. A client is another program. It connects, sends its request, and has
// its answer when the server ends the connection; then it closes its end. In a closed system the same clients return
// after a think time.
//
// Only the next arrival of each process is queued, so an endless process costs nothing.
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
  // Reports the other end's action to the client at this end: the end of the answer, a reset, a refusal.
  void client_hears(std::uint32_t net, AnswerKind how);
  void client_is_answered(std::uint32_t client, TimeNs at);

 private:
  struct Source {
    Sampler gap, on, off;
    TimeNs on_until = 0;        // bursts: end of the current one
    std::uint64_t begun = 0;    // arrivals so far
    std::size_t position = 0;   // in a list
    std::uint64_t clients = 0;  // so far
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

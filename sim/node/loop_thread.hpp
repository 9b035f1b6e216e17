// The thread that the loop runs on: the CPU time it uses, what kept it busy, and so why a callback was late.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class LoopThread : public Part {
 public:
  using Part::Part;

  // All of these move the virtual clock; the loop's own time stays as it was read last.
  void compute(TimeNs amount);   // the thread has this much CPU, in ns, unless a signal ends the process before
  void spin_until(TimeNs time);  // it watches the clock until then, with the same exception
  void pay(Cost cost);           // it computes for the runtime itself

  // For the trace. It has been busy with callback `id` (0: none) since `from`.
  void note_busy(TimeNs from, std::uint64_t id, LateReason reason);
  void note_ended(std::uint64_t id) { last_ended_ = id; }
  // Fills in how late the callback is that was due at `due`, and what kept it.
  void blame(Event& event, TimeNs due) const;

 private:
  struct Busy {
    TimeNs from, to;
    std::uint64_t id;
    LateReason reason;
  };
  std::vector<Busy> busy_;  // in order of time; the last few thousand
  std::uint64_t last_ended_ = 0;
};

}  // namespace loopsim::node

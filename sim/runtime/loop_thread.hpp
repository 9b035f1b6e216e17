// The thread of the loop: its CPU time, its busy intervals, and from them the reason for a late callback.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/node/context.hpp"

namespace loopsim::node {

class LoopThread : public Part {
 public:
  using Part::Part;

  // All of these move the virtual clock; the loop's cached time stays.
  void compute(TimeNs amount);   // the thread uses this much CPU, in ns, unless a signal ends the process first
  void spin_until(TimeNs time);  // the thread polls the clock until then, with the same exception
  void pay(Cost cost);           // the runtime's own computation
  bool pay_for_log();            // the same inside a callback, for a line of output; false: the run ended meanwhile

  // For the trace: the thread was busy with callback `id` (0: none) since `from`.
  void note_busy(TimeNs from, std::uint64_t id, LateReason reason);
  void note_ended(std::uint64_t id) { last_ended_ = id; }
  // Fills in the lateness of the callback that was due at `due`, and its reason.
  void blame(Event& event, TimeNs due) const;

 private:
  struct Busy {
    TimeNs from, to;
    std::uint64_t id;
    LateReason reason;
  };
  std::vector<Busy> busy_;  // in order of time; the last few thousand
  std::uint64_t last_ended_ = 0;
  bool has_logged_ = false;
};

}  // namespace loopsim::node

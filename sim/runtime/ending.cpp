#include "sim/runtime/ending.hpp"

namespace loopsim::runtime {

void Ending::end_process(ExitReason reason, std::int64_t code) {
  if (over_) return;
  stop();
  summary_.reason = reason;
  summary_.exit_code = code & 0xff;
}

void Ending::halt(LimitKind limit, std::int64_t value) {
  if (over_) return;
  stop();
  summary_.reason = ExitReason::limit;
  summary_.limit = limit;
  if (!context_.tracer.on()) return;
  Event& event = context_.tracer.add(EventKind::limit);
  event.detail = static_cast<std::uint8_t>(limit);
  event.a = value;
}

void Ending::halt_for_memory() {
  over_ = false;  // a run that is already over still ends for this reason
  halt(LimitKind::memory, 0);
}

// Limits of the clock, of turns without work and of changes of the load; the last two count as steps.
bool Ending::stop_if_over() {
  if (context_.machine.out_of_time())
    halt(LimitKind::time, context_.limits.time);
  else if (context_.position.turn > context_.limits.steps || context_.machine.out_of_changes())
    halt_for_steps();
  return over_;
}

void Ending::stop() {
  over_ = true;
  context_.engine.stop();
  context_.machine.ask_for_attention();
}

void Ending::trace() {
  if (!context_.tracer.on()) return;
  context_.engine.process_ends();
  context_.tracer.leave_phase();
  context_.position.phase = Phase::exit;
  Event& event = context_.tracer.add(EventKind::exit);
  event.a = summary_.exit_code;
  event.detail = static_cast<std::uint8_t>(summary_.reason);
}

}  // namespace loopsim::runtime

// What computation costs: jumps (two in a round of a loop) and calls of functions are counted by QuickJS, and the machine says
// what a thousand of them take (OverheadSpec::jumps). The thread is given that time wherever the program can see a clock
// or ask for something, when its callback ends, and at every 10,000 of them: so a loop without an end meets the limit of
// time, and others get the core in its middle.
#include <utility>

#include "sim/node/environment.hpp"
#include "sim/quickjs/engine.hpp"

namespace loopsim::quickjs {

namespace {

// A shorter computation is not told: it is on the clock, but a trace of many small callbacks stays readable.
constexpr TimeNs kTold = 100 * kMicrosecond;

}  // namespace

bool Engine::pay_for_jumps() {
  if (!has_started_) return !node_->callbacks.stopping();
  const std::uint64_t jumps = js_->jumps();
  if (loads_ != 0) paid_jumps_ = jumps;
  const auto cost = clock_is_free_ ? 0U : static_cast<std::uint64_t>(program_.machine.overhead.jumps.a);
  unpaid_ += (jumps - std::exchange(paid_jumps_, jumps)) * cost;
  constexpr std::uint64_t kThousand = 1'000;
  const auto amount = static_cast<TimeNs>(unpaid_ / kThousand);
  unpaid_ %= kThousand;
  return compute(amount);
}

bool Engine::compute(TimeNs amount) {
  if (amount <= 0 || node_->callbacks.stopping()) return !node_->callbacks.stopping();
  if (computes_from_ == kNever) computes_from_ = node_->machine().now();
  computed_ += node_->thread.compute(amount);
  node_->loop().notice_time();
  return !node_->callbacks.stopping();
}

bool Engine::end_computation() {
  const bool goes_on = pay_for_jumps();
  if (computed_ >= kTold && tracer_.on() && goes_on) tell_computation(computes_from_, computed_);
  computes_from_ = kNever;
  computed_ = 0;
  return goes_on;
}

void Engine::tell_computation(TimeNs from, TimeNs amount) {
  Event& event = tracer_.add(EventKind::burn);
  event.detail = static_cast<std::uint8_t>(BurnKind::cpu);
  event.a = amount;
  event.b = from;
  event.c = node_->machine().now() - from;
}

}  // namespace loopsim::quickjs

#include "sim/machine/shared_cores.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "sim/machine/machine.hpp"
#include "sim/machine/scheduler.hpp"

namespace loopsim {

struct SharedCores::Loop {
  Machine* machine = nullptr;
  std::unique_ptr<Fiber> life;
  Tracer::Writer writer;
  // Condition to resume it.
  TimeNs until = 0;
  Machine::Goal goal = Machine::Goal::time;
  bool computes = false;
  bool reached = true;  // result of pass()
  // Its threads under a Scheduler.
  std::uint32_t first_task = 0;
  std::uint32_t end_task = 0;
};

SharedCores::SharedCores(const MachineSpec& spec, std::uint32_t threads, std::uint64_t seed, Tracer& tracer)
    : cpu_(spec, threads, seed), tracer_(tracer) {}

SharedCores::~SharedCores() = default;

std::uint32_t SharedCores::add(Machine& machine) {
  const auto number = static_cast<std::uint32_t>(loops_.size());
  const std::uint32_t first_task = loops_.empty() ? 0 : loops_.back()->end_task;
  loops_.push_back(std::make_unique<Loop>());
  loops_.back()->machine = &machine;
  loops_.back()->first_task = first_task;
  loops_.back()->end_task = tasks_;
  return number;
}

void SharedCores::run(std::vector<std::function<void()>> lives) {
  std::exception_ptr thrown;
  for (std::size_t i = 0; i < lives.size(); ++i) {
    Loop& loop = *loops_[i];
    loop.writer = {&loop.machine->position_, static_cast<std::uint16_t>(i), false};
    loop.life = std::make_unique<Fiber>(std::move(lives[i]));
  }
  const Tracer::Writer before = tracer_.exchange(loops_.front()->writer);
  shown_ = loops_.front().get();
  while (Loop* loop = next_to_run()) {
    show(*loop);
    const std::exception_ptr exception = loop->life->resume();
    if (Scheduler* scheduler = cpu_.scheduler(); scheduler != nullptr && loop->life->is_done()) {
      for (std::uint32_t task = loop->first_task; task < loop->end_task; ++task) scheduler->block(task);
    }
    if (exception) {
      if (!thrown) thrown = exception;
      for (const auto& other : loops_) {
        if (!other->life->is_done()) other->machine->run_out_of_time();
      }
    }
  }
  tracer_.exchange(before);
  if (thrown) std::rethrow_exception(thrown);
}

// Advances the clock until a loop can be resumed and returns the first one; null if all lives have ended.
SharedCores::Loop* SharedCores::next_to_run() {
  for (;;) {
    bool is_over = true;
    for (const auto& loop : loops_) {
      if (loop->life->is_done()) continue;
      is_over = false;
      show(*loop);
      const std::optional<bool> reached =
          loop->machine->out_of_time() ? true : loop->machine->arrive(loop->until, loop->goal);
      if (!reached) continue;
      loop->reached = *reached;
      return loop.get();
    }
    if (is_over) return nullptr;
    step();
  }
}

// Advances the clock to the next change.
void SharedCores::step() {
  std::uint32_t computations = 0;
  for (const auto& loop : loops_) {
    if (loop->life->is_done()) continue;
    show(*loop);
    if (cpu_.scheduler() != nullptr && !loop->computes) loop->machine->want_no_core();
    loop->machine->begin_wait(loop->computes);
    computations += loop->machine->computations(loop->computes);
  }
  cpu_.set_running(computations);
  TimeNs next = kNever;
  for (const auto& loop : loops_) {
    if (!loop->life->is_done()) next = std::min(next, loop->machine->next_step(loop->until, loop->goal));
  }
  if (cpu_.scheduler() == nullptr) cpu_.pass(now_, next);
  now_ = next;
  for (const auto& loop : loops_) loop->machine->position_.time = now_;
  if (Scheduler* scheduler = cpu_.scheduler())
    scheduler->advance(now_);
  else if (!cpu_.is_plain())
    cpu_.move_to(now_);
}

bool SharedCores::pass(std::uint32_t number, TimeNs until, std::uint8_t goal, bool computes) {
  Loop& loop = *loops_[number];
  loop.until = until;
  loop.goal = static_cast<Machine::Goal>(goal);
  loop.computes = computes;
  if (computes && cpu_.scheduler() != nullptr) loop.machine->want_core();
  loop.life->leave();
  return loop.reached;
}

void SharedCores::show(Loop& loop) {
  if (shown_ == &loop) return;
  shown_->writer = tracer_.exchange(loop.writer);
  shown_ = &loop;
}

}  // namespace loopsim

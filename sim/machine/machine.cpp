#include "sim/machine/machine.hpp"

#include "sim/machine/scheduler.hpp"

namespace loopsim {

namespace {
constexpr std::size_t kWaitsKept = 1024;  // enough to find the wait at the due time of a callback
}

Machine::Machine(const MachineSpec& spec, std::uint32_t pool, std::uint64_t seed, TimeNs time_limit,
                 std::uint64_t change_limit, Position& position, Tracer& tracer, SharedCores* shared)
    : spec_(spec),
      seed_(seed),
      time_limit_(time_limit),
      change_limit_(change_limit),
      position_(position),
      tracer_(tracer),
      shared_(shared),
      own_cpu_(shared == nullptr ? std::optional<Cpu>(std::in_place, spec, pool + 1, seed) : std::nullopt),
      cpu_(shared == nullptr ? *own_cpu_ : shared->cpu()),
      has_cores_(cpu_.is_plain()),
      is_alone_and_plain_(shared == nullptr && has_cores_),
      scheduler_(cpu_.scheduler()),
      first_task_(shared == nullptr ? 0 : shared->next_task(pool + 1)),
      number_(shared == nullptr ? 0 : shared->add(*this)),
      startup_(spec.startup, seed, MachineStream::startup, number_),
      wakeup_(spec.wakeup, seed, MachineStream::wakeup, number_),
      timer_slack_(spec.timer_slack, seed, MachineStream::timer_slack, number_),
      costs_{Sampler(spec.overhead.callback, seed, MachineStream::callback, number_),
             Sampler(spec.overhead.task, seed, MachineStream::task, number_),
             Sampler(spec.overhead.turn, seed, MachineStream::turn, number_),
             Sampler(spec.overhead.poll, seed, MachineStream::poll, number_),
             Sampler(spec.overhead.timer, seed, MachineStream::timer, number_),
             Sampler(spec.overhead.log, seed, MachineStream::log, number_),
             Sampler(spec.overhead.first_log, seed, MachineStream::first_log, number_),
             Sampler(spec.overhead.submit, seed, MachineStream::submit, number_),
             Sampler(spec.overhead.request, seed, MachineStream::request, number_),
             Sampler(spec.overhead.cold, seed, MachineStream::cold, number_),
             Sampler(spec.overhead.socket, seed, MachineStream::socket, number_)} {
  has_costs_ = !std::ranges::all_of(costs_, [](const Sampler& cost) { return cost.is_zero(); });
  if (out_of_changes()) ask_for_attention();
  for (std::uint32_t i = 0; i < spec.idle_states.size(); ++i)
    idle_states_.emplace_back(spec.idle_states[i].wakeup, seed, MachineStream::idle_state, i);
  wakes_in_time_ = timer_slack_.is_zero() && wakeup_.is_zero() && idle_states_.empty();
  clock_phase_ = std::min(Sampler(spec.clock_phase, seed, MachineStream::clock).draw(), kMillisecond - 1);
}

// ---- the loop's thread ----------------------------------------------------------------------------------------------

void Machine::cpu(TimeNs amount, TimeNs deadline) {
  if (has_cores_) return pass(std::min(position_.time + amount, deadline), Goal::time, true);
  if (scheduler_ != nullptr) {
    const TimeNs goal = scheduler_->executed(first_task_) + scheduler_->time_for(amount);
    target_ = goal;
    scheduler_->set_goal(first_task_, goal);
    pass(deadline, Goal::work, true);
    return scheduler_->set_goal(first_task_, kNever);
  }
  target_ = cpu_.attained() + Cpu::work_of(amount);
  pass(deadline, Goal::work, true);
}

TimeNs Machine::cpu_left(TimeNs amount, TimeNs deadline) {
  if (has_cores_) {
    const TimeNs from = position_.time;
    cpu(amount, std::max(deadline, from));
    return amount - (position_.time - from);
  }
  wait_for_core(deadline);  // also for no work at all: the process does not run during a stall
  cpu(amount, deadline);
  if (scheduler_ != nullptr) {
    const Work time = std::max<Work>(target_ - scheduler_->executed(first_task_), 0);
    return std::min(amount, scheduler_->work_in(static_cast<TimeNs>(time)));
  }
  const Work left = std::max<Work>(target_ - cpu_.attained(), 0);
  return static_cast<TimeNs>((left + (Work{1} << kWorkBits) - 1) >> kWorkBits);
}

void Machine::spin_until(TimeNs time, TimeNs deadline) {
  pass(std::min(time, deadline), Goal::time, true);
  if (!has_cores_) wait_for_core(deadline);
}

bool Machine::look_if_quiet() {
  is_quiet_ = shared_ == nullptr && is_plain() && future_.empty() && blocked_.empty() && computing_.empty();
  return is_quiet_;
}

void Machine::sleep(TimeNs deadline) {
  asleep_since_ = position_.time;
  if (!is_alone_and_plain_ || !blocked_.empty()) return pass(deadline, Goal::event, false);
  if (!future_.empty()) deadline = std::min(deadline, std::max(future_.front().time, position_.time));
  pass(deadline, Goal::time, false);
}

void Machine::wake_up() {
  last_wake_up_.event = position_.time;
  if (const TimeNs latency = draw_wakeup(); latency != 0) pass(position_.time + latency, Goal::time, false);
  last_wake_up_.ready = position_.time;
  wait_until_running();
  last_wake_up_.runs = position_.time;
}

void Machine::wait_for_core(TimeNs deadline) {
  if (scheduler_ == nullptr) return pass(deadline, Goal::core, true);
  // Stops the clock as soon as the thread runs, also where another loop's sleep gives it the core.
  scheduler_->set_goal(first_task_, scheduler_->executed(first_task_));
  pass(deadline, Goal::core, true);
  scheduler_->set_goal(first_task_, kNever);
}

// ---- the pool's threads ---------------------------------------------------------------------------------------------

void Machine::start_worker(std::uint32_t thread, TimeNs duration, bool needs_cpu, std::uint64_t order) {
  is_quiet_ = false;
  if (needs_cpu && scheduler_ != nullptr) {
    const std::uint32_t task = task_of(thread);
    const TimeNs goal = scheduler_->executed(task) + scheduler_->time_for(duration);
    computing_.push_back({goal, order, thread, duration == 0});
    scheduler_->set_goal(task, goal);
    scheduler_->wake(task);
  } else if (needs_cpu && !has_cores_) {
    computing_.push_back({cpu_.attained() + Cpu::work_of(duration), order, thread, duration == 0});
    std::push_heap(computing_.begin(), computing_.end(), ends_later<Computing>);
  } else {
    blocked_.push_back({position_.time + duration, order, thread});
    std::push_heap(blocked_.begin(), blocked_.end(), ends_later<Blocked>);
  }
}

// Ends all due work, one by one: an end lets the thread start its next work, which may be due at once. A blocked thread
// needs a core to finish.
void Machine::end_workers() {
  if (scheduler_ != nullptr) return end_scheduled_workers();
  if (cpu_.held() != Held::no) return;
  for (;;) {
    const bool blocked = !blocked_.empty() && blocked_.front().until <= position_.time;
    const bool computing = !computing_.empty() && computing_.front().until <= cpu_.attained();
    if (!blocked && !computing) return;
    if (blocked && (!computing || blocked_.front().order < computing_.front().order)) {
      std::pop_heap(blocked_.begin(), blocked_.end(), ends_later<Blocked>);
      const Blocked ended = blocked_.back();
      blocked_.pop_back();
      end_worker(ended.thread, ended.order);
    } else {
      std::pop_heap(computing_.begin(), computing_.end(), ends_later<Computing>);
      const Computing ended = computing_.back();
      computing_.pop_back();
      end_worker(ended.thread, ended.order);
    }
  }
}

// Threads that wait for a disk no more are runnable, with nothing to compute.
void Machine::wake_workers() {
  while (!blocked_.empty() && blocked_.front().until <= position_.time) {
    std::pop_heap(blocked_.begin(), blocked_.end(), ends_later<Blocked>);
    const Blocked woken = blocked_.back();
    blocked_.pop_back();
    start_worker(woken.thread, 0, true, woken.order);
  }
}

// As end_workers(). Here computing_ has no order: each thread has its own CPU time.
void Machine::end_scheduled_workers() {
  for (;;) {
    wake_workers();
    auto first = computing_.end();
    for (auto one = computing_.begin(); one != computing_.end(); ++one) {
      const std::uint32_t task = task_of(one->thread);
      // Work of no length is done as soon as the thread runs.
      const bool is_done =
          scheduler_->executed(task) >= one->until && (!one->is_empty || scheduler_->held(task) == Held::no);
      if (is_done && (first == computing_.end() || one->order < first->order)) first = one;
    }
    if (first == computing_.end()) return;
    const Computing ended = *first;
    *first = computing_.back();
    computing_.pop_back();
    end_worker(ended.thread, ended.order);
    const bool goes_on =
        std::ranges::any_of(computing_, [&](const Computing& one) { return one.thread == ended.thread; });
    if (goes_on) continue;
    scheduler_->set_goal(task_of(ended.thread), kNever);
    scheduler_->block(task_of(ended.thread));
  }
}

void Machine::end_worker(std::uint32_t thread, std::uint64_t order) {
  // Work of zero length that starts at the end of other work is ordered after it, independent of its number.
  last_end_order_ = last_end_ == position_.time ? std::max(last_end_order_, order) : order;
  last_end_ = position_.time;
  const std::uint32_t data = worker_host_.on_end(worker_host_.self, thread);
  schedule({position_.time, last_end_order_, FutureEvent::Kind::worker_done, data});
}

// ---- time -----------------------------------------------------------------------------------------------------------

// Steps from change to change: of the load, the quota, the stalls, the pool's threads, and the goal.
bool Machine::pass_in_steps(TimeNs until, Goal goal, bool computes) {
  if (shared_ != nullptr) return shared_->pass(number_, until, static_cast<std::uint8_t>(goal), computes);
  if (scheduler_ != nullptr) return pass_scheduled(until, goal, computes);
  for (;;) {
    if (!has_cores_) cpu_.move_to(position_.time);
    if (const std::optional<bool> reached = arrive(until, goal)) return *reached;
    begin_wait(computes);
    cpu_.set_running(computations(computes));
    const TimeNs next = next_step(until, goal);
    cpu_.pass(position_.time, next);
    position_.time = next;
  }
}

// The same under a Scheduler, where a thread that goes to sleep gives up its core, and one that computes may first have
// to get one.
bool Machine::pass_scheduled(TimeNs until, Goal goal, bool computes) {
  for (;;) {
    scheduler_->advance(position_.time);
    if (computes) want_core();
    if (const std::optional<bool> reached = arrive(until, goal)) return *reached;
    if (!computes) want_no_core();
    begin_wait(computes);
    position_.time = next_step(until, goal);
  }
}

// By how long the core has been idle, which under a scheduler is not how long the thread has slept.
TimeNs Machine::draw_wakeup() {
  if (wakeup_.is_zero() && idle_states_.empty()) return 0;
  const TimeNs since = scheduler_ == nullptr ? asleep_since_ : scheduler_->idle_since(first_task_);
  if (since > position_.time) return 0;
  for (std::size_t i = idle_states_.size(); i-- > 0;)
    if (position_.time - since >= spec_.idle_states[i].after) return idle_states_[i].draw();
  return wakeup_.draw();
}

void Machine::want_core() const { scheduler_->wake(first_task_); }

void Machine::want_no_core() const { scheduler_->block(first_task_); }

Held Machine::held_by_scheduler() const { return scheduler_->held(first_task_); }

// Processes the current time. A value: the loop's thread continues; false if it has reached `until` but not its goal.
// nullopt: it still waits.
std::optional<bool> Machine::arrive(TimeNs until, Goal goal) {
  if (out_of_changes()) ask_for_attention();
  end_workers();
  if (wait_.why != held()) end_wait();
  if (is_reached(goal)) return true;
  if (position_.time >= until) return goal == Goal::time;
  if (out_of_changes()) return true;
  return std::nullopt;
}

bool Machine::is_reached(Goal goal) const {
  switch (goal) {
    case Goal::time: return false;
    case Goal::event: return has_event();
    case Goal::core: return held() == Held::no;
    case Goal::work: return (scheduler_ == nullptr ? cpu_.attained() : scheduler_->executed(first_task_)) >= target_;
  }
  return false;
}

TimeNs Machine::next_step(TimeNs until, Goal goal) const {
  const TimeNs now = position_.time;
  TimeNs next = until;
  const auto sooner = [&next](TimeNs time) { next = std::min(next, time); };
  if (goal == Goal::event && !future_.empty()) sooner(future_.front().time);
  if (scheduler_ != nullptr) {
    if (!blocked_.empty()) sooner(blocked_.front().until);
    sooner(scheduler_->next_change());
    return next;
  }
  if (cpu_.held() == Held::no && !blocked_.empty()) sooner(blocked_.front().until);
  if (has_cores_) return next;
  sooner(cpu_.next_change());
  sooner(cpu_.when_throttled(now));
  if (!computing_.empty()) sooner(cpu_.when(computing_.front().until, now));
  if (goal == Goal::work) sooner(cpu_.when(target_, now));
  return next;
}

// ---- waits for a core -----------------------------------------------------------------------------------------------

// Stalls are always reported; preemption and throttling only if the thread needs a core.
void Machine::begin_wait(bool wants_core) {
  const Held why = held();
  if (why == Held::no || wait_.why == why || !(wants_core || why == Held::stalled)) return;
  const Stall* stall = nullptr;
  if (why == Held::stalled) stall = scheduler_ == nullptr ? &cpu_.last_stall() : &scheduler_->last_stall();
  wait_ = {stall != nullptr ? stall->at : position_.time, 0, why};
}

void Machine::end_wait() {
  if (wait_.why == Held::no) return;
  wait_.to = position_.time;
  if (tracer_.on()) {
    if (waits_.size() >= 2 * kWaitsKept) waits_.erase(waits_.begin(), waits_.begin() + kWaitsKept);
    waits_.push_back(wait_);
    Event& event = tracer_.add(EventKind::stall);
    event.a = wait_.from;
    event.b = wait_.to - wait_.from;
    event.detail = static_cast<std::uint8_t>(wait_.why);
  }
  wait_.why = Held::no;
}

const Machine::Wait* Machine::wait_at(TimeNs time) const {
  const auto after = std::upper_bound(waits_.begin(), waits_.end(), time,
                                      [](TimeNs moment, const Wait& wait) { return moment < wait.from; });
  if (after == waits_.begin()) return nullptr;
  const Wait& wait = *std::prev(after);
  return time < wait.to ? &wait : nullptr;
}

}  // namespace loopsim

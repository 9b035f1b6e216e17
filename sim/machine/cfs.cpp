#include "sim/machine/cfs.hpp"

#include <algorithm>

namespace loopsim {

namespace {

// More threads than this: the slices no longer get shorter, and the one that was preempted is remembered
// (sched_nr_latency).
constexpr std::uint32_t kLatencyTasks = 8;

bool before(const SchedEntity& a, const SchedEntity& b) {
  return a.vruntime != b.vruntime ? a.vruntime < b.vruntime : a.stamp < b.stamp;
}

SchedEntity* leftmost(const RunQueue& queue) {
  SchedEntity* first = nullptr;
  for (SchedEntity* one : queue.waiting)
    if (first == nullptr || before(*one, *first)) first = one;
  return first;
}

void forget_buddy(RunQueue& queue, const SchedEntity& entity) {
  if (queue.next_buddy == &entity) queue.next_buddy = nullptr;
  if (queue.last_buddy == &entity) queue.last_buddy = nullptr;
}

}  // namespace

// update_min_vruntime()
void Cfs::raise_min_vruntime(RunQueue& queue) {
  const SchedEntity* running = queue.running();
  const SchedEntity* first = leftmost(queue);
  if (first == nullptr || (running != nullptr && running->vruntime < first->vruntime)) first = running;
  if (first != nullptr) queue.min_vruntime = std::max(queue.min_vruntime, first->vruntime);
}

// update_curr()
bool Cfs::charge(RunQueue& queue, TimeNs time) const {
  queue.current->vruntime += weighted(time, queue.current->weight);
  raise_min_vruntime(queue);
  return false;
}

// place_entity(): nobody gains by sleeping longer.
void Cfs::place(const RunQueue& queue, SchedEntity& entity, Arrival arrival) const {
  if (arrival != Arrival::wakes) entity.vruntime += queue.min_vruntime;
  if (arrival != Arrival::moves) entity.vruntime = std::max(entity.vruntime, queue.min_vruntime - latency / 2);
}

bool Cfs::leave(RunQueue& queue, SchedEntity& entity, bool /*sleeps*/, bool /*may_delay*/) const {
  forget_buddy(queue, entity);
  return true;
}

// pick_next_entity()
SchedEntity* Cfs::pick(const RunQueue& queue) const {
  SchedEntity* first = leftmost(queue);
  SchedEntity* running = queue.running();
  if (first == nullptr || (running != nullptr && running->vruntime < first->vruntime)) first = running;
  if (first == nullptr) return nullptr;
  for (SchedEntity* buddy : {queue.next_buddy, queue.last_buddy})
    if (buddy != nullptr && preempts(*buddy, *first) < 1) return buddy;
  return first;
}

void Cfs::start(RunQueue& queue, SchedEntity& entity) const { forget_buddy(queue, entity); }

// sched_slice() without hrtick: the share of the period by weight, on every level.
TimeNs Cfs::slice(const RunQueue& queue, std::uint32_t tasks) const {
  TimeNs slice = tasks > kLatencyTasks ? tasks * min_granularity : latency;
  for (const RunQueue* level = &queue; level != nullptr;) {
    slice = slice * level->current->weight / level->load;
    level = level->parent != nullptr ? level->parent->queue : nullptr;
  }
  return std::max(slice, min_granularity);
}

// check_preempt_tick()
bool Cfs::tick_preempts(RunQueue& queue, std::uint32_t tasks) const {
  if (queue.count < 2) return false;
  const SchedEntity& running = *queue.current;
  const TimeNs ideal = std::min(slice(queue, tasks), latency);
  const TimeNs ran = running.executed - running.executed_before;
  if (ran > ideal) {
    // It has had enough: a buddy of its own must not bring it back.
    forget_buddy(queue, running);
    return true;
  }
  if (ran < min_granularity) return false;
  const SchedEntity* first = leftmost(queue);
  return first != nullptr && running.vruntime - first->vruntime > ideal;
}

// wakeup_preempt_entity(): 1 if the other is behind by more than the granularity, 0 if it is behind, or -1.
int Cfs::preempts(const SchedEntity& running, const SchedEntity& other) const {
  const std::int64_t behind = running.vruntime - other.vruntime;
  if (behind <= 0) return -1;
  return behind > weighted(wakeup_granularity, other.weight) ? 1 : 0;
}

// check_preempt_wakeup()
bool Cfs::wakeup_preempts(RunQueue& queue, SchedEntity& woken) const {
  SchedEntity& running = *queue.current;
  if (preempts(running, woken) != 1) return false;
  queue.next_buddy = &woken;
  if (queue.count >= kLatencyTasks && running.own == nullptr) queue.last_buddy = &running;
  return true;
}

// reweight_entity(): the virtual runtime stays.
void Cfs::reweight(RunQueue& queue, SchedEntity& entity, std::int64_t weight) const {
  if (entity.queued) queue.load += weight - entity.weight;
  entity.weight = weight;
}

}  // namespace loopsim

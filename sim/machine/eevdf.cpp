#include "sim/machine/eevdf.hpp"

#include <algorithm>

namespace loopsim {

namespace {

__extension__ using Wide = __int128;  // a weighted virtual time, which 64 bits could hold but for absurd machines

std::int64_t divided(Wide dividend, std::int64_t divisor) {
  const auto narrow = static_cast<std::int64_t>(dividend);
  return narrow == dividend ? narrow / divisor : static_cast<std::int64_t>(dividend / divisor);
}

// The weighted average of the virtual runtimes, as a sum relative to one of them: it stays small.
struct Average {
  std::int64_t origin = 0;
  Wide sum = 0;             // of weight * (vruntime - origin)
  std::int64_t weight = 0;  // of all

  explicit Average(const RunQueue& queue) : origin(queue.min_vruntime) {
    const SchedEntity* running = queue.running();
    if (running != nullptr)
      origin = running->vruntime;
    else if (!queue.waiting.empty())
      origin = queue.waiting.front()->vruntime;
    for (const SchedEntity* one : queue.waiting) add(*one);
    if (running != nullptr) add(*running);
  }
  // avg_vruntime(): rounded down.
  [[nodiscard]] std::int64_t value() const {
    if (weight == 0) return origin;
    const std::int64_t down = sum < 0 ? weight - 1 : 0;
    return origin + divided(sum - down, weight);
  }
  // entity_eligible()
  [[nodiscard]] bool has_eligible(const SchedEntity& entity) const {
    return sum >= static_cast<Wide>(entity.vruntime - origin) * weight;
  }

 private:
  void add(const SchedEntity& entity) {
    sum += static_cast<Wide>(entity.vruntime - origin) * entity.weight;
    weight += entity.weight;
  }
};

}  // namespace

// update_curr() and update_deadline(): a used-up slice begins anew, and others may be due.
bool Eevdf::charge(RunQueue& queue, TimeNs time) const {
  SchedEntity& running = *queue.current;
  running.vruntime += weighted(time, running.weight);
  // Where the queue goes on from if it becomes empty.
  std::int64_t least = running.vruntime;
  for (const SchedEntity* one : queue.waiting) least = std::min(least, one->vruntime);
  queue.min_vruntime = std::max(queue.min_vruntime, least);
  if (running.vruntime < running.deadline) return false;
  running.deadline = running.vruntime + weighted(base_slice, running.weight);
  running.runs_to_parity = false;
  return queue.count > 1;
}

// place_entity(). The arrival itself moves the average, so that a lag that is to be kept has to be inflated.
void Eevdf::place(const RunQueue& queue, SchedEntity& entity, Arrival /*arrival*/) const {
  const Average average(queue);
  std::int64_t lag = 0;
  if (average.weight != 0 && entity.lag != 0)
    lag = divided(static_cast<Wide>(entity.lag) * (average.weight + entity.weight), average.weight);
  entity.vruntime = average.value() - lag;
  if (entity.has_relative_deadline) {
    entity.deadline += entity.vruntime;
    entity.has_relative_deadline = false;
  } else {
    entity.deadline = entity.vruntime + weighted(base_slice, entity.weight);
  }
}

// update_entity_lag(): nobody is owed more than two slices, or owes it.
std::int64_t Eevdf::lag_of(const RunQueue& queue, const SchedEntity& entity) const {
  const std::int64_t limit = weighted(std::max(2 * base_slice, tick), entity.weight);
  return std::clamp(Average(queue).value() - entity.vruntime, -limit, limit);
}

// dequeue_entity()
bool Eevdf::leave(RunQueue& queue, SchedEntity& entity, bool sleeps, bool may_delay) const {
  if (sleeps && may_delay && !Average(queue).has_eligible(entity)) {
    entity.is_delayed = true;
    return false;
  }
  entity.lag = lag_of(queue, entity);
  if (!sleeps) {
    entity.deadline -= entity.vruntime;
    entity.has_relative_deadline = true;
  }
  return true;
}

// requeue_delayed_entity(): it wakes up before its debt was paid, or after; then it begins without lag.
void Eevdf::wake_delayed(RunQueue& queue, SchedEntity& entity) const {
  entity.is_delayed = false;
  entity.lag = lag_of(queue, entity);
  if (entity.lag <= 0) return;
  queue.remove(entity);
  entity.lag = 0;
  place(queue, entity, Arrival::wakes);
  queue.add(entity);
}

// finish_delayed_dequeue_entity(): it has been picked, so its debt is paid, and it goes to sleep at last.
void Eevdf::finish_delayed(RunQueue& queue, SchedEntity& entity) const {
  entity.is_delayed = false;
  entity.lag = std::min<std::int64_t>(lag_of(queue, entity), 0);
}

// pick_eevdf()
SchedEntity* Eevdf::pick(const RunQueue& queue) const {
  SchedEntity* running = queue.running();
  if (queue.count == 0) return nullptr;
  if (queue.count == 1) return running != nullptr ? running : queue.waiting.front();
  const Average average(queue);
  if (running != nullptr && !average.has_eligible(*running)) running = nullptr;
  if (running != nullptr && running->runs_to_parity) return running;
  SchedEntity* best = nullptr;
  for (SchedEntity* one : queue.waiting) {
    if (!average.has_eligible(*one)) continue;
    const bool is_first = best == nullptr ||
                          (one->deadline != best->deadline ? one->deadline < best->deadline : one->stamp < best->stamp);
    if (is_first) best = one;
  }
  return best == nullptr || (running != nullptr && running->deadline < best->deadline) ? running : best;
}

// reweight_entity(): lag and deadline are time over weight.
void Eevdf::reweight(RunQueue& queue, SchedEntity& entity, std::int64_t weight) const {
  if (weight == entity.weight) return;
  if (!entity.queued) {
    entity.lag = entity.lag * entity.weight / weight;
    entity.weight = weight;
    return;
  }
  entity.lag = lag_of(queue, entity) * entity.weight / weight;
  entity.deadline = (entity.deadline - entity.vruntime) * entity.weight / weight;
  entity.has_relative_deadline = true;
  queue.remove(entity);
  entity.weight = weight;
  place(queue, entity, Arrival::wakes);
  queue.add(entity);
}

}  // namespace loopsim

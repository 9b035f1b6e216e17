// The run queues of a core, and what stands in them: what cfs and eevdf, the kernel's two schedulers for ordinary
// threads, have in common. Linux: `struct cfs_rq` and `struct sched_entity` in kernel/sched/sched.h and
// include/linux/sched.h.
//
// A core has one queue of its own, the root, and one for each group. A group stands in the root's queue as an entity
// with its own weight, so there are two levels at most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "loopsim/time.hpp"

namespace loopsim {

struct RunQueue;

inline constexpr std::int64_t kNiceZeroWeight = 1024;
inline constexpr int kLowestNice = -20;
inline constexpr int kHighestNice = 19;

// Weights by nice value, from -20: each step is about a tenth of the CPU between two threads (sched_prio_to_weight,
// kernel/sched/core.c).
inline constexpr std::array<std::int64_t, 40> kNiceWeights = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
    172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};
[[nodiscard]] constexpr std::int64_t weight_of_nice(int nice) {
  return kNiceWeights[static_cast<std::size_t>(nice - kLowestNice)];
}
// cgroup v2: a cpu.weight of 100 is that of one thread at nice 0 (sched_weight_from_cgroup, kernel/sched/sched.h).
[[nodiscard]] constexpr std::int64_t weight_of_group(std::int64_t cpu_weight) {
  return (cpu_weight * kNiceZeroWeight + 50) / 100;
}

// A thread, or one group's queue on one core.
struct SchedEntity {
  std::int64_t weight = kNiceZeroWeight;
  std::int64_t vruntime = 0;   // CPU time over weight, in ns at nice 0
  TimeNs executed = 0;         // CPU time
  TimeNs executed_before = 0;  // the same when it was last picked
  TimeNs last_ran = 0;
  std::uint64_t stamp = 0;  // of its last arrival in the queue or on the core: order among equals
  bool queued = false;      // in the queue, running or not

  // eevdf
  std::int64_t deadline = 0;
  std::int64_t lag = 0;                // when it left: the service that it was owed
  bool has_relative_deadline = false;  // `deadline` is relative to its vruntime, while it moves to another core
  bool is_delayed = false;             // it sleeps, but stays in the queue until its lag is no longer negative
  bool runs_to_parity = false;         // picked, and its slice is not used up

  RunQueue* queue = nullptr;  // where it stands, or stood last
  RunQueue* own = nullptr;    // of a group: its threads on this core
  std::uint32_t task = 0;     // of a thread: its number
};

struct RunQueue {
  std::vector<SchedEntity*> waiting;  // queued, but not running
  SchedEntity* current = nullptr;     // running; may have left the queue just now (!queued)
  std::int64_t load = 0;              // sum of the weights of the queued
  std::uint32_t count = 0;            // of the queued
  std::int64_t min_vruntime = 0;      // never decreases
  SchedEntity* next_buddy = nullptr;  // cfs: it preempted the running one; goes next if that is not too unfair
  SchedEntity* last_buddy = nullptr;  // cfs: it was preempted
  SchedEntity* parent = nullptr;      // of a group's queue: its entity in the root's
  std::uint32_t core = 0;
  // A group with a quota.
  TimeNs runtime = 0;  // what this core may still use of it; negative: used in advance
  bool is_throttled = false;

  [[nodiscard]] SchedEntity* running() const { return current != nullptr && current->queued ? current : nullptr; }

  void add(SchedEntity& entity) {
    entity.queued = true;
    load += entity.weight;
    ++count;
    if (&entity != current) waiting.push_back(&entity);
  }
  void remove(SchedEntity& entity) {
    entity.queued = false;
    load -= entity.weight;
    --count;
    if (&entity != current) stop_waiting(entity);
  }
  void stop_waiting(const SchedEntity& entity) {
    for (SchedEntity*& one : waiting) {
      if (one != &entity) continue;
      one = waiting.back();
      waiting.pop_back();
      return;
    }
  }
};

// Why an entity comes into a queue.
enum class Arrival : std::uint8_t {
  wakes,
  wakes_elsewhere,  // on another core than before
  moves,            // to another core, without having slept
};

// Time at nice 0 that stands for `time` at this weight. (The kernel multiplies with an inverse of 32 bits, which differs
// by less than 1 ns in 2^32.)
[[nodiscard]] inline std::int64_t weighted(TimeNs time, std::int64_t weight) {
  return weight == kNiceZeroWeight ? time : time * kNiceZeroWeight / weight;
}

}  // namespace loopsim

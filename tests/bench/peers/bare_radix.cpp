// The baseline for monotone queues: a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan, Faster algorithms for the shortest
// path problem, 1990); a callback only increments a counter. Entries of equal time leave in insertion order.
#include <bit>
#include <vector>

#include "workload.hpp"

namespace {

struct Entry {
  std::uint64_t time, sequence;
};

class RadixQueue {
 public:
  void push(const Entry& entry) {
    buckets_[static_cast<std::size_t>(std::bit_width(entry.time ^ last_))].push_back(entry);
  }
  Entry pop() {
    if (next_ == buckets_[0].size()) refill();
    const Entry entry = buckets_[0][next_++];
    if (next_ == buckets_[0].size()) {
      buckets_[0].clear();
      next_ = 0;
    }
    return entry;
  }

 private:
  void refill() {
    std::size_t bucket = 1;
    while (buckets_[bucket].empty()) ++bucket;
    std::uint64_t least = buckets_[bucket].front().time;
    for (const Entry& entry : buckets_[bucket]) least = entry.time < least ? entry.time : least;
    last_ = least;
    for (const Entry& entry : buckets_[bucket]) push(entry);  // into lower buckets only
    buckets_[bucket].clear();
  }

  std::vector<Entry> buckets_[65];
  std::size_t next_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace

int main(int count, char** words) {
  const Workload work = read_workload(count, words);
  RadixQueue queue;
  Delays delays;
  std::uint64_t sequence = 0;
  for (std::uint64_t i = 0; i < work.pending; ++i) queue.push({work.chain ? 0 : delays.next_ms(), sequence++});
  std::uint64_t callbacks = 0;
  while (callbacks < work.callbacks) {
    const Entry entry = queue.pop();
    ++callbacks;
    queue.push({entry.time + (work.chain ? 0 : delays.next_ms()), sequence++});
  }
  return report(callbacks);
}

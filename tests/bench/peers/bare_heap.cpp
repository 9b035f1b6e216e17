// The baseline: a 4-ary heap of (time, sequence number); a callback only increments a counter.
#include <vector>

#include "workload.hpp"

namespace {

struct Entry {
  std::uint64_t time, sequence;
};

bool before(const Entry& a, const Entry& b) { return a.time != b.time ? a.time < b.time : a.sequence < b.sequence; }

class Heap {
 public:
  void push(const Entry& entry) {
    std::size_t hole = entries_.size();
    entries_.push_back(entry);
    while (hole > 0 && before(entry, entries_[(hole - 1) / 4])) {
      entries_[hole] = entries_[(hole - 1) / 4];
      hole = (hole - 1) / 4;
    }
    entries_[hole] = entry;
  }
  Entry pop() {
    const Entry first = entries_.front();
    const Entry last = entries_.back();
    entries_.pop_back();
    const std::size_t size = entries_.size();
    if (size == 0) return first;
    std::size_t hole = 0;
    for (;;) {
      const std::size_t begin = 4 * hole + 1;
      if (begin >= size) break;
      const std::size_t end = begin + 4 < size ? begin + 4 : size;
      std::size_t least = begin;
      for (std::size_t child = begin + 1; child < end; ++child) {
        if (before(entries_[child], entries_[least])) least = child;
      }
      if (!before(entries_[least], last)) break;
      entries_[hole] = entries_[least];
      hole = least;
    }
    entries_[hole] = last;
    return first;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace

int main(int count, char** words) {
  const Workload work = read_workload(count, words);
  Heap heap;
  Delays delays;
  std::uint64_t sequence = 0;
  for (std::uint64_t i = 0; i < work.pending; ++i) heap.push({work.chain ? 0 : delays.next_ms(), sequence++});
  std::uint64_t callbacks = 0;
  while (callbacks < work.callbacks) {
    const Entry entry = heap.pop();
    ++callbacks;
    heap.push({entry.time + (work.chain ? 0 : delays.next_ms()), sequence++});
  }
  return report(callbacks);
}

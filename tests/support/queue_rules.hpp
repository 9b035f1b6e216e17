// Invariants of the queues in a trace (docs/trace-format.md, "What waits where"), checked with an independent model
// that is built from the events alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/trace.hpp"

#include "sim/trace/queues.hpp"

namespace loopsim::testing {

class QueueRules final : public TraceSink {
 public:
  void begin(const RunInfo& info) override {
    threads_ = info.threadpool;
    shown_.begin(info);
  }
  void events(const EventBatch& batch) override {
    for (const Event& event : batch.events) {
      look_at(event);
      shown_.learn(event, batch.text_of(event));
    }
  }
  void end(const RunSummary& /*summary*/) override {}

  [[nodiscard]] const std::string& broken() const {
    return broken_;
  }  // the first broken rule, with its event; empty if all hold
  [[nodiscard]] std::uint64_t first_outs() const { return first_outs_; }  // number of FIFO checks

 private:
  using Key = std::uint64_t;  // a callback's id, or kEntries + an entry's number
  static constexpr Key kEntries = Key{1} << 63U;

  void require(bool holds, const Event& event, const char* rule) {
    if (!holds && broken_.empty())
      broken_ = fmt::format("event {} ({}): {}", event.sequence, to_string(event.kind), rule);
  }

  void look_at(const Event& event) {
    switch (event.kind) {
      case EventKind::schedule:
        require(!where_.contains(event.id), event, "what is scheduled stood nowhere");
        if (const auto queue = scheduled_into(event.api)) put(event.id, *queue);
        break;
      case EventKind::enqueue: enqueue(event); break;
      case EventKind::dequeue: {
        const Key key = kEntries + static_cast<Key>(event.a);
        require(where_.contains(key) && where_[key] == static_cast<Queue>(event.detail), event,
                "an entry leaves the queue in which it stands");
        leave(key, event);
        break;
      }
      case EventKind::cancel: take(event.id); break;
      case EventKind::ready:
        require(!where_.contains(event.id) || where_[event.id] != Queue::promises, event,
                "a request stands with no promise");
        take(event.id);
        break;
      case EventKind::work_begin: {
        require(where_.contains(event.id) && where_[event.id] == Queue::pool, event,
                "a thread takes what stands at the pool");
        require(event.c >= 0 && event.c < threads_ && working_.insert(event.c).second, event,
                "a thread does one thing at a time");
        break;
      }
      case EventKind::work_end: require(working_.erase(event.c) == 1, event, "a thread ends what it has begun"); break;
      case EventKind::callback_begin:
        if (const auto place = where_.find(event.id); place != where_.end()) {
          require(place->second != Queue::promises, event, "a reaction is a job before it runs");
          leave(event.id, event);
        }
        break;
      case EventKind::drain_begin:
        require(lines_[Queue::ticks].size() == static_cast<std::size_t>(event.a), event,
                "the ticks are as many as stand there");
        require(lines_[Queue::microtasks].size() == static_cast<std::size_t>(event.b), event,
                "the microtasks are as many as stand there");
        break;
      case EventKind::drain_end: break;
      default: break;
    }
  }

  void enqueue(const Event& event) {
    const auto queue = static_cast<Queue>(event.detail);
    const bool is_entry = event.a > 0;
    const Key key = is_entry ? kEntries + static_cast<Key>(event.a) : event.id;
    require(is_entry ? !where_.contains(key) : event.id != 0, event, "an entry is put somewhere once");
    take(key);
    put(key, queue);
  }

  void put(Key key, Queue queue) {
    where_[key] = queue;
    lines_[queue].push_back(key);
  }

  void take(Key key) {
    const auto found = where_.find(key);
    if (found == where_.end()) return;
    std::erase(lines_[found->second], key);
    where_.erase(found);
  }

  // Removes a key that runs or leaves its queue; ticks, microtasks and pending are FIFO.
  void leave(Key key, const Event& event) {
    const auto found = where_.find(key);
    if (found == where_.end()) return;
    const std::deque<Key>& line = lines_[found->second];
    switch (found->second) {
      case Queue::pending:
        if (event.phase != Phase::pending) break;  // closed
        [[fallthrough]];
      case Queue::ticks:
      case Queue::microtasks:
        ++first_outs_;
        require(!line.empty() && line.front() == key, event, "who came first goes first");
        require(is_shown_first(key, found->second), event, "what is shown first in a queue goes first");
        break;
      default: break;
    }
    take(key);
  }

  // Of the queues as `run --verbose` shows them; entries have no id there.
  [[nodiscard]] bool is_shown_first(Key key, Queue queue) const {
    const std::vector<std::uint64_t> ids = shown_.ids(queue);
    return ids.size() == lines_.at(queue).size() && ids.front() == (key >= kEntries ? 0 : key);
  }

  Queues shown_;
  std::int64_t threads_ = 0;
  std::map<Key, Queue> where_;
  std::map<Queue, std::deque<Key>> lines_;
  std::set<std::int64_t> working_;
  std::uint64_t first_outs_ = 0;
  std::string broken_;
};

}  // namespace loopsim::testing

// What stands in the queues of the loop at a moment of a trace, for `run --verbose`.
//
// It is put together from the events alone, by these rules, which the page (tools/page) follows as well:
//
//   timers      schedule of setTimeout or setInterval adds at the end of the list of its whole milliseconds (`delay`); callback_begin
//               and cancel take away. A round of an interval and a refreshed timer are scheduled anew, with the one before as
//               their `handle`, and stay unref'd if that was.
//   immediates  schedule of setImmediate adds; callback_begin and cancel take away.
//   pool        schedule of fs, crypto, zlib and dns.lookup adds; ready takes away, and when another request of the same callback
//               follows (no callback_begin right behind it) adds at the end. The first ones in order have the threads, as many as there
//               are; of lookups at most half of them (from Node 8 on). The others wait for a thread. What a thread has
//               done and the loop has not heard of counts as being with its thread.
//   network     the same for the other calls of dns, which need no thread.
//   writes      schedule of write and end adds; callback_begin takes away.
//   ticks       schedule of nextTick adds; callback_begin takes away. Node's own are known by their number only (drain_begin).
//   microtasks  schedule of queueMicrotask adds; callback_begin takes away.
//   promises    schedule of then, catch, finally and await adds; callback_begin takes away. They are microtasks from when their
//               promise is settled, which the trace does not tell; a handler for the other outcome stays for ever.
//   pending     not told by the trace before the phase runs; a poll with the rule pending_queue says that there is something.
//   closing     the same, closing_handle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

#include "sim/trace/text_words.hpp"

namespace loopsim {

class Queues {
 public:
  enum class Queue : std::uint8_t { none, timers, immediates, pool, network, writes, ticks, microtasks, promises };

  void begin(const RunInfo& info);
  void learn(const Event& event, std::string_view text);

  // A line for each queue that has something in it: "timers  [100 ms] timer due 100.000".
  [[nodiscard]] std::vector<std::string> rows(const Labels& labels) const;
  // The same of the poll that this event tells of, with what its rule says of the queues that have no names.
  [[nodiscard]] std::vector<std::string> rows_at(const Event& poll, const Labels& labels) const;
  // What the drain that this event begins has to do: "ticks  nextTick@5, 1 of Node's own".
  [[nodiscard]] std::vector<std::string> rows_of(const Event& drain, const Labels& labels) const;

  [[nodiscard]] std::size_t size(Queue queue) const;
  [[nodiscard]] std::size_t referenced(Queue queue) const;  // of them, those that were not unref'd

 private:
  struct Waiting {
    std::uint64_t id = 0;
    TimeNs due = -1;
    bool is_lookup = false;
  };
  using Line = std::map<std::uint64_t, Waiting>;  // by the number of the event that put it there
  struct Place {
    Queue queue = Queue::none;
    TimeNs list = 0;
    std::uint64_t number = 0;
    bool is_unreferenced = false;
  };

  [[nodiscard]] static Queue queue_of(const Event& event, std::string_view text);
  Line& line_of(Queue queue, TimeNs list);
  void add(const Event& event, std::string_view text);
  void take(std::uint64_t id);
  [[nodiscard]] const Line& line(Queue queue) const { return lines_[static_cast<std::size_t>(queue)]; }
  [[nodiscard]] std::string names(const Line& line, const Labels& labels) const;
  [[nodiscard]] std::string timers(const Labels& labels) const;
  [[nodiscard]] std::string pool(const Labels& labels) const;

  std::uint32_t threads_ = 0;
  std::uint32_t lookups_ = 0;  // at most at once
  std::map<TimeNs, Line> lists_;
  std::vector<Line> lines_;
  std::map<std::uint64_t, Place> places_;  // by callback
  std::set<std::uint64_t> unreferenced_;   // also those that have run: the next round of an interval is as they were
  std::uint64_t heard_ = 0;                // a callback whose request is done: what comes next says if it was the last
  Waiting heard_work_;
  Queue heard_queue_ = Queue::none;
};

}  // namespace loopsim

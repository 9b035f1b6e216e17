// What stands in the queues of the loop at a moment of a trace, for `run --verbose`: what the events say, and nothing else.
//
//   schedule          puts a callback into the queue of its api (api_traits.hpp), timers into the list of their whole milliseconds; a round
//                     of an interval and a refreshed timer have the one before as their `handle`, and stay unref'd if that was
//   enqueue           puts something into a queue, from whichever it was in: a callback, or what has only a number (`entry`)
//   work_begin, end   a thread of the pool has a request, and is done with it
//   callback_begin, cancel, dequeue     take it away
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
  void begin(const RunInfo& info);
  void learn(const Event& event, std::string_view text);

  // A line for each queue that has something in it: "timers  [100 ms] timer due 100.000".
  [[nodiscard]] std::vector<std::string> rows(const Labels& labels) const;
  // What a drain has to do: "ticks  nextTick@5, afterWrite (socket)".
  [[nodiscard]] std::vector<std::string> rows_of_drain(const Labels& labels) const;

  [[nodiscard]] std::size_t size(Queue queue) const;
  [[nodiscard]] std::size_t referenced(Queue queue) const;  // of them, those that were not unref'd
  // Its callbacks and entries in order; an entry is 0.
  [[nodiscard]] std::vector<std::uint64_t> ids(Queue queue) const;

 private:
  // A callback by its id, an entry by its number behind all ids.
  using Key = std::uint64_t;
  static constexpr Key kEntries = Key{1} << 63U;
  struct Waiting {
    Key key = 0;
    TimeNs due = -1;
    std::uint32_t name = kNoName;  // of an entry
    std::string what;              // the same
    std::int32_t thread = -1;      // that works on it
    bool is_done = false;          // and has finished
  };
  using Line = std::map<std::uint64_t, Waiting>;  // by the number of the event that put it there
  struct Place {
    Queue queue = Queue::timers;
    TimeNs list = 0;
    std::uint64_t number = 0;
    bool is_unreferenced = false;
  };

  Line& line_of(Queue queue, TimeNs list) {
    return queue == Queue::timers ? lists_[list] : lines_[static_cast<std::size_t>(queue)];
  }
  [[nodiscard]] const Line& line(Queue queue) const { return lines_[static_cast<std::size_t>(queue)]; }
  void add(const Event& event);
  void put(Queue queue, TimeNs list, std::uint64_t number, Waiting waiting, bool is_unreferenced);
  void take(Key key);
  Waiting* find(Key key);
  [[nodiscard]] std::string name_of(const Waiting& waiting, const Labels& labels) const;
  [[nodiscard]] std::string names(const Line& line, const Labels& labels) const;
  [[nodiscard]] std::string timers(const Labels& labels) const;
  [[nodiscard]] std::string pool(const Labels& labels) const;

  std::uint32_t threads_ = 0;
  std::map<TimeNs, Line> lists_;
  std::vector<Line> lines_;
  std::map<Key, Place> places_;
  std::set<std::uint64_t> unreferenced_;  // also those that have run: the next round of an interval is as they were
};

}  // namespace loopsim

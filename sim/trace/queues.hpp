// The contents of the loop's queues at a point of a trace, for `run --verbose`, derived from the events alone.
//
//   schedule          adds a callback to the queue of its api (api_traits.hpp), a timer to the list of its length
//                     (profile.hpp, has_whole_lists()); the next round of an interval and a refreshed timer name the previous one as their
//                     `handle`, and stay unref'd if it was
//   enqueue           moves a callback, or an item that has only a number (`entry`), into a queue
//   work_begin, end   a thread of the pool starts and finishes a request
//   callback_begin, cancel, ready, dequeue     remove it
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/trace.hpp"

#include "sim/trace/text_words.hpp"

namespace loopsim {

class Queues {
 public:
  void begin(const RunInfo& info);
  void learn(const Event& event, std::string_view text);

  // One line for each nonempty queue: "timers  [100 ms] timer due 100.000".
  [[nodiscard]] std::vector<std::string> rows(const Labels& labels) const;
  // The queues that a drain empties: "ticks  nextTick@5, afterWrite (socket)".
  [[nodiscard]] std::vector<std::string> rows_of_drain(const Labels& labels) const;

  [[nodiscard]] std::size_t size(Queue queue) const;
  [[nodiscard]] std::size_t referenced(Queue queue) const;  // those that are not unref'd
  // The ids of its callbacks in order, with 0 for each entry.
  [[nodiscard]] std::vector<std::uint64_t> ids(Queue queue) const;

 private:
  // A callback's id, or kEntries plus an entry's number.
  using Key = std::uint64_t;
  static constexpr Key kEntries = Key{1} << 63U;
  struct Waiting {
    Key key = 0;
    TimeNs due = -1;
    std::uint32_t name = kNoName;  // of an entry
    std::string what;              // of an entry
    std::int32_t thread = -1;      // the pool thread that works on it
    bool is_done = false;          // the thread has finished
  };
  using Line = std::map<std::uint64_t, Waiting>;  // by sequence number of the event that added it
  // Of timers: the length, and 0. Before Node 11, unref() takes a timer out of its list and gives it a libuv handle of
  // its own: the length, and its id.
  using List = std::pair<TimeNs, std::uint64_t>;
  struct Place {
    Queue queue = Queue::timers;
    List list;
    std::uint64_t number = 0;
    bool is_unreferenced = false;
  };

  Line& line_of(Queue queue, const List& list) {
    return queue == Queue::timers ? lists_[list] : lines_[static_cast<std::size_t>(queue)];
  }
  [[nodiscard]] const Line& line(Queue queue) const { return lines_[static_cast<std::size_t>(queue)]; }
  void add(const Event& event);
  void put(Queue queue, const List& list, std::uint64_t number, Waiting waiting, bool is_unreferenced);
  void take(Key key);
  [[nodiscard]] bool has_own_handles() const { return list_unit_ == 1; }
  void give_own_handle(std::uint64_t timer);
  Waiting* find(Key key);
  [[nodiscard]] std::string name_of(const Waiting& waiting, const Labels& labels) const;
  [[nodiscard]] std::string names(const Line& line, const Labels& labels) const;
  [[nodiscard]] std::string timers(const Labels& labels) const;
  [[nodiscard]] std::string pool(const Labels& labels) const;

  std::uint32_t threads_ = 0;
  TimeNs list_unit_ = kMillisecond;  // of the lengths of the timers' lists
  std::map<List, Line> lists_;
  std::vector<Line> lines_;
  std::map<Key, Place> places_;
  std::set<std::uint64_t> unreferenced_;  // even after they ran: the next round of an interval inherits it
};

}  // namespace loopsim

// What a page leaves out of a long repetition, and what of it outlives it.
//
// A page that leaves out repetitions must still be right behind them. So the gap knows which entries of queues were put
// there by what is left out and are still there at its end: these events the page keeps. Of entries that were there
// before, it knows which have gone. Steps of the program are left out with the events that they belong to, but for the
// last values of variables and promises that the page knows from before.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim {

class Gap {
 public:
  struct Kept {
    Event event;
    std::string text;
  };

  // The highest numbers of scopes and promises that the page knows at its begin.
  struct Known {
    std::int64_t scope = 0;
    std::uint64_t promise = 0;
  };

  Gap() = default;
  explicit Gap(const Known& known) : known_(known) {}

  [[nodiscard]] bool is_empty() const { return events_ == 0; }

  // An event that is left out. `begins`: a repetition begins with it.
  void add(const Event& event, std::string_view text, bool begins);

  // The events and steps that the page needs nevertheless, in order.
  [[nodiscard]] std::vector<Kept> kept() const;
  // {"first","last","t","to","loop","turn","phase","events","repetitions","callbacks","lines","lost","gone","goneEntries"}
  [[nodiscard]] std::string json() const;

 private:
  // A callback's id, or kEntries plus an entry's number.
  using Key = std::uint64_t;
  static constexpr Key kEntries = Key{1} << 63U;
  static constexpr std::size_t kMostWaiting = 200;  // the newest of them are kept
  static constexpr std::size_t kMostValues = 200;   // variables and promises
  using Range = std::pair<std::uint64_t, std::uint64_t>;

  void put(Key key, const Event& event, std::string_view text);
  void take(Key key);
  void note(const Event& event, std::string_view text);
  void add_step(const Event& event, std::string_view text);

  Known known_;
  Event first_, last_;
  std::uint64_t events_ = 0;
  std::uint64_t repetitions_ = 0;
  std::uint64_t callbacks_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t first_new_ = 0;               // the first callback that was asked for here; 0: none
  std::map<Key, std::vector<Kept>> waiting_;  // put here, and not taken
  std::uint64_t lost_ = 0;                    // waiting as well, but too many to be kept
  std::vector<Kept> others_;                  // the ends of work that began before
  // Steps, by kind, scope or promise, and variable: the last one of each.
  std::map<std::tuple<EventKind, std::uint64_t, std::uint32_t>, Kept> values_;
  std::vector<Range> gone_;  // callbacks that waited before
  std::vector<Range> gone_entries_;
};

}  // namespace loopsim

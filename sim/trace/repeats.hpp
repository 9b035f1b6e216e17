// Finds repetitions in a stream of units: what follows itself again and again, with a period of one or several units.
//
// Units are compared by their signatures. The first and the last repetition are passed on whole, those between them are
// hidden. A unit is held back until it is certain to which of the three it belongs; memory is bounded by the limits, and
// time per unit by the longest period.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace loopsim {

struct RepeatLimits {
  std::size_t longest = 1;                                 // period, in units; at most kLongestPeriod
  std::size_t least_hidden = 1;                            // repetitions; a shorter run of them is passed on whole
  std::size_t most_weight = static_cast<std::size_t>(-1);  // of the units that are held while nothing is folded
};

inline constexpr std::size_t kLongestPeriod = 64;

// A Unit is movable and has
//   std::uint64_t signature    equal in units that are the same for a reader
//   int rank                   a repetition begins at its unit with the lowest rank, the first of several
//   bool is_telling            a repetition of units none of which is telling is not folded
//   std::size_t weight() const
//
// The Output is called in the order of the units:
//   show(Unit&&)               a unit outside repetitions, or of the first or last one
//   hide(Unit&&, bool begins)  a unit of another repetition; whether it is the first of it
//   close(std::uint64_t count, std::size_t period)   `count` repetitions of `period` units were hidden; the last follows
template <typename Unit>
class Repeats {
 public:
  explicit Repeats(const RepeatLimits& limits) : limits_(limits) { forget(); }

  template <typename Output>
  void push(Unit unit, Output& output) {
    if (period_ == 0) {
      watch(std::move(unit), output);
      return;
    }
    if (unit.signature == last_[next_.size()].signature) {
      next_.push_back(std::move(unit));
      if (next_.size() < period_) return;
      for (std::size_t i = 0; i < period_; ++i) output.hide(std::move(last_[i]), i == 0);
      std::swap(last_, next_);
      next_.clear();
      ++hidden_;
      return;
    }
    // There may be a shorter repetition in the begin of the one that has not come.
    std::vector<Unit> rest = end_repetition(output);
    for (Unit& one : rest) push(std::move(one), output);
    push(std::move(unit), output);
  }

  // Passes on what is held; what follows is not compared with what came before.
  template <typename Output>
  void flush(Output& output) {
    if (period_ != 0) {
      std::vector<Unit> rest = end_repetition(output);
      for (Unit& one : rest) push(std::move(one), output);
      return flush(output);
    }
    for (Unit& one : held_) output.show(std::move(one));
    forget();
  }

 private:
  [[nodiscard]] std::size_t least_repetitions() const { return limits_.least_hidden + 2; }

  template <typename Output>
  void watch(Unit unit, Output& output) {
    compare(unit.signature);
    weight_ += unit.weight();
    held_.push_back(std::move(unit));
    if (begin_repetition(output)) return;
    const std::size_t most = (least_repetitions() + 1) * limits_.longest;
    while (held_.size() > most || (weight_ > limits_.most_weight && !held_.empty())) {
      weight_ -= held_.front().weight();
      output.show(std::move(held_.front()));
      held_.pop_front();
    }
  }

  // For each period: how many of the last units are equal to the one a period before them.
  void compare(std::uint64_t signature) {
    const std::size_t known = std::min(seen_, limits_.longest);
    for (std::size_t period = 1; period <= known; ++period) {
      const bool is_equal = signatures_[(seen_ - period) % kLongestPeriod] == signature;
      runs_[period] = is_equal ? runs_[period] + 1 : 0;
    }
    signatures_[seen_++ % kLongestPeriod] = signature;
  }

  template <typename Output>
  bool begin_repetition(Output& output) {
    for (std::size_t period = 1; period <= limits_.longest; ++period) {
      if (runs_[period] < (least_repetitions() - 1) * period) continue;
      const std::size_t length = std::min(runs_[period] + period, held_.size());
      const std::optional<std::size_t> first = find_first(held_.size() - length, period);
      if (!first || held_.size() - *first < least_repetitions() * period) continue;
      fold(*first, period, output);
      return true;
    }
    return false;
  }

  // Of the units from `from` on, the one at which the repetition begins.
  [[nodiscard]] std::optional<std::size_t> find_first(std::size_t from, std::size_t period) const {
    if (held_.size() - from < period) return std::nullopt;
    std::size_t best = from;
    bool is_telling = false;
    for (std::size_t i = from; i < from + period; ++i) {
      if (held_[i].rank < held_[best].rank) best = i;
      is_telling = is_telling || held_[i].is_telling;
    }
    return is_telling ? std::optional(best) : std::nullopt;
  }

  template <typename Output>
  void fold(std::size_t first, std::size_t period, Output& output) {
    const std::size_t whole = (held_.size() - first) / period;
    const std::size_t begin_of_last = first + (whole - 1) * period;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (i < first + period) {
        output.show(std::move(held_[i]));
      } else if (i < begin_of_last) {
        output.hide(std::move(held_[i]), (i - first) % period == 0);
      } else {
        (i < begin_of_last + period ? last_ : next_).push_back(std::move(held_[i]));
      }
    }
    forget();
    period_ = period;
    hidden_ = whole - 2;
  }

  // Returns the units after the last whole repetition.
  template <typename Output>
  std::vector<Unit> end_repetition(Output& output) {
    output.close(hidden_, period_);
    for (Unit& one : last_) output.show(std::move(one));
    last_.clear();
    period_ = 0;
    return std::exchange(next_, {});
  }

  void forget() {
    held_.clear();
    weight_ = 0;
    seen_ = 0;
    runs_.fill(0);
  }

  RepeatLimits limits_;

  // While nothing is folded.
  std::deque<Unit> held_;
  std::size_t weight_ = 0;
  std::size_t seen_ = 0;                                    // units since forget()
  std::array<std::uint64_t, kLongestPeriod> signatures_{};  // of the last of them
  std::array<std::size_t, kLongestPeriod + 1> runs_{};      // by period

  // While a repetition lasts.
  std::size_t period_ = 0;    // 0: none
  std::uint64_t hidden_ = 0;  // repetitions
  std::vector<Unit> last_;    // the last whole repetition
  std::vector<Unit> next_;    // the begin of the next one
};

}  // namespace loopsim

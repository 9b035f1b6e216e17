// Positions of a drawn timeline's parts on the page, in whole pixels: time goes down, lanes go across.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/trace/svg_timeline.hpp"

namespace loopsim {

// A time at which something happens, and its part of the page. Without rows its height is 0.
struct DrawnMoment {
  TimeNs time = 0;
  int top = 0;
  int bottom = 0;
};

// The life of a callback, from its scheduling to its begin, as a line beside the callbacks.
struct DrawnLife {
  std::size_t callback = 0;  // index in DrawnTimeline::callbacks()
  int track = 0;             // 0 is next to the callbacks
  int begin = 0;
  bool has_origin = false;  // begins where the callback was scheduled
  int due = -1;             // -1: unknown, or on time
  int end = 0;
};

// A lane of width 0 is not drawn.
struct DrawnLane {
  int x = 0;
  int width = 0;
  [[nodiscard]] bool is_there() const { return width > 0; }
  [[nodiscard]] int end() const { return x + width; }
};

class SvgLayout {
 public:
  static constexpr int kMostWidth = 960;
  static constexpr int kLeastWidth = 680;
  static constexpr int kMargin = 16;
  static constexpr int kBar = 12;     // of a callback
  static constexpr int kIndent = 16;  // of nested items
  static constexpr int kTrack = 9;    // between two lives
  static constexpr int kNameSize = 12;
  static constexpr int kLabelSize = 11;
  static constexpr int kSmallSize = 10;
  static constexpr std::size_t kMostThreads = 16;  // drawn at most

  // `top` is the y of the first row.
  SvgLayout(const DrawnTimeline& timeline, int top);

  [[nodiscard]] const std::vector<DrawnMoment>& moments() const { return moments_; }
  [[nodiscard]] const std::vector<DrawnLife>& lives() const { return lives_; }
  [[nodiscard]] std::size_t lives_left_out() const { return left_out_; }
  [[nodiscard]] std::size_t threads() const { return threads_; }
  [[nodiscard]] std::size_t threads_left_out() const { return threads_left_out_; }
  [[nodiscard]] int row_top(std::size_t row) const { return tops_[row]; }
  [[nodiscard]] int row_bottom(std::size_t row) const;
  [[nodiscard]] int row_middle(std::size_t row) const { return (tops_[row] + row_bottom(row)) / 2; }
  [[nodiscard]] int bottom() const { return bottom_; }
  [[nodiscard]] int y(TimeNs time) const;                        // top of the moment
  [[nodiscard]] int y(const DrawnPlace& place) const;            // below the last row before it
  [[nodiscard]] int y_of_asking(const DrawnPlace& place) const;  // within the last row before it

  [[nodiscard]] int width() const { return width_; }               // of the page
  [[nodiscard]] bool has_reasons() const { return has_reasons_; }  // there is room for the reasons of lateness
  [[nodiscard]] const DrawnLane& axis() const { return axis_; }
  [[nodiscard]] const DrawnLane& loop() const { return loop_; }
  [[nodiscard]] const DrawnLane& callbacks() const { return callbacks_; }  // including the lives
  [[nodiscard]] const DrawnLane& console() const { return console_; }
  [[nodiscard]] const DrawnLane& pool() const { return pool_; }
  [[nodiscard]] DrawnLane thread(std::size_t number) const;
  [[nodiscard]] const DrawnLane& outside() const { return outside_; }
  [[nodiscard]] const DrawnLane& cpu() const { return cpu_; }
  [[nodiscard]] int bar(int depth) const { return bars_ + depth * kIndent; }  // x of a callback's bar
  [[nodiscard]] int words(int depth) const { return bar(depth) + kBar + 6; }  // x of the text beside it
  [[nodiscard]] int track(int number) const { return bars_ - kTrack * (number + 1) - 3; }

 private:
  void find_moments();
  void stack(int top);
  void find_lives();
  [[nodiscard]] bool place_lives(int eagerness);
  void place_lanes();
  [[nodiscard]] int width_of_words(bool with_reasons) const;
  [[nodiscard]] std::size_t last_row_before(const DrawnPlace& place) const;

  const DrawnTimeline& timeline_;
  std::vector<DrawnMoment> moments_;  // by time
  std::vector<int> tops_;             // by row
  std::vector<DrawnLife> lives_;
  std::size_t left_out_ = 0;
  std::size_t threads_ = 0;
  std::size_t threads_left_out_ = 0;
  int bottom_ = 0;
  int width_ = kLeastWidth;
  bool has_reasons_ = false;
  int bars_ = 0;
  DrawnLane axis_, loop_, callbacks_, console_, pool_, outside_, cpu_;
};

}  // namespace loopsim

#include "sim/trace/svg_layout.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "loopsim/time_text.hpp"

#include "sim/trace/svg_text.hpp"

namespace loopsim {
namespace {

constexpr int kShortestGap = 28;  // room for its length and for the times at both ends
constexpr int kLongestGap = 76;
constexpr int kLongestOfMany = 44;
constexpr std::size_t kMany = 12;  // moments
constexpr int kGapStep = 8;        // per doubling
constexpr int kMostTracks = 12;
constexpr int kAxisWidth = 84;
constexpr int kLoopWidth = 86;
constexpr int kSpace = 12;  // between lanes
constexpr int kStallWidth = 58;
constexpr int kLeastLane = 76;  // so that its head fits
constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

int height_of(const DrawnRow& row) {
  switch (row.kind) {
    case DrawnRow::Kind::turn: return 17;
    case DrawnRow::Kind::callback: return 19;
    case DrawnRow::Kind::fold: return row.more.empty() ? 26 : 41;
    default: return 17;
  }
}

// Longer gaps are higher, but not proportionally: the axis is broken.
int height_of_gap(TimeNs gap, TimeNs shortest, int longest) {
  int height = kShortestGap;
  for (TimeNs ratio = gap / shortest; ratio > 1 && height < longest; ratio /= 2) height += kGapStep;
  return std::min(height, longest);
}

}  // namespace

SvgLayout::SvgLayout(const DrawnTimeline& timeline, int top) : timeline_(timeline) {
  find_moments();
  stack(top);
  find_lives();
  place_lanes();
}

// ---- rows and moments -----------------------------------------------------------------------------------------------

void SvgLayout::find_moments() {
  std::vector<TimeNs> times;
  const auto add = [&](TimeNs time) { times.push_back(std::clamp<TimeNs>(time, 0, timeline_.last_time())); };
  add(timeline_.last_time());
  for (const DrawnRow& row : timeline_.rows()) add(row.time);
  for (const DrawnCallback& callback : timeline_.callbacks()) {
    add(callback.end.time);
    if (callback.lateness > 0 && callback.due >= 0) add(callback.due);
  }
  for (const DrawnBurn& burn : timeline_.burns()) add(burn.from.time), add(burn.to);
  for (const DrawnWait& wait : timeline_.waits()) add(wait.from.time), add(wait.to);
  for (const DrawnWork& work : timeline_.work()) add(work.from), add(work.to);
  for (const DrawnStall& stall : timeline_.stalls()) add(stall.from), add(stall.to);
  for (const DrawnPhase& phase : timeline_.phases()) add(phase.begin.time), add(phase.end.time);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  for (const TimeNs time : times) moments_.push_back({time, 0, 0});
}

void SvgLayout::stack(int top) {
  const std::vector<DrawnRow>& rows = timeline_.rows();
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return rows[row].time; });
  TimeNs shortest = kNever;
  for (std::size_t i = 1; i < moments_.size(); ++i) {
    shortest = std::min(shortest, moments_[i].time - moments_[i - 1].time);
  }

  const int longest = moments_.size() > kMany ? kLongestOfMany : kLongestGap;
  tops_.assign(rows.size(), 0);
  int y = top;
  auto row = order.begin();
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    if (i > 0) y += height_of_gap(moments_[i].time - moments_[i - 1].time, shortest, longest);
    moments_[i].top = y;
    for (; row != order.end() && rows[*row].time <= moments_[i].time; ++row) {
      tops_[*row] = y;
      y += height_of(rows[*row]);
    }
    moments_[i].bottom = y;
  }
  bottom_ = y;
}

int SvgLayout::row_bottom(std::size_t row) const { return tops_[row] + height_of(timeline_.rows()[row]); }

int SvgLayout::y(TimeNs time) const {
  const auto moment = std::ranges::lower_bound(moments_, time, {}, &DrawnMoment::time);
  return moment == moments_.end() ? bottom_ : moment->top;
}

std::size_t SvgLayout::last_row_before(const DrawnPlace& place) const {
  const std::vector<DrawnRow>& rows = timeline_.rows();
  for (std::size_t row = std::min(place.rows, rows.size()); row > 0; --row) {
    const DrawnRow& last = rows[row - 1];
    if (last.is_aside || last.time > place.time) continue;
    return last.time == place.time ? row - 1 : kNoRow;
  }
  return kNoRow;
}

int SvgLayout::y(const DrawnPlace& place) const {
  const std::size_t row = last_row_before(place);
  return row == kNoRow ? y(place.time) : row_bottom(row);
}

int SvgLayout::y_of_asking(const DrawnPlace& place) const {
  const std::size_t row = last_row_before(place);
  return row == kNoRow ? y(place.time) : row_bottom(row) - 5;  // below the arrow to that row
}

// ---- lives ---------------------------------------------------------------------------------------------------------------------

void SvgLayout::find_lives() {
  // When too many are drawn to be distinguishable, the least informative are left out: first ticks and microtasks,
  // which run right after the callback that scheduled them, then all callbacks that are on time.
  for (int eagerness = 2; eagerness >= 0; --eagerness) {
    if (place_lives(eagerness)) return;
  }
  std::erase_if(lives_, [this](const DrawnLife& life) {
    const bool is_out = life.track >= kMostTracks;
    if (is_out) ++left_out_;
    return is_out;
  });
}

// False when they need more than kMostTracks tracks.
bool SvgLayout::place_lives(int eagerness) {
  lives_.clear();
  left_out_ = 0;
  const std::vector<DrawnCallback>& callbacks = timeline_.callbacks();
  for (std::size_t i = 0; i < callbacks.size(); ++i) {
    const DrawnCallback& callback = callbacks[i];
    const bool is_late = callback.lateness > 0 && callback.due >= 0;
    if (!callback.has_origin && !is_late) continue;  // caused from outside and on time: no line
    const bool is_quick = callback.mark == DrawnMark::tick || callback.mark == DrawnMark::microtask;
    if ((is_quick && eagerness < 2) || (callback.lateness == 0 && eagerness < 1)) {
      ++left_out_;
      continue;
    }
    // The next round of an interval may be scheduled when it is already due: its line begins at the due time.
    const bool has_origin = callback.has_origin && !(is_late && callback.due < callback.origin.time);
    DrawnLife life;
    life.callback = i;
    life.has_origin = has_origin;
    life.begin = has_origin ? y_of_asking(callback.origin) : y(callback.due);
    life.due = is_late ? y(callback.due) : -1;
    life.end = row_middle(callback.row);
    lives_.push_back(life);
  }

  // The shortest are next to the callbacks.
  std::vector<std::size_t> order(lives_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [this](std::size_t i) { return lives_[i].end - lives_[i].begin; });
  int most = 0;
  for (auto next = order.begin(); next != order.end(); ++next) {
    DrawnLife& life = lives_[*next];
    const auto is_taken = [&](int track) {
      return std::any_of(order.begin(), next, [&](std::size_t other) {
        return lives_[other].track == track && lives_[other].begin <= life.end && life.begin <= lives_[other].end;
      });
    };
    while (is_taken(life.track)) ++life.track;
    most = std::max(most, life.track + 1);
  }
  return most <= kMostTracks;
}

// ---- lanes ----------------------------------------------------------------------------------------------------------

// The width that the texts in the callbacks' lane need.
int SvgLayout::width_of_words(bool with_reasons) const {
  int width = 200;
  const auto add = [&](int depth, int words) { width = std::max(width, this->words(depth) - callbacks_.x + words); };
  for (const DrawnCallback& callback : timeline_.callbacks()) {
    add(callback.depth, text_width(callback.name, kNameSize, Face::bold) +
                            text_width(callback.rest, kLabelSize, Face::regular) +
                            text_width(with_reasons ? callback.late : callback.late_for, kLabelSize, Face::bold) + 10);
  }
  for (const DrawnRow& row : timeline_.rows()) {
    if (row.kind == DrawnRow::Kind::note) add(row.depth - 1, text_width(row.text, kLabelSize, Face::regular));
    if (row.kind == DrawnRow::Kind::fold) add(-1, text_width(row.text, kLabelSize, Face::bold) + 12);
  }
  for (const DrawnWait& wait : timeline_.waits()) add(-1, text_width(wait.text, kLabelSize, Face::regular));
  for (const DrawnBurn& burn : timeline_.burns()) add(burn.depth, text_width(burn.text, kLabelSize, Face::regular));
  return width;
}

void SvgLayout::place_lanes() {
  axis_ = {kMargin, kAxisWidth};
  for (const DrawnMoment& moment : moments_) {
    axis_.width = std::max(axis_.width, text_width(ms_text(moment.time), kLabelSize, Face::bold) + 12);
  }
  loop_ = {axis_.end() + kSpace, kLoopWidth};
  callbacks_.x = loop_.end() + kSpace;
  int tracks = 0;
  for (const DrawnLife& life : lives_) tracks = std::max(tracks, life.track + 1);
  bars_ = callbacks_.x + kTrack * tracks + 8;

  int console = 0;
  int outside = 0;
  for (const DrawnRow& row : timeline_.rows()) {
    if (!row.console.empty()) console = std::max(console, text_width(row.console, kLabelSize, Face::mono) + 10);
    if (row.kind == DrawnRow::Kind::outside) {
      outside = std::max(outside, text_width(row.text, kSmallSize, Face::regular) + 8);
    }
  }
  if (console > 0) console = std::max(console, kLeastLane);
  if (outside > 0) outside = std::max(outside, kLeastLane);
  std::size_t last_thread = 0;
  int thread = 0;  // width of one
  for (const DrawnWork& work : timeline_.work()) {
    last_thread = std::max(last_thread, work.thread + 1);
    thread = std::max(thread, text_width(work.name, kSmallSize, Face::regular) + 16);
  }
  threads_ = std::min(last_thread, kMostThreads);
  threads_left_out_ = last_thread - threads_;
  const auto count = static_cast<int>(threads_);
  const int narrow = count <= 4 ? 48 : count <= 8 ? 26 : 16;
  int pool = count * std::clamp(thread, narrow, count <= 4 ? 120 : narrow);
  if (count == 1) pool = std::max(pool, kLeastLane);
  const int cpu = timeline_.stalls().empty() ? 0 : kStallWidth;

  // Each lane gets its preferred width. If the sum is too wide, first the reasons are dropped, then long texts
  // truncated.
  int words = width_of_words(true);
  const auto excess = [&] {
    int used = callbacks_.x + words + kMargin;
    for (const int lane : {console, pool, outside, cpu}) used += lane == 0 ? 0 : lane + kSpace;
    return used - kMostWidth;
  };
  const auto narrow_to = [&excess](int& lane, int least) {
    if (excess() > 0) lane = std::max(std::min(lane, least), lane - excess());
  };
  has_reasons_ = excess() <= 0;
  if (!has_reasons_) words = width_of_words(false);
  narrow_to(pool, count * narrow);
  narrow_to(console, 190);
  narrow_to(outside, 130);
  narrow_to(words, 300);
  narrow_to(console, kLeastLane);
  narrow_to(outside, kLeastLane);
  narrow_to(words, 0);

  callbacks_.width = words;
  int x = callbacks_.end();
  const auto place = [&x](DrawnLane& lane, int width) {
    if (width == 0) return;
    lane = {x + kSpace, width};
    x = lane.end();
  };
  place(console_, console);
  place(pool_, pool);
  place(outside_, outside);
  place(cpu_, cpu);
  width_ = std::max(x + kMargin, kLeastWidth);
}

DrawnLane SvgLayout::thread(std::size_t number) const {
  const int width = pool_.width / static_cast<int>(threads_);
  return {pool_.x + static_cast<int>(number) * width, width};
}

}  // namespace loopsim

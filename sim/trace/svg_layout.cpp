#include "sim/trace/svg_layout.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "sim/trace/svg_text.hpp"

namespace loopsim {
namespace {

constexpr int kShortestGap = 28;  // room for its length and for the times above and below
constexpr int kLongestGap = 76;
constexpr int kGapStep = 8;  // for every doubling
constexpr int kMostTracks = 12;
constexpr int kAxisWidth = 84;
constexpr int kLoopWidth = 86;
constexpr int kSpace = 12;  // between lanes
constexpr int kStallWidth = 58;
constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

int height_of(DrawnRow::Kind kind) {
  switch (kind) {
    case DrawnRow::Kind::turn: return 17;
    case DrawnRow::Kind::callback: return 19;
    default: return 17;
  }
}

// Longer gaps are higher, but not in proportion: the axis is broken there.
int height_of_gap(TimeNs gap, TimeNs shortest) {
  int height = kShortestGap;
  for (TimeNs ratio = gap / shortest; ratio > 1 && height < kLongestGap; ratio /= 2) height += kGapStep;
  return std::min(height, kLongestGap);
}

}  // namespace

SvgLayout::SvgLayout(const DrawnTimeline& timeline, int top) : timeline_(timeline) {
  find_moments();
  stack(top);
  find_lives();
  place_lanes();
}

// ---- downwards -----------------------------------------------------------------------------------------------------------------

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

  tops_.assign(rows.size(), 0);
  int y = top;
  auto row = order.begin();
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    if (i > 0) y += height_of_gap(moments_[i].time - moments_[i - 1].time, shortest);
    moments_[i].top = y;
    for (; row != order.end() && rows[*row].time <= moments_[i].time; ++row) {
      tops_[*row] = y;
      y += height_of(rows[*row].kind);
    }
    moments_[i].bottom = y;
  }
  bottom_ = y;
}

int SvgLayout::row_bottom(std::size_t row) const { return tops_[row] + height_of(timeline_.rows()[row].kind); }

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
  return row == kNoRow ? y(place.time) : row_middle(row);
}

// ---- lives ---------------------------------------------------------------------------------------------------------------------

void SvgLayout::find_lives() {
  // Where there are too many to be told apart, those that say least are left out: first ticks and microtasks, which run
  // right behind what asked for them, then all that are on time.
  for (int eagerness = 2; eagerness >= 0; --eagerness) {
    if (place_lives(eagerness)) return;
  }
  std::erase_if(lives_, [this](const DrawnLife& life) {
    const bool is_out = life.track >= kMostTracks;
    if (is_out) ++left_out_;
    return is_out;
  });
}

// False when they need more tracks than there is room for.
bool SvgLayout::place_lives(int eagerness) {
  lives_.clear();
  left_out_ = 0;
  const std::vector<DrawnCallback>& callbacks = timeline_.callbacks();
  for (std::size_t i = 0; i < callbacks.size(); ++i) {
    const DrawnCallback& callback = callbacks[i];
    if (!callback.has_origin) continue;
    const bool is_quick = callback.mark == DrawnMark::tick || callback.mark == DrawnMark::microtask;
    if ((is_quick && eagerness < 2) || (callback.lateness == 0 && eagerness < 1)) {
      ++left_out_;
      continue;
    }
    const bool is_late = callback.lateness > 0 && callback.due >= 0;
    lives_.push_back({i, 0, y_of_asking(callback.origin), is_late ? y(callback.due) : -1, row_middle(callback.row)});
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

// ---- across --------------------------------------------------------------------------------------------------------------------

void SvgLayout::place_lanes() {
  int printed = 0;
  int outside = 0;
  for (const DrawnRow& row : timeline_.rows()) {
    if (!row.console.empty()) printed = std::max(printed, text_width(row.console, kLabelSize, Face::mono) + 8);
    if (row.kind == DrawnRow::Kind::outside) {
      outside = std::max(outside, text_width(row.text, kSmallSize, Face::regular) + 10);
    }
  }
  std::size_t last_thread = 0;
  for (const DrawnWork& work : timeline_.work()) last_thread = std::max(last_thread, work.thread + 1);
  threads_ = std::min(last_thread, kMostThreads);
  threads_left_out_ = last_thread - threads_;

  // From the right: what is there, as wide as it needs to be.
  int right = kWidth - kMargin;
  const auto take = [&right](DrawnLane& lane, int width) {
    if (width == 0) return;
    lane = {right - width, width};
    right -= width + kSpace;
  };
  const int others = 18 * static_cast<int>(threads_) + (timeline_.stalls().empty() ? 0 : kStallWidth);
  take(cpu_, timeline_.stalls().empty() ? 0 : kStallWidth);
  if (outside > 0) take(outside_, std::clamp(outside, 76, std::max(110, 190 - others / 2)));
  if (threads_ > 0) take(pool_, static_cast<int>(threads_) * (threads_ <= 4 ? 48 : threads_ <= 8 ? 26 : 16));
  if (printed > 0) take(console_, std::clamp(printed, 64, std::max(150, 260 - others)));

  axis_ = {kMargin, kAxisWidth};
  loop_ = {axis_.end() + kSpace, kLoopWidth};
  callbacks_ = {loop_.end() + kSpace, 0};
  callbacks_.width = right - callbacks_.x;
  int tracks = 0;
  for (const DrawnLife& life : lives_) tracks = std::max(tracks, life.track + 1);
  bars_ = callbacks_.x + kTrack * tracks + 8;
}

DrawnLane SvgLayout::thread(std::size_t number) const {
  const int width = pool_.width / static_cast<int>(threads_);
  return {pool_.x + static_cast<int>(number) * width, width};
}

}  // namespace loopsim

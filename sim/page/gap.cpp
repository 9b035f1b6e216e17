#include "sim/page/gap.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kMostOthers = 200;

std::string json_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges) {
  std::string out = "[";
  for (const auto& [from, to] : ranges) out += fmt::format("{}[{},{}]", out.size() > 1 ? "," : "", from, to);
  return out + ']';
}

}  // namespace

void Gap::add(const Event& event, std::string_view text, bool begins) {
  if (is_step(event.kind)) return add_step(event, text);
  if (events_++ == 0) first_ = event;
  last_ = event;
  if (begins) ++repetitions_;
  const Key key = event.a > 0 && (event.kind == EventKind::enqueue || event.kind == EventKind::dequeue)
                      ? kEntries + static_cast<std::uint64_t>(event.a)
                      : event.id;
  switch (event.kind) {
    case EventKind::schedule:
      if (first_new_ == 0) first_new_ = event.id;
      if (scheduled_into(event.api)) put(key, event, text);
      break;
    case EventKind::enqueue: put(key, event, text); break;
    case EventKind::ref:
    case EventKind::unref:
    case EventKind::work_begin:
    case EventKind::work_end: note(event, text); break;
    case EventKind::callback_begin:
      ++callbacks_;
      take(key);
      break;
    case EventKind::cancel:
    case EventKind::ready:
    case EventKind::dequeue: take(key); break;
    case EventKind::log:
    case EventKind::error_log: ++lines_; break;
    default: break;
  }
}

void Gap::put(Key key, const Event& event, std::string_view text) {
  const bool was_before = key < kEntries && (first_new_ == 0 || key < first_new_) && !waiting_.contains(key);
  if (was_before) take(key);  // it leaves the queue in which it was
  // An entry that moves keeps what was told of it: that it was asked for, above all.
  waiting_[key].push_back({event, std::string(text)});
  if (waiting_.size() <= kMostWaiting) return;
  waiting_.erase(waiting_.begin());
  ++lost_;
}

void Gap::take(Key key) {
  if (waiting_.erase(key) > 0) return;
  if (key < kEntries && first_new_ != 0 && key >= first_new_) {
    if (lost_ > 0) --lost_;
    return;
  }
  std::vector<Range>& gone = key < kEntries ? gone_ : gone_entries_;
  const std::uint64_t number = key < kEntries ? key : key - kEntries;
  if (!gone.empty() && gone.back().second + 1 == number) {
    gone.back().second = number;
  } else {
    gone.emplace_back(number, number);
  }
}

// An event about an entry that waits, or about one that did so before.
void Gap::note(const Event& event, std::string_view text) {
  const auto known = waiting_.find(event.id);
  if (known != waiting_.end()) {
    known->second.push_back({event, std::string(text)});
  } else if ((first_new_ == 0 || event.id < first_new_) && others_.size() < kMostOthers) {
    others_.push_back({event, std::string(text)});
  }
}

// The scopes of calls that are left out are of no interest behind them.
void Gap::add_step(const Event& event, std::string_view text) {
  const bool is_value = event.kind == EventKind::assign && event.a <= known_.scope;
  const bool is_state = event.kind == EventKind::promise && event.id <= known_.promise;
  if (!is_value && !is_state && event.kind != EventKind::steps_end) return;
  const std::tuple key(event.kind, is_value ? static_cast<std::uint64_t>(event.a) : event.id, event.name);
  if (values_.size() == kMostValues && !values_.contains(key) && event.kind != EventKind::steps_end) return;
  values_[key] = {event, std::string(text)};
}

std::vector<Gap::Kept> Gap::kept() const {
  std::vector<Kept> all = others_;
  for (const auto& [key, events] : waiting_) all.insert(all.end(), events.begin(), events.end());
  // A step has the number of the event before it, which comes first.
  for (const auto& [key, step] : values_) all.push_back(step);
  std::ranges::stable_sort(all, {}, [](const Kept& one) { return one.event.sequence; });
  return all;
}

std::string Gap::json() const {
  const std::vector<Kept> all = kept();
  const auto kept_events = std::ranges::count_if(all, [](const Kept& one) { return !is_step(one.event.kind); });
  return fmt::format(
      "{{\"first\":{},\"last\":{},\"t\":{},\"to\":{},\"loop\":{},\"turn\":{},\"phase\":\"{}\",\"events\":{},"
      "\"repetitions\":{},"
      "\"callbacks\":{},\"lines\":{},\"lost\":{},\"gone\":{},\"goneEntries\":{}}}",
      first_.sequence, last_.sequence, first_.time, last_.time, first_.loop_time, first_.turn, to_string(first_.phase),
      events_ - static_cast<std::uint64_t>(kept_events), repetitions_, callbacks_, lines_, lost_, json_of(gone_),
      json_of(gone_entries_));
}

}  // namespace loopsim

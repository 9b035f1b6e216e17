#include "sim/trace/queues.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kMostNames = 8;  // of one queue, or of one list of timers
constexpr std::size_t kMostLists = 8;
constexpr std::size_t kQueues = 9;
constexpr std::size_t kLabel = 11;  // columns

std::string row(std::string_view queue, std::string_view content) {
  return styled(Style::quiet, fmt::format("{:<{}}", queue, kLabel)) + std::string(content);
}

void append(std::string& text, std::string_view item, std::string_view separator = ", ") {
  if (!text.empty()) text += separator;
  text += item;
}

// Names while there is room, and a number for the others.
class Names {
 public:
  void add(const std::string& name) {
    if (++count_ <= kMostNames) append(text_, name);
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::string text() const {
    return count_ <= kMostNames ? text_ : fmt::format("{} and {} more", text_, count_ - kMostNames);
  }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

}  // namespace

void Queues::begin(const RunInfo& info) {
  *this = Queues();
  threads_ = info.threadpool;
  lines_.resize(kQueues);
  const Profile* const profile = find_profile(info.runtime);
  const bool is_limited = profile == nullptr || profile->libuv.slow_io_limit;
  lookups_ = is_limited ? (threads_ + 1) / 2 : threads_;
}

Queues::Queue Queues::queue_of(const Event& event, std::string_view text) {
  switch (traits(event.api).waits_in) {
    case WaitsIn::timers: return Queue::timers;
    case WaitsIn::immediates: return Queue::immediates;
    case WaitsIn::ticks: return Queue::ticks;
    case WaitsIn::microtasks: return event.api == Api::queue_microtask ? Queue::microtasks : Queue::promises;
    case WaitsIn::requests: return uses_pool(event.api, text) ? Queue::pool : Queue::network;
    case WaitsIn::streams: return Queue::writes;
    case WaitsIn::nothing: break;
  }
  return Queue::none;
}

Queues::Line& Queues::line_of(Queue queue, TimeNs list) {
  return queue == Queue::timers ? lists_[list] : lines_[static_cast<std::size_t>(queue)];
}

void Queues::learn(const Event& event, std::string_view text) {
  if (heard_ != 0 && event.kind != EventKind::phase_enter && event.kind != EventKind::stall) {
    const bool was_last = event.kind == EventKind::callback_begin && event.id == heard_;
    if (!was_last) {
      line_of(heard_queue_, 0).emplace(event.sequence, heard_work_);
      places_[heard_] = {heard_queue_, 0, event.sequence, false};
    }
    heard_ = 0;
  }
  switch (event.kind) {
    case EventKind::schedule: add(event, text); break;
    case EventKind::cancel:
    case EventKind::callback_begin: take(event.id); break;
    case EventKind::ready: {
      const auto place = places_.find(event.id);
      if (place == places_.end()) break;
      heard_ = event.id;
      heard_queue_ = place->second.queue;
      heard_work_ = line_of(heard_queue_, 0)[place->second.number];
      take(event.id);
      break;
    }
    case EventKind::ref:
    case EventKind::unref:
      if (const auto place = places_.find(event.id); place != places_.end())
        place->second.is_unreferenced = event.kind == EventKind::unref;
      if (event.kind == EventKind::unref)
        unreferenced_.insert(event.id);
      else
        unreferenced_.erase(event.id);
      break;
    default: break;
  }
}

void Queues::add(const Event& event, std::string_view text) {
  const Queue queue = queue_of(event, text);
  if (queue == Queue::none) return;
  const TimeNs list = queue == Queue::timers ? event.b / kMillisecond * kMillisecond : 0;
  line_of(queue, list).emplace(event.sequence, Waiting{event.id, event.a, event.api == Api::dns});
  const bool is_unreferenced = event.c > 0 && unreferenced_.contains(static_cast<std::uint64_t>(event.c));
  places_[event.id] = {queue, list, event.sequence, is_unreferenced};
  if (is_unreferenced) unreferenced_.insert(event.id);
}

void Queues::take(std::uint64_t id) {
  const auto found = places_.find(id);
  if (found == places_.end()) return;
  const Place place = found->second;
  places_.erase(found);
  Line& line = line_of(place.queue, place.list);
  line.erase(place.number);
  if (place.queue == Queue::timers && line.empty()) lists_.erase(place.list);
}

std::size_t Queues::size(Queue queue) const {
  const auto is_there = [queue](const auto& place) { return place.second.queue == queue; };
  return static_cast<std::size_t>(std::ranges::count_if(places_, is_there));
}

std::size_t Queues::referenced(Queue queue) const {
  const auto counts = [queue](const auto& place) {
    return place.second.queue == queue && !place.second.is_unreferenced;
  };
  return static_cast<std::size_t>(std::ranges::count_if(places_, counts));
}

// ---- words ----------------------------------------------------------------------------------------------------------------------

std::string Queues::names(const Line& line, const Labels& labels) const {
  Names names;
  for (const auto& [number, waiting] : line) {
    const auto place = places_.find(waiting.id);
    const bool is_unreferenced = place != places_.end() && place->second.is_unreferenced;
    std::string name = labels.name_of(waiting.id);
    if (waiting.due >= 0) name += " due " + ms_text(waiting.due);
    names.add(is_unreferenced ? name + " (unref'd)" : name);
  }
  return names.text();
}

// Lists in the order in which their first timers are due.
std::string Queues::timers(const Labels& labels) const {
  std::vector<std::pair<TimeNs, TimeNs>> lists;
  for (const auto& [delay, line] : lists_) lists.emplace_back(line.begin()->second.due, delay);
  std::ranges::sort(lists);
  std::string text;
  for (std::size_t i = 0; i < std::min(lists.size(), kMostLists); ++i) {
    const TimeNs delay = lists[i].second;
    append(text, fmt::format("[{} ms] {}", short_ms_text(delay), names(lists_.at(delay), labels)), "  ");
  }
  if (lists.size() > kMostLists) text += fmt::format("  and {} more lists", lists.size() - kMostLists);
  return text;
}

std::string Queues::pool(const Labels& labels) const {
  Names working;
  Names waiting;
  std::size_t lookups = 0;
  for (const auto& [number, work] : line(Queue::pool)) {
    const bool has_thread = working.count() < threads_ && (!work.is_lookup || lookups < lookups_);
    (has_thread ? working : waiting).add(labels.name_of(work.id));
    if (has_thread && work.is_lookup) ++lookups;
  }
  std::string text = fmt::format("{} of {} threads: {}", working.count(), threads_, working.text());
  if (waiting.count() != 0) text += fmt::format("; waiting: {}", waiting.text());
  return text;
}

std::vector<std::string> Queues::rows(const Labels& labels) const {
  std::vector<std::string> rows;
  if (!lists_.empty()) rows.push_back(row("timers", timers(labels)));
  const auto add_line = [&](std::string_view name, Queue queue) {
    if (!line(queue).empty()) rows.push_back(row(name, names(line(queue), labels)));
  };
  add_line("immediates", Queue::immediates);
  if (!line(Queue::pool).empty()) rows.push_back(row("pool", pool(labels)));
  add_line("network", Queue::network);
  add_line("writes", Queue::writes);
  add_line("ticks", Queue::ticks);
  add_line("microtasks", Queue::microtasks);
  add_line("promises", Queue::promises);
  return rows;
}

std::vector<std::string> Queues::rows_at(const Event& poll, const Labels& labels) const {
  std::vector<std::string> all = rows(labels);
  const auto rule = static_cast<PollRule>(poll.detail);
  if (rule == PollRule::pending_queue) all.push_back(row("pending", "not empty"));
  if (rule == PollRule::closing_handle) all.push_back(row("closing", "not empty"));
  return all;
}

std::vector<std::string> Queues::rows_of(const Event& drain, const Labels& labels) const {
  std::vector<std::string> rows;
  const auto add_counted = [&](std::string_view name, Queue queue, std::int64_t count, std::string_view others) {
    if (count <= 0) return;
    std::string text = names(line(queue), labels);
    const std::int64_t rest = count - static_cast<std::int64_t>(line(queue).size());
    if (rest > 0) append(text, fmt::format("{} {}", rest, others));
    rows.push_back(row(name, text));
  };
  add_counted("ticks", Queue::ticks, drain.a, "of Node's own");
  add_counted("microtasks", Queue::microtasks, drain.b, "of promises");
  return rows;
}

}  // namespace loopsim

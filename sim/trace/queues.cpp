#include "sim/trace/queues.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kMostNames = 8;  // per queue, and per list of timers
constexpr std::size_t kMostLists = 8;
constexpr std::size_t kLabel = 11;  // columns

std::string row(Language language, Word queue, std::string_view content) {
  return styled(Style::quiet, fmt::format("{:<{}}", say(language, queue), kLabel)) + std::string(content);
}

std::string number(std::size_t value) { return fmt::format("{}", value); }

void append(std::string& text, std::string_view item, std::string_view separator = ", ") {
  if (!text.empty()) text += separator;
  text += item;
}

// Names up to kMostNames, then the number of the others.
class Names {
 public:
  void add(const std::string& name) {
    if (++count_ <= kMostNames) append(text_, name);
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::string text(Language language) const {
    return count_ <= kMostNames ? text_ : say(language, Word::and_more, {text_, number(count_ - kMostNames)});
  }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

}  // namespace

void Queues::begin(const RunInfo& info) {
  *this = Queues();
  threads_ = info.threadpool;
  const Profile* const profile = find_profile(info.runtime);
  list_unit_ = profile == nullptr || has_whole_lists(*profile) ? kMillisecond : 1;
  lines_.resize(kQueues);
}

void Queues::learn(const Event& event, std::string_view text) {
  switch (event.kind) {
    case EventKind::schedule: add(event); break;
    case EventKind::enqueue: {
      const bool is_entry = event.a > 0;
      const Key key = is_entry ? kEntries + static_cast<Key>(event.a) : event.id;
      Waiting waiting{key, -1, event.name, is_entry ? std::string(text) : std::string(), -1, false};
      put(static_cast<Queue>(event.detail), {}, event.sequence, std::move(waiting), false);
      break;
    }
    case EventKind::dequeue: take(kEntries + static_cast<Key>(event.a)); break;
    case EventKind::work_begin:
      if (Waiting* const work = find(event.id)) work->thread = static_cast<std::int32_t>(event.c);
      break;
    case EventKind::work_end:
      if (Waiting* const work = find(event.id)) work->is_done = true;
      break;
    case EventKind::cancel:
    case EventKind::callback_begin: take(event.id); break;
    case EventKind::ready: take(event.id); break;  // its callback or its next request follows immediately
    case EventKind::ref:
    case EventKind::unref:
      if (const auto place = places_.find(event.id); place != places_.end())
        place->second.is_unreferenced = event.kind == EventKind::unref;
      if (event.kind == EventKind::unref && has_own_handles()) give_own_handle(event.id);
      if (event.kind == EventKind::unref)
        unreferenced_.insert(event.id);
      else
        unreferenced_.erase(event.id);
      break;
    default: break;
  }
}

void Queues::add(const Event& event) {
  const std::optional<Queue> queue = scheduled_into(event.api);
  if (!queue) return;  // added by an enqueue event
  const bool is_unreferenced = event.c > 0 && unreferenced_.contains(static_cast<std::uint64_t>(event.c));
  if (is_unreferenced) unreferenced_.insert(event.id);
  List list;
  if (queue == Queue::timers) list.first = event.b / list_unit_ * list_unit_;
  if (queue == Queue::timers && is_unreferenced && has_own_handles()) list.second = event.id;
  put(*queue, list, event.sequence, {event.id, event.a, kNoName, {}, -1, false}, is_unreferenced);
}

void Queues::put(Queue queue, const List& list, std::uint64_t number, Waiting waiting, bool is_unreferenced) {
  const Key key = waiting.key;
  take(key);
  line_of(queue, list).emplace(number, std::move(waiting));
  places_[key] = {queue, list, number, is_unreferenced};
}

void Queues::take(Key key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return;
  const Place place = found->second;
  places_.erase(found);
  Line& line = line_of(place.queue, place.list);
  line.erase(place.number);
  if (place.queue == Queue::timers && line.empty()) lists_.erase(place.list);
}

void Queues::give_own_handle(std::uint64_t timer) {
  const auto found = places_.find(timer);
  if (found == places_.end() || found->second.queue != Queue::timers || found->second.list.second != 0) return;
  const Place place = found->second;
  put(place.queue, {place.list.first, timer}, place.number, *find(timer), true);
}

Queues::Waiting* Queues::find(Key key) {
  const auto found = places_.find(key);
  return found == places_.end() ? nullptr : &line_of(found->second.queue, found->second.list).at(found->second.number);
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

std::vector<std::uint64_t> Queues::ids(Queue queue) const {
  std::vector<std::uint64_t> ids;
  for (const auto& [number, waiting] : line(queue)) ids.push_back(waiting.key < kEntries ? waiting.key : 0);
  return ids;
}

// ---- words ----------------------------------------------------------------------------------------------------------------------

std::string Queues::name_of(const Waiting& waiting, const Labels& labels) const {
  if (waiting.key >= kEntries) {
    const std::string owner = labels.named(waiting.name);
    if (owner.empty()) return waiting.what;
    return waiting.what.empty() ? owner : fmt::format("{} ({})", waiting.what, owner);
  }
  std::string name = labels.name_of(waiting.key);
  if (waiting.due >= 0) name = say(labels.language(), Word::name_due, {name, ms_text(waiting.due)});
  const auto place = places_.find(waiting.key);
  const bool is_unreferenced = place != places_.end() && place->second.is_unreferenced;
  return is_unreferenced ? say(labels.language(), Word::name_unref, {name}) : name;
}

std::string Queues::names(const Line& line, const Labels& labels) const {
  Names names;
  for (const auto& [number, waiting] : line) names.add(name_of(waiting, labels));
  return names.text(labels.language());
}

// Lists in the order of their first timers' due times.
std::string Queues::timers(const Labels& labels) const {
  std::vector<std::pair<TimeNs, List>> lists;
  for (const auto& [list, line] : lists_) lists.emplace_back(line.begin()->second.due, list);
  std::ranges::sort(lists);
  std::string text;
  for (std::size_t i = 0; i < std::min(lists.size(), kMostLists); ++i) {
    const List& list = lists[i].second;
    append(text,
           say(labels.language(), list.second == 0 ? Word::timer_list : Word::timer_of_own,
               {short_ms_text(list.first), names(lists_.at(list), labels)}),
           "  ");
  }
  if (lists.size() <= kMostLists) return text;
  return say(labels.language(), Word::and_more_lists, {text, number(lists.size() - kMostLists)});
}

std::string Queues::pool(const Labels& labels) const {
  Names working;
  Names waiting;
  Names done;
  for (const auto& [number, work] : line(Queue::pool))
    (work.is_done ? done : work.thread >= 0 ? working : waiting).add(labels.name_of(work.key));
  const Language language = labels.language();
  std::string text = say(language, Word::threads_at_work, {number(working.count()), number(threads_)});
  const auto tell = [&](Word word, const Names& names) {
    if (names.count() != 0) text = say(language, word, {text, names.text(language)});
  };
  tell(Word::pool_names, working);
  tell(Word::pool_waiting, waiting);
  tell(Word::pool_done, done);
  return text;
}

std::vector<std::string> Queues::rows(const Labels& labels) const {
  const Language language = labels.language();
  std::vector<std::string> rows;
  if (!lists_.empty()) rows.push_back(row(language, Word::queue_timers, timers(labels)));
  const auto add_line = [&](Word name, Queue queue) {
    if (!line(queue).empty()) rows.push_back(row(language, name, names(line(queue), labels)));
  };
  add_line(Word::queue_pending, Queue::pending);
  add_line(Word::queue_immediates, Queue::immediates);
  if (!line(Queue::pool).empty()) rows.push_back(row(language, Word::queue_pool, pool(labels)));
  add_line(Word::queue_network, Queue::network);
  add_line(Word::queue_ready, Queue::ready);
  add_line(Word::queue_writes, Queue::writes);
  add_line(Word::queue_closing, Queue::closing);
  add_line(Word::queue_ticks, Queue::ticks);
  add_line(Word::queue_microtasks, Queue::microtasks);
  add_line(Word::queue_promises, Queue::promises);
  add_line(Word::queue_idle, Queue::idle);
  add_line(Word::queue_prepare, Queue::prepare);
  add_line(Word::queue_check, Queue::check);
  add_line(Word::queue_async, Queue::async);
  add_line(Word::queue_tasks, Queue::tasks);
  add_line(Word::queue_delayed_tasks, Queue::delayed_tasks);
  add_line(Word::queue_frames, Queue::frames);
  add_line(Word::queue_idles, Queue::idles);
  return rows;
}

std::vector<std::string> Queues::rows_of_drain(const Labels& labels) const {
  std::vector<std::string> rows;
  for (const auto& [name, queue] :
       {std::pair(Word::queue_ticks, Queue::ticks), std::pair(Word::queue_microtasks, Queue::microtasks)}) {
    if (!line(queue).empty()) rows.push_back(row(labels.language(), name, names(line(queue), labels)));
  }
  return rows;
}

}  // namespace loopsim

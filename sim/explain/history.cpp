#include "sim/explain/history.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/assert.hpp"
#include "loopsim/text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kRemembered =
    4096;  // stalls and outside inputs to remember; as many as the engine keeps to find reasons for lateness

}  // namespace

void History::begin(const RunInfo& info, Language language) {
  *this = History();
  language_ = language;
  profile_ = find_profile(info.runtime);
  if (profile_ == nullptr) profile_ = &default_profile();
  is_module_ = info.entry == "module";
  is_libuv_alone_ = loopsim::is_libuv_alone(info);
  threads_ = info.threadpool;
  clock_phase_ = info.clock_phase;
  for (const std::string& name : info.names) names_.push_back(printable(name));
  texts_.emplace_back();
}

void History::events(const EventBatch& batch) {
  for (const std::string& name : batch.new_names) names_.push_back(printable(name));
  for (const Event& event : batch.events) {
    if (!is_about_queues(event)) step_ = event.sequence;
    tell(event, batch.text_of(event));
  }
}

void History::end(const RunSummary& summary) {
  if (end_sequence_ == 0) end_time_ = summary.end_time;
  end_reason_ = summary.reason;
  const auto begun = static_cast<std::ptrdiff_t>(order_.size());
  for (const CallbackFacts& facts : facts_) {
    if (facts.asked != 0 && facts.begun == 0) order_.push_back(facts.id);
  }
  std::sort(order_.begin() + begun, order_.end());
}

// A drain or a phase that is still open is to blame when it ran most of the callbacks; a callback that is still running,
// when neither is.
Starvation History::find_starvation() const {
  const auto starved = [this](Starvation found, std::uint64_t first) {
    found.callbacks = order_.size() - first;
    found.last = order_.empty() ? 0 : order_.back();
    const bool ran_most = found.callbacks > 1 && 2 * found.callbacks >= order_.size();
    return ran_most ? found : Starvation();
  };
  Starvation found;
  if (!draining_.empty()) {
    const Drain& drain = this->drain(draining_.front());
    found = starved({Starvation::By::queues, drain.at, 0, 0, drain.phase}, drain.first);
  }
  if (found.by == Starvation::By::nothing && !running_.empty())
    found = {Starvation::By::callback, facts(running_.front()).begun_at, 1, running_.front(), Phase::main};
  if (found.by == Starvation::By::nothing && visit_.by == Starvation::By::phase)
    found = starved(visit_, visit_.callbacks);
  return found;
}

// ---- names ------------------------------------------------------------------------------------------------------------------------

std::string History::name_of(std::uint64_t id) const {
  if (id == 0) return is_page() ? std::string(profile_->name) : "Node";
  if (!knows(id)) return fmt::format("#{}", id);
  const CallbackFacts& facts = this->facts(id);
  if (facts.api == Api::main) return "main";
  LOOPSIM_ASSERT(facts.name == kNoName || facts.name < names_.size());
  if (facts.name != kNoName && !names_[facts.name].empty()) return names_[facts.name];
  if (facts.line == 0) return fmt::format("{}#{}", to_string(facts.api), id);
  return fmt::format("{}@{}", to_string(facts.api), facts.line);
}

std::string History::title_of(std::uint64_t id) const {
  std::string name = name_of(id);
  if (!knows(id)) return name;
  const CallbackFacts& facts = this->facts(id);
  const std::string& op = texts_[facts.op];
  if (facts.api == Api::main) return name;
  if (is_listener(facts.api)) return op.empty() ? name : name + say(language_, Word::is_listener_of_event, {op});
  const std::string_view api = to_string(facts.api);
  if (name.starts_with(api) && name.size() > api.size() && (name[api.size()] == '@' || name[api.size()] == '#'))
    return name;
  return fmt::format("{} ({})", name, api);
}

// Node schedules each round of an interval; the asker is that of the first round.
std::uint64_t History::asker_of(const CallbackFacts& facts) const {
  return facts.kind == ScheduleKind::again && facts.first != 0 ? this->facts(facts.first).by : facts.by;
}

std::uint32_t History::depth_of(const CallbackFacts& facts) const {
  if (facts.api == Api::main) return 0;
  const std::uint64_t asker = asker_of(facts);
  return this->facts(asker).depth + 1;
}

std::uint32_t History::intern(std::string_view text) {
  if (text.empty()) return 0;
  const auto found = text_numbers_.find(text);
  if (found != text_numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(printable(text));
  text_numbers_.emplace(text, number);
  return number;
}

const CallbackFacts& History::facts(std::uint64_t id) const {
  static const CallbackFacts kNothing;
  const auto place = places_.find(id);
  return place == places_.end() ? kNothing : facts_[place->second];
}

CallbackFacts& History::at(std::uint64_t id) {
  const auto [place, is_new] = places_.try_emplace(id, static_cast<std::uint32_t>(facts_.size()));
  if (is_new) facts_.emplace_back().id = id;
  return facts_[place->second];
}

std::uint32_t History::keep(Cause cause) {
  causes_.push_back(std::move(cause));
  return static_cast<std::uint32_t>(causes_.size());
}

namespace {
template <typename Map>
const typename Map::mapped_type* look_up(const Map& map, std::uint64_t id) {
  const auto found = map.find(id);
  return found == map.end() ? nullptr : &found->second;
}
}  // namespace

const ToldPromise& History::promise(std::uint32_t number) const {
  static const ToldPromise kNothing;
  const auto found = promises_.find(number);
  return found == promises_.end() ? kNothing : found->second;
}

std::string History::promise_name(std::uint32_t number) const {
  const std::uint32_t name = promise(number).name;
  LOOPSIM_ASSERT(name == kNoName || name < names_.size());
  return name == kNoName ? std::string() : names_[name];
}

std::uint64_t History::maker_of(std::uint32_t promise) const {
  const ToldPromise& made = this->promise(promise);
  return made.other_maker != 0 && facts(made.other_maker).begun != 0 ? made.other_maker : made.maker;
}

const Cause* History::outside(std::uint64_t id) const {
  const std::uint32_t* const index = look_up(outside_, id);
  return index == nullptr ? nullptr : &causes_[*index - 1];
}
const Thrown* History::thrown(std::uint64_t id) const { return look_up(thrown_, id); }
const HeldUpStep* History::held_up(std::uint64_t id) const { return look_up(held_up_, id); }

// ---- events -----------------------------------------------------------------------------------------------------------------------

namespace {

Poll poll_of(const Event& event) {
  return {event.sequence,
          event.turn,
          event.time - event.b,
          event.time,
          event.a,
          event.id,
          static_cast<PollRule>(event.detail),
          static_cast<PollWake>(event.detail2)};
}

}  // namespace

void History::tell(const Event& event, std::string_view text) {
  switch (event.kind) {
    case EventKind::turn:
      if (loop_began_ < 0) loop_began_ = event.time;
      last_root_ = root_before_ = 0;
      break;
    case EventKind::phase_enter:
      last_root_ = root_before_ = 0;
      visit_ = {Starvation::By::phase, event.time, order_.size(), 0, event.phase};
      break;
    case EventKind::phase_exit:
      last_root_ = root_before_ = last_timer_ = 0;
      visit_.by = Starvation::By::nothing;
      break;
    case EventKind::poll:
      last_root_ = root_before_ = 0;
      last_poll_ = poll_of(event);
      last_poll_is_kept_ = false;
      break;
    case EventKind::ready: report_ready(event, text); break;
    case EventKind::schedule: report_schedule(event, text); break;
    case EventKind::cancel: report_cancel(event); break;
    case EventKind::ref: at(event.id).is_unreferenced = false; break;
    case EventKind::unref: at(event.id).is_unreferenced = true; break;
    case EventKind::callback_begin: report_begin(event, text); break;
    case EventKind::callback_end: report_end(event); break;
    case EventKind::drain_begin: report_drain(event); break;
    case EventKind::drain_end:
      if (!draining_.empty()) draining_.pop_back();
      last_root_ = root_before_ = 0;
      break;
    case EventKind::burn:
      if (!running_.empty() && event.c > event.a && static_cast<BurnKind>(event.detail) == BurnKind::cpu)
        held_up_.insert_or_assign(running_.back(), HeldUpStep{event.sequence, event.a, event.c});
      break;
    case EventKind::receive:
      last_root_ = root_before_ = 0;
      received_ = static_cast<std::uint32_t>(event.a);
      break;
    case EventKind::caught:
      if (static_cast<CatchKind>(event.detail) == CatchKind::uncaught_exception) report_uncaught(event, text, true);
      last_thrower_ = 0;
      break;
    case EventKind::uncaught: report_uncaught(event, text, false); break;
    case EventKind::rejection:
    case EventKind::rejection_handled: last_rejection_ = {event.sequence, event.time, printable(text)}; break;
    case EventKind::input:
      inputs_.push_back({event.sequence, event.a, printable(text)});
      if (inputs_.size() > kRemembered) inputs_.pop_front();
      break;
    case EventKind::stall:
      if (stalls_.size() >= 2 * kRemembered) stalls_.erase(stalls_.begin(), stalls_.begin() + kRemembered);
      stalls_.push_back({event.sequence, event.a, event.a + event.b, static_cast<StallReason>(event.detail)});
      break;
    case EventKind::limit:
      starvation_ = find_starvation();  // while what is going on is still known to be
      [[fallthrough]];
    case EventKind::exit:
      if (end_sequence_ == 0) {
        end_sequence_ = event.sequence;
        end_time_ = event.time;
      }
      break;
    case EventKind::enqueue: report_queued(event, text); break;
    case EventKind::dequeue: report_job(event); break;
    case EventKind::settle: report_settled(event); break;
    case EventKind::work_begin:
    case EventKind::work_end:
    case EventKind::log:
    case EventKind::error_log:
    case EventKind::throw_:
    case EventKind::loop_delay:
    case EventKind::answer:
    default: break;  // the last ones are the steps of a program
  }
}

void History::report_drain(const Event& event) {
  Drain& drain = drains_.emplace_back();
  drain.sequence = event.sequence;
  drain.phase = event.phase;
  // Within a callback only a page has them: behind a listener of an event that a task of its own dispatches.
  drain.after = running_.empty() ? last_root_ : is_page() ? last_ended_ : 0;
  drain.with = root_before_;
  drain.at = event.time;
  drain.first = order_.size();
  job_ = 0;
  draining_.push_back(static_cast<std::uint32_t>(drains_.size()));
}

void History::report_cancel(const Event& event) {
  CallbackFacts& facts = at(event.id);
  switch (static_cast<CancelReason>(event.detail)) {
    case CancelReason::settled:
      facts.passed_over = event.sequence;
      facts.passed_over_at = event.time;
      passed_over_ = event.id;
      return;
    case CancelReason::clear_running:
      facts.cleared = event.sequence;
      facts.cleared_at = event.time;
      facts.cleared_by = event.by;
      return;
    case CancelReason::clear:
    case CancelReason::refresh: break;
  }
  facts.cancelled = event.sequence;
  facts.cancelled_at = event.time;
  facts.cancelled_by = event.by;
  facts.cancel = static_cast<CancelReason>(event.detail);
}

void History::report_queued(const Event& event, std::string_view text) {
  if (static_cast<Queue>(event.detail) != Queue::microtasks) return;
  const std::uint32_t in = event.by == 0 ? job_ : 0;
  if (passed_over_ != 0) at(std::exchange(passed_over_, 0)).rejected = event.b > 0;
  if (event.id != 0) {
    CallbackFacts& facts = at(event.id);
    facts.queued = event.sequence;
    facts.queued_at = event.time;
    facts.queued_after = step_;
    facts.queued_by = event.by;
    facts.queued_in = in;
    facts.rejected = event.b > 0;
    if (facts.promise != 0) facts.value = intern(text.empty() ? "undefined" : text);
    return;
  }
  ToldJob job{
      event.sequence, step_, event.by, in, event.promise, event.result, 0, event.time, static_cast<Job>(event.detail2),
      event.b > 0};
  const auto index = static_cast<std::uint32_t>(jobs_.size()) + 1;
  if (event.result != 0) {
    ToldPromise& result = promises_[event.result];
    job.count = ++result.noted;
    if (is_combinator(job.does)) result.combinator = job.does;
    if (text == "NewPromiseResolveThenableJob") result.thenable = index;
  }
  jobs_.push_back(job);
  waiting_jobs_[static_cast<std::uint64_t>(event.a)] = index;
}

void History::report_job(const Event& event) {
  if (static_cast<Queue>(event.detail) != Queue::microtasks) return;
  const auto job = waiting_jobs_.find(static_cast<std::uint64_t>(event.a));
  job_ = job == waiting_jobs_.end() ? 0 : job->second;
  if (job != waiting_jobs_.end()) waiting_jobs_.erase(job);
}

void History::report_settled(const Event& event) {
  if (event.id > UINT32_MAX) return;
  ToldPromise& promise = promises_[static_cast<std::uint32_t>(event.id)];
  promise.name = event.name;
  promise.settled = event.sequence;
}

// A later await of the same function takes the place of the one before.
void History::note_result(std::uint64_t reaction, std::uint32_t promise) {
  ToldPromise& made = promises_[promise];
  if (made.maker != 0 && facts(reaction).api != Api::await)
    made.other_maker = reaction;
  else
    made.maker = reaction;
}

void History::report_schedule(const Event& event, std::string_view text) {
  CallbackFacts& facts = at(event.id);
  facts.api = event.api;
  facts.name = event.name;
  facts.line = event.line;
  facts.op = intern(text);
  facts.asked = event.sequence;
  facts.asked_at = event.time;
  facts.asked_loop = event.loop_time;
  facts.asked_turn = event.turn;
  facts.asked_phase = event.phase;
  facts.asked_in = draining_.empty() ? 0 : draining_.back();
  facts.by = event.by;
  facts.due = event.a;
  facts.delay = event.b;
  facts.kind = static_cast<ScheduleKind>(event.detail);
  facts.has_odd_delay = event.detail2 != 0;
  if (event.c > 0 && knows(static_cast<std::uint64_t>(event.c))) {
    const CallbackFacts& previous = this->facts(static_cast<std::uint64_t>(event.c));
    // An interval that its callback refreshes is armed once more after that: the refresh never runs, and is no round.
    facts.previous = previous.begun != 0 ? previous.id : previous.previous;
    facts.first = previous.first != 0 ? previous.first : previous.id;
    facts.round = previous.round + (facts.kind == ScheduleKind::again ? 1 : 0);
    facts.is_unreferenced = previous.is_unreferenced;
  }
  facts.promise = event.promise;
  facts.result = event.result;
  facts.depth = depth_of(facts);
  if (event.result != 0) note_result(event.id, event.result);
}

void History::report_begin(const Event& event, std::string_view text) {
  CallbackFacts& facts = at(event.id);
  facts.api = event.api;
  facts.name = event.name;
  if (!text.empty()) facts.op = intern(text);
  if (facts.asked == 0) {
    facts.by = event.by;
    facts.depth = depth_of(facts);
  }
  facts.added_line = event.added_line;
  facts.function_line = event.function_line;
  facts.begun = event.sequence;
  facts.begun_at = event.time;
  facts.turn = event.turn;
  facts.phase = event.phase;
  facts.ready_at = event.a;
  facts.late = event.b;
  facts.why = static_cast<LateReason>(event.detail);
  facts.behind = event.c > 0 ? static_cast<std::uint64_t>(event.c) : 0;
  facts.parent = running_.empty() ? 0 : running_.back();
  order_.push_back(event.id);
  facts.position = static_cast<std::uint32_t>(order_.size());
  facts.bytes = std::exchange(received_, 0);
  if (!draining_.empty()) facts.drain = draining_.back();

  if (event.api == Api::main && !draining_.empty()) drains_[draining_.back() - 1].is_module = true;
  if (is_timer(event.api) && running_.empty()) facts.before = std::exchange(last_timer_, event.id);
  if (last_poll_.sequence != 0) {
    if (!std::exchange(last_poll_is_kept_, true)) polls_.push_back(last_poll_);
    facts.poll = static_cast<std::uint32_t>(polls_.size());
  }
  if (event.api == Api::process_event) {
    if (text == "uncaughtException") facts.cause = keep(last_uncaught_);
    if (text == "unhandledRejection" || text == "rejectionHandled") facts.cause = keep(last_rejection_);
  }
  if (facts.late > 0) {
    kept_stalls_.insert(kept_stalls_.end(), stalls_.begin(), stalls_.end());
    stalls_.clear();
  }
  if (facts.ready_at >= 0 && facts.asked == 0 && !inputs_.empty()) {
    const auto earlier = [&facts](const Cause& input) { return input.at < facts.ready_at; };
    const auto input = std::partition_point(inputs_.begin(), inputs_.end(), earlier);
    const bool is_one = input != inputs_.end() && input->at == facts.ready_at &&
                        (std::next(input) == inputs_.end() || std::next(input)->at != facts.ready_at);
    if (is_one) outside_.emplace(event.id, keep(*input));  // simultaneous inputs: the cause is ambiguous
  }
  running_.push_back(event.id);
  job_ = 0;
}

void History::report_end(const Event& event) {
  CallbackFacts& facts = at(event.id);
  facts.ended = event.sequence;
  facts.ended_at = event.time;
  facts.threw = static_cast<Completion>(event.detail) == Completion::throw_;
  if (facts.threw) {
    last_thrower_ = event.id;
    if (!draining_.empty()) drains_[draining_.back() - 1].is_cut = true;
  }
  last_ended_ = event.id;
  if (!running_.empty()) running_.pop_back();
  if (!running_.empty() || !draining_.empty()) return;
  root_before_ = last_root_;
  last_root_ = event.id;
}

void History::report_ready(const Event& event, std::string_view text) {
  last_root_ = root_before_ = 0;
  CallbackFacts& facts = at(event.id);
  ToldRequest request;
  request.sequence = event.sequence;
  request.asked = facts.last_request == 0 ? facts.asked_at : this->request(facts.last_request).heard;
  request.started = event.b;
  request.done = event.a;
  request.heard = event.time;
  request.thread = event.c;
  request.op = intern(text);
  requests_.push_back(request);
  const auto index = static_cast<std::uint32_t>(requests_.size());
  if (facts.requests == 0)
    facts.requests = index;
  else
    requests_[facts.last_request - 1].next = index;
  facts.last_request = index;
}

void History::report_uncaught(const Event& event, std::string_view text, bool was_caught) {
  last_uncaught_ = {event.sequence, event.time, printable(text)};
  ended_by_rejection_ = !was_caught && last_rejection_.sequence + 1 == event.sequence;
  if (last_thrower_ != 0) thrown_.insert_or_assign(last_thrower_, Thrown{event.sequence, was_caught, printable(text)});
  last_thrower_ = 0;
}

}  // namespace loopsim

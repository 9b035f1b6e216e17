#include "sim/trace/text_words.hpp"

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/verbs.hpp"

namespace loopsim {
namespace {

constexpr std::int64_t kSignalBase = 128;  // exit code of a process killed by a signal: this plus the signal's number

std::string counted(std::int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// The call as in a program: "setTimeout", "process.nextTick", "fs.readFile".
std::string call_words(Api api, std::string_view op) {
  if (api == Api::next_tick) return "process.nextTick";
  if (is_listener(api) && api != Api::process_event)
    return op.empty() ? "listener" : fmt::format("'{}' listener", printable(op));
  if (is_request(api) && !op.empty()) return fmt::format("{}.{}", to_string(api), printable(op));
  return std::string(to_string(api));
}

std::string clear_word(Api api) {
  switch (api) {
    case Api::set_timeout: return "clearTimeout";
    case Api::set_interval: return "clearInterval";
    case Api::set_immediate: return "clearImmediate";
    default: return "clear";
  }
}

}  // namespace

// ---- callbacks --------------------------------------------------------------------------------------------------------------------

void Labels::begin(std::span<const std::string> names) {
  names_.clear();
  labels_.clear();
  add_names(names);
}

void Labels::add_names(std::span<const std::string> names) {
  for (const std::string& name : names) names_.push_back(printable(name));
}

void Labels::learn(const Event& event) {
  if (event.id >= labels_.max_size()) return;  // possible in a handwritten trace
  const auto place = static_cast<std::size_t>(event.id);
  if (place >= labels_.size()) labels_.resize(place + 1);
  Label& label = labels_[place];
  label.name = event.name;
  label.api = event.api;
  if (event.line != 0) label.line = event.line;
  if (event.kind == EventKind::schedule) label.asked_at = event.time;
}

void Labels::learn_ready(const Event& ready) {
  if (ready.id < labels_.size()) labels_[static_cast<std::size_t>(ready.id)].asked_at = ready.time;
}

std::string Labels::name_of(const Event& event) const {
  Label label = {event.name, event.line, event.api, -1};
  if (label.line == 0 && event.id < labels_.size()) label.line = this->label(event.id).line;
  return words(label, event.id);
}

std::string Labels::name_of(std::uint64_t id) const {
  if (id >= labels_.size()) return fmt::format("callback {}", id);
  return words(label(id), id);
}

bool Labels::name_tells_api(const Event& event) const {
  return is_named(event) && names_[event.name].starts_with(fmt::format("{}@", to_string(event.api)));
}

std::string Labels::words(const Label& label, std::uint64_t id) const {
  if (label.api == Api::main) return "the main script";
  if (label.name != kNoName && !names_[label.name].empty()) return names_[label.name];
  if (label.api == Api::none) return fmt::format("callback {}", id);
  if (label.line == 0) return fmt::format("{} callback", to_string(label.api));
  return fmt::format("{} callback (line {})", to_string(label.api), label.line);
}

// ---- sentences --------------------------------------------------------------------------------------------------------------------

std::string header_words(const RunInfo& info) {
  std::string text = fmt::format("{} · libuv {} · {} · machine {} · {} · seed {}", info.runtime, info.libuv, info.entry,
                                 printable(info.machine), counted(info.threadpool, "pool thread"), info.seed);
  if (info.clock_phase != 0) text += fmt::format(" · clock {} ms", short_ms_text(info.clock_phase));
  for (const auto& [name, json] : info.params) text += fmt::format(" · {} = {}", name, printable(json));
  return text;
}

std::string poll_words(const Event& poll, const Labels& labels) {
  const auto rule = static_cast<PollRule>(poll.detail);
  const auto wake = static_cast<PollWake>(poll.detail2);
  std::string why;
  switch (rule) {
    case PollRule::timer:
      why = fmt::format("until {} is due", poll.id != 0 ? labels.name_of(poll.id) : "the next timer");
      break;
    case PollRule::due_timer: why = "a timer is due"; break;
    case PollRule::no_timer: why = "no timer is set"; break;
    case PollRule::stopped: why = "the loop is stopping"; break;
    case PollRule::nothing_active: why = "nothing is left to wait for"; break;
    case PollRule::pending_queue: why = "callbacks are pending"; break;
    case PollRule::idle_handle: why = "immediates are waiting"; break;
    case PollRule::closing_handle: why = "something is closing"; break;
  }
  if (poll.b == 0) return poll.a == 0 ? "did not wait: " + why : "did not have to wait";
  if (wake == PollWake::timeout && rule == PollRule::timer) {
    return fmt::format("waited {} ms, until {} was due", ms_text(poll.b),
                       poll.id != 0 ? labels.name_of(poll.id) : "the next timer");
  }
  const std::string most = poll.a < 0 ? "" : fmt::format("at most {}, ", poll.a);
  return fmt::format("waited {} ms ({}{})", ms_text(poll.b), most, why);
}

std::string ready_words(const Event& ready, std::string_view op, const Labels& labels) {
  std::string text = op.empty() ? "" : printable(op) + " ";
  text += ready.b >= 0 ? fmt::format("ran {}-{}", ms_text(ready.b), ms_text(ready.a))
                       : fmt::format("ready at {}", ms_text(ready.a));
  if (ready.c < 0) return text;
  text += fmt::format(" on thread {}", ready.c);
  const TimeNs asked = labels.asked_at(ready.id);
  if (asked >= 0 && ready.b > asked)
    text += fmt::format(", after waiting {} ms for a thread", ms_text(ready.b - asked));
  return text;
}

std::string callback_words(const Event& begin, std::string_view op, const Labels& labels) {
  if (begin.api == Api::main) return styled(Style::strong, "main script");
  const std::string name = styled(Style::strong, labels.name_of(begin));
  if (begin.api == Api::await) return name + " goes on" + styled(Style::quiet, " (await)");
  if (is_listener(begin.api)) {
    std::string listener = " (listener";
    if (begin.api == Api::process_event) listener += " of process";
    if (!op.empty()) listener += fmt::format(" '{}'", printable(op));
    return name + styled(Style::quiet, listener + ")");
  }
  if (!labels.is_named(begin) || labels.name_tells_api(begin)) return name;
  return name + styled(Style::quiet, fmt::format(" ({})", to_string(begin.api)));
}

std::string schedule_words(const Event& event, std::string_view op, const Labels& labels) {
  if (event.api == Api::await) return fmt::format("await: {} waits", labels.name_of(event));
  const auto kind = static_cast<ScheduleKind>(event.detail);
  const bool named = labels.is_named(event);
  const std::string name = named ? labels.name_of(event) : std::string();
  std::string due;
  if (event.a >= 0) due = fmt::format("due at {}", ms_text(event.a));

  if (kind == ScheduleKind::again) return fmt::format("{} again, {}", labels.name_of(event), due);
  if (kind == ScheduleKind::refresh) return fmt::format("refresh {}: {}", labels.name_of(event), due);

  std::string text = call_words(event.api, op);
  if (is_timer(event.api) && event.b >= 0) text += fmt::format(" {} ms", short_ms_text(event.b));
  if (is_request(event.api) && event.b >= 0) text += fmt::format(", {} ms of work", short_ms_text(event.b));
  if (named) {
    text += " → " + styled(Style::made, name);
  } else if (event.line != 0) {
    text += fmt::format(" (line {})", event.line);
  }
  if (!due.empty()) text += ", " + due;
  return text;
}

std::string cancel_words(const Event& event, const Labels& labels) {
  const std::string name = labels.name_of(event);
  switch (static_cast<CancelReason>(event.detail)) {
    case CancelReason::clear: return fmt::format("{}: {} will not run", clear_word(event.api), name);
    case CancelReason::refresh: return fmt::format("refresh: {} begins anew", name);
    case CancelReason::settled: return fmt::format("{} will not run: its promise is settled the other way", name);
  }
  return name;
}

std::string settle_words(const Event& event, const Labels& labels) {
  const bool is_fulfilled = static_cast<Settlement>(event.detail) == Settlement::fulfilled;
  return fmt::format("promise {} is {}", labels.named(event.name), is_fulfilled ? "fulfilled" : "rejected");
}

std::string late_words(const Event& begin, const Labels& labels) {
  if (begin.b <= 0) return {};
  const std::string due = begin.a >= 0 ? ms_text(begin.a) : std::string();
  const bool is_timer = loopsim::is_timer(begin.api);
  const std::string when = is_timer ? "came due at " + due : "was ready at " + due;
  std::string reason;
  switch (static_cast<LateReason>(begin.detail)) {
    case LateReason::none: reason = "it " + when; break;
    case LateReason::callback:
      reason =
          fmt::format("{} was running when it {}",
                      begin.c > 0 ? labels.name_of(static_cast<std::uint64_t>(begin.c)) : "another callback", when);
      break;
    case LateReason::main: reason = fmt::format("the main script was running when it {}", when); break;
    case LateReason::stall: reason = fmt::format("the process did not run when it {}", when); break;
    case LateReason::startup: reason = fmt::format("Node was still starting when it {}", when); break;
    case LateReason::rounding: reason = fmt::format("it {}, but the loop counts whole milliseconds", when); break;
    case LateReason::preempted: reason = fmt::format("other programs had the CPU when it {}", when); break;
    case LateReason::throttled: reason = fmt::format("the CPU quota was used up when it {}", when); break;
    case LateReason::wakeup: reason = fmt::format("it {}, but the thread was still waking up", when); break;
    case LateReason::overhead: reason = fmt::format("Node itself was at work when it {}", when); break;
    case LateReason::order:
      reason = begin.c > 0
                   ? fmt::format("it {}, but {} came first", when, labels.name_of(static_cast<std::uint64_t>(begin.c)))
                   : fmt::format("it {}, and the loop had other phases to go through first", when);
      break;
  }
  return fmt::format("{} ms late: {}", ms_text(begin.b), reason);
}

std::string drain_words(const Event& event) {
  std::string text = "between callbacks: ";
  if (event.a > 0) text += counted(event.a, "tick");
  if (event.a > 0 && event.b > 0) text += ", ";
  if (event.b > 0) text += counted(event.b, "microtask");
  return text;
}

// Data read by a socket: `socket: 5 bytes "hello"`.
std::string receive_words(const Event& event, std::string_view text, const Labels& labels) {
  const std::string who = event.name == kNoName ? std::string() : labels.named(event.name) + ": ";
  if (event.a == 0) return who + "the other side has ended";
  const bool is_all = static_cast<std::int64_t>(text.size()) == event.a;
  return fmt::format("{}{} \"{}\"{}", who, counted(event.a, "byte"), printable(text), is_all ? "" : " ..");
}

std::string burn_words(const Event& event) {
  const bool cpu = static_cast<BurnKind>(event.detail) == BurnKind::cpu;
  std::string text = fmt::format("{} {} ms, until {}", cpu ? "computes for" : "spins for", short_ms_text(event.a),
                                 ms_text(event.b + event.c));
  if (event.c == event.a) return text;
  if (event.c < event.a) return text + ", where the process ended";
  if (cpu)
    return text + fmt::format(": took {} ms, for it did not have a core to itself all the time", ms_text(event.c));
  return text + fmt::format(": took {} ms", ms_text(event.c));
}

std::string caught_words(const Event& event, std::string_view text) {
  const std::string error = printable(text);
  switch (static_cast<CatchKind>(event.detail)) {
    case CatchKind::try_: return fmt::format("caught by try: {}", error);
    case CatchKind::uncaught_exception: return fmt::format("caught by the uncaughtException listener: {}", error);
    case CatchKind::promise: return fmt::format("rejects the promise: {}", error);
  }
  return error;
}

std::string loop_delay_words(const Event& event) {
  return fmt::format("monitorEventLoopDelay records {} ms", ms_text(event.a));
}

std::string answer_words(const Event& event, std::string_view text) {
  const auto how = static_cast<AnswerKind>(event.detail);
  const std::string what = how == AnswerKind::end     ? "has its answer"
                           : how == AnswerKind::reset ? "finds its connection reset"
                                                      : "is refused";
  return fmt::format("at {} from outside: {} {}, after {} ms", ms_text(event.a), printable(text), what,
                     ms_text(event.b));
}

std::string input_words(const Event& event, std::string_view text) {
  return fmt::format("at {} from outside: {}", ms_text(event.a), printable(text));
}

std::string stall_words(const Event& event) {
  const std::string when = fmt::format("from {} to {}", ms_text(event.a), ms_text(event.a + event.b));
  switch (static_cast<StallReason>(event.detail)) {
    case StallReason::preempted: return "other programs had the CPU " + when;
    case StallReason::throttled: return "the CPU quota was used up " + when;
    default: return "the process did not run " + when;
  }
}

std::string step_words(const Event& event, std::string_view text, const Labels& labels) {
  const std::string name = labels.named(event.name);
  const std::string shown = printable(text) + (event.b == 1 ? " .." : "");
  switch (event.kind) {
    case EventKind::scope:
      if (static_cast<ScopeStep>(event.detail) != ScopeStep::call || event.c < 2 || name.empty()) return {};
      return fmt::format("calls {}", name);
    case EventKind::assign: {
      const auto kind = static_cast<ValueKind>(event.detail2);
      // The timer, socket ... of a step that has been told.
      if (kind == ValueKind::object && static_cast<AssignStep>(event.detail) == AssignStep::result) return {};
      const bool is_text = kind == ValueKind::string;
      return fmt::format("{} = {}", name, is_text ? fmt::format("'{}'", shown) : shown);
    }
    case EventKind::condition:
      return fmt::format("condition{}: {} is {}", name.empty() ? "" : " on " + name, shown,
                         event.a == 1 ? "true" : "false");
    case EventKind::promise:
      switch (static_cast<PromiseStep>(event.detail)) {
        case PromiseStep::pending: return fmt::format("promise {} is pending", name);
        case PromiseStep::fulfilled: return fmt::format("the value of promise {}: {}", name, shown);
        case PromiseStep::rejected: return fmt::format("the reason of promise {}: {}", name, shown);
      }
      return {};
    case EventKind::steps_end: return fmt::format("{}; those that follow are not told", counted(event.a, "step"));
    default: return {};
  }
}

std::string limit_words(const Event& event) {
  switch (static_cast<LimitKind>(event.detail)) {
    case LimitKind::none: break;
    case LimitKind::time:
      return fmt::format("limit reached: {} ms of virtual time (limits.time)", short_ms_text(event.a));
    case LimitKind::callbacks: return fmt::format("limit reached: {} (limits.callbacks)", counted(event.a, "callback"));
    case LimitKind::steps: return fmt::format("limit reached: {} (limits.steps)", counted(event.a, "step"));
    case LimitKind::queue: return fmt::format("limit reached: {} entries in a queue (limits.queue)", event.a);
    case LimitKind::depth: return fmt::format("limit reached: calls {} deep (limits.depth)", event.a);
    case LimitKind::memory: return "limit reached: there is no memory for more";
  }
  return "limit reached";
}

std::string exit_words(const Event& event) {
  std::string_view why;
  switch (static_cast<ExitReason>(event.detail)) {
    case ExitReason::loop_empty: why = "nothing is left to wait for"; break;
    case ExitReason::process_exit: why = "process.exit() was called"; break;
    case ExitReason::uncaught_exception: why = "nothing caught an exception"; break;
    case ExitReason::limit: why = "a limit was reached"; break;
    case ExitReason::unsettled_await:
      why = "the main module still awaits, and nothing is left that could settle it";
      break;
    case ExitReason::signal: {
      const SignalInfo* signal = find_signal(static_cast<int>(event.a - kSignalBase));
      return fmt::format("exit code {}: ended by {}", event.a, signal == nullptr ? "a signal" : signal->name);
    }
  }
  return fmt::format("exit code {}: {}", event.a, why);
}

}  // namespace loopsim

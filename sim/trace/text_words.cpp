#include "sim/trace/text_words.hpp"

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/assert.hpp"
#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/verbs.hpp"
#include "loopsim/words.hpp"

#include "sim/trace/event_table.hpp"

namespace loopsim {
namespace {

constexpr std::int64_t kSignalBase = 128;  // exit code of a process killed by a signal: this plus the signal's number

std::string number(std::int64_t value) { return fmt::format("{}", value); }

// The call as in a program: "setTimeout", "process.nextTick", "fs.readFile".
std::string call_words(Api api, std::string_view op, Language language) {
  if (api == Api::next_tick) return "process.nextTick";
  if (is_listener(api) && api != Api::process_event)
    return op.empty() ? say(language, Word::listener) : say(language, Word::listener_of_event, {printable(op)});
  if (api == Api::uv_fs) return fmt::format("uv_fs_{}", printable(op));
  if (is_request(api) && !op.empty()) return fmt::format("{}.{}", to_string(api), printable(op));
  return std::string(to_string(api));
}

std::string clear_word(Api api) {
  switch (api) {
    case Api::set_timeout: return "clearTimeout";
    case Api::set_interval: return "clearInterval";
    case Api::set_immediate: return "clearImmediate";
    case Api::uv_timer: return "uv_timer_stop";
    case Api::uv_idle: return "uv_idle_stop";
    case Api::uv_prepare: return "uv_prepare_stop";
    case Api::uv_check: return "uv_check_stop";
    case Api::uv_signal: return "uv_signal_stop";
    case Api::uv_read: return "uv_read_stop";
    case Api::uv_poll: return "uv_poll_stop";
    case Api::uv_async:
    case Api::uv_connection:
    case Api::uv_process: return "uv_close";
    default: return "clear";
  }
}

}  // namespace

// ---- callbacks --------------------------------------------------------------------------------------------------------------------

void Labels::begin(const RunInfo& info, Language language) {
  language_ = language;
  is_libuv_alone_ = loopsim::is_libuv_alone(info);
  names_.clear();
  labels_.clear();
  add_names(info.names);
}

void Labels::add_names(std::span<const std::string> names) {
  for (const std::string& name : names) names_.push_back(printable(name));
}

void Labels::learn(const Event& event) {
  Label& label = labels_[event.id];
  label.name = event.name;
  label.api = event.api;
  if (event.line != 0) label.line = event.line;
  if (event.kind == EventKind::schedule) label.asked_at = event.time;
}

void Labels::learn_ready(const Event& ready) {
  if (Label* const label = labels_.find(ready.id)) label->asked_at = ready.time;
}

std::string Labels::name_of(const Event& event) const {
  Label label = {event.name, event.line, event.api, -1};
  if (const Label* const known = labels_.find(event.id); label.line == 0 && known != nullptr) label.line = known->line;
  return words(label, event.id);
}

std::string Labels::name_of(std::uint64_t id) const {
  const Label* const label = labels_.find(id);
  if (label == nullptr) return say(language_, Word::callback_by_id, {fmt::format("{}", id)});
  LOOPSIM_ASSERT(label->name == kNoName || label->name < names_.size());
  return words(*label, id);
}

std::string Labels::main_words() const {
  return say(language_, is_libuv_alone_ ? Word::main_function : Word::main_script);
}

bool Labels::name_tells_api(const Event& event) const {
  return is_named(event) && names_[event.name].starts_with(fmt::format("{}@", to_string(event.api)));
}

std::string Labels::words(const Label& label, std::uint64_t id) const {
  if (label.api == Api::main) return say(language_, is_libuv_alone_ ? Word::main_function : Word::the_main_script);
  if (label.name != kNoName && !names_[label.name].empty()) return names_[label.name];
  if (label.api == Api::none) return say(language_, Word::callback_by_id, {fmt::format("{}", id)});
  if (label.line == 0) return say(language_, Word::callback_of_api, {to_string(label.api)});
  return say(language_, Word::callback_of_api_at_line, {to_string(label.api), number(label.line)});
}

// ---- sentences --------------------------------------------------------------------------------------------------------------------

std::string header_words(const RunInfo& info, Language language) {
  if (info.entry == "window")
    return say(language, Word::header_of_page, {info.runtime, printable(info.machine), fmt::format("{}", info.seed)});
  std::string text = is_io(info) ? say(language, Word::io_header,
                                       {info.runtime, printable(info.machine), fmt::format("{}", info.seed)})
                                 : say(language, Word::header,
                                       {info.runtime, info.libuv, info.entry, printable(info.machine),
                                        fmt::format("{}", info.threadpool), fmt::format("{}", info.seed)});
  if (info.clock_phase != 0) text += say(language, Word::header_clock, {short_ms_text(info.clock_phase)});
  for (const auto& [name, json] : info.params) text += fmt::format(" · {} = {}", name, printable(json));
  return text;
}

std::string poll_words(const Event& poll, const Labels& labels) {
  const Language language = labels.language();
  const auto rule = static_cast<PollRule>(poll.detail);
  const auto wake = static_cast<PollWake>(poll.detail2);
  const auto timer = [&] { return poll.id != 0 ? labels.name_of(poll.id) : say(language, Word::the_next_timer); };
  std::string why;
  switch (rule) {
    case PollRule::timer: why = say(language, Word::until_due, {timer()}); break;
    case PollRule::due_timer: why = say(language, Word::a_timer_is_due); break;
    case PollRule::no_timer: why = say(language, Word::no_timer_is_set); break;
    case PollRule::stopped: why = say(language, Word::loop_is_stopping); break;
    case PollRule::nothing_active: why = say(language, Word::nothing_to_wait_for); break;
    case PollRule::pending_queue: why = say(language, Word::callbacks_are_pending); break;
    case PollRule::idle_handle:
      why = say(language, labels.is_libuv_alone() ? Word::idle_handle_is_active : Word::immediates_are_waiting);
      break;
    case PollRule::closing_handle: why = say(language, Word::something_is_closing); break;
  }
  if (poll.b == 0)
    return poll.a == 0 ? say(language, Word::did_not_wait, {why}) : say(language, Word::did_not_have_to_wait);
  if (wake == PollWake::timeout && rule == PollRule::timer)
    return say(language, Word::waited_until_due, {ms_text(poll.b), timer()});
  if (poll.a < 0) return say(language, Word::waited, {ms_text(poll.b), why});
  return say(language, Word::waited_at_most, {ms_text(poll.b), number(poll.a), why});
}

std::string ready_words(const Event& ready, std::string_view op, const Labels& labels) {
  const Language language = labels.language();
  const std::string call = op.empty() ? "" : printable(op) + " ";
  std::string text = ready.b >= 0 ? say(language, Word::worked, {call, ms_text(ready.b), ms_text(ready.a)})
                                  : say(language, Word::ready_at, {call, ms_text(ready.a)});
  if (ready.c < 0) return text;
  text = say(language, Word::on_thread, {text, number(ready.c)});
  const TimeNs asked = labels.asked_at(ready.id);
  if (asked < 0 || ready.b <= asked) return text;
  return say(language, Word::after_waiting_for_thread, {text, ms_text(ready.b - asked)});
}

std::string callback_words(const Event& begin, std::string_view op, const Labels& labels) {
  const Language language = labels.language();
  if (begin.api == Api::main) return styled(Style::strong, labels.main_words());
  const std::string name = styled(Style::strong, labels.name_of(begin));
  if (begin.api == Api::await) return say(language, Word::goes_on, {name}) + styled(Style::quiet, " (await)");
  if (is_listener(begin.api)) {
    const Word word = op.empty()                        ? Word::is_listener
                      : begin.api == Api::process_event ? Word::is_process_listener
                                                        : Word::is_listener_of_event;
    return name + styled(Style::quiet, say(language, word, {printable(op)}));
  }
  if (!labels.is_named(begin) || labels.name_tells_api(begin)) return name;
  return name + styled(Style::quiet, fmt::format(" ({})", to_string(begin.api)));
}

std::string schedule_words(const Event& event, std::string_view op, const Labels& labels) {
  const Language language = labels.language();
  if (event.api == Api::await) return say(language, Word::await_waits, {labels.name_of(event)});
  const auto kind = static_cast<ScheduleKind>(event.detail);
  const bool named = labels.is_named(event);
  const std::string name = named ? labels.name_of(event) : std::string();
  const std::string due = event.a >= 0 ? say(language, Word::due_at, {ms_text(event.a)}) : std::string();

  if (kind == ScheduleKind::again && due.empty()) return say(language, Word::again_at_once, {labels.name_of(event)});
  if (kind == ScheduleKind::again) return say(language, Word::again, {labels.name_of(event), due});
  if (kind == ScheduleKind::refresh) return say(language, Word::refresh, {labels.name_of(event), due});

  std::string text = call_words(event.api, op, language);
  if (is_timer(event.api) && event.b >= 0) text += fmt::format(" {} ms", short_ms_text(event.b));
  if (is_request(event.api) && event.b >= 0) text += say(language, Word::of_work, {short_ms_text(event.b)});
  if (named) {
    text += " → " + styled(Style::made, name);
  } else if (event.line != 0) {
    text += say(language, Word::line_step, {number(event.line)});
  }
  if (event.a >= 0) text += say(language, Word::and_due_at, {ms_text(event.a)});
  return text;
}

std::string cancel_words(const Event& event, const Labels& labels) {
  const Language language = labels.language();
  const std::string name = labels.name_of(event);
  switch (static_cast<CancelReason>(event.detail)) {
    case CancelReason::clear: return say(language, Word::will_not_run, {clear_word(event.api), name});
    case CancelReason::refresh: return say(language, Word::begins_anew, {name});
    case CancelReason::settled: return say(language, Word::settled_the_other_way, {name});
    case CancelReason::clear_running:
      return say(language, event.api == Api::set_interval ? Word::no_further_round : Word::too_late_to_clear,
                 {clear_word(event.api), name});
  }
  return name;
}

std::string settle_words(const Event& event, const Labels& labels) {
  const bool is_fulfilled = static_cast<Settlement>(event.detail) == Settlement::fulfilled;
  return say(labels.language(), is_fulfilled ? Word::promise_fulfilled : Word::promise_rejected,
             {labels.named(event.name)});
}

std::string late_words(const Event& begin, const Labels& labels) {
  if (begin.b <= 0) return {};
  const Language language = labels.language();
  const std::string due = begin.a >= 0 ? ms_text(begin.a) : std::string();
  const std::string when = say(language, is_timer(begin.api) ? Word::came_due : Word::was_ready, {due});
  const std::string other = begin.c > 0 ? labels.name_of(static_cast<std::uint64_t>(begin.c)) : std::string();
  const auto reason = [&] {
    switch (static_cast<LateReason>(begin.detail)) {
      case LateReason::none: return say(language, Word::late_none, {when});
      case LateReason::callback:
        return say(language, Word::late_callback,
                   {when, other.empty() ? say(language, Word::another_callback) : other});
      case LateReason::main: return say(language, Word::late_main, {when});
      case LateReason::stall: return say(language, Word::late_stall, {when});
      case LateReason::startup: return say(language, Word::late_startup, {when});
      case LateReason::rounding: return say(language, Word::late_rounding, {when});
      case LateReason::preempted: return say(language, Word::late_preempted, {when});
      case LateReason::throttled: return say(language, Word::late_throttled, {when});
      case LateReason::stolen: return say(language, Word::late_stolen, {when});
      case LateReason::wakeup: return say(language, Word::late_wakeup, {when});
      case LateReason::overhead: return say(language, Word::late_overhead, {when});
      case LateReason::order:
        return other.empty() ? say(language, Word::late_order, {when})
                             : say(language, Word::late_behind, {when, other});
    }
    return std::string();
  };
  return say(language, Word::late, {ms_text(begin.b), reason()});
}

std::string drain_words(const Event& event, Language language) {
  std::string queues;
  if (event.a > 0) queues = say(language, Word::ticks, {number(event.a)});
  if (event.b > 0) {
    const std::string microtasks = say(language, Word::microtasks, {number(event.b)});
    queues = queues.empty() ? microtasks : say(language, Word::and_, {queues, microtasks});
  }
  return say(language, Word::between_callbacks, {queues});
}

// Data read by a socket: `socket: 5 bytes "hello"`.
std::string receive_words(const Event& event, std::string_view text, const Labels& labels) {
  const Language language = labels.language();
  const auto told = [&](const std::string& what) {
    return event.name == kNoName ? what : say(language, Word::socket_says, {labels.named(event.name), what});
  };
  if (event.a == 0) return told(say(language, Word::other_side_ended));
  const bool is_all = static_cast<std::int64_t>(text.size()) == event.a;
  return told(
      fmt::format("{} \"{}\"{}", say(language, Word::bytes, {number(event.a)}), printable(text), is_all ? "" : " .."));
}

std::string burn_words(const Event& event, Language language) {
  const bool cpu = static_cast<BurnKind>(event.detail) == BurnKind::cpu;
  std::string text =
      say(language, cpu ? Word::computes : Word::spins, {short_ms_text(event.a), ms_text(event.b + event.c)});
  if (event.c == event.a) return text;
  if (event.c < event.a) return say(language, Word::where_process_ended, {text});
  return say(language, cpu ? Word::took_without_core : Word::took, {text, ms_text(event.c)});
}

std::string caught_words(const Event& event, std::string_view text, Language language) {
  const std::string error = printable(text);
  switch (static_cast<CatchKind>(event.detail)) {
    case CatchKind::try_: return say(language, Word::caught_by_try, {error});
    case CatchKind::uncaught_exception: return say(language, Word::caught_by_listener, {error});
    case CatchKind::promise: return say(language, Word::rejects_promise, {error});
  }
  return error;
}

std::string loop_delay_words(const Event& event, Language language) {
  return say(language, Word::loop_delay, {ms_text(event.a)});
}

std::string wait_words(const Event& event, Language language) {
  if (static_cast<WaitFor>(event.detail) == WaitFor::frame)
    return say(language, Word::waited_for_frame, {ms_text(event.b)});
  return say(language, Word::waited_for_task, {ms_text(event.b), events::kWaitFor[event.detail]});
}

std::string frame_words(const Event& event, Language language) {
  if (event.b == 0 && event.c == 0) return say(language, Word::frame_begins, {ms_text(event.a)});
  return say(language, Word::frame_is_late, {ms_text(event.a), ms_text(event.b), number(event.c)});
}

std::string answer_words(const Event& event, std::string_view text, Language language) {
  const auto how = static_cast<AnswerKind>(event.detail);
  const Word word = how == AnswerKind::end     ? Word::answer_end
                    : how == AnswerKind::reset ? Word::answer_reset
                                               : Word::answer_refused;
  return say(language, word, {ms_text(event.a), printable(text), ms_text(event.b)});
}

std::string input_words(const Event& event, std::string_view text, Language language) {
  return say(language, Word::input, {ms_text(event.a), printable(text)});
}

std::string stall_words(const Event& event, Language language) {
  const auto word = [](StallReason reason) {
    switch (reason) {
      case StallReason::preempted: return Word::preempted;
      case StallReason::throttled: return Word::throttled;
      case StallReason::stolen: return Word::stolen;
      case StallReason::gc: return Word::collected;
      default: return Word::stalled;
    }
  };
  return say(language, word(static_cast<StallReason>(event.detail)), {ms_text(event.a), ms_text(event.a + event.b)});
}

std::string step_words(const Event& event, std::string_view text, const Labels& labels) {
  const Language language = labels.language();
  const std::string name = labels.named(event.name);
  const std::string shown = printable(text) + (event.b == 1 ? " .." : "");
  switch (event.kind) {
    case EventKind::scope:
      if (static_cast<ScopeStep>(event.detail) != ScopeStep::call || event.c < 2 || name.empty()) return {};
      return say(language, Word::calls, {name});
    case EventKind::assign: {
      const auto kind = static_cast<ValueKind>(event.detail2);
      // The timer, socket ... of a step that has been told.
      if (kind == ValueKind::object && static_cast<AssignStep>(event.detail) == AssignStep::result) return {};
      if (kind == ValueKind::uninitialized || static_cast<AssignStep>(event.detail) == AssignStep::gone) return {};
      const bool is_text = kind == ValueKind::string;
      return fmt::format("{} = {}", name, is_text ? fmt::format("'{}'", shown) : shown);
    }
    case EventKind::condition: {
      const std::string_view outcome = event.a == 1 ? "true" : "false";
      if (name.empty()) return say(language, Word::condition, {shown, outcome});
      return say(language, Word::condition_on, {name, shown, outcome});
    }
    case EventKind::promise:
      switch (static_cast<PromiseStep>(event.detail)) {
        case PromiseStep::pending: return say(language, Word::promise_pending, {name});
        case PromiseStep::fulfilled: return say(language, Word::promise_value, {name, shown});
        case PromiseStep::rejected: return say(language, Word::promise_reason, {name, shown});
      }
      return {};
    case EventKind::line: {
      const std::string place = fmt::format("{}{}", text.empty() ? "" : printable(text) + ":", number(event.line));
      return name.empty() || name == "main" ? say(language, Word::line_step, {place})
                                            : say(language, Word::line_step_of, {place, name});
    }
    case EventKind::leave: {
      if (static_cast<Completion>(event.detail) == Completion::throw_)
        return name.empty() ? std::string() : say(language, Word::leaves_by_exception, {name});
      if (static_cast<ValueKind>(event.detail2) == ValueKind::undefined || name.empty()) return {};
      const bool is_text = static_cast<ValueKind>(event.detail2) == ValueKind::string;
      return say(language, Word::returns, {name, is_text ? fmt::format("'{}'", shown) : shown});
    }
    case EventKind::steps_end: return say(language, Word::steps_end, {number(event.a)});
    default: return {};
  }
}

std::string limit_words(const Event& event, Language language) {
  switch (static_cast<LimitKind>(event.detail)) {
    case LimitKind::none: break;
    case LimitKind::time: return say(language, Word::limit_time, {short_ms_text(event.a)});
    case LimitKind::callbacks: return say(language, Word::limit_callbacks, {number(event.a)});
    case LimitKind::steps: return say(language, Word::limit_steps, {number(event.a)});
    case LimitKind::queue: return say(language, Word::limit_queue, {number(event.a)});
    case LimitKind::depth: return say(language, Word::limit_depth, {number(event.a)});
    case LimitKind::memory: return say(language, Word::limit_memory);
  }
  return say(language, Word::limit_reached);
}

bool is_libuv_alone(const RunInfo& info) { return info.entry == "main()"; }

bool is_io(const RunInfo& info) { return info.entry == "process"; }

std::string uv_call_words(const Event& event, std::string_view text) {
  if (event.detail != 0) return printable(text);  // it has not returned yet
  const UvError* const error = find_uv_error(static_cast<int>(event.a));
  return fmt::format("{} = {}", printable(text), error == nullptr ? number(event.a) : std::string(error->name));
}

std::string exit_words(const Event& event, Language language) {
  const std::string code = number(event.a);
  switch (static_cast<ExitReason>(event.detail)) {
    case ExitReason::loop_empty: return say(language, Word::exit_loop_empty, {code});
    case ExitReason::process_exit: return say(language, Word::exit_process_exit, {code});
    case ExitReason::uncaught_exception: return say(language, Word::exit_uncaught, {code});
    case ExitReason::limit: return say(language, Word::exit_limit, {code});
    case ExitReason::unsettled_await: return say(language, Word::exit_unsettled_await, {code});
    case ExitReason::main_returned: return say(language, Word::exit_main_returned, {code});
    case ExitReason::signal: {
      const SignalInfo* signal = find_signal(static_cast<int>(event.a - kSignalBase));
      return say(language, Word::exit_signal,
                 {code, signal == nullptr ? say(language, Word::a_signal) : std::string(signal->name)});
    }
  }
  return say(language, Word::exit_code, {code});
}

}  // namespace loopsim

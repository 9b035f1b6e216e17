#include "sim/trace/io_words.hpp"

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/words.hpp"

#include "sim/trace/event_table.hpp"

namespace loopsim {

namespace {

std::string number(std::int64_t value) { return fmt::format("{}", value); }

std::string state_words(const Event& event, std::string_view name, std::string_view call, Language language) {
  switch (static_cast<ProcessState>(event.detail)) {
    case ProcessState::running:
      if (!name.empty()) return say(language, Word::io_process_begins, {name});
      return event.id != 0 ? say(language, Word::io_runs_again) : std::string();
    case ProcessState::blocked:
      return call.empty() ? say(language, Word::io_waits_for_threads) : say(language, Word::io_blocked, {call});
    case ProcessState::computing: return say(language, Word::io_computes);
    case ProcessState::meanwhile: return say(language, Word::io_meanwhile);
    case ProcessState::handler: return {};  // as its signal is delivered
    case ProcessState::ended: return say(language, Word::io_ended, {ms_text(event.a), ms_text(event.b)});
  }
  return {};
}

std::string signal_words(const Event& event, Language language) {
  const std::string_view signal = events::kIoSignals[event.detail];
  const std::string fd = event.a < 0 ? std::string() : number(event.a);
  switch (static_cast<SignalStep>(event.detail2)) {
    case SignalStep::pending: return say(language, Word::io_signal_pending, {signal});
    case SignalStep::merged: return say(language, Word::io_signal_merged, {signal});
    case SignalStep::queued: return say(language, Word::io_signal_queued, {signal, fd});
    case SignalStep::delivered: return say(language, Word::io_signal_delivered, {signal});
    case SignalStep::accepted: return say(language, Word::io_signal_accepted, {signal});
    case SignalStep::overflow: return say(language, Word::io_signal_overflow);
  }
  return {};
}

}  // namespace

bool is_of_io(EventKind kind) { return kind >= EventKind::syscall && kind <= EventKind::served; }

bool is_of_kernel(EventKind kind) {
  switch (kind) {
    case EventKind::arrive:
    case EventKind::copy:
    case EventKind::wake:
    case EventKind::complete: return true;
    default: return false;
  }
}

std::string io_call_words(const Event& event, std::string_view arguments) {
  return fmt::format("{}({})", events::kSysCalls[event.detail], printable(arguments));
}

std::string io_words(const Event& event, std::string_view text, std::string_view name, std::string_view call,
                     Language language) {
  const std::string socket = name.empty() ? number(event.a) : printable(name);
  switch (event.kind) {
    case EventKind::sysret: return text.empty() ? std::string(call) : fmt::format("{} = {}", call, printable(text));
    case EventKind::spin:
      return say(language, Word::io_spins, {io_call_words(event, text), number(event.a), ms_text(event.c)});
    case EventKind::state: return state_words(event, printable(name), call, language);
    case EventKind::arrive:
      if (event.b < 0) return say(language, Word::io_ends, {socket, number(event.a)});
      return say(language, Word::io_arrives, {number(event.b), socket, number(event.a)});
    case EventKind::copy: {
      const std::string words = say(language, Word::io_copies, {number(event.b), socket, ms_text(event.c)});
      return event.detail2 == 0 ? words : say(language, Word::io_cut, {words});
    }
    case EventKind::wake:
      return event.by == 0 ? say(language, Word::io_wakes)
                           : say(language, Word::io_wakes_thread, {fmt::format("{}", event.by)});
    case EventKind::signal: return signal_words(event, language);
    case EventKind::complete: return say(language, Word::io_completed, {socket, number(event.b)});
    case EventKind::take: return say(language, Word::io_taken, {number(event.b), socket});
    case EventKind::message:
      return say(language, Word::io_message, {fmt::format("{}", event.id), socket, ms_text(event.b)});
    default: return {};
  }
}

}  // namespace loopsim

// Events made by hand, for the tests of the trace writers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim::test {

// Collects events like those of the engine and plays them to a sink.
class Events {
 public:
  // Appends an event; the caller sets the other fields. The reference is valid until the next call.
  Event& add(EventKind kind, TimeNs time = 0, Phase phase = Phase::main, std::uint64_t turn = 0) {
    Event& event = events_.emplace_back();
    event.sequence = events_.size();
    event.kind = kind;
    event.time = time;
    event.loop_time = time / kMillisecond;
    event.phase = phase;
    event.turn = turn;
    return event;
  }

  Event& add_text(EventKind kind, std::string_view text, TimeNs time = 0, Phase phase = Phase::main,
                  std::uint64_t turn = 0) {
    Event& event = add(kind, time, phase, turn);
    event.text_offset = static_cast<std::uint32_t>(text_.size());
    event.text_size = static_cast<std::uint32_t>(text.size());
    text_.append(text);
    return event;
  }

  void play(TraceSink& sink, const RunInfo& info, const RunSummary& summary, std::size_t batch = 1000) const {
    sink.begin(info);
    for (std::size_t i = 0; i < events_.size(); i += batch) {
      const std::size_t count = std::min(batch, events_.size() - i);
      sink.events({std::span(events_).subspan(i, count), text_});
    }
    sink.end(summary);
  }

  [[nodiscard]] const std::vector<Event>& all() const { return events_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::vector<Event> events_;
  std::string text_;
};

template <typename Enumeration>
std::uint8_t detail(Enumeration value) {
  return static_cast<std::uint8_t>(value);
}

// The trace of "A 100 ms timer that fires at 105 ms" in node-24. Names: 0 main, 1 timer, 2 someAsyncOperation.
inline const std::vector<std::string> kTimerNames = {"main", "timer", "someAsyncOperation"};

inline Events timer_at_105() {
  constexpr TimeNs ms = kMillisecond;
  Events events;
  Event* event = &events.add(EventKind::callback_begin);
  event->api = Api::main, event->id = 1, event->name = 0, event->a = event->b = event->c = -1;
  event = &events.add(EventKind::schedule);
  event->api = Api::set_timeout, event->id = 2, event->name = 1, event->by = 1;
  event->a = 100 * ms, event->b = 100 * ms, event->c = -1, event->line = 7;
  event = &events.add_text(EventKind::schedule, "read");
  event->api = Api::fs, event->id = 3, event->name = 2, event->by = 1;
  event->a = -1, event->b = 95 * ms, event->c = -1, event->line = 9;
  event = &events.add(EventKind::callback_end);
  event->api = Api::main, event->id = 1, event->name = 0;

  events.add(EventKind::turn, 0, Phase::main, 1);
  event = &events.add(EventKind::poll, 95 * ms, Phase::poll, 1);
  event->detail = detail(PollRule::timer), event->detail2 = detail(PollWake::event);
  event->a = 100, event->b = 95 * ms, event->c = 1, event->id = 2;
  events.add(EventKind::phase_enter, 95 * ms, Phase::poll, 1);
  event = &events.add_text(EventKind::ready, "read", 95 * ms, Phase::poll, 1);
  event->api = Api::fs, event->id = 3, event->name = 2, event->a = 95 * ms, event->b = 0, event->c = 0;
  event = &events.add(EventKind::callback_begin, 95 * ms, Phase::poll, 1);
  event->api = Api::fs, event->id = 3, event->name = 2, event->by = 1, event->a = 95 * ms, event->b = 0, event->c = -1;
  event = &events.add(EventKind::burn, 105 * ms, Phase::poll, 1);
  event->detail = detail(BurnKind::spin), event->a = 10 * ms, event->b = 95 * ms, event->c = 10 * ms;
  event = &events.add(EventKind::callback_end, 105 * ms, Phase::poll, 1);
  event->api = Api::fs, event->id = 3, event->name = 2;
  events.add(EventKind::phase_exit, 105 * ms, Phase::poll, 1);

  events.add(EventKind::phase_enter, 105 * ms, Phase::timers, 1);
  event = &events.add(EventKind::callback_begin, 105 * ms, Phase::timers, 1);
  event->api = Api::set_timeout, event->id = 2, event->name = 1, event->by = 1;
  event->detail = detail(LateReason::callback), event->a = 100 * ms, event->b = 5 * ms, event->c = 3;
  events.add_text(EventKind::log, "105ms have passed since I was scheduled", 105 * ms, Phase::timers, 1);
  event = &events.add(EventKind::callback_end, 105 * ms, Phase::timers, 1);
  event->api = Api::set_timeout, event->id = 2, event->name = 1;
  events.add(EventKind::phase_exit, 105 * ms, Phase::timers, 1);
  event = &events.add(EventKind::exit, 105 * ms, Phase::exit, 1);
  event->a = 0, event->detail = detail(ExitReason::loop_empty);
  return events;
}

inline RunInfo timer_info() {
  RunInfo info;
  info.title = "A 100 ms timer that fires at 105 ms";
  info.runtime = "node-24";
  info.libuv = "1.51.0";
  info.entry = "commonjs";
  info.machine = "ideal";
  info.names = kTimerNames;
  return info;
}

inline RunSummary timer_summary() {
  RunSummary summary;
  summary.end_time = 105 * kMillisecond;
  summary.poll_time = 95 * kMillisecond;
  summary.turns = 1;
  summary.callbacks = 2;
  return summary;
}

}  // namespace loopsim::test

// Invariants of every trace, checked by the property tests and the fuzzers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim::testing {

// A sink that finds the first broken rule of a run.
class TraceRules final : public TraceSink {
 public:
  void begin(const RunInfo&) override {}
  void events(const EventBatch& batch) override {
    for (const Event& event : batch.events) {
      order(event);
      life(event);
      nesting(event);
      due(event);
    }
  }
  void end(const RunSummary& summary) override {
    require(summary.events == sequence_ && summary.end_time >= time_,
            "the summary has the number and time of the last event");
    require(summary.reason != ExitReason::loop_empty || open_.empty(), "what began has ended when the loop is empty");
  }

  // The first broken rule; empty if all hold.
  [[nodiscard]] const std::string& broken() const { return broken_; }

 private:
  // State of a callback.
  enum class State : std::uint8_t { scheduled, begun, cancelled };

  void require(bool holds, const char* rule) {
    if (!holds && broken_.empty()) broken_ = "event " + std::to_string(sequence_) + ": " + rule;
  }

  void order(const Event& event) {
    require(event.sequence == sequence_ + 1 && event.time >= time_ && event.turn >= turn_,
            "time, sequence and turns never go back");
    sequence_ = event.sequence;
    time_ = event.time;
    turn_ = event.turn;
  }

  void life(const Event& event) {
    const auto known = states_.find(event.id);
    const bool waits = known != states_.end() && known->second == State::scheduled;
    switch (event.kind) {
      case EventKind::schedule:
        require(known == states_.end(), "a callback is scheduled once");
        states_[event.id] = State::scheduled;
        break;
      case EventKind::cancel:
        if (event.detail == static_cast<std::uint8_t>(CancelReason::clear_running)) {
          require(is_open(event.id), "what is cleared while it is running is running");
          break;
        }
        require(waits, "what is cancelled was scheduled, and has neither begun nor been cancelled");
        states_[event.id] = State::cancelled;
        break;
      case EventKind::callback_begin:
        require(waits || (known == states_.end() && is_called_directly(event.api)),
                "a callback begins once, and not after it was cancelled");
        states_[event.id] = State::begun;
        break;
      default: break;
    }
  }

  // Listeners are called by an emit of Node or the program, and the main script by Node: neither is scheduled.
  static bool is_called_directly(Api api) {
    return api == Api::on || api == Api::process_event || api == Api::main || api == Api::listen ||
           api == Api::connect || api == Api::close || api == Api::spawn || api == Api::add_event_listener;
  }

  [[nodiscard]] bool is_open(std::uint64_t id) const {
    return std::ranges::find(open_, std::pair(EventKind::callback_begin, id)) != open_.end();
  }

  void nesting(const Event& event) {
    switch (event.kind) {
      case EventKind::callback_begin: open_.emplace_back(EventKind::callback_begin, event.id); break;
      case EventKind::drain_begin:
      case EventKind::phase_enter: open_.emplace_back(event.kind, 0); break;
      case EventKind::callback_end: close(EventKind::callback_begin, event.id); break;
      case EventKind::drain_end: close(EventKind::drain_begin, 0); break;
      case EventKind::phase_exit: close(EventKind::phase_enter, 0); break;
      default: break;
    }
  }
  void close(EventKind kind, std::uint64_t id) {
    require(!open_.empty() && open_.back() == std::pair(kind, id), "callbacks, drains and phases nest");
    if (!open_.empty()) open_.pop_back();
  }

  void due(const Event& event) {
    if (event.kind != EventKind::callback_begin || event.a < 0) return;
    require(event.time >= event.a && event.b == event.time - event.a, "no callback begins before it is due");
    require(event.b == 0 || event.detail != static_cast<std::uint8_t>(LateReason::none),
            "a callback that is late has a reason");
  }

  std::string broken_;
  std::uint64_t sequence_ = 0;
  std::uint64_t turn_ = 0;
  TimeNs time_ = 0;
  std::map<std::uint64_t, State> states_;  // by callback
  std::vector<std::pair<EventKind, std::uint64_t>> open_;
};

}  // namespace loopsim::testing

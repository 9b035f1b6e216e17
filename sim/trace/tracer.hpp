// The engine's end of the trace: fills Event records in a buffer and hands them to the sinks in batches.
//
// No virtual call and no allocation per event: a sink is called once for a few hundred events. With no sinks `on()` is false
// and callers skip the work of building events altogether.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim {

// Where the run stands. One instance a run: the machine moves `time`, the loop sets the rest, everybody reads.
struct Position {
  TimeNs time = 0;
  TimeMs loop_time = 0;
  std::uint64_t turn = 0;
  Phase phase = Phase::main;
};

class Tracer {
 public:
  Tracer(const Position& position, std::span<TraceSink* const> sinks)
      : position_(&position), sinks_(sinks.begin(), sinks.end()), on_(!sinks.empty()) {
    if (on()) batch_.reserve(kBatch);
  }

  [[nodiscard]] bool on() const { return on_; }

  // A sink has thrown: it has an unknown part of its last events, and can be told nothing more.
  [[nodiscard]] bool sink_failed() const { return in_sink_; }

  void begin(const RunInfo& info) {
    for (TraceSink* sink : sinks_) sink->begin(info);
  }

  void end(RunSummary& summary) {
    flush();
    summary.events = sequence_;
    for (TraceSink* sink : sinks_) sink->end(summary);
  }

  // Something without a callback of its own stands in a queue: its number. Only while on().
  std::uint64_t enqueue(Queue queue, std::uint32_t name, std::string_view what, std::uint64_t by = 0) {
    Event& event = add_text(EventKind::enqueue, what);
    event.detail = static_cast<std::uint8_t>(queue);
    event.name = name;
    event.by = by;
    event.a = static_cast<std::int64_t>(++entries_);
    return entries_;
  }
  // And leaves it; 0: it was not told of.
  void dequeue(Queue queue, std::uint64_t entry, std::uint32_t name, std::string_view what) {
    if (entry == 0 || !on()) return;
    Event& event = add_text(EventKind::dequeue, what);
    event.detail = static_cast<std::uint8_t>(queue);
    event.name = name;
    event.a = static_cast<std::int64_t>(entry);
  }

  // A name that was not among RunInfo::names: Event::name may be the next number.
  void add_name(std::string_view name) {
    if (on()) new_names_.emplace_back(name);
  }

  // Several loops write one trace, one at a time: what stands for the one that writes now. Returns what stood for the other.
  struct Writer {
    const Position* position = nullptr;
    std::uint16_t loop = 0;
    bool entered = false;  // its phase
  };
  Writer exchange(const Writer& next) {
    const Writer before{position_, loop_, entered_};
    position_ = next.position;
    loop_ = next.loop;
    entered_ = next.entered;
    blank_.loop = loop_;
    return before;
  }

  // Leaves the current phase. The next one is entered, in the trace, by the first event that happens in it.
  void leave_phase() {
    if (!entered_) return;
    entered_ = false;
    append(EventKind::phase_exit);
  }

  // Adds an event; the caller fills in what the kind needs. The reference is good until the next call. Only while on().
  Event& add(EventKind kind) {
    if (!entered_ && enters_phase(kind)) {
      entered_ = true;
      append(EventKind::phase_enter);
    }
    return append(kind);
  }

  Event& add_text(EventKind kind, std::string_view text) {
    if (text_.size() >= kBatchText) flush();
    Event& event = add(kind);
    if (text.empty()) return event;
    const std::size_t offset = text_.size();
    text_.append(text);  // may fail for want of memory, and then the event has no text
    event.text_offset = static_cast<std::uint32_t>(offset);
    event.text_size = static_cast<std::uint32_t>(text.size());
    return event;
  }

 private:
  static constexpr std::size_t kBatch = 512;
  static constexpr std::size_t kBatchText = 1 << 16;

  // The poll event tells of the poll phase by itself, and the main script is no phase of the loop. A stall happens to the process:
  // that it was held before something happened in a phase is nothing that happened in it; nor is what moves between queues, or what the
  // threads of the pool do.
  [[nodiscard]] bool enters_phase(EventKind kind) const {
    switch (kind) {
      case EventKind::turn:
      case EventKind::poll:
      case EventKind::stall:
      case EventKind::enqueue:
      case EventKind::dequeue:
      case EventKind::work_begin:
      case EventKind::work_end: return false;
      default: break;
    }
    return position_->phase >= Phase::timers && position_->phase <= Phase::closing;
  }

  Event& append(EventKind kind) {
    if (batch_.size() == batch_.capacity()) flush();
    Event& event = batch_.emplace_back(blank_);
    event.sequence = ++sequence_;
    event.time = position_->time;
    event.loop_time = position_->loop_time;
    event.turn = position_->turn;
    event.phase = position_->phase;
    event.kind = kind;
    return event;
  }

  [[gnu::noinline]] void flush() {
    if (batch_.empty()) return;
    in_sink_ = true;
    for (TraceSink* sink : sinks_) sink->events(EventBatch{batch_, text_, new_names_});
    in_sink_ = false;
    batch_.clear();
    text_.clear();
    new_names_.clear();
  }

  const Position* position_;
  std::uint16_t loop_ = 0;
  std::vector<TraceSink*> sinks_;
  bool on_;
  Event blank_;  // copied: GCC clears a hundred bytes by an instruction that is slow for so few
  std::vector<Event> batch_;
  std::string text_;
  std::vector<std::string> new_names_;
  std::uint64_t sequence_ = 0;
  std::uint64_t entries_ = 0;
  bool entered_ = false;
  bool in_sink_ = false;
};

}  // namespace loopsim

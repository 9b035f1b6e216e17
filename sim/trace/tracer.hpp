// The engine's side of the trace: fills a buffer with Event records and passes them to the sinks in batches.
//
// There is no virtual call and no allocation per event: a sink is called once for a few hundred events. Without sinks
// `on()` is false and callers do not build events at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/assert.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

// The current position of a loop: the machine advances `time`, the loop sets the rest.
struct Position {
  TimeNs time = 0;
  TimeMs loop_time = 0;
  std::uint64_t turn = 0;
  Phase phase = Phase::main;
};

// A promise's number as in an Event; 0 beyond what fits there.
[[nodiscard]] constexpr std::uint32_t promise_number(std::uint64_t number) {
  return number <= UINT32_MAX ? static_cast<std::uint32_t>(number) : 0;
}

class Tracer {
 public:
  Tracer(const Position& position, std::span<TraceSink* const> sinks)
      : position_(&position), sinks_(sinks.begin(), sinks.end()), on_(!sinks.empty()) {
    if (on()) batch_.reserve(kBatch);
  }

  [[nodiscard]] bool on() const { return on_; }

  // A sink has thrown: it has consumed an unknown part of its last batch and must not be called again.
  [[nodiscard]] bool sink_failed() const { return in_sink_; }

  void begin(const RunInfo& info) {
    for (TraceSink* sink : sinks_) sink->begin(info);
  }

  void end(RunSummary& summary) {
    flush();
    summary.events = sequence_;
    for (TraceSink* sink : sinks_) sink->end(summary);
  }

  // Traces that an item without a callback of its own enters a queue; returns its entry number. Only while on().
  std::uint64_t enqueue(Queue queue, std::uint32_t name, std::string_view what, std::uint64_t by = 0) {
    Event& event = add_text(EventKind::enqueue, what);
    event.detail = static_cast<std::uint8_t>(queue);
    event.name = name;
    event.by = by;
    event.a = static_cast<std::int64_t>(++entries_);
    return entries_;
  }
  // Traces that the item leaves the queue. Entry 0: its enqueue was not traced.
  void dequeue(Queue queue, std::uint64_t entry, std::uint32_t name, std::string_view what) {
    if (entry == 0 || !on()) return;
    Event& event = add_text(EventKind::dequeue, what);
    event.detail = static_cast<std::uint8_t>(queue);
    event.name = name;
    event.a = static_cast<std::int64_t>(entry);
  }

  // Adds a name that RunInfo::names lacks; Event::name may then be the next index.
  void add_name(std::string_view name) {
    if (on()) new_names_.emplace_back(name);
  }

  // State of the loop that writes: several loops write one trace, one at a time. exchange() returns the previous state.
  struct Writer {
    const Position* position = nullptr;
    std::uint16_t loop = 0;
    bool entered = false;  // has entered its phase
  };
  Writer exchange(const Writer& next) {
    const Writer before{position_, loop_, entered_};
    position_ = next.position;
    loop_ = next.loop;
    entered_ = next.entered;
    blank_.loop = loop_;
    return before;
  }

  // Leaves the current phase. The first event in the next phase enters that phase in the trace.
  void leave_phase() {
    if (!entered_) return;
    entered_ = false;
    append(EventKind::phase_exit);
  }

  // Adds an event; the caller fills in the fields of its kind. The reference is valid until the next call. Only while
  // on().
  Event& add(EventKind kind) {
    LOOPSIM_ASSERT(!in_sink_);
    if (!entered_ && enters_phase(kind)) {
      entered_ = true;
      append(EventKind::phase_enter);
    }
    return append(kind);
  }

  // The event added last, for the fields that few events of its kind have.
  Event& last() {
    LOOPSIM_ASSERT(!batch_.empty());
    return batch_.back();
  }

  Event& add_text(EventKind kind, std::string_view text) {
    if (text_.size() >= kBatchText) flush();
    Event& event = add(kind);
    if (text.empty()) return event;
    const std::size_t offset = text_.size();
    text_.append(text);  // may throw std::bad_alloc; then the event has no text
    event.text_offset = static_cast<std::uint32_t>(offset);
    event.text_size = static_cast<std::uint32_t>(text.size());
    return event;
  }

  // Adds a step (is_step). It has no number of its own, and enters no phase: code runs within callbacks. Only while on().
  Event& add_step(EventKind kind, std::string_view text) {
    LOOPSIM_ASSERT(is_step(kind));
    Event& event = add_text(kind, text);
    event.sequence = --sequence_;
    return event;
  }

 private:
  static constexpr std::size_t kBatch = 512;
  static constexpr std::size_t kBatchText = 1 << 16;

  // Whether an event of this kind happens in a phase. A poll event stands for the poll phase itself, and the main
  // script is no phase of the loop. A stall concerns the process, even if it delayed an event in a phase; queue events
  // and the work of the pool's threads are not part of a phase either.
  [[nodiscard]] bool enters_phase(EventKind kind) const {
    switch (kind) {
      case EventKind::turn:
      case EventKind::poll:
      case EventKind::wait:
      case EventKind::stall:
      case EventKind::enqueue:
      case EventKind::dequeue:
      case EventKind::work_begin:
      case EventKind::work_end: return false;
      default: break;
    }
    return position_->phase >= Phase::timers && position_->phase <= Phase::idle_period;
  }

  Event& append(EventKind kind) {
    LOOPSIM_ASSERT(static_cast<std::size_t>(kind) < kEventKinds);
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
  Event blank_;  // copied per event: GCC would clear a hundred bytes by an instruction that is slow for so few
  std::vector<Event> batch_;
  std::string text_;
  std::vector<std::string> new_names_;
  std::uint64_t sequence_ = 0;
  std::uint64_t entries_ = 0;
  bool entered_ = false;
  bool in_sink_ = false;
};

}  // namespace loopsim

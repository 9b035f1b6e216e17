#include "sim/io/process.hpp"

#include <array>
#include <deque>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "sim/io/kernel.hpp"
#include "sim/io/models.hpp"
#include "sim/io/threads.hpp"
#include "sim/program/program.hpp"
#include "sim/program/run_info.hpp"
#include "sim/runtime/run_to_end.hpp"

namespace loopsim::io {

namespace {

// One process, from its start to its end.
class Life {
 public:
  Life(const Program& program, std::size_t number, std::uint64_t seed, Tracer& tracer, Position& position)
      : setup_{*program.io, program.io->processes[number], program.machine, program.limits, seed},
        label_(static_cast<std::uint32_t>(program.io->sockets + number)),
        kernel_(setup_, setup_.process.model == IoModel::threads ? setup_.spec.sockets : 0, tracer, position) {
    if (setup_.process.model == IoModel::threads) threads_.emplace(kernel_);
  }

  RunSummary run() {
    if (Event* const event = kernel_.teller().state(0, ProcessState::running)) event->name = label_;
    const bool has_returned = threads_ ? threads_->run() : Models(kernel_).run();
    if (has_returned) kernel_.end_process(ExitReason::main_returned, 0);
    return end();
  }

  RunSummary end_without_memory() {
    kernel_.halt(LimitKind::memory, 0);
    return end();
  }

  [[nodiscard]] TimeNs clock_phase() { return kernel_.machine().clock_phase(); }

 private:
  RunSummary end() {
    if (threads_) threads_->tell_ends();
    if (Event* const event = kernel_.teller().state(0, ProcessState::ended)) {
      event->a = kernel_.used_user();
      event->b = kernel_.used_kernel();
      event->c = kernel_.used_vain();
    }
    kernel_.tell_exit();
    return kernel_.summary();
  }

  Setup setup_;
  std::uint32_t label_;
  Kernel kernel_;
  std::optional<Threads> threads_;
};

// The trace of one of several processes, until it can be told together with the others'.
class Kept final : public TraceSink {
 public:
  void begin(const RunInfo&) override {}
  void events(const EventBatch& batch) override {
    for (const Event& event : batch.events) {
      const std::string_view text = batch.text_of(event);
      events_.push_back(event);
      events_.back().text_offset = static_cast<std::uint32_t>(text_.size());
      text_.append(text);
    }
  }
  void end(const RunSummary&) override {}

  [[nodiscard]] bool is_told() const { return next_ == events_.size(); }
  [[nodiscard]] const Event& next() const { return events_[next_]; }
  [[nodiscard]] std::string_view text() const {
    return std::string_view(text_).substr(next().text_offset, next().text_size);
  }
  void step() { ++next_; }

 private:
  std::vector<Event> events_;
  std::string text_;
  std::size_t next_ = 0;
};

// Tells what the processes have done in order of time; of the same time, in the order of the processes.
class Merger {
 public:
  Merger(std::deque<Kept>& kept, std::span<TraceSink* const> sinks) : kept_(kept), sinks_(sinks) {
    batch_.reserve(kBatch);
  }

  void run(RunSummary& summary) {
    while (const std::optional<std::size_t> first = earliest()) tell(*first, summary);
    flush();
    summary.events = sequence_;
  }

 private:
  static constexpr std::size_t kBatch = 512;

  [[nodiscard]] std::optional<std::size_t> earliest() const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (!kept_[i].is_told() && (!first || kept_[i].next().time < kept_[*first].next().time)) first = i;
    }
    return first;
  }

  void tell(std::size_t number, RunSummary& summary) {
    const std::string_view text = kept_[number].text();
    Event event = kept_[number].next();
    event.sequence = ++sequence_;
    event.loop = static_cast<std::uint16_t>(number);
    event.text_offset = static_cast<std::uint32_t>(text_.size());
    text_.append(text);
    batch_.push_back(event);
    kept_[number].step();
    summary.end_time = event.time;
    summary.turns = event.turn;
    if (event.kind == EventKind::limit) summary.limit = static_cast<LimitKind>(event.detail);
    if (event.kind == EventKind::exit) {
      summary.reason = static_cast<ExitReason>(event.detail);
      summary.exit_code = event.a;
    }
    if (batch_.size() == kBatch) flush();
  }

  void flush() {
    for (TraceSink* sink : sinks_) sink->events({batch_, text_});
    batch_.clear();
    text_.clear();
  }

  std::deque<Kept>& kept_;
  std::span<TraceSink* const> sinks_;
  std::vector<Event> batch_;
  std::string text_;
  std::uint64_t sequence_ = 0;
};

RunInfo info_of(const Program& program, std::uint64_t seed, TimeNs clock_phase) {
  RunInfo info = run_info_of(program, seed, clock_phase);
  info.names = program.names;
  return info;
}

RunSummary run_one(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  Position position;
  Tracer tracer(position, sinks);
  Life life(program, 0, seed, tracer, position);
  tracer.begin(info_of(program, seed, life.clock_phase()));
  return runtime::run_to_end(life, tracer);
}

#if defined(__cpp_exceptions)
// Nothing of what the processes did is told: there is no memory for all of it.
[[noreturn]] void end_without_memory(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  Position position;
  Tracer tracer(position, sinks);
  tracer.begin(info_of(program, seed, 0));
  RunSummary summary;
  summary.reason = ExitReason::limit;
  summary.limit = LimitKind::memory;
  if (tracer.on()) {
    Event& limit = tracer.add(EventKind::limit);
    limit.detail = static_cast<std::uint8_t>(LimitKind::memory);
    position.phase = Phase::exit;
    Event& exit = tracer.add(EventKind::exit);
    exit.detail = static_cast<std::uint8_t>(ExitReason::limit);
  }
  tracer.end(summary);
  throw OutOfMemory(summary);
}
#endif

// The memory of the traces that are kept counts as the engine's.
RunSummary live_all(const Program& program, std::uint64_t seed, std::deque<Kept>& kept, TimeNs& clock_phase) {
  RunSummary summary;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    Position position;
    const std::array<TraceSink*, 1> keeper = {&kept[i]};
    Tracer tracer(position, keeper);
    Life life(program, i, seed, tracer, position);
    clock_phase = life.clock_phase();
    RunSummary one = life.run();
    tracer.end(one);
    summary.steps += one.steps;
  }
  return summary;
}

RunSummary run_several(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  std::deque<Kept> kept(program.io->processes.size());
  TimeNs clock_phase = 0;
#if defined(__cpp_exceptions)
  RunSummary summary;
  try {
    summary = live_all(program, seed, kept, clock_phase);
  } catch (const std::bad_alloc&) {
    kept.clear();
    end_without_memory(program, seed, sinks);
  }
#else
  RunSummary summary = live_all(program, seed, kept, clock_phase);
#endif
  for (TraceSink* sink : sinks) sink->begin(info_of(program, seed, clock_phase));
  Merger(kept, sinks).run(summary);
  for (TraceSink* sink : sinks) sink->end(summary);
  return summary;
}

}  // namespace

RunSummary run(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  return program.io->processes.size() == 1 ? run_one(program, seed, sinks) : run_several(program, seed, sinks);
}

}  // namespace loopsim::io

#include "sim/trace/read_events.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kBatch = 512;
constexpr std::size_t kBatchText = 1U << 16U;

}  // namespace

ReadEvents::ReadEvents(std::span<TraceSink* const> sinks) : sinks_(sinks.begin(), sinks.end()) {
  batch_.reserve(kBatch);
}

void ReadEvents::begin(const RunInfo& info) {
  for (TraceSink* sink : sinks_) sink->begin(info);
}

std::uint32_t ReadEvents::name_index(std::string_view name) {
  if (const auto found = name_indices_.find(name); found != name_indices_.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(name_indices_.size());
  name_indices_.emplace(name, index);
  new_names_.emplace_back(name);
  return index;
}

void ReadEvents::set_text(Event& event, std::string_view text) {
  event.text_offset = static_cast<std::uint32_t>(batch_text_.size());
  event.text_size = static_cast<std::uint32_t>(text.size());
  batch_text_.append(text);
}

bool ReadEvents::has_ended(std::uint16_t loop) const { return loop < lives_.size() && lives_[loop] == Life::ended; }

void ReadEvents::take(const Event& event) {
  last_ = event;
  summary_.events = event.sequence;
  summary_.end_time = event.time;
  summary_.turns = event.turn;
  if (event.loop >= lives_.size()) lives_.resize(event.loop + std::size_t{1});
  if (lives_[event.loop] == Life::unknown) {
    lives_[event.loop] = Life::running;
    ++running_;
  }
  switch (event.kind) {
    case EventKind::poll:
    case EventKind::wait: summary_.poll_time += event.b; break;
    case EventKind::callback_begin: ++summary_.callbacks; break;
    case EventKind::limit: summary_.limit = static_cast<LimitKind>(event.detail); break;
    case EventKind::exit:
      summary_.reason = static_cast<ExitReason>(event.detail);
      summary_.exit_code = event.a;
      has_exit_ = true;
      lives_[event.loop] = Life::ended;
      --running_;
      break;
    default: break;
  }
  batch_.push_back(event);
  if (batch_.size() >= kBatch || batch_text_.size() >= kBatchText) flush();
}

void ReadEvents::end() {
  flush();
  for (TraceSink* sink : sinks_) sink->end(summary_);
}

void ReadEvents::flush() {
  if (!failed_) {
    for (TraceSink* sink : sinks_) sink->events({batch_, batch_text_, new_names_});
  }
  batch_.clear();
  batch_text_.clear();
  new_names_.clear();
}

}  // namespace loopsim

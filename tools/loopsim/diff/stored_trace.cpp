#include "tools/loopsim/diff/stored_trace.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kMostEvents = 2'000'000;  // about 200 MB
constexpr std::size_t kMostText = 256U << 20U;  // bytes

bool is_noticed(EventKind kind) {
  switch (kind) {
    case EventKind::schedule:
    case EventKind::callback_begin:
    case EventKind::callback_end:
    case EventKind::log:
    case EventKind::error_log:
    case EventKind::limit:
    case EventKind::exit: return true;
    default: return false;
  }
}

}  // namespace

void TraceStore::begin(const RunInfo& info) {
  trace_ = {};
  trace_.program = info.program;
  trace_.title = info.title;
  trace_.runtime = info.runtime;
  trace_.libuv = info.libuv;
  trace_.entry = info.entry;
  trace_.machine = info.machine;
  trace_.threadpool = info.threadpool;
  trace_.seed = info.seed;
  trace_.clock_phase = info.clock_phase;
  trace_.params.assign(info.params.begin(), info.params.end());
  trace_.names.assign(info.names.begin(), info.names.end());
}

void TraceStore::events(const EventBatch& batch) {
  if (trace_.is_cut) return;  // a later event with a shorter text could fit, and would leave a hole before it
  trace_.names.insert(trace_.names.end(), batch.new_names.begin(), batch.new_names.end());
  for (const Event& event : batch.events) {
    if (keeps_ == Keeps::what_programs_notice && !is_noticed(event.kind)) continue;
    if (trace_.events.size() >= kMostEvents || trace_.text.size() + event.text_size > kMostText) {
      trace_.is_cut = true;
      return;
    }
    Event& kept = trace_.events.emplace_back(event);
    kept.text_offset = static_cast<std::uint32_t>(trace_.text.size());
    trace_.text.append(batch.text_of(event));
  }
}

}  // namespace loopsim::cli

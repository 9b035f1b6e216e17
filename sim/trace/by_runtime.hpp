// A sink that is another one for runs of the runtime `io`: what it is to be is known when a run begins.
#pragma once

#include <memory>
#include <utility>

#include "loopsim/trace.hpp"
#include "loopsim/trace_text.hpp"

namespace loopsim {

class ByRuntime final : public TraceSink {
 public:
  ByRuntime(std::unique_ptr<TraceSink> of_programs, std::unique_ptr<TraceSink> of_io)
      : of_programs_(std::move(of_programs)), of_io_(std::move(of_io)) {}

  void begin(const RunInfo& info) override {
    sink_ = is_io(info) ? of_io_.get() : of_programs_.get();
    sink_->begin(info);
  }
  void events(const EventBatch& batch) override { sink_->events(batch); }
  void end(const RunSummary& summary) override { sink_->end(summary); }

 private:
  std::unique_ptr<TraceSink> of_programs_, of_io_;
  TraceSink* sink_ = nullptr;
};

}  // namespace loopsim

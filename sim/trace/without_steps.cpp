// A sink that leaves out the steps of a program. They have no sequence numbers of their own, so all else stays as it is.
#include <algorithm>
#include <vector>

#include "loopsim/writers.hpp"

namespace loopsim {
namespace {

class WithoutSteps final : public TraceSink {
 public:
  explicit WithoutSteps(TraceSink& next) : next_(next) {}

  void begin(const RunInfo& info) override { next_.begin(info); }

  void events(const EventBatch& batch) override {
    kept_.clear();
    std::ranges::copy_if(batch.events, std::back_inserter(kept_),
                         [](const Event& event) { return !is_step(event.kind); });
    next_.events({kept_, batch.text, batch.new_names});
  }

  void end(const RunSummary& summary) override { next_.end(summary); }

 private:
  TraceSink& next_;
  std::vector<Event> kept_;
};

}  // namespace

std::unique_ptr<TraceSink> make_sink_without_steps(TraceSink& next) { return std::make_unique<WithoutSteps>(next); }

}  // namespace loopsim

#include "sim/study/judged_names.hpp"

#include <utility>

#include "loopsim/simulator.hpp"
#include "loopsim/study.hpp"

#include "sim/study/seeds.hpp"

namespace loopsim::study {
namespace {

// Collects the names of the callbacks of runs, each once, in the order of their first begin.
class NameSink final : public TraceSink {
 public:
  void begin(const RunInfo& info) override { of_run_.assign(info.names.begin(), info.names.end()); }
  void events(const EventBatch& batch) override {
    of_run_.insert(of_run_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) {
      if (event.kind != EventKind::callback_begin || event.api == Api::main || event.name >= of_run_.size()) continue;
      const std::string& name = of_run_[event.name];
      if (known_.try_emplace(name, true).second) names_.push_back(name);
    }
  }
  void end(const RunSummary& /*summary*/) override {}
  [[nodiscard]] std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> of_run_;
  std::map<std::string, bool, std::less<>> known_;
  std::vector<std::string> names_;
};

std::vector<std::string> names_of_runs(const Program& program, std::uint64_t runs) {
  NameSink sink;
  TraceSink* const sinks[] = {&sink};
  for (std::uint64_t i = 0; i < runs; ++i) run(program, replication_seed(program.seed, i), sinks);
  return sink.take();
}

}  // namespace

JudgedNames::JudgedNames(const Scenario& scenario, const Program& program, std::uint64_t runs)
    : list_(scenario.script ? names_of_runs(program, runs) : named_callbacks(scenario)) {
  for (const std::string& name : list_) places_.emplace(name, static_cast<std::uint32_t>(places_.size()));
}

std::uint32_t JudgedNames::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? kNoName : found->second;
}

void RunNames::begin(const RunInfo& info) {
  places_.clear();
  add(info.names);
}

void RunNames::add(std::span<const std::string> names) {
  for (const std::string& name : names) places_.push_back(judged_.find(name));
}

}  // namespace loopsim::study

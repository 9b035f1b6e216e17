// A sink of one's own: tells which callbacks began late, and by how much.
#include <iostream>
#include <string>
#include <vector>

#include <loopsim/simulator.hpp>
#include <loopsim/trace.hpp>

constexpr auto kText = R"({
  "main": [
    { "setTimeout": 20, "as": "early", "do": [ { "cpu": "35ms" } ] },
    { "setTimeout": 30, "as": "report", "do": [] },
    { "setTimeout": 80, "as": "punctual", "do": [] }
  ]
})";

class LateCallbacks final : public loopsim::TraceSink {
 public:
  void begin(const loopsim::RunInfo& info) override { names_.assign(info.names.begin(), info.names.end()); }

  void events(const loopsim::EventBatch& batch) override {
    for (const loopsim::Event& event : batch.events) {
      if (event.kind != loopsim::EventKind::callback_begin || event.b <= 0) continue;
      std::cout << names_[event.name] << " began " << event.b / loopsim::kMillisecond << " ms late, at "
                << event.time / loopsim::kMillisecond << " ms\n";
    }
  }

  void end(const loopsim::RunSummary& summary) override { std::cout << summary.callbacks << " callbacks\n"; }

 private:
  std::vector<std::string> names_;
};

int main() {
  const loopsim::ReadResult read = loopsim::read_scenario(kText, "sink.json");
  for (const loopsim::Diagnostic& problem : read.diagnostics) std::cerr << to_string(problem);
  if (!read.scenario) return 2;
  const loopsim::CompileResult compiled = loopsim::compile(*read.scenario);
  if (!compiled.program) return 2;

  LateCallbacks late;
  loopsim::TraceSink* const sinks[] = {&late};
  loopsim::run(*compiled.program, sinks);
}

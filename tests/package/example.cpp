// One scenario in two versions of Node: reads it, runs it, prints the timeline.
#include <iostream>

#include <loopsim/simulator.hpp>
#include <loopsim/writers.hpp>

constexpr auto kText = R"({
  "title": "Do promises run between two timers?",
  "main": [
    { "setTimeout": 1, "as": "first", "do": [ { "then": null, "as": "promise", "do": [ { "log": "promise" } ] } ] },
    { "setTimeout": 1, "as": "second", "do": [ { "log": "second timer" } ] }
  ]
})";

int main() {
  for (const char* runtime : {"node-10", "node-24"}) {
    loopsim::ReadOptions options;
    options.runtime = runtime;
    const loopsim::ReadResult read = loopsim::read_scenario(kText, "example.json", options);
    for (const loopsim::Diagnostic& problem : read.diagnostics) std::cerr << to_string(problem);
    if (!read.scenario) return 2;

    const loopsim::CompileResult compiled = loopsim::compile(*read.scenario);
    if (!compiled.program) return 2;

    const auto recorder = loopsim::make_recorder();
    loopsim::TraceSink* const sinks[] = {recorder.get()};
    const loopsim::RunSummary summary = loopsim::run(*compiled.program, sinks);

    std::cout << runtime << ", " << summary.turns << " turn(s):\n";
    for (const auto& [name, at] : recorder->recording().callbacks) std::cout << "  " << at << " ns  " << name << '\n';
  }
}

// Callbacks per second of the engine, without a trace and with one. Compare figures only within one run.
#include <string>

#include <benchmark/benchmark.h>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

namespace {

using namespace loopsim;

constexpr int kCallbacks = 200'000;

// A program that runs until its limit of callbacks.
std::shared_ptr<const Program> endless(const std::string& functions, const std::string& main) {
  const std::string document = R"({"limits": {"callbacks": )" + std::to_string(kCallbacks) +
                               R"(, "steps": 1000000000, "time": "10000h"}, "functions": {)" + functions +
                               R"(}, "main": [)" + main + "]}";
  return compile(*read_scenario(document, "bench").scenario).program;
}

const std::string kTimers = R"("again": [ {"setTimeout": {"uniform": [1, 1000]}, "do": "again"} ])";
const std::string kThousand = R"({"repeat": 1000, "do": [ {"call": "again"} ]})";

void run_all(benchmark::State& state, const Program& program, std::span<TraceSink* const> sinks) {
  std::uint64_t callbacks = 0;
  for (auto _ : state) callbacks += run(program, sinks).callbacks;
  state.SetItemsProcessed(static_cast<std::int64_t>(callbacks));
}

void thousand_timers(benchmark::State& state) { run_all(state, *endless(kTimers, kThousand), {}); }
BENCHMARK(thousand_timers)->Unit(benchmark::kMillisecond);

void chain(benchmark::State& state, const std::string& step) {
  run_all(state, *endless(R"("again": [ )" + step + " ]", R"({"call": "again"})"), {});
}
BENCHMARK_CAPTURE(chain, immediates, R"({"setImmediate": "again"})")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(chain, ticks, R"({"nextTick": "again"})")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(chain, reactions, R"({"then": null, "do": "again"})")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(chain, file_requests, R"({"fs": "read", "takes": "1ms", "do": "again"})")
    ->Unit(benchmark::kMillisecond);

void awaits(benchmark::State& state) {
  run_all(state, *endless(R"("f": [ {"repeat": 1000000000, "do": [ {"await": null} ]} ])", R"({"async": "f"})"), {});
}
BENCHMARK(awaits)->Unit(benchmark::kMillisecond);

class Nowhere final : public ByteOutput {
 public:
  void write(std::string_view bytes) override { benchmark::DoNotOptimize(bytes.data()); }
};

void thousand_timers_traced(benchmark::State& state) {
  Nowhere nowhere;
  const auto writer = make_jsonl_writer(nowhere);
  TraceSink* const sinks[] = {writer.get()};
  run_all(state, *endless(kTimers, kThousand), sinks);
}
BENCHMARK(thousand_timers_traced)->Unit(benchmark::kMillisecond);

void read_and_compile(benchmark::State& state) {
  std::string document = R"({"main": [)";
  for (int i = 0; i < 20'000; ++i) document += R"({"setTimeout": 100, "as": "t", "do": [ {"log": "hello {now}"} ]}, )";
  document += R"({"log": "end"}]})";
  for (auto _ : state) benchmark::DoNotOptimize(compile(*read_scenario(document, "bench").scenario));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(document.size()));
}
BENCHMARK(read_and_compile)->Unit(benchmark::kMillisecond);

}  // namespace

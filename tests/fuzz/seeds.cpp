#include "tests/fuzz/seeds.hpp"

#include <algorithm>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

#include "tests/support/files.hpp"

namespace loopsim::fuzz {
namespace {

namespace fs = std::filesystem;

// "docs/timer.json" -> "docs-timer"
std::string flat_name(const fs::path& path) {
  std::string name = path.generic_string();
  std::replace(name.begin(), name.end(), '/', '-');
  return name.substr(0, name.size() - path.extension().string().size());
}

}  // namespace

std::vector<std::pair<std::string, std::string>> scenario_seeds(const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> seeds;
  for (const fs::path& path : testing::documents_in(folder)) {
    seeds.emplace_back(flat_name(fs::relative(path, folder)), testing::read_file(path));
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

std::vector<std::pair<std::string, std::string>> program_seeds(const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> seeds;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".js" || path.extension() == ".mjs")
      seeds.emplace_back(flat_name(fs::relative(path, folder)), testing::read_file(path));
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

std::vector<std::pair<std::string, std::string>> trace_seeds(const std::string& document) {
  constexpr std::size_t kLargest = 24U << 10U;
  ReadResult result = read_scenario(document, "seed.json");
  if (!result.scenario) return {};
  result.scenario->limits.callbacks = std::min<std::uint64_t>(result.scenario->limits.callbacks, 200);
  const CompileResult compiled = compile(*result.scenario);
  if (compiled.program == nullptr) return {};
  StringOutput lines, columns;
  const auto jsonl = make_jsonl_writer(lines);
  const auto compact = make_compact_writer(columns);
  TraceSink* const sinks[] = {jsonl.get(), compact.get()};
  run(*compiled.program, sinks);
  std::vector<std::pair<std::string, std::string>> seeds = {{"jsonl", lines.text()}, {"compact", columns.text()}};
  std::erase_if(seeds, [](const auto& seed) { return seed.second.size() > kLargest; });
  return seeds;
}

}  // namespace loopsim::fuzz

// Runs every shipped scenario, compiled for every version of Node that supports it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "loopsim/simulator.hpp"

#include "sim/program/program.hpp"
#include "tests/support/scenario_files.hpp"
#include "tests/support/simulate.hpp"

namespace loopsim::testing {

// Number of runs in the comparison with real Node, which records the versions that can run each scenario.
inline std::size_t runs_given_to_node() {
  const auto results = nlohmann::json::parse(read_file(LOOPSIM_SOURCE_DIR "/tools/conformance/fidelity-results.json"));
  std::size_t runs = 0;
  for (const auto& [scenario, result] : results.at("runs").items())
    if (!scenario.starts_with("tools/")) runs += result.at("verdicts").size();
  return runs;
}

// Calls check(program, profile, path of the scenario) for each run.
template <class Check>
void for_every_run(const Check& check) {
  std::size_t runs = 0;
  for (const std::filesystem::path& path : scenario_files()) {
    const std::string text = read_file(path);
    for (const Profile& profile : profiles()) {
      ReadOptions options;
      options.runtime = profile.name;
      const ReadResult read = read_scenario(text, path.string(), options);
      if (!read.scenario) continue;
      const CompileResult compiled = compile(*read.scenario);
      REQUIRE(compiled.program != nullptr);
      INFO(path.string() + " in " + std::string(profile.name));
      check(*compiled.program, profile, path);
      ++runs;
    }
  }
  CHECK(runs == runs_given_to_node());
}

// The same for the scenarios of pages, in every browser, where the build has JavaScript.
template <class Check>
void for_every_page(const Check& check) {
  if (script_runner() == nullptr) return;
  for (const std::filesystem::path& path : page_files()) {
    for (const Profile& profile : browsers()) {
      ReadOptions options;
      options.runtime = profile.name;
      const ReadResult read = read_scenario(read_file(path), path.string(), options);
      REQUIRE(read.scenario);
      const CompileResult compiled = compile(*read.scenario);
      REQUIRE(compiled.program != nullptr);
      INFO(path.string() + " in " + std::string(profile.name));
      check(*compiled.program, profile, path);
    }
  }
}

}  // namespace loopsim::testing

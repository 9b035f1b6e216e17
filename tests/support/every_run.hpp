// Every scenario that ships, compiled for every version of Node that has what it uses.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "loopsim/simulator.hpp"

#include "tests/support/scenario_files.hpp"
#include "tests/support/simulate.hpp"

namespace loopsim::testing {

// Calls check(program, profile, path of the scenario) for each of them.
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
  CHECK(runs > 100);
}

}  // namespace loopsim::testing

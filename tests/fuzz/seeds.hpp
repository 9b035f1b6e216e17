// Seed inputs of the fuzzers.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loopsim::fuzz {

// Name ("docs-timer") and text of every scenario in a folder and its subfolders, sorted by name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> scenario_seeds(const std::filesystem::path& folder);

// Name and text of every program in JavaScript there, in the same way.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> program_seeds(const std::filesystem::path& folder);

// The trace of a short run; empty if the scenario cannot be run or its trace is too long for a seed.
[[nodiscard]] std::string trace_seed(const std::string& document);

}  // namespace loopsim::fuzz

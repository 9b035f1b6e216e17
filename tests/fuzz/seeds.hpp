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

// The trace of a short run in the forms that are read, with the endings of their names ("jsonl", "compact"). Left out is
// what is too long for a seed; nothing if the scenario cannot be run.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> trace_seeds(const std::string& document);

}  // namespace loopsim::fuzz

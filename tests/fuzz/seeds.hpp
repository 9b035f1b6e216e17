// What the fuzzers begin with.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loopsim::fuzz {

// Every scenario of a folder and the folders in it, in order of their paths: "docs-timer", and its text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> scenario_seeds(const std::filesystem::path& folder);

// The trace of a short run of it, or nothing when it cannot be run or that is too long to learn from.
[[nodiscard]] std::string trace_seed(const std::string& document);

}  // namespace loopsim::fuzz

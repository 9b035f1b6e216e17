// Finds scenarios on the disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace loopsim::cli {

[[nodiscard]] bool is_folder(const std::string& path);

// The scenarios in a folder and the folders in it, sorted by path: every *.json but *.schema.json. Nothing when a folder could not
// be read: then that has been reported.
[[nodiscard]] std::optional<std::vector<std::string>> find_scenarios(const std::string& folder);

// ./scenarios, or else those installed with the program; nothing when there are none.
[[nodiscard]] std::optional<std::string> default_scenario_folder();

}  // namespace loopsim::cli

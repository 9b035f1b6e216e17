// Finds scenarios on the disk, and what is installed with the program.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace loopsim::cli {

// The scenarios in a folder and its subfolders, sorted by path: every *.json except *.schema.json. Empty if a folder
// could not be read; the error has been reported.
[[nodiscard]] std::optional<std::vector<std::string>> find_scenarios(const std::string& folder);

// Where this program is, absolute; empty: the system does not tell.
[[nodiscard]] std::string path_of_program();

// ./scenarios, or else the folder installed with the program; empty if neither exists.
[[nodiscard]] std::optional<std::string> default_scenario_folder();

}  // namespace loopsim::cli

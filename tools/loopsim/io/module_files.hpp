// The files that a JavaScript program may read: its modules, and what fs finds beside them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim::cli {

// --root: the root of all programs, instead of the one that they stand in. Applies to what is read later.
void set_program_root(std::string folder);

// Where a program stands: the folder of the nearest package.json at or above its own, or else its own. Not above the
// user's home, not the home folder or "/" themselves, and no folder that everybody may write to, unless it is the
// program's own.
struct ProgramRoot {
  std::string folder;     // absolute, without links
  std::string place;      // of the program in it
  bool is_inside = true;  // false: it is not in the folder that --root names
};
[[nodiscard]] ProgramRoot root_of(const std::string& script);
// The same of all programs that stand in a folder; "" is the current one.
[[nodiscard]] std::string root_of_folder(const std::string& folder);

// The node_modules folders above a root that its programs see, the nearest first: of those that are there, no links.
[[nodiscard]] std::vector<std::string> packages_above(const std::string& root);

// What a program sees: its root and packages_above(), each file and folder read once. All of it may be called from several
// threads.
[[nodiscard]] ScriptFolder files_of_program(const std::string& script);

// The script that a scenario names, which must stand in the root of the programs in the scenario's folder. Empty after
// reporting an error.
[[nodiscard]] std::optional<std::string> read_script(const std::string& scenario_folder, const std::string& name);

// Of the command line: whether it stands in the root that --root names, if any; if not, reports the error.
[[nodiscard]] bool is_in_given_root(const std::string& script);

}  // namespace loopsim::cli

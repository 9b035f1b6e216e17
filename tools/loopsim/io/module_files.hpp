// The files that a JavaScript program may read: its modules.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace loopsim::cli {

// Reads files by their paths from `folder`: below it, or in a node_modules folder beside it or above it. Each file is
// read once; empty: there is none, or it may not be read. May be called from several threads.
std::function<std::optional<std::string>(const std::string& path)> module_reader(std::string folder);

// Lists folders by their paths from `folder`, which must not be above it: the names in their order, those of folders with
// "/" at the end. Each folder is read once; empty: there is none. May be called from several threads.
std::function<std::optional<std::vector<std::string>>(const std::string& path)> folder_lister(std::string folder);

}  // namespace loopsim::cli

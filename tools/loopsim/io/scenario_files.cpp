#include "tools/loopsim/io/scenario_files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <unistd.h>

#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {
namespace {

// False: a folder could not be read, for the reason in errno.
bool add_scenarios(const std::string& folder, std::vector<std::string>& found) {
  const std::optional<std::vector<FolderEntry>> entries = read_folder(folder);
  if (!entries) return false;
  for (const FolderEntry& entry : *entries) {
    const std::string path = path_below(folder, entry.name);
    if (entry.is_folder && !entry.is_link && !add_scenarios(path, found)) return false;
    if (path.ends_with(".json") && !path.ends_with(".schema.json") && is_regular_file(path)) found.push_back(path);
  }
  return true;
}

}  // namespace

std::string path_of_program() {
  constexpr std::size_t kLongest = 4096;
  std::array<char, kLongest> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  return size <= 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

std::optional<std::vector<std::string>> find_scenarios(const std::string& folder) {
  std::vector<std::string> found;
  if (!add_scenarios(folder, found)) {
    report_system_error("read", folder, errno);
    return std::nullopt;
  }
  std::ranges::sort(found);
  return found;
}

std::optional<std::string> default_scenario_folder() {
  if (is_folder("scenarios")) return "scenarios";
  const std::string program = path_of_program();  // PREFIX/bin/loopsim
  if (program.empty()) return std::nullopt;
  std::string installed = path_below(folder_of(folder_of(program)), "share/loopsim/scenarios");
  if (!is_folder(installed)) return std::nullopt;
  return installed;
}

}  // namespace loopsim::cli

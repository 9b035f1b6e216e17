#include "tools/loopsim/io/scenario_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::optional<std::vector<std::string>> find_scenarios(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error); !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    const std::string path = entry->path().generic_string();
    std::error_code not_a_file;
    if (path.ends_with(".json") && !path.ends_with(".schema.json") && entry->is_regular_file(not_a_file))
      found.push_back(path);
  }
  if (error) {
    report_system_error("read", folder, error.value());
    return std::nullopt;
  }
  std::ranges::sort(found);
  return found;
}

std::optional<std::string> default_scenario_folder() {
  if (is_folder("scenarios")) return "scenarios";
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);  // PREFIX/bin/loopsim
  if (error) return std::nullopt;
  std::string installed = (program.parent_path().parent_path() / "share/loopsim/scenarios").generic_string();
  if (!is_folder(installed)) return std::nullopt;
  return installed;
}

}  // namespace loopsim::cli

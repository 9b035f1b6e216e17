#include "tools/loopsim/io/module_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include <sys/stat.h>

#include "tools/loopsim/io/held.hpp"
#include "tools/loopsim/io/node_library.hpp"
#include "tools/loopsim/io/rooted_files.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {

namespace {

constexpr std::uint64_t kLargestModule = 16U << 20U;  // bytes of a module
constexpr std::uint64_t kLargestScript = 64U << 20U;  // as any document
constexpr std::size_t kMostNames = 10'000;            // in a folder; one with more is told as one that is not there
// Of one program, so that it cannot fill the memory; what it asks for beyond is not there.
constexpr std::uint64_t kMostBytes = 256U << 20U;
constexpr std::size_t kMostPaths = 65'536;

std::string given_root;  // set once, before anything is read

// ---- the root -------------------------------------------------------------------------------------------------------------------

// Where others may write, others would decide.
bool is_for_everybody(const std::string& folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) != 0;
}

// The root that a folder's programs stand in, found by its package.json. `folder`: absolute, without links.
std::string project_of(const std::string& folder) {
  const char* const home_name = std::getenv("HOME");
  const std::string home = home_name == nullptr || *home_name == '\0' ? std::string() : real_path(home_name);
  for (std::string above = folder;; above = folder_of(above)) {
    const bool is_own = above == folder;
    if (!is_own && (above == home || above == "/")) return folder;
    if ((is_own || !is_for_everybody(above)) && is_regular_file(path_below(above, "package.json"))) return above;
    if (above == "/" || above == home || above.empty()) return folder;
  }
}

// The rest of a path that is `folder` or below it. Empty: it is not.
std::optional<std::string> below(std::string_view folder, std::string_view path) {
  if (path == folder) return "";
  const std::string inside = folder == "/" ? "/" : std::string(folder).append("/");
  if (!path.starts_with(inside)) return std::nullopt;
  return std::string(path.substr(inside.size()));
}

struct PackagesAbove {
  std::size_t level;  // 1: beside the root
  std::string folder;
};

std::vector<PackagesAbove> all_packages_above(const std::string& root) {
  std::vector<PackagesAbove> found;
  std::size_t level = 0;
  for (std::string above = root; above != "/" && !above.empty();) {
    above = folder_of(above);
    ++level;
    std::string packages = path_below(above, "node_modules");
    if (RootedFiles(packages, RootedFiles::Links::refused).is_open()) found.push_back({level, std::move(packages)});
  }
  return found;
}

// ---- what a program sees --------------------------------------------------------------------------------------------------------

class ProgramFiles {
 public:
  explicit ProgramFiles(const std::string& root) {
    roots_.emplace_back(root, RootedFiles(root));
    for (const PackagesAbove& packages : all_packages_above(root)) {
      above_.emplace_back(packages.level, roots_.size());
      roots_.emplace_back(packages.folder, RootedFiles(packages.folder, RootedFiles::Links::refused));
    }
  }

  std::optional<std::string> read(const std::string& path) {
    const Held held(mutex_);
    if (const auto known = texts_.find(path); known != texts_.end()) return known->second;
    if (texts_.size() >= kMostPaths || bytes_ >= kMostBytes) return std::nullopt;
    RootedText text = at<RootedText>(
        path, [](const RootedFiles& files, const std::string& rest) { return files.read(rest, kLargestModule); });
    bytes_ += text.text.size() + path.size();
    return texts_.emplace(path, text.error == 0 ? std::optional(std::move(text.text)) : std::nullopt).first->second;
  }

  std::optional<std::vector<std::string>> list(const std::string& path) {
    const Held held(mutex_);
    if (const auto known = names_.find(path); known != names_.end()) return known->second;
    if (names_.size() >= kMostPaths || bytes_ >= kMostBytes) return std::nullopt;
    RootedNames names = at<RootedNames>(
        path, [](const RootedFiles& files, const std::string& rest) { return files.list(rest, kMostNames); });
    bytes_ += path.size();
    for (const std::string& name : names.names) bytes_ += name.size() + sizeof name;
    return names_.emplace(path, names.error == 0 ? std::optional(std::move(names.names)) : std::nullopt).first->second;
  }

  bool leads_out(const std::string& path) {
    const Held held(mutex_);
    struct Looked {
      int error = 0;
    };
    const auto look = [](const RootedFiles& files, const std::string& rest) { return Looked{files.look(rest)}; };
    return at<Looked>(path, look).error == EXDEV;
  }

 private:
  // What `ask` finds at a path from the root: in the root itself, or in a node_modules folder above it. A link may lead
  // from one of them to another.
  template <typename Found, typename Ask>
  Found at(std::string_view path, Ask ask) {
    Found found{};
    const Place place = place_of(path);
    if (place.error != 0) {
      found.error = place.error;
      return found;
    }
    found = ask(roots_[place.root].second, place.rest);
    if (found.error != EXDEV) return found;
    const std::string real = real_path(path_below(roots_[place.root].first, place.rest));
    for (const auto& [folder, files] : roots_) {
      if (const std::optional<std::string> inside = below(folder, real)) return ask(files, *inside);
    }
    return found;
  }

  struct Place {
    int error = 0;
    std::size_t root = 0;
    std::string rest = {};  // the path from there
  };
  [[nodiscard]] Place place_of(std::string_view path) const {
    if (path.find('\0') != std::string_view::npos) return {ENOENT};
    if (path.starts_with('/')) return {EXDEV};
    const std::string normal = normal_path(path);
    std::string_view rest = normal;
    std::size_t level = 0;
    for (; rest.starts_with("../"); rest.remove_prefix(3)) ++level;
    if (level == 0 && rest != "..") return {0, 0, std::string(rest)};
    constexpr std::string_view kPackages = "node_modules/";
    if (!rest.starts_with(kPackages)) return {EXDEV};
    rest.remove_prefix(kPackages.size());
    for (const auto& [its_level, root] : above_) {
      // To the program there are three folders above: the last stands for all that are really there.
      if (level == kLevels ? its_level >= level && has_package(roots_[root].second, rest) : its_level == level)
        return {0, root, std::string(rest)};
    }
    return {ENOENT};
  }

  static bool has_package(const RootedFiles& files, std::string_view path) {
    std::size_t end = path.find('/');
    if (path.starts_with('@') && end != std::string_view::npos) end = path.find('/', end + 1);
    return files.look(path.substr(0, end)) != ENOENT;
  }

  static constexpr std::size_t kLevels = 3;  // above /usr/src/app

  std::vector<std::pair<std::string, RootedFiles>> roots_;  // the program's own first
  std::vector<std::pair<std::size_t, std::size_t>> above_;  // levels above that, and which root
  std::uint64_t bytes_ = 0;
  Mutex mutex_;
  std::map<std::string, std::optional<std::string>> texts_;
  std::map<std::string, std::optional<std::vector<std::string>>> names_;
};

}  // namespace

void set_program_root(std::string folder) { given_root = std::move(folder); }

ProgramRoot root_of(const std::string& script) {
  const std::string folder = real_path(folder_of(script));
  ProgramRoot root;
  root.folder = given_root.empty() ? project_of(folder) : real_path(given_root);
  const std::optional<std::string> inside = below(root.folder, folder);
  root.is_inside = inside.has_value();
  root.place = path_below(inside.value_or(""), file_name_of(script));
  return root;
}

std::string root_of_folder(const std::string& folder) {
  return given_root.empty() ? project_of(real_path(folder)) : real_path(given_root);
}

std::vector<std::string> packages_above(const std::string& root) {
  std::vector<std::string> found;
  for (PackagesAbove& packages : all_packages_above(root)) found.push_back(std::move(packages.folder));
  return found;
}

ScriptFolder files_of_program(const std::string& script) {
  ScriptFolder folder;
  folder.library = node_library;
  const ProgramRoot root = root_of(script);
  if (!root.is_inside) return folder;
  const auto files = std::make_shared<ProgramFiles>(root.folder);
  folder.read = [files](const std::string& path) { return files->read(path); };
  folder.list = [files](const std::string& path) { return files->list(path); };
  folder.leads_out = [files](const std::string& path) { return files->leads_out(path); };
  folder.place = root.place;
  return folder;
}

std::optional<std::string> read_script(const std::string& scenario_folder, const std::string& name) {
  const std::string path = path_below(scenario_folder, name);
  const std::string root = root_of_folder(scenario_folder);
  const std::optional<std::string> inside =
      below(root, normal_path(path_below(real_path(folder_of(path)), file_name_of(path))));
  RootedText text = {EXDEV};
  if (inside && name.find('\0') == std::string::npos) text = RootedFiles(root).read(*inside, kLargestScript);
  if (text.error == 0) return std::move(text.text);
  if (text.error == EXDEV) {
    report_error("could not read " + path + ": it is outside the root of the scenario's programs, " + root +
                 " (--root DIR gives another)");
  } else if (text.error == EFBIG) {
    report_error("could not read " + path + ": it is larger than 64 MiB");
  } else if (text.error == EINVAL || text.error == EACCES) {
    report_error("could not read " + path + ": it is no regular file");
  } else {
    report_system_error("read", path, text.error);
  }
  return std::nullopt;
}

bool is_in_given_root(const std::string& script) {
  if (given_root.empty() || root_of(script).is_inside) return true;
  report_error(script + " is outside " + given_root + ", which --root names");
  return false;
}

}  // namespace loopsim::cli

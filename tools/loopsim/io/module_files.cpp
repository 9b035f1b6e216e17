#include "tools/loopsim/io/module_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

namespace loopsim::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargest = 16U << 20U;  // bytes of a module

// Nothing above the folder but node_modules, and what packages have beside them.
bool may_be_read(const fs::path& path) {
  if (path.is_absolute()) return false;
  bool is_above = false;
  for (const fs::path& part : path.lexically_normal()) {
    if (part == "..") {
      is_above = true;
    } else {
      return !is_above || part == "node_modules";
    }
  }
  return false;
}

std::optional<std::string> read(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kLargest || error) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::nullopt;
  return text;
}

// A folder with very many names is told as one that is not there.
constexpr std::size_t kMostNames = 10'000;

std::optional<std::vector<std::string>> list(const fs::path& path) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    names.push_back(entry->path().filename().string() + (entry->is_directory(unknown) ? "/" : ""));
    if (names.size() > kMostNames) return std::nullopt;
  }
  if (error) return std::nullopt;
  std::ranges::sort(names);
  return names;
}

class Folders {
 public:
  explicit Folders(fs::path folder) : folder_(std::move(folder)) {}
  std::optional<std::vector<std::string>> operator()(const std::string& path) {
    const fs::path below = fs::path(path).lexically_normal();
    if (below.is_absolute() || *below.begin() == "..") return std::nullopt;
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = names_.try_emplace(path);
    if (is_new) known->second = list(folder_ / below);
    return known->second;
  }

 private:
  fs::path folder_;
  std::mutex mutex_;
  std::map<std::string, std::optional<std::vector<std::string>>> names_;
};

class Files {
 public:
  explicit Files(fs::path folder) : folder_(std::move(folder)) {}
  std::optional<std::string> operator()(const std::string& path) {
    const std::lock_guard lock(mutex_);
    const auto [known, is_new] = texts_.try_emplace(path);
    if (is_new && may_be_read(path)) known->second = read(folder_ / path);
    return known->second;
  }

 private:
  fs::path folder_;
  std::mutex mutex_;
  std::map<std::string, std::optional<std::string>> texts_;
};

}  // namespace

std::function<std::optional<std::string>(const std::string& path)> module_reader(fs::path folder) {
  return [files = std::make_shared<Files>(std::move(folder))](const std::string& path) { return (*files)(path); };
}

std::function<std::optional<std::vector<std::string>>(const std::string& path)> folder_lister(fs::path folder) {
  if (folder.empty()) folder = ".";
  return [folders = std::make_shared<Folders>(std::move(folder))](const std::string& path) { return (*folders)(path); };
}

}  // namespace loopsim::cli

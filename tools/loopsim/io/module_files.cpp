#include "tools/loopsim/io/module_files.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#if !defined(__wasm__)
#include <mutex>
#endif

#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {

namespace {

#if defined(__wasm__)  // has no threads
struct Mutex {};
struct Held {
  explicit Held(const Mutex& /*mutex*/) {}
};
#else
using Mutex = std::mutex;
using Held = std::lock_guard<std::mutex>;
#endif

constexpr std::uint64_t kLargest = 16U << 20U;  // bytes of a module

// Nothing above the folder but node_modules, and what packages have beside them.
bool may_be_read(std::string_view path) {
  if (path.starts_with('/')) return false;
  const std::string normal = normal_path(path);
  bool is_above = false;
  for (const std::string_view part : parts_of(normal)) {
    if (part == "..") {
      is_above = true;
    } else {
      return !is_above || part == "node_modules";
    }
  }
  return false;
}

std::optional<std::string> read(const std::string& path) {
  if (file_size(path).value_or(kLargest + 1) > kLargest) return std::nullopt;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (file == nullptr) return std::nullopt;
  std::string text;
  std::array<char, 64U << 10> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): fread() fills it
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get()))
    text.append(piece.data(), count);
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return text;
}

// A folder with very many names is told as one that is not there.
constexpr std::size_t kMostNames = 10'000;

std::optional<std::vector<std::string>> list(const std::string& path) {
  const std::optional<std::vector<FolderEntry>> entries = read_folder(path);
  if (!entries || entries->size() > kMostNames) return std::nullopt;
  std::vector<std::string> names;
  for (const FolderEntry& entry : *entries) names.push_back(entry.name + (entry.is_folder ? "/" : ""));
  std::ranges::sort(names);
  return names;
}

class Folders {
 public:
  explicit Folders(std::string folder) : folder_(std::move(folder)) {}
  std::optional<std::vector<std::string>> operator()(const std::string& path) {
    const std::string below = normal_path(path);
    if (below.starts_with('/') || parts_of(below).front() == "..") return std::nullopt;
    const Held held(mutex_);
    const auto [known, is_new] = names_.try_emplace(path);
    if (is_new) known->second = list(path_below(folder_, below));
    return known->second;
  }

 private:
  std::string folder_;
  Mutex mutex_;
  std::map<std::string, std::optional<std::vector<std::string>>> names_;
};

class Files {
 public:
  explicit Files(std::string folder) : folder_(std::move(folder)) {}
  std::optional<std::string> operator()(const std::string& path) {
    const Held held(mutex_);
    const auto [known, is_new] = texts_.try_emplace(path);
    if (is_new && may_be_read(path)) known->second = read(path_below(folder_, path));
    return known->second;
  }

 private:
  std::string folder_;
  Mutex mutex_;
  std::map<std::string, std::optional<std::string>> texts_;
};

}  // namespace

std::function<std::optional<std::string>(const std::string& path)> module_reader(std::string folder) {
  return [files = std::make_shared<Files>(std::move(folder))](const std::string& path) { return (*files)(path); };
}

std::function<std::optional<std::vector<std::string>>(const std::string& path)> folder_lister(std::string folder) {
  if (folder.empty()) folder = ".";
  return [folders = std::make_shared<Folders>(std::move(folder))](const std::string& path) { return (*folders)(path); };
}

}  // namespace loopsim::cli

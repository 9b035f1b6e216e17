#include "tools/loopsim/line/paths.hpp"

#include <cerrno>
#include <cstdlib>
#include <memory>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loopsim::cli {
namespace {

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool is_link(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

std::string current_folder() {
  const std::unique_ptr<char, void (*)(void*)> folder(::getcwd(nullptr, 0), std::free);
  return folder == nullptr ? "/" : folder.get();
}

// Of a path that exists.
std::optional<std::string> resolved(const std::string& path) {
#if defined(__wasi__)  // has no realpath()
  return exists(path) ? std::optional(normal_path(path)) : std::nullopt;
#else
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real == nullptr ? std::nullopt : std::optional<std::string>(real.get());
#endif
}

}  // namespace

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return "";
  const std::size_t end = path.find_last_not_of('/', slash);
  return std::string(path.substr(0, end == std::string_view::npos ? 1 : end + 1));
}

std::string file_name_of(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::string path_below(std::string_view folder, std::string_view path) {
  if (folder.empty() || path.starts_with('/')) return std::string(path);
  std::string joined(folder);
  if (!joined.ends_with('/')) joined += '/';
  return joined.append(path);
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  if (path.starts_with('/')) parts.push_back(path.substr(0, 1));
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (!part.empty()) parts.push_back(part);
    path.remove_prefix(part.size() == path.size() ? part.size() : part.size() + 1);
  }
  return parts;
}

std::string normal_path(std::string_view path) {
  std::vector<std::string_view> kept;
  for (const std::string_view part : parts_of(path)) {
    if (part == ".") continue;
    if (part == ".." && !kept.empty() && kept.back() != "..") {
      if (kept.back() != "/") kept.pop_back();
    } else {
      kept.push_back(part);
    }
  }
  std::string normal;
  for (const std::string_view part : kept) {
    if (!normal.empty() && !normal.ends_with('/')) normal += '/';
    normal += part;
  }
  return normal.empty() ? "." : normal;
}

bool exists(const std::string& path) { return status_of(path).has_value(); }

bool is_folder(const std::string& path) {
  const auto status = status_of(path);
  return status && S_ISDIR(status->st_mode);
}

bool is_regular_file(const std::string& path) {
  const auto status = status_of(path);
  return status && S_ISREG(status->st_mode);
}

std::optional<std::uint64_t> file_size(const std::string& path) {
  const auto status = status_of(path);
  if (!status || !S_ISREG(status->st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status->st_size);
}

bool is_same_file(const std::string& a, const std::string& b) {
  const auto first = status_of(a), second = status_of(b);
  return first && second && first->st_dev == second->st_dev && first->st_ino == second->st_ino;
}

std::string real_path(const std::string& path) {
  const std::string whole = path_below(current_folder(), path);
  const std::vector<std::string_view> parts = parts_of(whole);
  // The longest beginning that exists, and the rest as it is.
  for (std::size_t count = parts.size(); count > 0; --count) {
    std::string beginning;
    for (std::size_t i = 0; i < count; ++i) beginning = path_below(beginning, parts[i]);
    if (const std::optional<std::string> real = resolved(beginning)) {
      std::string rest = *real;
      for (std::size_t i = count; i < parts.size(); ++i) rest = path_below(rest, parts[i]);
      return normal_path(rest);
    }
  }
  return normal_path(whole);
}

std::optional<std::vector<FolderEntry>> read_folder(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (folder == nullptr) return std::nullopt;
  std::vector<FolderEntry> entries;
  errno = 0;
  while (const dirent* const entry = ::readdir(folder.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const std::string full = path_below(path, name);
    entries.push_back({name, is_folder(full), is_link(full)});
    errno = 0;
  }
  if (errno != 0) return std::nullopt;
  return entries;
}

}  // namespace loopsim::cli

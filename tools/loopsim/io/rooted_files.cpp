#include "tools/loopsim/io/rooted_files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif

#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {
namespace {

#if defined(O_PATH)
constexpr int kToLookAt = O_PATH;
#else
constexpr int kToLookAt = O_RDONLY;  // WASI
#endif
constexpr int kMostLinks = 40;  // as Linux

class OpenFile {
 public:
  explicit OpenFile(int number = -1) : number_(number) {}
  ~OpenFile() {
    const int error = errno;
    if (number_ >= 0) ::close(number_);
    errno = error;
  }
  OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

int failed(int error) {
  errno = error;
  return -1;
}

bool stopped(int error) {
  errno = error;
  return false;
}

// ---- by one call of the kernel -----------------------------------------------------------------------------------------------

#if defined(__linux__)
#if !defined(SYS_openat2)
#define SYS_openat2 437  // on all architectures
#endif

// linux/openat2.h, which older systems lack
struct OpenHow {
  std::uint64_t flags, mode, resolve;
};
constexpr std::uint64_t kNoMagicLinks = 0x02, kBeneath = 0x08;

// Empty: the kernel has no such call, or a filter does not let it through.
int open_by_kernel(int root, const std::string& path, int flags, bool& is_there) {
  constexpr int kMostTries = 64;  // EAGAIN: something was renamed meanwhile
  const OpenHow how = {static_cast<std::uint64_t>(flags), 0, kNoMagicLinks | kBeneath};
  for (int i = 0; i < kMostTries; ++i) {
    const auto file = static_cast<int>(::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how));
    if (file >= 0) return file;
    if (errno == EAGAIN || errno == EINTR) continue;
    is_there = errno != ENOSYS && errno != EPERM && errno != EINVAL && errno != E2BIG;
    return -1;
  }
  return -1;
}
#endif

// ---- part by part --------------------------------------------------------------------------------------------------------------

class Walk {
 public:
  Walk(int root, std::string_view path) : root_(root) { add(path); }

  // A descriptor, or -1 with errno.
  int open(int flags) {
    while (!rest_.empty()) {
      const std::string part = std::move(rest_.back());
      rest_.pop_back();
      if (part == ".") continue;
      if (part == "..") {
        if (folders_.empty()) return failed(EXDEV);
        folders_.pop_back();
        continue;
      }
      struct stat status {};
      if (::fstatat(here(), part.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return -1;
      if (S_ISLNK(status.st_mode)) {
        if (!follow(part)) return -1;
        continue;
      }
      if (rest_.empty()) return ::openat(here(), part.c_str(), flags | O_NOFOLLOW);
      OpenFile next(::openat(here(), part.c_str(), kToLookAt | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (next.number() < 0) return -1;
      folders_.push_back(std::move(next));
    }
    return ::openat(here(), ".", flags);
  }

 private:
  [[nodiscard]] int here() const { return folders_.empty() ? root_ : folders_.back().number(); }

  void add(std::string_view path) {
    const std::vector<std::string_view> parts = parts_of(path);
    rest_.insert(rest_.end(), parts.rbegin(), parts.rend());
  }

  bool follow(const std::string& link) {
    std::array<char, PATH_MAX> target;  // NOLINT(cppcoreguidelines-pro-type-member-init): readlinkat() fills it
    if (++links_ > kMostLinks) return stopped(ELOOP);
    const ssize_t size = ::readlinkat(here(), link.c_str(), target.data(), target.size());
    if (size < 0) return false;
    const std::string_view path(target.data(), static_cast<std::size_t>(size));
    if (path.empty() || path.size() == target.size()) return stopped(ENOENT);
    if (path.starts_with('/')) return stopped(EXDEV);
    add(path);
    return true;
  }

  int root_;
  int links_ = 0;
  std::vector<OpenFile> folders_ = {};  // below the root
  std::vector<std::string> rest_ = {};  // the next one last
};

int open_beneath(int root, RootedFiles::How how, std::string_view path, int flags) {
  if (root < 0) return failed(ENOENT);
  if (path.find('\0') != std::string_view::npos) return failed(ENOENT);  // what the kernel sees would end there
  if (path.size() >= PATH_MAX) return failed(ENAMETOOLONG);
  if (path.starts_with('/')) return failed(EXDEV);
  const std::string name = path.empty() ? "." : std::string(path);
#if defined(__linux__)
  if (how == RootedFiles::How::kernel) {
    bool is_there = true;
    const int file = open_by_kernel(root, name, flags, is_there);
    if (file >= 0 || is_there) return file;
  }
#else
  static_cast<void>(how);
#endif
  return Walk(root, name).open(flags);
}

// ---- what may be read ------------------------------------------------------------------------------------------------------------

// Files that the kernel makes up as they are read: of processes, of itself.
bool is_made_up([[maybe_unused]] int file) {
#if defined(__linux__)
  constexpr std::array<std::uint32_t, 8> kMadeUp = {
      0x9fa0,      // proc
      0x62656572,  // sysfs
      0x64626720,  // debugfs
      0x74726163,  // tracefs
      0x73636673,  // securityfs
      0x27e0eb,    // cgroup
      0x63677270,  // cgroup2
      0xcafe4a11,  // bpf
  };
  struct statfs system {};
  if (::fstatfs(file, &system) != 0) return true;
  return std::ranges::find(kMadeUp, static_cast<std::uint32_t>(system.f_type)) != kMadeUp.end();
#else
  return false;
#endif
}

enum class Wanted : std::uint8_t { file, folder };

// Why it may not be read, or 0.
int refusal(int file, Wanted wanted) {
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0) return errno;
  if (wanted == Wanted::file && S_ISDIR(status.st_mode)) return EISDIR;
  if (wanted == Wanted::file && !S_ISREG(status.st_mode)) return EINVAL;
  if (wanted == Wanted::folder && !S_ISDIR(status.st_mode)) return ENOTDIR;
  return is_made_up(file) ? EACCES : 0;
}

// Opens it to read. Looks first, since opening alone may do something to a device, or wait for a pipe's writer.
int open_kind(int root, RootedFiles::How how, std::string_view path, Wanted wanted, OpenFile& opened) {
#if defined(__linux__)
  const OpenFile looked_at(open_beneath(root, how, path, kToLookAt | O_CLOEXEC));
  if (const int error = refusal(looked_at.number(), wanted); error != 0) return error;
#endif
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (wanted == Wanted::folder ? O_DIRECTORY : 0);
  OpenFile file(open_beneath(root, how, path, flags));
  if (const int error = refusal(file.number(), wanted); error != 0) return error;
  opened = std::move(file);
  return 0;
}

}  // namespace

RootedFiles::RootedFiles(const std::string& folder, Links links, How how)
    : root_(folder.find('\0') != std::string::npos
                ? -1
                : ::open(folder.empty() ? "." : folder.c_str(),
                         kToLookAt | O_DIRECTORY | O_CLOEXEC | (links == Links::refused ? O_NOFOLLOW : 0))),
      how_(how) {}

RootedFiles::~RootedFiles() {
  if (root_ >= 0) ::close(root_);
}

RootedFiles::RootedFiles(RootedFiles&& other) noexcept : root_(std::exchange(other.root_, -1)), how_(other.how_) {}

RootedText RootedFiles::read(std::string_view path, std::uint64_t most) const {
  OpenFile file;
  if (const int error = open_kind(root_, how_, path, Wanted::file, file); error != 0) return {error};
  RootedText read;
  std::array<char, 64U << 10> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
  for (;;) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return {errno};
    if (count == 0) return read;
    if (read.text.size() + static_cast<std::size_t>(count) > most) return {EFBIG};
    read.text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

RootedNames RootedFiles::list(std::string_view path, std::size_t most) const {
  OpenFile file;
  if (const int error = open_kind(root_, how_, path, Wanted::folder, file); error != 0) return {error};
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(file.number()), ::closedir);
  if (folder == nullptr) return {errno};
  static_cast<void>(file.release());
  RootedNames found;
  for (std::size_t count = 0;;) {
    errno = 0;
    const dirent* const entry = ::readdir(folder.get());
    if (entry == nullptr && errno != 0) return {errno};
    if (entry == nullptr) break;
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (++count > most) return {EFBIG};
    if (entry->d_type == DT_REG) {
      found.names.push_back(std::move(name));
      continue;
    }
    // Where a link leads is the root's to say, not the folder's.
    const OpenFile one(open_beneath(root_, how_, path_below(path, name), kToLookAt | O_CLOEXEC));
    const bool is_folder = refusal(one.number(), Wanted::folder) == 0;
    if (is_folder || refusal(one.number(), Wanted::file) == 0) found.names.push_back(name + (is_folder ? "/" : ""));
  }
  std::ranges::sort(found.names);
  return found;
}

int RootedFiles::look(std::string_view path) const {
  const OpenFile found(open_beneath(root_, how_, path, kToLookAt | O_CLOEXEC));
  const int error = refusal(found.number(), Wanted::file);
  return error == EISDIR ? refusal(found.number(), Wanted::folder) : error;
}

}  // namespace loopsim::cli

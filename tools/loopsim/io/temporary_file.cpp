// A program killed by a signal runs no destructors, so a signal handler removes the temporary files. Their names are in
// fixed slots, since a handler may neither allocate nor lock.
#include "tools/loopsim/io/temporary_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace loopsim::cli {
namespace {

// ---- state of the signal handler ------------------------------------------------------------------------------------

struct Slot {
  std::atomic<bool> taken = false;
  std::atomic<bool> filled = false;
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 8> slots;  // further files are removed on failure, but not on a signal

constexpr std::array kSignals = {SIGHUP, SIGINT, SIGTERM, SIGXCPU};

extern "C" void remove_files_and_die(int signal) {
  for (const Slot& slot : slots) {
    if (slot.filled) ::unlink(slot.path.data());
  }
  ::raise(signal);  // SA_RESETHAND restored the default action: terminates
}

void watch_signals() {
  static const bool kWatching = [] {
    for (const int signal : kSignals) {
      struct sigaction old {};
      if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) continue;  // ignored or handled already
      struct sigaction action {};
      action.sa_handler = remove_files_and_die;
      action.sa_flags = static_cast<int>(SA_RESETHAND);
      ::sigaction(signal, &action, nullptr);
    }
    return true;
  }();
  static_cast<void>(kWatching);
}

// Blocks the signals, so that no file exists without its name in a slot.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : kSignals) sigaddset(&held, signal);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

void remember(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  for (Slot& slot : slots) {
    if (slot.taken.exchange(true)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.filled = true;
    return;
  }
}

void forget(const std::string& path) {
  for (Slot& slot : slots) {
    if (!slot.filled || path != slot.path.data()) continue;
    slot.filled = false;
    slot.taken = false;
    return;
  }
}

// ---- names ----------------------------------------------------------------------------------------------------------------------

// Resolves symbolic links: the link stays, and its target is replaced.
std::string real_path(const std::string& path) {
  char* const resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string real(resolved);
  std::free(resolved);
  return real;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

constexpr int kMostNames = 1000;

// Like rename(), but never replaces an existing file. Returns errno, or 0.
int rename_to_free_name(const char* from, const char* to) {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // The file system lacks RENAME_NOREPLACE (NFS). link() does not replace an existing file either.
  if (::link(from, to) != 0) return errno;
  ::unlink(from);
  return 0;
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& target, Existing existing)
    : target_(real_path(target)), existing_(existing) {
  watch_signals();
  const SignalsHeld held;
  const std::string stem = folder_of(target_) + ".loopsim-" + std::to_string(::getpid()) + "-";
  for (int number = 0; number < kMostNames; ++number) {
    path_ = stem + std::to_string(number) + ".tmp";
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);  // minus the umask
    if (file_ >= 0) {
      exists_ = true;
      remember(path_);
      return;
    }
    if (errno != EEXIST) break;
  }
  error_ = errno;
}

TemporaryFile::~TemporaryFile() {
  if (file_ >= 0) ::close(file_);
  if (exists_) {
    ::unlink(path_.c_str());
    forget(path_);
  }
}

int TemporaryFile::move_into_place() {
  if (::fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) return errno;
  const int file = std::exchange(file_, -1);
  if (::close(file) != 0) return errno;
  if (existing_ == Existing::stays) {
    if (const int error = rename_to_free_name(path_.c_str(), target_.c_str()); error != 0) return error;
  } else if (::rename(path_.c_str(), target_.c_str()) != 0) {
    return errno;
  }
  exists_ = false;
  forget(path_);
  return 0;
}

}  // namespace loopsim::cli

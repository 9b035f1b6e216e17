#include "tools/loopsim/io/child_program.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT: POSIX

namespace loopsim::cli {
namespace {

constexpr std::size_t kLargestOutput = 64U << 20;  // bytes

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// Writes the input to `file` (a memfd) and rewinds it. A pipe could deadlock: we write while the child waits for its
// reader.
bool fill(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::lseek(file, 0, SEEK_SET) == 0;
}

// Reads the child's output up to end of file or kLargestOutput.
void read_all(int file, std::string& text) {
  const std::size_t most = text.size() + kLargestOutput;
  std::array<char, 64U << 10> chunk{};
  while (text.size() < most) {
    const ssize_t count = ::read(file, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

int spawn(std::span<const std::string> words, const posix_spawn_file_actions_t& actions, pid_t& child) {
  std::vector<std::string> kept(words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : kept) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return ::posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
}

}  // namespace

std::vector<std::string> on_path(std::string_view program) {
  std::vector<std::string> found;
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/usr/bin:/bin" : path;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    std::string file = std::string(folders.substr(0, colon)).append("/").append(program);
    if (::access(file.c_str(), X_OK) == 0) found.push_back(std::move(file));
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
  return found;
}

bool is_on_path(std::string_view program) { return !on_path(program).empty(); }

int run_filter(std::span<const std::string> words, std::string_view input, std::string& output) {
  const Descriptor from(::memfd_create("loopsim", MFD_CLOEXEC));
  if (from.get() < 0 || !fill(from.get(), input)) return errno;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  Descriptor from_child(ends[0]);
  Descriptor to_parent(ends[1]);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, from.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, to_parent.get(), STDOUT_FILENO);
  pid_t child = 0;
  const int error = spawn(words, actions, child);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return error;
  to_parent.close();
  read_all(from_child.get(), output);
  from_child.close();  // a child that has more to write would wait for ever, and so would this
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EIO;
}

int start_program(std::span<const std::string> words) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  pid_t child = 0;
  const int error = spawn(words, actions, child);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace loopsim::cli

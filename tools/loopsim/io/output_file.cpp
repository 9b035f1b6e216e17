#include "tools/loopsim/io/output_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/loopsim/io/temporary_file.hpp"
#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kBufferSize = 64U << 10;

// A pipe that does not block, as other programs give it, and Node itself to WebAssembly, is full until its reader has read.
void wait_until_writable([[maybe_unused]] int file) {
#if defined(__wasi__)  // Node's WASI does not poll pipes
  ::usleep(1000);
#else
  pollfd waiting{file, POLLOUT, 0};
  ::poll(&waiting, 1, -1);
#endif
}

}  // namespace

OutputFile::OutputFile(std::string path) : OutputFile(std::move(path), Existing::is_replaced) {}

OutputFile::OutputFile(std::string path, Existing existing) : name_(std::move(path)) {
  if (name_ == "-") {
    name_ = "standard output";
    file_ = STDOUT_FILENO;
  } else {
    open(name_, existing);
  }
}

OutputFile::~OutputFile() {
  if (owned_ && file_ >= 0) ::close(file_);
}

void OutputFile::open(const std::string& path, Existing existing) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && existing == Existing::stays) {
    error_ = EEXIST;
    return;
  }
  if (exists && !S_ISREG(status.st_mode)) {  // a device or pipe; opening a folder fails
    file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    owned_ = true;
    if (file_ < 0) error_ = errno;
    return;
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) {  // rename() does not check this
    error_ = errno;
    return;
  }
  temporary_ = std::make_unique<TemporaryFile>(path, existing);
  file_ = temporary_->descriptor();
  error_ = temporary_->error();
#if !defined(__wasi__)  // knows no permissions
  if (error_ == 0 && exists && ::fchmod(file_, status.st_mode & 07777) != 0) error_ = errno;
#endif
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferSize) flush();
  if (bytes.size() >= kBufferSize) {
    write_now(bytes);
  } else {
    buffer_.append(bytes);
  }
}

bool OutputFile::finish() {
  flush();
  if (error_ == 0 && temporary_ != nullptr) error_ = temporary_->move_into_place();
  if (error_ == 0 && owned_) {
    if (::close(file_) != 0) error_ = errno;
    file_ = -1;
  }
  if (error_ == 0) return true;
  if (error_ == EEXIST) {
    report_error(name_ + " is already there, and stays as it is: choose another name");
    return false;
  }
  report_system_error("write", name_, error_);
  return false;
}

void OutputFile::flush() {
  write_now(buffer_);
  buffer_.clear();
}

void OutputFile::write_now(std::string_view bytes) {
  while (error_ == 0 && !bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      wait_until_writable(file_);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

bool standard_output_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

bool OutputFile::is_terminal() const { return file_ >= 0 && ::isatty(file_) == 1; }

int OutputFile::columns(int otherwise) const {
#if defined(__wasi__)  // knows no terminal's size
  return otherwise;
#else
  struct winsize size {};
  if (!is_terminal() || ::ioctl(file_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return size.ws_col;
#endif
}

bool wants_color(const OutputFile& output) {
  const char* const no_color = std::getenv("NO_COLOR");  // https://no-color.org
  const char* const terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return output.is_terminal() && !refused && !dumb;
}

bool write_output(const std::string& path, std::string_view text) {
  OutputFile output(path);
  output.write(text);
  return output.finish();
}

}  // namespace loopsim::cli

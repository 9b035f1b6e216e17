#include "tools/loopsim/io/input_file.hpp"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kLargestInput = 64U << 20;  // bytes; guards against endless input such as /dev/zero

class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : file_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)), owned_(path != "-") {}
  ~InputFile() {
    if (owned_ && file_ >= 0) ::close(file_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  [[nodiscard]] ssize_t read(char* bytes, std::size_t size) const {
    while (true) {
      const ssize_t count = ::read(file_, bytes, size);
      if (count >= 0 || errno != EINTR) return count;
    }
  }

 private:
  int file_;
  bool owned_;
};

}  // namespace

bool read_pieces(const std::string& path, const std::function<bool(std::string_view)>& take) {
  const InputFile file(path);
  if (!file.is_open()) {
    report_system_error("read", input_name(path), errno);
    return false;
  }
  std::array<char, 64U << 10> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
  while (true) {
    const ssize_t count = file.read(chunk.data(), chunk.size());
    if (count < 0) {
      report_system_error("read", input_name(path), errno);
      return false;
    }
    if (count == 0) return true;
    if (!take({chunk.data(), static_cast<std::size_t>(count)})) return true;
  }
}

bool add_to_document(std::string& text, std::string_view piece, const std::string& path) {
  text.append(piece);
  if (text.size() <= kLargestInput) return true;
  report_error("could not read " + input_name(path) + ": it is larger than 64 MiB");
  return false;
}

std::optional<std::string> read_input(const std::string& path) {
  std::string text;
  if (const auto size = path == "-" ? std::nullopt : file_size(path); size && *size <= kLargestInput)
    text.reserve(static_cast<std::size_t>(*size));
  bool fits = true;
  const bool was_read = read_pieces(path, [&](std::string_view piece) {
    fits = add_to_document(text, piece, path);
    return fits;
  });
  if (!was_read || !fits) return std::nullopt;
  return text;
}

std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

bool overwrites_input(const std::string& input, const std::string& output) {
  if (input == "-" || output == "-") return false;
  if (!is_regular_file(input) || !is_same_file(input, output)) return false;
  report_error("the output would overwrite the input: " + output);
  return true;
}

}  // namespace loopsim::cli

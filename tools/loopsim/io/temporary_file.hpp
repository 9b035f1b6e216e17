// A file under a name of its own that later takes the place of another. It never stays behind: not on failure, and not when the
// program is interrupted.
#pragma once

#include <cstddef>
#include <string>

namespace loopsim::cli {

// What becomes of a file that has the name already.
enum class Existing { is_replaced, stays };

class TemporaryFile {
 public:
  // Makes a file in the folder of `target`, with the permissions that a new file gets.
  explicit TemporaryFile(const std::string& target, Existing existing = Existing::is_replaced);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] int descriptor() const { return file_; }
  [[nodiscard]] int error() const { return error_; }  // errno of making it, or 0

  // Brings the content to the disk and the file to its target's place. Returns errno, or 0; EEXIST when somebody else's file stays there.
  [[nodiscard]] int move_into_place();

 private:
  std::string target_;
  std::string path_;
  Existing existing_;
  int file_ = -1;
  int error_ = 0;
  bool exists_ = false;
};

}  // namespace loopsim::cli

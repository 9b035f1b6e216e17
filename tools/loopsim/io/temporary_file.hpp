// A temporary file that is later renamed to its target. Otherwise it is removed, also on failure and on SIGHUP, SIGINT,
// SIGTERM and SIGXCPU.
#pragma once

#include <cstddef>
#include <string>

namespace loopsim::cli {

// Treatment of an existing file at the target.
enum class Existing { is_replaced, stays };

class TemporaryFile {
 public:
  // Creates a file in the folder of `target`, with the default permissions of a new file.
  explicit TemporaryFile(const std::string& target, Existing existing = Existing::is_replaced);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] int descriptor() const { return file_; }
  [[nodiscard]] int error() const { return error_; }  // errno of the creation, or 0

  // Syncs the file to disk and renames it to the target. Returns errno, or 0; EEXIST with Existing::stays if the target
  // exists.
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

// Output to standard output or to a file; regular files are written failure-atomically.
#pragma once

#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "loopsim/trace.hpp"

#include "tools/loopsim/io/temporary_file.hpp"

namespace loopsim::cli {

// A regular file is written to a temporary file in the same folder, which finish() renames to its target; until then,
// and on any failure, the old file stays. Devices and pipes are written directly. The first error is kept, and finish()
// reports it.
class OutputFile final : public ByteOutput {
 public:
  explicit OutputFile(std::string path);  // "-" is standard output
  // With Existing::stays an existing file is never overwritten, not even one created in the meantime.
  OutputFile(std::string path, Existing existing);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes) override;
  void flush();  // the buffer, so that what is written to another place afterwards comes later

  // Flushes the buffer and moves the file into place. If that or an earlier step failed, reports the error and returns
  // false.
  [[nodiscard]] bool finish();

  [[nodiscard]] bool failed() const { return error_ != 0; }
  [[nodiscard]] bool name_was_taken() const { return error_ == EEXIST; }  // only with Existing::stays
  [[nodiscard]] bool is_terminal() const;
  [[nodiscard]] int columns(int otherwise) const;  // width of the terminal, or `otherwise`

 private:
  void open(const std::string& path, Existing existing);
  void write_now(std::string_view bytes);

  std::string name_;  // for messages
  int file_ = -1;
  bool owned_ = false;
  int error_ = 0;
  std::unique_ptr<TemporaryFile> temporary_;
  std::string buffer_;
};

[[nodiscard]] bool standard_output_is_terminal();

// Whether to use colours: on a terminal, unless NO_COLOR is set and not empty or TERM is "dumb".
[[nodiscard]] bool wants_color(const OutputFile& output);

// Writes a text to `path` ("-" is standard output). False if that failed; the error has been reported.
[[nodiscard]] bool write_output(const std::string& path, std::string_view text);

}  // namespace loopsim::cli

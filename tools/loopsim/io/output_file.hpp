// Where the program's output goes: standard output, or a file that is written whole or not at all.
#pragma once

#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "loopsim/trace.hpp"

#include "tools/loopsim/io/temporary_file.hpp"

namespace loopsim::cli {

// A regular file is written beside its place under another name, and takes its place in finish(): until then, and when anything
// fails, what was there before stays. Devices and pipes are written to directly. The first failure is kept and told by finish().
class OutputFile final : public ByteOutput {
 public:
  explicit OutputFile(std::string path);  // "-" is standard output
  // With Existing::stays nothing that has the name already is overwritten, also not what gets it meanwhile.
  OutputFile(std::string path, Existing existing);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes) override;

  // Writes what is left and puts the file in its place. When that, or anything before, failed: reports it and returns false.
  [[nodiscard]] bool finish();

  [[nodiscard]] bool failed() const { return error_ != 0; }
  [[nodiscard]] bool name_was_taken() const { return error_ == EEXIST; }  // and Existing::stays
  [[nodiscard]] bool is_terminal() const;
  [[nodiscard]] int columns(int otherwise) const;  // of the terminal

 private:
  void open(const std::string& path, Existing existing);
  void flush();
  void write_now(std::string_view bytes);

  std::string name_;  // for messages
  int file_ = -1;
  bool owned_ = false;
  int error_ = 0;
  std::unique_ptr<TemporaryFile> temporary_;
  std::string buffer_;
};

// Whether people are to see it in colours: on a terminal, unless NO_COLOR is set.
[[nodiscard]] bool wants_color(const OutputFile& output);

// Writes a text to `path` ("-" is standard output); false when that failed: then it has been reported.
[[nodiscard]] bool write_output(const std::string& path, std::string_view text);

}  // namespace loopsim::cli

// Files and folders beneath one folder: whatever path is asked for, nothing outside of it is opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim::cli {

struct RootedText {
  int error = 0;  // errno: EXDEV, the path leads out of the root; EFBIG, it is larger; EINVAL, it is no regular file
  std::string text = {};
};

struct RootedNames {
  int error = 0;  // the same; EFBIG: there are more names
  std::vector<std::string> names =
      {};  // in order; those of folders with "/" at the end. Of regular files and folders alone
};

class RootedFiles {
 public:
  enum class How : std::uint8_t {
    kernel,   // by openat2(), where the kernel has it
    by_walk,  // by openat() of each part
  };

  // Links: of `folder` itself they are followed unless told otherwise, below it as long as they stay there.
  enum class Links : std::uint8_t { followed, refused };

  explicit RootedFiles(const std::string& folder, Links links = Links::followed, How how = How::kernel);
  ~RootedFiles();
  RootedFiles(RootedFiles&& other) noexcept;
  RootedFiles& operator=(RootedFiles&&) = delete;

  [[nodiscard]] bool is_open() const { return root_ >= 0; }

  // `path`: relative, any bytes. A regular file: no device, pipe or socket is opened, and nothing of /proc or /sys.
  [[nodiscard]] RootedText read(std::string_view path, std::uint64_t most) const;
  [[nodiscard]] RootedNames list(std::string_view path, std::size_t most) const;
  // What stands in the way of one of the two: an error as above, or 0.
  [[nodiscard]] int look(std::string_view path) const;

 private:
  int root_;
  How how_;
};

}  // namespace loopsim::cli

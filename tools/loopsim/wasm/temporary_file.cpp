// In WebAssembly: there are no signals, and no number of the process for the name.
#include "tools/loopsim/io/temporary_file.hpp"

#include <cerrno>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {

TemporaryFile::TemporaryFile(const std::string& target, Existing existing) : target_(target), existing_(existing) {
  constexpr int kMostNames = 1000;
  for (int number = 0; number < kMostNames; ++number) {
    path_ = path_below(folder_of(target_), ".loopsim-" + std::to_string(number) + ".tmp");
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file_ >= 0) {
      exists_ = true;
      return;
    }
    if (errno != EEXIST) break;
  }
  error_ = errno;
}

TemporaryFile::~TemporaryFile() {
  if (file_ >= 0) ::close(file_);
  if (exists_) ::unlink(path_.c_str());
}

int TemporaryFile::move_into_place() {
  if (::close(std::exchange(file_, -1)) != 0) return errno;
  if (existing_ == Existing::stays) {
    if (exists(target_)) return EEXIST;
  }
  if (std::rename(path_.c_str(), target_.c_str()) != 0) return errno;
  exists_ = false;
  return 0;
}

}  // namespace loopsim::cli

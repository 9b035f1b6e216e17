// WebAssembly starts no other programs: who needs one finds none.
#include "tools/loopsim/io/child_program.hpp"

#include <cerrno>

namespace loopsim::cli {

std::vector<std::string> on_path(std::string_view /*program*/) { return {}; }

bool is_on_path(std::string_view /*program*/) { return false; }

int run_filter(std::span<const std::string> /*words*/, std::string_view /*input*/, std::string& /*output*/) {
  return ENOENT;
}

int start_program(std::span<const std::string> /*words*/) { return ENOENT; }

}  // namespace loopsim::cli

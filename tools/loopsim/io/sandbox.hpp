// Shuts this process in: whatever happens in it from then on, it opens no other files than it was given, starts no program
// and talks to nobody. By Linux's Landlock (files) and seccomp (calls), which need no rights; elsewhere there is neither.
#pragma once

#include <string>
#include <vector>

namespace loopsim::cli {

struct SandboxRules {
  std::vector<std::string> reads = {};   // files, and folders with all that is in them; what is not there is left out
  std::vector<std::string> writes = {};  // files and devices that are there, to be written to
  std::vector<std::string> makes = {};   // folders in which files are made, written, renamed and removed
  std::vector<std::string> runs =
      {};                // files and folders to read, and to run what is in them; none: nothing is started
  bool answers = false;  // connections that come to sockets which are open
};

struct Sandbox {
  bool guards_files = false, guards_calls = false;
  [[nodiscard]] bool is_whole() const { return guards_files && guards_calls; }
};

// For this thread, and for those and the processes that it starts: to be called while it is the only one. For good.
Sandbox shut_in(const SandboxRules& rules);

// Whether it is done where nobody asks for it: not in a build with sanitizers, which start programs and read /proc.
[[nodiscard]] bool is_sandbox_default();

}  // namespace loopsim::cli

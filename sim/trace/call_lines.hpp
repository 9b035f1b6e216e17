// The system calls of the runtime `io` as lines, as a tool like strace tells those of a real process (docs/io-models.md).
//
// Lines are in the order in which calls return. Whole rounds of calls in vain are one line with their number, wherever the run told
// them: rounds of a busy loop that were simulated in one step, and single calls before and behind them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

namespace loopsim {

// Of one process.
class CallLines {
 public:
  // The event and its text, in order; `name` is the event's, or empty.
  void take(const Event& event, std::string_view text, std::string_view name);
  void end();

  [[nodiscard]] const std::string& model() const { return model_; }
  // Those that no later event changes; the caller may clear them.
  [[nodiscard]] std::vector<std::string>& lines() { return lines_; }

 private:
  struct OpenCall {
    std::string arguments;
  };
  void returns(const Event& event, std::string_view result);
  void add_vain_reads(std::uint32_t first, std::uint64_t calls);
  void add_vain_wait(const std::string& line);
  void add(std::string line);
  void flush_vain();
  void flush_held();
  [[nodiscard]] std::string prefix(const Event& event) const;

  std::string model_;
  std::vector<std::string> lines_;
  std::vector<OpenCall> open_calls_;    // by thread
  std::vector<std::uint32_t> sockets_;  // of a busy loop: the open descriptors
  // Calls in vain that have not been told.
  std::uint32_t vain_first_ = 0;  // reads: the descriptor of the first
  std::string vain_wait_;         // or the line of a wait
  std::uint64_t vain_calls_ = 0;
  // io_uring_enter(): completions that are taken before the next one belong to its line.
  std::string enter_, completions_;
  std::vector<std::string> held_;  // behind it
};

}  // namespace loopsim

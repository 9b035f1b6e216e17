#include "tools/loopsim/line/notice.hpp"

#include <utility>

#include "tools/loopsim/line/message.hpp"

#if defined(__wasm__)

namespace loopsim::cli {
Notice::Notice(std::string /*text*/) {}
Notice::~Notice() = default;
}  // namespace loopsim::cli

#else

#include <chrono>
#include <ctime>
#include <system_error>

namespace loopsim::cli {

Notice::Notice(std::string text) {
  if (!standard_error_is_terminal()) return;
  const auto wait = [this, line = std::move(text), from = std::clock()] {
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, std::chrono::milliseconds(50), [this] { return is_over_; })) {
      if (std::clock() - from < CLOCKS_PER_SEC) continue;
      report_error(line);
      return;
    }
  };
  try {
    thread_ = std::thread(wait);
  } catch (const std::system_error&) {
    // no more threads: nothing is said
  }
}

Notice::~Notice() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  if (thread_.joinable()) thread_.join();
}

}  // namespace loopsim::cli

#endif

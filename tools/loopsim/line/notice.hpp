// Says on a terminal what takes long, once it has taken a second of CPU: for people who wait. Nothing else depends on that
// clock, and where standard error is no terminal, nothing is said: a file has the same bytes always.
#pragma once

#include <string>

#if !defined(__wasm__)  // has no threads
#include <condition_variable>
#include <mutex>
#include <thread>
#endif

namespace loopsim::cli {

class Notice {
 public:
  // `text`: a line without its end. What is said no more once this is destroyed.
  explicit Notice(std::string text);
  ~Notice();
  Notice(const Notice&) = delete;
  Notice& operator=(const Notice&) = delete;

#if !defined(__wasm__)
 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
#endif
};

}  // namespace loopsim::cli

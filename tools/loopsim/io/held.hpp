// A lock, and who holds it: nothing in WebAssembly, which has no threads.
#pragma once

#if !defined(__wasm__)
#include <mutex>
#endif

namespace loopsim::cli {

#if defined(__wasm__)
struct Mutex {};
struct Held {
  explicit Held(const Mutex& /*mutex*/) {}
};
#else
using Mutex = std::mutex;
using Held = std::lock_guard<std::mutex>;
#endif

}  // namespace loopsim::cli

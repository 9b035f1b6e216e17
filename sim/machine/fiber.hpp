// A function with its own stack that can be suspended and resumed (coroutine), so that several loops share one thread.
//
// Uses POSIX ucontext, and notifies the sanitizers and the C++ runtime of stack switches. Not used with a single loop.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

namespace loopsim {

class Fiber {
 public:
  // False where stacks cannot be switched (WebAssembly).
  [[nodiscard]] static bool is_supported();

  // The default size of a thread's stack. Only used pages take memory.
  static constexpr std::size_t kStackSize = std::size_t{8} << 20U;

  // Throws std::bad_alloc if there is no memory for a stack. Calls std::abort() if not supported.
  explicit Fiber(std::function<void()> function, std::size_t stack_size = kStackSize);
  // The function must have ended, or never have been started.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs the function until it calls leave() or ends. Returns the exception that ended it, or null. Throws
  // std::logic_error if is_done().
  [[nodiscard]] std::exception_ptr resume();
  // Called by the function: suspends it. resume() returns, and the next resume() continues here.
  void leave();
  [[nodiscard]] bool is_done() const { return is_done_; }

 private:
  struct Stack;
  static void enter(unsigned high, unsigned low);
  void run();

  std::function<void()> function_;
  std::unique_ptr<Stack> stack_;
  std::exception_ptr exception_;
  bool is_done_ = false;
};

}  // namespace loopsim

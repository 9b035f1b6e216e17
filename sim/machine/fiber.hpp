// A function with a stack of its own, which can be left in its midst and gone on with later: what lets several loops share one thread.
//
// POSIX (ucontext), and what the sanitizers and the C++ runtime want to know of a change of stacks. Nothing of it is used while there is
// one loop.
#pragma once

#include <exception>
#include <functional>
#include <memory>

namespace loopsim {

class Fiber {
 public:
  // Where stacks cannot be changed (WebAssembly), no fiber can be made.
  [[nodiscard]] static bool is_supported();

  // Throws std::bad_alloc when there is no memory for a stack. Where it is not supported, the program ends.
  explicit Fiber(std::function<void()> function);
  // It must have ended, or never begun.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs the function until it leaves or ends. Returns the exception that has ended it, or null.
  [[nodiscard]] std::exception_ptr resume();
  // Called by the function: resume() returns, and the next one goes on here.
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

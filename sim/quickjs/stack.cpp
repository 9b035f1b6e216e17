#include "sim/quickjs/stack.hpp"

#include <cstddef>
#include <exception>

#include "sim/machine/fiber.hpp"

namespace loopsim::quickjs {

namespace {

// QuickJS bounds its own stack, which is in its memory; the functions of C that wasm2c makes of its own need many times as much
// here (JSON.parse() of a deep text: some hundred bytes a level). Only used pages take memory.
constexpr std::size_t kStackOfAWorld = std::size_t{512} << 20U;

}  // namespace

void with_stack_of_a_world(const std::function<void()>& function) {
  if (!Fiber::is_supported()) {
    function();
    return;
  }
  Fiber fiber(function, kStackOfAWorld);
  if (const std::exception_ptr thrown = fiber.resume()) std::rethrow_exception(thrown);
}

}  // namespace loopsim::quickjs

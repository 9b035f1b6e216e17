// The stack that a world runs on.
#pragma once

#include <functional>

namespace loopsim::quickjs {

// Calls the function on a stack that is large enough for a world; in WebAssembly on the caller's, which is the host's to choose.
void with_stack_of_a_world(const std::function<void()>& function);

}  // namespace loopsim::quickjs

#pragma once

#include <memory>

#include "loopsim/explain.hpp"

namespace loopsim {

// Explains a run of the runtime `io`: in place of callbacks, the messages, numbered in the order in which they arrived. A message
// begins when the process has its last byte.
[[nodiscard]] std::unique_ptr<Explainer> make_io_explainer(Language language);

}  // namespace loopsim

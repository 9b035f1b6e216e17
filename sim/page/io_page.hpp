#pragma once

#include <memory>

#include "loopsim/writers.hpp"

namespace loopsim {

// The page of a run of the runtime `io`: the drawing of all of it, the system calls, and the document. It has no script.
[[nodiscard]] std::unique_ptr<TraceSink> make_io_page(ByteOutput& output, const HtmlOptions& options);

}  // namespace loopsim

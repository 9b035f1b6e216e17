#pragma once

#include <memory>

#include "loopsim/writers.hpp"

namespace loopsim {

// The drawing of a run of the runtime `io`: of each process two columns, application and kernel; time goes downwards.
[[nodiscard]] std::unique_ptr<TraceSink> make_svg_columns(ByteOutput& output, const SvgOptions& options);

}  // namespace loopsim

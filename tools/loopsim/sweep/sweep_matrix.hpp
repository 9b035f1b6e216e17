// The run matrix of a sweep, as it is shown before it starts.
#pragma once

#include <string>

#include "loopsim/study.hpp"

namespace loopsim::cli {

[[nodiscard]] std::string matrix_text(const Study& study, Shard shard);

}  // namespace loopsim::cli

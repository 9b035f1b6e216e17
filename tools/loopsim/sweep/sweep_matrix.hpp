// The run matrix of a sweep, printed by --dry-run and, on a terminal, before the first run.
#pragma once

#include <string>

#include "loopsim/study.hpp"

namespace loopsim::cli {

[[nodiscard]] std::string matrix_text(const Study& study, Shard shard);

}  // namespace loopsim::cli

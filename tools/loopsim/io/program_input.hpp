// What the command line gives a program in JavaScript: --env, --stdin, --stub, and the arguments behind --.
#pragma once

#include <optional>
#include <vector>

#include "loopsim/scenario.hpp"
#include "loopsim/study.hpp"

#include "tools/loopsim/line/options.hpp"

namespace loopsim::cli {

class Arguments;

// As settings of the places in the document that they stand for: /env/NAME, /stdin, /stubs/NAME and /arguments. Nothing,
// after reporting the error, if one of them is wrong or FILE of --stdin cannot be read.
[[nodiscard]] std::optional<Settings> read_program_options(const Arguments& arguments);

// read_options() with them: --set is laid over what they say.
[[nodiscard]] std::optional<ReadOptions> read_run_options(const Arguments& arguments,
                                                          std::vector<Dimension>* varied = nullptr);

// True if one of them is given.
[[nodiscard]] bool has_program_options(const Arguments& arguments);

}  // namespace loopsim::cli

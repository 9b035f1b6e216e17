// Mutations of programs in JavaScript (program_writer.hpp) that mostly leave something that can be run: whole lines, and
// words within them.
#pragma once

#include <string>
#include <string_view>

namespace loopsim::fuzz {

// Changes a program at a few places. Deterministic per seed.
[[nodiscard]] std::string mutate_program(std::string_view program, unsigned seed);

// Puts some lines of the second program into the first.
[[nodiscard]] std::string cross_programs(std::string_view first, std::string_view second, unsigned seed);

}  // namespace loopsim::fuzz

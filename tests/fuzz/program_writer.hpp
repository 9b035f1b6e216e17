// Programs in JavaScript composed of small pieces that call the event loop: a table of texts with holes, and every choice
// drawn from bytes. They may be wrong in any way: what they throw, forget or never end is the point.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/language.hpp"

namespace loopsim::fuzz {

// Begins the first line of a program that says what stands around it: a version, a machine, a seed, inputs, limits, as
// in a scenario.
inline constexpr std::string_view kAround = "//! ";

// A line with what stands around a program, and its end of line.
[[nodiscard]] std::string around_text_of(Choices& choices);
// A statement, on one line.
[[nodiscard]] std::string statement_of(Choices& choices);
// An expression of any kind.
[[nodiscard]] std::string value_of(Choices& choices);

// The program for these bytes: what stands around it, names that its statements know, and statements, one on each line.
[[nodiscard]] std::string program_text_of(std::span<const std::uint8_t> bytes);

// Any text as a scenario whose script it is, with files to read and modules to load.
[[nodiscard]] std::string scenario_with(std::string_view program);

}  // namespace loopsim::fuzz

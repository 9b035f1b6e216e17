// All targets, for a program that links all of them: CMake renames LLVMFuzzerTestOneInput in each.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
int fuzz_reader(const std::uint8_t* data, std::size_t size);
int fuzz_compiler(const std::uint8_t* data, std::size_t size);
int fuzz_run(const std::uint8_t* data, std::size_t size);
int fuzz_trace(const std::uint8_t* data, std::size_t size);
int fuzz_grammar(const std::uint8_t* data, std::size_t size);
int fuzz_javascript(const std::uint8_t* data, std::size_t size);
int fuzz_bindings(const std::uint8_t* data, std::size_t size);  // where there is an engine
}

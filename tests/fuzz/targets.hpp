// The targets by name, for a program that has all of them: each is compiled with its own name in place of LLVMFuzzerTestOneInput.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
int fuzz_reader(const std::uint8_t* data, std::size_t size);
int fuzz_compiler(const std::uint8_t* data, std::size_t size);
int fuzz_run(const std::uint8_t* data, std::size_t size);
int fuzz_trace(const std::uint8_t* data, std::size_t size);
int fuzz_grammar(const std::uint8_t* data, std::size_t size);
}

// Mutations that keep a scenario a JSON document, and usually a scenario: libFuzzer's changes of bytes seldom get past
// the parser. Verbs, options and their kinds come from verb_table(), so a new verb is covered at once; some steps are
// generated from the grammar (writer.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loopsim::fuzz {

// Changes a scenario at a few places; bytes that are no JSON give a scenario from the grammar. Deterministic per seed.
[[nodiscard]] std::string mutate(std::string_view bytes, unsigned seed);

// Puts a piece of the second document into the first.
[[nodiscard]] std::string cross(std::string_view first, std::string_view second, unsigned seed);

// Copies `bytes` to libFuzzer's buffer of `most` bytes and returns the new size. If they do not fit, the buffer and
// `size` stay unchanged.
[[nodiscard]] std::size_t put(const std::string& bytes, std::uint8_t* data, std::size_t size, std::size_t most);

}  // namespace loopsim::fuzz

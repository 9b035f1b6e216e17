// Mutations of a scenario that keep it a JSON document, and mostly a scenario: what libFuzzer changes byte by byte seldom gets past the
// parser. Verbs, options and their kinds come from verb_table(), so that a new verb is tried from the day it is in there; some steps
// are written from the grammar (writer.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loopsim::fuzz {

// A scenario changed at a few places. `bytes` that are no JSON give a scenario from the grammar. The same seed gives the same bytes.
[[nodiscard]] std::string mutate(std::string_view bytes, unsigned seed);

// The first document with a piece of the second in it.
[[nodiscard]] std::string cross(std::string_view first, std::string_view second, unsigned seed);

// Copies what fits into libFuzzer's buffer; what does not fit is left as it was.
[[nodiscard]] std::size_t put(const std::string& bytes, std::uint8_t* data, std::size_t size, std::size_t most);

}  // namespace loopsim::fuzz

// The sentence about what was folded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "loopsim/language.hpp"

#include "sim/trace/folder.hpp"
#include "sim/trace/text_words.hpp"

namespace loopsim {

// "⋯ 998 more like this: again (nextTick), 1.000 to 999.000", with styles (loopsim/trace_text.hpp).
[[nodiscard]] std::string fold_words(const Fold& fold, const Labels& labels);

// What ticks and microtasks that follow each other do to the loop; empty for others.
[[nodiscard]] std::string_view standstill_words(const Fold& fold, Language language);

// The phase in which a repetition happens, as far as one can be named.
[[nodiscard]] Phase phase_of(const Fold& fold);

// A count for reading: "99,997".
[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace loopsim

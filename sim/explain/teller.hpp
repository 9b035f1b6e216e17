// Builds the sentences about a callback from the facts.
#pragma once

#include "loopsim/explain.hpp"

#include "sim/explain/history.hpp"
#include "sim/explain/rules.hpp"

namespace loopsim {

// The explanation without sentences.
[[nodiscard]] Explanation outline_callback(const History& history, std::uint64_t callback);

// The sentences are in the order of ExplanationPart; `history` must know the callback.
[[nodiscard]] Explanation report_callback(const History& history, const RuleNumbers& rules, std::uint64_t callback);

}  // namespace loopsim

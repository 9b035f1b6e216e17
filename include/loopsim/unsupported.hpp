// What the scenario language has no word for, and the nearest that it has: for messages, `loopsim list unsupported`, and
// docs/unsupported.md.
#pragma once

#include <span>
#include <string_view>

namespace loopsim {

// All texts are static. `name` is a noun phrase ("HTTP"), `instead` a sentence without its full stop, in lower case.
struct UnsupportedFeature {
  std::string_view name;
  std::span<const std::string_view> words;  // that people write for it in a scenario: JavaScript's and Node's
  std::string_view instead;
};

[[nodiscard]] std::span<const UnsupportedFeature> unsupported_features();

// The feature with this word ("fetch"), its case ignored; nullptr: none.
[[nodiscard]] const UnsupportedFeature* find_unsupported(std::string_view word);

}  // namespace loopsim

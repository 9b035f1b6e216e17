// Known differences from real Node, and limits of fidelity: the table behind the warnings, `loopsim list differences`
// and docs/fidelity.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "loopsim/diagnostic.hpp"
#include "loopsim/scenario.hpp"

namespace loopsim {

struct KnownDifference {
  enum class Kind : std::uint8_t {
    different,  // real Node behaves differently
    chance,     // runs of the same real binary differ from each other
    unproven,   // follows from the rules, but was not compared with real Node
    outside,    // cannot be expressed in the scenario language
  };
  std::string_view id;  // its heading in docs/fidelity.md, and tools/conformance/differences/ID.json if `warns`
  Kind kind = Kind::different;
  int first_major = 0, last_major = 0;  // affected versions of Node; 0, 0: all
  std::string_view what;                // one sentence without a final stop
  bool warns = false;                   // can be detected in a scenario's text
};

[[nodiscard]] std::span<const KnownDifference> known_differences();
[[nodiscard]] std::string_view to_string(KnownDifference::Kind kind);

// One warning for every place in the scenario affected under its runtime, in document order; at most 100.
[[nodiscard]] Diagnostics warnings_of(const Scenario& scenario);

}  // namespace loopsim

// What the simulator is known to do differently from real Node, or cannot promise: one table, which warnings, `loopsim list
// differences` and docs/fidelity.md are made from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "loopsim/diagnostic.hpp"
#include "loopsim/scenario.hpp"

namespace loopsim {

struct KnownDifference {
  enum class Kind : std::uint8_t {
    different,  // real Node does something else
    chance,     // runs of one real binary differ among themselves
    unproven,   // follows from the rules, but is not compared with real Node
    outside,    // cannot be said in the scenario language
  };
  std::string_view id;  // its heading on docs/fidelity.md, and tools/conformance/differences/ID.json when `warns`
  Kind kind = Kind::different;
  int first_major = 0, last_major = 0;  // the versions of Node that it concerns; 0, 0: all of them
  std::string_view what;                // a sentence without a final stop
  bool warns = false;                   // a scenario's text shows whether it is concerned
};

[[nodiscard]] std::span<const KnownDifference> known_differences();
[[nodiscard]] std::string_view to_string(KnownDifference::Kind kind);

// One warning for every place of the scenario that uses one of them under its runtime, in the order of the document; a hundred at most.
[[nodiscard]] Diagnostics warnings_of(const Scenario& scenario);

}  // namespace loopsim

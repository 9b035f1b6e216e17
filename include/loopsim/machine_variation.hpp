// What varies on a real machine where a document leaves it open. Sources of the figures: docs/machine-presets.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loopsim/scenario.hpp"

namespace loopsim {

// The preset with whose figures is filled what a document leaves open; but for `startup`, which depends on the version
// of Node more than on the machine, and is that of the version.
inline constexpr std::string_view kVariedMachine = "laptop";

// True if the document leaves something open.
[[nodiscard]] bool leaves_machine_open(const MachineGiven& given);

// The machine with all that the document leaves open as on `laptop`, for Node `major`.
[[nodiscard]] MachineSpec varied_machine(const MachineSpec& machine, const MachineGiven& given, int major);

// What a document may leave open, and its value there as JSON.
struct MachineUncertainty {
  std::string_view key;  // of `machine`, or of its `overhead`
  bool is_overhead = false;
  std::string value;
  bool MachineGiven::*given = nullptr;
};
// All of them, for Node `major`.
[[nodiscard]] std::vector<MachineUncertainty> machine_uncertainties(int major);
// Only of a page in a browser: which of its ready tasks is next is drawn.
[[nodiscard]] MachineUncertainty task_uncertainty();

}  // namespace loopsim

// The options of the machine: --machine, --load, --cores and --threads, short for places in the document.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "loopsim/study.hpp"

#include "tools/loopsim/line/command.hpp"
#include "tools/loopsim/line/options.hpp"

namespace loopsim::cli {

inline constexpr std::array kMachineOptions = {
    Option{"machine", 0, "MACHINE", false,
           "the machine, instead of the scenario's own: a name (loopsim list machines) or a JSON object. What the next "
           "three and --set say of it is laid over it"},
    Option{"load", 0, "SHARE", false,
           "how busy other programs keep its cores: the share of the time, from 0 to 1, or a JSON object"},
    Option{"cores", 0, "N", false, "its cores"},
    Option{"threads", 0, "N", false, "threads of Node's pool, as UV_THREADPOOL_SIZE"},
};

// For commands that run a scenario with one value after another.
inline constexpr std::array kVariedMachineOptions = {
    Option{"machine", 0, "MACHINE", false,
           "the machine, instead of the scenario's own: a name (loopsim list machines) or a JSON object. What the next "
           "three and --set say of it is laid over it. All four take a RANGE as well, as --vary does"},
    Option{"load", 0, "SHARE", false,
           "how busy other programs keep its cores: the share of the time, from 0 to 1, a JSON object, or a RANGE: "
           "0:0.9:0.1"},
    Option{"cores", 0, "N", false, "its cores, or a RANGE: 1,2,4"},
    Option{"threads", 0, "N", false, "threads of Node's pool, as UV_THREADPOOL_SIZE, or a RANGE: 1:16:1"},
};

// For commands that compare two runs.
inline constexpr std::array kMachineOptionsOfSides = {
    Option{"machine", 0, "MACHINE", true,
           "the machine, instead of the scenario's own: a name (loopsim list machines) or a JSON object. What the next "
           "three and --set say of it is laid over it. All four: one for both sides, or two for one each"},
    Option{"load", 0, "SHARE", true,
           "how busy other programs keep its cores: the share of the time, from 0 to 1, or a JSON object"},
    Option{"cores", 0, "N", true, "its cores"},
    Option{"threads", 0, "N", true, "threads of Node's pool, as UV_THREADPOOL_SIZE"},
};

// Places and values of these options, as for --set: the machine first.
struct MachineChoice {
  Settings fixed;
  std::vector<Dimension> varied;  // those with several values
};

// Nothing, after reporting the error, if a value is wrong, is a range where there can be none, or is also given by
// --set or --vary.
[[nodiscard]] std::optional<MachineChoice> read_machine_options(const Arguments& arguments, bool takes_ranges);

// The same for two sides, of which each has a value of its own where an option is given twice.
[[nodiscard]] std::optional<std::array<Settings, 2>> read_machine_sides(const Arguments& arguments);

// The place that such an option stands for; empty: it is another option.
[[nodiscard]] std::string_view place_of_machine_option(std::string_view option);

// True if one of these options is given, or given twice.
[[nodiscard]] bool has_machine_options(const Arguments& arguments);
[[nodiscard]] bool differs_by_machine(const Arguments& arguments);

}  // namespace loopsim::cli

// Sends the events of a file to sinks: a scenario is run, a trace is read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "loopsim/races.hpp"
#include "loopsim/trace.hpp"

namespace loopsim::cli {

class Arguments;

// Whether the first key is "loopsim_trace" (the trace version) or the file name ends in .jsonl.
[[nodiscard]] bool looks_like_trace(std::string_view beginning, const std::string& path);

// Plays the file to the sinks; a trace is read in pieces. A scenario is run with --runtime, --set and --seed, and its
// warnings are reported unless --no-warnings is given. `races`, if not null, gets those of a scenario before the run; a
// trace does not tell them. Empty if the file cannot be played; the error has been reported.
[[nodiscard]] std::optional<RunSummary> play_file(const Arguments& arguments, const std::string& path,
                                                  std::span<TraceSink* const> sinks, RacesResult* races = nullptr);

}  // namespace loopsim::cli

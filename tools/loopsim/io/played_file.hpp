// A file that is a scenario, which is run, or a trace, which is read: what looks at events need not know which.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "loopsim/trace.hpp"

namespace loopsim::cli {

class Arguments;

// A trace begins with its version; and what is called .jsonl is meant to be one, whatever it begins with.
[[nodiscard]] bool looks_like_trace(std::string_view beginning, const std::string& path);

// Plays the file to the sinks, piece by piece; a scenario is run as --runtime, --set and --seed say, and its warnings are told unless
// --no-warnings is among the arguments. Nothing when it cannot be played: then that has been reported.
[[nodiscard]] std::optional<RunSummary> play_file(const Arguments& arguments, const std::string& path,
                                                  std::span<TraceSink* const> sinks);

}  // namespace loopsim::cli

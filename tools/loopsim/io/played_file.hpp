// Sends the events of a file to sinks: a scenario is run, a trace is read.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "loopsim/races.hpp"
#include "loopsim/trace.hpp"

namespace loopsim::cli {

class Arguments;

// Whether it begins as a trace does, as JSON lines or in the compact form, or the file name ends in .jsonl.
[[nodiscard]] bool looks_like_trace(std::string_view beginning, const std::string& path);

// As read_pieces(), but a trace that is compressed by zstd, which is known by how it begins, is decompressed on the way; and the first
// piece is as long as looks_like_trace() needs it, if the file is. False if it cannot be read; the error has been reported.
[[nodiscard]] bool read_trace_or_document(const std::string& path, const std::function<bool(std::string_view)>& take);

// Plays a trace to the sinks, and nothing else. False if it cannot be read; the error has been reported.
[[nodiscard]] bool play_trace(const std::string& path, std::span<TraceSink* const> sinks);

// Plays the file to the sinks; a trace is read in pieces. A scenario is run with --runtime, --set and --seed, and its
// warnings are reported unless --no-warnings is given. `races`, if not null, gets those of a scenario before the run; a
// trace does not tell them. Empty if the file cannot be played; the error has been reported.
[[nodiscard]] std::optional<RunSummary> play_file(const Arguments& arguments, const std::string& path,
                                                  std::span<TraceSink* const> sinks, RacesResult* races = nullptr);

}  // namespace loopsim::cli

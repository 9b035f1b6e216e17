// Where a run's trace goes, and in which formats: several at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim::cli {

class Arguments;

enum class TraceFormat { text, jsonl, csv, perfetto, svg, html, none };

// What the options --format and --also allow, in the order of TraceFormat.
inline constexpr std::string_view kTraceFormats = "text|jsonl|csv|perfetto|svg|html|none[=FILE]";

// One trace to be written.
struct TraceTarget {
  TraceFormat format = TraceFormat::text;
  std::string path = "-";  // "-" is standard output
};

// What --format, --also and --output say; the first target is the main one. Nothing when they make no sense together or
// name a place twice: then that has been reported.
[[nodiscard]] std::optional<std::vector<TraceTarget>> read_targets(const Arguments& arguments);

}  // namespace loopsim::cli

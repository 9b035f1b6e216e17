// Output files and formats of a run's trace; several at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim::cli {

class Arguments;

enum class TraceFormat { text, jsonl, compact, csv, perfetto, pftrace, svg, png, pdf, html, console, calls, none };

// Allowed words of --format and --also, in the order of TraceFormat.
inline constexpr std::string_view kTraceFormats =
    "text|jsonl|compact|csv|perfetto|pftrace|svg|png|pdf|html|console|calls|none[=FILE]";

// A trace output.
struct TraceTarget {
  TraceFormat format = TraceFormat::text;
  std::string path = "-";  // "-" is standard output
};

// Targets from --format, --also and --output; the first is the main one. Nothing, after reporting the error, when the
// options contradict each other or name a place twice.
[[nodiscard]] std::optional<std::vector<TraceTarget>> read_targets(const Arguments& arguments);

}  // namespace loopsim::cli

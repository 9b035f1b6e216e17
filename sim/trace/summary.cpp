// The summary of a run: one line, the same wherever it is printed.

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "loopsim/time_text.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {

std::span<const CallbackNote> notes_on(std::span<const CallbackNote> notes, std::uint64_t id) {
  const auto first = std::ranges::lower_bound(notes, id, {}, &CallbackNote::id);
  const auto last = std::ranges::upper_bound(notes, id, {}, &CallbackNote::id);
  return {first, last};
}
namespace {

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// How the run ended.
std::string ending(const RunSummary& summary) {
  if (summary.limit != LimitKind::none) return fmt::format("stopped by the limit of {}", to_string(summary.limit));
  return fmt::format("exit code {}", summary.exit_code);
}

// The share of the run that the loop spent in poll, in tenths of a percent, rounded.
TimeNs idle_share(const RunSummary& summary) {
  if (summary.end_time <= 0) return 0;
  const TimeNs unit = summary.end_time < kNever / 2000 ? 1 : 2000;  // so that the product fits
  const TimeNs whole = summary.end_time / unit;
  return (summary.poll_time / unit * 1000 + whole / 2) / whole;
}

}  // namespace

std::string format_summary(const RunSummary& summary, const HashSink* hash) {
  const TimeNs idle = idle_share(summary);
  std::string text =
      fmt::format("{} at {} ms · {}, {} · idle {}.{} %", ending(summary), ms_text(summary.end_time),
                  counted(summary.turns, "turn"), counted(summary.callbacks, "callback"), idle / 10, idle % 10);
  if (hash != nullptr) text += " · trace " + format_hash(hash->hash());
  return text;
}

}  // namespace loopsim

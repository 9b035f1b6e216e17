// The summary of a run: one line, the same wherever it is printed.

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "loopsim/time_text.hpp"
#include "loopsim/words.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {

std::span<const CallbackNote> notes_on(std::span<const CallbackNote> notes, std::uint64_t id) {
  const auto first = std::ranges::lower_bound(notes, id, {}, &CallbackNote::id);
  const auto last = std::ranges::upper_bound(notes, id, {}, &CallbackNote::id);
  return {first, last};
}
namespace {

// How the run ended.
std::string ending(const RunSummary& summary, Language language) {
  if (summary.limit != LimitKind::none) return say(language, Word::stopped_by_limit, {to_string(summary.limit)});
  return say(language, Word::exit_code, {fmt::format("{}", summary.exit_code)});
}

// The share of the run that the loop spent in poll, in tenths of a percent, rounded.
TimeNs idle_share(const RunSummary& summary) {
  if (summary.end_time <= 0) return 0;
  const TimeNs unit = summary.end_time < kNever / 2000 ? 1 : 2000;  // so that the product fits
  const TimeNs whole = summary.end_time / unit;
  return (summary.poll_time / unit * 1000 + whole / 2) / whole;
}

}  // namespace

std::string format_summary(const RunSummary& summary, const HashSink* hash, Language language) {
  const TimeNs idle = idle_share(summary);
  std::string text = say(language, Word::summary,
                         {ending(summary, language), ms_text(summary.end_time), fmt::format("{}", summary.turns),
                          fmt::format("{}", summary.callbacks), fmt::format("{}.{}", idle / 10, idle % 10)});
  if (hash != nullptr) text += say(language, Word::summary_hash, {format_hash(hash->hash())});
  return text;
}

}  // namespace loopsim

#include "sim/trace/fold_words.hpp"

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"

namespace loopsim {
namespace {

std::string words_of(const Event& event, std::string_view text, const Labels& labels) {
  switch (event.kind) {
    case EventKind::callback_begin: return callback_words(event, text, labels);
    case EventKind::schedule: {
      const std::string name = labels.is_named(event) ? " → " + styled(Style::made, labels.name_of(event)) : "";
      return std::string(to_string(event.api)) + name;
    }
    case EventKind::log:
    case EventKind::error_log: return "│ " + printable(text);
    default: {
      std::string kind(to_string(event.kind));
      for (char& c : kind) c = c == '_' ? ' ' : c;
      return kind;
    }
  }
}

std::string what_words(const Fold& fold, const Labels& labels) {
  const Language language = labels.language();
  std::string words;
  for (const auto& [event, text] : fold.what) {
    const std::string one = words_of(event, text, labels);
    words = words.empty() ? one : say(language, Word::and_, {words, one});
  }
  return fold.more == 0 ? words : say(language, Word::and_more, {words, fmt::format("{}", fold.more)});
}

// "1.000 to 999.000", or one of the two.
std::string range_words(Language language, TimeNs from, TimeNs to) {
  return from == to ? ms_text(from) : say(language, Word::fold_range, {ms_text(from), ms_text(to)});
}

std::string alike_words(const Fold& fold, const Labels& labels) {
  const Language language = labels.language();
  const std::string count = grouped(fold.count);
  const std::string what = what_words(fold, labels);
  if (fold.turns > 1) return say(language, Word::fold_turns, {count, what, fmt::format("{}", fold.turns)});
  if (fold.turns == 1) return say(language, Word::fold_turn, {count, what});
  if (fold.callbacks > 1) return say(language, Word::fold_several, {count, what, fmt::format("{}", fold.callbacks)});
  return say(language, Word::fold_one, {count, what});
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, ",");
  return text;
}

std::string fold_words(const Fold& fold, const Labels& labels) {
  const Language language = labels.language();
  std::string words = "⋯ " + alike_words(fold, labels);
  const auto add = [&](const std::string& clause) { words = say(language, Word::and_, {words, clause}); };
  const bool is_moment = fold.first.time == fold.last.time;
  add(say(language, is_moment ? Word::fold_at : Word::fold_between,
          {ms_text(fold.first.time), ms_text(fold.last.time)}));
  if (fold.callbacks == 0 && fold.most_due >= 0) {
    const bool is_one = fold.least_due == fold.most_due;
    add(say(language, is_one ? Word::due_at : Word::fold_due_between,
            {ms_text(fold.least_due), ms_text(fold.most_due)}));
  }
  if (fold.most_late > 0) {
    const std::string late = range_words(language, fold.least_late, fold.most_late);
    add(styled(Style::late, say(language, Word::short_late_for, {late})));
  }
  if (fold.lines > 0) add(say(language, Word::fold_lines, {grouped(fold.lines)}));
  if (fold.exceptions > 0) add(styled(Style::error, say(language, Word::fold_exceptions, {grouped(fold.exceptions)})));
  return words;
}

std::string_view standstill_words(const Fold& fold, Language language) {
  return fold.is_in_drain ? template_of(language, Word::fold_standstill) : std::string_view();
}

Phase phase_of(const Fold& fold) {
  const bool is_told_by_callback = fold.turns > 0 && fold.what.front().first.kind == EventKind::callback_begin;
  return is_told_by_callback ? fold.what.front().first.phase : fold.first.phase;
}

}  // namespace loopsim

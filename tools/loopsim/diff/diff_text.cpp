// The text report: the sides, the first difference and its reason, and all rows side by side.

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/time_text.hpp"
#include "loopsim/version.hpp"

#include "tools/loopsim/diff/diff_report.hpp"
#include "tools/loopsim/io/input_file.hpp"

namespace loopsim::cli {
namespace {

using Mark = AlignedRow::Mark;

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

// Pads with spaces or cuts to `width` columns; a cut text ends in "…".
std::string fit(std::string_view text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  if (columns <= width) return std::string(text) + std::string(width - columns, ' ');
  std::string cut;
  std::size_t used = 0;
  for (const char c : text) {
    if (begins_character(c) && used++ + 1 == width) break;
    cut += c;
  }
  return cut + "…";
}

class Report {
 public:
  Report(RowMaker& rows, const ReportOptions& options) : rows_(rows), options_(options) {}

  std::string tell(const Finding& finding) {
    report_sides(finding);
    text_ += "\n";
    report_verdict(finding);
    if (finding.difference) {
      report_first(finding);
      report_reason(finding);
      report_rows(finding);
    }
    return std::move(text_);
  }

  std::string tell(const Study& study) {
    paragraph("", fmt::format("{}{} in {} versions of Node: {}", input_name(study.path),
                              study.title.empty() ? "" : " (" + study.title + ")", study.sides.size(),
                              study.groups.size() == 1 ? "the same outcome in all of them"
                                                       : std::to_string(study.groups.size()) + " outcomes"));
    text_ += "\n";
    std::size_t width = 0;
    for (const Group& group : study.groups) width = std::max(width, spell_versions(study, group.sides).size());
    width = std::min(width, static_cast<std::size_t>(options_.width) / 2);
    const std::size_t row = first_difference_of(study);
    for (const Group& group : study.groups) {
      const std::string versions = spell_versions(study, group.sides);
      const std::string indent(width + 4, ' ');
      text_ += "  " + styled(kBold, versions);
      text_ += versions.size() > width ? "\n" + indent : std::string(width - versions.size() + 2, ' ');
      if (!group.error.empty()) {
        text_ += "cannot be run: " + group.error + "\n";
        continue;
      }
      const Side& side = study.sides[group.sides.front()];
      text_ += outcome_words(side) + "\n";
      if (row == kNoRow) continue;
      const Event* const event = row < side.rows.size() ? &side.trace.events[side.rows[row].event] : nullptr;
      paragraph(indent, fmt::format("row {}: {}", row + 1,
                                    event == nullptr ? std::string("none")
                                                     : fmt::format("{} at {}", row_words(side.trace, *event),
                                                                   ms_text(event->time))));
    }
    for (const Finding& step : study.steps) {
      text_ += "\n" + styled(kBold, fmt::format("From {} to {}", step.a->name, step.b->name)) + "\n";
      if (step.difference) {
        report_first(step);
        report_reason(step);
      } else {
        report_verdict(step);
      }
    }
    return std::move(text_);
  }

 private:
  // Index of the first row that is not the same in all versions; kNoRow: there is none.
  [[nodiscard]] static std::size_t first_difference_of(const Study& study) {
    std::size_t first = kNoRow;
    const Side* known = nullptr;
    for (const Group& group : study.groups) {
      if (!group.error.empty()) continue;
      const Side& side = study.sides[group.sides.front()];
      if (known != nullptr) first = std::min(first, first_difference(known->rows, side.rows).value_or(kNoRow));
      if (known == nullptr) known = &side;
    }
    return first;
  }

  [[nodiscard]] std::string styled(std::string_view style, std::string_view text) const {
    if (!options_.color || text.empty()) return std::string(text);
    return std::string(style) + std::string(text) + "\x1b[0m";
  }

  // Wraps `text`, with `first` before the first line; the other lines are indented by its width.
  void paragraph(const std::string& first, std::string_view text) {
    const std::size_t indent = columns_of(first);
    const std::size_t room = static_cast<std::size_t>(std::max(options_.width - static_cast<int>(indent), 20));
    std::string lead = first;
    while (true) {
      std::size_t end = text.size();
      if (columns_of(text) > room) {
        std::size_t columns = 0;
        std::size_t space = std::string_view::npos;
        for (std::size_t i = 0; i < text.size() && columns <= room; ++i) {
          if (text[i] == ' ') space = i;
          if (begins_character(text[i])) ++columns;
        }
        if (space == std::string_view::npos || space == 0) space = text.find(' ');
        end = std::min(end, space);
      }
      text_ += lead;
      text_ += text.substr(0, end);
      text_ += "\n";
      if (end == text.size()) return;
      text.remove_prefix(end + 1);
      lead.assign(indent, ' ');
    }
  }

  [[nodiscard]] static std::string side_words(const Side& side) {
    std::string words = input_name(side.file->path);
    if (side.file->is_trace) {
      words += ", a trace of " + side.trace.runtime;
      if (!side.trace.program.empty() && side.trace.program != kVersion)
        words += ", written by loopsim " + side.trace.program;
    } else {
      words += ", " + side.trace.runtime;
    }
    if (side.trace.seed != 0) words += fmt::format(", seed {}", side.trace.seed);
    for (const auto& [name, json] : side.trace.params) words += fmt::format(", {} = {}", name, json);
    for (const auto& [name, json] : side.options.overrides) {
      if (name.starts_with('/')) words += fmt::format(", {} = {}", name, json);
    }
    return words;
  }

  void report_sides(const Finding& finding) {
    const std::size_t width = std::max(columns_of(finding.a->name), columns_of(finding.b->name));
    paragraph(fit(finding.a->name, width) + "  ", side_words(*finding.a));
    paragraph(fit(finding.b->name, width) + "  ", side_words(*finding.b));
  }

  void report_verdict(const Finding& finding) {
    const bool ignores = rows_.options().ignore_times;
    if (finding.beyond) {
      paragraph("", fmt::format("different, but only after the first {} events; later ones are not kept",
                                std::min(finding.a->trace.events.size(), finding.b->trace.events.size())));
      return;
    }
    if (!finding.difference) {
      const std::string note =
          finding.is_same_trace ? "every event of the trace is the same"
          : ignores             ? "the same callbacks and output in the same order"
          : rows_.options().all_events
              ? "the same events, but for the numbers of callbacks"
              : "the same callbacks and output at the same times; other events differ (--events shows them)";
      paragraph("", fmt::format("{}: {}", styled(kBold, "identical"), outcome_words(*finding.a)));
      paragraph("", note);
      return;
    }
    std::size_t same = 0;
    std::size_t moved = 0;
    std::size_t times = 0;
    std::size_t only_a = 0;
    std::size_t only_b = 0;
    for (const AlignedRow& row : finding.aligned) {
      if (row.mark == Mark::same) ++same;
      if (row.mark == Mark::other_time) ++times;
      if (row.mark == Mark::moved && row.b == kNoRow) ++moved;
      if (row.mark == Mark::only_a) ++only_a;
      if (row.mark == Mark::only_b) ++only_b;
    }
    std::string counts;
    const auto add = [&counts](std::size_t count, const std::string& what) {
      if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, what);
    };
    add(same, "the same");
    add(moved, "moved");
    add(times, "at another time");
    add(only_a, "only in " + finding.a->name);
    add(only_b, "only in " + finding.b->name);
    paragraph("", fmt::format("{} from row {} on; of {} rows: {}", styled(kBold, "different"), *finding.difference + 1,
                              same + moved + times + only_a + only_b, counts));
  }

  // ---- first difference --------------------------------------------------------------------------------------------

  [[nodiscard]] static std::string place_words(const Event& event) {
    std::string words = fmt::format("at {} ms", ms_text(event.time));
    if (event.turn == 0 || event.phase == Phase::main) {
      words += event.phase == Phase::main ? ", before the loop" : fmt::format(", {} phase", to_string(event.phase));
    } else if (event.phase == Phase::before_exit || event.phase == Phase::exit) {
      words += ", after the loop";
    } else {
      words += fmt::format(", turn {}, {} phase", event.turn, to_string(event.phase));
    }
    return words;
  }

  void report_first(const Finding& finding) {
    const std::size_t width = std::max(columns_of(finding.a->name), columns_of(finding.b->name));
    text_ += "\n" + styled(kBold, "First difference") + fmt::format(" (row {})", *finding.difference + 1) + "\n";
    report_sight(finding, finding.a_sight, *finding.a, *finding.b, width);
    report_sight(finding, finding.b_sight, *finding.b, *finding.a, width);
  }

  [[nodiscard]] static std::string asker_words(const StoredTrace& trace, const Event& event) {
    return (event.api == Api::main ? "the " : "") + callback_words(trace, event);
  }

  [[nodiscard]] static std::string schedule_words(const Event& schedule, const std::string& by) {
    const std::string when = ms_text(schedule.time);
    switch (static_cast<ScheduleKind>(schedule.detail)) {
      case ScheduleKind::again: return fmt::format("its next round, set at {}", when);
      case ScheduleKind::refresh: return fmt::format("refreshed by {} at {}", by, when);
      case ScheduleKind::first: break;
    }
    const std::string line = schedule.line != 0 ? fmt::format(" (line {})", schedule.line) : "";
    return fmt::format("asked for by {} at {}{}", by, when, line);
  }

  void report_sight(const Finding& finding, const Sight& sight, const Side& side, const Side& other,
                    std::size_t width) {
    const std::string lead = "  " + fit(side.name, width) + "  ";
    const std::string indent(columns_of(lead) + 2, ' ');
    if (sight.event == nullptr) return paragraph(lead, "nothing more: its rows have ended");
    const Event& event = *sight.event;
    std::string words = row_words(side.trace, event);
    if (rows_.options().all_events) {
      const std::vector<std::string> texts = rows_.texts_of(side.trace, {side.rows[sight.row]});
      words = texts.front();
    }
    paragraph(lead, fmt::format("{}, {}", words, place_words(event)));
    if (event.kind == EventKind::callback_begin) {
      std::string asked;
      const std::string by = sight.within != nullptr ? asker_words(side.trace, *sight.within) : std::string("Node");
      if (sight.schedule != nullptr) {
        asked = schedule_words(*sight.schedule, by);
      } else if (event.api != Api::main) {
        asked = fmt::format("called by {}", by);
      }
      if (event.a >= 0 && !asked.empty()) asked += fmt::format(", due at {}", ms_text(event.a));
      if (event.b > 0) asked += fmt::format(", {} late", ms_text(event.b));
      if (!asked.empty()) paragraph(indent, asked);
    } else if (sight.within != nullptr && (event.kind == EventKind::log || event.kind == EventKind::error_log)) {
      paragraph(indent, fmt::format("printed by {}", asker_words(side.trace, *sight.within)));
    }
    const bool is_same_row = finding.a_sight.event != nullptr && finding.b_sight.event != nullptr &&
                             finding.a->rows[finding.a_sight.row].what == finding.b->rows[finding.b_sight.row].what;
    if (is_same_row) return;
    if (sight.counterpart == kNoRow) return paragraph(indent, fmt::format("{} has no such row", other.name));
    const Event& there = other.trace.events[other.rows[sight.counterpart].event];
    paragraph(indent, fmt::format("in {} it is row {}, {}", other.name, sight.counterpart + 1, place_words(there)));
  }

  // ---- reason ------------------------------------------------------------------------------------------------------

  void report_factor(const Finding& finding, const Factor& factor) {
    const auto shown = [](const std::string& value) { return value.empty() ? "as the document has it" : value; };
    switch (factor.kind) {
      case Factor::Kind::document: return paragraph("  ", "the scenario: they are two");
      case Factor::Kind::setting:
      case Factor::Kind::family:
      case Factor::Kind::seed:
        return paragraph("  ", fmt::format("{}: {} against {}", styled(kBold, factor.name), shown(factor.a_value),
                                           shown(factor.b_value)));
      case Factor::Kind::library:
        return paragraph("  ", fmt::format("{}: what its JavaScript does is that of Node {} against that of Node {}",
                                           styled(kBold, factor.name), factor.a_value, factor.b_value));
      case Factor::Kind::profile_field: break;
    }
    paragraph("  ", fmt::format("{}: {}", styled(kBold, factor.name), factor.field->meaning));
    paragraph("    ", fmt::format("{} in {}, {} in {} ({} in {})", factor.a_value, finding.a->trace.runtime,
                                  factor.b_value, finding.b->trace.runtime, factor.b_value, factor.versions));
  }

  void report_browser_reason(const Finding& finding, const BrowserReason& reason) {
    const std::string_view there =
        finding.a->profile->name == reason.browser ? finding.b->profile->name : finding.a->profile->name;
    paragraph("  ", fmt::format("Here it is {}: {}.", styled(kBold, reason.field->name), reason.field->meaning));
    paragraph("    ",
              fmt::format("{0} in {1}; with {2}, as in {3}, {1} does {4} {5} does", reason.value, reason.browser,
                          reason.other_value, reason.other, reason.is_all ? "all that" : "here what", there));
  }

  // "field", "field and field"
  [[nodiscard]] static std::string names_of(const Reason& reason, const std::vector<std::size_t>& factors) {
    std::string text;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (i > 0) text += i + 1 == factors.size() ? " and " : ", ";
      text += reason.factors[factors[i]].name;
    }
    return text;
  }

  void report_reason(const Finding& finding) {
    if (!finding.reason) {
      if (finding.facts.empty()) return;
      text_ += "\n" + styled(kBold, "What the records tell") + "\n";
      for (const std::string& fact : finding.facts) paragraph("  ", fact);
      return;
    }
    const Reason& reason = *finding.reason;
    text_ += "\n" + styled(kBold, "Why") + "\n";
    if (reason.first.empty()) {
      return paragraph("  ", reason.gave_up ? fmt::format("not found out in {} runs", reason.runs)
                                            : std::string("no part of what differs between them explains it"));
    }
    for (const std::size_t i : reason.first) report_factor(finding, reason.factors[i]);
    if (reason.is_any) {
      for (const std::size_t i : reason.each) report_factor(finding, reason.factors[i]);
    }
    if (reason.factors.size() == 1) {
      paragraph("  ", "It is all that differs between the two.");
      if (reason.browser) report_browser_reason(finding, *reason.browser);
      return;
    }
    const bool one = reason.first.size() == 1;
    const std::string what = reason.is_any ? fmt::format("any one of these {}", reason.each.size() + 1)
                             : one         ? "this alone"
                                   : fmt::format("these {} together, none of them left out,", reason.first.size());
    const bool is_all = reason.everything == reason.first;
    const std::string& runs = reason.is_backwards ? finding.b->name : finding.a->name;
    const std::string& gives = reason.is_backwards ? finding.a->name : finding.b->name;
    paragraph("  ", fmt::format("Run with {} taken from {}, {} {} ({}).", what, gives, runs,
                                is_all ? fmt::format("does all that {} does", gives)
                                       : fmt::format("does here what {} does", gives),
                                reason.runs == 1 ? "found in 1 run" : fmt::format("found in {} runs", reason.runs)));
    if (reason.is_any) {
      paragraph("  ", fmt::format("{} does so as long as it has one of them.", gives));
    } else if (!reason.each.empty()) {
      paragraph("  ", fmt::format("So it does here with {}{} alone.", reason.each.size() > 1 ? "one of " : "",
                                  names_of(reason, reason.each)));
    }
    if (is_all) return;
    if (reason.everything.empty()) {
      return paragraph("  ", "What differs later has other reasons; which they are was not found out.");
    }
    text_ += "\n" + styled(kBold, "What differs later") + "\n";
    paragraph("  ", fmt::format("For all of it to be as in {} it takes, together:", gives));
    for (const std::size_t i : reason.everything) {
      const bool is_told = std::ranges::find(reason.first, i) != reason.first.end();
      if (is_told) {
        paragraph("  ", fmt::format("{}, as above", names_of(reason, {i})));
      } else {
        report_factor(finding, reason.factors[i]);
      }
    }
  }

  // ---- side by side ------------------------------------------------------------------------------------------------

  [[nodiscard]] static std::string_view sign(const AlignedRow& row) {
    switch (row.mark) {
      case Mark::same: return " ";
      case Mark::other_time: return "~";
      case Mark::only_a: return "<";
      case Mark::only_b: return ">";
      case Mark::moved: return row.comes_later ? "↓" : "↑";
    }
    return " ";
  }

  [[nodiscard]] static std::string_view style(const AlignedRow& row) {
    switch (row.mark) {
      case Mark::same: return "";
      case Mark::other_time:
      case Mark::moved: return kYellow;
      case Mark::only_a: return kRed;
      case Mark::only_b: return kGreen;
    }
    return "";
  }

  void report_rows(const Finding& finding) {
    const auto width = static_cast<std::size_t>(options_.width);
    const std::size_t column = (width - 3) / 2;
    if (rows_.options().all_events) {
      a_texts_ = rows_.texts_of(finding.a->trace, finding.a->rows);
      b_texts_ = rows_.texts_of(finding.b->trace, finding.b->rows);
    }
    text_ += "\n";
    const std::string time = fmt::format("{:>10}  ", "time (ms)");
    line(fit(time + finding.a->name, column) + "   " + time + finding.b->name, kBold);
    std::size_t skipped = 0;
    const std::vector<bool> shown = shown_rows(finding.aligned);
    for (std::size_t i = 0; i < finding.aligned.size(); ++i) {
      if (!shown[i]) {
        ++skipped;
        continue;
      }
      report_skipped(skipped);
      const AlignedRow& row = finding.aligned[i];
      const std::string left = cell(*finding.a, row.a, a_texts_);
      const std::string right = cell(*finding.b, row.b, b_texts_);
      line(fit(left, column) + " " + std::string(sign(row)) + " " + fit(right, column), style(row));
    }
    report_skipped(skipped);
    report_legend(finding);
  }

  void report_skipped(std::size_t& skipped) {
    if (skipped > 0)
      text_ += fmt::format("{:>10}  … {} the same\n", "", skipped == 1 ? "1 row" : fmt::format("{} rows", skipped));
    skipped = 0;
  }

  void line(std::string text, std::string_view line_style) {
    text.erase(text.find_last_not_of(' ') + 1);
    text_ += (line_style.empty() ? text : styled(line_style, text)) + "\n";
  }

  [[nodiscard]] std::string cell(const Side& side, std::size_t row, const std::vector<std::string>& texts) const {
    if (row == kNoRow) return "";
    const Event& event = side.trace.events[side.rows[row].event];
    std::string words;
    if (!texts.empty()) {
      words = texts[row];
    } else if (event.kind == EventKind::exit) {  // shorter than row_words, to fit the column
      const std::span<const FieldInfo> fields = event_table()[static_cast<std::size_t>(EventKind::exit)].fields;
      const auto why = std::ranges::find(fields, FieldInfo::Source::detail, &FieldInfo::source);
      words = fmt::format("■ exit code {}, {}", event.a, why->words[event.detail]);
    } else {
      words = row_words(side.trace, event);
    }
    return fmt::format("{:>10}  {}", ms_text(event.time), words);
  }

  // Rows that differ and their context. A single equal row between shown rows is shown: skipping it saves no line.
  [[nodiscard]] std::vector<bool> shown_rows(const std::vector<AlignedRow>& aligned) const {
    std::vector<bool> shown(aligned.size(), false);
    std::size_t left = 0;  // rows still to show as context of a difference
    const auto look_at = [&](std::size_t i) {
      if (aligned[i].mark != Mark::same) left = std::min(options_.context, aligned.size()) + 1;
      if (left == 0) return;
      shown[i] = true;
      --left;
    };
    for (std::size_t i = 0; i < aligned.size(); ++i) look_at(i);
    left = 0;
    for (std::size_t i = aligned.size(); i > 0; --i) look_at(i - 1);
    for (std::size_t i = 1; i + 1 < shown.size(); ++i) {
      if (shown[i - 1] && shown[i + 1]) shown[i] = true;
    }
    return shown;
  }

  void report_legend(const Finding& finding) {
    std::string words;
    const auto add = [&](Mark mark, const std::string& meaning) {
      if (std::ranges::count(finding.aligned, mark, &AlignedRow::mark) == 0) return;
      words += (words.empty() ? "" : ", ") + meaning;
    };
    add(Mark::other_time, "~ at another time");
    add(Mark::only_a, "< only in " + finding.a->name);
    add(Mark::only_b, "> only in " + finding.b->name);
    add(Mark::moved, "↓ ↑ further down, further up on the other side");
    text_ += "\n";
    paragraph("", words);
  }

  RowMaker& rows_;
  ReportOptions options_;
  std::string text_;
  std::vector<std::string> a_texts_;
  std::vector<std::string> b_texts_;
};

}  // namespace

std::string text_report(const Finding& finding, RowMaker& rows, const ReportOptions& options) {
  return Report(rows, options).tell(finding);
}

std::string text_report(const Study& study, RowMaker& rows, const ReportOptions& options) {
  return Report(rows, options).tell(study);
}

}  // namespace loopsim::cli

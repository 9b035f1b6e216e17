#include "tools/loopsim/commands/explain_text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"
#include "loopsim/writers.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kFlushSize = 64 * 1024;

// The sources that sentences cite, numbered in order of first use.
class Sources {
 public:
  std::size_t number(std::string_view source) {
    const auto found = std::ranges::find(sources_, source);
    if (found != sources_.end()) return static_cast<std::size_t>(found - sources_.begin()) + 1;
    sources_.push_back(source);
    return sources_.size();
  }
  [[nodiscard]] const std::vector<std::string_view>& all() const { return sources_; }

 private:
  std::vector<std::string_view> sources_;
};

const ExplanationRule& rule_of(const ExplanationSentence& sentence) { return explanation_rules()[sentence.rule]; }

std::string heading(const Explanation& explanation) {
  return styled(Style::strong, explanation.label) +
         styled(Style::quiet,
                explanation.name.substr(explanation.label.size()) + fmt::format(" #{}", explanation.callback));
}

class Story {
 public:
  Story(const ExplainOptions& options, ByteOutput& output)
      : output_(output), language_(options.language), layout_(options.width, options.color, options.language) {}

  void tell(const Explainer& explainer, const StoryNotes& notes) {
    if (!notes.title().empty()) layout_.paragraph(styled(Style::strong, notes.title()));
    layout_.paragraph(styled(Style::quiet, notes.head()));
    layout_.blank_line();
    layout_.heading();
    for (const std::uint64_t id : explainer.callbacks()) {
      tell(explainer.explanation(id), notes);
      if (layout_.text().size() >= kFlushSize) flush();
    }
    report_lines_of_node(notes);
    layout_.blank_line();
    layout_.text() += format_summary(notes.summary(), nullptr, language_) + "\n";
    report_sources();
    flush();
  }

 private:
  void tell(const Explanation& explanation, const StoryNotes& notes) {
    const bool ran = explanation.begin != 0;
    const auto is_refresh = [](const ExplanationSentence& one) {
      return rule_of(one).key.starts_with("never-refreshed");
    };
    if (!ran && std::ranges::any_of(explanation.sentences, is_refresh)) return;  // it continues under another id
    if (!ran) report_lines_of_node(notes);
    begin_part(explanation, notes);
    const TimeNs time = ran ? explanation.begun_at : notes.summary().end_time;
    const Phase phase = ran ? explanation.phase : Phase::exit;
    if (ran) layout_.show_time();
    layout_.row(time, phase, 0, (ran ? "▶ " : "✗ ") + heading(explanation));
    for (const ExplanationSentence& sentence : explanation.sentences) {
      const ExplanationRule& rule = rule_of(sentence);
      if (rule.part == ExplanationPart::chain) break;  // the report has shown those callbacks already
      if (was_told(sentence) || is_told_later(sentence, explanation)) continue;
      layout_.row(time, phase, 1,
                  "· " + format_sentence(sentence, language_) +
                      styled(Style::quiet, fmt::format(" [{}]", sources_.number(rule.source))));
    }
    for (const std::string& line : notes.lines_of(explanation.callback))
      layout_.verbatim(time, phase, 1, styled(Style::output, line));
  }

  // Output of Node itself, such as an uncaught exception: shown before the callbacks that therefore never ran.
  void report_lines_of_node(const StoryNotes& notes) {
    if (std::exchange(told_node_, true)) return;
    for (const std::string& line : notes.lines_of(0))
      layout_.verbatim(notes.summary().end_time, Phase::exit, 1, styled(Style::output, line));
  }

  // Several callbacks may follow one sleep in poll; it is shown once.
  bool was_told(const ExplanationSentence& sentence) {
    if (rule_of(sentence).part != ExplanationPart::waited || !rule_of(sentence).key.starts_with("poll-")) return false;
    return std::exchange(told_poll_, sentence.event) == sentence.event;
  }

  // A race is told at the second of its callbacks.
  static bool is_told_later(const ExplanationSentence& sentence, const Explanation& explanation) {
    return rule_of(sentence).part == ExplanationPart::race && sentence.event != explanation.begin;
  }

  void begin_part(const Explanation& explanation, const StoryNotes& notes) {
    std::string part;
    if (explanation.begin == 0)
      part = say(language_, Word::never_ran);
    else if (explanation.phase == Phase::before_exit || explanation.phase == Phase::exit)
      part = say(language_, Word::end);
    else
      part = explanation.turn == 0 ? notes.main() : say(language_, Word::turn, {fmt::format("{}", explanation.turn)});
    if (part == part_) return;
    part_ = part;
    layout_.rule(part);
  }

  void report_sources() {
    if (sources_.all().empty()) return;
    layout_.blank_line();
    layout_.paragraph(say(language_, Word::sources));
    std::size_t number = 0;
    for (const std::string_view source : sources_.all())
      layout_.paragraph(styled(Style::quiet, fmt::format("  [{}] {}", ++number, source)));
  }

  void flush() {
    output_.write(layout_.text());
    layout_.text().clear();
  }

  ByteOutput& output_;
  Language language_;
  TextLayout layout_;
  Sources sources_;
  std::string part_;
  std::uint64_t told_poll_ = 0;
  bool told_node_ = false;
};

Word part_heading(ExplanationPart part) {
  switch (part) {
    case ExplanationPart::asked: return Word::part_asked;
    case ExplanationPart::waited: return Word::part_waited;
    case ExplanationPart::late: return Word::part_late;
    case ExplanationPart::ran: return Word::part_ran;
    case ExplanationPart::result: return Word::part_result;
    case ExplanationPart::never: return Word::part_never;
    case ExplanationPart::race: return Word::part_race;
    case ExplanationPart::chain: break;
  }
  return Word::part_chain;
}

}  // namespace

// ---- output of the callbacks ----------------------------------------------------------------------------------------

void StoryNotes::begin(const RunInfo& info) {
  title_ = printable(info.title);
  head_ = header_words(info, language_);
  main_ = say(language_, is_libuv_alone(info) ? Word::main_function : Word::main_script);
}

void StoryNotes::events(const EventBatch& batch) {
  for (const Event& event : batch.events) {
    if (event.kind == EventKind::callback_begin) running_.push_back(event.id);
    if (event.kind == EventKind::callback_end && !running_.empty()) running_.pop_back();
    if (event.kind != EventKind::log && event.kind != EventKind::error_log) continue;
    std::vector<std::string>& lines = lines_[running_.empty() ? 0 : running_.back()];
    const std::string_view mark = event.kind == EventKind::log ? "│ " : "stderr│ ";
    for (std::string_view text = batch.text_of(event);;) {
      const std::size_t end = text.find('\n');
      lines.push_back(std::string(mark) + printable(text.substr(0, end)));
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
    }
  }
}

const std::vector<std::string>& StoryNotes::lines_of(std::uint64_t callback) const {
  static const std::vector<std::string> kNone;
  const auto found = lines_.find(callback);
  return found == lines_.end() ? kNone : found->second;
}

// ---- reports ------------------------------------------------------------------------------------------------------------------------

void report_story(const Explainer& explainer, const StoryNotes& notes, const ExplainOptions& options,
                  ByteOutput& output) {
  Story(options, output).tell(explainer, notes);
}

void report_one(const Explainer& explainer, std::uint64_t callback, const StoryNotes& notes,
                const ExplainOptions& options, ByteOutput& output) {
  const Language language = options.language;
  TextLayout layout(options.width, options.color, language);
  const Explanation explanation = explainer.explanation(callback);
  const Word when = explanation.begin == 0  ? Word::which_never_ran
                    : explanation.turn == 0 ? Word::ran_in_phase
                                            : Word::ran_in_phase_of_turn;
  layout.paragraph(say(language, when,
                       {heading(explanation), ms_text(explanation.begun_at), phase_words(language, explanation.phase),
                        fmt::format("{}", explanation.turn)}));
  if (!notes.title().empty()) layout.paragraph(styled(Style::quiet, notes.title()));
  layout.paragraph(styled(Style::quiet, notes.head()));
  const ExplanationSentence* before = nullptr;
  for (const ExplanationSentence& sentence : explanation.sentences) {
    const ExplanationRule& rule = rule_of(sentence);
    if (before == nullptr || rule_of(*before).part != rule.part) {
      layout.blank_line();
      layout.paragraph(styled(Style::strong, say(language, part_heading(rule.part))));
    }
    const std::string source = rule.part == ExplanationPart::chain ? "" : fmt::format(" [{}]", rule.source);
    layout.bullet(format_sentence(sentence, language) + styled(Style::quiet, source));
    before = &sentence;
  }
  const std::vector<std::string>& lines = notes.lines_of(callback);
  if (!lines.empty()) {
    layout.blank_line();
    layout.paragraph(styled(Style::strong, say(language, Word::what_it_wrote)));
    for (const std::string& line : lines) layout.text() += "  " + line + "\n";
  }
  output.write(layout.text());
}

}  // namespace loopsim::cli

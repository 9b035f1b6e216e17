// The timeline of the runtime `io`: a row for each event, what the process does at the left, what the kernel does at the right.

#include "sim/trace/io_text_writer.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"

#include "sim/trace/io_words.hpp"
#include "sim/trace/text_words.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushSize = 64 * 1024;
constexpr int kKernelWidth = 40;
constexpr std::size_t kLeastProcessWidth = 24;
constexpr std::size_t kTimeWidth = 10;

class IoTextWriter final : public TraceSink {
 public:
  IoTextWriter(ByteOutput& output, const TextOptions& options) : output_(output), options_(options) {}

  void begin(const RunInfo& info) override {
    names_.assign(info.names.begin(), info.names.end());
    TextLayout layout(options_.width, options_.color, options_.language);
    if (!info.title.empty()) layout.paragraph(styled(Style::strong, printable(info.title)));
    layout.paragraph(styled(Style::quiet, header_words(info, options_.language)));
    layout.blank_line();
    text_ = layout.text();
    const auto width = static_cast<int>(kTimeWidth) + 2 + kKernelWidth + 2;
    process_width_ = std::max(kLeastProcessWidth, static_cast<std::size_t>(std::max(options_.width - width, 0)));
    row(say(options_.language, Word::time_column), Style::quiet, say(options_.language, Word::io_process),
        say(options_.language, Word::io_kernel));
  }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) tell(event, batch.text_of(event));
  }

  void end(const RunSummary& summary) override {
    if (options_.summary) {
      const std::string ending = summary.limit != LimitKind::none
                                     ? say(options_.language, Word::stopped_by_limit, {to_string(summary.limit)})
                                     : say(options_.language, Word::exit_code, {fmt::format("{}", summary.exit_code)});
      text_ += "\n" + say(options_.language, Word::io_summary,
                          {ending, ms_text(summary.end_time), fmt::format("{}", calls_), fmt::format("{}", in_vain_)});
      if (options_.hash != nullptr)
        text_ += say(options_.language, Word::summary_hash, {format_hash(options_.hash->hash())});
      text_ += "\n";
    }
    flush();
  }

 private:
  void tell(const Event& event, std::string_view text) {
    count(event);
    switch (event.kind) {
      case EventKind::syscall: calls_of_[{event.loop, event.by}] = io_call_words(event, text); return;
      case EventKind::limit: return process_row(event, Style::error, "■ " + limit_words(event, options_.language));
      case EventKind::exit:
        if (static_cast<ExitReason>(event.detail) != ExitReason::limit)
          process_row(event, Style::plain, "■ " + exit_words(event, options_.language));
        return;
      case EventKind::stall: return process_row(event, Style::late, stall_words(event, options_.language));
      default: break;
    }
    const std::string_view name =
        event.name < names_.size() ? std::string_view(names_[event.name]) : std::string_view();
    const std::string words = io_words(event, text, name, call_of(event), options_.language);
    if (words.empty()) return;
    if (event.kind == EventKind::state && !name.empty()) {
      if (event.loop < kMostProcesses && event.loop >= models_.size()) models_.resize(event.loop + 1U);
      if (event.loop < models_.size()) models_[event.loop] = name;
    }
    const bool is_sent =
        event.kind == EventKind::signal && static_cast<SignalStep>(event.detail2) <= SignalStep::queued;
    const bool is_vain = (event.kind == EventKind::sysret && event.detail2 != 0) || event.kind == EventKind::spin;
    if (is_of_kernel(event.kind) || is_sent)
      kernel_row(event, words);
    else
      process_row(event, is_vain ? Style::late : event.kind == EventKind::state ? Style::quiet : Style::plain, words);
    if (text_.size() >= kFlushSize) flush();
  }

  void count(const Event& event) {
    if (event.kind == EventKind::sysret) ++calls_;
    if (event.kind == EventKind::sysret && event.detail2 != 0) ++in_vain_;
    if (event.kind != EventKind::spin) return;
    calls_ += static_cast<std::uint64_t>(event.b);
    in_vain_ += static_cast<std::uint64_t>(event.b);
  }

  // The call that returns, or in which the process is blocked.
  [[nodiscard]] std::string_view call_of(const Event& event) const {
    const auto found = calls_of_.find({event.loop, event.by});
    if (found == calls_of_.end() || (event.kind == EventKind::state && event.id == 0)) return {};
    return found->second;
  }

  // Of several processes, and of threads, the one that it is.
  [[nodiscard]] std::string whose(const Event& event) const {
    std::string words;
    if (models_.size() > 1 && event.loop < models_.size()) words = models_[event.loop] + ": ";
    if (event.by != 0 && event.kind != EventKind::wake) words += fmt::format("T{} ", event.by);
    return words;
  }

  void process_row(const Event& event, Style style, const std::string& words) {
    row(ms_text(event.time), style, whose(event) + words, "");
  }
  void kernel_row(const Event& event, const std::string& words) {
    row(ms_text(event.time), Style::plain, "", whose(event) + words);
  }

  // The same time is not told again.
  void row(const std::string& time, Style style, const std::string& process, const std::string& kernel) {
    std::string line = styled(Style::quiet, fmt::format("{:>{}}", time == last_time_ ? "" : time, kTimeWidth)) + "  ";
    last_time_ = time;
    line += style == Style::plain ? process : styled(style, process);
    if (!kernel.empty()) {
      const std::size_t used = text_columns(process);
      if (used < process_width_) line.append(process_width_ - used, ' ');
      line += styled(Style::quiet, "│") + " " + (style == Style::quiet ? styled(style, kernel) : kernel);
    }
    TextLayout layout(kUnbounded, options_.color, options_.language);
    layout.paragraph(line);
    text_ += layout.text();
  }

  void flush() {
    output_.write(text_);
    text_.clear();
  }

  static constexpr int kUnbounded = 1'000'000;  // rows are not wrapped
  static constexpr std::uint16_t kMostProcesses = 1000;

  ByteOutput& output_;
  TextOptions options_;
  std::size_t process_width_ = 0;
  std::vector<std::string> names_;
  std::vector<std::string> models_;                                          // by process
  std::map<std::pair<std::uint16_t, std::uint64_t>, std::string> calls_of_;  // by process and thread: the last one
  std::string last_time_;
  std::string text_;
  std::uint64_t calls_ = 0, in_vain_ = 0;
};

}  // namespace

std::unique_ptr<TraceSink> make_io_text_writer(ByteOutput& output, const TextOptions& options) {
  return std::make_unique<IoTextWriter>(output, options);
}

}  // namespace loopsim

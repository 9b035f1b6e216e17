// Explanations as text: the whole run in order, or one callback in detail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "loopsim/explain.hpp"

namespace loopsim::cli {

struct ExplainOptions {
  bool color = false;
  int width = 100;
  Language language = Language::english;
};

// The other parts of a report: title and header of the run, its summary, and the output of the callbacks.
class StoryNotes final : public TraceSink {
 public:
  explicit StoryNotes(Language language) : language_(language) {}

  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override;
  void end(const RunSummary& summary) override { summary_ = summary; }

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::string& head() const { return head_; }
  [[nodiscard]] const std::string& main() const { return main_; }  // what the run begins with: "main script"
  [[nodiscard]] const RunSummary& summary() const { return summary_; }
  // Lines of output by the running callback; 0: output of Node itself.
  [[nodiscard]] const std::vector<std::string>& lines_of(std::uint64_t callback) const;

 private:
  Language language_;
  std::string title_;
  std::string head_;
  std::string main_;
  RunSummary summary_;
  std::vector<std::uint64_t> running_;
  std::map<std::uint64_t, std::vector<std::string>> lines_;
};

void report_story(const Explainer& explainer, const StoryNotes& notes, const ExplainOptions& options,
                  ByteOutput& output);
void report_one(const Explainer& explainer, std::uint64_t callback, const StoryNotes& notes,
                const ExplainOptions& options, ByteOutput& output);

}  // namespace loopsim::cli

// Explanations for people: the whole run as a story, or one callback in detail.
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
};

// What a story tells besides the callbacks: the head of the run, and what the callbacks wrote.
class StoryNotes final : public TraceSink {
 public:
  void begin(const RunInfo& info) override;
  void events(const EventBatch& batch) override;
  void end(const RunSummary& summary) override { summary_ = summary; }

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::string& head() const { return head_; }
  [[nodiscard]] const RunSummary& summary() const { return summary_; }
  // Lines of output, by the callback that was running; those of Node itself are under 0.
  [[nodiscard]] const std::vector<std::string>& lines_of(std::uint64_t callback) const;

 private:
  std::string title_;
  std::string head_;
  RunSummary summary_;
  std::vector<std::uint64_t> running_;
  std::map<std::uint64_t, std::vector<std::string>> lines_;
};

void report_story(const Explainer& explainer, const StoryNotes& notes, const ExplainOptions& options,
                  ByteOutput& output);
void report_one(const Explainer& explainer, std::uint64_t callback, const StoryNotes& notes,
                const ExplainOptions& options, ByteOutput& output);

}  // namespace loopsim::cli

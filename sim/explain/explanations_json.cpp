#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/explain.hpp"
#include "loopsim/text.hpp"

namespace loopsim {
namespace {

constexpr std::uint16_t kUnused = 0xffff;
constexpr std::size_t kFlushSize = 64 * 1024;

// Two passes over the explanations: the first collects the rules in use, which come first; the second writes.
class JsonWriter {
 public:
  JsonWriter() : numbers_(explanation_rules().size(), kUnused) {}

  void note_rules(const Explanation& explanation) {
    for (const ExplanationSentence& sentence : explanation.sentences) {
      if (numbers_[sentence.rule] != kUnused) continue;
      const ExplanationRule& rule = explanation_rules()[sentence.rule];
      json_ += used_ == 0 ? R"({"rules":[)" : ",";
      json_ += fmt::format(R"({{"key":{},"en":{},"zh":{},"source":{}}})", json_string(rule.key),
                           json_string(rule.english), json_string(rule.chinese), json_string(rule.source));
      numbers_[sentence.rule] = used_++;
    }
  }

  void begin_callbacks() {
    if (used_ == 0) json_ += R"({"rules":[)";
    json_ += R"(],"callbacks":[)";
  }

  void write(const Explanation& explanation) {
    if (!is_first_) json_ += ",";
    is_first_ = false;
    json_ += begin_of(explanation);
    bool is_first_sentence = true;
    for (const ExplanationSentence& sentence : explanation.sentences) {
      if (!is_first_sentence) json_ += ",";
      is_first_sentence = false;
      add_sentence(json_, sentence);
    }
    json_ += "]}";
  }

  void write(const Explanation& explanation, ExplanationSink& sink) const {
    std::vector<std::string> sentences(explanation.sentences.size());
    for (std::size_t i = 0; i < sentences.size(); ++i) add_sentence(sentences[i], explanation.sentences[i]);
    sink.add(begin_of(explanation), sentences);
  }

  void end() { json_ += "]}"; }

  [[nodiscard]] std::string& text() { return json_; }

 private:
  [[nodiscard]] static std::string begin_of(const Explanation& explanation) {
    return fmt::format(R"({{"id":{},"name":{},"begin":{},"sentences":[)", explanation.callback,
                       json_string(explanation.name), explanation.begin);
  }

  void add_sentence(std::string& json, const ExplanationSentence& sentence) const {
    json += fmt::format("[{},{}", numbers_[sentence.rule], sentence.event);
    for (const ExplanationArgument& argument : sentence.arguments) {
      if (argument.callback == 0)
        json += "," + json_string(argument.text);
      else
        json += fmt::format(",[{},{}]", json_string(argument.text), argument.callback);
    }
    json += "]";
  }

  std::vector<std::uint16_t> numbers_;
  std::uint16_t used_ = 0;
  bool is_first_ = true;
  std::string json_;
};

}  // namespace

std::string explanations_json(std::span<const Explanation> explanations) {
  JsonWriter writer;
  for (const Explanation& explanation : explanations) writer.note_rules(explanation);
  writer.begin_callbacks();
  for (const Explanation& explanation : explanations) writer.write(explanation);
  writer.end();
  return std::move(writer.text());
}

void write_explanations_json(const Explainer& explainer, ByteOutput& output) {
  write_explanations_json(explainer, explainer.callbacks(), output);
}

void write_explanations_json(const Explainer& explainer, std::span<const std::uint64_t> callbacks, ByteOutput& output,
                             std::span<const std::uint64_t> others, ExplanationSink* sink) {
  JsonWriter writer;
  for (const std::uint64_t id : callbacks) writer.note_rules(explainer.explanation(id));
  for (const std::uint64_t id : others) writer.note_rules(explainer.explanation(id));
  writer.begin_callbacks();
  for (const std::uint64_t id : callbacks) {
    writer.write(explainer.explanation(id));
    if (writer.text().size() < kFlushSize) continue;
    output.write(writer.text());
    writer.text().clear();
  }
  writer.end();
  output.write(writer.text());
  for (const std::uint64_t id : others) writer.write(explainer.explanation(id), *sink);
}

}  // namespace loopsim

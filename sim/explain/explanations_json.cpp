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
    json_ += fmt::format(R"({}{{"id":{},"name":{},"begin":{},"sentences":[)", is_first_ ? "" : ",",
                         explanation.callback, json_string(explanation.name), explanation.begin);
    is_first_ = false;
    bool is_first_sentence = true;
    for (const ExplanationSentence& sentence : explanation.sentences) {
      json_ += fmt::format("{}[{},{}", is_first_sentence ? "" : ",", numbers_[sentence.rule], sentence.event);
      is_first_sentence = false;
      for (const ExplanationArgument& argument : sentence.arguments) {
        if (argument.callback == 0)
          json_ += "," + json_string(argument.text);
        else
          json_ += fmt::format(",[{},{}]", json_string(argument.text), argument.callback);
      }
      json_ += "]";
    }
    json_ += "]}";
  }

  void end() { json_ += "]}"; }

  [[nodiscard]] std::string& text() { return json_; }

 private:
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

void write_explanations_json(const Explainer& explainer, std::span<const std::uint64_t> callbacks, ByteOutput& output) {
  JsonWriter writer;
  for (const std::uint64_t id : callbacks) writer.note_rules(explainer.explanation(id));
  writer.begin_callbacks();
  for (const std::uint64_t id : callbacks) {
    writer.write(explainer.explanation(id));
    if (writer.text().size() < kFlushSize) continue;
    output.write(writer.text());
    writer.text().clear();
  }
  writer.end();
  output.write(writer.text());
}

}  // namespace loopsim

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "loopsim/explain.hpp"

#include "sim/trace/json_text.hpp"

namespace loopsim {
namespace {

constexpr std::uint16_t kUnused = 0xffff;

void add_argument(std::string& json, const ExplanationArgument& argument) {
  if (argument.callback == 0) {
    json += "," + json_string(argument.text);
  } else {
    json += fmt::format(",[{},{}]", json_string(argument.text), argument.callback);
  }
}

}  // namespace

std::string explanations_json(std::span<const Explanation> explanations) {
  const std::span<const ExplanationRule> rules = explanation_rules();
  std::vector<std::uint16_t> numbers(rules.size(), kUnused);
  std::uint16_t used = 0;
  std::string listed;
  std::string callbacks;
  for (const Explanation& explanation : explanations) {
    callbacks += fmt::format(R"({}{{"id":{},"name":{},"begin":{},"sentences":[)", callbacks.empty() ? "" : ",",
                             explanation.callback, json_string(explanation.name), explanation.begin);
    bool is_first = true;
    for (const ExplanationSentence& sentence : explanation.sentences) {
      if (numbers[sentence.rule] == kUnused) {
        const ExplanationRule& rule = rules[sentence.rule];
        listed +=
            fmt::format(R"({}{{"key":{},"en":{},"zh":{},"source":{}}})", used == 0 ? "" : ",", json_string(rule.key),
                        json_string(rule.english), json_string(rule.chinese), json_string(rule.source));
        numbers[sentence.rule] = used++;
      }
      callbacks += fmt::format("{}[{},{}", is_first ? "" : ",", numbers[sentence.rule], sentence.event);
      is_first = false;
      for (const ExplanationArgument& argument : sentence.arguments) add_argument(callbacks, argument);
      callbacks += "]";
    }
    callbacks += "]}";
  }
  return fmt::format(R"({{"rules":[{}],"callbacks":[{}]}})", listed, callbacks);
}

}  // namespace loopsim

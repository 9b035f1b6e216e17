// The names of callbacks in the trace: those that the author gives, and those that are made from the step's place.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/document.hpp"
#include "sim/scenario/reader.hpp"

namespace loopsim {
namespace {

// The text of `as`, or empty. Of a function of libuv, where `as` is the result: the name of the handle or request.
std::string_view label_of(const Step& step) {
  if (info(step.verb).family == Family::libuv) {
    const auto* handle = std::get_if<Name>(&step.argument);
    return handle == nullptr ? std::string_view() : handle_label(step.verb, handle->text);
  }
  const Argument* argument = step.find(Key::as);
  if (argument == nullptr) return {};
  if (const auto* name = std::get_if<Name>(argument)) return name->text;
  const auto* label = std::get_if<std::string_view>(argument);
  return label == nullptr ? std::string_view() : *label;
}

std::string_view word_of(Verb verb, Key key) { return key == Key::do_ ? info(verb).name : to_string(key); }

// Without a callback, what these ask for has a name, too: `await` and `then` wait for it.
bool may_be_awaited(Verb verb) {
  switch (verb) {
    case Verb::set_timeout:
    case Verb::set_immediate:
    case Verb::fs:
    case Verb::dns:
    case Verb::crypto:
    case Verb::zlib: return true;
    default: return false;
  }
}

// word@line, and the column where steps share that.
std::string generated_label(const Scenario& scenario, const Step& step, std::string_view word) {
  std::string label = fmt::format("{}@{}", word, step.line);
  if (std::ranges::binary_search(scenario.shared_labels, SharedLabel{step.line, word}))
    label += fmt::format(":{}", scenario.document->column(step.node, step.line));
  return label;
}

}  // namespace

std::string_view handle_label(Verb verb, std::string_view name) {
  const bool has_callback = !info(verb).given.empty();
  return has_callback && name != "handle" && name != "req" ? name : std::string_view();
}

std::string make_callback_label(Verb verb, Key key, std::string_view as, std::size_t callbacks,
                                std::string_view function, std::uint32_t line) {
  if (closes_handle(verb) && !as.empty()) return fmt::format("{}.close", as);
  if (!as.empty()) return callbacks > 1 && key != Key::do_ ? fmt::format("{}.{}", as, to_string(key)) : std::string(as);
  if (!function.empty()) return std::string(function);
  return fmt::format("{}@{}", word_of(verb, key), line);
}

std::string make_listener_label(std::string_view event, std::string_view as, std::string_view function,
                                std::uint32_t line) {
  if (!as.empty()) return fmt::format("{}.{}", as, event);
  return function.empty() ? fmt::format("{}@{}", event, line) : std::string(function);
}

std::string listener_label(const Scenario& scenario, const Step& step, const EventListener& listener) {
  std::string_view function;
  if (listener.callback.by_name) function = scenario.bodies[listener.callback.body].name;
  const std::string_view as = label_of(step);
  if (as.empty() && function.empty()) return generated_label(scenario, step, listener.event);
  return make_listener_label(listener.event, as, function, step.line);
}

std::string callback_label(const Scenario& scenario, const Step& step, Key key) {
  const std::string_view as = label_of(step);
  const auto* callback = std::get_if<Callback>(&step.argument);
  std::size_t callbacks = callback != nullptr ? 1 : 0;
  for (const Option& option : step.options) {
    if (const auto* given = std::get_if<Callback>(&option.value)) {
      ++callbacks;
      if (option.key == key) callback = given;
    }
  }
  std::string_view function;
  if (callback != nullptr && callback->by_name) function = scenario.bodies[callback->body].name;
  if (as.empty() && function.empty()) return generated_label(scenario, step, word_of(step.verb, key));
  return make_callback_label(step.verb, key, as, callbacks, function, step.line);
}

void add_label_places(const Step& step, std::vector<LabelPlace>& places) {
  const auto add = [&](Key key, const Callback* callback) {
    if (callback != nullptr && callback->by_name) return;
    places.push_back(
        {{step.line, word_of(step.verb, key)}, step.node, callback == nullptr ? BodyIndex{kNone} : callback->body});
  };
  const auto* callback = std::get_if<Callback>(&step.argument);
  if (callback != nullptr || may_be_awaited(step.verb)) add(Key::do_, callback);
  for (const Option& option : step.options) {
    if (const auto* given = std::get_if<Callback>(&option.value)) add(option.key, given);
    if (const auto* listeners = std::get_if<List<EventListener>>(&option.value)) {
      for (const EventListener& listener : *listeners) {
        if (!listener.callback.by_name)
          places.push_back({{step.line, listener.event}, step.node, listener.callback.body});
      }
    }
  }
}

void tell_labels_apart(Scenario& scenario, const Document& document, std::vector<LabelPlace> places) {
  // By label, then in the document's order.
  std::ranges::sort(places, [](const LabelPlace& a, const LabelPlace& b) {
    return a.label != b.label ? a.label < b.label : a.step < b.step;
  });
  for (auto first = places.begin(); first != places.end();) {
    const auto end =
        std::find_if(first, places.end(), [&](const LabelPlace& one) { return one.label != first->label; });
    const bool is_shared = std::any_of(first, end, [&](const LabelPlace& one) { return one.step != first->step; });
    if (is_shared) {
      scenario.shared_labels.push_back(first->label);
      for (auto place = first; place != end; ++place) {
        if (place->body == kNone) continue;
        Body& body = scenario.bodies[place->body];
        body.name =
            scenario.memory.copy(fmt::format("{}:{}", body.name, document.column(place->step, place->label.line)));
      }
    }
    first = end;
  }
}

}  // namespace loopsim

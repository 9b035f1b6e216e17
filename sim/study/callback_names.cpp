#include <set>

#include "loopsim/io.hpp"
#include "loopsim/study.hpp"

#include "sim/scenario/walk.hpp"

namespace loopsim {
namespace {

class Names {
 public:
  // Skips generated labels, such as "setTimeout@5": no author's name contains @.
  void add(std::string label) {
    if (label.empty() || label.find('@') != std::string::npos) return;
    if (known_.insert(label).second) names_.push_back(std::move(label));
  }

  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;  // in document order
  std::set<std::string> known_;
};

}  // namespace

std::vector<std::string> named_callbacks(const Scenario& scenario) {
  Names names;
  if (scenario.io != nullptr) {
    for (const IoGroup& group : scenario.io->groups) names.add(group.name);
    return names.take();
  }
  const auto add_awaited = [&](const Awaitable& awaitable) {
    if (const Step* const made_by = awaitable.made_by()) names.add(callback_label(scenario, *made_by, Key::do_));
  };
  const Walk walk(scenario, [&](const Step& step) {
    if (std::holds_alternative<Callback>(step.argument)) names.add(callback_label(scenario, step, Key::do_));
    const auto* const awaited = std::get_if<Awaitable>(&step.argument);
    if (awaited != nullptr && step.verb != Verb::return_) add_awaited(*awaited);
    if (const auto* several = std::get_if<List<Awaitable>>(&step.argument)) {
      for (const Awaitable& one : *several) add_awaited(one);
    }
    for (const Option& option : step.options) {
      if (std::holds_alternative<Callback>(option.value)) names.add(callback_label(scenario, step, option.key));
      if (const auto* listeners = std::get_if<List<EventListener>>(&option.value)) {
        for (const EventListener& listener : *listeners) names.add(listener_label(scenario, step, listener));
      }
    }
  });
  return names.take();
}

std::vector<std::string> named_clients(const Scenario& scenario) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const OutsideEvent& input : scenario.inputs) {
    if (!input.arrivals || input.client_name.empty()) continue;
    if (known.insert(input.client_name).second) names.push_back(input.client_name);
  }
  return names;
}

}  // namespace loopsim

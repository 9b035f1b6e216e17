// A walk over every step of a scenario.
#pragma once

#include <utility>
#include <variant>

#include "loopsim/scenario.hpp"

namespace loopsim {

// Calls `visit(step)` for every step, including nested ones.
template <typename Visit>
class Walk {
 public:
  Walk(const Scenario& scenario, Visit visit) : visit_(std::move(visit)) {
    for (const Body& body : scenario.bodies) walk(body.steps);
  }

 private:
  void walk(const Block& block) {
    for (const Step& step : block) walk(step);
  }

  void walk(const Step& step) {
    visit_(step);
    walk_argument(step.argument);
    for (const Option& option : step.options) walk_argument(option.value);
  }

  void walk(const Awaitable& awaitable) {
    if (const Step* const step = awaitable.made_by()) walk(*step);
  }

  void walk_argument(const Argument& argument) {
    if (const auto* block = std::get_if<Block>(&argument)) walk(*block);
    if (const auto* one = std::get_if<Awaitable>(&argument)) walk(*one);
    if (const auto* several = std::get_if<List<Awaitable>>(&argument)) {
      for (const Awaitable& one : *several) walk(one);
    }
  }

  Visit visit_;
};

}  // namespace loopsim

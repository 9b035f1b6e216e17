// The parts of a scenario around its steps: the version of Node, the machine, the seed, outside inputs, limits.
#pragma once

#include <cstddef>
#include <string>

#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/language.hpp"
#include "tests/fuzz/values.hpp"

namespace loopsim::fuzz {

struct Runtime {
  Json json;
  int major = 0;
  bool is_module = false;
};

class Surroundings {
 public:
  Surroundings(Choices& choices, Values& values) : choices_(choices), values_(values) {}

  [[nodiscard]] Runtime runtime();
  [[nodiscard]] Json machine();  // null: the default
  [[nodiscard]] Json seed();
  [[nodiscard]] Json inputs();
  [[nodiscard]] Json limits();  // always small

 private:
  [[nodiscard]] Json load();
  [[nodiscard]] Json periodic_load();
  [[nodiscard]] Json scheduler(Json& machine);
  [[nodiscard]] Json stalls();
  [[nodiscard]] Json signal();
  [[nodiscard]] Json arrivals(bool of_clients);
  void add_client(Json& inputs);

  Choices& choices_;
  Values& values_;
};

}  // namespace loopsim::fuzz

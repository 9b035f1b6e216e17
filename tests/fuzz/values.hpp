// Generated values in steps, other than steps, names and promises.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/language.hpp"

namespace loopsim::fuzz {

// A name in a document, and its kind in the grammar.
struct Variable {
  std::string name;
  std::string kind;
};

// Names visible at a place.
struct Known {
  std::span<const Variable> globals;
  std::span<const Variable> locals;
  std::span<const std::string> marks;

  [[nodiscard]] std::size_t size() const { return globals.size() + locals.size(); }
  [[nodiscard]] const Variable& operator[](std::size_t i) const {  // innermost first
    return i < locals.size() ? locals[locals.size() - 1 - i] : globals[size() - 1 - i];
  }
};

class Values {
 public:
  explicit Values(Choices& choices) : choices_(choices) {}

  [[nodiscard]] Json value(const Known& known);
  [[nodiscard]] Json duration();
  [[nodiscard]] Json fixed_duration();
  // The value, or sometimes a reference to a new param with it.
  [[nodiscard]] Json constant(Json value);
  // A value for the part's hole.
  [[nodiscard]] Json argument(const Part& part, int major, const Known& known);

  [[nodiscard]] Json take_params() { return std::move(params_); }

 private:
  [[nodiscard]] Json text(const Known& known);
  [[nodiscard]] Json placeholder(const Known& known, std::string_view field);
  [[nodiscard]] Json error(const Known& known);
  [[nodiscard]] Json values(const Part& part, const Known& known);
  [[nodiscard]] Json count(const Known& known);
  [[nodiscard]] Json delay(const Known& known);
  [[nodiscard]] Json duration_object();
  [[nodiscard]] Json request_times();
  [[nodiscard]] Json data(const Known& known);
  [[nodiscard]] Json value_to_write(const Known& known);
  [[nodiscard]] Json exit_code(const Known& known);
  [[nodiscard]] Json word(const Part& part, int major);

  Choices& choices_;
  Json params_ = Json::object();
};

}  // namespace loopsim::fuzz

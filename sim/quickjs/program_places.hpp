// Where a program hands over its callbacks, and what they are called there: the places and the names of the trace.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "loopsim/scenario.hpp"

#include "sim/quickjs/instance.hpp"
#include "sim/runtime/value.hpp"
#include "sim/trace/names.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::quickjs {

class ProgramPlaces {
 public:
  // All of these must outlive it; new places are appended. `columns_before`: of line 1 that are not the program's own.
  // `parts`: of the document that the source was made of; then that has the places (Script::parts).
  ProgramPlaces(std::string_view source, std::uint32_t columns_before, const Tracer& tracer, Names& names,
                std::vector<runtime::Place>& places, std::span<const ScriptPart> parts = {});
  // Before the first question. `file`: the program's name, as an atom of that world.
  void set_world(Instance& js, std::uint32_t file) {
    js_ = &js;
    file_ = file;
  }

  // The number of the place where the program calls `api` now, to hand over the function. Without a trace it has no position.
  std::uint32_t of_call(Api api, Js function);
  std::uint32_t of_await(Js resumes);  // of the function that this one resumes

  // The same for a listener that is called where caller() was `at`.
  std::uint32_t of_listener(Api api, Js function, SourcePosition at);
  [[nodiscard]] std::uint32_t line_of_function(Js function);  // 0: it is none of the program's

  // Where the program calls what runs now, in bytes; told(): as people and the trace count.
  [[nodiscard]] SourcePosition caller();
  [[nodiscard]] SourcePosition told(SourcePosition at) const;
  // `x` of `const x = setTimeout(...)`, `x = ...`, `this.x = ...`, where the call begins at this place; empty: there is none.
  [[nodiscard]] std::string_view variable_at(SourcePosition at) const;

  [[nodiscard]] const std::vector<std::string_view>& lines() const { return lines_; }
  [[nodiscard]] bool is_ascii() const { return is_ascii_; }
  [[nodiscard]] std::uint32_t columns_before() const { return columns_before_; }

 private:
  [[nodiscard]] SourcePosition in_source(SourcePosition at) const;
  [[nodiscard]] std::uint32_t callee_before(SourcePosition at) const;  // its column
  [[nodiscard]] SourcePosition await_before(SourcePosition at) const;
  // The innermost part of the kind around a place of the source; null: none.
  [[nodiscard]] const ScriptPart* part_at(ScriptPart::Kind kind, SourcePosition at) const;
  std::uint32_t place_at(Api api, SourcePosition bytes, const std::string& label);
  std::string label_of(Api api, Js function, SourcePosition at);

  const Tracer& tracer_;
  Names& names_;
  std::vector<runtime::Place>& places_;
  Instance* js_ = nullptr;
  std::uint32_t file_ = 0;
  std::uint32_t columns_before_;
  std::vector<std::string_view> lines_;
  std::span<const ScriptPart> parts_;  // inner before outer
  bool is_ascii_;
  std::map<std::tuple<Api, std::uint32_t, std::uint32_t, std::string>, std::uint32_t> numbers_;
};

}  // namespace loopsim::quickjs

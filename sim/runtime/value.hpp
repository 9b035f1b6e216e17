// A value of the simulated program, and the functions that it hands to a runtime.
#pragma once

#include <cstdint>

#include "loopsim/scenario.hpp"
#include "loopsim/trace.hpp"

namespace loopsim::runtime {

enum class Tag : std::uint8_t {
  undefined,
  null,
  boolean,
  number,
  literal,  // a string of the program; index: Program::strings
  handle,   // of libuv alone; index: the runtime's number for it
  request,
  // from here on: objects with a reference count
  string,
  error,
  list,
  record,
  timer,
  immediate,
  promise,
  emitter,
  foreign,  // what only the engine knows: its object, its string
};

struct Value {
  Tag tag = Tag::undefined;
  std::uint32_t index = 0;  // literal and objects; boolean: 0 or 1
  double number = 0;

  [[nodiscard]] bool is_object() const { return is_object(tag); }
  [[nodiscard]] static bool is_object(Tag tag) { return tag >= Tag::string; }
  static Value of_number(double n) { return {Tag::number, 0, n}; }
  static Value of_boolean(bool b) { return {Tag::boolean, b ? 1U : 0U, 0}; }
  static Value null() { return {Tag::null, 0, 0}; }
  static Value object(Tag tag, std::uint32_t index) { return {tag, index, 0}; }
};

// A function that the program hands to the runtime, with its arguments. Only the engine knows the meaning of the fields.
// References to the context and the arguments go with it.
struct Callable {
  std::uint32_t place = kNone;      // where it was handed over
  std::uint32_t context = kNone;    // its closure
  std::uint32_t arguments = kNone;  // a ListObject, or kNone
};

// A callback that was handed over and waits to run, or runs again and again (listeners).
struct Callback {
  std::uint32_t place = kNone;
  std::uint32_t context = kNone;
  std::uint32_t arguments = kNone;
  std::uint64_t id = 0;
  std::uint64_t by = 0;
};

// Trace data of a place at which a program hands over a callback, or of a function's body.
// Aligned so that an index is a shift: it is read for every callback (20 bytes cost 3 to 7 % of ticks and immediates).
struct alignas(32) Place {
  std::uint32_t label = kNoName;  // names
  std::uint32_t line = 0, column = 0;
  Api api = Api::none;
  // The start of its function, as the engine counts, if it can run without a frame (Engine::run_leaf); else kNone.
  std::uint32_t leaf = kNone;
};

}  // namespace loopsim::runtime

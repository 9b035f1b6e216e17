// The end of the process: process.exitCode and process.exit(), uncaught exceptions
// (lib/internal/process/per_thread.js, execution.js; lib/internal/bootstrap/node.js; src/api/hooks.cc,
// src/node_errors.cc).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/node/context.hpp"

namespace loopsim::node {

class Exit : public Part {
 public:
  using Part::Part;

  [[nodiscard]] bool is_exiting() const { return exiting_; }  // process._exiting: ticks are refused

  // ---- process.exitCode (exit_code.cpp) -----------------------------------------------------------------------------------------
  [[nodiscard]] std::int64_t to_code(const Value& value) const;  // Int32Value()
  Flow set_code(const Value& code);                              // process.exitCode = code; may throw
  [[nodiscard]] double code_told_before_exit() const;            // argument of 'beforeExit'
  // What Node itself has assigned: 1 after an exception, 13 for an unsettled await; 0: nothing.
  [[nodiscard]] std::int64_t own_code() const { return own_code_; }

  // ---- ways to end ----------------------------------------------------------------------------------------------------------------
  // process.exit(); null: without an argument. Flow::stop, or threw when a listener did.
  Flow process_exit(const Value* code);
  Flow emit_exit(const Value& code);    // its first part, the 'exit' listeners, once; Flow::normal: now the second
  Flow really_exit(std::int64_t code);  // process.reallyExit(): the end. Flow::stop
  void emit_naturally();                // nothing is left to do: 'exit', and the end
  // The engine's exception has reached the top of the stack. Flow::normal: a listener of 'uncaughtException' took it.
  Flow handle_uncaught(bool from_promise);
  // process._fatalException(), of the engine's exception, where the program captures exceptions. Flow::threw: that function has
  // thrown, and the engine holds what.
  Flow offer_to_capture();

 private:
  Flow check_code(const Value& code);
  [[nodiscard]] Value origin_of(std::string_view text);
  Flow offer_uncaught(const Value& error, const Value& origin);  // was_taken_ tells whether a listener took it
  Flow end_by_handler();
  Flow end_by_exception(const Value& error, bool from_promise);
  [[nodiscard]] std::string specific_type(const Value& value) const;
  [[nodiscard]] Value code_told_by_exit() const;

  bool exiting_ = false;
  bool was_taken_ = false;  // the last uncaught exception, by a listener
  std::int64_t code_ = 0;
  std::int64_t own_code_ = 0;
  bool code_set_ = false;
  bool code_is_int32_ = false;
  double code_whole_ = 0;  // the same before the cut to 32 bits (ECMAScript, ToIntegerOrInfinity)
  Value assigned_;         // the value itself, of which this holds a reference
};

}  // namespace loopsim::node

// The end of the process: process.exitCode and process.exit(), uncaught exceptions
// (lib/internal/process/per_thread.js, execution.js; lib/internal/bootstrap/node.js; src/api/hooks.cc,
// src/node_errors.cc).
#pragma once

#include <cstdint>
#include <string>

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
  Flow process_exit(
      const Value* code);  // process.exit(); null: without an argument. Flow::stop, or threw when a listener did
  void emit_naturally();   // nothing is left to do: 'exit', and the end
  // The engine's exception has reached the top of the stack. Flow::normal: a listener of 'uncaughtException' took it.
  Flow handle_uncaught(bool from_promise);
  // process._fatalException(), of the engine's exception, where the program captures exceptions. Flow::threw: that function has
  // thrown, and the engine holds what.
  Flow offer_to_capture();

 private:
  Flow check_code(const Value& code);
  Flow offer_uncaught(const Value& error, const Value& origin);  // was_taken_ tells whether a listener took it
  Flow end_by_handler();
  Flow end_by_exception(const Value& error, bool from_promise);
  [[nodiscard]] std::string specific_type(const Value& value) const;

  bool exiting_ = false;
  bool was_taken_ = false;  // the last uncaught exception, by a listener
  std::int64_t code_ = 0;
  std::int64_t own_code_ = 0;
  bool code_set_ = false;
  bool code_is_int32_ = false;
  double code_whole_ = 0;  // the same before the cut to 32 bits (ECMAScript, ToIntegerOrInfinity)
};

}  // namespace loopsim::node

// Follows a program step by step: lines, calls and returns of its functions, and what its variables hold, as steps of the
// trace (docs/trace-format.md).
//
// QuickJS tells each instruction before it runs (Host::instruction), and the parser has marked where statements begin. The
// rest is read from the memory of the world. So the program is compiled and run as without it: nothing is inserted into
// its text or its bytecode, no function is called, no value is made, and no jump is counted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/node/environment.hpp"
#include "sim/quickjs/heap_view.hpp"
#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/layout.hpp"
#include "sim/trace/names.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::quickjs {

class Stepper {
 public:
  // `main`: the file of the main script; `lines`: its text, empty if that is ASCII, whose columns need no change. After
  // `most` steps a last one says that there would have been more. All of them must outlive it.
  Stepper(Instance& world, Tracer& tracer, Names& names, const runtime::Callbacks& callbacks, std::string main,
          std::span<const std::string_view> lines, std::uint64_t most);

  // The text of this file is compiled as the body of a function, which begins with `shift` characters of ours.
  void note_wrapped(const std::string& file, std::uint32_t shift) { shifts_[file] = shift; }
  // While it is paused, what runs is not the program's: the wrapper of a script.
  void pause(bool is_paused) { is_paused_ = is_paused; }

  std::uint32_t statement(std::uint32_t parser, bool begins);
  std::uint32_t position(std::uint32_t function, std::uint32_t line, std::uint32_t column);
  void instruction(std::uint32_t pc, std::uint32_t sp);
  // Node goes on: functions that an exception has ended have ended.
  void settle();

 private:
  struct Statement {
    std::uint32_t line = 0, column = 0;
    bool is_loop = false;
    std::vector<std::int32_t> scopes;  // lexical scopes around it, innermost first, by their number in the function
    std::vector<std::uint32_t>
        visible;  // the variables of its function that are seen there: indices into Code::variables
    bool knows_visible = false;
  };
  // A position of the text as the parser emits it, or where a statement begins, or one within it has ended.
  struct Position {
    std::uint32_t line = 0, column = 0;  // 0: none of the text's own
    std::uint32_t statement = kNone;     // into statements_: the innermost one there
  };
  // A function that is being parsed: the statements around this place, and how much bytecode it has.
  struct Parsed {
    std::uint32_t code_size = 0;
    std::vector<std::uint32_t> statements;
  };
  struct Mark {
    std::uint32_t offset = 0, statement = kNone;  // in the bytecode; into statements_
    bool begins = false;
  };
  struct Variable {
    std::string name;
    std::int32_t scope = 0;
    bool is_captured = false;
    std::uint32_t reference = 0;  // if captured: index of its JSVarRef in the frame
  };
  // A function's code, once it has run.
  struct Code {
    std::uint32_t size = 0, positions = 0, positions_size = 0, name = 0, line = 0, column = 0;  // to know it again
    bool is_programs = false;
    bool has_simple_parameters = true;
    bool is_wrapper = false;          // the function that a script is the body of, or a module
    std::string file;                 // empty: the main script
    std::uint32_t shift = 0;          // of the columns in line 1
    std::vector<Mark> marks;          // by offset
    std::vector<Variable> variables;  // arguments, then the others; those without a name are none of the program's
    std::uint32_t arguments = 0;
    std::vector<std::string> closure;
  };
  struct Told {
    Js value = 0;
    std::string text;
    ValueKind kind = ValueKind::undefined;
    bool is_cut = false;
    std::uint32_t variable = kNone;  // which one of its function; kNone: told by a function within it
    bool is_gone = false;
  };
  // One call of a function: its variables.
  struct Activation {
    std::uint64_t number = 0, outer = 0;
    std::uint32_t label = kNoName;
    std::map<std::string, Told, std::less<>> told;
    std::uint32_t seen = kNone;  // the statement whose variables were told last
  };
  struct Frame {
    std::uint32_t at = 0, function = 0;  // JSStackFrame; JSObject
    const Code* code = nullptr;
    std::uint32_t first = 0;  // address of its bytecode
    std::shared_ptr<Activation> activation;
    std::uint32_t from = 0, to = 0;  // offsets of the instructions of the current statement
    std::uint32_t mark = kNone;      // the current statement: an index into marks
    std::uint32_t last = kNone;      // offset of the last instruction
    enum class End : std::uint8_t { no, returned, calls, waits };  // calls: it ends with the call that it makes last
    End end = End::no;
  };

  [[nodiscard]] layout::Op op_at(std::uint32_t pc) const { return heap_.at<layout::Op>(pc); }
  [[nodiscard]] bool is_file_of_program(const std::string& file) const;
  bool is_parsing_program(std::uint32_t function);
  Parsed& parsed(std::uint32_t function);
  std::uint32_t number_of(const Position& position);
  const Code& code_of(std::uint32_t bytecode);
  void read_code(std::uint32_t bytecode, Code& code);
  void take_marks(std::uint32_t bytecode, Code& code);
  [[nodiscard]] std::uint32_t bytecode_of(std::uint32_t frame) const;  // 0: it has none

  void forget_marks(std::uint32_t frame);
  [[nodiscard]] std::size_t place_of_known(std::uint32_t frame) const;
  void enter(std::uint32_t frame, std::uint32_t pc);
  void pop(std::size_t depth);
  void push(std::uint32_t frame, bool is_begin);
  void find_statement(Frame& frame, std::uint32_t offset);

  Event* tell(EventKind kind, std::string_view text, const Frame& frame);
  void tell_scope(ScopeStep step, const Frame& frame);
  void tell_back(const Frame& frame);
  void tell_leave(Frame& frame, Completion how, Js value);
  const std::vector<std::uint32_t>& visible_at(const Code& code, std::uint32_t statement);
  // `mark`: of the statement that is next, whose variables are told.
  void tell_variables(Frame& frame, std::uint32_t mark);
  void tell_variables(Frame& frame) { tell_variables(frame, frame.mark); }
  void tell_gone(const Frame& frame, std::uint32_t statement);
  void note_captured(const Frame& frame);
  void tell_variable(const Frame& frame, Activation& owner, const std::string& name, Js value, std::uint32_t variable);

  HeapView heap_;
  Tracer& tracer_;
  Names& names_;
  const runtime::Callbacks& callbacks_;
  std::string main_;
  std::span<const std::string_view> lines_;
  std::uint64_t most_, steps_told_ = 0, activations_ = 0;
  std::uint32_t stack_frame_;  // where the runtime says which frame is the innermost
  std::map<std::string, std::uint32_t> shifts_;
  bool is_paused_ = false;
  std::vector<Statement> statements_;
  std::vector<Position> positions_;
  std::unordered_map<std::uint32_t, Parsed> parsed_;  // lookup only, never iterated: by JSFunctionDef
  std::uint32_t parsed_file_ = 0;                     // the last one that was asked for, and the answer
  bool is_parsed_file_ = false;
  std::unordered_map<std::uint32_t, std::unique_ptr<Code>> codes_;  // lookup only, never iterated: by bytecode
  std::vector<Frame> frames_;                                       // of the program, innermost last
  std::uint32_t current_function_ = 0;
  std::uint32_t current_ = 0;                         // the frame of the last instruction
  bool is_programs_ = false;                          // whether that is frames_.back()
  std::unordered_map<std::uint32_t, Frame> waiting_;  // lookup only, never iterated: at an await or yield, by frame
  // By JSVarRef: the call whose variable it is.
  std::unordered_map<std::uint32_t, std::shared_ptr<Activation>> owners_;  // lookup only, never iterated
  std::vector<std::uint32_t> chain_;
  Js returned_ = kUndefined;  // by the function that ended last; only to be shown at once
  struct Place {
    std::uint64_t scope = 0, callback = 0;
    std::size_t depth = 0;
    bool operator==(const Place&) const = default;
  } told_at_;
};

}  // namespace loopsim::quickjs

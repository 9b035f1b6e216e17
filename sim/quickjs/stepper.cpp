#include "sim/quickjs/stepper.hpp"

#include <algorithm>
#include <utility>

#include "sim/quickjs/columns.hpp"
#include "sim/quickjs/layout.hpp"

namespace loopsim::quickjs {

using layout::Op;
using layout::Token;

namespace {

// What stands in place of the line of a position in the bytecode: kMark, and kMarkStep times its number. The step is that
// large so that the table of positions has no shorter form for it, and true positions fit into its place.
constexpr std::uint32_t kMark = 1U << 28U, kMarkStep = 64;
constexpr std::size_t kMostVariables = 40;  // of a function, and of those around it
constexpr int kMostScopes = 64;

bool is_jump(Op op) {
  return op == Op::goto_ || op == Op::goto8 || op == Op::goto16 || op == Op::if_true || op == Op::if_true8 ||
         op == Op::if_false || op == Op::if_false8;
}

bool is_loop(std::int32_t token) {
  return token == static_cast<std::int32_t>(Token::while_) || token == static_cast<std::int32_t>(Token::for_) ||
         token == static_cast<std::int32_t>(Token::do_);
}

// A block's statements are told by themselves; functions are made where their scope begins; of `if (x) break;` QuickJS
// makes one jump, so that nobody can tell when it comes to the second part.
bool is_told(std::int32_t token) {
  return token != '{' && token != ';' && token != static_cast<std::int32_t>(Token::function) &&
         token != static_cast<std::int32_t>(Token::break_) && token != static_cast<std::int32_t>(Token::continue_);
}

bool makes_function(Op op) { return op == Op::fclosure || op == Op::fclosure8; }

// Names that QuickJS gives its own variables: "<ret>", "this", "new.target" ...
bool is_name(std::string_view name) {
  if (name.empty() || name == "this" || name == "arguments" || name == "home_object" || name == "*default*")
    return false;
  return std::ranges::none_of(name, [](char c) { return c == '<' || c == '.' || c == '#'; });
}

}  // namespace

Stepper::Stepper(Instance& world, Tracer& tracer, Names& names, const runtime::Callbacks& callbacks, std::string main,
                 std::span<const std::string_view> lines, std::uint64_t most)
    : heap_(world),
      tracer_(tracer),
      names_(names),
      callbacks_(callbacks),
      main_(std::move(main)),
      lines_(lines),
      most_(most),
      stack_frame_(world.runtime() + layout::runtime::current_stack_frame) {}

bool Stepper::is_file_of_program(const std::string& file) const {
  return !file.empty() && file[0] != '<' && !file.starts_with("node:") &&
         file.find("node_modules/") == std::string::npos;
}

// ---- the parser -----------------------------------------------------------------------------------------------------

std::uint32_t Stepper::statement(std::uint32_t parser, bool begins) {
  namespace at = layout::parser;
  const std::uint32_t function = heap_.word(parser + at::function);
  if (!is_parsing_program(function)) return 0;
  Parsed& it = parsed(function);
  if (!begins) {
    if (!it.statements.empty()) it.statements.pop_back();
    return number_of({0, 0, it.statements.empty() ? kNone : it.statements.back()});
  }
  const auto token = heap_.at<std::int32_t>(parser + at::token);
  if (!is_told(token)) {
    it.statements.push_back(it.statements.empty() ? kNone : it.statements.back());
    return 0;
  }
  Statement statement = {heap_.word(parser + at::line), heap_.word(parser + at::column), is_loop(token), {}, {}, false};
  const std::uint32_t scopes = heap_.word(function + layout::function_definition::scopes);
  auto scope = heap_.at<std::int32_t>(function + layout::function_definition::scope);
  for (int i = 0; i < kMostScopes && scope >= 0; ++i) {
    statement.scopes.push_back(scope);
    const std::uint32_t row = scopes + static_cast<std::uint32_t>(scope) * layout::scope::size;
    scope = heap_.at<std::int32_t>(row + layout::scope::parent);
  }
  statements_.push_back(std::move(statement));
  it.statements.push_back(static_cast<std::uint32_t>(statements_.size() - 1));
  return number_of({0, 0, it.statements.back()});
}

std::uint32_t Stepper::position(std::uint32_t function, std::uint32_t line, std::uint32_t column) {
  if (line >= kMark || !is_parsing_program(function)) return 0;
  const Parsed& it = parsed(function);
  return number_of({line, column, it.statements.empty() ? kNone : it.statements.back()});
}

bool Stepper::is_parsing_program(std::uint32_t function) {
  const std::uint32_t file = heap_.word(function + layout::function_definition::file);
  if (file != parsed_file_) {
    parsed_file_ = file;
    is_parsed_file_ = is_file_of_program(heap_.atom(file));
  }
  return is_parsed_file_;
}

// A new function may be where an old one was: then it has less bytecode.
Stepper::Parsed& Stepper::parsed(std::uint32_t function) {
  Parsed& it = parsed_[function];
  const std::uint32_t size = heap_.word(function + layout::function_definition::code_size);
  if (size < it.code_size) it = {};
  it.code_size = size;
  return it;
}

std::uint32_t Stepper::number_of(const Position& position) {
  positions_.push_back(position);
  return kMark + kMarkStep * static_cast<std::uint32_t>(positions_.size() - 1);
}

// ---- code -----------------------------------------------------------------------------------------------------------

std::uint32_t Stepper::bytecode_of(std::uint32_t frame) const {
  const Js function = heap_.at<Js>(frame + layout::stack_frame::function);
  return heap_.is_closure(function) ? heap_.word(pointer_of(function) + layout::object::data) : 0;
}

// What is at an address may have been freed, and be another function now.
const Stepper::Code& Stepper::code_of(std::uint32_t bytecode) {
  namespace at = layout::bytecode;
  std::unique_ptr<Code>& code = codes_[bytecode];
  const auto now = [&](std::uint32_t offset) { return heap_.word(bytecode + offset); };
  if (code != nullptr && code->size == now(at::code_size) && code->positions == now(at::positions) &&
      code->positions_size == now(at::positions_size) && code->name == now(at::name) && code->line == now(at::line) &&
      code->column == now(at::column))
    return *code;
  code = std::make_unique<Code>();
  read_code(bytecode, *code);
  return *code;
}

void Stepper::read_code(std::uint32_t bytecode, Code& code) {
  namespace at = layout::bytecode;
  code.size = heap_.word(bytecode + at::code_size);
  code.positions = heap_.word(bytecode + at::positions);
  code.positions_size = heap_.word(bytecode + at::positions_size);
  code.name = heap_.word(bytecode + at::name);
  code.line = heap_.word(bytecode + at::line);
  code.column = heap_.word(bytecode + at::column);
  const std::string file = heap_.atom(heap_.word(bytecode + at::file));
  if (!is_file_of_program(file)) return;
  const std::string name = heap_.atom(code.name);
  code.is_programs = name != "<class_fields_init>" && name != "<static>";
  if (file != main_) code.file = file;
  if (const auto known = shifts_.find(file); known != shifts_.end()) code.shift = known->second;
  take_marks(bytecode, code);

  code.has_simple_parameters = (heap_.at<std::uint8_t>(bytecode + at::flags) & at::has_simple_parameters) != 0;
  code.arguments = heap_.half(bytecode + at::argument_count);
  const std::uint32_t count = code.arguments + heap_.half(bytecode + at::variable_count);
  const std::uint32_t rows = heap_.word(bytecode + at::variables);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t row = rows + i * layout::variable::size;
    Variable variable;
    variable.name = heap_.atom(heap_.word(row + layout::variable::name));
    if (!is_name(variable.name)) variable.name.clear();
    variable.scope = heap_.at<std::int32_t>(row + layout::variable::scope);
    variable.is_captured = (heap_.at<std::uint8_t>(row + layout::variable::flags) & layout::variable::is_captured) != 0;
    variable.reference = heap_.half(row + layout::variable::reference);
    code.variables.push_back(std::move(variable));
  }
  const std::uint32_t closed = heap_.half(bytecode + at::closure_count);
  const std::uint32_t outer = heap_.word(bytecode + at::closure);
  for (std::uint32_t i = 0; i < closed; ++i)
    code.closure.push_back(
        heap_.atom(heap_.word(outer + i * layout::closure_variable::size + layout::closure_variable::name)));

  const bool is_module = name == "<eval>";
  code.is_wrapper = is_module || (code.line == 1 && code.column < code.shift && code.arguments == 5 &&
                                  code.variables[0].name == "exports" && code.variables[4].name == "__dirname");
  if (code.is_wrapper) {
    for (std::uint32_t i = 0; i < code.arguments; ++i) code.variables[i].name.clear();
  }
}

// Takes the marks of statements out of the table of positions, so that it is what it would be without them.
void Stepper::take_marks(std::uint32_t bytecode, Code& code) {
  struct Row {
    std::uint32_t offset = 0;
    std::int64_t line = 0, column = 0;
  };
  constexpr std::int64_t kLineBase = -1, kLineRange = 5, kFirst = 1, kMostOffset = (255 - kFirst) / kLineRange;
  std::vector<Row> rows;
  std::uint32_t i = 0;
  const auto unsigned_number = [&] {
    std::uint64_t value = 0;
    for (unsigned shift = 0; i < code.positions_size && shift < 64; shift += 7) {
      const auto byte = heap_.at<std::uint8_t>(code.positions + i++);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) break;
    }
    return value;
  };
  const auto signed_number = [&] {  // the sign is in the lowest bit
    const std::uint64_t value = unsigned_number();
    return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
  };
  Row now = {0, code.line, code.column};
  bool has_marks = false;
  std::uint32_t statement = kNone;
  std::set<std::uint32_t> begun;
  while (i < code.positions_size) {
    const std::int64_t op = heap_.at<std::uint8_t>(code.positions + i++);
    if (op == 0) {
      now.offset += static_cast<std::uint32_t>(unsigned_number());
      now.line += signed_number();
    } else {
      now.offset += static_cast<std::uint32_t>((op - kFirst) / kLineRange);
      now.line += (op - kFirst) % kLineRange + kLineBase;
    }
    now.column += signed_number();
    if (now.line < kMark) {
      rows.push_back(now);
      continue;
    }
    has_marks = true;
    const auto number = static_cast<std::size_t>(now.line - kMark) / kMarkStep;
    if (number >= positions_.size()) continue;
    const Position& position = positions_[number];
    // A position directly behind the beginning of a statement has taken its place, so each tells its statement.
    if (position.statement != statement) {
      statement = position.statement;
      const bool begins = statement != kNone && begun.insert(statement).second;
      code.marks.push_back({now.offset, statement, begins});
    }
    const bool is_same = !rows.empty() && rows.back().line == position.line && rows.back().column == position.column;
    if (position.line != 0 && !is_same) rows.push_back({now.offset, position.line, position.column});
  }
  if (!has_marks) return;

  std::vector<std::uint8_t> bytes;
  const auto put_unsigned = [&](std::uint64_t value) {
    for (; value > 0x7F; value >>= 7U) bytes.push_back(static_cast<std::uint8_t>(0x80U | (value & 0x7FU)));
    bytes.push_back(static_cast<std::uint8_t>(value));
  };
  const auto put_signed = [&](std::int64_t value) {
    put_unsigned(static_cast<std::uint64_t>(value) << 1U ^ (value < 0 ? ~std::uint64_t{0} : std::uint64_t{0}));
  };
  Row last = {0, code.line, code.column};
  for (const Row& one : rows) {
    const std::int64_t offset = one.offset - last.offset, line = one.line - last.line;
    if (line >= kLineBase && line < kLineBase + kLineRange && offset <= kMostOffset) {
      bytes.push_back(static_cast<std::uint8_t>(line - kLineBase + offset * kLineRange + kFirst));
    } else {
      bytes.push_back(0);
      put_unsigned(static_cast<std::uint64_t>(offset));
      put_signed(line);
    }
    put_signed(one.column - last.column);
    last = one;
  }
  code.positions_size = std::min(code.positions_size, static_cast<std::uint32_t>(bytes.size()));
  heap_.write(code.positions, bytes.data(), code.positions_size);
  heap_.write(bytecode + layout::bytecode::positions_size, &code.positions_size, sizeof code.positions_size);
}

// ---- the stack ------------------------------------------------------------------------------------------------------

void Stepper::instruction(std::uint32_t pc, std::uint32_t sp) {
  if (is_paused_) return;
  const std::uint32_t frame = heap_.word(stack_frame_);
  const std::uint32_t function = heap_.word(frame + layout::stack_frame::function);
  const bool is_other = frame != current_ || function != current_function_;
  current_function_ = function;
  if (steps_told_ > most_) {
    current_ = frame;
    if (is_other) forget_marks(frame);
    return;
  }
  if (is_other || (is_programs_ && (frames_.back().end != Frame::End::no || pc == frames_.back().first)))
    enter(frame, pc);
  if (!is_programs_) return;
  Frame& now = frames_.back();
  const std::uint32_t offset = pc - now.first;
  if (now.last != kNone && makes_function(op_at(now.first + now.last))) note_captured(now);
  now.last = offset;
  if (offset < now.from || offset >= now.to) find_statement(now, offset);
  switch (op_at(pc)) {
    case Op::return_:
    case Op::return_async: tell_leave(now, Completion::normal, heap_.at<Js>(sp - 8)); break;
    case Op::return_undef: tell_leave(now, Completion::normal, kUndefined); break;
    case Op::tail_call:
    case Op::tail_call_method:
      tell_variables(now);
      now.end = Frame::End::calls;
      returned_ = kUndefined;  // until the called function returns; of one in C nothing is known
      break;
    case Op::await:
    case Op::yield:
    case Op::yield_star:
    case Op::async_yield_star:
    case Op::initial_yield:
      tell_variables(now);
      now.end = Frame::End::waits;
      break;
    default: break;
  }
}

// Nothing more is told, but what runs must have its true positions.
void Stepper::forget_marks(std::uint32_t frame) {
  if (const std::uint32_t bytecode = bytecode_of(frame); bytecode != 0) code_of(bytecode);
}

// Among the last of the known frames: how many there are up to this one; 0: it is none of them.
std::size_t Stepper::place_of_known(std::uint32_t frame) const {
  constexpr std::size_t kLast = 4;
  for (std::size_t i = frames_.size(); i > 0 && i + kLast > frames_.size(); --i)
    if (frames_[i - 1].at == frame) return i;
  return 0;
}

// Another frame runs than before, or one at the same place.
void Stepper::enter(std::uint32_t frame, std::uint32_t pc) {
  current_ = frame;
  chain_.clear();
  // Each instruction is told: what stands below a frame that is known is as it was. Else a deep recursion would take its square.
  std::size_t known = 0;
  for (std::uint32_t at = frame; at != 0; at = heap_.word(at + layout::stack_frame::previous)) {
    const std::uint32_t bytecode = bytecode_of(at);
    if (bytecode == 0 || !code_of(bytecode).is_programs) continue;
    chain_.push_back(at);
    known = place_of_known(at);
    if (known != 0) break;
  }
  is_programs_ = !chain_.empty() && chain_.front() == frame;
  for (std::size_t i = known; i > 1; --i) chain_.push_back(frames_[i - 2].at);
  std::ranges::reverse(chain_);
  std::size_t kept = known == 0 ? 0 : known - 1;
  while (kept < frames_.size() && kept < chain_.size() && frames_[kept].at == chain_[kept] &&
         frames_[kept].function == pointer_of(heap_.at<Js>(chain_[kept] + layout::stack_frame::function)))
    ++kept;
  if (is_programs_ && kept == chain_.size()) {  // the running one is known: or is it a new call at the same place?
    const Frame& top = frames_[kept - 1];
    const bool begins_anew = pc == top.first && top.last != kNone && !is_jump(op_at(top.first + top.last));
    if (top.end != Frame::End::no || begins_anew) --kept;
  }
  pop(kept);
  for (std::size_t i = kept; i < chain_.size(); ++i) {
    const std::uint32_t code = heap_.word(bytecode_of(chain_[i]) + layout::bytecode::code);
    push(chain_[i], chain_[i] != frame || pc == code);
  }
}

void Stepper::settle() {
  if (frames_.empty()) return;
  current_ = 0;
  const std::uint32_t frame = heap_.word(stack_frame_);
  std::size_t kept = 0;
  chain_.clear();
  for (std::uint32_t at = frame; at != 0; at = heap_.word(at + layout::stack_frame::previous)) chain_.push_back(at);
  while (kept < frames_.size() && std::ranges::find(chain_, frames_[kept].at) != chain_.end() &&
         frames_[kept].end != Frame::End::returned)
    ++kept;
  pop(kept);
  is_programs_ = false;
}

// Ends the frames above this depth.
void Stepper::pop(std::size_t depth) {
  while (frames_.size() > depth) {
    Frame& frame = frames_.back();
    switch (frame.end) {
      case Frame::End::no: tell_leave(frame, Completion::throw_, kUndefined); break;
      case Frame::End::calls: tell_leave(frame, Completion::normal, returned_); break;
      case Frame::End::returned: break;
      case Frame::End::waits:
        frame.end = Frame::End::no;
        waiting_.insert_or_assign(frame.at, frame);
        break;
    }
    frames_.pop_back();
  }
}

void Stepper::push(std::uint32_t at, bool is_begin) {
  if (!frames_.empty()) tell_variables(frames_.back());
  const Js function = heap_.at<Js>(at + layout::stack_frame::function);
  if (const auto known = waiting_.find(at); known != waiting_.end()) {
    Frame frame = std::move(known->second);
    waiting_.erase(known);
    if (!is_begin && frame.function == pointer_of(function)) {
      frame.from = frame.to = 0;
      frame.mark = kNone;
      frames_.push_back(std::move(frame));
      tell_scope(ScopeStep::resume, frames_.back());
      return;
    }
  }
  Frame frame;
  frame.at = at;
  frame.function = pointer_of(function);
  const std::uint32_t bytecode = bytecode_of(at);
  frame.code = &code_of(bytecode);
  frame.first = heap_.word(bytecode + layout::bytecode::code);
  frame.activation = std::make_shared<Activation>();
  Activation& activation = *frame.activation;
  activation.number = ++activations_;
  std::string name = frame.code->is_wrapper ? (frame.code->file.empty() ? "main" : frame.code->file)
                                            : heap_.function_name(frame.function);
  if (!name.empty()) activation.label = names_.of(name);
  // The innermost call around it: of those whose variables it uses, the last one.
  const std::uint32_t references = heap_.word(frame.function + layout::object::second);
  for (std::uint32_t i = 0; i < frame.code->closure.size(); ++i) {
    const auto owner = owners_.find(heap_.word(references + 4 * i));
    if (owner != owners_.end()) activation.outer = std::max(activation.outer, owner->second->number);
  }
  frames_.push_back(std::move(frame));
  tell_scope(ScopeStep::call, frames_.back());
  if (frames_.back().code->has_simple_parameters) tell_variables(frames_.back());
}

// The statement of an instruction, which is told when it is another one than before, or begins again.
void Stepper::find_statement(Frame& frame, std::uint32_t offset) {
  const std::vector<Mark>& marks = frame.code->marks;
  const auto next = std::ranges::upper_bound(marks, offset, {}, &Mark::offset);
  frame.from = next == marks.begin() ? 0 : std::prev(next)->offset;
  frame.to = next == marks.end() ? UINT32_MAX : next->offset;
  if (next == marks.begin()) return;  // what comes before the first statement: parameters
  const auto index = static_cast<std::uint32_t>(std::prev(next) - marks.begin());
  const Mark& mark = marks[index];
  if (mark.statement == kNone) return;  // what comes behind the last one
  const bool goes_on = frame.mark != kNone && marks[frame.mark].statement == mark.statement;
  if (!goes_on) tell_variables(frame, index);
  frame.mark = index;
  // Behind a part of it a loop comes back to its line; other statements are over then.
  const bool begins = mark.begins && mark.offset == offset;
  if (goes_on || (!begins && !statements_[mark.statement].is_loop)) return;
  tell_back(frame);
  if (Event* event = tell(EventKind::line, frame.code->file, frame)) {
    event->name = frame.activation->label;
    event->c = static_cast<std::int64_t>(frames_.size());
  }
}

// ---- the trace ------------------------------------------------------------------------------------------------------

// Null when there were too many steps before.
Event* Stepper::tell(EventKind kind, std::string_view text, const Frame& frame) {
  if (steps_told_ > most_) return nullptr;
  if (steps_told_++ == most_) {
    tracer_.add_step(EventKind::steps_end, {}).a = static_cast<std::int64_t>(most_);
    return nullptr;
  }
  Event& event = tracer_.add_step(kind, text);
  const Code& code = *frame.code;
  event.line = code.line;
  event.column = code.column;
  if (frame.mark != kNone) {
    const Statement& statement = statements_[code.marks[frame.mark].statement];
    event.line = statement.line;
    event.column = statement.column;
  }
  if (event.line == 1) event.column -= std::min(event.column - 1, code.shift);
  if (code.file.empty() && event.line != 0 && event.line <= lines_.size())
    event.column = utf16_column(lines_[event.line - 1], event.column);
  return &event;
}

void Stepper::tell_scope(ScopeStep step, const Frame& frame) {
  Event* event = tell(EventKind::scope, {}, frame);
  if (event == nullptr) return;
  event->detail = static_cast<std::uint8_t>(step);
  event->name = frame.activation->label;
  event->a = static_cast<std::int64_t>(frame.activation->number);
  event->b = static_cast<std::int64_t>(frame.activation->outer);
  event->c = static_cast<std::int64_t>(frames_.size());
  told_at_ = {frame.activation->number, callbacks_.running(), frames_.size()};
}

void Stepper::tell_back(const Frame& frame) {
  const Place now = {frame.activation->number, callbacks_.running(), frames_.size()};
  if (now != told_at_) tell_scope(ScopeStep::back, frame);
}

void Stepper::tell_leave(Frame& frame, Completion how, Js value) {
  if (how == Completion::normal) {
    tell_variables(frame);
    tell_back(frame);
  }
  frame.end = Frame::End::returned;
  returned_ = value;
  BoundedText text(kMostStepText);
  if (how == Completion::normal && value != kUndefined) heap_.show(text, value);
  Event* event = tell(EventKind::leave, text.text(), frame);
  if (event == nullptr) return;
  event->detail = static_cast<std::uint8_t>(how);
  event->detail2 = static_cast<std::uint8_t>(heap_.kind_of(value));
  event->name = frame.activation->label;
  event->b = text.is_cut() ? 1 : -1;
  event->c = static_cast<std::int64_t>(frames_.size());
}

// The cells of its variables that functions made in it use; the next round of a loop has others.
void Stepper::note_captured(const Frame& frame) {
  const std::uint32_t references = heap_.word(frame.at + layout::stack_frame::references);
  for (const Variable& variable : frame.code->variables) {
    if (!variable.is_captured) continue;
    if (const std::uint32_t cell = heap_.word(references + 4 * variable.reference); cell != 0)
      owners_.insert_or_assign(cell, frame.activation);
  }
}

// Of several variables with one name the innermost is seen.
const std::vector<std::uint32_t>& Stepper::visible_at(const Code& code, std::uint32_t statement) {
  Statement& it = statements_[statement];
  if (it.knows_visible) return it.visible;
  it.knows_visible = true;
  std::map<std::string_view, std::pair<std::size_t, std::uint32_t>> innermost;  // how far out, and which
  for (std::uint32_t i = 0; i < code.variables.size(); ++i) {
    const Variable& variable = code.variables[i];
    if (variable.name.empty()) continue;
    std::size_t outwards = it.scopes.size();  // parameters, and what `var` declares
    if (i >= code.arguments && variable.scope != 0) {
      const auto scope = std::ranges::find(it.scopes, variable.scope);
      if (scope == it.scopes.end()) continue;
      outwards = static_cast<std::size_t>(scope - it.scopes.begin());
    }
    const auto [known, is_new] = innermost.try_emplace(variable.name, outwards, i);
    if (!is_new && outwards < known->second.first) known->second = {outwards, i};
  }
  for (const auto& [name, found] : innermost) it.visible.push_back(found.second);
  std::ranges::sort(it.visible);
  if (it.visible.size() > kMostVariables) it.visible.resize(kMostVariables);
  return it.visible;
}

// What has changed since they were told: the variables of the function that are in scope, and those around it that it
// uses.
void Stepper::tell_variables(Frame& frame, std::uint32_t mark) {
  if (steps_told_ > most_) return;
  const Code& code = *frame.code;
  const std::uint32_t arguments = heap_.word(frame.at + layout::stack_frame::arguments);
  const std::uint32_t variables = heap_.word(frame.at + layout::stack_frame::variables);
  note_captured(frame);
  const auto tell_own = [&](std::uint32_t i) {
    if (code.variables[i].name.empty()) return;
    const std::uint32_t place = i < code.arguments ? arguments + i * 8 : variables + (i - code.arguments) * 8;
    tell_variable(frame, *frame.activation, code.variables[i].name, heap_.at<Js>(place), i);
  };
  if (mark == kNone || code.marks[mark].statement == kNone) {
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(code.arguments, kMostVariables); ++i) tell_own(i);
  } else {
    const std::uint32_t statement = code.marks[mark].statement;
    if (frame.activation->seen != statement) tell_gone(frame, statement);
    for (const std::uint32_t i : visible_at(code, statement)) tell_own(i);
  }
  const std::uint32_t closed = heap_.word(frame.function + layout::object::second);
  std::size_t shown = 0;
  for (std::uint32_t i = 0; i < code.closure.size() && shown < kMostVariables; ++i) {
    if (!is_name(code.closure[i])) continue;
    const std::uint32_t cell = heap_.word(closed + 4 * i);
    std::shared_ptr<Activation>& owner = owners_[cell];
    // A module's variables are in cells from its beginning.
    if (owner == nullptr && code.is_wrapper) owner = frame.activation;
    if (owner == nullptr) continue;
    ++shown;
    const std::shared_ptr<Activation> whose = owner;
    tell_variable(frame, *whose, code.closure[i], heap_.at<Js>(heap_.word(cell + layout::reference::value)), kNone);
  }
}

// Variables of blocks that have ended.
void Stepper::tell_gone(const Frame& frame, std::uint32_t statement) {
  frame.activation->seen = statement;
  const std::vector<std::uint32_t>& visible = visible_at(*frame.code, statement);
  for (auto& [name, told] : frame.activation->told) {
    if (told.variable == kNone || told.is_gone || std::ranges::binary_search(visible, told.variable)) continue;
    const auto has_name = [&, &wanted = name](std::uint32_t i) { return frame.code->variables[i].name == wanted; };
    if (std::ranges::any_of(visible, has_name)) continue;  // another one is seen instead
    told.is_gone = true;
    tell_back(frame);
    Event* event = tell(EventKind::assign, {}, frame);
    if (event == nullptr) return;
    event->detail = static_cast<std::uint8_t>(AssignStep::gone);
    event->detail2 = static_cast<std::uint8_t>(told.kind);
    event->name = names_.of(name);
    event->a = static_cast<std::int64_t>(frame.activation->number);
    event->b = -1;
  }
}

void Stepper::tell_variable(const Frame& frame, Activation& owner, const std::string& name, Js value,
                            std::uint32_t variable) {
  const bool is_argument = variable < frame.code->arguments;
  // Before its first statement a function may still give it a default.
  if (is_argument && value == kUndefined && frame.mark == kNone && !frame.code->marks.empty()) return;
  const auto known = owner.told.find(name);
  const bool is_new = known == owner.told.end();
  const bool is_other = !is_new && (known->second.is_gone || (variable != kNone && known->second.variable != kNone &&
                                                              known->second.variable != variable));
  // Only an object may be another one with the same value.
  if (!is_new && !is_other && known->second.value == value && !is_object(value)) return;
  if (is_object(value) && pointer_of(value) == frame.function) return;  // the name of a function within itself
  Told now;
  now.value = value;
  now.kind = heap_.kind_of(value);
  now.variable = variable != kNone || is_new ? variable : known->second.variable;
  // In the next round of a loop it has no value again, for a moment.
  if (now.kind == ValueKind::uninitialized && !is_new && !is_other) return;
  BoundedText text(kMostStepText);
  heap_.show(text, value);
  now.text = text.text();
  now.is_cut = text.is_cut();
  const bool is_same =
      !is_new && !known->second.is_gone && known->second.kind == now.kind && known->second.text == now.text;
  const bool is_first = is_new || is_other || known->second.kind == ValueKind::uninitialized;
  owner.told.insert_or_assign(name, now);
  if (is_same) return;
  tell_back(frame);
  Event* event = tell(EventKind::assign, now.text, frame);
  if (event == nullptr) return;
  const AssignStep step = !is_first ? AssignStep::set : is_argument ? AssignStep::parameter : AssignStep::let;
  event->detail = static_cast<std::uint8_t>(step);
  event->detail2 = static_cast<std::uint8_t>(now.kind);
  event->name = names_.of(name);
  event->a = static_cast<std::int64_t>(owner.number);
  event->b = now.is_cut ? 1 : -1;
}

}  // namespace loopsim::quickjs

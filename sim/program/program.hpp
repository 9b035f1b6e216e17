// The compiled form of a scenario: flat arrays, every name resolved to an index. No code here or below depends on JSON.
//
// A program is a list of instructions (Op) for a virtual machine with an accumulator and a stack of frames
// (sim/vm/interpreter). Every body of the scenario (main, functions, callbacks) is a Function: a range of instructions,
// a table of handlers for try blocks, and a number of slots for its locals. Immutable after compilation.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loopsim/diagnostic.hpp"
#include "loopsim/io.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/trace.hpp"

namespace loopsim {

enum class Op : std::uint8_t {
  // a, b: small; c, d, e: indices or operands
  log,              // c: first operand in operand_lists, d: count
  mark,             // c: mark
  cpu,              // c: duration
  spin,             // c: duration
  store,            // c: destination, d: operand
  load,             // accumulator = operand c
  store_acc,        // c: destination = accumulator
  add,              // c: destination += operand d
  jump,             // c: target
  jump_unless,      // a: Condition::Operator, c: left operand, d: right operand, e: target
  loop_begin,       // c: slot of the counter (the limit is in the next one), d: operand with the count
  loop_test,        // c: slot of the counter; jumps to e when done
  loop_next,        // c: slot of the counter; jumps to e
  push_scope,       // c: number of slots
  pop_scope,        // c: number of scopes
  call,             // c: function, d: first argument operand, a: argument count; result in the accumulator
  throw_,           // c: operand (a text becomes an Error if b is 1)
  finally_begin,    // c: slot of the completion (kind, value): normal
  finally_throw,    // c: the same: thrown, value from the accumulator
  finally_return,   // c: the same: returning, value from the accumulator
  finally_end,      // c: slot; rethrows, or jumps to e with the accumulator set when returning, or continues
  return_,          // value in the accumulator; a: 1 undefined
  set_timer,        // a: 1 repeats; c: delay, d: site; b: 1 result unused
  set_immediate,    // d: site, b: as set_timer
  next_tick,        // d: site
  queue_microtask,  // d: site
  clear,            // c: operand
  refresh,
  ref,
  unref,
  has_ref,            // result in the accumulator
  new_promise,        // result in the accumulator after the executor; d: site of the executor or kNone; e: label
  resolve,            // c: operand (promise), d: operand (value)
  reject,             // c: operand (promise), d: operand (reason; a text becomes an Error if b is 1)
  promise_resolve,    // accumulator = Promise.resolve(c); c: operand, d: label
  promise_reject,     // accumulator = Promise.reject(c); c: operand (a text becomes an Error if b is 1), d: label
  resolved_promise,   // accumulator = Promise.resolve()
  then,               // accumulator = accumulator.then(site d, site e); kNone: absent. c: label of the promise
  resolved_then,      // resolved_promise and then combined; b: 1 result unused. Counts as two steps
  finally_,           // accumulator = accumulator.finally(site d). c: label
  list_begin,         // c: slot = new list
  list_append,        // c: slot; appends the accumulator
  combine,            // a: Combinator, c: slot of the list; result in the accumulator. d: label
  await,              // waits for the accumulator; result in the accumulator
  timer_promise,      // accumulator = a promise resolved by a timer; c: delay, d: site
  immediate_promise,  // d: site
  work,               // c: work
  work_promise,       // c: work; accumulator = a promise
  emitter,            // c: destination, d: label
  on,                 // a: 1 once; c: operand (emitter), d: site, e: event name in strings
  off,                // c: operand, d: function, e: event name
  emit,               // c: operand, e: event name, d: first argument in operand_lists, a: argument count
  listen,             // c: operand (port), d: label, a: 1 half-open sockets; accumulator = a server
  connect,            // c: operand (port, or path of a Unix socket), d: label, a: as listen; accumulator = a socket
  add_listener,       // adds a listener to the emitter in the accumulator; d: site, e: event name
  spawn,              // c: spawn plan, d: label; accumulator = a child process
  kill,               // c: operand (child or process), d: signal number; result in the accumulator
  close,              // c: operand (server), e: site or kNone
  destroy,            // c: operand (socket), d: operand (error) or kNone (a text becomes an Error if b is 1)
  write,              // c: operand (socket), d: operand (data), or number of bytes if a is 1; e: site or kNone
  end,                // the same; d: kNone without data
  pause,              // c: operand (socket)
  resume,
  exit,       // c: operand; a: 1 given, 0 process.exit()
  exit_code,  // c: operand
  uv_call,    // c: call of libuv; result in the accumulator
  // Only report a step (CompileOptions::steps). The limit of steps does not count them.
  tell_scope,      // a: ScopeStep
  tell_assign,     // a: AssignStep, c: the variable, d: its name in names
  tell_condition,  // a, c, d: as jump_unless, which follows; e: the left variable's name in names
  tell_promise,    // the named promise in the accumulator
};

enum class Combinator : std::uint8_t { all, all_settled, any, race };

// 16 bytes. The position of its step is in Program::positions, at the same index.
struct Instruction {
  Op op = Op::return_;
  std::uint8_t a = 0;
  std::uint16_t b = 0;
  std::uint32_t c = 0, d = 0, e = 0;
};

// Operand of an instruction: a kind in the top bits, an index below.
struct Operand {
  enum class Kind : std::uint8_t { constant, global, local, text, error, process };
  static constexpr std::uint32_t kMostSlots = 1U << 16U;  // of a scope
  static constexpr std::uint32_t pack(Kind kind, std::uint32_t index) {
    return (static_cast<std::uint32_t>(kind) << 28U) | index;
  }
  // A local: the number of scopes outwards, and the slot there.
  static constexpr std::uint32_t local(std::uint32_t hops, std::uint32_t slot) {
    return pack(Kind::local, (hops << 16U) | slot);
  }
  static constexpr Kind kind(std::uint32_t operand) { return static_cast<Kind>(operand >> 28U); }
  static constexpr std::uint32_t index(std::uint32_t operand) { return operand & 0x0fffffffU; }
  static constexpr std::uint32_t hops(std::uint32_t operand) { return (operand >> 16U) & 0xfffU; }
  static constexpr std::uint32_t slot(std::uint32_t operand) { return operand & 0xffffU; }
};

struct Constant {
  enum class Kind : std::uint8_t { undefined, null, boolean, number, string };
  Kind kind = Kind::undefined;
  double number = 0;         // also a boolean: 0 or 1
  std::uint32_t string = 0;  // index into strings
};

struct TextPiece {
  TextPart::Kind kind = TextPart::Kind::text;
  std::uint32_t string = 0;   // text
  std::uint32_t operand = 0;  // variable, message, code; since: the mark's index
};

struct TextTemplate {
  std::uint32_t first = 0, count = 0;  // in text_pieces
};

struct ErrorTemplate {
  std::uint32_t name = 0;  // strings
  std::uint32_t code = kNone;
  TextTemplate message;
};

// A timer's delay: an operand (coerced as by Node), or a duration drawn at each use; the other one is kNone.
struct DelayPlan {
  std::uint32_t operand = kNone;
  std::uint32_t duration = kNone;
};

// Of a step in the document, from 1; columns count bytes. 0: none.
struct StepPosition {
  std::uint32_t line = 0, column = 0;
};

// A place in the program that passes a callback.
struct alignas(32) Site {
  std::uint32_t function = kNone;  // kNone: a native callback (a promisified call)
  std::uint32_t label = kNoName;   // names
  StepPosition position;
  Api api = Api::none;
  // Scope captured by the function; named functions are at the top level of the script. none: also of a leaf that needs
  // no scope, so that no references to it are counted.
  enum class Closure : std::uint8_t { none, main, here } closure = Closure::none;
  std::uint32_t first_argument = 0, arguments = 0;  // in operand_lists: the arguments of `with`
  std::uint32_t leaf = kNone;                       // leaves: its function, if that is one
};

// A function that needs no frame (mark_leaves).
struct Leaf {
  std::uint32_t function = kNone;
  std::uint32_t entry = 0;  // its first instruction
  // Its step, if it has one and that is setTimeout, setInterval, setImmediate, nextTick or Promise.resolve().then();
  // otherwise return_. What it needs stands here once more, to be read at once: from the instruction it takes six loads,
  // each from where the one before says.
  Op only = Op::return_;
  bool repeats = false;
  Site::Closure closure = Site::Closure::none;
  std::uint32_t site = kNone;
  std::uint32_t duration = kNone, stream = kNone;  // of a timer; no stream: the duration is fixed
};

// fs, dns, crypto, zlib: a sequence of requests.
struct WorkPlan {
  std::uint32_t first_duration = 0, requests = 1;  // in work_durations: indices into durations
  std::uint32_t site = kNone;
  std::uint32_t error = kNone;      // strings: the error code the operation fails with
  std::uint32_t operation = kNone;  // names: "read"
  bool needs_cpu = false, slow = false, network = false;
};

// A child process.
struct SpawnPlan {
  std::uint32_t duration = 0;
  std::uint32_t code = kNone;     // operand; kNone: 0
  std::uint32_t command = kNone;  // strings
  bool is_missing = false;        // the command does not exist
};

// A call of a function of libuv.
inline constexpr std::uint32_t kMostBytesOfUvWrite = 16384;
struct UvCall {
  Verb function = Verb::uv_run;
  // Operand: the handle or request; where the function makes it, the variable that gets it. kNone: the loop alone.
  std::uint32_t object = kNone;
  bool makes_object = false;
  std::uint32_t label = kNoName;  // names: the handle's or request's
  std::uint32_t timeout = kNone;  // operands
  std::uint32_t repeat = kNone;
  std::uint32_t duration = kNone;  // durations: of work
  bool needs_cpu = false;          // of work: it computes
  std::int32_t number = 0;  // the mode of uv_run, as in uv_run_mode; a signal's number; a port; events of a poll handle
  std::uint32_t site = kNone;  // its callback
  // Operand: a second handle or descriptor; of socketpair, the variable that gets it.
  std::uint32_t other = kNone;
  std::uint32_t other_label = kNoName;
  std::uint32_t text = kNone;  // strings: a path, a host
  std::uint32_t data = kNone;  // operand: what is written
  std::uint32_t bytes = 0;     // instead of it: so many
  std::uint32_t code = kNone;  // operand: a child's exit code
  std::int32_t error = 0;      // with which a request ends, or a start fails
};

struct Handler {  // of a try block; guards [begin, end), in absolute instruction indices
  std::uint32_t begin = 0, end = 0, target = 0;
  std::uint32_t scope_depth = 0;
  bool catches = false;  // true: catch block; false: finally
};

struct Function {
  std::uint32_t entry = 0;                        // first instruction
  std::uint32_t end = 0;                          // one past the last; 0: never called, and not compiled
  std::uint32_t first_handler = 0, handlers = 0;  // innermost first
  std::uint32_t slots = 0;  // locals of the outermost scope, parameters first; 0: no activation record
  std::uint32_t parameters = 0;
  std::uint32_t label = kNoName;
  bool is_async = false;
  bool is_named = false;  // at the top level of the script: captures main's locals only
};

// The variable that a method is called on, as in the source: "timer" of `timer.unref()`.
struct Receiver {
  std::uint32_t instruction = 0;
  std::uint32_t name = 0;  // strings
};

class Program;
// Runs a program that is JavaScript, as loopsim::run() does.
using ScriptRunner = RunSummary (*)(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks);
// Null where the build has no engine of JavaScript (tools/quickjs).
[[nodiscard]] ScriptRunner script_runner();
// What of the script's syntax its version of Node has not.
[[nodiscard]] Diagnostics check_script(const Program& program);

class Program {
 public:
  std::vector<Instruction> code;
  std::vector<StepPosition> positions;  // of each instruction
  std::vector<Receiver> receivers;      // in the order of their instructions; none for an unnamed receiver
  std::vector<Function> functions;      // [0] is main
  std::vector<Handler> handlers;
  std::vector<Constant> constants;
  std::vector<std::string> strings;
  std::vector<TextTemplate> texts;
  std::vector<TextPiece> text_pieces;
  std::vector<ErrorTemplate> errors;
  std::vector<std::uint32_t> operand_lists;
  std::vector<Duration> durations;
  std::uint32_t streams = 0;  // greater than every Duration::stream, including those of uncalled functions
  std::vector<DelayPlan> delays;
  std::vector<Site> sites;
  std::vector<WorkPlan> works;
  std::vector<SpawnPlan> spawns;
  std::vector<UvCall> uv_calls;
  std::vector<OutsideEvent> inputs;
  std::vector<std::uint32_t> work_durations;
  std::vector<std::uint32_t> request_names;  // names, beside work_durations: "open", "read" ...
  std::vector<std::string> names;            // labels for the trace
  std::uint32_t globals = 0;
  std::uint32_t marks = 0;

  std::vector<Leaf> leaves;

  const Profile* profile = nullptr;
  std::shared_ptr<const Profile> own_profile;  // owner of `profile`, if that is not in profiles()
  EntryPoint entry = EntryPoint::commonjs;
  std::uint32_t threadpool = 4;
  TimeMs delay_resolution = 0;
  MachineSpec machine;
  Limits limits;
  std::uint64_t seed = 0;
  std::uint64_t most_steps_told = 0;  // 0: the code has no tell_... instructions
  bool runs_again = false;            // another run of it follows on this thread: what they share is worth keeping
  std::string title;
  std::vector<std::pair<std::string, std::string>> params;

  std::shared_ptr<const IoSpec> io;  // of the runtime `io`; then there is no code

  // Of JavaScript; then there is no code.
  std::shared_ptr<const Script> script;
  ScriptRunner run_script = nullptr;
};

// Fills in `leaves`, and Site::leaf of every site whose function is a leaf: a straight sequence of steps that only schedule callbacks,
// set marks or use the clock. A leaf has no locals, calls nothing, cannot throw and returns undefined, so it can run
// without a frame. Takes the closure of those that need no scope either. Call once, after all functions have been compiled.
void mark_leaves(Program& program);

}  // namespace loopsim

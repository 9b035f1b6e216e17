// QuickJS in its linear memory: one instance is one JavaScript world, with its values, its objects and its stack.
//
// The C of the engine (made of quickjs.wasm by wasm2c, tools/quickjs) reaches nothing but this memory and the Host: no
// clock, no randomness, no file, no thread. So what a program does is determined by what the Host answers.
//
// A JavaScript value is a `Js`: NaN-boxed, and counted when it is an object, a string, a symbol or a big integer. `Owned`
// below means that the caller has to free() the value; everything else is borrowed.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/quickjs/image.hpp"

namespace loopsim::quickjs {

using Js = std::uint64_t;
using Owned = Js;

// JS_TAG_... of quickjs.h, for 32-bit builds (JS_NAN_BOXING).
enum class JsTag : std::int32_t {
  big_int = -9,
  symbol = -8,
  string = -7,
  string_rope = -6,
  object = -1,
  integer = 0,
  boolean = 1,
  null = 2,
  undefined = 3,
  uninitialized = 4,
  exception = 6,
  short_big_int = 7,
  float64 = 8,
};

constexpr Js make_js(JsTag tag, std::int32_t value) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(tag)) << 32U) | static_cast<std::uint32_t>(value);
}
inline constexpr Js kUndefined = make_js(JsTag::undefined, 0);
inline constexpr Js kNull = make_js(JsTag::null, 0);
inline constexpr Js kFalse = make_js(JsTag::boolean, 0);
inline constexpr Js kTrue = make_js(JsTag::boolean, 1);
inline constexpr Js kException = make_js(JsTag::exception, 0);  // a call has thrown; take_exception() has the value

constexpr JsTag tag_of(Js value) {
  const auto tag = static_cast<std::int32_t>(value >> 32U);
  return tag < static_cast<int>(JsTag::big_int) || tag >= static_cast<int>(JsTag::float64) ? JsTag::float64
                                                                                           : static_cast<JsTag>(tag);
}
constexpr bool is_object(Js value) { return tag_of(value) == JsTag::object; }
constexpr bool is_string(Js value) { return tag_of(value) == JsTag::string || tag_of(value) == JsTag::string_rope; }
constexpr bool is_number(Js value) { return tag_of(value) == JsTag::integer || tag_of(value) == JsTag::float64; }
constexpr bool is_counted(Js value) {
  return static_cast<std::int32_t>(value >> 32U) < 0 && tag_of(value) != JsTag::float64;
}

constexpr std::uint32_t pointer_of(Js value) { return static_cast<std::uint32_t>(value); }  // of what is counted
// The number that a number is.
constexpr double number_of(Js value) {
  constexpr std::uint64_t kAddend = 0x7ff8'000a'0000'0000;  // JS_FLOAT64_TAG_ADDEND, shifted
  if (tag_of(value) == JsTag::integer) return static_cast<std::int32_t>(value);
  return std::bit_cast<double>(value + kAddend);
}
// Whether the language converts it without a function of the program, as the valueOf() or toString() of an object, and throws nothing.
constexpr bool converts_quietly(Js value) {
  return !is_object(value) && tag_of(value) != JsTag::symbol && tag_of(value) != JsTag::big_int &&
         tag_of(value) != JsTag::short_big_int;
}
// The number without its fraction; the nearest that there is, and 0 for NaN: a program may hand over any number.
template <typename T>
constexpr T whole(double number) {
  if (!(number >= static_cast<double>(std::numeric_limits<T>::min())))
    return number < 0 ? std::numeric_limits<T>::min() : T{0};
  if (number >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(number);
}

// The arguments of a call: undefined where the program gave fewer.
class Given {
 public:
  constexpr Given(std::span<const Js> values)
      : values_(values) {}  // NOLINT(google-explicit-constructor): they are that
  constexpr Js operator[](std::size_t i) const { return i < values_.size() ? values_[i] : kUndefined; }
  [[nodiscard]] constexpr std::size_t size() const { return values_.size(); }
  [[nodiscard]] constexpr bool empty() const { return values_.empty(); }
  [[nodiscard]] constexpr std::span<const Js> from(std::size_t i) const {
    return i < values_.size() ? values_.subspan(i) : std::span<const Js>();
  }

 private:
  std::span<const Js> values_;
};

// A letter that says which of several is wanted, by its number; 0: none.
constexpr char letter(Js value) { return is_number(value) ? whole<char>(number_of(value)) : '\0'; }

class Disposals;
class Instance;
namespace layout {
enum class Op : std::uint8_t;
}

// In a source of the program; from 1. Line 0: nowhere in it.
struct SourcePosition {
  std::uint32_t line = 0, column = 0;
};

// What the engine asks of the world around it.
class Host {
 public:
  // A function of the host was called: the one added as `function`. Returns an owned value, or kException after
  // Instance::throw_value(). `this_value` and the arguments are borrowed; the span is valid during the call.
  virtual Owned call(std::uint32_t function, Js this_value, std::span<const Js> arguments) = 0;
  // A job was queued (HostEnqueuePromiseJob): `job_function` as Instance::run_job() takes it. The values are borrowed.
  virtual void enqueue_job(std::uint32_t job_function, std::span<const Js> arguments) = 0;
  // PerformPromiseThen(promise, fulfilled, rejected, capability): all borrowed; a handler may be no function.
  // `resolve`: the capability's resolve function; undefined: there is none (await).
  virtual void reacts(Js promise, Js fulfilled, Js rejected, Js resolve) = 0;
  virtual void settles(Js promise, bool is_rejected, Js value) = 0;  // before its reactions become jobs
  // A resolving function of a promise that has been resolved already was called: nothing happens. All borrowed.
  virtual void resolves_again(Js promise, bool is_rejected, Js value) = 0;
  // While Instance::tell_promises() says so: a promise was made. `parent`: the one whose then() made it, or undefined.
  virtual void makes_promise(Js promise, Js parent) = 0;
  // Whether await waits for a new promise that is resolved with its value, as before V8 7.3.
  virtual bool await_wraps(Js value) = 0;
  // Whether the end of an async generator awaits undefined, as before V8 7.3.
  virtual bool end_awaits() = 0;
  // Whether `for await` and its kind close an iterator that is not asynchronous when it has failed, or its value was
  // rejected, as since V8 13.
  virtual bool closes_sync_iterators() = 0;
  // Whether yield* of an async generator awaits what it yields, as up to V8 10.
  virtual bool yield_star_awaits() = 0;
  // Whether a module that fails is rejected before the modules that wait for it, as since V8 14.
  virtual bool rejects_importers_last() = 0;
  // HostPromiseRejectionTracker.
  virtual void rejection(Js promise, Js reason, bool is_handled) = 0;
  // Some thousands of jumps and calls have been made. True: the running program must stop.
  virtual bool interrupt() = 0;
  // QuickJS has worked by itself, without a jump or call: so many portions (Instance::count_work). May be in the middle of its malloc(),
  // so nothing of this world may be called. False: the running program must stop, and interrupt() is called at the next jump or call.
  virtual bool works(std::uint32_t portions) = 0;
  // There was none for long: QuickJS is left in its middle.
  virtual void stops_at_work() = 0;
  virtual std::int64_t read_clock(bool is_monotonic) = 0;  // nanoseconds
  virtual void random(std::span<std::uint8_t> bytes) = 0;
  // Modules: the full name of what `base` imports as `name`, and its source; nothing after Instance::throw_value().
  virtual std::optional<std::string> normalize_module(const std::string& base, const std::string& name) = 0;
  virtual std::optional<std::string> load_module(const std::string& name) = 0;
  virtual void collected(std::uint32_t opaque) = 0;  // an object of make_object() is gone
  // A statement begins or ends in the text that is being compiled: a number that marks this in the bytecode; 0: none is
  // wanted. Once one was, each instruction is told before it runs, with where the stack of values ends.
  virtual std::uint32_t statement(std::uint32_t parser, bool begins) = 0;
  // A position of the text stands before an instruction: the number that is kept instead; 0: the line itself.
  virtual std::uint32_t position(std::uint32_t function, std::uint32_t line, std::uint32_t column) = 0;
  virtual void instruction(std::uint32_t pc, std::uint32_t sp) = 0;

 protected:
  ~Host() = default;
};

class Instance {
 public:
  // A new world, with ECMAScript's globals. The host must outlive it.
  explicit Instance(Host& host);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  // ---- values ------------------------------------------------------------------------------------------------------
  Js dup(Js value);
  void free(Js value);
  Owned make_number(double number);
  Owned make_string(std::string_view utf8);
  [[nodiscard]] static Js make_boolean(bool value) { return value ? kTrue : kFalse; }
  Owned make_buffer(std::string_view bytes);  // an ArrayBuffer with a copy
  Owned make_object();
  Owned make_array(std::span<const Js> items);
  Owned make_error(std::string_view constructor, std::string_view message);
  // An object of the class of the host's own objects, with a number that collected() is told.
  Owned make_host_object(std::uint32_t opaque, Js prototype);
  // The number of a host object; false: it is none.
  bool host_object(Js value, std::uint32_t& opaque);
  Owned make_function(std::string_view name, int length, std::uint32_t function);

  // `${value}` as UTF-8, as far as it goes without throwing; `<exception>` where it does.
  std::string to_text(Js value);
  // A short text of it for the trace, and of a function its name, for which no code of the program runs: no getter, no
  // toString, no Proxy.
  std::string describe(Js value);
  std::string own_name(Js function);  // empty: it has none
  // An object without properties of its own, with this prototype.
  bool is_bare(Js object, std::uint32_t prototype);
  bool to_boolean(Js value);
  std::string bytes_of(Js array);  // of a Uint8Array; empty where it is none
  double to_number(Js value);      // NaN where that throws
  // What a program, or the library for it, has handed over as a text or a number: no code of the program runs. Empty, and NaN, of what
  // would need some.
  std::string text_given(Js value) { return converts_quietly(value) ? to_text(value) : std::string(); }
  double number_given(Js value) {
    return converts_quietly(value) ? to_number(value) : std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] bool is_function(Js value);
  [[nodiscard]] bool is_error(Js value);
  // Whether it may be a program's: not one that settles a promise or resumes a function.
  [[nodiscard]] bool is_plain_function(Js value);

  // What no JavaScript can ask of a value.
  [[nodiscard]] std::uint32_t class_id(Js object);
  [[nodiscard]] int promise_state(Js value);  // -1: no promise, 0: pending, 1: fulfilled, 2: rejected
  Owned promise_result(Js promise);
  [[nodiscard]] bool is_proxy(Js value);
  Owned proxy_target(Js proxy);
  Owned proxy_handler(Js proxy);

  Owned get(Js object, std::string_view key);
  std::string text_of(Js object, std::string_view key);  // of that property, as far as it goes without throwing
  // As a property of the object's own, whatever its prototypes have; assign(): as the language assigns it.
  void set(Js object, std::string_view key, Owned value);
  void assign(Js object, std::string_view key, Owned value);
  Owned item(Js array, std::uint32_t index);
  // The elements of an array that has one at each index, each to be freed, for which no code of the program runs; nothing: it is
  // another object, or has gaps, accessors or traps.
  std::optional<std::vector<Js>> elements_of(Js array);
  Owned global();

  // ---- running -----------------------------------------------------------------------------------------------------
  // All return kException when the code has thrown.
  Owned call(Js function, Js this_value, std::span<const Js> arguments);
  Owned construct(Js constructor, std::span<const Js> arguments);
  // Evaluates a script; `first_line`: the number of its first line.
  Owned evaluate(std::string_view source, const std::string& file);
  // Code that another world can take: of a script, without its text. Nothing: the text has an error, which is thrown.
  std::optional<std::vector<std::uint8_t>> compile(std::string_view source, const std::string& file);
  // The value of such a script. It must come from compile() of a QuickJS of the same version, which checks nothing of it.
  Owned evaluate_compiled(std::span<const std::uint8_t> code);
  // A module, and all that it imports: its promise. kException also for an error of syntax.
  Owned evaluate_module(std::string_view source, const std::string& file);
  // Of a promise.
  enum class PromiseState : std::uint8_t { pending, fulfilled, rejected };
  [[nodiscard]] PromiseState state_of(Js promise);
  Owned result_of(Js promise);
  Owned run_job(std::uint32_t job_function, std::span<const Js> arguments);
  void tell_promises(bool tells);
  Owned make_promise();  // which nothing settles, and nobody is told of
  // The promise that a promise's own resolve or reject function settles, and that of the async function, or of the request
  // to an async generator, that a handler resumes; borrowed, and undefined for another function.
  [[nodiscard]] Js promise_settled_by(Js function);
  [[nodiscard]] Js promise_of_resumed(Js handler);

  // Whether that is the body of a module, and where it waits then: [file, line, column].
  [[nodiscard]] bool resumes_module(Js resumes);
  Owned place_of_module(Js resumes);

  // Where the library's function runs that is told of an error: [function, receiver, new.target ...] of up to `most` frames, the innermost
  // first. A receiver and new.target are undefined where they are not known.
  Owned calls(std::uint32_t most);
  // Who waits for a promise, alone: [function, receiver, file, line, column] of each async function, and [undefined, which, index, 0, 0]
  // of a promise among those of Promise.all() and its kind, which is the number of; up to `most`.
  Owned waiting(Js promise, std::uint32_t most);
  // Where the library's function runs that is told of an error that a property has thrown: [object, key, trap, what that trap has
  // returned]; the trap is a number of TRAPS (tools/quickjs/patch_wasm.py), or 0. Of one that a function in C has thrown otherwise:
  // [null, its first argument, its second]. undefined: neither.
  Owned subject();
  // Of the program's matches of regular expressions: [how many, the last one's expression, its text, where the search began]; undefined:
  // there are still `known`.
  Owned last_match(double known);
  Js throw_value(Owned value);  // returns kException
  Js throw_error(std::string_view constructor, std::string_view message);
  // What is thrown now can be caught by nothing: it unwinds all of the program.
  Js throw_stop();
  Owned take_exception();

  // From the text that is compiled next on, `await using` waits as often as in V8 (Disposals).
  void watch_disposals() { watches_disposals_ = true; }
  void stop_at(layout::Op op, bool stops);          // whether Disposals is told of these instructions
  Owned make_suppressed(std::span<const Js> both);  // SuppressedError

  // ---- what runs -----------------------------------------------------------------------------------------------------
  // Of the innermost function on the stack that is of this file, where it is. Reads QuickJS's frames in its memory: the
  // program cannot see it, and no step of it is counted.
  [[nodiscard]] SourcePosition place_in(std::uint32_t file);
  // The same of whichever file is the program's; line 0: nothing of it runs. `pc`: the innermost function's instruction,
  // where the host was told of it; 0: it calls.
  struct ProgramPlace {
    std::string file;
    SourcePosition at;
  };
  [[nodiscard]] ProgramPlace place_in_program(std::uint32_t pc = 0);
  // Where a function of this file begins, or what bind() made of one; line 0: it is none.
  [[nodiscard]] SourcePosition place_of_function(Js function, std::uint32_t file);
  // The first of the coming instructions, and those behind it, are told to the host. False: this world cannot.
  [[nodiscard]] bool watch_instructions();
  // That is over, and Host::interrupt() is asked at the next jump or call.
  void stop_watching();
  // The interpreter's table of labels, known once a text was compiled, and the label of what tells the host.
  struct Interpreter {
    std::uint32_t labels = 0, stop = 0;
  };
  [[nodiscard]] Interpreter interpreter() const { return interpreter_; }
  void set_interpreter(Interpreter known) { interpreter_ = known; }
  // Of the async function that waits and that this function resumes (the first handler of its await), where it waits.
  [[nodiscard]] SourcePosition place_of_await(Js resumes, std::uint32_t file);
  [[nodiscard]] std::uint32_t atom(std::string_view text);  // the file's number above; lives as long as the world
  // The jumps and calls that were made since the world began; regular expressions count their own, in thousands.
  [[nodiscard]] std::uint64_t jumps();
  // Of them, those up to the last interrupt().
  [[nodiscard]] std::uint64_t jumps_at_interrupts() const { return jumps_before_; }
  void count_interrupt();  // for Host::interrupt() to call
  void restart_counting();
  // From now on what QuickJS does by itself (rounds of its loops, calls of its functions, bytes that it copies) is told to Host::works(),
  // in portions of some hundred microseconds; the first of them, as many as an ordinary program has, are not.
  static constexpr std::uint32_t kPortionOfWork = 50'000;
  void count_work();
  void count_compiling();  // only what is too much for a text that is compiled, and has code in it that runs at once

  // ---- what the library keeps (loading/originals.hpp) ---------------------------------------------------------------------
  Owned make_private_symbol(std::string_view description);
  Owned value_of_atom(std::uint32_t atom);                   // a text or a symbol; undefined of 0
  [[nodiscard]] std::uint32_t atom_of(Js key);               // of a text or a symbol; lives as long as the world
  void set_originals(std::span<const std::uint32_t> table);  // once

  // Frees what nothing reaches. From then on it happens by itself when the world is larger by `room` bytes.
  void collect_garbage(std::uint32_t room);
  [[nodiscard]] std::uint32_t memory_size() const;
  [[nodiscard]] std::uint32_t size_of_heap() const;  // without what enlarge_stack() has added
  // Room for as many calls as Node has. Before anything runs; once is enough for a world and all that start from it.
  void enlarge_stack();

  // ---- a world that others start from ------------------------------------------------------------------------------------
  static constexpr std::size_t kErrors = 4;
  // What of a world is not in its memory, at a moment when no JavaScript runs.
  struct Registers {
    static constexpr std::size_t kMostClasses = 8;
    std::uint32_t memory_size = 0, stack_pointer = 0, runtime = 0, context = 0;
    std::uint32_t host_class = 0, wrapped = 0, class_count = 0, stack_end = 0;
    std::array<std::uint32_t, kMostClasses> function_classes = {};
    std::uint64_t jumps_before = 0;
    std::array<Js, kErrors> errors = {};
  };
  // Its bytes go into the program when that is built: padding would differ from build to build.
  static_assert(std::has_unique_object_representations_v<Registers>);
  struct Saved {
    Registers registers;
    std::shared_ptr<const Image> memory;  // null: it cannot be kept
  };
  [[nodiscard]] Saved save() const;
  // The same, of a world that began as `start`: takes a fraction of that, but only where the system tells what was written since
  // (Image::changed); elsewhere its memory is null.
  [[nodiscard]] Saved save_changes(const Saved& start) const;
  [[nodiscard]] Registers registers() const;
  // The bytes of its memory.
  [[nodiscard]] std::span<const std::uint8_t> bytes() const;
  // A world as it was then.
  Instance(Host& host, const Saved& saved);
  // The same, in the memory of an earlier one if the pool has it. The world gives it back when it ends. A pool is for one
  // `saved` and one thread.
  struct Pool;
  [[nodiscard]] static std::shared_ptr<Pool> make_pool();
  // The one that was just saved gives its memory to the pool when it ends.
  void give_to(std::shared_ptr<Pool> pool);
  // With `goes_on` it begins where the earlier one called keep_here(), if the pool has that still.
  Instance(Host& host, const Saved& saved, std::shared_ptr<Pool> pool, bool goes_on);
  [[nodiscard]] bool went_on() const { return went_on_; }
  // Those that follow it may go on from here. False: they cannot, or it is in memory that no other one was in, as one is that every
  // time takes more.
  bool keep_here();

  // ---- for the engine's imports ---------------------------------------------------------------------------------------
  Host& host() { return host_; }
  [[nodiscard]] std::uint8_t* memory();                             // moves when it grows, in WebAssembly
  [[nodiscard]] std::uint32_t runtime() const { return runtime_; }  // where the JSRuntime is
  std::uint32_t statement(std::uint32_t parser, std::uint32_t labels, std::uint32_t stop);  // of host_call()
  bool failed_sync_iterator(std::uint32_t handler, std::uint32_t method, std::uint32_t iterator,
                            bool is_done);  // the same
  void close_iterator(Js iterator);         // what it throws and returns is lost
  std::uint32_t instruction(std::uint32_t pc, std::uint32_t sp);
  std::uint32_t copy_out(const std::optional<std::string>& text, std::uint32_t length_at);  // for the callee to free
  std::uint32_t wrap(Js value);   // where the promise is, which is the caller's
  void worked();                  // of host_call()
  std::uint32_t reject_thrown();  // the same, rejected with the exception; 0: nobody can catch that
  void note_failed(Js object, std::uint32_t key, std::uint32_t trap);  // a function that sets a property, or the like
  void note_returned(Js value);
  void report_rejection(std::uint32_t promise, std::uint32_t reason, bool is_handled);  // cells, which it frees
  [[nodiscard]] bool has_bytecode(Js value);  // a function of the program or the library, not one in C
  struct Wasm;

 private:
  std::uint32_t settled(Js value, bool is_rejected);
  class Arguments;  // values in the linear memory, on its stack
  class Running;
  class Uncounted;
  std::uint32_t copy_in(std::string_view text);
  Owned evaluate(std::string_view source, const std::string& file, std::uint32_t flags);
  void instantiate();
  void connect();  // the engine's imports to this
  void take_registers(const Registers& registers);
  [[nodiscard]] std::uint32_t frame_of_resumed(Js handler);   // 0: it resumes nothing
  [[nodiscard]] std::uint32_t element_of_many(Js handler);    // 0: it is none of those of Promise.all() and its kind
  [[nodiscard]] bool is_on_stack(std::uint32_t frame) const;  // and not in a coroutine
  [[nodiscard]] Js receiver_of(std::uint32_t frame);
  [[nodiscard]] SourcePosition place_of_frame(std::uint32_t frame, std::uint32_t file);  // line 0: not of this file
  [[nodiscard]] bool is_of_library(Js function);
  // Of it or its prototypes, also by a getter of the library, which runs none of the program's code; its steps are not
  // counted. Nothing: there is none.
  std::optional<Owned> data_of(Js object, std::string_view key);
  [[nodiscard]] std::string text_of_atom(std::uint32_t atom);
  void take_labels();
  void tell_instructions();
  void tell_disposals();

  Host& host_;
  std::unique_ptr<Wasm> wasm_;
  std::shared_ptr<Pool> pool_;        // where wasm_ goes at the end, if it can be used again
  std::unique_ptr<ReusedCopy> copy_;  // its memory, then
  std::uint32_t size_at_start_ = 0;   // with a pool
  bool is_reused_ = false, went_on_ = false;
  bool is_lost_ = false;  // an exception of C++ has left it: nothing is called any more, and free() does nothing
  std::uint32_t runtime_ = 0, context_ = 0;
  std::uint32_t host_class_ = 0;
  std::array<Js, kErrors> errors_ = {};         // the constructors of the language: a program may replace its globals
  std::uint32_t wrapped_ = 0;                   // a cell for settled()
  std::uint32_t stack_end_ = 0;                 // below the stack; 0: it is the module's own, which ends there
  int calls_ = 0, frees_ = 0, after_stop_ = 0;  // of call() and its kind; of free(); of worked(), behind the end
  std::uint32_t free_portions_ = 0;             // of work, that are no steps
  struct Failed {
    Js object = kUndefined, key = kUndefined;
    Js error = kUndefined;
    std::uint32_t frame = 0, trap = 0;
  } failed_;                  // what note_failed() was told last
  Js returned_ = kUndefined;  // by a trap of a proxy: what note_returned() was told last
  bool tells_promises_ = false;
  std::vector<std::uint32_t> function_classes_;  // of plain functions; those with bytecode are the first four
  std::uint64_t jumps_before_ = 0;               // before the counter began again
  std::uint32_t module_name_ = 0;                // the atom of what QuickJS names the body of a module
  std::vector<std::uint32_t> labels_;            // the interpreter's, once instructions are told
  Interpreter interpreter_;
  bool tells_all_ = false;  // of each instruction
  bool watches_disposals_ = false;
  std::unique_ptr<Disposals> disposals_;
  bool is_watched_ = false;  // by watch_instructions() alone
};

}  // namespace loopsim::quickjs

// A scenario as read from its document: checked, names resolved, but still in the document's own terms.
//
// The reader makes it; the compiler and the JavaScript export walk it (all three in sim/scenario). Every part remembers the place
// in the document that it came from, as a NodeIndex that Document turns into line, column and JSON pointer.
// Steps and what is in them stand in Scenario::memory, and texts there or in the document: they live as long as the Scenario (and
// stay where they are when it is moved), and a part that is copied out of it lives no longer.
// The language is described in docs/scenario-language.md.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "loopsim/arena.hpp"
#include "loopsim/diagnostic.hpp"
#include "loopsim/time.hpp"
#include "loopsim/verbs.hpp"

namespace loopsim {

using NodeIndex = std::uint32_t;         // a value in the document
using BodyIndex = std::uint32_t;         // an entry of Scenario::bodies
using DeclarationIndex = std::uint32_t;  // an entry of Scenario::declarations
inline constexpr std::uint32_t kNone = 0xffffffffU;

// ---- names ----------------------------------------------------------------------------------------------------------------

struct Declaration {
  enum class Kind : std::uint8_t {
    global,         // made by as, set, promise, emitter ...: one for the whole program
    mark,           // made by mark; only {since name} reads it
    parameter,      // of a function, or predefined in a callback (value, error, code)
    local,          // let
    loop_variable,  // repeat ... as: a fresh one for every round
    caught,         // `error` in the catch block of a try: a fresh one each time
  };
  Kind kind = Kind::global;
  std::string_view name;
  BodyIndex body = 0;     // the body whose activation holds it (0 for globals and marks)
  bool captured = false;  // some inner body uses it
  bool is_used = false;   // something reads it, or writes a local one (an unused predefined name costs nothing)
  NodeIndex node = kNone;
};

// A use of a name. `process`, `undefined` and `now` are not declarations but built in.
struct Name {
  enum class Builtin : std::uint8_t { none, process, undefined };
  std::string_view text;
  DeclarationIndex declaration = kNone;
  NodeIndex node = kNone;
  Builtin builtin = Builtin::none;
};

// ---- expressions ----------------------------------------------------------------------------------------------------------

struct TextPart {
  enum class Kind : std::uint8_t { text, variable, message, code, now, since };
  Kind kind = Kind::text;
  std::string_view text;  // Kind::text
  Name name;              // variable, message ({x.message}), code ({x.code}), since (a mark)
};

struct Value;

struct ErrorLiteral {  // new NAME(MESSAGE), with a code property
  std::string_view name = "Error";
  std::string_view code;  // empty: none
  List<TextPart> message;
};

struct Value {
  enum class Kind : std::uint8_t { undefined, null, boolean, number, text, variable, error };
  Kind kind = Kind::undefined;
  bool boolean = false;
  NodeIndex node = kNone;
  double number = 0;
  List<TextPart> parts;           // text
  Name* variable = nullptr;       // variable: a text that is exactly one placeholder
  ErrorLiteral* error = nullptr;  // error
};

// A duration, fixed or drawn anew each time. Times in ns; shape parameters (sigma, alpha) as written.
struct Duration {
  enum class Kind : std::uint8_t { fixed, uniform, exponential, normal, lognormal, pareto, choice, sequence };
  Kind kind = Kind::fixed;
  TimeNs a = 0;                // fixed value, low end, mean, median, minimum
  TimeNs b = 0;                // high end, standard deviation
  double shape = 0;            // sigma (lognormal), alpha (pareto)
  std::vector<TimeNs> values;  // choice, sequence
  std::uint32_t stream = 0;    // its random stream: those that are not fixed are numbered in the order of reading
};

struct Condition {
  enum class Operator : std::uint8_t { truthy, less, less_equal, greater, greater_equal, equal, not_equal };
  Operator op = Operator::truthy;
  Name left;  // Builtin::undefined when the condition is constant (a param): it holds when op is `equal`
  Value right;
};

struct Assignment {
  Name target;
  Value value;
};

// A callback: a body of its own. A function used by name shares the function's body.
struct Callback {
  BodyIndex body = kNone;
  bool by_name = false;
  NodeIndex node = kNone;
};

// A listener that is given where its emitter is made: the `on` of listen and connect.
struct EventListener {
  std::string_view event;
  Callback callback;
  NodeIndex node = kNone;
};

struct Step;
using Block = List<Step>;  // steps of the same body: then, else, do of repeat, try ...

// What can be awaited: a promise's name, null, or a step that makes a promise.
struct Awaitable {
  enum class Kind : std::uint8_t { none, name, step };
  Kind kind = Kind::none;
  NodeIndex node = kNone;
  Name name;
  Step* step = nullptr;
};

// A timer's delay: a value coerced as Node does, or a duration (of Scenario::durations) drawn anew each time.
using Delay = std::variant<Value, const Duration*>;

// One time for each request of a many-request operation, in the operation's order; or one Duration for the data request.
struct RequestTimes {
  List<const Duration*> each;  // as many as the operation has requests
};

// Where an argument's payload may be a promise-making step or a plain value (return).
using ValueOrStep = std::variant<Value, Awaitable>;

// ---- steps ----------------------------------------------------------------------------------------------------------------

// A duration is one of Scenario::durations.
using Argument =
    std::variant<std::monostate, Value, List<Value>, const Duration*, Delay, RequestTimes, Condition*, List<Assignment>,
                 Callback, Block, Awaitable, List<Awaitable>, ValueOrStep, Name, std::string_view, List<EventListener>>;

struct Option {
  Key key{};  // which option of the verb (verbs.hpp)
  NodeIndex node = kNone;
  Argument value;
};

struct Step {
  Verb verb{};
  NodeIndex node = kNone;
  Argument argument;                // the value of the verb's own key
  List<Option> options;             // in the order of the verb table, only those given
  std::uint32_t line = 0;           // of the document
  DeclarationIndex caught = kNone;  // try: the `error` of its catch block, when something uses it

  // The option's argument, or null when it was not given.
  [[nodiscard]] const Argument* find(Key key) const {
    for (const Option& option : options) {
      if (option.key == key) return &option.value;
    }
    return nullptr;
  }
};

static_assert(std::is_trivially_destructible_v<Step>, "steps stand in an Arena");

// The main script, a function, or a callback written in place.
struct Body {
  enum class Kind : std::uint8_t { main, function, callback, executor };
  Kind kind = Kind::callback;
  bool is_async = false;              // has an await of its own, or is started by an async step
  BodyIndex parent = kNone;           // the body around it
  std::string_view name;              // function's name; `as` label of the step for a callback; "main"
  List<DeclarationIndex> parameters;  // in order of the arguments
  Block steps;
  NodeIndex node = kNone;
  std::uint32_t line = 0;  // of the document
};

struct Scenario;

// What the trace (and an instrumented export) calls the callback that `step` makes with its option `key`; the callback that is the
// value of the verb itself (setImmediate, nextTick, async) has Key::do_. It is the first of these that there is:
//  - the text of `as`; when the step has several callbacks (then), all but `do` add their key: "q.catch";
//  - the name of the function;
//  - verb@line: "setTimeout@12", and for the callbacks of `then` "then@12", "catch@12", "rejected@12", "finally@12".
// Body::name of a callback written in place is the same text.
[[nodiscard]] std::string callback_label(const Scenario& scenario, const Step& step, Key key);
// The same for a listener of the option `on`: "server.connection", the function's name, "connection@12".
[[nodiscard]] std::string listener_label(const Scenario& scenario, const Step& step, const EventListener& listener);

// ---- the document ---------------------------------------------------------------------------------------------------------

enum class EntryPoint : std::uint8_t { commonjs, module };

struct RuntimeChoice {
  std::string profile = "node-24";
  std::uint32_t threadpool = 4;
  TimeMs delay_resolution =
      0;  // perf_hooks.monitorEventLoopDelay() is enabled with it before the main script; 0: it is not
  EntryPoint entry = EntryPoint::commonjs;
  NodeIndex node = kNone;
};

struct Stall {
  TimeNs at = 0;
  TimeNs length = 0;
};

// Other programs on the same cores: threads that want a core at certain times, whatever the process does.
struct LoadSpec {
  enum class Kind : std::uint8_t { none, periodic, bursts };
  enum class Policy : std::uint8_t {
    preempt,  // they have cores first
    fair,     // every thread that wants a core has the same share (processor sharing: time slices without length)
  };
  Kind kind = Kind::none;
  Policy policy = Policy::preempt;
  std::uint32_t threads = 0;  // 0: as many as there are cores
  Duration busy;              // how long each wants a core; periodic: fixed
  Duration idle;              // bursts: and then none. Each thread draws its own
  TimeNs every = 0;           // periodic: all threads want a core at offset, offset + every ...
  TimeNs offset = 0;
};

// cgroups' CPU bandwidth (cpu.max): in every period the process's threads together may use so much CPU, and then wait for the next.
struct QuotaSpec {
  TimeNs quota = 0;  // 0: none
  TimeNs period = 100 * kMillisecond;
};

// CPU that the runtime itself needs.
struct OverheadSpec {
  Duration callback;  // before each callback that the loop makes
  Duration task;      // before each tick and microtask
  Duration turn;      // at the begin of each turn
  Duration poll;      // before each poll
  Duration timer;     // for each timer that is armed
};

// The simulated machine. `ideal` is the default value of every field.
struct MachineSpec {
  std::string name = "ideal";
  std::uint32_t cores = 0;              // 0: one for every thread
  std::uint64_t speed_ppm = 1'000'000;  // how fast the cores are, in millionths: CPU times are divided by it. Not 0
  Duration startup;                     // CPU from the end of the main script to the first turn
  Duration wakeup;                      // from an event that ends the sleep of the loop's thread to its running again
  OverheadSpec overhead;
  LoadSpec load;
  QuotaSpec quota;
  Duration clock_phase;       // [0, 1 ms): where inside a millisecond the process starts
  std::vector<Stall> stalls;  // ordered, not overlapping, each longer than 0
};

// The machines that have a name: `ideal`, `laptop` ... (sim/machine/presets.cpp says where their figures come from).
[[nodiscard]] std::span<const MachineSpec> machine_presets();
// Nothing costs time but what the script says: a real process under a virtual clock can be compared with it.
[[nodiscard]] bool costs_nothing(const MachineSpec& machine);

struct Limits {
  TimeNs time = 3600 * kSecond;
  std::uint64_t callbacks = 100'000;
  std::uint64_t steps = 10'000'000;
  std::uint64_t queue = 1'000'000;
  std::uint32_t depth = 10'000;
};

// When something happens again and again.
struct Arrivals {
  enum class Kind : std::uint8_t {
    renewal,  // the times between two are drawn, each by itself: exponential ones make a Poisson process
    list,     // at given times
    closed,   // a number of clients, each of which thinks between its last answer and its next request
  };
  Kind kind = Kind::renewal;
  Duration gap;  // renewal; closed: the time to think
  std::vector<TimeNs> times;
  std::uint32_t clients = 0;
  bool has_bursts = false;  // renewal: time counts only while the source is on
  Duration on, off;
  TimeNs from = 0, until = kNever;  // nothing happens at `until` or later
  std::uint64_t count = 0;          // at most so often; 0: without limit
};

// What the world outside the process does, at a given time. A client is another program: it connects to a server of the scenario.
struct OutsideEvent {
  enum class Kind : std::uint8_t { signal, connect, write, end, destroy };
  Kind kind = Kind::signal;
  TimeNs at = 0;  // true time
  int signal = 0;
  std::uint16_t port = 0;    // connect
  std::uint32_t client = 0;  // clients are numbered in the order of their `connect`
  std::string client_name;
  std::string data;                  // write; connect with arrivals: sent at once
  bool ends = false;                 // connect with arrivals: and then it has sent all
  std::optional<Arrivals> arrivals;  // of signal and connect, in place of `at`
  NodeIndex node = kNone;
};

struct Expectation {
  std::optional<std::vector<std::string>> output;
  std::optional<std::int64_t> exit_code;
  std::optional<TimeNs> exit_at;
  std::optional<std::vector<std::string>> order;
  std::vector<std::pair<std::string, std::vector<TimeNs>>> times;  // in the document's order
  std::optional<std::string> limit;                                // "time", "callbacks", ...
  NodeIndex node = kNone;
};

struct ExpectationCase {
  std::vector<std::string> runtimes;  // profile names, ranges already spelt out; empty: the document's own
  std::vector<std::pair<std::string, std::string>> overrides;  // param name, JSON text: as --set would give them
  Expectation expectation;
};

class Document;  // the text, its values and their places (sim/scenario/document.hpp)

struct Scenario {
  std::string file;  // as the user named it
  std::string title, source;
  std::vector<std::string> description;  // lines
  RuntimeChoice runtime;
  MachineSpec machine;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>>
      params;                        // name, JSON text of the value in force, in the document's order
  Limits limits;                     // in force: what the document asks for, and ReadOptions allow
  Limits asked_limits;               // what the document asks for
  std::vector<OutsideEvent> inputs;  // in the document's order
  std::vector<Body> bodies;          // [0] is main; then functions in the document's order; then callbacks
  std::vector<std::pair<std::string_view, BodyIndex>> functions;
  std::vector<Declaration> declarations;
  std::deque<Duration> durations;  // those of the steps; equal ones may be the same
  std::size_t steps = 0;           // how many there are in all bodies
  std::optional<Expectation> expectation;
  std::vector<ExpectationCase> cases;
  Arena memory;                              // holds the steps
  std::shared_ptr<const Document> document;  // holds their texts

  // The 1-based line and column of a place, and its JSON pointer. Total: an unknown node gives 0, 0 and "".
  struct Place {
    std::uint32_t line = 0, column = 0;
    std::string pointer;
  };
  [[nodiscard]] Place place(NodeIndex node) const;
};

// What the command line lays over a document.
struct ReadOptions {
  std::vector<std::pair<std::string, std::string>>
      overrides;                      // --set: a param's name or a JSON pointer, and a JSON text (or a bare word)
  std::string runtime;                // --runtime; empty: the document's
  std::optional<std::uint64_t> seed;  // --seed
  std::uint64_t most_steps = 0;       // --max-steps: no limit of steps or callbacks is higher; 0: as the document says
};

struct ReadResult {
  std::optional<Scenario> scenario;  // empty when there was an error
  Diagnostics diagnostics;  // all problems found, in the order of the document; reading ends with the hundredth error
};

// Reads and checks one document. Never throws on bad input. `file` is only used in messages.
[[nodiscard]] ReadResult read_scenario(std::string text, std::string file, const ReadOptions& options = {});

// The JSON Schema (draft 2020-12) of the language, made from the verb table. Ends with a newline.
[[nodiscard]] std::string scenario_schema();

// The Node script that the scenario stands for. `instrumented` adds a line for every callback begun (for the conformance check).
struct JavaScriptOptions {
  bool instrumented = false;
};
[[nodiscard]] std::string to_javascript(const Scenario& scenario, const JavaScriptOptions& options = {});

// Where a part of the document stands in it, and in its script. Lines and columns count from 1; columns are bytes.
struct ScriptPart {
  enum class Kind : std::uint8_t { step, body };
  Kind kind = Kind::step;
  std::string name;                            // step: its verb; body: what the trace calls its runs (callback_label)
  std::uint32_t line = 0, column = 0;          // of its first character in the document
  std::uint32_t end_line = 0, end_column = 0;  // one past its last
  std::uint32_t first = 0, last = 0;           // lines of the script
};

struct MappedScript {
  std::string text;               // to_javascript(scenario), byte for byte
  std::vector<ScriptPart> parts;  // steps and bodies that have lines, in the order of the script; inner before outer
};
[[nodiscard]] MappedScript to_mapped_javascript(const Scenario& scenario);

}  // namespace loopsim

// A scenario as read from its document: checked, names resolved, but still in the document's terms.
//
// Made by the reader; used by the compiler and the JavaScript export (all three in sim/scenario). Every part has its
// position in the document, as a NodeIndex that Document converts to line, column and JSON pointer.
// Lifetime: steps and their parts are allocated in Scenario::memory, texts there or in the document. They live as long
// as the Scenario and keep their addresses when it is moved. Copies of parts still refer to it and must not outlive it.
// The language: docs/scenario-language.md.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
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

// ---- names ----------------------------------------------------------------------------------------------------------

struct Declaration {
  enum class Kind : std::uint8_t {
    global,         // declared by as, set, promise, emitter ...: one per program
    mark,           // declared by mark; read only by {since name}
    parameter,      // of a function, or predefined in a callback (value, error, code)
    local,          // let
    loop_variable,  // repeat ... as: a new one per round
    caught,         // `error` in the catch block of a try: a new one each time
  };
  Kind kind = Kind::global;
  std::string_view name;
  BodyIndex body = 0;     // the body whose activation holds it (0 for globals and marks)
  bool captured = false;  // used by an inner body
  bool is_used = false;   // read, or a local that is written (an unused predefined name costs nothing)
  NodeIndex node = kNone;
};

// A use of a name. `process`, `undefined` and `now` are not declarations but built in.
struct Name {
  static constexpr DeclarationIndex kProcess = kNone - 1;
  static constexpr DeclarationIndex kUndefined = kNone - 2;
  std::string_view text;
  DeclarationIndex declaration = kNone;  // kNone: not resolved; kProcess, kUndefined: built in
  NodeIndex node = kNone;

  [[nodiscard]] bool is_declared() const { return declaration < kUndefined; }
  [[nodiscard]] bool is_process() const { return declaration == kProcess; }
  [[nodiscard]] bool is_undefined() const { return declaration == kUndefined; }
  [[nodiscard]] bool is_builtin() const { return is_process() || is_undefined(); }
};

// ---- expressions ----------------------------------------------------------------------------------------------------

struct TextPart {
  enum class Kind : std::uint8_t { text, variable, message, code, now, since };
  Kind kind = Kind::text;
  Name name;  // variable, message ({x.message}), code ({x.code}), since (a mark); of Kind::text the text alone

  [[nodiscard]] std::string_view text() const { return name.text; }
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
  union {  // by `kind`
    double number;
    List<TextPart> parts;  // text; set by set_text()
    Name* variable;        // a text that is a single placeholder
    ErrorLiteral* error;
  };

  Value() : number(0) {}
  void set_text(List<TextPart> text) {
    kind = Kind::text;
    std::construct_at(&parts, text);
  }
};

// A duration, fixed or drawn at each use. Times in ns; shape parameters (sigma, alpha) as written.
struct Duration {
  enum class Kind : std::uint8_t { fixed, uniform, exponential, normal, lognormal, pareto, choice, sequence };
  Kind kind = Kind::fixed;
  TimeNs a = 0;                // fixed value, low end, mean, median, minimum
  TimeNs b = 0;                // high end, standard deviation
  double shape = 0;            // sigma (lognormal), alpha (pareto)
  std::vector<TimeNs> values;  // choice, sequence
  std::uint32_t stream = 0;    // random stream; non-fixed durations are numbered in the order of reading
};

struct Condition {
  enum class Operator : std::uint8_t { truthy, less, less_equal, greater, greater_equal, equal, not_equal };
  Operator op = Operator::truthy;
  Name left;  // built-in `undefined` if the condition is constant (a param): true if op is `equal`
  Value right;
};

struct Assignment {
  Name target;
  Value value;
};

// A callback with its own body, or a function by name, which shares the function's body.
struct Callback {
  BodyIndex body = kNone;
  bool by_name = false;
  NodeIndex node = kNone;
};

// A listener declared with its emitter: the `on` of listen and connect.
struct EventListener {
  std::string_view event;
  Callback callback;
  NodeIndex node = kNone;
};

struct Step;
using Block = List<Step>;  // steps of the same body: then, else, do of repeat, try ...

// Operand of await: a promise's name, null, or a step that makes a promise.
struct Awaitable {
  enum class Kind : std::uint8_t { none, name, step };
  Kind kind = Kind::none;
  NodeIndex node = kNone;
  union {  // by `kind`
    Name* name = nullptr;
    Step* step;
  };

  // Null if it is no step.
  [[nodiscard]] Step* made_by() const { return kind == Kind::step ? step : nullptr; }
};

// One duration per request of an operation, in its order, or a single one for the data request.
struct RequestTimes {
  List<const Duration*> each;  // one per request of the operation
};

// ---- steps ----------------------------------------------------------------------------------------------------------

// A duration is one of Scenario::durations. A timer's delay is a Value, coerced as by Node, or a duration that is drawn at
// each use; what `return` returns is a Value or an Awaitable. There are millions of arguments in a long document: what
// is larger than a Name stands in the arena (docs/performance.md).
using Argument =
    std::variant<std::monostate, Value, List<Value>, const Duration*, RequestTimes, Condition*, List<Assignment>,
                 Callback, Block, Awaitable, List<Awaitable>, Name, std::string_view, List<EventListener>>;

struct Option {
  Key key{};  // option of the verb (verbs.hpp)
  NodeIndex node = kNone;
  Argument value;
};

struct Step {
  Verb verb{};
  NodeIndex node = kNone;
  Argument argument;                // the value of the verb's own key
  List<Option> options;             // those given, in the order of the verb table
  std::uint32_t line = 0;           // of the document
  DeclarationIndex caught = kNone;  // try: the `error` of its catch block, if it is used

  // The option's argument, or null if absent.
  [[nodiscard]] const Argument* find(Key key) const {
    for (const Option& option : options) {
      if (option.key == key) return &option.value;
    }
    return nullptr;
  }
};

static_assert(std::is_trivially_destructible_v<Step>, "steps stand in an Arena");
static_assert(sizeof(Argument) <= sizeof(Name) + 8);

// The main script, a function, or a callback written in place.
struct Body {
  enum class Kind : std::uint8_t { main, function, callback, executor };
  Kind kind = Kind::callback;
  bool is_async = false;              // contains an await, or is started by an async step
  BodyIndex parent = kNone;           // the enclosing body
  std::string_view name;              // function's name; `as` label of the step for a callback; "main"
  List<DeclarationIndex> parameters;  // in order of the arguments
  Block steps;
  NodeIndex node = kNone;
  std::uint32_t line = 0;  // of the document
};

// A generated name, word@line, that several steps of one line would have: theirs have the column as well.
struct SharedLabel {
  std::uint32_t line = 0;
  std::string_view word;  // "then"
  auto operator<=>(const SharedLabel&) const = default;
};

struct Scenario;

// The name, in the trace and an instrumented export, of the callback in option `key` of `step`. A callback that is the
// value of the verb itself (setImmediate, nextTick, async) has Key::do_. The first available of:
//  - the text of `as`; if the step has several callbacks (then), all but `do` append their key: "q.catch";
//  - the name of the function;
//  - verb@line: "setTimeout@12", and for the callbacks of `then` "then@12", "catch@12", "rejected@12", "finally@12";
//    with the column of the step, "then@12:41", where another step in that line would have the same name.
// For a callback written in place, Body::name has the same text.
[[nodiscard]] std::string callback_label(const Scenario& scenario, const Step& step, Key key);
// The same for a listener of the option `on`: "server.connection", the function's name, "connection@12".
[[nodiscard]] std::string listener_label(const Scenario& scenario, const Step& step, const EventListener& listener);

// ---- the document ---------------------------------------------------------------------------------------------------

enum class EntryPoint : std::uint8_t { commonjs, module };

struct RuntimeChoice {
  std::string profile = "node-24";
  std::uint32_t threadpool = 4;
  TimeMs delay_resolution = 0;  // of perf_hooks.monitorEventLoopDelay(), enabled before the main script; 0: not enabled
  EntryPoint entry = EntryPoint::commonjs;
  NodeIndex node = kNone;
};

struct Stall {
  TimeNs at = 0;
  TimeNs length = 0;
};

// Other programs on the same cores: threads that need a core at certain times, independent of the process. Under a
// SchedulerSpec's policy `busy` is CPU time, and `idle` begins when they have had it.
struct LoadSpec {
  enum class Kind : std::uint8_t { none, periodic, bursts };
  enum class Policy : std::uint8_t {
    preempt,  // they have priority
    fair,     // equal shares for all runnable threads (processor sharing: infinitesimal time slices)
  };
  Kind kind = Kind::none;
  Policy policy = Policy::preempt;
  std::uint32_t threads = 0;  // 0: one per core
  Duration busy;              // how long each needs a core; periodic: fixed
  Duration idle;              // bursts: pause after `busy`; drawn per thread
  TimeNs every = 0;           // periodic: all threads need a core at offset, offset + every ...
  TimeNs offset = 0;
  // Under SchedulerSpec::Policy::cfs and eevdf only.
  int nice = 0;              // of each thread, -20 to 19
  std::uint32_t weight = 0;  // cpu.weight of their cgroup, 1 to 10000; 0: they are in none
  bool pinned = false;  // each thread may use one core only, as by taskset: the first one the first core, and so on
};

// The scheduler of the operating system. Its times of 0 are the kernel's defaults for the number of cores
// (docs/machine.md).
struct SchedulerSpec {
  enum class Policy : std::uint8_t {
    sharing,  // none: LoadSpec::policy, and processor sharing among the process's threads
    cfs,      // as Linux 6.5
    eevdf,    // as Linux 6.12
  };
  Policy policy = Policy::sharing;
  TimeNs tick = 4 * kMillisecond;                                   // not 0
  bool has_phase = false;                                           // else drawn, anywhere in a tick
  Duration phase;                                                   // of the first tick, modulo `tick`
  TimeNs latency = 0, min_granularity = 0, wakeup_granularity = 0;  // cfs
  TimeNs base_slice = 0;                                            // eevdf
  TimeNs migration_cost = 500 * kMicrosecond;                       // who ran so recently stays on its core
  std::int64_t newidle_ppm = 1'000'000;  // of the times at which a core becomes idle it looks for who waits elsewhere
  TimeNs bandwidth_slice = 5 * kMillisecond;  // portions of a quota that cores take. Not 0
  int nice = 0;                               // of the process's threads, -20 to 19
  std::uint32_t weight = 0;                   // cpu.weight of its cgroup, 1 to 10000; 0: it is in none, but for a quota
};

// V8's garbage collector, as far as it stops the thread: JavaScript allocates in proportion to the CPU that it uses, and each time that
// the young generation is full a scavenge takes time; part of it survives, and when so much has, a mark-compact takes time, too. Their
// sizes are in bytes.
struct CollectionSpec {
  std::int64_t allocation = 0;  // in a second of CPU; 0: no collector
  std::int64_t young = std::int64_t{16} << 20;
  Duration scavenge;
  std::int64_t survives_ppm = 50'000;
  std::int64_t old = std::int64_t{64} << 20;
  Duration mark_compact;
};

// V8 interprets a function before it compiles it: what JavaScript computes in the first `calls` of a callback takes longer, by `factor` in
// the first, and evenly less from call to call.
struct WarmUpSpec {
  std::int64_t factor_ppm = 1'000'000;
  std::uint32_t calls = 0;  // 0: none
};

// Thefts by a hypervisor, which lets another machine have the core: nobody runs on it meanwhile. Each core has its own.
struct StealSpec {
  Duration takes;
  Duration between;  // from the end of one to the next. `takes` and `between` of 0: none
  [[nodiscard]] bool is_there() const { return between.kind != Duration::Kind::fixed || between.a != 0; }
};

// CPU bandwidth of cgroups (cpu.max): per period the process's threads together may use `quota` of CPU; then they wait
// for the next period.
struct QuotaSpec {
  TimeNs quota = 0;  // 0: none
  TimeNs period = 100 * kMillisecond;
};

// Time that the runtime itself needs, beside the work that the scenario states. CPU of the loop's thread, but `request`.
struct OverheadSpec {
  Duration callback;  // before each callback of the loop
  Duration cold;    // when the loop wakes up, or before a callback, if neither has been for a millisecond: cold caches
  Duration socket;  // before what a socket or a server finds in poll: a connection, bytes, room to write, the end
  Duration task;    // before each tick and microtask
  Duration turn;    // at the start of each turn
  Duration poll;    // before each poll
  Duration timer;   // for each armed timer
  Duration log;     // for each line of output
  Duration first_log;  // for the first one, in place of `log`: Node creates the stream then
  Duration submit;     // for each request to the pool or the network: handing it over
  Duration
      clock;  // fixed: for each reading of a clock by a program in JavaScript; 0: 1 us, as a loop that waits must end
  Duration syscall;  // for each system call that a program in JavaScript waits for: of fs.*Sync
  Duration jumps;    // fixed: for a thousand jumps and calls of a program in JavaScript
  Duration request;  // no CPU, but the request's own time, beside its `takes`: a thread wakes up, makes the system call
};

// Which of a page's ready tasks is next, where the HTML standard leaves it open (docs/browser.md).
enum class TaskChoice : std::uint8_t {
  by_time,  // the one that took its place first
  drawn  // one of several sources; how late timers, answers and idle periods are, and the display's phase are drawn, too
};

// What a core that has been idle for at least `after` needs to wake up, in place of MachineSpec::wakeup: it sleeps the deeper, the longer.
struct IdleState {
  TimeNs after = 0;
  Duration wakeup;
};

// The simulated machine. The default values are the machine `ideal`.
struct MachineSpec {
  std::string name = "ideal";
  std::uint32_t cores = 0;              // 0: one per thread
  std::uint64_t speed_ppm = 1'000'000;  // speed of the cores, in millionths; divides CPU times. Not 0
  Duration startup;                     // CPU from the end of the main script to the first turn
  Duration wakeup;                      // from the event that wakes the loop's thread until it runs, on an idle core
  std::vector<IdleState> idle_states;   // in order of `after`
  Duration timer_slack;                 // by how much a sleep outlasts its timeout
  OverheadSpec overhead;
  CollectionSpec gc;
  WarmUpSpec warm_up;
  LoadSpec load;
  SchedulerSpec scheduler;
  QuotaSpec quota;
  StealSpec steal;            // under a scheduler
  Duration clock_phase;       // [0, 1 ms): start of the process within a millisecond
  std::vector<Stall> stalls;  // ordered, not overlapping, each longer than 0
  TaskChoice tasks = TaskChoice::by_time;

  // What a reading of a clock takes a program in JavaScript.
  [[nodiscard]] TimeNs clock_reading() const { return overhead.clock.a == 0 ? kMicrosecond : overhead.clock.a; }
};

// What the document says of the machine. The rest varies on a real one (machine_variation.hpp).
struct MachineGiven {
  bool preset = false;  // a named machine: all of it
  bool startup = false, wakeup = false, clock = false;
  bool callback = false, task = false, turn = false, poll = false, timer = false;  // of `overhead`
  bool log = false, first_log = false, submit = false, request = false, jumps = false;
  bool tasks = false;
};

// The named machines: `ideal`, `laptop` ... (sources of the figures: docs/machine-presets.md).
[[nodiscard]] std::span<const MachineSpec> machine_presets();
// What a named machine is, and where its figures come from, in one line. Empty: there is no such machine.
[[nodiscard]] std::string_view machine_note(std::string_view name);
// True if only the script takes time, so that a real process under a virtual clock is comparable.
[[nodiscard]] bool costs_nothing(const MachineSpec& machine);

struct Limits {
  TimeNs time = 3600 * kSecond;
  std::uint64_t callbacks = 100'000;
  std::uint64_t steps = 10'000'000;
  std::uint64_t queue = 1'000'000;
  std::uint32_t depth = 10'000;
};

// An arrival process.
struct Arrivals {
  enum class Kind : std::uint8_t {
    renewal,  // independent gaps; exponential ones make a Poisson process
    list,     // at given times
    closed,   // a fixed number of clients, each with a think time between response and next request
  };
  Kind kind = Kind::renewal;
  Duration gap;  // renewal; closed: think time
  std::vector<TimeNs> times;
  std::uint32_t clients = 0;
  bool has_bursts = false;  // renewal: time passes only while the source is on
  Duration on, off;
  TimeNs from = 0, until = kNever;  // no arrivals at or after `until`
  std::uint64_t count = 0;          // maximum number of arrivals; 0: no limit
};

// An event outside the process, at a given time. A client is another program, which connects to a server of the
// scenario.
struct OutsideEvent {
  enum class Kind : std::uint8_t { signal, connect, write, end, destroy, user };
  Kind kind = Kind::signal;
  TimeNs at = 0;  // true time
  int signal = 0;
  std::uint16_t port = 0;    // connect
  std::uint32_t client = 0;  // numbered in the order of their `connect`
  std::string client_name;   // of a user's input: "click", "keydown" ...
  std::string data;   // write; connect with arrivals: sent at once; of a user's input: the selector of its target
  bool ends = false;  // connect with arrivals: end after `data`
  std::optional<Arrivals> arrivals;  // signal, connect: instead of `at`
  NodeIndex node = kNone;
};

struct Expectation {
  // Of the runtime `io`: lines as `run -f calls` writes them, of each process by its model.
  std::vector<std::pair<std::string, std::vector<std::string>>> calls;
  std::optional<std::vector<std::string>> output;
  std::optional<std::int64_t> exit_code;
  std::optional<TimeNs> exit_at;
  std::optional<std::vector<std::string>> order;
  std::vector<std::pair<std::string, std::vector<TimeNs>>> times;  // in document order
  std::optional<std::string> limit;                                // "time", "callbacks", ...
  NodeIndex node = kNone;
};

struct ExpectationCase {
  std::vector<std::string> runtimes;  // profile names, with ranges expanded; empty: the document's own
  std::vector<std::pair<std::string, std::string>> overrides;  // param name, JSON text, as for --set
  Expectation expectation;
};

class Document;  // the text, its values and their positions (sim/scenario/document.hpp)

// A file that a program in JavaScript finds. Times are numbers in Script::durations, by the name of a request ("open", "read").
struct ScriptFile {
  std::string path;  // as given: from the script's root, or absolute; with "/" at its end a folder
  std::optional<std::string> text;
  std::uint64_t size = 0;  // in bytes; where there is no text
  std::vector<std::pair<std::string, std::uint32_t>> times;
};

// What a command does that a script starts as a child process. Its time is a number in Script::durations.
struct ScriptCommand {
  std::string name;  // with its arguments, or alone: with any
  std::uint32_t takes = kNone;
  std::string out, error_out;  // what it prints
  int code = 0;
  std::string signal;  // that it ends by; empty: none
};

// What a server answers a page. Its time, from the request to the answer, is a number in Script::durations.
struct ScriptAnswer {
  std::string method = "GET";
  std::string url;  // as given: absolute, or from the root of the page's origin
  std::uint32_t takes = kNone;
  std::uint32_t status = 200;  // 0: the request fails
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers;
};

// A part of a document, and where the script that is made of it has it. Lines and columns count from 1; columns count bytes.
struct ScriptPart {
  enum class Kind : std::uint8_t { step, body };
  Kind kind = Kind::step;
  std::string name;                                 // step: its verb; body: its name in the trace (callback_label)
  std::uint32_t line = 0, column = 0;               // of its first character in the document
  std::uint32_t end_line = 0, end_column = 0;       // one past its last
  std::uint32_t first = 0, last = 0;                // lines of the script
  std::uint32_t first_column = 0, last_column = 0;  // there: of its first character, and one past its last
};

// What a program in JavaScript sees of the disk: its modules, and what fs finds. Paths are those from its root, which is
// /usr/src/app to it; the program chooses them, so that it is these functions alone that decide what may be read. Called
// from all threads that run the program; the same answer every time.
struct ScriptFolder {
  std::function<std::optional<std::string>(const std::string& path)> read = {};  // empty: there is no such file
  // The names in a folder, in order, those of folders with "/" at the end.
  std::function<std::optional<std::vector<std::string>>(const std::string& path)> list = {};
  std::function<bool(const std::string& path)> leads_out = {};  // of the root: for messages
  std::string place = {};                                       // of the script; empty: the last part of its name
  // Node's own library of a version ("18.20.8"), as tools/quickjs/make_builtins.cpp writes it; empty: it is not here. The bytes stay.
  std::function<std::span<const std::uint8_t>(std::string_view version)> library = {};
};

// A program in JavaScript.
struct Script {
  std::string source;
  std::string file;                                               // as messages and stacks name it
  std::vector<std::pair<std::string, std::string>> environment;   // process.env, in document order
  std::vector<std::string> arguments = {};                        // process.argv, from the third on
  std::optional<std::string> input = {};                          // the bytes of standard input, a file; empty: none
  std::vector<std::pair<std::string, std::string>> stubs = {};    // modules by name, with their exports as JSON texts
  ScriptFolder folder = {};                                       // what is not set is not there
  std::vector<ScriptFile> files = {};                             // in document order
  std::string document = {};                                      // in a browser: the markup of the page's body
  std::vector<std::pair<std::string, std::uint32_t>> times = {};  // of what is not above: "dns.lookup", "fs.read"
  std::vector<Duration> durations = {};
  std::vector<ScriptCommand> commands = {};  // in document order
  std::vector<ScriptAnswer> answers = {};    // to a page, in document order
  // Of a script that was made of a document's steps: what its places and callbacks are there. Inner before outer.
  std::vector<ScriptPart> parts = {};
};

struct IoSpec;  // io.hpp

struct Scenario {
  std::string file;  // as the user named it
  std::string title, source;
  std::vector<std::string> description;  // lines
  RuntimeChoice runtime;
  MachineSpec machine;
  MachineGiven machine_given;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> params;  // name, JSON text of the effective value, in document order
  Limits limits;                     // effective: as requested by the document and allowed by ReadOptions
  Limits asked_limits;               // as requested by the document
  std::vector<OutsideEvent> inputs;  // in document order
  std::optional<Script> script;      // then there are no bodies but an empty main
  // Of a page whose program is steps: its markup, and what servers answer. The rest of it is made by compile().
  std::shared_ptr<Script> page;
  std::shared_ptr<const IoSpec> io;  // of the runtime `io`: the same
  std::vector<Body> bodies;          // [0] is main; then functions in document order; then callbacks
  std::vector<std::pair<std::string_view, BodyIndex>> functions;
  std::vector<Declaration> declarations;
  std::deque<Duration> durations;  // of the steps; equal ones may be shared
  std::size_t steps = 0;           // number in all bodies
  std::array<bool, 256> verbs{};   // those in use
  std::optional<Expectation> expectation;
  std::vector<ExpectationCase> cases;
  Arena memory;                              // holds the steps
  std::vector<SharedLabel> shared_labels;    // ordered
  std::shared_ptr<const Document> document;  // holds their texts

  // The 1-based line and column of a node, and its JSON pointer. Never fails: an unknown node gives 0, 0 and "".
  struct Place {
    std::uint32_t line = 0, column = 0;
    std::string pointer;
  };
  [[nodiscard]] Place place(NodeIndex node) const;
};

// Overrides of a document by the command line.
struct ReadOptions {
  // --set: a param's name or a JSON pointer, and a JSON text (or a bare word). A pointer makes the place that it names
  // where it is missing. In the given order, but /machine before /machine/load.
  std::vector<std::pair<std::string, std::string>> overrides;
  std::string runtime;                // --runtime; empty: the document's
  std::optional<std::uint64_t> seed;  // --seed
  std::uint64_t most_steps = 0;       // --max-steps: upper bound for the limits of steps and callbacks; 0: none
  // Reads the file that "script" names, relative to the document; empty: there is none. Not set: there are no files.
  std::function<std::optional<std::string>(const std::string& name)> read_file = {};
  // Script::folder, of the file that "script" names.
  std::function<ScriptFolder(const std::string& name)> folder_of = {};
  bool warns = true;  // false: ReadResult::diagnostics has errors only
};

struct ReadResult {
  std::optional<Scenario> scenario;  // empty on error
  Diagnostics diagnostics;           // all problems, in document order; reading stops at the hundredth error
};

// Reads and checks one document. Never throws on bad input. `file` is only used in messages.
[[nodiscard]] ReadResult read_scenario(std::string text, std::string file, const ReadOptions& options = {});

// The JSON Schema (draft 2020-12) of the language, made from the verb table. Ends with a newline.
[[nodiscard]] std::string scenario_schema();

// The Node script equivalent to the scenario. `instrumented` adds a line of output per begun callback (for the
// conformance check).
struct JavaScriptOptions {
  bool instrumented = false;
  bool named = false;  // every callback gets its name of the trace: for a run in a page of loopsim's
};
[[nodiscard]] std::string to_javascript(const Scenario& scenario, const JavaScriptOptions& options = {});

// The program in C that a scenario for libuv alone (Family::libuv) stands for. `judged`: without uv.h, for the libuv of a Node
// binary under the virtual clock of tools/conformance; it tells each callback and call on descriptor 3.
struct COptions {
  bool judged = false;
};
[[nodiscard]] std::string to_c(const Scenario& scenario, const COptions& options = {});

struct MappedScript {
  std::string text;               // to_javascript(scenario), byte for byte
  std::vector<ScriptPart> parts;  // steps and bodies with lines in the script, in its order; inner before outer
};
[[nodiscard]] MappedScript to_mapped_javascript(const Scenario& scenario, const JavaScriptOptions& options = {});

}  // namespace loopsim

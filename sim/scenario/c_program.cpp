// The program in C that a scenario for libuv alone stands for.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "loopsim/scenario.hpp"
#include "loopsim/text.hpp"

#include "sim/scenario/document.hpp"
#include "sim/scenario/walk.hpp"

namespace loopsim {
namespace {

// The kinds of handles, as in the names of functions, types and numbers, which are those of all versions 1.x.
struct Kind {
  std::string_view word;    // "timer", in uv_timer_t
  std::string_view number;  // UV_TIMER
};
constexpr std::array kKinds = {Kind{"async", "UV_ASYNC"},     Kind{"check", "UV_CHECK"}, Kind{"idle", "UV_IDLE"},
                               Kind{"prepare", "UV_PREPARE"}, Kind{"timer", "UV_TIMER"}, Kind{"signal", "UV_SIGNAL"}};

// Of a function for one kind of handle; null: for all, or for none.
const Kind* kind_of(Verb verb) {
  const auto found = std::ranges::find_if(
      kKinds, [&](const Kind& kind) { return info(verb).name.starts_with(fmt::format("uv_{}_", kind.word)); });
  return found == kKinds.end() ? nullptr : &*found;
}

bool makes_handle(Verb verb) { return info(verb).kind == ArgumentKind::new_name && kind_of(verb) != nullptr; }

// The type of a callback's first argument, and of the function's handle.
std::string first_argument(Verb verb) {
  if (verb == Verb::uv_queue_work) return "uv_work_t*";
  if (verb == Verb::uv_cancel) return "uv_req_t*";
  const Kind* const kind = kind_of(verb);
  return kind == nullptr ? "uv_handle_t*" : fmt::format("uv_{}_t*", kind->word);
}

// Types of variables that are no handles.
constexpr std::string_view kNumber = "long long", kText = "const char*";

// Words of C, functions and variables of its library that uv.h brings along, and names of this program.
constexpr std::string_view kTaken =
    " "
    "abort abs accept access alarm at atoi auto begins bind break called calloc case char chdir chmod chown "
    "clock clone close connect const continue creat crypt ctime daemon default div do double dup else enum "
    "environ errno exit extern fchdir float for fork free getc getenv getline goto if index inline int judged "
    "kill link listen localtime lock long loop lseek main malloc mkdir mktemp nice now_ms open operations "
    "outside pause pipe poll popen printf program putc puts raise rand random read readlink realloc recv "
    "register remove rename reserve restrict return rewind rindex rmdir say select send setbuf short shutdown "
    "signal signed sizeof sleep socket spin splice srand start_ms start_ns start_time stat static stderr stdin "
    "stdout struct swab switch symlink sync syscall system tee time times truncate typedef umask union unlink "
    "unsigned usleep void volatile wait while work work_of write ";

// A name of the scenario, which may be taken.
std::string c_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> kMade = {"uv_", "at_", "f_", "callback_", "round_"};
  std::string text(name);
  std::ranges::replace(text, '$', '_');
  const bool is_made = std::ranges::any_of(kMade, [&](std::string_view prefix) { return text.starts_with(prefix); });
  return is_made || kTaken.find(" " + text + " ") != std::string_view::npos ? text + "_" : text;
}

std::string c_string(std::string_view text, bool is_format) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
    if (c == '%' && is_format) out += '%';
  }
  return out + '"';
}

// A text and the values in it, as printf takes them.
struct Printed {
  std::string format;                  // the text of a string literal, without its quotes
  std::vector<std::string> arguments;  // each with a comma before it
};

constexpr std::string_view kHead = R"(#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

static uv_loop_t* loop;
static uint64_t start_ms, start_time;

static long long now_ms(void) { return (long long) (uv_hrtime() / 1000000 - start_ms); }
static void spin(uint64_t ns) {
  for (uint64_t begin = uv_hrtime(); uv_hrtime() - begin < ns;) {
  }
}
struct work {
  uint64_t cpu, sleep;
};
static void work(uv_work_t* req) {
  const struct work* what = req->data;
  if (what->cpu != 0) spin(what->cpu);
  if (what->sleep != 0) usleep((useconds_t) (what->sleep / 1000));
}
)";

// Without uv.h: the libuv inside a Node binary, whatever its version. The functions are those that the program calls.
constexpr std::string_view kJudgedHead = R"(#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct uv_loop_s uv_loop_t;
typedef struct uv_handle_s uv_handle_t;
typedef struct uv_handle_s uv_timer_t, uv_idle_t, uv_prepare_t, uv_check_t, uv_async_t, uv_signal_t;
typedef struct uv_req_s { void* data; } uv_req_t, uv_work_t;
typedef void (*uv_cb)(uv_handle_t*);
typedef uv_cb uv_close_cb, uv_timer_cb, uv_idle_cb, uv_prepare_cb, uv_check_cb, uv_async_cb;
typedef void (*uv_signal_cb)(uv_handle_t*, int);
typedef void (*uv_walk_cb)(uv_handle_t*, void*);
typedef void (*uv_work_cb)(uv_work_t*);
typedef void (*uv_after_work_cb)(uv_work_t*, int);
enum { UV_RUN_DEFAULT, UV_RUN_ONCE, UV_RUN_NOWAIT };
enum { UV_LOOP_BLOCK_SIGNAL, UV_METRICS_IDLE_TIME };
enum { UV_ASYNC = 1, UV_CHECK = 2, UV_IDLE = 6, UV_PREPARE = 9, UV_TIMER = 13, UV_SIGNAL = 16, UV_WORK = 7 };
size_t uv_loop_size(void), uv_handle_size(int), uv_req_size(int);
uint64_t uv_hrtime(void), uv_now(const uv_loop_t*), uv_timer_get_repeat(const uv_timer_t*), uv_timer_get_due_in(const uv_timer_t*);
int uv_loop_init(uv_loop_t*), uv_loop_configure(uv_loop_t*, int, ...), uv_loop_close(uv_loop_t*);
int uv_run(uv_loop_t*, int), uv_loop_alive(const uv_loop_t*);
int uv_backend_timeout(const uv_loop_t*), uv_has_ref(const uv_handle_t*), uv_is_active(const uv_handle_t*);
int uv_is_closing(const uv_handle_t*), uv_cancel(uv_req_t*);
int uv_async_send(uv_async_t*), uv_async_init(uv_loop_t*, uv_async_t*, uv_async_cb);
void uv_stop(uv_loop_t*), uv_update_time(uv_loop_t*), uv_ref(uv_handle_t*), uv_unref(uv_handle_t*);
void uv_walk(uv_loop_t*, uv_walk_cb, void*), uv_close(uv_handle_t*, uv_close_cb), uv_timer_set_repeat(uv_timer_t*, uint64_t);
int uv_timer_init(uv_loop_t*, uv_timer_t*), uv_timer_start(uv_timer_t*, uv_timer_cb, uint64_t, uint64_t);
int uv_timer_stop(uv_timer_t*), uv_timer_again(uv_timer_t*);
int uv_idle_init(uv_loop_t*, uv_idle_t*), uv_idle_start(uv_idle_t*, uv_idle_cb), uv_idle_stop(uv_idle_t*);
int uv_prepare_init(uv_loop_t*, uv_prepare_t*), uv_prepare_start(uv_prepare_t*, uv_prepare_cb), uv_prepare_stop(uv_prepare_t*);
int uv_check_init(uv_loop_t*, uv_check_t*), uv_check_start(uv_check_t*, uv_check_cb), uv_check_stop(uv_check_t*);
int uv_queue_work(uv_loop_t*, uv_work_t*, uv_work_cb, uv_after_work_cb);
int uv_signal_init(uv_loop_t*, uv_signal_t*), uv_signal_start(uv_signal_t*, uv_signal_cb, int), uv_signal_stop(uv_signal_t*);
int uv_signal_start_oneshot(uv_signal_t*, uv_signal_cb, int);

static uv_loop_t* loop;
static uint64_t start_ms, start_time, start_ns;

static long long now_ms(void) { return (long long) (uv_hrtime() / 1000000 - start_ms); }
static void say(const char* what) { dprintf(3, "%lld %s", (long long) (uv_hrtime() - start_ns), what); }
static long long called(const char* call, long long result) {
  say("");
  dprintf(3, "call %s = %lld\n", call, result);
  return result;
}
static void begins(const char* name) {
  say("");
  dprintf(3, "begin %s\n", name);
}
static void spin(uint64_t ns) {
  char text[64];
  snprintf(text, sizeof text, "vclock:burn:%llu", (unsigned long long) ns);
  if (chdir(text) != 0) return;
}
// Later handles have higher addresses, by which libuv orders those that watch the same signal.
static void* reserve(size_t size) {
  static char memory[1 << 22];
  static size_t used;
  size = (size + 15) / 16 * 16;
  if (used + size > sizeof memory) abort();
  used += size;
  return memory + used - size;
}
static int operations;
static void arrives(uint64_t ns, int signum) {
  char text[64];
  snprintf(text, sizeof text, "vclock:at:%llu:%d:signal:%d", (unsigned long long) ns, ++operations, signum);
  if (chdir(text) != 0) return;
}
struct work {
  uint64_t cpu, sleep;
  int number;
};
static void* work_of(uint64_t cpu, uint64_t sleep) {
  struct work* what = calloc(1, sizeof *what);
  *what = (struct work) {cpu, sleep, ++operations};
  return what;
}
static void work(uv_work_t* req) {
  const struct work* what = req->data;
  char text[64];
  snprintf(text, sizeof text, "/vclock/op/%llu/%d", (unsigned long long) (what->cpu + what->sleep), what->number);
  if (access(text, F_OK) != 0) return;
}
)";
// Several programs run in one process, one behind the other: what is left of one ends before the next begins.

constexpr std::string_view kJudgedMain = R"(
__attribute__((constructor)) static void judged(void) {
  loop = calloc(1, uv_loop_size());
  uv_loop_init(loop);
  start_ns = uv_hrtime();
  const int code = program();
  say("");
  dprintf(3, "exit %d\n", code);
  for (int signum = 1; signum < 32; ++signum) {
    if (signum != 9 && signum != 17 && signum != 19) signal(signum, SIG_IGN);
  }
  spin(10000000000);
  for (int signum = 1; signum < 32; ++signum) {
    if (signum != 9 && signum != 13 && signum != 17 && signum != 19) signal(signum, SIG_DFL);
  }
}
)";

class CProgram {
 public:
  CProgram(const Scenario& scenario, bool is_judged) : scenario_(scenario), is_judged_(is_judged) {}

  std::string write() {
    collect();
    std::string text;
    if (!scenario_.title.empty()) text += fmt::format("// {}\n", scenario_.title);
    if (!is_judged_) text += "//\n// cc -o program program.c -luv\n";
    text += std::string(is_judged_ ? kJudgedHead : kHead) + "\n" + variables();
    for (BodyIndex i = 1; i < scenario_.bodies.size(); ++i) {
      if (is_used(i)) text += signature(i) + ";\n";
    }
    text += "\n";
    std::string functions;
    for (BodyIndex i = 1; i < scenario_.bodies.size(); ++i) {
      if (is_used(i)) functions += function(i);
    }
    functions += outside() + main_function();
    return text + (told_.empty() ? told_ : told_ + "\n") + functions;
  }

 private:
  // ---- what is declared -----------------------------------------------------------------------------------------------

  void collect() {
    callers_.resize(scenario_.bodies.size(), Verb::log);
    mixed_.resize(scenario_.bodies.size(), false);
    called_.resize(scenario_.bodies.size(), false);
    types_.resize(scenario_.declarations.size(), std::string(kNumber));
    const Walk walk(scenario_, [this](const Step& step) { look_at(step); });
  }

  void look_at(const Step& step) {
    if (makes_handle(step.verb) || step.verb == Verb::uv_queue_work)
      set_type(std::get<Name>(step.argument), first_argument(step.verb));
    if (step.verb == Verb::set || step.verb == Verb::let) {
      for (const Assignment& one : std::get<List<Assignment>>(step.argument)) {
        if (one.value.kind == Value::Kind::text) set_type(one.target, std::string(kText));
      }
    }
    if (step.verb == Verb::call) {
      called_[std::get<Callback>(step.argument).body] = true;
      return;
    }
    if (const auto* callback = std::get_if<Callback>(&step.argument)) calls_back(step.verb, *callback);
    for (const Option& option : step.options) {
      if (const auto* callback = std::get_if<Callback>(&option.value)) calls_back(step.verb, *callback);
    }
  }

  void set_type(const Name& name, std::string type) {
    if (name.declaration != kNone) types_[name.declaration] = std::move(type);
  }

  void calls_back(Verb verb, const Callback& callback) {
    Verb& caller = callers_[callback.body];
    if (caller != Verb::log && first_argument(caller) != first_argument(verb)) mixed_[callback.body] = true;
    caller = verb;
    const Body& body = scenario_.bodies[callback.body];
    if (!body.parameters.empty())
      types_[body.parameters[0]] = mixed_[callback.body] ? "uv_handle_t*" : first_argument(verb);
  }

  [[nodiscard]] bool is_used(BodyIndex body) const { return callers_[body] != Verb::log || called_[body]; }

  // ---- functions ------------------------------------------------------------------------------------------------------

  [[nodiscard]] std::string variables() const {
    std::string text;
    for (std::size_t i = 0; i < scenario_.declarations.size(); ++i) {
      const Declaration& declaration = scenario_.declarations[i];
      if (declaration.kind == Declaration::Kind::global || declaration.kind == Declaration::Kind::mark)
        text += fmt::format("static {} {};\n", types_[i], c_name(declaration.name));
    }
    return text.empty() ? text : text + "\n";
  }

  [[nodiscard]] std::string function_name(BodyIndex index) const {
    const Body& body = scenario_.bodies[index];
    return body.kind == Body::Kind::function ? "f_" + c_name(body.name) : fmt::format("callback_{}", index);
  }

  [[nodiscard]] std::string signature(BodyIndex index) const {
    const Body& body = scenario_.bodies[index];
    std::string parameters;
    const auto add = [&](std::string_view type, std::size_t i, std::string_view otherwise) {
      const std::string name =
          i < body.parameters.size() ? c_name(scenario_.declarations[body.parameters[i]].name) : std::string(otherwise);
      parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", type, name);
    };
    if (called_[index]) {
      for (std::size_t i = 0; i < body.parameters.size(); ++i) add(types_[body.parameters[i]], i, "");
      return fmt::format("static long long {}({})", function_name(index), parameters.empty() ? "void" : parameters);
    }
    const Verb verb = callers_[index];
    add(mixed_[index] ? "uv_handle_t*" : first_argument(verb), 0, info(verb).given[0]);
    if (info(verb).given.size() > 1) add("int", 1, info(verb).given[1]);
    if (verb == Verb::uv_walk) add("void*", 1, "arg");
    return fmt::format("static void {}({})", function_name(index), parameters);
  }

  std::string function(BodyIndex index) {
    body_ = index;
    std::string text = signature(index) + " {\n";
    text += block(scenario_.bodies[index].steps, "  ");
    if (called_[index]) text += "  return 0;\n";
    return text + "}\n\n";
  }

  // The signals from outside, sent by a child process.
  std::string outside() {
    if (scenario_.inputs.empty() || is_judged_) return {};
    std::string text = "static void outside(void) {\n  if (fork() != 0) return;\n";
    std::vector<OutsideEvent> inputs = scenario_.inputs;
    std::ranges::stable_sort(inputs, {}, &OutsideEvent::at);
    TimeNs now = 0;
    for (const OutsideEvent& input : inputs) {
      if (input.at > now) text += fmt::format("  usleep({});\n", (input.at - now) / 1000);
      text += fmt::format("  kill(getppid(), {} /* {} */);\n", input.signal, find_signal(input.signal)->name);
      now = input.at;
    }
    return text + "  _exit(0);\n}\n\n";
  }

  std::string main_function() {
    body_ = 0;
    std::string text = is_judged_ ? "static int program(void) {\n" : "int main(void) {\n  loop = uv_default_loop();\n";
    if (!scenario_.inputs.empty() && !is_judged_) text += "  outside();\n";
    text += "  start_ms = uv_hrtime() / 1000000;\n  start_time = uv_now(loop);\n";
    if (is_judged_) {
      for (const OutsideEvent& input : scenario_.inputs)
        text += fmt::format("  arrives({}, {});\n", input.at, input.signal);
    }
    text += block(scenario_.bodies[0].steps, "  ") + "  return 0;\n}\n";
    return is_judged_ ? text + std::string(kJudgedMain) : text;
  }

  // ---- values ---------------------------------------------------------------------------------------------------------

  [[nodiscard]] bool is_text(const Name& name) const {
    return name.declaration != kNone && types_[name.declaration] == kText;
  }

  // As a long long: numbers of C are whole here.
  [[nodiscard]] static std::string whole(double number) {
    constexpr double kMost = 9e15;
    return fmt::format("{}", static_cast<std::int64_t>(std::clamp(number, -kMost, kMost)));
  }

  [[nodiscard]] std::string expression(const Value& value) const {
    switch (value.kind) {
      case Value::Kind::boolean: return value.boolean ? "1" : "0";
      case Value::Kind::number: return whole(value.number);
      case Value::Kind::variable: return c_name(value.variable->text);
      case Value::Kind::text: return c_string(value.parts.empty() ? std::string_view() : value.parts[0].text, false);
      default: return "0";
    }
  }

  void print_variable(Printed& out, const Name& name) const {
    out.format += is_text(name) ? "%s" : "%lld";
    out.arguments.push_back(is_text(name) ? ", " + c_name(name.text)
                                          : fmt::format(", (long long) {}", c_name(name.text)));
  }

  [[nodiscard]] Printed printed(const List<Value>& values) const {
    Printed out;
    for (const Value& value : values) {
      if (&value != values.begin()) out.format += ' ';
      if (value.kind == Value::Kind::variable) {
        print_variable(out, *value.variable);
      } else if (value.kind == Value::Kind::text) {
        for (const TextPart& part : value.parts) print_part(out, part);
      } else {
        out.format += value.kind == Value::Kind::null ? "null" : expression(value);
      }
    }
    return out;
  }

  void print_part(Printed& out, const TextPart& part) const {
    switch (part.kind) {
      case TextPart::Kind::text: {
        const std::string literal = c_string(part.text, true);
        out.format += literal.substr(1, literal.size() - 2);
        break;
      }
      case TextPart::Kind::now:
        out.format += "%lld";
        out.arguments.emplace_back(", now_ms()");
        break;
      case TextPart::Kind::since:
        out.format += "%lld";
        out.arguments.push_back(fmt::format(", now_ms() - {}", c_name(part.name.text)));
        break;
      default: print_variable(out, part.name); break;
    }
  }

  // ---- steps ----------------------------------------------------------------------------------------------------------

  std::string block(const Block& steps, const std::string& indent) {
    std::string text;
    for (const Step& step : steps) text += statement(step, indent);
    return text;
  }

  [[nodiscard]] std::string condition(const Condition& condition) const {
    constexpr std::array<std::string_view, 7> kOperators = {"", "<", "<=", ">", ">=", "==", "!="};
    if (condition.left.builtin == Name::Builtin::undefined)
      return condition.op == Condition::Operator::equal ? "1" : "0";
    const std::string left = c_name(condition.left.text);
    if (condition.op == Condition::Operator::truthy) return left;
    return fmt::format("{} {} {}", left, kOperators.at(static_cast<std::size_t>(condition.op)),
                       expression(condition.right));
  }

  [[nodiscard]] static std::int64_t nanoseconds(const Argument& argument) {
    return std::get<const Duration*>(argument)->a;
  }

  std::string statement(const Step& step, const std::string& indent) {
    switch (step.verb) {
      case Verb::log: {
        const Printed out = printed(std::get<List<Value>>(step.argument));
        std::string arguments;
        for (const std::string& argument : out.arguments) arguments += argument;
        if (!is_judged_) return fmt::format("{}printf(\"{}\\n\"{});\n", indent, out.format, arguments);
        return fmt::format("{0}say(\"\");\n{0}dprintf(3, \"log {1}\\n\"{2});\n", indent, out.format, arguments);
      }
      case Verb::mark: return fmt::format("{}{} = now_ms();\n", indent, c_name(std::get<Name>(step.argument).text));
      case Verb::cpu:
      case Verb::spin: return fmt::format("{}spin({});\n", indent, nanoseconds(step.argument));
      case Verb::let:
      case Verb::set:
      case Verb::add: return assignments(step, indent);
      case Verb::if_: return if_step(step, indent);
      case Verb::repeat: return repeat(step, indent);
      case Verb::call: return call(step, indent);
      case Verb::return_: {
        const auto* value = std::get_if<Value>(&std::get<ValueOrStep>(step.argument));
        const bool has_value = body_ == 0 || called_[body_];
        return has_value ? fmt::format("{}return {};\n", indent, value == nullptr ? "0" : expression(*value))
                         : indent + "return;\n";
      }
      default: return uv_call(step, indent);
    }
  }

  std::string assignments(const Step& step, const std::string& indent) {
    std::string text;
    for (const Assignment& one : std::get<List<Assignment>>(step.argument)) {
      const std::string type = step.verb == Verb::let && one.target.declaration != kNone
                                   ? types_[one.target.declaration] + " "
                                   : std::string();
      text += fmt::format("{}{}{} {} {};\n", indent, type, c_name(one.target.text), step.verb == Verb::add ? "+=" : "=",
                          expression(one.value));
    }
    return text;
  }

  std::string if_step(const Step& step, const std::string& indent) {
    std::string text = fmt::format("{}if ({}) {{\n", indent, condition(*std::get<Condition*>(step.argument)));
    text += block(std::get<Block>(*step.find(Key::then)), indent + "  ");
    if (const Argument* otherwise = step.find(Key::else_))
      text += fmt::format("{}}} else {{\n{}", indent, block(std::get<Block>(*otherwise), indent + "  "));
    return text + indent + "}\n";
  }

  std::string repeat(const Step& step, const std::string& indent) {
    const Argument* const as = step.find(Key::as);
    const std::string counter = as == nullptr ? fmt::format("round_{}", step.line) : c_name(std::get<Name>(*as).text);
    return fmt::format("{0}for (long long {1} = 0; {1} < {2}; ++{1}) {{\n{3}{0}}}\n", indent, counter,
                       expression(std::get<Value>(step.argument)),
                       block(std::get<Block>(*step.find(Key::do_)), indent + "  "));
  }

  std::string call(const Step& step, const std::string& indent) {
    std::string arguments;
    if (const Argument* with = step.find(Key::with)) {
      for (const Value& value : std::get<List<Value>>(*with))
        arguments += (arguments.empty() ? "" : ", ") + expression(value);
    }
    return fmt::format("{}{}{}({});\n", indent, result(step), function_name(std::get<Callback>(step.argument).body),
                       arguments);
  }

  static std::string result(const Step& step) {
    const Argument* const as = step.find(Key::as);
    return as == nullptr ? std::string() : c_name(std::get<Name>(*as).text) + " = ";
  }

  // A callback as an argument, of the type that the function wants.
  std::string callback(const Step& step, const Argument* argument) {
    if (argument == nullptr) return "NULL";
    const BodyIndex body = std::get<Callback>(*argument).body;
    if (is_judged_) return fmt::format("(uv_{}_cb) {}", callback_word(step.verb), told_callback(step, body));
    const bool fits = !called_[body] && (!mixed_[body] || first_argument(step.verb) == "uv_handle_t*");
    return fits ? function_name(body) : fmt::format("(uv_{}_cb) {}", callback_word(step.verb), function_name(body));
  }

  // A function that tells the callback's name, which depends on who asks for it, and calls it.
  std::string told_callback(const Step& step, BodyIndex body) {
    const std::string name = fmt::format("at_{}", step.node);
    const bool is_request = step.verb == Verb::uv_queue_work;
    const bool has_number = info(step.verb).given.size() > 1;
    told_ += fmt::format("static void {}({} a{}) {{\n  begins({});\n  {}((void*) a{});\n}}\n", name,
                         is_request ? "uv_work_t*" : "uv_handle_t*",
                         has_number                   ? ", int b"
                         : step.verb == Verb::uv_walk ? ", void* b"
                                                      : "",
                         c_string(callback_label(scenario_, step, Key::do_), false), function_name(body),
                         has_number || step.verb == Verb::uv_walk ? ", b" : "");
    return name;
  }
  static std::string_view callback_word(Verb verb) {
    if (verb == Verb::uv_close) return "close";
    if (verb == Verb::uv_walk) return "walk";
    if (verb == Verb::uv_queue_work) return "after_work";
    return kind_of(verb)->word;
  }

  std::string uv_call(const Step& step, const std::string& indent);
  std::string make(const Step& step, const std::string& indent, const std::string& name);
  std::string told_call(const Step& step, const std::string& indent, const std::string& called, const std::string& told,
                        const std::vector<std::string>& numbers);
  // Those of `..._init` are no errors, and are not looked at.
  [[nodiscard]] static bool returns_nothing(Verb verb) {
    return std::ranges::find(info(verb).options, Key::as, &OptionInfo::key) == info(verb).options.end();
  }

  const Scenario& scenario_;
  const bool is_judged_;
  std::vector<Verb> callers_;       // by body: a function whose callback it is; Verb::log: of none
  std::vector<bool> mixed_;         // by body: for several kinds of handles
  std::vector<bool> called_;        // by body: by `call`
  std::vector<std::string> types_;  // by declaration
  BodyIndex body_ = 0;
  std::string told_;  // functions that tell a callback's name
};

// The memory of a handle or request is never freed: the loop may hold it to the end of the program.
std::string CProgram::make(const Step& step, const std::string& indent, const std::string& name) {
  const bool is_work = step.verb == Verb::uv_queue_work;
  const std::string size =
      is_work ? "uv_req_size(UV_WORK)" : fmt::format("uv_handle_size({})", kind_of(step.verb)->number);
  std::string text = fmt::format("{}{} = {}({});\n", indent, name, is_judged_ ? "reserve" : "calloc",
                                 is_judged_ ? size : "1, " + size);
  if (!is_work) return text;
  const Argument* const cpu_time = step.find(Key::cpu);
  const Argument* const takes = step.find(Key::takes);
  const auto cpu = cpu_time == nullptr ? 0 : nanoseconds(*cpu_time);
  const auto sleep = takes == nullptr ? 0 : nanoseconds(*takes);
  if (is_judged_) return text + fmt::format("{}{}->data = work_of({}, {});\n", indent, name, cpu, sleep);
  text += fmt::format("{}static const struct work work_{} = {{{}, {}}};\n", indent, step.node, cpu, sleep);
  return text + fmt::format("{}{}->data = (void*) &work_{};\n", indent, name, step.node);
}

std::string CProgram::uv_call(const Step& step, const std::string& indent) {
  const VerbInfo& verb = info(step.verb);
  const auto* const object = std::get_if<Name>(&step.argument);
  const std::string name = object == nullptr ? std::string() : c_name(object->text);
  std::string text;
  if (makes_handle(step.verb) || step.verb == Verb::uv_queue_work) text += make(step, indent, name);

  const bool wants_loop = object == nullptr || makes_handle(step.verb) || step.verb == Verb::uv_queue_work;
  std::string arguments = wants_loop ? "loop" : "";
  std::string told = object == nullptr ? std::string() : std::string(object->text);  // as in a trace
  if (object != nullptr) {
    const bool has_type = object->declaration != kNone && types_[object->declaration] == first_argument(step.verb);
    arguments += fmt::format("{}{}{}", wants_loop ? ", " : "",
                             has_type ? "" : fmt::format("({}) ", first_argument(step.verb)), name);
  }
  const auto add = [&](const std::string& argument) { arguments += ", " + argument; };
  const auto add_number = [&](Key key) {
    const Argument* const value = step.find(key);
    const std::string number = value == nullptr ? "0" : expression(std::get<Value>(*value));
    add(number);
    return number;
  };
  std::vector<std::string> numbers;  // whose values the trace tells
  switch (step.verb) {
    case Verb::uv_run:
    case Verb::uv_loop_configure:
      told = std::get<std::string_view>(step.argument);
      add(told);
      if (told == "UV_LOOP_BLOCK_SIGNAL") add("27 /* SIGPROF */");
      break;
    case Verb::uv_walk:
      add(callback(step, &step.argument));
      add("NULL");
      break;
    case Verb::uv_timer_start:
      add(callback(step, step.find(Key::do_)));
      numbers = {add_number(Key::timeout), add_number(Key::repeat)};
      break;
    case Verb::uv_timer_set_repeat: numbers = {add_number(Key::repeat)}; break;
    case Verb::uv_queue_work:
      add(step.find(Key::cpu) != nullptr || step.find(Key::takes) != nullptr ? "work" : "NULL");
      add(callback(step, step.find(Key::do_)));
      break;
    case Verb::uv_signal_start:
    case Verb::uv_signal_start_oneshot: {
      const SignalInfo& signal = *find_signal(std::get<std::string_view>(*step.find(Key::signal)));
      add(callback(step, step.find(Key::do_)));
      add(fmt::format("{} /* {} */", signal.number, signal.name));
      told += fmt::format(", {}", signal.name);
      break;
    }
    case Verb::uv_close: add(callback(step, step.find(Key::do_))); break;
    default:
      if (!verb.given.empty()) add(callback(step, step.find(Key::do_)));
      break;
  }
  std::string called = fmt::format("{}({})", verb.name, arguments);
  if (step.verb == Verb::uv_now) called = fmt::format("(long long) ({} - start_time)", called);
  if (is_judged_) return text + told_call(step, indent, called, told, numbers);
  return text + fmt::format("{}{}{};\n", indent, result(step), called);
}

// The call, and what a trace tells of it.
std::string CProgram::told_call(const Step& step, const std::string& indent, const std::string& called,
                                const std::string& told, const std::vector<std::string>& numbers) {
  const std::string_view verb = info(step.verb).name;
  const bool is_void = returns_nothing(step.verb);
  if (numbers.empty()) {
    const std::string shown = c_string(fmt::format("{}({})", verb, told), false);
    std::string text;
    if (step.verb == Verb::uv_run)
      text = fmt::format("{0}say(\"\");\n{0}dprintf(3, \"run %s\\n\", {1});\n", indent, shown);
    return text + (is_void ? fmt::format("{0}{1};\n{0}called({2}, 0);\n", indent, called, shown)
                           : fmt::format("{}{}called({}, {});\n", indent, result(step), shown, called));
  }
  std::string values;
  std::string format = told;
  for (const std::string& number : numbers) {
    format += ", %lld";
    values += fmt::format(", (long long) {}", number);
  }
  std::string text = fmt::format("{0}{{\n{0}  char shown[256];\n{0}  snprintf(shown, sizeof shown, \"{1}({2})\"{3});\n",
                                 indent, verb, format, values);
  text += is_void ? fmt::format("{0}  {1};\n{0}  called(shown, 0);\n", indent, called)
                  : fmt::format("{0}  {1}called(shown, {2});\n", indent, result(step), called);
  return text + indent + "}\n";
}

}  // namespace

std::string to_c(const Scenario& scenario, const COptions& options) {
  return CProgram(scenario, options.judged).write();
}

}  // namespace loopsim

// The program in C that a scenario for libuv alone stands for.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "loopsim/scenario.hpp"
#include "loopsim/text.hpp"

#include "sim/scenario/c_texts.hpp"
#include "sim/scenario/document.hpp"
#include "sim/scenario/walk.hpp"

namespace loopsim {
namespace {

// The kinds of handles, as in the names of functions, types and numbers, which are those of all versions 1.x.
struct Kind {
  std::string_view word;    // "timer", in uv_timer_t
  std::string_view number;  // UV_TIMER
};
constexpr std::array kKinds = {
    Kind{"async", "UV_ASYNC"}, Kind{"check", "UV_CHECK"},    Kind{"idle", "UV_IDLE"}, Kind{"prepare", "UV_PREPARE"},
    Kind{"timer", "UV_TIMER"}, Kind{"signal", "UV_SIGNAL"},  Kind{"tcp", "UV_TCP"},   Kind{"pipe", "UV_NAMED_PIPE"},
    Kind{"poll", "UV_POLL"},   Kind{"process", "UV_PROCESS"}};

// Requests.
constexpr Kind kWork = {"work", "UV_WORK"}, kFs = {"fs", "UV_FS"}, kGetaddrinfo = {"getaddrinfo", "UV_GETADDRINFO"},
               kConnect = {"connect", "UV_CONNECT"}, kWrite = {"write", "UV_WRITE"},
               kShutdown = {"shutdown", "UV_SHUTDOWN"};

// What the function makes; null: no request.
const Kind* request_of(Verb verb) {
  switch (verb) {
    case Verb::uv_queue_work: return &kWork;
    case Verb::uv_tcp_connect:
    case Verb::uv_pipe_connect: return &kConnect;
    case Verb::uv_write: return &kWrite;
    case Verb::uv_shutdown: return &kShutdown;
    case Verb::uv_getaddrinfo: return &kGetaddrinfo;
    default: return info(verb).name.starts_with("uv_fs_") ? &kFs : nullptr;
  }
}

// Of a function for one kind of handle; null: for all, or for none.
const Kind* kind_of(Verb verb) {
  if (request_of(verb) != nullptr) return nullptr;
  if (verb == Verb::uv_spawn) return &kKinds.back();
  const auto found = std::ranges::find_if(
      kKinds, [&](const Kind& kind) { return info(verb).name.starts_with(fmt::format("uv_{}_", kind.word)); });
  return found == kKinds.end() ? nullptr : &*found;
}

bool makes_handle(Verb verb) { return info(verb).kind == ArgumentKind::new_name && kind_of(verb) != nullptr; }
bool is_of_descriptor(Verb verb) { return verb >= Verb::socketpair && verb <= Verb::shutdown; }
bool is_of_stream(Verb verb) { return verb >= Verb::uv_listen && verb <= Verb::uv_is_writable; }
bool is_of_streams(Verb verb) { return verb >= Verb::uv_tcp_init && verb <= Verb::uv_is_writable; }

// The type of the function's handle or request, which is that of its callback's first argument.
std::string first_argument(Verb verb) {
  if (const Kind* const request = request_of(verb); request != nullptr) return fmt::format("uv_{}_t*", request->word);
  if (verb == Verb::uv_cancel) return "uv_req_t*";
  if (is_of_stream(verb)) return "uv_stream_t*";
  if (is_of_descriptor(verb)) return "long long";
  const Kind* const kind = kind_of(verb);
  return kind == nullptr || closes_handle(verb) ? "uv_handle_t*" : fmt::format("uv_{}_t*", kind->word);
}

// Types of the further arguments of its callback.
std::vector<std::string_view> more_arguments(Verb verb) {
  switch (verb) {
    case Verb::uv_walk: return {"void*"};
    case Verb::uv_read_start: return {"ssize_t", "const uv_buf_t*"};
    case Verb::uv_poll_start: return {"int", "int"};
    case Verb::uv_spawn: return {"int64_t", "int"};
    case Verb::uv_getaddrinfo: return {"int", "struct addrinfo*"};
    default:
      if (request_of(verb) == &kFs) return {};
      return info(verb).given.size() > 1 ? std::vector<std::string_view>{"int"} : std::vector<std::string_view>{};
  }
}

// As in uv_..._cb.
std::string_view callback_word(Verb verb) {
  switch (verb) {
    case Verb::uv_walk: return "walk";
    case Verb::uv_queue_work: return "after_work";
    case Verb::uv_listen: return "connection";
    case Verb::uv_read_start: return "read";
    case Verb::uv_spawn: return "exit";
    default: break;
  }
  if (closes_handle(verb)) return "close";
  const Kind* const request = request_of(verb);
  return request != nullptr ? request->word : kind_of(verb)->word;
}

// Types of variables that are no handles.
constexpr std::string_view kNumber = "long long", kText = "const char*";

// Words of C, functions and variables of its library that uv.h brings along, and names of this program.
constexpr std::string_view kTaken =
    " "
    "abort abs accept access alarm allocate at atoi auto begins bind break buf called calloc case char chdir chmod "
    "chown "
    "clock clone close connect connect_to const continue creat crypt ctime daemon default div do double dup else enum "
    "environ errno exit extern fchdir file float for fork free getc getenv getline goto happens host if index inline "
    "int judged "
    "kill link listen localtime lock long loop lseek main malloc mkdir mktemp nice now_ms open operations "
    "outside path_of pause pipe poll popen port_of printf program putc puts raise rand random read readlink realloc "
    "receive recv res result_of "
    "register remove rename reserve restrict return rewind rindex rmdir say select send send_text setbuf short "
    "shutdown "
    "signal signed sizeof sleep socket some spawn_child spin splice srand start_ms start_ns start_time stat static "
    "stderr stdin "
    "stdout struct swab switch symlink sync syscall system tee text text_of time times truncate typedef umask union "
    "unlink "
    "unsigned usleep void volatile wait while work work_of write ";

// A name of the scenario, which may be taken.
std::string c_name(std::string_view name) {
  constexpr std::array<std::string_view, 6> kMade = {"uv_", "at_", "f_", "callback_", "round_", "data_"};
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

class CProgram {
 public:
  CProgram(const Scenario& scenario, bool is_judged) : scenario_(scenario), is_judged_(is_judged) {}

  std::string write() {
    collect();
    std::string text;
    if (!scenario_.title.empty()) text += fmt::format("// {}\n", scenario_.title);
    if (!is_judged_) text += "//\n// cc -o program program.c -luv\n";
    text += std::string(is_judged_ ? kJudgedHead : kHead) + parts() + "\n" + variables();
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

  // The parts that the program uses, with the headers of their own.
  [[nodiscard]] std::string parts() const {
    std::string text;
    if (uses_data_) text += kData;
    if (uses_streams_) text += kStreams;
    if (uses_descriptors_) text += kDescriptors;
    if (uses_children_) text += is_judged_ ? kJudgedChild : kChild;
    if (uses_requests_ && is_judged_) text += kJudgedRequests;
    if (!paths_.empty() && is_judged_) text += kJudgedPaths;
    if (has_clients() && !is_judged_) text += kClients;
    return text;
  }
  [[nodiscard]] bool has_clients() const {
    return std::ranges::any_of(scenario_.inputs,
                               [](const OutsideEvent& input) { return input.kind != OutsideEvent::Kind::signal; });
  }

  void collect() {
    callers_.resize(scenario_.bodies.size(), Verb::log);
    mixed_.resize(scenario_.bodies.size(), false);
    called_.resize(scenario_.bodies.size(), false);
    types_.resize(scenario_.declarations.size(), std::string(kNumber));
    const Walk walk(scenario_, [this](const Step& step) { look_at(step); });
  }

  void look_at(const Step& step) {
    uses_data_ = uses_data_ || step.find(Key::data) != nullptr || step.find(Key::bytes) != nullptr;
    uses_streams_ = uses_streams_ || is_of_streams(step.verb);
    uses_descriptors_ = uses_descriptors_ || is_of_descriptor(step.verb);
    uses_children_ = uses_children_ || step.verb == Verb::uv_spawn;
    uses_requests_ = uses_requests_ || request_of(step.verb) == &kFs || step.verb == Verb::uv_getaddrinfo;
    if (const Argument* const path = step.find(Key::path); path != nullptr && is_of_streams(step.verb))
      paths_.insert(std::get<std::string_view>(*path));
    if (makes_handle(step.verb) || request_of(step.verb) != nullptr)
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
    if (name.is_declared()) types_[name.declaration] = std::move(type);
  }

  void calls_back(Verb verb, const Callback& callback) {
    Verb& caller = callers_[callback.body];
    if (caller != Verb::log && first_argument(caller) != first_argument(verb)) mixed_[callback.body] = true;
    caller = verb;
    const Body& body = scenario_.bodies[callback.body];
    if (!body.parameters.empty())
      types_[body.parameters[0]] = mixed_[callback.body] ? "uv_handle_t*" : first_argument(verb);
    constexpr std::size_t kData = 2;  // of uv_read_cb, as text
    if (verb == Verb::uv_read_start && body.parameters.size() > kData)
      types_[body.parameters[kData]] = std::string(kText);
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
    const std::vector<std::string_view> more = more_arguments(verb);
    for (std::size_t i = 0; i < more.size(); ++i) {
      const std::size_t at = i + 1;
      if (more[i] == "const uv_buf_t*" || more[i] == "struct addrinfo*" || more[i] == "void*") {
        const std::string_view name = more[i] == "void*" ? "arg" : more[i] == "struct addrinfo*" ? "res" : "buf";
        parameters += fmt::format(", {} {}", more[i], name);
      } else {
        add(more[i], at, info(verb).given[at]);
      }
    }
    return fmt::format("static void {}({})", function_name(index), parameters);
  }

  std::string function(BodyIndex index) {
    body_ = index;
    std::string text = signature(index) + " {\n" + opening(index);
    text += block(scenario_.bodies[index].steps, "  ");
    if (called_[index]) text += "  return 0;\n";
    return text + "}\n\n";
  }

  // What a callback begins with: an argument that C has in another form, and what is to be freed.
  [[nodiscard]] std::string opening(BodyIndex index) const {
    const Body& body = scenario_.bodies[index];
    const Verb verb = callers_[index];
    const auto name = [&](std::size_t i) { return c_name(scenario_.declarations[body.parameters[i]].name); };
    if (called_[index]) return {};
    if (verb == Verb::uv_getaddrinfo) return "  uv_freeaddrinfo(res);\n";
    if (verb == Verb::uv_read_start && body.parameters.size() > 2)
      return fmt::format("  const char* {} = text_of({}, buf);\n", name(2), name(1));
    if (request_of(verb) != &kFs) return {};
    const std::string req = body.parameters.empty() ? "req" : name(0);
    std::string text;
    if (body.parameters.size() > 1)
      text = fmt::format("  const long long {} = {};\n", name(1),
                         is_judged_ ? fmt::format("result_of({})", req) : fmt::format("{}->result", req));
    return text + fmt::format("  uv_fs_req_cleanup({});\n", req);
  }

  // The signals and clients from outside, of a child process.
  std::string outside() {
    if (scenario_.inputs.empty() || is_judged_) return {};
    std::string text = "static void outside(void) {\n  if (fork() != 0) return;\n";
    if (has_clients()) {
      std::uint32_t clients = 0;
      for (const OutsideEvent& input : scenario_.inputs) clients = std::max(clients, input.client + 1);
      text += fmt::format("  int clients[{}];\n", clients);
    }
    std::vector<OutsideEvent> inputs = scenario_.inputs;
    std::ranges::stable_sort(inputs, {}, &OutsideEvent::at);
    TimeNs now = 0;
    for (const OutsideEvent& input : inputs) {
      if (input.at > now) text += fmt::format("  usleep({});\n", (input.at - now) / 1000);
      text += "  " + outside_step(input);
      now = input.at;
    }
    return text + "  _exit(0);\n}\n\n";
  }

  static std::string outside_step(const OutsideEvent& input) {
    switch (input.kind) {
      case OutsideEvent::Kind::signal:
        return fmt::format("kill(getppid(), {} /* {} */);\n", input.signal, find_signal(input.signal)->name);
      case OutsideEvent::Kind::connect: return fmt::format("clients[{}] = connect_to({});\n", input.client, input.port);
      case OutsideEvent::Kind::write:
        return fmt::format("send(clients[{}], {}, {}, MSG_NOSIGNAL);\n", input.client, c_string(input.data, false),
                           input.data.size());
      case OutsideEvent::Kind::end: return fmt::format("shutdown(clients[{}], SHUT_WR);\n", input.client);
      default: return fmt::format("close(clients[{}]);\n", input.client);
    }
  }
  // As vclock_world.c has it.
  static std::string judged_input(const OutsideEvent& input) {
    switch (input.kind) {
      case OutsideEvent::Kind::signal: return fmt::format("signal:{}", input.signal);
      case OutsideEvent::Kind::connect: return fmt::format("connect:{}:{}", input.client, input.port);
      case OutsideEvent::Kind::write: return fmt::format("send:{}:{}", input.client, input.data);
      case OutsideEvent::Kind::end: return fmt::format("end:{}", input.client);
      default: return fmt::format("close:{}", input.client);
    }
  }

  std::string main_function() {
    body_ = 0;
    std::string text = is_judged_ ? "static int program(void) {\n" : "int main(void) {\n  loop = uv_default_loop();\n";
    if (!scenario_.inputs.empty() && !is_judged_) text += "  outside();\n";
    if ((uses_streams_ || uses_descriptors_) && !is_judged_) text += "  signal(SIGPIPE, SIG_IGN);\n";
    text += "  start_ms = uv_hrtime() / 1000000;\n  start_time = uv_now(loop);\n";
    if (is_judged_) {
      for (const OutsideEvent& input : scenario_.inputs)
        text += fmt::format("  happens({}, {});\n", input.at, c_string(judged_input(input), false));
      // What a process of the same number may have left.
      for (const std::string_view path : paths_) text += fmt::format("  unlink(path_of({}));\n", c_string(path, false));
    }
    text += block(scenario_.bodies[0].steps, "  ") + "  return 0;\n}\n";
    return is_judged_ ? text + std::string(kJudgedMain) : text;
  }

  // ---- values ---------------------------------------------------------------------------------------------------------

  [[nodiscard]] bool is_text(const Name& name) const { return name.is_declared() && types_[name.declaration] == kText; }

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
      case Value::Kind::text: return c_string(value.parts.empty() ? std::string_view() : value.parts[0].text(), false);
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
      print_value(out, value);
    }
    return out;
  }

  void print_value(Printed& out, const Value& value) const {
    if (value.kind == Value::Kind::variable) {
      print_variable(out, *value.variable);
    } else if (value.kind == Value::Kind::text) {
      for (const TextPart& part : value.parts) print_part(out, part);
    } else {
      out.format += value.kind == Value::Kind::null ? "null" : expression(value);
    }
  }

  void print_part(Printed& out, const TextPart& part) const {
    switch (part.kind) {
      case TextPart::Kind::text: {
        const std::string literal = c_string(part.text(), true);
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
    if (condition.left.is_undefined()) return condition.op == Condition::Operator::equal ? "1" : "0";
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
        const auto* value = std::get_if<Value>(&step.argument);
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
      const std::string type =
          step.verb == Verb::let && one.target.is_declared() ? types_[one.target.declaration] + " " : std::string();
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
    std::string parameters, arguments;
    char letter = 'b';
    for (const std::string_view type : more_arguments(step.verb)) {
      parameters += fmt::format(", {} {}", type, letter);
      arguments += fmt::format(", {}", letter++);
    }
    told_ += fmt::format("static void {}({} a{}) {{\n  begins({});\n  {}((void*) a{});\n}}\n", name,
                         request_of(step.verb) != nullptr ? first_argument(step.verb) : "uv_handle_t*", parameters,
                         c_string(callback_label(scenario_, step, Key::do_), false), function_name(body), arguments);
    return name;
  }

  std::string uv_call(const Step& step, const std::string& indent);
  std::string make(const Step& step, const std::string& indent, const std::string& name);
  struct Call;
  void function_call(const Step& step, Call& call);
  void stream_arguments(const Step& step, Call& call, const std::string& told_back);
  bool other_arguments(const Step& step, Call& call, const std::string& told_back);
  void descriptor_call(const Step& step, const std::string& indent, Call& call);
  void size_told(const Step& step, const std::string& indent, Call& call);
  std::string spawned(const Step& step, const std::string& exit_callback);
  [[nodiscard]] std::string object(const Name& name, const std::string& type) const;
  [[nodiscard]] std::string data(const Step& step) const;
  static std::int64_t time_of(const Step& step);
  static int error_of(const Step& step);
  std::string told_call(const Step& step, const std::string& indent, const Call& call);
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
  bool uses_data_ = false, uses_streams_ = false, uses_descriptors_ = false, uses_children_ = false;
  bool uses_requests_ = false;
  std::set<std::string_view> paths_;  // of Unix sockets
  BodyIndex body_ = 0;
  std::string told_;  // functions that tell a callback's name
};

// The memory of a handle or request is never freed: the loop may hold it to the end of the program.
std::string CProgram::make(const Step& step, const std::string& indent, const std::string& name) {
  const Kind* const request = request_of(step.verb);
  const std::string size = request != nullptr ? fmt::format("uv_req_size({})", request->number)
                                              : fmt::format("uv_handle_size({})", kind_of(step.verb)->number);
  std::string text = fmt::format("{}{} = {}({});\n", indent, name, is_judged_ ? "reserve" : "calloc",
                                 is_judged_ ? size : "1, " + size);
  if (request != &kWork) return text;
  const Argument* const cpu_time = step.find(Key::cpu);
  const Argument* const takes = step.find(Key::takes);
  const auto cpu = cpu_time == nullptr ? 0 : nanoseconds(*cpu_time);
  const auto sleep = takes == nullptr ? 0 : nanoseconds(*takes);
  if (is_judged_) return text + fmt::format("{}{}->data = work_of({}, {});\n", indent, name, cpu, sleep);
  text += fmt::format("{}static const struct work work_{} = {{{}, {}}};\n", indent, step.node, cpu, sleep);
  return text + fmt::format("{}{}->data = (void*) &work_{};\n", indent, name, step.node);
}

// A handle, a request or a descriptor as an argument of this type.
std::string CProgram::object(const Name& name, const std::string& type) const {
  const bool has_type = name.is_declared() && types_[name.declaration] == type;
  return (has_type ? "" : fmt::format("({}) ", type)) + c_name(name.text);
}

// What is written: text("format", values), or some(bytes).
std::string CProgram::data(const Step& step) const {
  if (const Argument* const bytes = step.find(Key::bytes))
    return fmt::format("some({})", whole(std::get<Value>(*bytes).number));
  const Argument* const given = step.find(Key::data);
  Printed out;
  print_value(out, std::get<Value>(*given));
  std::string text = fmt::format("text(\"{}\"", out.format);
  for (const std::string& argument : out.arguments) text += argument;
  return text + ")";
}

std::int64_t CProgram::time_of(const Step& step) {
  const Argument* const takes = step.find(Key::takes);
  return takes == nullptr ? 0 : nanoseconds(*takes);
}

// The code with which it ends, 0: none, as errno or as glibc's getaddrinfo() has it, without its sign.
int CProgram::error_of(const Step& step) {
  const Argument* const error = step.find(Key::error);
  if (error == nullptr) return 0;
  const std::string_view name = std::get<std::string_view>(*error);
  if (name == "EAI_NONAME") return 2;
  if (name == "EAI_AGAIN") return 3;
  if (name == "EAI_FAIL") return 4;
  return -find_uv_error(fmt::format("UV_{}", name))->code;
}

// Statements in front of the call, the call, and what a trace tells of it: the arguments, and those whose values it tells.
struct CProgram::Call {
  std::string before, called, arguments, told, told_end;
  std::vector<std::string> numbers;
  void add(std::string_view argument) { arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", argument); }
};

std::string CProgram::uv_call(const Step& step, const std::string& indent) {
  Call call;
  const auto* const own = std::get_if<Name>(&step.argument);
  const std::string name = own == nullptr ? std::string() : c_name(own->text);
  const bool is_made = makes_handle(step.verb) || request_of(step.verb) != nullptr;
  if (is_made) call.before = make(step, indent, name);
  if (own != nullptr) call.told = own->text;
  for (const Key key : {Key::handle, Key::client, Key::other, Key::fd}) {
    if (const Argument* const other = step.find(key)) call.told += fmt::format(", {}", std::get<Name>(*other).text);
  }
  for (const Key key : {Key::path, Key::node}) {
    if (const Argument* const text = step.find(key))
      call.told += fmt::format(", \"{}\"", std::get<std::string_view>(*text));
  }
  if (is_of_descriptor(step.verb))
    descriptor_call(step, indent, call);
  else
    function_call(step, call);
  if (is_judged_) return call.before + told_call(step, indent, call);
  return call.before +
         (call.called.empty() ? std::string() : fmt::format("{}{}{};\n", indent, result(step), call.called));
}

void CProgram::descriptor_call(const Step& step, const std::string& indent, Call& call) {
  const std::string fd = "(int) " + c_name(std::get<Name>(step.argument).text);
  switch (step.verb) {
    case Verb::socketpair:
      call.before = fmt::format(
          "{0}{{\n{0}  int fds[2];\n{0}  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) abort();\n{0}  {1} = "
          "fds[0];\n"
          "{0}  {2} = fds[1];\n{0}}}\n",
          indent, c_name(std::get<Name>(step.argument).text), c_name(std::get<Name>(*step.find(Key::other)).text));
      break;
    case Verb::send:
      call.called = fmt::format("send_text({}, {})", fd, data(step));
      size_told(step, indent, call);
      break;
    case Verb::recv: call.called = fmt::format("receive({})", fd); break;
    default: call.called = fmt::format("shutdown({}, SHUT_WR)", fd); break;
  }
}

// The judge writes the number of bytes: the text is made before.
void CProgram::size_told(const Step& step, const std::string& indent, Call& call) {
  if (!is_judged_) return;
  const std::string made = data(step);
  const std::string name = fmt::format("data_{}", step.node);
  call.before += fmt::format("{}const uv_buf_t {} = *{};\n", indent, name, made);
  call.called.replace(call.called.find(made), made.size(), "&" + name);
  call.numbers.push_back(name + ".len");
  call.told_end = " bytes";
}

void CProgram::function_call(const Step& step, Call& call) {
  const VerbInfo& verb = info(step.verb);
  const auto* const own = std::get_if<Name>(&step.argument);
  const Kind* const request = request_of(step.verb);
  const bool is_of_streams_request = request == &kConnect || request == &kWrite || request == &kShutdown;
  const bool wants_loop = own == nullptr || makes_handle(step.verb) || (request != nullptr && !is_of_streams_request);
  if (wants_loop) call.add("loop");
  const auto add_number = [&](Key key) {
    const Argument* const value = step.find(key);
    call.numbers.push_back(value == nullptr ? "0" : expression(std::get<Value>(*value)));
    call.add(call.numbers.back());
  };
  const auto add_signal = [&] {
    const SignalInfo& signal = *find_signal(std::get<std::string_view>(*step.find(Key::signal)));
    call.add(fmt::format("{} /* {} */", signal.number, signal.name));
    call.told += fmt::format(", {}", signal.name);
  };
  const std::string told_back =
      callback(step, std::holds_alternative<Callback>(step.argument) ? &step.argument : step.find(Key::do_));
  if (own != nullptr)
    call.add(object(*own, step.verb == Verb::uv_tcp_close_reset ? "uv_tcp_t*" : first_argument(step.verb)));

  switch (step.verb) {
    case Verb::uv_run:
    case Verb::uv_loop_configure:
      call.told = std::get<std::string_view>(step.argument);
      call.add(call.told);
      if (call.told == "UV_LOOP_BLOCK_SIGNAL") call.add("27 /* SIGPROF */");
      break;
    case Verb::uv_walk:
      call.add(told_back);
      call.add("NULL");
      break;
    case Verb::uv_timer_start:
      call.add(told_back);
      add_number(Key::timeout);
      add_number(Key::repeat);
      break;
    case Verb::uv_timer_set_repeat: add_number(Key::repeat); break;
    case Verb::uv_queue_work:
      call.add(step.find(Key::cpu) != nullptr || step.find(Key::takes) != nullptr ? "work" : "NULL");
      call.add(told_back);
      break;
    case Verb::uv_signal_start:
    case Verb::uv_signal_start_oneshot:
      call.add(told_back);
      add_signal();
      break;
    case Verb::uv_process_kill: add_signal(); break;
    default:
      if (is_of_streams(step.verb))
        stream_arguments(step, call, told_back);
      else if (!other_arguments(step, call, told_back) && !verb.given.empty())
        call.add(told_back);
      break;
  }
  call.called = fmt::format("{}({})", verb.name, call.arguments);
  if (step.verb == Verb::uv_now) call.called = fmt::format("(long long) ({} - start_time)", call.called);
  if (step.verb == Verb::uv_spawn) call.called = spawned(step, told_back);
  if (step.verb == Verb::uv_write || step.verb == Verb::uv_try_write) size_told(step, "  ", call);
}

// Of a stream: what follows it, or its request.
void CProgram::stream_arguments(const Step& step, Call& call, const std::string& told_back) {
  const auto add_other = [&](Key key, const std::string& type) {
    call.add(object(std::get<Name>(*step.find(key)), type));
  };
  const auto path = [&] {
    const std::string text = c_string(std::get<std::string_view>(*step.find(Key::path)), false);
    return is_judged_ ? fmt::format("path_of({})", text) : text;
  };
  const auto port = [&] {
    const std::string number = whole(std::get<Value>(*step.find(Key::port)).number);
    call.told += ", " + number;
    return fmt::format("port_of({})", number);
  };
  switch (step.verb) {
    case Verb::uv_tcp_bind:
      call.add(port());
      call.add("0");
      break;
    case Verb::uv_tcp_connect:
      add_other(Key::handle, "uv_tcp_t*");
      call.add(port());
      call.add(told_back);
      break;
    case Verb::uv_pipe_init: call.add("0"); break;
    case Verb::uv_pipe_bind: call.add(path()); break;
    case Verb::uv_pipe_connect:
      add_other(Key::handle, "uv_pipe_t*");
      call.add(path());
      call.add(told_back);
      break;
    case Verb::uv_listen:
      call.add("128");
      call.add(told_back);
      break;
    case Verb::uv_accept: add_other(Key::client, "uv_stream_t*"); break;
    case Verb::uv_read_start:
      call.add("allocate");
      call.add(told_back);
      break;
    case Verb::uv_write:
    case Verb::uv_try_write:
      if (step.verb == Verb::uv_write) add_other(Key::handle, "uv_stream_t*");
      call.add(data(step));
      call.add("1");
      if (step.verb == Verb::uv_write) call.add(told_back);
      break;
    case Verb::uv_shutdown:
      add_other(Key::handle, "uv_stream_t*");
      call.add(told_back);
      break;
    case Verb::uv_tcp_close_reset: call.add(told_back); break;
    default: break;
  }
}

// Of poll handles, files and names; false: of others.
bool CProgram::other_arguments(const Step& step, Call& call, const std::string& told_back) {
  const auto text_of = [&](Key key) { return c_string(std::get<std::string_view>(*step.find(key)), false); };
  switch (step.verb) {
    case Verb::uv_poll_init: call.add("(int) " + c_name(std::get<Name>(*step.find(Key::fd)).text)); break;
    case Verb::uv_poll_start: {
      const std::string_view events = std::get<std::string_view>(*step.find(Key::events));
      call.add(events);
      call.add(told_back);
      call.told += fmt::format(", {}", events);
      break;
    }
    case Verb::uv_fs_access:
    case Verb::uv_fs_mkdir:
    case Verb::uv_fs_stat:
    case Verb::uv_fs_rmdir:
    case Verb::uv_fs_unlink:
      call.add(is_judged_ ? fmt::format("file({}, {})", time_of(step), error_of(step)) : text_of(Key::path));
      if (step.verb == Verb::uv_fs_access) call.add("F_OK");
      if (step.verb == Verb::uv_fs_mkdir) call.add("0777");
      call.add(told_back);
      break;
    case Verb::uv_getaddrinfo:
      call.add(told_back);
      call.add(is_judged_ ? fmt::format("host({}, {})", time_of(step), error_of(step)) : text_of(Key::node));
      call.add("NULL");
      call.add("NULL");
      break;
    default: return false;
  }
  return true;
}

// A child process: a command of the shell that takes so long, and ends with this code.
std::string CProgram::spawned(const Step& step, const std::string& exit_callback) {
  const std::string name = object(std::get<Name>(step.argument), "uv_process_t*");
  const Argument* const code = step.find(Key::code);
  const std::string number =
      code == nullptr || std::get<Value>(*code).kind == Value::Kind::null ? "0" : expression(std::get<Value>(*code));
  if (is_judged_)
    return fmt::format("spawn_child({}, {}, {}, {}, {})", name, time_of(step), number, error_of(step), exit_callback);
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::string command =
      fmt::format("sleep {}.{:09}; exit {}", time_of(step) / kSecond, time_of(step) % kSecond, number);
  return fmt::format("spawn_child({}, \"{}\", {}, {})", name, error_of(step) == 0 ? "sh" : "no-such-command",
                     c_string(command, false), exit_callback);
}

// The call, and what a trace tells of it.
std::string CProgram::told_call(const Step& step, const std::string& indent, const Call& call) {
  const std::string_view verb = info(step.verb).name;
  const bool is_void = returns_nothing(step.verb);
  const std::string done = call.called.empty() ? std::string() : indent + call.called + ";\n";
  if (call.numbers.empty()) {
    const std::string shown = c_string(fmt::format("{}({})", verb, call.told), false);
    std::string text;
    if (step.verb == Verb::uv_run)
      text = fmt::format("{0}say(\"\");\n{0}dprintf(3, \"run %s\\n\", {1});\n", indent, shown);
    return text + (is_void ? fmt::format("{}{}called({}, 0);\n", done, indent, shown)
                           : fmt::format("{}{}called({}, {});\n", indent, result(step), shown, call.called));
  }
  std::string values;
  std::string format = c_string(call.told, true);
  format = format.substr(1, format.size() - 2);
  for (const std::string& number : call.numbers) {
    format += ", %lld";
    values += fmt::format(", (long long) {}", number);
  }
  std::string text =
      fmt::format("{0}{{\n{0}  char shown[256];\n{0}  snprintf(shown, sizeof shown, \"{1}({2}{3})\"{4});\n", indent,
                  verb, format, call.told_end, values);
  text += is_void ? fmt::format("{0}  {1};\n{0}  called(shown, 0);\n", indent, call.called)
                  : fmt::format("{0}  {1}called(shown, {2});\n", indent, result(step), call.called);
  return text + indent + "}\n";
}

}  // namespace

std::string to_c(const Scenario& scenario, const COptions& options) {
  return CProgram(scenario, options.judged).write();
}

}  // namespace loopsim

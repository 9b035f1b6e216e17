#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"
#include "loopsim/unsupported.hpp"

#include "sim/scenario/reader.hpp"

namespace loopsim {
namespace {

constexpr int kFirstWithTopLevelAwait = 14;
// Bytes of a write that the loopback's buffers always take at once, and that is read in one chunk. Less for text: up to
// Node 8, Node does not try to write a longer text at once.
constexpr int kMaxWrite = 16384;
constexpr std::size_t kMaxText = 4096;

// Familiar words, mostly from JavaScript, and their equivalents in this language.
std::string_view word_meant(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 52> kMeant = {{
      {"console.log", "log"},
      {"console.error", "log"},
      {"console.warn", "log"},
      {"print", "log"},
      {"timeout", "setTimeout"},
      {"wait", "setTimeout"},
      {"delay", "setTimeout"},
      {"interval", "setInterval"},
      {"immediate", "setImmediate"},
      {"tick", "nextTick"},
      {"process.nextTick", "nextTick"},
      {"microtask", "queueMicrotask"},
      {"clearTimeout", "clear"},
      {"clearInterval", "clear"},
      {"clearImmediate", "clear"},
      {"Promise", "promise"},
      {"new Promise", "promise"},
      {"Promise.resolve", "resolved"},
      {"Promise.reject", "rejected"},
      {"Promise.all", "all"},
      {"Promise.allSettled", "allSettled"},
      {"Promise.any", "any"},
      {"Promise.race", "race"},
      {"net.createServer", "listen"},
      {"createServer", "listen"},
      {"net.connect", "connect"},
      {"createConnection", "connect"},
      {"exec", "spawn"},
      {"execFile", "spawn"},
      {"child_process", "spawn"},
      {"process.kill", "kill"},
      {"process.on", "on"},
      {"addListener", "on"},
      {"addEventListener", "on"},
      {"removeListener", "off"},
      {"process.exit", "exit"},
      {"process.exitCode", "exitCode"},
      {"burn", "cpu"},
      {"for", "repeat"},
      {"loop", "repeat"},
      {"function", "call"},
      {"var", "let"},
      {"const", "let"},
      {"increment", "add"},
      {"EventEmitter", "emitter"},
      {"args", "with"},
      {"callback", "do"},
      {"name", "as"},
      {"value", "with"},
      {"duration", "takes"},
  }};
  for (const auto& [written, meant] : kMeant) {
    if (written == word) return meant;
  }
  return {};
}

const OptionInfo* find_option(const VerbInfo& verb, std::string_view name) {
  for (const OptionInfo& option : verb.options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::vector<std::string_view> option_names(const VerbInfo& verb) {
  std::vector<std::string_view> names;
  for (const OptionInfo& option : verb.options) names.push_back(option.name);
  return names;
}

std::vector<std::string_view> verb_names(Family family) {
  std::vector<std::string_view> names;
  for (const VerbInfo& verb : verb_table()) {
    if (belongs_to(verb, family)) names.push_back(verb.name);
  }
  return names;
}

std::vector<std::string_view> verbs_with_option(std::string_view option, Family family) {
  std::vector<std::string_view> names;
  for (const VerbInfo& verb : verb_table()) {
    if (belongs_to(verb, family) && find_option(verb, option) != nullptr) names.push_back(verb.name);
  }
  return names;
}

// Errors of uv_fs_...().
constexpr std::array<std::string_view, 10> kFileErrors = {"EACCES", "EEXIST", "EIO",     "EISDIR",    "EMFILE",
                                                          "ENOENT", "ENOSPC", "ENOTDIR", "ENOTEMPTY", "EROFS"};

// What comes nearest in a program for libuv alone.
constexpr std::array<std::pair<Verb, std::string_view>, 14> kLibuvInstead = {{
    {Verb::set_timeout, "uv_timer_start"},
    {Verb::set_interval, "uv_timer_start with \"repeat\""},
    {Verb::set_immediate, "uv_check_start, and uv_idle_start that poll does not block"},
    {Verb::clear, "uv_timer_stop"},
    {Verb::ref, "uv_ref"},
    {Verb::unref, "uv_unref"},
    {Verb::crypto, "uv_queue_work"},
    {Verb::on, "uv_signal_start"},
    {Verb::fs, "uv_fs_stat and its like"},
    {Verb::dns, "uv_getaddrinfo"},
    {Verb::spawn, "uv_spawn"},
    {Verb::listen, "uv_tcp_init, uv_tcp_bind and uv_listen"},
    {Verb::connect, "uv_tcp_connect"},
    {Verb::write, "uv_write"},
}};

// In a page.
constexpr std::array<std::pair<Verb, std::string_view>, 7> kPageInstead = {{
    {Verb::set_immediate, "postMessage, or postTask with the priority \"user-blocking\""},
    {Verb::next_tick, "queueMicrotask"},
    {Verb::fs, "fetch"},
    {Verb::connect, "fetch"},
    {Verb::on, "addEventListener"},
    {Verb::once, "addEventListener with \"once\": true"},
    {Verb::emit, "dispatchEvent"},
}};

// What is written for a word that no single verb stands for; empty: nothing.
std::string_view step_instead(std::string_view word) {
  if (word == "sleep" || word == "delay" || word == "wait")
    return R"({"await": {"setTimeout": 10}}, or {"spin": "10ms"} to keep the thread busy)";
  return {};
}

// `readFile` and `fs.readFile` are {"fs": "readFile"}; empty: no verb has such an operation.
std::string step_with_operation(std::string_view word) {
  for (const VerbInfo& verb : verb_table()) {
    if (verb.kind != ArgumentKind::operation) continue;
    const bool is_qualified = word.starts_with(verb.name) && word.substr(verb.name.size()).starts_with('.');
    const std::string_view operation = is_qualified ? word.substr(verb.name.size() + 1) : word;
    if (std::ranges::find(verb.words, operation) != verb.words.end())
      return fmt::format("{{\"{}\": \"{}\"}}", verb.name, operation);
  }
  return {};
}

std::string suggest(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string_view meant = word_meant(word);
  if (std::find(known.begin(), known.end(), meant) != known.end()) return std::string(meant);
  return nearest(word, known);
}

// A name in double quotes, for messages.
std::string quoted(std::string_view name) { return fmt::format("\"{}\"", name); }

}  // namespace

// ---- steps ------------------------------------------------------------------------------------------------------------------

Block Reader::read_block(NodeIndex node) {
  if (kind(node) != Kind::list) {
    expected_steps(node, "a list of steps");
    return {};
  }
  Block block = scenario_.memory.list<Step>(document_.size(node));
  Step* next = block.data();
  for (const NodeIndex item : children_of(node)) *next++ = read_step(item, Position::statement);
  return block;
}

Step Reader::read_step(NodeIndex node, Position position) {
  Step step{};
  step.node = node;
  if (!is_kind(node, Kind::object, "a step, an object such as {\"log\": \"hello\"}")) return step;
  NodeIndex verb_member = kNone;
  const VerbInfo* const verb = find_step_verb(node, verb_member);
  if (verb == nullptr) return step;
  step.verb = verb->verb;
  scenario_.verbs[static_cast<std::size_t>(verb->verb)] = true;
  ++scenario_.steps;
  step.line = line_of(node);
  if (!belongs_to(*verb, profile_->family)) {
    report_other_family(verb_member, *verb);
    return step;
  }
  if (is_too_new(verb->since)) check_since(verb_member, quoted(verb->name), verb->since);

  const StepContext outer = step_;
  step_ = {verb->verb, node, {}, verb->kind == ArgumentKind::callback ? 1U : 0U, position, {}, {}};
  const Given given = find_options(verb_member, *verb);
  std::size_t count = 0;
  for (std::size_t i = 0; i < verb->options.size(); ++i) {
    if (given[i] == kNone) continue;
    ++count;
    const OptionInfo& option = verb->options[i];
    if (option.kind == ArgumentKind::callback) ++step_.callbacks;
    if (option.key == Key::as && kind(given[i]) == Kind::text && verb->family != Family::libuv)
      step_.label = text(given[i]);
  }
  if (verb->family == Family::libuv && kind(verb_member) == Kind::text)
    step_.label = handle_label(verb->verb, text(verb_member));
  // Its `as` names only the object, no callback of its own.
  const bool is_network = verb->verb == Verb::listen || verb->verb == Verb::connect || verb->verb == Verb::spawn;
  if (keeps_labels_ && !step_.label.empty() && !is_network) {
    labels_.push_back(closes_handle(verb->verb) ? scenario_.memory.copy(make_callback_label(
                                                      verb->verb, Key::do_, step_.label, 1, {}, step.line))
                                                : step_.label);
  }
  if (verb->kind == ArgumentKind::operation && kind(verb_member) == Kind::text) step_.operation = text(verb_member);

  if (verb->verb == Verb::rejected && kind(verb_member) == Kind::list) {
    error(verb_member,
          "\"rejected\" makes a promise that is rejected with this reason; a callback for the rejection is "
          "an option of then, as in {\"then\": \"p\", \"rejected\": [ .. ]}");
    return step;
  }
  step.argument = read_argument(verb_member, *verb, verb->kind, Key::do_);
  step.options = scenario_.memory.list<Option>(count);
  Option* next = step.options.data();
  for (std::size_t i = 0; i < verb->options.size(); ++i) {
    const NodeIndex member = given[i];
    if (member == kNone) continue;
    const OptionInfo& option = verb->options[i];
    if (is_too_new(option.since))
      check_since(member, fmt::format("\"{}\" of \"{}\"", option.name, verb->name), option.since);
    // Inside an awaitable, the `as` of a timer is only a label.
    const bool is_promisified =
        position == Position::awaitable && (verb->verb == Verb::set_timeout || verb->verb == Verb::set_immediate);
    const ArgumentKind option_kind = option.key == Key::as && is_promisified ? ArgumentKind::label : option.kind;
    *next++ = {option.key, member, read_argument(member, *verb, option_kind, option.key)};
  }
  if (count + 1 != document_.size(node)) {
    for (const NodeIndex member : children_of(node)) {
      if (member != verb_member && find_option(*verb, key(member)) == nullptr) report_unknown_option(member, *verb);
    }
  }
  check_step(step, *verb, given, position);
  if (step_.label.empty()) add_label_places(step, label_places_);
  step_ = outer;
  return step;
}

Reader::Given Reader::find_options(NodeIndex verb_member, const VerbInfo& verb) const {
  Given given;
  given.fill(kNone);
  for (const Member& member : members_) {
    if (member.node == verb_member) continue;
    const OptionInfo* const option = find_option(verb, member.key);
    if (option == nullptr) continue;
    NodeIndex& place = given[static_cast<std::size_t>(option - verb.options.data())];
    if (place == kNone) place = member.node;
  }
  return given;
}

// The only key that is a verb. A key that is an option of another verb in the step does not count: `then` of `if`.
const VerbInfo* Reader::find_step_verb(NodeIndex node, NodeIndex& member) {
  candidates_.clear();
  members_.clear();
  for (const NodeIndex item : children_of(node)) {
    members_.push_back({item, key(item)});
    if (const VerbInfo* verb = find_verb(members_.back().key)) candidates_.push_back({verb, item});
  }
  if (candidates_.size() > 1) {
    const std::vector<Candidate> all = candidates_;
    std::erase_if(candidates_, [&](const Candidate& candidate) {
      return std::ranges::any_of(all, [&](const Candidate& other) {
        return other.verb != candidate.verb && find_option(*other.verb, candidate.verb->name) != nullptr;
      });
    });
  }
  if (candidates_.empty()) {
    report_no_verb(node);
    return nullptr;
  }
  for (std::size_t i = 1; i < candidates_.size(); ++i) {
    key_error(candidates_[i].member, fmt::format("a step has one verb, this one has \"{}\" and \"{}\"; write two steps",
                                                 candidates_[0].verb->name, candidates_[i].verb->name));
  }
  if (candidates_.size() > 1) return nullptr;
  member = candidates_[0].member;
  return candidates_[0].verb;
}

// A verb that the runtime has not: those of Node and of libuv alone are two languages with the same words for variables and control.
void Reader::report_other_family(NodeIndex member, const VerbInfo& verb) {
  if (verb.family == Family::libuv) {
    key_error(
        member,
        fmt::format("\"{}\" is a function of libuv, for programs without Node: \"runtime\": \"{}\"; the runtime is {}",
                    verb.name, libuv_runtimes().back().name, profile_->name));
    return;
  }
  if (verb.family == Family::browser) {
    key_error(member, fmt::format("\"{}\" is of a page in a browser: \"runtime\": \"chrome\"; the runtime is {}",
                                  verb.name, profile_->name));
    return;
  }
  const bool is_page = profile_->family == Family::browser;
  using Table = std::span<const std::pair<Verb, std::string_view>>;
  std::string_view instead;
  for (const auto& [nodes, others] : is_page ? Table(kPageInstead) : Table(kLibuvInstead)) {
    if (nodes == verb.verb) instead = others;
  }
  const std::string hint =
      instead.empty() ? std::string() : fmt::format("; {} has {}", is_page ? "a page" : "libuv", instead);
  key_error(member, fmt::format("\"{}\" is Node's, and the runtime is {}{}", verb.name, profile_->name, hint));
}

void Reader::report_no_verb(NodeIndex node) {
  if (document_.size(node) == 0) {
    error(node, "this step is empty; a step has one verb, such as {\"log\": \"hello\"}");
    return;
  }
  NodeIndex unknown = kNone;
  for (const NodeIndex member : children_of(node)) {
    if (!verbs_with_option(document_.key(member), profile_->family).empty()) continue;
    if (unknown == kNone) unknown = member;
    if (report_other_word(member)) return;
  }
  if (unknown != kNone) {
    key_error(unknown,
              fmt::format("there is no verb \"{}\"; `loopsim list verbs` shows them all", document_.key(unknown)));
    return;
  }
  const std::string_view option = document_.key(document_.first_child(node));
  const bool is_of_promise = option == "catch" || option == "finally" || option == "rejected";
  error(node, fmt::format("this step has options but no verb; \"{}\" is an option of {}{}", option,
                          fmt::join(verbs_with_option(option, profile_->family), ", "),
                          is_of_promise ? fmt::format(", as in {{\"then\": \"p\", \"{}\": [ .. ]}}", option) : ""));
}

// The key of a step is no verb: true when it is another word for something, which has been said then.
bool Reader::report_other_word(NodeIndex member) {
  const std::string_view word = document_.key(member);
  const std::string message = fmt::format("there is no verb \"{}\"", word);
  if (const std::string_view meant = word_meant(word); find_verb(meant) != nullptr) {
    key_error(member, message, std::string(meant));
  } else if (const std::string_view instead = step_instead(word); !instead.empty()) {
    key_error(member, fmt::format("{}; write {}", message, instead));
  } else if (const UnsupportedFeature* feature = find_unsupported(word); feature != nullptr) {
    key_error(member, fmt::format("{}: {} cannot be said; {} (`loopsim list unsupported`)", message, feature->name,
                                  feature->instead));
  } else if (const std::string step = step_with_operation(word); !step.empty()) {
    key_error(member, fmt::format("{}; write {}", message, step));
  } else if (std::string suggestion = nearest(word, verb_names(profile_->family)); !suggestion.empty()) {
    key_error(member, message, std::move(suggestion));
  } else {
    return false;
  }
  return true;
}

void Reader::report_unknown_option(NodeIndex member, const VerbInfo& verb) {
  const std::string_view key = document_.key(member);
  const std::vector<std::string_view> known = option_names(verb);
  std::string suggestion = suggest(key, known);
  std::string message = fmt::format("\"{}\" has no option \"{}\"", verb.name, key);
  if (suggestion.empty()) {
    message += known.empty() ? "; it has none" : fmt::format("; it has {}", fmt::join(known, ", "));
  }
  key_error(member, std::move(message), std::move(suggestion));
}

void Reader::check_since(NodeIndex member, std::string_view what, int since) {
  if (!is_too_new(since)) return;
  const std::string_view needed = profile_->family == Family::libuv ? "libuv 1." : "Node ";
  const std::string message =
      fmt::format("{} needs {}{} or later; the runtime is {}", what, needed, since, profile_->name);
  if (document_.key(member).empty()) {
    error(member, message);
  } else {
    key_error(member, message);
  }
}

// Checks the options of a step together.
void Reader::check_step(const Step& step, const VerbInfo& verb, const Given& given, Position position) {
  const NodeIndex node = step.node;
  const bool is_call_with_callback =
      verb.verb == Verb::set_timeout || (verb.kind == ArgumentKind::operation && verb.verb != Verb::post_task);
  for (std::size_t i = 0; i < verb.options.size(); ++i) {
    const OptionInfo& option = verb.options[i];
    const bool is_given = given[i] != kNone;
    if (position == Position::awaitable && is_call_with_callback && option.key == Key::do_) {
      if (is_given) {
        key_error(given[i],
                  fmt::format("\"{}\" makes a promise here and so has no callback; remove \"do\"", verb.name));
      }
      continue;
    }
    if (option.required && !is_given) {
      std::string help(option.help.substr(0, option.help.size() - 1));
      if (help[1] >= 'a') help[0] = static_cast<char>(help[0] - 'A' + 'a');
      error(node, fmt::format("\"{}\" needs \"{}\" ({})", verb.name, option.name, help));
    }
  }
  switch (verb.verb) {
    case Verb::try_:
      if (step.find(Key::catch_) == nullptr && step.find(Key::finally_) == nullptr) {
        error(node, "\"try\" needs \"catch\" or \"finally\", or both");
      }
      break;
    case Verb::then:
      if (step_.callbacks == 0)
        error(node, "\"then\" needs at least one of \"do\", \"rejected\", \"catch\" and \"finally\"");
      break;
    case Verb::await: {
      scenario_.bodies[body_].is_async = true;
      if (scenario_.bodies[body_].kind != Body::Kind::main) break;
      const NodeIndex member = document_.find(node, "await");
      if (scenario_.runtime.entry == EntryPoint::commonjs) {
        key_error(member,
                  "\"await\" in the main script needs \"runtime\": {\"entry\": \"module\"}; or put it into an "
                  "\"async\" step");
      } else {
        check_since(member, "\"await\" in the main script", kFirstWithTopLevelAwait);
      }
      break;
    }
    case Verb::return_:
      if (scenario_.bodies[body_].kind == Body::Kind::main && scenario_.runtime.entry == EntryPoint::module) {
        key_error(document_.find(node, "return"), "an ES module has no \"return\" outside of functions");
      }
      break;
    case Verb::on:
    case Verb::once:
    case Verb::off:
    case Verb::emit: check_event(step, node); break;
    case Verb::spawn:
      if (const NodeIndex code = document_.find(node, "error");
          code != kNone && kind(code) == Kind::text && text(code) != "ENOENT")
        error(code,
              fmt::format("a child process can only fail to start with \"ENOENT\" here, found {}", describe(code)));
      break;
    case Verb::uv_queue_work:
      if (step.find(Key::cpu) != nullptr && step.find(Key::takes) != nullptr)
        key_error(document_.find(node, "takes"), "\"uv_queue_work\" has \"cpu\" or \"takes\", not both");
      break;
    case Verb::write:
    case Verb::end: check_data(step, node); break;
    case Verb::uv_write:
    case Verb::uv_try_write:
    case Verb::send: check_data(step, node); break;
    case Verb::uv_spawn: check_uv_error(node, std::array<std::string_view, 1>{"ENOENT"}); break;
    case Verb::uv_getaddrinfo:
    case Verb::uv_fs_access:
    case Verb::uv_fs_stat:
    case Verb::uv_fs_mkdir:
    case Verb::uv_fs_rmdir:
    case Verb::uv_fs_unlink: check_request_error(node, step.verb); break;
    default: break;
  }
}

// The error with which a request for libuv ends: one that its function can have.
void Reader::check_request_error(NodeIndex node, Verb verb) {
  std::vector<std::string_view> known;
  for (const UvError& error : uv_errors()) {
    const std::string_view name = error.name.substr(3);
    const bool is_of_lookup = name.starts_with("EAI_") && name != "EAI_CANCELED";
    const bool is_of_files = std::ranges::find(kFileErrors, name) != kFileErrors.end();
    if (verb == Verb::uv_getaddrinfo ? is_of_lookup : is_of_files) known.push_back(name);
  }
  check_uv_error(node, known);
}

void Reader::check_uv_error(NodeIndex node, std::span<const std::string_view> known) {
  const NodeIndex code = document_.find(node, "error");
  if (code == kNone || kind(code) != Kind::text || std::ranges::find(known, text(code)) != known.end()) return;
  error(code, fmt::format("expected one of {}, found {}", fmt::join(known, ", "), document_.json(code)),
        nearest(text(code), std::vector<std::string_view>(known.begin(), known.end())));
}

// Checks the data of write and end: a text or a number of bytes.
void Reader::check_data(const Step& step, NodeIndex node) {
  const Argument* data = step.find(Key::data);
  const bool has_bytes = document_.find(node, "bytes") != kNone;
  if (data != nullptr && has_bytes) {
    key_error(document_.find(node, "bytes"),
              fmt::format("\"{}\" has \"data\" or \"bytes\", not both", info(step.verb).name));
  } else if (data == nullptr && !has_bytes && step.verb != Verb::end) {
    error(node, fmt::format("\"{}\" needs \"data\" or \"bytes\" to write", info(step.verb).name));
  }
  const auto* value = data == nullptr ? nullptr : std::get_if<Value>(data);
  if (value == nullptr || value->kind != Value::Kind::text) return;
  std::size_t size = 0;
  for (const TextPart& part : value->parts) size += part.text().size();
  if (size > kMaxText)
    error(value->node, fmt::format("a text of {} bytes is more than is modelled ({}); use \"bytes\"", size, kMaxText));
  if (value->parts.empty()) error(value->node, "there is nothing to write in an empty text");
}

// `process` has its own events, and only Node emits them.
void Reader::check_event(const Step& step, NodeIndex node) {
  const auto* emitter = std::get_if<Name>(&step.argument);
  if (emitter == nullptr || !emitter->is_process()) return;
  if (step.verb == Verb::emit) {
    error(emitter->node, "\"process\" emits its events itself");
    return;
  }
  const NodeIndex event = document_.find(node, "event");
  if (event == kNone || kind(event) != Kind::text) return;
  const auto known = process_events();
  if (std::find(known.begin(), known.end(), text(event)) != known.end()) return;
  if (const SignalInfo* signal = find_signal(text(event)); signal != nullptr) {
    if (!signal->can_listen)
      error(event, fmt::format("nothing can listen to {}: it always ends a process", signal->name));
    return;
  }
  if (text(event) == "SIGUSR1") {
    error(event, "SIGUSR1 is not simulated: Node keeps it for its debugger", "SIGUSR2");
    return;
  }
  std::vector<std::string_view> words(known.begin(), known.end());
  for (const SignalInfo& signal : signals()) words.push_back(signal.name);
  error(event,
        fmt::format("\"process\" has no event {}; it has {}, and signals such as SIGTERM", document_.json(event),
                    fmt::join(known, ", ")),
        nearest(text(event), words));
}

// ---- arguments ----------------------------------------------------------------------------------------------------------------

Argument Reader::read_argument(NodeIndex node, const VerbInfo& verb, ArgumentKind argument, Key key) {
  switch (argument) {
    case ArgumentKind::value: return read_value(node);
    case ArgumentKind::values: return read_values(node);
    case ArgumentKind::error_value: return read_error_value(node);
    case ArgumentKind::duration: return keep_duration(node);
    case ArgumentKind::delay: return read_delay(node);
    case ArgumentKind::request_times: return read_request_times(node);
    case ArgumentKind::condition: return read_condition(node);
    case ArgumentKind::assignments: return read_assignments(node);
    case ArgumentKind::callback:
      // A promisified immediate: {"setImmediate": null}.
      if (step_.position != Position::awaitable || verb.verb != Verb::set_immediate) return read_callback(node, key);
      if (kind(node) != Kind::null) expected(node, "null, as it makes a promise here and so has no callback");
      return std::monostate{};
    case ArgumentKind::block: return read_block(node);
    case ArgumentKind::awaitable: return read_awaitable(node);
    case ArgumentKind::awaitables: {
      if (!is_kind(node, Kind::list, "a list of promises")) return List<Awaitable>{};
      List<Awaitable> awaitables = scenario_.memory.list<Awaitable>(document_.size(node));
      Awaitable* next = awaitables.data();
      for (const NodeIndex item : children_of(node)) *next++ = read_awaitable(item);
      return awaitables;
    }
    case ArgumentKind::value_or_step: return read_value_or_step(node);
    case ArgumentKind::count: return read_count(node, "a number of rounds");
    case ArgumentKind::milliseconds: return read_count(node, "a number of milliseconds");
    case ArgumentKind::nothing:
      if (kind(node) != Kind::null) expected(node, "null: the function takes nothing");
      return std::monostate{};
    case ArgumentKind::new_name: return read_name(node, true);
    case ArgumentKind::label: return read_name(node, true).text;
    case ArgumentKind::name: return read_name(node, false);
    case ArgumentKind::function_name: {
      const std::optional<BodyIndex> function = find_function(node);
      return Callback{function.value_or(0), true, node};
    }
    case ArgumentKind::event_name:
      if (is_kind(node, Kind::text, "an event's name") && text(node).empty())
        error(node, "an event's name cannot be empty");
      check_length(node, text(node));
      return text(node);
    case ArgumentKind::operation: return read_operation(node, verb);
    case ArgumentKind::error_code: {
      const auto is_code = [](std::string_view code) {
        return !code.empty() && code.front() >= 'A' && code.front() <= 'Z' &&
               code.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
      };
      constexpr std::string_view kHint = "an error code such as \"ENOENT\", in capital letters";
      if (is_kind(node, Kind::text, kHint) && !is_code(text(node))) expected(node, kHint);
      check_length(node, text(node));
      return text(node);
    }
    case ArgumentKind::port:
    case ArgumentKind::address: return read_address(node, argument == ArgumentKind::address);
    case ArgumentKind::listeners: return read_listeners(node, verb);
    case ArgumentKind::exit_code: return read_exit_code(node);
    case ArgumentKind::command:
      if (is_kind(node, Kind::text, "a command, such as \"convert\"") && text(node).empty())
        error(node, "a command cannot be empty");
      check_length(node, text(node));
      return text(node);
    case ArgumentKind::selector:
    case ArgumentKind::url:
    case ArgumentKind::path:
    case ArgumentKind::host: return read_plain_text(node, argument);
    case ArgumentKind::signal_name: read_signal(node); return text(node);
    case ArgumentKind::bytes: return read_bytes(node);
    case ArgumentKind::flag: {
      Value flag = read_value(node);
      if (flag.kind != Value::Kind::boolean) expected(node, "true or false");
      return flag;
    }
  }
  return std::monostate{};
}

Value Reader::read_bytes(NodeIndex node) {
  Value bytes;
  bytes.node = node;
  bytes.kind = Value::Kind::number;
  bytes.number = static_cast<double>(read_whole(node, 1, kMaxWrite, "a number of bytes"));
  return bytes;
}

std::string_view Reader::read_plain_text(NodeIndex node, ArgumentKind argument) {
  const std::string_view what = argument == ArgumentKind::url    ? R"(a URL such as "/data")"
                                : argument == ArgumentKind::path ? R"(a path such as "/tmp/app.sock")"
                                : argument == ArgumentKind::host
                                    ? R"(a host's name such as "example.org")"
                                    : R"(a selector such as "#button", "window" or "document")";
  if (is_kind(node, Kind::text, what) && text(node).empty()) expected(node, what);
  check_length(node, text(node));
  return text(node);
}

Name Reader::read_name(NodeIndex node, bool defines) {
  Name name;
  name.node = node;
  if (!is_kind(node, Kind::text, "a name")) return name;
  name.text = text(node);
  if (!defines && name.text == "process") {
    // Valid only as an emitter or for `kill`; names.cpp refuses it elsewhere.
    name.declaration = Name::kProcess;
    return name;
  }
  const bool is_in_braces = name.text.size() > 2 && name.text.front() == '{' && name.text.back() == '}';
  if (is_in_braces) {
    error(node,
          fmt::format("expected a name, found the placeholder {}; a name stands here without braces",
                      document_.json(node)),
          std::string(name.text.substr(1, name.text.size() - 2)));
    name.text = {};  // avoids further errors about it
    return name;
  }
  if (!check_name(node, name.text)) name.text = {};
  return name;
}

// ---- callbacks ----------------------------------------------------------------------------------------------------------------

std::optional<BodyIndex> Reader::find_function(NodeIndex node) {
  if (!is_kind(node, Kind::text, "a function's name")) return std::nullopt;
  if (const auto found = functions_.find(text(node)); found != functions_.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [name, body] : scenario_.functions) known.push_back(name);
  std::string suggestion = nearest(text(node), known);
  std::string message = fmt::format("there is no function {}", document_.json(node));
  if (known.empty()) {
    message += "; the document has no \"functions\"";
  } else if (suggestion.empty()) {
    message += fmt::format("; there are {}", fmt::join(known, ", "));
  }
  error(node, std::move(message), std::move(suggestion));
  return std::nullopt;
}

Callback Reader::read_callback(NodeIndex node, Key key) {
  Callback callback;
  callback.node = node;
  callback.body = 0;
  const bool is_executor = step_.verb == Verb::promise;
  if (kind(node) == Kind::text && !is_executor) {
    callback.by_name = true;
    if (const std::optional<BodyIndex> function = find_function(node)) {
      callback.body = *function;
      if (step_.verb == Verb::async) scenario_.bodies[*function].is_async = true;
    }
  } else if (kind(node) == Kind::list) {
    callback.body = read_callback_body(node, key, is_executor ? Body::Kind::executor : Body::Kind::callback);
  } else {
    expected_steps(node, is_executor ? "a list of steps" : "a list of steps, or a function's name");
  }
  return callback;
}

BodyIndex Reader::read_callback_body(NodeIndex node, Key key, Body::Kind body_kind) {
  const auto index = static_cast<BodyIndex>(scenario_.bodies.size());
  Body& body = scenario_.bodies.emplace_back();
  body.kind = body_kind;
  body.parent = body_;
  body.node = node;
  body.line = line_of(node);
  if (key != Key::on && !step_.label.empty() && !closes_handle(step_.verb) &&
      (key == Key::do_ || step_.callbacks <= 1)) {
    body.name = step_.label;  // as make_callback_label() returns
  } else {
    const std::uint32_t line = line_of(step_.node);
    body.name = scenario_.memory.copy(
        key == Key::on ? make_listener_label(step_.event, step_.label, {}, line)
                       : make_callback_label(step_.verb, key, step_.label, step_.callbacks, {}, line));
  }
  body.is_async = step_.verb == Verb::async;
  const BodyIndex outer = std::exchange(body_, index);
  const Block steps = read_block(node);
  scenario_.bodies[index].steps = steps;
  body_ = outer;
  return index;
}

// A port; with `or_path`, also the path of a Unix socket: a text with a slash, which Node does not take for a port.
Value Reader::read_address(NodeIndex node, bool or_path) {
  Value address;
  address.node = node;
  if (or_path && kind(node) == Kind::text) {
    if (text(node).find('/') != std::string_view::npos) return read_text_value(node);
    expected(node,
             "a port of this machine, a whole number from 1 to 65535, or the path of a Unix socket such as "
             "\"/tmp/app.sock\"");
    return address;
  }
  address.kind = Value::Kind::number;
  address.number = static_cast<double>(read_whole(node, 1, 65535, "a port"));
  return address;
}

// The option `on` of a server or socket: {"close": [steps], ...}.
List<EventListener> Reader::read_listeners(NodeIndex node, const VerbInfo& verb) {
  if (!is_kind(node, Kind::object, "listeners by event, such as {\"close\": [ .. ]}")) return {};
  List<EventListener> listeners = scenario_.memory.list<EventListener>(document_.size(node));
  std::size_t count = 0;
  const std::vector<std::string_view> known(verb.words.begin(), verb.words.end());
  for (const NodeIndex member : children_of(node)) {
    const std::string_view event = document_.key(member);
    if (std::find(known.begin(), known.end(), event) == known.end()) {
      key_error(
          member,
          fmt::format("\"on\" of \"{}\" has no event \"{}\"; it has {}", verb.name, event, fmt::join(known, ", ")),
          nearest(event, known));
      continue;
    }
    step_.event = event;
    const EventListener listener{event, read_callback(member, Key::on), member};
    if (keeps_labels_ && listener.callback.by_name) {
      const std::string_view function = scenario_.bodies[listener.callback.body].name;
      labels_.push_back(scenario_.memory.copy(make_listener_label(event, step_.label, function, line_of(step_.node))));
    }
    listeners[count++] = listener;
  }
  listeners.shorten(count);
  return listeners;
}

// ---- promises -----------------------------------------------------------------------------------------------------------------

Awaitable Reader::read_awaitable(NodeIndex node) {
  Awaitable awaitable;
  awaitable.node = node;
  switch (kind(node)) {
    case Kind::null: return awaitable;
    case Kind::text:
      awaitable.kind = Awaitable::Kind::name;
      awaitable.name = scenario_.memory.make(read_name(node, false));
      return awaitable;
    case Kind::object: break;
    default:
      expected(node, "a promise: its name, null, or a step that makes one, such as {\"setTimeout\": 10}");
      return awaitable;
  }
  awaitable.kind = Awaitable::Kind::step;
  const std::size_t problems = diagnostics_.size();
  awaitable.step = scenario_.memory.make(read_step(node, Position::awaitable));
  const VerbInfo& verb = info(awaitable.step->verb);
  if (!verb.makes_promise && diagnostics_.size() == problems) {
    std::vector<std::string_view> makers;
    for (const VerbInfo& maker : verb_table()) {
      if (maker.makes_promise && belongs_to(maker, profile_->family)) makers.push_back(maker.name);
    }
    error(node, fmt::format("\"{}\" makes no promise; these do: {}", verb.name, fmt::join(makers, ", ")));
  }
  return awaitable;
}

// A value, or a step that makes a promise. An object that begins with "error" is a value, any other object a step.
Argument Reader::read_value_or_step(NodeIndex node) {
  if (kind(node) != Kind::object || document_.find(node, "error") == document_.first_child(node))
    return read_value(node);
  return read_awaitable(node);
}

// ---- work elsewhere -------------------------------------------------------------------------------------------------------------

std::string_view Reader::read_operation(NodeIndex node, const VerbInfo& verb) {
  const std::vector<std::string_view> known(verb.words.begin(), verb.words.end());
  if (kind(node) != Kind::text) {
    expected(node, fmt::format("an operation of {}: {}", verb.name, fmt::join(known, ", ")));
    return {};
  }
  const std::string_view operation = text(node);
  if (std::find(known.begin(), known.end(), operation) == known.end()) {
    error(node,
          fmt::format("\"{}\" has no operation {}; it has {}", verb.name, document_.json(node), fmt::join(known, ", ")),
          nearest(operation, known));
  }
  if (const int since = operation_since(operation); is_too_new(since))
    check_since(node, fmt::format("\"{}\" of \"{}\"", operation, verb.name), since);
  return operation;
}

RequestTimes Reader::read_request_times(NodeIndex node) {
  const FileRequests requests = file_requests(step_.operation);
  RequestTimes times;
  if (requests.names.empty()) return times;  // an unknown operation, already reported
  const Duration* const nothing = &scenario_.durations.emplace_back();
  times.each = scenario_.memory.list<const Duration*>(requests.names.size());
  std::ranges::fill(times.each, nothing);
  if (kind(node) != Kind::object || is_distribution(node) || requests.names.size() == 1) {
    times.each[requests.data_request] = keep_duration(node);
    return times;
  }
  check_keys(node, requests.names, fmt::format("\"takes\" of {}", step_.operation));
  for (std::size_t i = 0; i < requests.names.size(); ++i) {
    if (const NodeIndex member = document_.find(node, requests.names[i]); member != kNone)
      times.each[i] = keep_duration(member);
  }
  return times;
}

}  // namespace loopsim

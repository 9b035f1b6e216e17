// The JSON Schema of the language, with which editors complete and check a scenario. Steps come from the verb table,
// with one fragment per kind of argument. Checks of names, versions and order in time are left to the reader.
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loopsim/io.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"

#include "sim/scenario/script_words.hpp"

namespace loopsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kIdentifier = "[A-Za-z_$][A-Za-z0-9_$]*";

Json reference(std::string_view definition) { return Json{{"$ref", fmt::format("#/$defs/{}", definition)}}; }

Json described(Json schema, std::string_view description) {
  schema["description"] = description;
  return schema;
}

Json text(std::string_view description) { return Json{{"type", "string"}, {"description", description}}; }

// A value of this schema, or "$name" of a param.
Json or_param(Json schema) { return Json{{"anyOf", Json::array({std::move(schema), reference("param")})}}; }

Json list_of(Json item) { return Json{{"type", "array"}, {"items", std::move(item)}}; }

Json object_of(Json properties, Json required = Json::array()) {
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

template <typename Words>
Json one_of_words(const Words& words) {
  Json list = Json::array();
  for (const std::string_view word : words) list.push_back(word);
  return Json{{"enum", std::move(list)}};
}

Json whole(std::int64_t low, std::int64_t high) {
  return Json{{"type", "integer"}, {"minimum", low}, {"maximum", high}};
}

// ---- one fragment for each kind of argument ------------------------------------------------------------------------------------

std::string_view definition_of(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::value: return "value";
    case ArgumentKind::values: return "values";
    case ArgumentKind::error_value: return "errorValue";
    case ArgumentKind::duration: return "duration";
    case ArgumentKind::delay: return "delay";
    case ArgumentKind::request_times: return "requestTimes";
    case ArgumentKind::condition: return "condition";
    case ArgumentKind::assignments: return "assignments";
    case ArgumentKind::callback: return "callback";
    case ArgumentKind::block: return "steps";
    case ArgumentKind::awaitable: return "awaitable";
    case ArgumentKind::awaitables: return "awaitables";
    case ArgumentKind::value_or_step: return "valueOrStep";
    case ArgumentKind::count: return "count";
    case ArgumentKind::new_name:
    case ArgumentKind::label:
    case ArgumentKind::name: return "name";
    case ArgumentKind::function_name: return "functionName";
    case ArgumentKind::event_name: return "eventName";
    case ArgumentKind::operation: return "";  // the verb's own words
    case ArgumentKind::error_code: return "errorCode";
    case ArgumentKind::port: return "port";
    case ArgumentKind::address: return "address";
    case ArgumentKind::listeners: return "";  // the verb's own events
    case ArgumentKind::exit_code: return "exitCode";
    case ArgumentKind::command: return "command";
    case ArgumentKind::signal_name: return "signal";
    case ArgumentKind::bytes: return "bytes";
    case ArgumentKind::flag: return "flag";
    case ArgumentKind::milliseconds: return "milliseconds";
    case ArgumentKind::nothing: return "nothing";
    case ArgumentKind::selector: return "selector";
    case ArgumentKind::url: return "url";
    case ArgumentKind::path: return "path";
    case ArgumentKind::host: return "host";
  }
  return "";
}

Json value_fragments() {
  const std::string placeholder = R"(^\{[A-Za-z_$][A-Za-z0-9_$]*\}$)";
  Json defs;
  defs["param"] = {
      {"type", "string"}, {"pattern", fmt::format("^\\${}$", kIdentifier)}, {"description", "The value of a param."}};
  defs["name"] = text("A name: letters, digits, _ and $.");
  defs["name"]["pattern"] = fmt::format("^{}$", kIdentifier);
  defs["functionName"] = described(reference("name"), "The name of one of \"functions\".");
  defs["eventName"] = {{"type", "string"}, {"minLength", 1}, {"description", "An event's name."}};
  defs["errorCode"] =
      or_param({{"type", "string"}, {"pattern", "^[A-Z][A-Z0-9_]*$"}, {"examples", {"ENOENT", "EACCES", "ENOTFOUND"}}});
  Json signal_words = Json::array();
  for (const SignalInfo& signal : signals()) signal_words.push_back(signal.name);
  defs["signal"] = or_param({{"enum", std::move(signal_words)}});
  defs["command"] = {{"type", "string"}, {"minLength", 1}, {"description", "The command of a child process."}};
  defs["error"] = object_of(
      {{"error", text("The message.")},
       {"name", or_param(one_of_words(std::array<std::string_view, 7>{"Error", "TypeError", "RangeError", "SyntaxError",
                                                                      "ReferenceError", "EvalError", "URIError"}))},
       {"code", text("The error's code, such as \"EBAD\".")}},
      {"error"});
  defs["error"]["description"] = "An error: new NAME(message), with a code.";
  defs["value"] = {
      {"description", "A number, true, false, null, a text with {placeholders}, a variable \"{x}\", or an error."},
      {"anyOf", Json::array({Json{{"type", {"number", "boolean", "null", "string"}}}, reference("error")})}};
  defs["values"] = {{"anyOf", Json::array({reference("value"), list_of(reference("value"))})}};
  defs["errorValue"] = described(reference("value"), "The value to throw; a text stands for new Error(text).");
  defs["fixedDuration"] = {
      {"description",
       "A duration such as \"10ms\", \"1.5s\", \"250us\", \"40ns\", \"2m\", \"1h\", or a number of milliseconds."},
      {"anyOf", Json::array({Json{{"type", "number"}, {"minimum", 0}},
                             Json{{"type", "string"}, {"pattern", R"(^[0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h)$)"}},
                             reference("param")})}};
  const Json fixed = reference("fixedDuration");
  const auto pair = [](Json first, Json second) {
    return or_param({{"type", "array"},
                     {"prefixItems", Json::array({std::move(first), std::move(second)})},
                     {"minItems", 2},
                     {"maxItems", 2}});
  };
  const Json shape = or_param({{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1000}});
  const Json some = or_param({{"type", "array"}, {"items", fixed}, {"minItems", 1}});
  defs["distribution"] = object_of({{"uniform", described(pair(fixed, fixed), "[shortest, longest]")},
                                    {"exponential", described(fixed, "The mean.")},
                                    {"normal", described(pair(fixed, fixed), "[mean, standard deviation], cut at 0")},
                                    {"lognormal", described(pair(fixed, shape), "[median, sigma]")},
                                    {"pareto", described(pair(fixed, shape), "[shortest, alpha]")},
                                    {"choice", described(some, "One of these, each as likely.")},
                                    {"sequence", described(some, "These in order, again and again.")}});
  defs["distribution"]["minProperties"] = 1;
  defs["distribution"]["maxProperties"] = 1;
  defs["distribution"]["description"] = "A duration that is drawn anew each time.";
  defs["duration"] = {{"anyOf", Json::array({fixed, reference("distribution")})}};
  defs["delay"] = {{"description", "A number of milliseconds, or any odd thing that Node accepts; or a distribution."},
                   {"anyOf", Json::array({reference("value"), reference("distribution")})}};
  // A likely mistake: in Node, "95ms" is NaN.
  defs["delay"]["not"] = {{"type", "string"}, {"pattern", R"(^[0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h)$)"}};
  defs["requestTimes"] = {
      {"anyOf", Json::array({reference("duration"), described(object_of({{"open", reference("duration")},
                                                                         {"stat", reference("duration")},
                                                                         {"read", reference("duration")},
                                                                         {"write", reference("duration")},
                                                                         {"close", reference("duration")}}),
                                                              "A time for each request of readFile or writeFile; from "
                                                              "Node 26 on the one request takes their sum.")})}};
  defs["condition"] = {
      {"description", "A variable (or param) that must be true, or a comparison: [\"x\", \"<\", 3]."},
      {"examples", Json::array({Json::array({"x", "<", 3})})},
      {"anyOf", Json::array({reference("name"), Json{{"type", Json::array({"boolean", "number", "null"})}},
                             Json{{"type", "array"},
                                  {"prefixItems", Json::array({reference("name"),
                                                               or_param(one_of_words(std::array<std::string_view, 6>{
                                                                   "<", "<=", ">", ">=", "==", "!="})),
                                                               reference("value")})},
                                  {"minItems", 3},
                                  {"maxItems", 3}}})}};
  defs["assignments"] = {{"type", "object"},
                         {"propertyNames", reference("name")},
                         {"additionalProperties", reference("value")},
                         {"minProperties", 1}};
  const Json a_variable = {{"type", "string"}, {"pattern", placeholder}, {"description", "A variable: \"{n}\"."}};
  defs["count"] = defs["milliseconds"] = {
      {"anyOf", Json::array({Json{{"type", "integer"}, {"minimum", 0}}, a_variable, reference("param")})}};
  defs["port"] = or_param(whole(1, 65535));
  defs["bytes"] = or_param(whole(1, 16384));
  defs["flag"] = or_param(Json{{"type", "boolean"}});
  defs["address"] = {{"description", "A port, or the path of a Unix socket."},
                     {"anyOf", Json::array({reference("port"), Json{{"type", "string"}, {"pattern", "/"}}})}};
  defs["exitCode"] = {{"anyOf", Json::array({whole(0, 255), Json{{"type", "null"}}, a_variable, reference("param")})}};
  return defs;
}

// ---- steps ----------------------------------------------------------------------------------------------------------------------

std::string step_definition(const VerbInfo& verb, bool in_awaitable) {
  return fmt::format("{}{}", in_awaitable ? "promise:" : "step:", verb.name);
}

// Whether the step has no callback where a promise is expected.
bool is_promisified(const VerbInfo& verb) {
  return verb.verb == Verb::set_timeout || verb.verb == Verb::set_immediate ||
         (verb.kind == ArgumentKind::operation && verb.verb != Verb::post_task);
}

// A callback for each event in the verb's words.
Json listeners_of(const VerbInfo& verb) {
  Json events;
  for (const std::string_view event : verb.words) events[std::string(event)] = reference("callback");
  return object_of(std::move(events));
}

Json step_schema(const VerbInfo& verb, bool in_awaitable) {
  const bool without_callback = in_awaitable && is_promisified(verb);
  Json properties;
  Json required = Json::array({verb.name});
  Json own = verb.kind == ArgumentKind::operation                      ? or_param(one_of_words(verb.words))
             : without_callback && verb.kind == ArgumentKind::callback ? Json{{"type", "null"}}
                                                                       : reference(definition_of(verb.kind));
  if (verb.verb == Verb::promise || verb.verb == Verb::emitter || verb.verb == Verb::mark) own = reference("name");
  std::string help(verb.help);
  if (verb.since > 0) help += fmt::format(" (Node {} and later)", verb.since);
  properties[std::string(verb.name)] = described(std::move(own), help);
  for (const OptionInfo& option : verb.options) {
    if (without_callback && option.key == Key::do_) continue;
    const bool is_executor = verb.verb == Verb::promise && option.key == Key::do_;
    std::string option_help(option.help);
    if (option.since > 0) option_help += fmt::format(" (Node {} and later)", option.since);
    properties[std::string(option.name)] = described(
        option.kind == ArgumentKind::listeners   ? listeners_of(verb)
        : option.kind == ArgumentKind::operation ? or_param(one_of_words(verb.words))
                                                 : reference(is_executor ? "steps" : definition_of(option.kind)),
        option_help);
    if (option.required) required.push_back(option.name);
  }
  Json schema = {{"title", verb.name}, {"description", help}};
  schema.update(object_of(std::move(properties), std::move(required)));
  if (verb.verb == Verb::try_)
    schema["anyOf"] = Json::array({Json{{"required", {"catch"}}}, Json{{"required", {"finally"}}}});
  if (verb.verb == Verb::then) schema["minProperties"] = 2;
  if (!in_awaitable) schema["examples"] = Json::array({Json::parse(verb.example)});
  return schema;
}

void add_steps(Json& defs) {
  Json steps = Json::array();
  Json promises = Json::array();
  Json snippets = Json::array();
  for (const VerbInfo& verb : verb_table()) {
    steps.push_back(reference(step_definition(verb, false)));
    snippets.push_back({{"label", verb.name}, {"description", verb.help}, {"body", Json::parse(verb.example)}});
    if (verb.makes_promise) promises.push_back(reference(step_definition(verb, is_promisified(verb))));
  }
  // defaultSnippets is for Visual Studio Code; validators ignore it.
  defs["step"] = {{"description", "One step: an object with one verb and its options."},
                  {"anyOf", std::move(steps)},
                  {"defaultSnippets", std::move(snippets)}};
  defs["promiseStep"] = {{"description", "A step that makes a promise."}, {"anyOf", std::move(promises)}};
  defs["steps"] = described(list_of(reference("step")), "A list of steps.");
  defs["callback"] = {{"description", "A list of steps, or the name of a function."},
                      {"anyOf", Json::array({reference("steps"), reference("functionName")})}};
  defs["awaitable"] = {{"description", "A promise: its name, null (Promise.resolve()), or a step that makes one."},
                       {"anyOf", Json::array({reference("name"), Json{{"type", "null"}}, reference("promiseStep")})}};
  defs["awaitables"] = list_of(reference("awaitable"));
  defs["valueOrStep"] = {{"anyOf", Json::array({reference("value"), reference("promiseStep")})}};
  for (const VerbInfo& verb : verb_table()) defs[step_definition(verb, false)] = step_schema(verb, false);
  for (const VerbInfo& verb : verb_table()) {
    if (verb.makes_promise && is_promisified(verb)) defs[step_definition(verb, true)] = step_schema(verb, true);
  }
}

// ---- the rest of a document -------------------------------------------------------------------------------------------------------

Json profile_names() {
  Json names = Json::array();
  for (const Family family : {Family::node, Family::libuv, Family::browser, Family::io}) {
    for (const Profile& profile : runtimes_of(family)) names.push_back(profile.name);
  }
  return names;
}

Json overhead_object() {
  return object_of(
      {{"callback", described(reference("duration"), "Before each callback of the loop.")},
       {"cold", described(reference("duration"),
                          "When the loop wakes up, or before a callback, if neither was for a millisecond.")},
       {"socket", described(reference("duration"), "Before what a socket or a server finds in poll.")},
       {"task", described(reference("duration"), "Before each tick and microtask.")},
       {"turn", described(reference("duration"), "At the begin of each turn.")},
       {"poll", described(reference("duration"), "Before each poll.")},
       {"timer", described(reference("duration"), "For each timer that is armed.")},
       {"log", described(reference("duration"), "For each line of output.")},
       {"firstLog", described(reference("duration"),
                              "For the first line of output, in place of log: Node creates "
                              "the stream then.")},
       {"submit", described(reference("duration"),
                            "For each request to the pool or the network: handing it "
                            "over.")},
       {"request", described(reference("duration"),
                             "Time of each such request, beside what it takes: a thread "
                             "wakes up, and makes the system call. No CPU of the loop's "
                             "thread.")},
       {"clock",
        described(reference("fixedDuration"), "For each reading of a clock by a program in JavaScript. Default: 1us.")},
       {"syscall",
        described(reference("duration"), "For each system call that a program in JavaScript waits for: of fs.*Sync.")},
       {"jumps", described(reference("fixedDuration"),
                           "For a thousand jumps and calls of functions, in a program in "
                           "JavaScript.")}});
}

Json core_count() { return or_param(whole(1, 1024)); }

Json nice_value() { return or_param(whole(-20, 19)); }

Json group_weight() { return or_param(whole(1, 10'000)); }

Json load_schema() {
  const Json share = or_param({{"type", "number"}, {"minimum", 0}, {"maximum", 1}});
  const Json object = object_of(
      {{"share", described(share, "The part of the time for which each of the others' threads wants a core.")},
       {"burst", described(reference("fixedDuration"), "How long each wants one, on average. Default: 3ms.")},
       {"busy", described(reference("duration"), "How long each wants a core.")},
       {"every", described(reference("fixedDuration"), "The period.")},
       {"offset", described(reference("fixedDuration"), "When a period begins. Default: 0.")},
       {"idle", described(reference("duration"), "How long none is wanted in between.")},
       {"threads", described(core_count(), "How many threads they have. Default: as many as there are cores.")},
       {"policy", described(or_param(one_of_words(std::array<std::string_view, 4>{"preempt", "fair", "cfs", "eevdf"})),
                            "They go first (the default), every thread has the same share, or the machine has this "
                            "scheduler.")},
       {"nice", described(nice_value(), "The nice value of their threads, under a scheduler. Default: 0.")},
       {"weight",
        described(group_weight(), "The cpu.weight of their cgroup, under a scheduler. Default: they are in none.")},
       {"pinned",
        described({{"type", "boolean"}},
                  "Each of their threads may use one core only, as by taskset; under a scheduler. Default: false.")}});
  return {{"anyOf", Json::array({share, object})}};
}

Json collection_schema() {
  const Json mebibytes = or_param({{"type", "number"}, {"minimum", 0.001}, {"maximum", 1'000'000}});
  const Json share = or_param({{"type", "number"}, {"minimum", 0}, {"maximum", 1}});
  return object_of({{"allocation", described(mebibytes, "MiB that JavaScript allocates in a second of CPU.")},
                    {"young", described(mebibytes, "MiB after which there is a scavenge. Default: 16.")},
                    {"scavenge", described(reference("duration"), "How long a scavenge takes. Default: 0.")},
                    {"survives", described(share, "The part that survives one. Default: 0.05.")},
                    {"old", described(mebibytes, "MiB of survivors after which there is a mark-compact. Default: 64.")},
                    {"markCompact", described(reference("duration"), "How long a mark-compact takes. Default: 0.")}},
                   {"allocation"});
}

Json scheduler_schema() {
  const Json policy = or_param(one_of_words(std::array<std::string_view, 2>{"cfs", "eevdf"}));
  const Json object = object_of(
      {{"policy", described(policy, "As Linux 6.5, or as Linux 6.12.")},
       {"tick", described(reference("fixedDuration"), "The kernel's tick. Default: 4ms.")},
       {"phase", described(reference("duration"), "When the first tick comes, modulo the tick. Default: drawn.")},
       {"latency", described(reference("fixedDuration"), "cfs: the period that the slices divide.")},
       {"minGranularity", described(reference("fixedDuration"), "cfs: the shortest slice.")},
       {"wakeupGranularity",
        described(reference("fixedDuration"), "cfs: how far behind a sleeper must be to preempt.")},
       {"baseSlice", described(reference("fixedDuration"), "eevdf: the slice.")},
       {"migrationCost",
        described(reference("fixedDuration"), "Who ran within this time stays on its core. Default: 0.5ms.")},
       {"newidleBalance",
        described(or_param({{"type", "number"}, {"minimum", 0}, {"maximum", 1}}),
                  "How often a core that becomes idle looks for a thread that waits elsewhere. Default: 1, always.")},
       {"bandwidthSlice",
        described(reference("fixedDuration"), "The portions of a quota that a core takes. Default: 5ms.")}},
      {"policy"});
  return {{"anyOf", Json::array({policy, object})}};
}

void add_machine(Json& defs) {
  const Json stall = object_of({{"at", described(reference("fixedDuration"), "When it begins.")},
                                {"for", described(reference("fixedDuration"), "How long it lasts.")}},
                               {"at", "for"});
  const Json warm_up = object_of(
      {{"factor", described(or_param({{"type", "number"}, {"minimum", 1}, {"maximum", 1000}}),
                            "By how much the first call of a callback computes longer; evenly less from then on.")},
       {"calls", described(or_param(whole(1, 1'000'000)), "After so many it is warm.")}},
      {"factor", "calls"});
  const Json idle_state =
      object_of({{"after", described(reference("fixedDuration"), "Of a core that was idle for at least so long.")},
                 {"wakeup", described(reference("duration"), "The time that it takes to wake up.")}},
                {"after", "wakeup"});
  const Json steal = object_of({{"takes", described(reference("duration"), "How long one lasts.")},
                                {"between", described(reference("duration"), "From the end of one to the next.")}},
                               {"takes", "between"});
  const Json quota = object_of({{"quota", described(reference("fixedDuration"), "CPU time in every period.")},
                                {"period", described(reference("fixedDuration"), "The period. Default: 100ms.")}},
                               {"quota"});
  Json presets = Json::array();
  for (const MachineSpec& preset : machine_presets()) presets.push_back(preset.name);
  const Json preset = or_param(Json{{"enum", presets}});
  defs["machine"] = {
      {"description", "The simulated machine. On the ideal one, only the work that the script states takes time."},
      {"default", "ideal"},
      {"anyOf",
       Json::array(
           {preset,
            object_of(
                {{"preset", described(preset, "The machine that the other keys change. Default: ideal.")},
                 {"cores", described(core_count(), "CPUs. Default: one for every thread.")},
                 {"speed", described(or_param({{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1024}}),
                                     "Factor on the speed of the CPUs. Default: 1.")},
                 {"startup", described(reference("duration"),
                                       "CPU from the end of the main script to the first turn of the loop.")},
                 {"wakeup",
                  described(reference("duration"), "From an event to the running of the loop's thread that slept.")},
                 {"idleStates",
                  described(list_of(idle_state), "What a core needs to wake up that was idle for longer.")},
                 {"timerSlack",
                  described(reference("duration"),
                            "By how much a sleep outlasts its timeout, as PR_SET_TIMERSLACK. Default: 0.")},
                 {"overhead", described(overhead_object(), "Time that Node itself needs.")},
                 {"gc", described(collection_schema(), "V8's garbage collector, as far as it stops JavaScript.")},
                 {"warmUp", described(warm_up, "Callbacks compute longer before V8 has compiled them.")},
                 {"load",
                  described(load_schema(), "Other programs on the same cores: a share of the time, or more exactly.")},
                 {"scheduler", described(scheduler_schema(), "The scheduler of Linux, in place of the load's policy.")},
                 {"nice", described(nice_value(), "The nice value of the process, under a scheduler. Default: 0.")},
                 {"weight", described(group_weight(),
                                      "The cpu.weight of its cgroup, under a scheduler. Default: it is in none.")},
                 {"quota",
                  described(Json{{"anyOf", Json::array({or_param({{"type", "number"}}), quota})}},
                            "The CPU quota of the process, as in cgroups: a number of CPUs, or quota and period.")},
                 {"steal", described(steal, "Thefts of a core by a hypervisor, under a scheduler.")},
                 {"stalls", described(list_of(stall), "Windows in which the process does not run, in order of time.")},
                 {"clock", described(reference("duration"),
                                     "The offset of the start of the process within a millisecond: below 1ms.")},
                 {"tasks", described(or_param(Json{{"enum", Json::array({"by-time", "drawn"})}}),
                                     "Of a page: which of the ready tasks of several sources is next. Default: "
                                     "by-time.")}})})}};
}

void add_environment(Json& defs) {
  defs["profile"] = or_param({{"enum", profile_names()}});
  defs["runtime"] = {
      {"description", "The version of Node."},
      {"default", default_profile().name},
      {"anyOf",
       Json::array(
           {reference("profile"),
            object_of(
                {{"profile", described(reference("profile"), "The version of Node.")},
                 {"threadpool",
                  described(or_param(whole(1, 1024)), "Threads of the pool, as UV_THREADPOOL_SIZE. Default: 4.")},
                 {"monitorEventLoopDelay",
                  described(or_param(whole(1, 1'000'000)),
                            "perf_hooks.monitorEventLoopDelay() is enabled before the main script, with this "
                            "resolution in ms.")},
                 {"entry", described(or_param(one_of_words(std::array<std::string_view, 2>{"commonjs", "module"})),
                                     "Whether the main script is CommonJS (the default) or an ES module.")}})})}};
  const Json count = or_param({{"type", "integer"}, {"minimum", 1}});
  defs["limits"] = object_of({{"time", described(reference("fixedDuration"), "Virtual time. Default: 1h.")},
                              {"callbacks", described(count, "Callbacks begun. Default: 100000.")},
                              {"steps", described(count, "Steps run. Default: 10000000.")},
                              {"queue", described(count, "Length of any queue. Default: 1000000.")},
                              {"depth", described(count, "Functions that call each other. Default: 10000.")}});
  defs["limits"]["description"] = "Limits that end an endless run.";
}

// docs/scenario-language.md, "Inputs".
void add_inputs(Json& defs) {
  const Json at = described(reference("fixedDuration"), "When, counted from the start of the process.");
  const Json client = described(reference("name"), "The client, named by its `connect`.");
  const Json port = described(or_param(whole(1, 65535)), "A client, another program, connects to this port.");
  const Json signal = described(reference("signal"), "The process gets a signal.");
  const Json name = described(reference("name"), "Names the client.");
  Json process = {
      {"at", described(list_of(reference("fixedDuration")), "When, each time.")},
      {"every", described(reference("duration"), "The time between two arrivals.")},
      {"poisson", described(or_param({{"type", "number"}, {"minimum", 0}, {"maximum", 1'000'000}}),
                            "A Poisson process: the mean number of arrivals in a second.")},
      {"bursts", described(object_of({{"on", reference("duration")}, {"off", reference("duration")}}, {"on", "off"}),
                           "Arrivals only while the source is on.")},
      {"from", described(reference("fixedDuration"), "When it begins. Default: 0.")},
      {"until", described(reference("fixedDuration"), "Nothing arrives then or later.")},
      {"count", described(or_param(whole(1, 1'000'000'000)), "At most so many arrivals.")}};
  Json request = process;
  request["connect"] = port;
  request["as"] = name;
  request["data"] = text("The data that each client sends at once.");
  request["end"] = described(or_param({{"type", "boolean"}}), "Whether it has sent all then. Default: false.");
  request["clients"] = described(or_param(whole(1, 10'000)), "So many clients, each of which comes back.");
  request["think"] = described(reference("duration"), "The time between a client's answer and its next request.");
  process["signal"] = signal;
  Json signals = object_of(std::move(process), {"signal"});
  Json requests = object_of(std::move(request), {"connect"});
  const auto one_of_keys = [](std::initializer_list<const char*> keys) {
    Json any = Json::array();
    for (const char* key : keys) any.push_back({{"required", Json::array({key})}});
    return any;
  };
  signals["anyOf"] = one_of_keys({"at", "every", "poisson"});
  requests["anyOf"] = one_of_keys({"at", "every", "poisson", "clients"});
  const Json target = text("In a browser: the user does this to the element of this selector.");
  const auto does = [&](const char* what) { return object_of({{"at", at}, {what, target}}, {"at", what}); };
  defs["input"] = {
      {"description", "Something that the world outside does."},
      {"anyOf",
       Json::array({object_of({{"at", at}, {"signal", signal}}, {"at", "signal"}),
                    object_of({{"at", at}, {"connect", port}, {"as", name}}, {"at", "connect"}),
                    object_of({{"at", at}, {"write", client}, {"data", text("The data that the client sends.")}},
                              {"at", "write", "data"}),
                    object_of({{"at", at}, {"end", client}}, {"at", "end"}),
                    object_of({{"at", at}, {"destroy", client}}, {"at", "destroy"}), signals, requests, does("click"),
                    does("keydown"), does("focus"), does("scroll")})}};
}

Json expectation_keys() {
  const Json duration = reference("fixedDuration");
  return {
      {"output", described(list_of(Json{{"type", "string"}}), "The exact lines of log.")},
      {"exit",
       described(object_of({{"code", or_param(whole(0, 255))}, {"at", duration}}), "How and when the process ends.")},
      {"order", described(list_of(Json{{"type", "string"}}), "Callbacks by name, in the order in which they begin.")},
      {"times", Json{{"type", "object"},
                     {"additionalProperties", Json{{"anyOf", Json::array({duration, list_of(duration)})}}},
                     {"description",
                      "When callbacks begin: {\"timer\": \"105ms\"}, or a list for one that runs more than once."}}},
      {"limit", described(or_param(one_of_words(
                              std::array<std::string_view, 5>{"time", "callbacks", "steps", "queue", "depth"})),
                          "The limit that must be reached.")},
      {"calls",
       Json{{"anyOf", Json::array({list_of(Json{{"type", "string"}}),
                                   Json{{"type", "object"},
                                        {"propertyNames", Json{{"enum", io_models()}}},
                                        {"additionalProperties", list_of(Json{{"type", "string"}})}}})},
            {"description",
             "Of the runtime io: the system calls, as `run -f calls` writes them; of several models by model."}}}};
}

void add_expectations(Json& defs) {
  const Json runtime = {
      {"type", "string"},
      {"pattern",
       R"(^(all|io|firefox|chrome(-[0-9]+)?|node-[0-9]+(\.\.node-[0-9]+)?|libuv-1\.[0-9]+(\.\.libuv-1\.[0-9]+)?)$)"}};
  Json properties = {
      {"runtime", described(Json{{"anyOf", Json::array({runtime, list_of(runtime), reference("param")})}},
                            "One version, a range \"node-11..node-26\", a list of those, or \"all\".")},
      {"set", Json{{"type", "object"}, {"description", "Values for params."}}}};
  properties.update(expectation_keys());
  defs["case"] = object_of(std::move(properties));
  Json keys = expectation_keys();
  keys["cases"] = described(list_of(reference("case")), "Further expectations for other versions or params.");
  defs["expect"] = described(object_of(std::move(keys)), "The expected results; `loopsim check` verifies them.");
}

Json script_arguments() {
  return described(list_of(or_param({{"type", {"string", "number"}}})),
                   "Of a script in Node: process.argv from the third on, the program's arguments.");
}

Json script_input() {
  const Json bytes = object_of({{"latin1", Json{{"type", "string"}}}}, {"latin1"});
  return described(
      Json{{"anyOf", Json::array({Json{{"type", "string"}}, bytes})}},
      "Of a script in Node: what process.stdin reads, as text, or with a byte for each character. Default: "
      "nothing.");
}

Json script_stubs() {
  return {
      {"type", "object"},
      {"additionalProperties", Json{{"type", "object"}}},
      {"description",
       "Of a script in Node: modules that it gets in place of those of these names, each with what it exports. {} is "
       "an empty one."}};
}

Json script_files() {
  const Json requests = {{"type", "object"},
                         {"propertyNames", Json{{"enum", kFileRequests}}},
                         {"additionalProperties", reference("duration")}};
  const Json takes = {{"anyOf", Json::array({reference("duration"), requests})},
                      {"description", "Of each read and write, or of each request by its name."}};
  const Json file =
      object_of({{"text", text("The contents.")},
                 {"size", Json{{"type", "integer"}, {"minimum", 0}, {"description", "In bytes, without a text."}}},
                 {"takes", takes}});
  return {{"type", "object"},
          {"additionalProperties", Json{{"anyOf", Json::array({Json{{"type", "string"}}, file})}}},
          {"description", "Of a script: the files that it finds, by their paths; with \"/\" at the end a folder."}};
}

Json script_commands() {
  const Json code = {{"type", "integer"}, {"minimum", 0}, {"maximum", 255}};
  const Json command = object_of({{"takes", reference("duration")},
                                  {"stdout", text("What it prints at its end.")},
                                  {"stderr", text("The same, on its standard error.")},
                                  {"code", described(code, "Its exit code. Default: 0.")},
                                  {"signal", text("The name of a signal that it ends by, in place of a code.")}});
  return {{"type", "object"},
          {"additionalProperties", Json{{"anyOf", Json::array({Json{{"type", "string"}}, command})}}},
          {"description",
           "Of a script: what commands do that it starts as child processes, by the command with its arguments, "
           "or by its name alone; a text is what one prints."}};
}

// docs/browser.md.
Json answers() {
  const Json whole = {{"type", "integer"}, {"minimum", 0}, {"maximum", 599}};
  const Json answer =
      object_of({{"text", text("The body.")},
                 {"status", described(whole, "Default: 200. 0: the request fails.")},
                 {"takes", reference("duration")},
                 {"headers", Json{{"type", "object"}, {"additionalProperties", Json{{"type", "string"}}}}}});
  return {{"type", "object"},
          {"additionalProperties", Json{{"anyOf", Json::array({Json{{"type", "string"}}, answer})}}},
          {"description",
           "In a browser: what servers answer, by the URL or the path, with a method before it if that is "
           "not GET: \"POST /data\"."}};
}

// docs/io-models.md.
Json io_model() {
  const auto of_kind = [](const char* kind, Json value, Json more = Json::object()) {
    more[kind] = std::move(value);
    return object_of(std::move(more), {kind});
  };
  const auto words = [](std::initializer_list<const char*> names) {
    Json list = Json::array();
    for (const char* name : names) list.push_back(name);
    return or_param({{"enum", std::move(list)}});
  };
  const Json is_true = Json{{"const", true}};
  Json names = Json::array();
  for (const std::string_view name : io_models()) names.push_back(name);
  names.push_back("multiplex");
  return {{"anyOf",
           Json::array(
               {or_param({{"enum", std::move(names)}}), of_kind("blocking", words({"rounds", "clients"})),
                of_kind("nonblocking", is_true),
                of_kind("multiplex", words({"select", "poll", "epoll"}),
                        {{"trigger", described(words({"level", "edge"}), "Of epoll. Default: level.")},
                         {"events", described(or_param(whole(1, 100'000)),
                                              "Of epoll: entries that epoll_wait() returns at most. Default: 64.")}}),
                of_kind("signal", words({"handler", "queue"}),
                        {{"pending", described(or_param(whole(1, 10'000'000)),
                                               "Of queue: signals that the queue holds. Default: 15000.")}}),
                of_kind("async", is_true), of_kind("threads", is_true)})}};
}

Json io_socket() {
  const Json arrivals = object_of(
      {{"at", described(Json{{"anyOf", Json::array({reference("fixedDuration"), list_of(reference("fixedDuration"))})}},
                        "When, or a list of times.")},
       {"every", described(reference("duration"), "The time between two arrivals.")},
       {"poisson", described(or_param({{"type", "number"}, {"minimum", 0}, {"maximum", 1'000'000}}),
                             "A Poisson process: the mean number of arrivals in a second at one socket.")},
       {"bursts", described(object_of({{"on", reference("duration")}, {"off", reference("duration")}}, {"on", "off"}),
                            "Arrivals only while the source is on.")},
       {"from", described(reference("fixedDuration"), "When it begins. Default: 0.")},
       {"until", described(reference("fixedDuration"), "Nothing arrives then or later.")},
       {"count", described(or_param(whole(1, 1'000'000'000)), "At most so many arrivals.")},
       {"bytes", described(or_param(whole(1, 1'048'576)), "Of each. Default: 100.")}});
  return object_of({{"as", described(reference("name"), "Names the socket; with a count they are NAME1, NAME2 ...")},
                    {"count", described(or_param(whole(1, 100'000)), "So many sockets. Default: 1.")},
                    {"arrivals", described(list_of(arrivals), "What arrives. Missing: an idle connection.")},
                    {"end", described(reference("fixedDuration"), "When the other side ends. Missing: never.")}});
}

Json io_object() {
  const Json preset = or_param({{"enum", Json::array({"linux", "free"})}});
  Json costs = {{"preset", described(preset, "What the other keys change. Default: linux.")}};
  for (const std::string_view cost : io_costs()) costs[std::string(cost)] = reference("duration");
  const Json model = io_model();
  return object_of(
      {{"model", described(Json{{"anyOf", Json::array({model, list_of(model)})}},
                           "How the process learns of data and reads them; a list: processes side by side.")},
       {"sockets", described(Json{{"type", "array"}, {"items", io_socket()}, {"minItems", 1}},
                             "The connections, open from the start.")},
       {"type", described(or_param({{"enum", Json::array({"stream", "datagram"})}}), "Default: stream.")},
       {"buffer", described(or_param(whole(1, 1'048'576)), "Bytes that a read asks for. Default: 4096.")},
       {"work", described(reference("duration"), "CPU after each read that brought bytes. Default: 0.")},
       {"meanwhile",
        described(reference("duration"), "CPU each time that it has looked for data: its other work. Default: 0.")},
       {"costs", described(Json{{"anyOf", Json::array({preset, object_of(std::move(costs))})}},
                           "What system calls cost. Default: linux.")}},
      {"model", "sockets"});
}

Json top_level() {
  const Json a_param = {
      {"anyOf", Json::array({Json{{"type", {"number", "string", "boolean", "null"}}}, reference("distribution")})}};
  const Json seed = {{"anyOf", Json::array({Json{{"type", "integer"}, {"minimum", 0}},
                                            Json{{"type", "string"}, {"pattern", "^[0-9]+$"}}, reference("param")})}};
  const Json function = {
      {"anyOf",
       Json::array({reference("steps"),
                    object_of({{"parameters", described(list_of(reference("name")), "Names of the arguments.")},
                               {"do", reference("steps")}},
                              {"do"})})}};
  return {{"$schema", text("The schema's place, for the editor.")},
          {"title", text("The subject of the scenario, in a few words.")},
          {"description",
           described(Json{{"anyOf", Json::array({Json{{"type", "string"}}, list_of(Json{{"type", "string"}})})}},
                     "For people: a text, or a list of lines.")},
          {"source", text("The origin of the example.")},
          {"runtime", reference("runtime")},
          {"machine", reference("machine")},
          {"params", Json{{"type", "object"},
                          {"propertyNames", reference("name")},
                          {"additionalProperties", a_param},
                          {"description", "Named values; any value in the document may be \"$name\"."}}},
          {"seed", described(seed, "Everything random comes from it: 0 to 18446744073709551615. Default: 0.")},
          {"inputs", described(list_of(reference("input")),
                               "External inputs (clients, signals; in a browser the user's), each with its time.")},
          {"main", described(reference("steps"), "The main script.")},
          {"script", described(Json{{"anyOf", Json::array({Json{{"type", "string"}}, list_of(Json{{"type", "string"}}),
                                                           object_of({{"file", Json{{"type", "string"}}},
                                                                      {"text", Json{{"type", "string"}}}},
                                                                     {"file", "text"})})}},
                               "A program in JavaScript in place of `main`: the name of its file, from the scenario's "
                               "folder, a list of its lines, or its file's name and text.")},
          {"document",
           described(Json{{"anyOf", Json::array({Json{{"type", "string"}}, list_of(Json{{"type", "string"}})})}},
                     "In a browser: the markup of the page's body, or a list of its lines.")},
          {"answers", answers()},
          {"env", Json{{"type", "object"},
                       {"additionalProperties", or_param({{"type", {"string", "number"}}})},
                       {"description", "Of a script: process.env; in a browser the query of the page's address."}}},
          {"arguments", script_arguments()},
          {"stdin", script_input()},
          {"stubs", script_stubs()},
          {"files", script_files()},
          {"commands", script_commands()},
          {"takes", Json{{"type", "object"},
                         {"propertyNames", Json{{"enum", script_work()}}},
                         {"additionalProperties", reference("duration")},
                         {"description", "Of a script: what its work takes, by the module and the operation."}}},
          {"io", described(io_object(),
                           "Of the runtime io: a process that reads sockets by a model of I/O, in place of `main`.")},
          {"functions", Json{{"type", "object"},
                             {"propertyNames", reference("name")},
                             {"additionalProperties", function},
                             {"description", "Named functions."}}},
          {"limits", reference("limits")},
          {"expect", reference("expect")}};
}

}  // namespace

std::string scenario_schema() {
  Json defs = value_fragments();
  defs["selector"] = {{"type", "string"},
                      {"minLength", 1},
                      {"description", "An element, by a CSS selector, or \"window\" or \"document\"."}};
  defs["path"] = {{"type", "string"}, {"minLength", 1}, {"description", "The path of a file or of a Unix socket."}};
  defs["host"] = {{"type", "string"}, {"minLength", 1}, {"description", "A host's name."}};
  defs["url"] = {{"type", "string"}, {"minLength", 1}, {"description", "A URL, or a path of the page's own origin."}};
  defs["nothing"] = {{"type", "null"}, {"description", "null: the function takes nothing."}};
  add_steps(defs);
  add_environment(defs);
  add_machine(defs);
  add_inputs(defs);
  add_expectations(defs);
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "A loopsim scenario"},
      {"description", "A program for the simulated Node, the machine it runs on, and what it is expected to do."}};
  schema.update(object_of(top_level()));
  schema["anyOf"] =
      Json::array({Json{{"required", {"main"}}}, Json{{"required", {"script"}}}, Json{{"required", {"io"}}}});
  schema["$defs"] = std::move(defs);
  return schema.dump(2) + '\n';
}

}  // namespace loopsim

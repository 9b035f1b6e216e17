#include <algorithm>
#include <set>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "loopsim/profile.hpp"

#include "tests/unit/scenario_support.hpp"

using namespace loopsim;
using namespace front_end;

namespace {

Scenario good(std::string text, const ReadOptions& options = {}) {
  ReadResult result = read(std::move(text), options);
  for (const Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_string(diagnostic));
  REQUIRE(result.scenario.has_value());
  return std::move(*result.scenario);
}

const Step& first_step(const Scenario& scenario) { return scenario.bodies[0].steps[0]; }

}  // namespace

TEST_CASE("the verb table agrees with itself", "[scenario][verbs]") {
  std::set<std::string_view> names;
  for (const VerbInfo& verb : verb_table()) {
    INFO(verb.name);
    CHECK(names.insert(verb.name).second);
    CHECK(&info(verb.verb) == &verb);
    CHECK(find_verb(verb.name) == &verb);
    CHECK(verb.help.ends_with('.'));
    CHECK((!verb.words.empty() || verb.kind != ArgumentKind::operation));
    for (const OptionInfo& option : verb.options) {
      CHECK(option.name == to_string(option.key));
      CHECK(option.help.ends_with('.'));
    }
  }
  CHECK(find_verb("jump") == nullptr);
}

TEST_CASE("every verb's example is a step that it describes", "[scenario][verbs]") {
  for (const VerbInfo& verb : verb_table()) {
    INFO(verb.example);
    if (verb.family == Family::libuv) {
      const Scenario scenario =
          good(R"({"runtime": "libuv-1.52", "main": [{"set": {"h": 1, "t": 1, "a": 1, "r": 1, "s": 1,
                   "p": 1, "b": 1, "c": 1, "server": 1, "client": 1, "child": 1}}, )" +
               std::string(verb.example) + "]}");
      CHECK(scenario.bodies[0].steps[1].verb == verb.verb);
      continue;
    }
    if (verb.family == Family::browser) {
      const Scenario scenario = good(R"({"runtime": "chrome", "main": [)" + std::string(verb.example) + "]}");
      CHECK(scenario.bodies[0].steps[0].verb == verb.verb);
      continue;
    }
    // Declares the names that the examples use.
    const std::string around =
        R"({"mark": "m"}, {"set": {"x": 1, "t": 1, "p": 1, "q": 1, "e": 1, "server": 1, "socket": 1}}, {"async": [)" +
        std::string(verb.example) + "]}";
    const Scenario scenario = good(document(around, R"(, "functions": {"f": {"parameters": ["a"], "do": []}})"));
    const auto body = std::find_if(scenario.bodies.begin(), scenario.bodies.end(),
                                   [](const Body& candidate) { return candidate.kind == Body::Kind::callback; });
    REQUIRE(body != scenario.bodies.end());
    CHECK(body->steps[0].verb == verb.verb);
  }
}

TEST_CASE("a verb of another runtime is refused", "[scenario][verbs]") {
  CHECK(problems(R"({"runtime": "libuv-1.52", "main": [{"setTimeout": 1, "do": []}]})") ==
        "/main/0/setTimeout: \"setTimeout\" is Node's, and the runtime is libuv-1.52; libuv has uv_timer_start\n");
  CHECK(problems(R"({"main": [{"uv_run": "UV_RUN_DEFAULT"}]})") ==
        "/main/0/uv_run: \"uv_run\" is a function of libuv, for programs without Node: \"runtime\": \"libuv-1.52\"; "
        "the runtime is node-24\n");
  CHECK(
      problems(
          R"({"runtime": "libuv-1.34", "main": [{"uv_timer_init": "t"}, {"uv_timer_get_due_in": "t", "as": "x"}]})") ==
      "/main/1/uv_timer_get_due_in: \"uv_timer_get_due_in\" needs libuv 1.40 or later; the runtime is libuv-1.34\n");
  CHECK(problems(R"({"runtime": "libuv-1.52", "main": [{"let": {"n": 1}}, {"uv_timer_init": "t"},
    {"uv_timer_start": "t", "do": [{"log": "{n}"}]}]})") ==
        "/main/0/let/n: \"n\" is local, and a callback inside uses it: C has no closures; \"set\" makes a variable of "
        "the "
        "program\n");
}

TEST_CASE("the example of the language page is read as it says", "[scenario][reader]") {
  const Scenario scenario = good(R"({
    "$schema": "../scenario.schema.json", "title": "A 100 ms timer that fires at 105 ms", "source": "Node.js docs", "runtime": "node-24",
    "main": [
      { "mark": "scheduled" },
      { "setTimeout": 100, "as": "timer", "do": [ { "log": "{since scheduled}ms have passed since I was scheduled" } ] },
      { "fs": "read", "as": "someAsyncOperation", "takes": "95ms", "do": [ { "spin": "10ms" } ] }
    ],
    "expect": { "output": [ "105ms have passed since I was scheduled" ], "exit": { "code": 0, "at": "105ms" } } })");
  CHECK(scenario.title == "A 100 ms timer that fires at 105 ms");
  CHECK(scenario.runtime.profile == "node-24");
  REQUIRE(scenario.bodies.size() == 3);
  CHECK(scenario.bodies[0].name == "main");
  CHECK(scenario.bodies[1].name == "timer");
  CHECK(scenario.bodies[2].name == "someAsyncOperation");
  CHECK(scenario.bodies[2].parameters.empty());  // nothing uses `error`
  const Step& timer = scenario.bodies[0].steps[1];
  CHECK(timer.line == 5);
  CHECK(std::get<Value>(timer.argument).number == 100);
  CHECK(std::get<Callback>(*timer.find(Key::do_)).body == 1);
  CHECK(timer.find(Key::with) == nullptr);
  const auto& read_step = scenario.bodies[0].steps[2];
  CHECK(std::get<RequestTimes>(*read_step.find(Key::takes)).each[0]->a == 95 * kMillisecond);
  CHECK(std::holds_alternative<std::string_view>(*read_step.find(Key::as)));
  REQUIRE(scenario.expectation);
  CHECK(scenario.expectation->exit_at == 105 * kMillisecond);
  CHECK(scenario.place(timer.node).pointer == "/main/1");
}

TEST_CASE("a scenario has defaults", "[scenario][reader]") {
  const Scenario scenario = good(document(""));
  CHECK(scenario.runtime.profile == "node-24");
  CHECK(scenario.runtime.threadpool == 4);
  CHECK(scenario.machine.name == "ideal");
  CHECK(scenario.seed == 0);
  CHECK(scenario.limits.time == 3600 * kSecond);
  CHECK_FALSE(scenario.expectation);
  CHECK(scenario.bodies.size() == 1);
}

TEST_CASE("seeds have 64 bits", "[scenario][reader]") {
  CHECK(good(document("", R"(, "seed": 18446744073709551615)")).seed == UINT64_MAX);
  CHECK(good(document("", R"(, "seed": "18446744073709551615")")).seed == UINT64_MAX);
  ReadOptions options;
  options.seed = 7;
  CHECK(good(document("", R"(, "seed": 1)"), options).seed == 7);
}

TEST_CASE("a key that is an option of another verb in the step is no verb there", "[scenario][reader]") {
  CHECK(first_step(good(document(R"({"then": [{"log": 1}], "if": ["x", "==", 1]}, {"set": {"x": 1}})"))).verb ==
        Verb::if_);
  CHECK(first_step(good(document(R"({"cpu": "1ms", "crypto": "scrypt", "do": []})"))).verb == Verb::crypto);
  CHECK(first_step(good(document(R"({"then": null, "finally": []})"))).verb == Verb::then);
}

TEST_CASE("an operation that stands as a verb is shown in its step, an event's name is not", "[scenario][reader]") {
  CHECK(problems(document(R"({"gunzip": 1})")) ==
        "/main/0/gunzip: there is no verb \"gunzip\"; write {\"zlib\": \"gunzip\"}\n");
  for (const char* event : {"ready", "finish", "drain"})
    CHECK(problems(document(R"({")" + std::string(event) + R"(": 1})")) ==
          "/main/0/" + std::string(event) + ": there is no verb \"" + event +
              "\"; `loopsim list verbs` shows them all\n");
}

TEST_CASE("options stand in the order of the table", "[scenario][reader]") {
  const Scenario scenario = good(document(R"({"with": 1, "as": "t", "do": [], "setTimeout": 5})"));
  const Step& step = first_step(scenario);
  REQUIRE(step.options.size() == 3);
  CHECK(step.options[0].key == Key::do_);
  CHECK(step.options[1].key == Key::as);
  CHECK(step.options[2].key == Key::with);
}

TEST_CASE("values in a document", "[scenario][reader]") {
  const Scenario scenario = good(document(
      R"({"set": {"a": "{a}", "b": "{{a}} {a}", "c": "{undefined}",
             "d": {"error": "no {a}", "name": "TypeError", "code": "E"},
             "e": "{now}", "f": ""}})"));
  const auto& set = std::get<List<Assignment>>(first_step(scenario).argument);
  CHECK(set[0].value.kind == Value::Kind::variable);
  REQUIRE(set[1].value.parts.size() == 2);
  CHECK(set[1].value.parts[0].text() == "{a} ");
  CHECK(set[1].value.parts[1].name.declaration == set[0].target.declaration);
  CHECK(set[2].value.kind == Value::Kind::undefined);
  CHECK(set[3].value.error->name == "TypeError");
  CHECK(set[3].value.error->message[1].name.declaration == set[0].target.declaration);
  CHECK(set[4].value.kind == Value::Kind::text);
  CHECK(set[5].value.parts.empty());
}

TEST_CASE("delays are values as odd as Node takes them, or distributions", "[scenario][reader]") {
  for (const std::string odd : {"\"50\"", "\"NaN\"", "-1", "1.9", "null", "2147483648", "true", "\"\"", "\"abc\""}) {
    INFO(odd);
    CHECK(problems(document(R"({"setTimeout": )" + odd + R"(, "do": []})")).empty());
  }
  const Scenario scenario = good(document(R"({"setTimeout": {"uniform": ["1ms", 2]}, "do": []})"));
  const auto& drawn = *std::get<const Duration*>(first_step(scenario).argument);
  CHECK(drawn.kind == Duration::Kind::uniform);
  CHECK(drawn.b == 2 * kMillisecond);
}

TEST_CASE("random durations have streams of their own, in order of reading", "[scenario][reader]") {
  const Scenario scenario =
      good(document(R"({"cpu": "$d"}, {"cpu": 1}, {"spin": "$d"})", R"(, "params": {"d": {"exponential": 1}})"));
  const auto& steps = scenario.bodies[0].steps;
  CHECK(std::get<const Duration*>(steps[0].argument)->stream == 0);
  CHECK(std::get<const Duration*>(steps[2].argument)->stream == 1);
}

TEST_CASE("times of requests", "[scenario][reader]") {
  const auto times = [](const std::string& step) {
    const Scenario scenario = good(document(step));
    std::vector<TimeNs> list;
    for (const Duration* each : std::get<RequestTimes>(*first_step(scenario).find(Key::takes)).each)
      list.push_back(each->a / kMillisecond);
    return list;
  };
  CHECK(times(R"({"fs": "readFile", "takes": 5, "do": []})") == std::vector<TimeNs>{0, 0, 5, 0});
  CHECK(times(R"({"fs": "writeFile", "takes": 5, "do": []})") == std::vector<TimeNs>{0, 5, 0});
  CHECK(times(R"({"fs": "readFile", "takes": {"close": 1, "open": 2}, "do": []})") == std::vector<TimeNs>{2, 0, 0, 1});
  CHECK(times(R"({"fs": "stat", "takes": 3, "do": []})") == std::vector<TimeNs>{3});
}

TEST_CASE("callbacks have names", "[scenario][reader]") {
  const Scenario scenario = good(R"({"main": [
    {"setTimeout": 1, "do": []},
    {"then": null, "do": [], "catch": [], "as": "q"},
    {"then": "q", "rejected": [], "as": "r"},
    {"then": "r", "do": [], "rejected": [], "catch": [], "finally": []},
    {"setTimeout": 1, "do": "f"}, {"setTimeout": 1, "do": "f", "as": "g"}, {"nextTick": []},
    {"promise": "p", "do": []}], "functions": {"f": []}})");
  std::vector<std::string> names;
  for (const Body& body : scenario.bodies) names.emplace_back(body.name);
  CHECK(names == std::vector<std::string>{"main", "f", "setTimeout@2", "q", "q.catch", "r", "then@5", "rejected@5",
                                          "catch@5", "finally@5", "nextTick@6", "promise@7"});
  // callback_label() has the rule for all of them.
  for (const Step& step : scenario.bodies[0].steps) {
    for (const Option& option : step.options) {
      const auto* callback = std::get_if<Callback>(&option.value);
      if (callback != nullptr && !callback->by_name)
        CHECK(callback_label(scenario, step, option.key) == scenario.bodies[callback->body].name);
    }
  }
  CHECK(callback_label(scenario, scenario.bodies[0].steps[4], Key::do_) == "f");
  CHECK(callback_label(scenario, scenario.bodies[0].steps[5], Key::do_) == "g");
  CHECK(callback_label(scenario, scenario.bodies[0].steps[6], Key::do_) == "nextTick@6");
}

TEST_CASE("callbacks whose names the line alone would not tell apart have the column as well", "[scenario][reader]") {
  const Scenario scenario = good(R"({"main": [
    {"then": null, "as": "p", "do": []}, {"then": "p", "do": []}, {"then": "p", "do": [], "catch": []}, {"nextTick": []},
    {"then": "p", "do": []},
    {"await": {"setTimeout": 1}}, {"await": {"setTimeout": 2}},
    {"listen": 80, "on": {"close": []}}, {"listen": 81, "on": {"close": [], "listening": "f"}}],
    "functions": {"f": []}, "runtime": {"entry": "module"}})");
  std::vector<std::string> names;
  for (const Body& body : scenario.bodies) names.emplace_back(body.name);
  CHECK(names == std::vector<std::string>{"main", "f", "p", "then@2:42", "then@2:67", "catch@2", "nextTick@2", "then@3",
                                          "close@5:5", "close@5:42"});
  const auto steps = scenario.bodies[0].steps;
  CHECK(callback_label(scenario, steps[1], Key::do_) == "then@2:42");
  CHECK(callback_label(scenario, steps[2], Key::catch_) == "catch@2");
  CHECK(callback_label(scenario, *std::get<Awaitable>(steps[5].argument).step, Key::do_) == "setTimeout@4:15");
  CHECK(callback_label(scenario, *std::get<Awaitable>(steps[6].argument).step, Key::do_) == "setTimeout@4:45");
  const auto& listeners = std::get<List<EventListener>>(*steps[8].find(Key::on));
  CHECK(listener_label(scenario, steps[8], *listeners.begin()) == "close@5:42");
}

TEST_CASE("an expectation with a name that several callbacks of a line would have is told their names",
          "[scenario][reader]") {
  CHECK(
      problems(R"({"main": [{"then": null, "do": []}, {"then": null, "do": []}], "expect": {"order": ["then@1"]}})") ==
      "/expect/order/0: \"then@1\" may be any of then@1:11, then@1:37: they begin in one line, and have the column in "
      "their names [then@1:11]\n");
  CHECK(problems(R"({"main": [{"then": null, "do": []}, {"then": null, "do": []}],
                     "expect": {"order": ["then@1:11", "then@1:37"], "times": {"then@1:37": "0ms"}}})") == "");
}

TEST_CASE("what makes a function async", "[scenario][reader]") {
  const Scenario scenario = good(document(
      R"({"call": "f"}, {"async": "g"}, {"async": []},
                 {"setTimeout": 1, "do": [{"if": "x", "then": [{"await": null}]}]}, {"set": {"x": 1}})",
      R"(, "functions": {"f": [{"setTimeout": 1, "do": [{"await": null}]}], "g": []})"));
  CHECK_FALSE(scenario.bodies[0].is_async);
  CHECK_FALSE(scenario.bodies[1].is_async);  // f: the await is in another callback
  CHECK(scenario.bodies[2].is_async);        // g: an async step starts it
  CHECK(scenario.bodies[3].is_async);
  CHECK(scenario.bodies[4].is_async);
  CHECK(scenario.bodies[5].is_async);
  CHECK(good(document(R"({"await": null})", R"(, "runtime": {"entry": "module"})")).bodies[0].is_async);
}

TEST_CASE("promisified steps", "[scenario][reader]") {
  const Scenario scenario = good(document(
      R"({"async": [{"await": {"setImmediate": null, "as": "x"}}, {"await": {"fs": "stat"}},
                 {"return": {"then": "p", "do": []}}]}, {"promise": "p"})"));
  const Block& steps = scenario.bodies[1].steps;
  const Step& immediate = *std::get<Awaitable>(steps[0].argument).step;
  CHECK(std::holds_alternative<std::monostate>(immediate.argument));
  CHECK(std::get<std::string_view>(*immediate.find(Key::as)) == "x");
  CHECK(std::get<Awaitable>(steps[2].argument).step->verb == Verb::then);
}

TEST_CASE("verbs that the runtime does not have yet", "[scenario][reader]") {
  ReadOptions options;
  options.runtime = "node-10";
  CHECK(problems(document(R"({"queueMicrotask": []})"), options) ==
        "/main/0/queueMicrotask: \"queueMicrotask\" needs Node 11 or later; the runtime is node-10\n");
  options.runtime = "node-11";
  CHECK(problems(document(R"({"queueMicrotask": []})"), options).empty());
  options.runtime = "node-25";
  CHECK(problems(document(""), options) == ": --runtime: there is no runtime \"node-25\" [node-24]\n");
}

TEST_CASE("expectations and their cases", "[scenario][reader]") {
  const Scenario scenario = good(
      document(R"({"setTimeout": "$wait", "do": [], "as": "t"})",
               R"(, "params": {"wait": 5}, "expect": {"order": ["main", "t"], "times": {"t": ["5ms", 6]}, "cases": [
          {"runtime": ["node-4", "node-22..node-26"], "exit": {"code": 0}}, {"runtime": "all"},
                 {"set": {"wait": 10}, "limit": "time"}]})"));
  CHECK(scenario.expectation->order == std::vector<std::string>{"main", "t"});
  CHECK(scenario.expectation->times.at(0).second == std::vector<TimeNs>{5 * kMillisecond, 6 * kMillisecond});
  REQUIRE(scenario.cases.size() == 3);
  CHECK(scenario.cases[0].runtimes == std::vector<std::string>{"node-4", "node-22", "node-24", "node-26"});
  CHECK(scenario.cases[0].expectation.exit_code == 0);
  CHECK(scenario.cases[1].runtimes.size() == profiles().size());
  CHECK(scenario.cases[2].overrides.at(0) == std::pair<std::string, std::string>("wait", "10"));
  CHECK(scenario.cases[2].expectation.limit == "time");
  CHECK_FALSE(good(document("", R"(, "expect": {"cases": [{"runtime": "all"}]})")).expectation);
}

TEST_CASE("all problems are reported, in the order of the document", "[scenario][reader]") {
  const ReadResult result =
      read("{\"seed\": -1,\n\"main\": [{\"cpu\": \"x\"},\n{\"lgo\": 1}],\n\"functions\": {\"f\": [{}]}}");
  CHECK_FALSE(result.scenario);
  REQUIRE(result.diagnostics.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(result.diagnostics[i].line == i + 1);
}

// ---- params and the command line ------------------------------------------------------------------------------------------------

TEST_CASE("params stand for any value", "[scenario][params]") {
  const std::string text = document(R"({"cpu": "$time"}, {"log": "$text"}, {"log": "$$text"}, {"exit": "$code"})",
                                    R"(, "params": {"time": "1.50ms", "text": "a{{", "code": 3}, "title": "$text")");
  const Scenario scenario = good(text);
  CHECK(std::get<const Duration*>(scenario.bodies[0].steps[0].argument)->a == 1'500'000);
  CHECK(std::get<List<Value>>(scenario.bodies[0].steps[1].argument)[0].parts[0].text() == "a{");
  CHECK(std::get<List<Value>>(scenario.bodies[0].steps[2].argument)[0].parts[0].text() == "$text");
  CHECK(scenario.title == "a{{");
  CHECK(scenario.params ==
        std::vector<std::pair<std::string, std::string>>{{"time", "\"1.50ms\""}, {"text", "\"a{{\""}, {"code", "3"}});
}

TEST_CASE("the option --set changes params and places", "[scenario][params]") {
  const std::string text =
      document(R"({"cpu": "$time"}, {"setTimeout": 5, "do": []})", R"(, "params": {"time": 1}, "machine": {})");
  const auto with = [](std::string name, std::string value) {
    ReadOptions options;
    options.overrides.emplace_back(std::move(name), std::move(value));
    return options;
  };
  const auto cpu = [](const Scenario& scenario) {
    return std::get<const Duration*>(scenario.bodies[0].steps[0].argument)->a;
  };
  CHECK(cpu(good(text, with("time", "7"))) == 7 * kMillisecond);
  CHECK(cpu(good(text, with("time", "7us"))) == 7 * kMicrosecond);  // not JSON, so a text
  CHECK(good(text, with("time", "7us")).params.at(0).second == "\"7us\"");
  CHECK(cpu(good(text, with("/main/0/cpu", "\"2s\""))) == 2 * kSecond);
  CHECK(good(text, with("/machine/startup", "3")).machine.startup.a == 3 * kMillisecond);
  CHECK(good(text, with("/seed", "9")).seed == 9);
  CHECK(good(text, with("/main", "[]")).bodies[0].steps.empty());
  CHECK(std::get<const Duration*>(good(text, with("time", R"({"uniform": [1, 2]})")).bodies[0].steps[0].argument)->b ==
        2 * kMillisecond);
}

TEST_CASE("the option --set makes the place that it names", "[scenario][params]") {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  const auto with = [](std::string_view more, Settings settings) {
    ReadOptions options;
    options.overrides = std::move(settings);
    return good(document(R"({"setTimeout": 5, "do": []})", more), options);
  };
  SECTION("with all that is missing above it") {
    const Scenario scenario = with("", {{"/machine/load", "0.5"}, {"/runtime/threadpool", "2"}, {"/limits/time", "3"}});
    CHECK(scenario.machine.load.kind == LoadSpec::Kind::bursts);
    CHECK(scenario.machine.cores == 1);
    CHECK(scenario.runtime.threadpool == 2);
    CHECK(scenario.limits.time == 3 * kMillisecond);
    CHECK(with("", {{"/machine/overhead/turn", "2us"}}).machine.overhead.turn.a == 2 * kMicrosecond);
    CHECK(with("", {{"/expect/exit/code", "3"}}).expectation->exit_code == 3);
    CHECK(with("", {{"/params/x", "3"}}).params == Settings{{"x", "3"}});
  }
  SECTION("in what is written short") {
    const Scenario laptop = with(R"(, "machine": "laptop")", {{"/machine/load", "0.5"}});
    CHECK(laptop.machine.load.kind == LoadSpec::Kind::bursts);
    CHECK(laptop.machine.cores == 8);
    CHECK(laptop.machine.wakeup.a == 100 * kMicrosecond);
    const Scenario version = with(R"(, "runtime": "node-10")", {{"/runtime/threadpool", "2"}});
    CHECK(version.runtime.profile == "node-10");
    CHECK(version.runtime.threadpool == 2);
    const Scenario threads = with(R"(, "machine": {"load": 0.25})", {{"/machine/load/threads", "7"}});
    CHECK(threads.machine.load.threads == 7);
    CHECK(threads.machine.load.idle.a == 9 * kMillisecond);  // with the usual burst of 3 ms
    const std::string_view params =
        R"(, "params": {"m": "busy", "v": "node-8", "l": 0.25}, "machine": "$m", "runtime": "$v")";
    CHECK(with(params, {{"/machine/load", "\"$l\""}, {"/machine/load/burst", "1"}}).machine.load.idle.a ==
          3 * kMillisecond);
    CHECK(with(params, {{"/runtime/threadpool", "2"}, {"/machine/load", "\"$l\""}}).runtime.profile == "node-8");
  }
  SECTION("at the end of a list") {
    const Scenario stalls = with("", {{"/machine/stalls/0/at", "1"},
                                      {"/machine/stalls/0/for", "2"},
                                      {"/machine/stalls/1", R"({"at": 5, "for": 6})"}});
    REQUIRE(stalls.machine.stalls.size() == 2);
    CHECK(stalls.machine.stalls[0].length == 2 * kMillisecond);
    CHECK(stalls.machine.stalls[1].length == 6 * kMillisecond);
    CHECK(with("", {{"/main/1/cpu", "5"}}).bodies[0].steps.size() == 2);
    const Scenario steps = with("", {{"/main/0/do/0/log", "x"}, {"/main/1/setImmediate/0/log", "y"}});
    REQUIRE(steps.bodies.size() == 3);
    CHECK(steps.bodies[1].steps.size() == 1);
    CHECK(steps.bodies[2].steps.size() == 1);
  }
}

TEST_CASE("the policy of a load takes the place of a preset's scheduler", "[scenario]") {
  const auto machine = [](std::string_view load) {
    return good(document("", fmt::format(R"(, "machine": {{"preset": "busy", {}}})", load))).machine;
  };
  CHECK(machine(R"("speed": 2)").scheduler.policy == SchedulerSpec::Policy::eevdf);
  const auto fair = machine(R"("load": {"share": 0.5, "policy": "fair"})");
  CHECK(fair.scheduler.policy == SchedulerSpec::Policy::sharing);
  CHECK(fair.load.policy == LoadSpec::Policy::fair);
  CHECK(machine(R"("load": {"share": 0.5, "policy": "preempt"})").load.policy == LoadSpec::Policy::preempt);
  const auto cfs = machine(R"("load": {"share": 0.5, "policy": "cfs"})").scheduler;
  CHECK(cfs.policy == SchedulerSpec::Policy::cfs);
  CHECK(cfs.newidle_ppm == 1'000'000);  // nothing is left of the preset's
}

TEST_CASE("what stands above is laid first, in whichever order it is given", "[scenario][params]") {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  const auto machine = [](Settings settings) {
    ReadOptions options;
    options.overrides = std::move(settings);
    return good(document("", R"(, "machine": {"cores": 3})"), options).machine;
  };
  const Settings settings = {{"/machine", "laptop"}, {"/machine/load", "0.25"}, {"/machine/load/threads", "7"}};
  std::vector<std::size_t> order = {0, 1, 2};
  do {
    const MachineSpec laid = machine({settings[order[0]], settings[order[1]], settings[order[2]]});
    CHECK(laid.cores == 8);
    CHECK(laid.load.idle.a == 9 * kMillisecond);
    CHECK(laid.load.threads == 7);
  } while (std::ranges::next_permutation(order).found);
  CHECK(machine({{"/machine", "laptop"}, {"/machine", "server"}}).cores == 16);  // the last of two for one place
  CHECK(machine({{"/machine", "laptop"}, {"/machine/speed", "2"}, {"/machine", "server"}}).cores == 16);
  CHECK(machine({{"/machine", "laptop"}, {"/machine/cores", "2"}, {"/machine/cores", "4"}}).cores == 4);
}

TEST_CASE("a wrong --set is answered", "[scenario][params]") {
  const std::string text = document(R"({"cpu": "$time"})", R"(, "params": {"time": 1})");
  const auto said = [&](std::string name, std::string value) {
    ReadOptions options;
    options.overrides.emplace_back(std::move(name), std::move(value));
    return problems(text, options);
  };
  CHECK(said("tiem", "5") == ": tiem=5: the document has no param \"tiem\" [time]\n");
  CHECK(said("wholly", "5") == ": wholly=5: the document has no param \"wholly\"; it has time\n");
  CHECK(
      said("/main/3/cpu", "5") ==
      ": /main/3/cpu=5: the document has no place /main/3/cpu; the list /main ends with /main/0, and a new item would "
      "be /main/1\n");
  CHECK(said("/main/last", "{}") ==
        ": /main/last={}: the document has no place /main/last; the list /main ends with /main/0, and a new item would "
        "be /main/1\n");
  CHECK(said("/inputs/1/at", "5") ==
        ": /inputs/1/at=5: the document has no place /inputs/1/at; the list /inputs is empty, and its first item would "
        "be /inputs/0\n");
  CHECK(said("/main/0/cpu/x", "5") ==
        ": /main/0/cpu/x=5: the document has no place /main/0/cpu/x; /main/0/cpu is the text \"$time\", which has no "
        "keys\n");
  CHECK(said("/machnie/load", "0.5") == "/machnie: a scenario has no key \"machnie\" [machine]\n");
  CHECK(said("/machine/laod/share", "0.5") == "/machine/laod: a machine has no key \"laod\" [load]\n");
  CHECK(said("/runtime/profile/threads", "5") ==
        "/runtime/profile: expected a version of Node such as \"node-24\", found an object\n");
  CHECK(said("/seed/x", "5") ==
        "/seed: expected a seed, a whole number from 0 to 18446744073709551615, found an object\n");
  CHECK(
      said("/params/a~1b~0c", "1") ==
      "/params/a~1b~0c: \"a/b~c\" is no name; a name has letters, digits, _ and $, and does not begin with a digit\n");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "/a";
  CHECK(said(deep, "5") == ": " + deep + ": values cannot be nested more than 200 deep\n");
  CHECK(said("/main", R"([{"cpu": 1}, {"setTimeot": 5}])") ==
        "/main/1/setTimeot: there is no verb \"setTimeot\" [setTimeout]\n");
  CHECK(said("/main/0/cpu", "-5") == "/main/0/cpu: a duration cannot be negative, found -5\n");
  CHECK(said("time", "true").find("found true") != std::string::npos);
  CHECK(said("time", std::string("\xFF")).find("neither JSON nor a plain text") != std::string::npos);
}

TEST_CASE("a param that nothing uses is warned about", "[scenario][params]") {
  const ReadResult result = read(document("", R"(, "params": {"x": 1})"));
  CHECK(result.scenario);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].severity == Diagnostic::Severity::warning);
}

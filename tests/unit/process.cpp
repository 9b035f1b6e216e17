// Programs of C++ functions (loopsim/process.hpp). Each program here is also written as a scenario, and both have the
// same callbacks at the same times in every version.
#include "loopsim/process.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "loopsim/profile.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

using namespace std::chrono_literals;
using loopsim::Process;

namespace {

Process::Work request(const char* operation, Process::Duration duration, const char* error = "") {
  Process::Work work;
  work.operation = operation;
  work.duration = duration;
  work.error = error;
  return work;
}

struct Seen {
  std::vector<std::string> callbacks;  // "name@time"
  std::uint64_t turns = 0;
  std::int64_t exit_code = 0;
  loopsim::TimeNs end = 0;
  bool operator==(const Seen&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  for (const std::string& callback : seen.callbacks) out << callback << ' ';
  return out << "| " << seen.turns << " turns, exit " << seen.exit_code << " at " << seen.end;
}

Seen seen_by(const loopsim::Recorder& recorder, const loopsim::RunSummary& summary) {
  Seen seen{{}, summary.turns, summary.exit_code, summary.end_time};
  for (const auto& [name, at] : recorder.recording().callbacks)
    seen.callbacks.push_back(fmt::format("{}@{}", name, at));
  return seen;
}

Seen run_scenario(const std::string& text, const std::string& runtime) {
  loopsim::ReadOptions options;
  options.runtime = runtime;
  const loopsim::ReadResult read = loopsim::read_scenario(text, "test.json", options);
  for (const loopsim::Diagnostic& problem : read.diagnostics) FAIL(to_string(problem));
  const loopsim::CompileResult compiled = loopsim::compile(*read.scenario);
  const auto recorder = loopsim::make_recorder();
  loopsim::TraceSink* const sinks[] = {recorder.get()};
  return seen_by(*recorder, loopsim::run(*compiled.program, sinks));
}

// Keeps the names of the promises that a trace tells as settled.
class Settled : public loopsim::TraceSink {
 public:
  void begin(const loopsim::RunInfo& info) override { names_ = {info.names.begin(), info.names.end()}; }
  void events(const loopsim::EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const loopsim::Event& event : batch.events) {
      if (event.kind == loopsim::EventKind::settle)
        settled.push_back(event.name == loopsim::kNoName ? "" : names_[event.name]);
    }
  }
  void end(const loopsim::RunSummary& /*summary*/) override {}
  std::vector<std::string> settled;

 private:
  std::vector<std::string> names_;
};

template <typename Main>
Seen run_process(const std::string& runtime, Main main) {
  loopsim::ProcessOptions options;
  options.runtime = runtime;
  Process process(options);
  const auto recorder = loopsim::make_recorder();
  loopsim::TraceSink* const sinks[] = {recorder.get()};
  const loopsim::RunSummary summary = process.run([&] { main(process); }, sinks);
  return seen_by(*recorder, summary);
}

template <typename Main>
void check_in_all_versions(const std::string& text, Main main) {
  for (const loopsim::Profile& profile : loopsim::profiles()) {
    CAPTURE(profile.name);
    CHECK(run_process(std::string(profile.name), main) == run_scenario(text, std::string(profile.name)));
  }
}

}  // namespace

TEST_CASE("process: timers, immediates, ticks and microtasks are called as a scenario's are", "[process]") {
  check_in_all_versions(R"({"main":[
      {"setTimeout":2,"as":"late","do":[{"cpu":"3ms"},{"nextTick":[],"as":"tick_of_late"}]},
      {"setTimeout":2,"as":"later","do":[{"setImmediate":[],"as":"immediate_of_later"}]},
      {"setTimeout":0,"as":"first","do":[{"nextTick":[{"then":null,"as":"job","do":[]}],"as":"tick"},
        {"setTimeout":0,"as":"again","do":[]}]},
      {"setImmediate":[{"nextTick":[],"as":"tick_2"}],"as":"immediate"},
      {"nextTick":[],"as":"first_tick"}]})",
                        [](Process& process) {
                          process.set_timeout(
                              2ms,
                              [&] {
                                process.compute(3ms);
                                process.next_tick({}, "tick_of_late");
                              },
                              "late");
                          process.set_timeout(
                              2ms, [&] { process.set_immediate({}, "immediate_of_later"); }, "later");
                          process.set_timeout(
                              0ms,
                              [&] {
                                process.next_tick(
                                    [&] {
                                      auto promise = process.make_promise();
                                      promise.resolve();
                                      promise.then([] {}, "job");
                                    },
                                    "tick");
                                process.set_timeout(0ms, {}, "again");
                              },
                              "first");
                          process.set_immediate([&] { process.next_tick({}, "tick_2"); }, "immediate");
                          process.next_tick({}, "first_tick");
                        });
}

TEST_CASE("process: intervals are cleared and unref'd, timers refreshed", "[process]") {
  check_in_all_versions(R"({"main":[
      {"set":{"n":0}},
      {"setInterval":3,"as":"interval","do":[{"add":{"n":1}},{"if":["n",">=",3],"then":[{"clear":"interval"}]},{"cpu":"1ms"}]},
      {"setInterval":4,"as":"alone","do":[]},{"unref":"alone"},
      {"setTimeout":5,"as":"other","do":[]}]})",
                        [](Process& process) {
                          auto n = std::make_shared<int>(0);
                          auto interval = std::make_shared<std::vector<Process::Timer>>();
                          interval->push_back(process.set_interval(
                              3ms,
                              [&process, n, interval] {
                                if (++*n >= 3) interval->front().clear();
                                process.compute(1ms);
                              },
                              "interval"));
                          auto alone = process.set_interval(4ms, {}, "alone");
                          alone.unref();
                          process.set_timeout(5ms, {}, "other");
                        });
}

TEST_CASE("process: requests of the pool, and one that fails", "[process]") {
  check_in_all_versions(R"({"main":[
      {"fs":"stat","takes":"4ms","as":"stat","do":[{"setImmediate":[],"as":"after"}]},
      {"fs":"open","takes":"2ms","error":"ENOENT","as":"open","do":[{"if":"error","then":[{"nextTick":[],"as":"no_such_file"}]}]}]})",
                        [](Process& process) {
                          process.start_work(
                              request("stat", 4ms), [&](const loopsim::Error*) { process.set_immediate({}, "after"); },
                              "stat");
                          process.start_work(
                              request("open", 2ms, "ENOENT"),
                              [&](const loopsim::Error* error) {
                                if (error != nullptr && error->code == "ENOENT") process.next_tick({}, "no_such_file");
                              },
                              "open");
                        });
}

TEST_CASE("process: promises, and what nobody handles", "[process]") {
  check_in_all_versions(R"({"main":[
      {"promise":"a","do":[{"reject":"a","error":"late"}]},
      {"on":"process","event":"unhandledRejection","as":"unhandled","do":[]},
      {"setTimeout":1,"as":"timer","do":[{"nextTick":[],"as":"tick"},{"promise":"b","do":[{"resolve":"b"}]},
        {"then":"b","as":"job","do":[{"throw":"x"}]}]}]})",
                        [](Process& process) {
                          auto a = process.make_promise("a");
                          a.reject(loopsim::Error("late"));
                          process.on_unhandled_rejection([](const loopsim::Error&) {}, "unhandled");
                          process.set_timeout(
                              1ms,
                              [&] {
                                process.next_tick({}, "tick");
                                auto b = process.make_promise("b");
                                b.resolve();
                                b.then([] { throw loopsim::Error("x"); }, "job");
                              },
                              "timer");
                        });
}

TEST_CASE("process: exceptions and exit codes", "[process]") {
  check_in_all_versions(R"({"main":[
      {"on":"process","event":"uncaughtException","as":"uncaught","do":[]},
      {"on":"process","event":"exit","as":"at_exit","do":[{"exitCode":3}]},
      {"setTimeout":1,"as":"throws","do":[{"nextTick":[],"as":"tick"},{"throw":"x"}]},
      {"setTimeout":1,"as":"second","do":[{"setTimeout":4,"as":"end","do":[{"exit":5}]},{"setTimeout":9,"as":"never","do":[]}]}]})",
                        [](Process& process) {
                          process.on_uncaught_exception([](const loopsim::Error&) {}, "uncaught");
                          process.on_exit([&](int) { process.set_exit_code(3); }, "at_exit");
                          process.set_timeout(
                              1ms,
                              [&] {
                                process.next_tick({}, "tick");
                                throw loopsim::Error("x");
                              },
                              "throws");
                          process.set_timeout(
                              1ms,
                              [&] {
                                process.set_timeout(
                                    4ms, [&] { process.exit(5); }, "end");
                                process.set_timeout(9ms, {}, "never");
                              },
                              "second");
                        });
}

TEST_CASE("process: a server, a connection, and what goes over it", "[process]") {
  check_in_all_versions(R"({"main":[
      {"listen":8080,"as":"server","on":{"connection":[
        {"on":"value","event":"data","as":"heard","do":[{"setTimeout":2,"as":"pause","do":[]}]},
        {"write":"value","data":"welcome"},
        {"end":"value"}]}},
      {"connect":8080,"as":"client","on":{"connect":[{"write":"client","data":"hello","as":"written","do":[]}]}},
      {"on":"client","event":"data","as":"answer","do":[{"close":"server","as":"closed","do":[]}]},
      {"on":"client","event":"end","as":"over","do":[]},
      {"on":"client","event":"close","as":"gone","do":[]}]})",
                        [](Process& process) {
                          auto server = std::make_shared<std::vector<Process::Server>>();
                          server->push_back(process.listen(
                              8080,
                              [&](Process::Socket peer) {
                                peer.on_data([&](std::string_view) { process.set_timeout(2ms, {}, "pause"); }, "heard");
                                peer.write("welcome");
                                peer.end();
                              },
                              "server.connection"));
                          auto client = std::make_shared<std::vector<Process::Socket>>();
                          client->push_back(process.connect(
                              8080,
                              [client] {
                                client->front().write(
                                    "hello", [] {}, "written");
                              },
                              "client.connect"));
                          client->front().on_data(
                              [server](std::string_view) { server->front().close([] {}, "closed"); }, "answer");
                          client->front().on_end([] {}, "over");
                          client->front().on_close([] {}, "gone");
                        });
}

TEST_CASE("process: limits end it, and what it throws is told", "[process]") {
  loopsim::ProcessOptions options;
  options.limits.callbacks = 50;
  Process endless(options);
  const loopsim::RunSummary summary = endless.run([&] { endless.set_interval(1ms, [] {}); });
  CHECK(summary.reason == loopsim::ExitReason::limit);
  CHECK(summary.limit == loopsim::LimitKind::callbacks);
  CHECK(summary.callbacks == 50);

  Process fails;
  CHECK(fails.run([] { throw std::runtime_error("no"); }).exit_code == 1);
  CHECK_THROWS_AS(fails.run([] {}), std::logic_error);

  loopsim::ProcessOptions unknown;
  unknown.runtime = "node-3";
  CHECK_THROWS_WITH(Process(unknown), "loopsim::Process: there is no runtime \"node-3\"");
}

TEST_CASE("process: a promise is told as settled when it has a name", "[process]") {
  Process process;
  Settled trace;
  loopsim::TraceSink* const sinks[] = {&trace};
  process.run(
      [&] {
        process.make_promise("named").resolve();
        process.make_promise().resolve();
      },
      sinks);
  CHECK(trace.settled == std::vector<std::string>{"named"});
}

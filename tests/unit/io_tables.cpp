// What tables and trace viewers get of a run of the runtime `io`.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "loopsim/scenario.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

#include "tests/support/simulate.hpp"

using namespace loopsim;
using loopsim::testing::compile_text;

namespace {

constexpr const char* kPoll = R"({"title": "two", "runtime": "io", "io": {
  "model": "poll", "costs": {"call": "1us", "switch": "2us"},
  "sockets": [{"as": "a", "arrivals": [{"at": "3ms", "bytes": 10}], "end": "4ms"},
              {"as": "b", "arrivals": [{"at": "1ms", "bytes": 20}], "end": "4ms"}]}})";
constexpr const char* kThreads = R"({"title": "threads", "runtime": "io", "io": {
  "model": "threads", "sockets": [{"as": "a", "arrivals": [{"at": "1ms", "bytes": 10}], "end": "2ms"},
                                  {"as": "b", "arrivals": [{"at": "3ms", "bytes": 20}], "end": "4ms"}]}})";
constexpr const char* kBusy = R"({"title": "busy", "runtime": "io", "io": {
  "model": "nonblocking", "costs": {"call": "1us"},
  "sockets": [{"as": "a", "arrivals": [{"at": "1ms", "bytes": 10}], "end": "2ms"}]}})";

std::string written(const char* scenario, std::unique_ptr<TraceSink> (*make)(ByteOutput&)) {
  StringOutput output;
  const auto sink = make(output);
  TraceSink* const sinks[] = {sink.get()};
  run(*compile_text(scenario), sinks);
  return output.text();
}
std::unique_ptr<TraceSink> csv(ByteOutput& output) { return make_csv_writer(output, {}); }
std::unique_ptr<TraceSink> perfetto(ByteOutput& output) { return make_perfetto_writer(output); }

// The rows without the cells of the run.
std::vector<std::string> rows(const char* scenario) {
  const std::string text = written(scenario, csv);
  std::vector<std::string> found;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    std::size_t cell = at;
    for (int i = 0; i < 4; ++i) cell = text.find(',', cell) + 1;
    found.push_back(text.substr(cell, end - cell));
  }
  return found;
}

}  // namespace

// By hand: a call takes 1 us, poll() 80 ns more for each of its descriptors, before and behind the wait, a switch 2 us; copying 0.07 ns a
// byte, rounded up.
TEST_CASE("a table of system calls has a row for each", "[io][csv]") {
  CHECK(rows(kPoll) == std::vector<std::string>{
                           "process,thread,call,args,result,began_ns,ended_ns,cpu_ns,blocked_ns,calls,vain",
                           R"(poll,,poll,"3,4",1 [4],0,1002160,3320,998840,1,0)",
                           "poll,,read,4,20,1002160,1003162,1002,0,1,0",
                           R"(poll,,poll,"3,4",1 [3],1003162,3002160,3320,1995678,1,0)",
                           "poll,,read,3,10,3002160,3003161,1001,0,1,0",
                           R"(poll,,poll,"3,4",2 [3 4],3003161,4002160,3320,995679,1,0)",
                           "poll,,read,3,0,4002160,4003160,1000,0,1,0",
                           "poll,,close,3,0,4003160,4004160,1000,0,1,0",
                           "poll,,read,4,0,4004160,4005160,1000,0,1,0",
                           "poll,,close,4,0,4005160,4006160,1000,0,1,0",
                       });
  CHECK(rows(kBusy) == std::vector<std::string>{
                           "process,thread,call,args,result,began_ns,ended_ns,cpu_ns,blocked_ns,calls,vain",
                           R"(nonblocking,,fcntl,"3, F_SETFL, O_NONBLOCK",0,0,1000,1000,0,1,0)",
                           "nonblocking,,read,3,,1000,999000,998000,0,998,998",
                           "nonblocking,,read,3,10,999000,1000001,1001,0,1,0",
                           "nonblocking,,read,3,,1000001,1999001,999000,0,999,999",
                           "nonblocking,,read,3,0,1999001,2000001,1000,0,1,0",
                           "nonblocking,,close,3,0,2000001,2001001,1000,0,1,0",
                       });
}

TEST_CASE("a trace viewer gets calls, what the kernel does, and messages from arrival to process", "[io][perfetto]") {
  const auto document = nlohmann::json::parse(written(kPoll, perfetto));
  std::vector<std::string> process, kernel, messages;
  for (const auto& event : document["traceEvents"]) {
    const std::string phase = event["ph"], name = event["name"];
    if (phase == "X" || phase == "i") (event["tid"] == 1 ? kernel : process).push_back(name);
    if (phase == "b" || phase == "e")
      messages.push_back(phase + " " + name + " " + event["id"].get<std::string>() + " " + event["ts"].dump());
  }
  CHECK(process == std::vector<std::string>{"blocked", "poll(3,4)", "read(4)", "served b", "blocked", "poll(3,4)",
                                            "read(3)", "served a", "blocked", "poll(3,4)", "read(3)", "close(3)",
                                            "read(4)", "close(4)"});
  CHECK(kernel == std::vector<std::string>{"20 bytes for b", "wakes the process for 4", "copies 20 bytes of b",
                                           "10 bytes for a", "wakes the process for 3", "copies 10 bytes of a",
                                           "a ends", "wakes the process for 3", "b ends"});
  CHECK(messages == std::vector<std::string>{"b b 1 0.4.1 1000.0", "e b 1 0.4.1 1003.162", "b a 1 0.3.1 3000.0",
                                             "e a 1 0.3.1 3003.161"});
}

TEST_CASE("a trace viewer gets a track for each thread", "[io][perfetto]") {
  const auto document = nlohmann::json::parse(written(kThreads, perfetto));
  std::map<std::string, std::set<std::string>> calls;  // by track
  std::map<int, std::string> tracks;
  for (const auto& event : document["traceEvents"]) {
    if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
    if (event["ph"] == "X" && event["cat"] == "loopsim.syscall") calls[tracks.at(event["tid"])].insert(event["name"]);
  }
  CHECK(calls["process"].count("clone()") == 1);
  CHECK(calls["process"].count("read(3)") == 0);
  CHECK(calls["thread 1"].count("read(3)") == 1);
  CHECK(calls["thread 2"].count("read(4)") == 1);
}

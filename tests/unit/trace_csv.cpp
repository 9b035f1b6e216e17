#include <catch2/catch.hpp>

#include "loopsim/writers.hpp"

#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;

namespace {

constexpr std::string_view kColumns =
    "id,name,api,op,phase,turn,asked_ns,due_ns,began_ns,ended_ns,late_ns,why,behind,by,how\n";

std::string csv_with_runs(const Events& events, const RunInfo& info, std::size_t batch, std::string_view source) {
  StringOutput output;
  events.play(*make_csv_writer(output, {.source = source}), info, timer_summary(), batch);
  return output.text();
}

// The run id in the first row.
std::string run_of(const std::string& text) { return text.substr(text.find('\n') + 1, 16); }

// The CSV without the column of run ids.
std::string csv(const Events& events, const RunInfo& info = timer_info(), std::size_t batch = 3) {
  std::string text = csv_with_runs(events, info, batch, {});
  const std::string id = run_of(text) + ",";
  REQUIRE(text.starts_with("run,"));
  REQUIRE(id.find_first_not_of("0123456789abcdef") == 16);
  text.erase(0, 4);
  for (std::size_t at = text.find(id); at != std::string::npos; at = text.find(id, at)) text.erase(at, id.size());
  return text;
}

void begin(Events& events, std::uint64_t id, TimeNs time) {
  Event& event = events.add(EventKind::callback_begin, time);
  event.api = Api::function, event.id = id, event.a = event.b = event.c = -1;
}

void end(Events& events, std::uint64_t id, TimeNs time, Completion how = Completion::normal) {
  Event& event = events.add(EventKind::callback_end, time);
  event.api = Api::function, event.id = id, event.detail = detail(how);
}

// The last fifteen columns of the rows, for a run without title and params.
std::string rows(const Events& events) {
  RunInfo info;
  info.runtime = "node-24";
  const std::string all = csv(events, info);
  std::string text;
  for (std::size_t at = all.find('\n') + 1; at < all.size(); at = all.find('\n', at) + 1) {
    REQUIRE(all.compare(at, 11, "node-24,0,,") == 0);
    text += all.substr(at + 11, all.find('\n', at) - at - 10);
  }
  return text;
}

}  // namespace

TEST_CASE("csv: a row for every callback") {
  const std::string run = "node-24,0,A 100 ms timer that fires at 105 ms,";
  const std::string wanted =
      "runtime,seed,scenario," + std::string(kColumns) +  //
      run + "1,main,main,,main,0,,,0,0,,,,,normal\n" +    //
      run + "3,someAsyncOperation,fs,,poll,1,0,95000000,95000000,105000000,0,,,1,normal\n" + run +
      "2,timer,setTimeout,,timers,1,0,100000000,105000000,105000000,5000000,callback,3,1,normal\n";
  CHECK(csv(timer_at_105()) == wanted);
  CHECK(csv(timer_at_105(), timer_info(), 1) == wanted);
}

TEST_CASE("csv: every row has the run and its params") {
  const std::vector<std::pair<std::string, std::string>> params = {
      {"delay", "5"}, {"id", R"("a \"b\", c")"}, {"gap", R"({"exponential":"5ms"})"}, {"line", R"("x\ny")"}};
  RunInfo info = timer_info();
  info.title = "One, \"two\"";
  info.seed = 18446744073709551615U;
  info.params = params;
  Events events;
  begin(events, 1, 0);
  end(events, 1, 2);
  CHECK(csv(events, info) == "runtime,seed,scenario,delay,param.id,gap,line," + std::string(kColumns) +
                                 "node-24,18446744073709551615,\"One, \"\"two\"\"\",5,\"a \"\"b\"\", "
                                 "c\",\"{\"\"exponential\"\":\"\"5ms\"\"}\","
                                 "\"x\ny\",1,,function,,main,0,,,0,2,,,,,normal\n");
}

TEST_CASE("csv: runs have one id when they are the same, and different ones when anything differs") {
  const auto id = [](const RunInfo& info, std::string_view source) {
    return run_of(csv_with_runs(timer_at_105(), info, 3, source));
  };
  const std::vector<std::pair<std::string, std::string>> params = {{"delay", "5"}};
  std::vector<std::string> ids = {id(timer_info(), ""), id(timer_info(), "{}")};
  const auto add = [&](auto change) {
    RunInfo info = timer_info();
    change(info);
    ids.push_back(id(info, "{}"));
  };
  add([](RunInfo& info) { info.title = "Another"; });
  add([](RunInfo& info) { info.runtime = "node-10"; });
  add([](RunInfo& info) { info.machine = "busy"; });
  add([](RunInfo& info) { info.threadpool = 2; });
  add([](RunInfo& info) { info.seed = 2; });
  add([](RunInfo& info) { info.clock_phase = 2; });
  add([&](RunInfo& info) { info.params = params; });
  CHECK(id(timer_info(), "{}") == ids[1]);
  std::ranges::sort(ids);
  CHECK(std::ranges::adjacent_find(ids) == ids.end());
}

TEST_CASE("csv: rows stand in the order of beginnings") {
  Events events;
  begin(events, 1, 10);
  begin(events, 2, 20);
  begin(events, 3, 30);
  end(events, 3, 40, Completion::throw_);
  end(events, 2, 50, Completion::suspended);
  begin(events, 4, 60);
  end(events, 4, 70);
  end(events, 1, 80);
  begin(events, 5, 90);
  end(events, 5, 95);
  CHECK(rows(events) ==
        "1,,function,,main,0,,,10,80,,,,,normal\n"
        "2,,function,,main,0,,,20,50,,,,,suspended\n"
        "3,,function,,main,0,,,30,40,,,,,throw\n"
        "4,,function,,main,0,,,60,70,,,,,normal\n"
        "5,,function,,main,0,,,90,95,,,,,normal\n");
}

TEST_CASE("csv: what is open when the run ends has no end") {
  Events events;
  begin(events, 1, 10);
  begin(events, 2, 20);
  end(events, 2, 30);
  CHECK(rows(events) ==
        "1,,function,,main,0,,,10,,,,,,\n"
        "2,,function,,main,0,,,20,30,,,,,normal\n");
}

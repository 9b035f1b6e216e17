// Models of I/O: the times of system calls by hand, the laws that hold in every run, and how runs end.
#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loopsim/io.hpp"
#include "loopsim/study.hpp"

#include "sim/program/program.hpp"
#include "tests/support/files.hpp"
#include "tests/support/simulate.hpp"

namespace loopsim {
namespace {

using testing::compile_text;

std::string hand() { return testing::read_file(LOOPSIM_SOURCE_DIR "/tests/conformance/io/hand.json"); }

std::shared_ptr<const Program> compile_with(const std::string& document,
                                            std::vector<std::pair<std::string, std::string>> overrides) {
  ReadOptions options;
  options.overrides = std::move(overrides);
  const ReadResult read = read_scenario(document, "test.json", options);
  REQUIRE(read.scenario);
  const CompileResult compiled = compile(*read.scenario);
  REQUIRE(compiled.program != nullptr);
  return compiled.program;
}

testing::Collector collect(const Program& program) {
  testing::Collector collector;
  TraceSink* const sinks[] = {&collector};
  run(program, sinks);
  return collector;
}

// "22 read 1024": when calls of the model return, in ms, without those that set it up.
std::string returns_of(const std::string& model) {
  const testing::Collector run = collect(*compile_with(hand(), {{"/io/model", "\"" + model + "\""}}));
  std::string told;
  for (const testing::Kept& kept : run.kept) {
    if (kept.event.kind == EventKind::spin)
      told += fmt::format("{} spin {}; ", testing::in_ms(kept.event.time), kept.event.a);
    if (kept.event.kind != EventKind::sysret) continue;
    const auto call = static_cast<SysCall>(kept.event.detail);
    if (call == SysCall::fcntl || call == SysCall::epoll_ctl || call == SysCall::epoll_create1 ||
        call == SysCall::sigprocmask || call == SysCall::sigaction || call == SysCall::io_uring_setup)
      continue;
    const std::string thread = kept.event.by == 0 ? "" : fmt::format("T{} ", kept.event.by);
    const std::string_view name =
        event_table()[static_cast<std::size_t>(EventKind::sysret)].fields[1].words[kept.event.detail];
    told += fmt::format("{} {}{} {}; ", testing::in_ms(kept.event.time), thread, name, kept.text);
  }
  return told;
}

}  // namespace

// A call takes 1 ms, a copy of the KiB 1, a descriptor 0.5, a switch 1, the work 5; data at 20 and 23, ends at 60 and 70.
TEST_CASE("system calls return when arithmetic says", "[io]") {
  CHECK(returns_of("blocking") == "22 read 1024; 29 read 1024; 61 read 0; 62 close 0; 71 read 0; 72 close 0; ");
  CHECK(returns_of("nonblocking") ==
        "2 spin 8; 19 read -1 EAGAIN; 20 read -1 EAGAIN; 22 read 1024; 29 read 1024; 34 spin 12; 59 read -1 EAGAIN; 60 "
        "read -1 "
        "EAGAIN; 61 read 0; 62 close 0; 63 read -1 EAGAIN; 63 spin 6; 70 read 0; 71 close 0; ");
  const std::string poll =
      "22 poll 1 [3]; 24 read 1024; 31 poll 1 [4]; 33 read 1024; 62 poll 1 [3]; 63 read 0; 64 close 0; 71.5 poll 1 "
      "[4]; 72.5 read 0; "
      "73.5 close 0; ";
  CHECK(returns_of("poll") == poll);
  CHECK(returns_of("epoll") ==
        "21.5 epoll_wait 1 [3]; 23.5 read 1024; 30.5 epoll_wait 1 [4]; 32.5 read 1024; 61.5 epoll_wait 1 [3]; 62.5 "
        "read 0; 63.5 close 0; "
        "71.5 epoll_wait 1 [4]; 72.5 read 0; 73.5 close 0; ");
  CHECK(returns_of("epoll-edge") ==
        "21.5 epoll_wait 1 [3]; 23.5 read 1024; 29.5 read -1 EAGAIN; 31 epoll_wait 1 [4]; 33 read 1024; 39 read -1 "
        "EAGAIN; 61.5 "
        "epoll_wait 1 [3]; 62.5 read 0; 63.5 close 0; 71.5 epoll_wait 1 [4]; 72.5 read 0; 73.5 close 0; ");
  CHECK(returns_of("signal") ==
        "21 sigsuspend -1 EINTR; 24 read 1024; 30 read -1 EAGAIN; 32 read 1024; 38 read -1 EAGAIN; 39 sigreturn ; 40 "
        "sigsuspend -1 EINTR; "
        "42 read -1 EAGAIN; 43 read -1 EAGAIN; 44 sigreturn ; 61 sigsuspend -1 EINTR; 63 read 0; 64 close 0; 65 read "
        "-1 EAGAIN; 66 "
        "sigreturn ; 71 sigsuspend -1 EINTR; 73 read 0; 74 close 0; 75 sigreturn ; ");
  CHECK(returns_of("signal-queue") ==
        "21 sigwaitinfo SIGRTMIN [3]; 23 read 1024; 29 read -1 EAGAIN; 30 sigwaitinfo SIGRTMIN [4]; 32 read 1024; 38 "
        "read -1 EAGAIN; 61 "
        "sigwaitinfo SIGRTMIN [3]; 62 read 0; 63 close 0; 71 sigwaitinfo SIGRTMIN [4]; 72 read 0; 73 close 0; ");
  CHECK(returns_of("async") ==
        "22.5 io_uring_enter 2; 61.5 io_uring_enter 2; 62.5 close 0; 71.5 io_uring_enter 0; 72.5 close 0; ");
  CHECK(returns_of("threads") ==
        "2 clone T1; 4 clone T2; 22 T1 read 1024; 25 T2 read 1024; 61 T1 read 0; 62 T1 close 0; 71 T2 read 0; 72 T2 "
        "close 0; ");
}

TEST_CASE("io_uring: what interrupts a computation prolongs it, and is taken when that ends", "[io]") {
  const testing::Collector run = collect(*compile_with(hand(), {{"/io/model", "\"async\""}}));
  std::string late;
  for (const testing::Kept& kept : run.kept) {
    if (kept.event.kind == EventKind::message)
      late += fmt::format("{} {} {}; ", testing::in_ms(kept.event.time), kept.name, testing::in_ms(kept.event.b));
  }
  CHECK(late == "22.5 a 2.5; 29 b 6; ");  // b was copied from 23.5 to 24.5, in the work of 5 ms that began at 22.5
}

TEST_CASE("processes side by side are those that run alone, and told in order of time", "[io]") {
  const std::string document = hand();
  const testing::Collector all = collect(*compile_with(document, {}));
  const auto compiled = compile_with(document, {});
  for (std::size_t i = 0; i < compiled->io->processes.size(); ++i) {
    const std::string model(to_string(compiled->io->processes[i].model));
    const testing::Collector alone = collect(*compile_with(document, {{"/io/model", "\"" + model + "\""}}));
    std::size_t next = 0;
    for (const testing::Kept& kept : all.kept) {
      if (kept.event.loop != i) continue;
      REQUIRE(next < alone.kept.size());
      CHECK(kept.event.time == alone.kept[next].event.time);
      CHECK(kept.event.kind == alone.kept[next].event.kind);
      CHECK(kept.text == alone.kept[next].text);
      ++next;
    }
    CHECK(next == alone.kept.size());
  }
  TimeNs before = 0;
  std::uint64_t sequence = 0;
  for (const testing::Kept& kept : all.kept) {
    CHECK(kept.event.time >= before);
    CHECK(kept.event.sequence == ++sequence);
    before = kept.event.time;
  }
}

TEST_CASE("a process of one thread computes, is blocked, or has no core: nothing else", "[io]") {
  for (const std::string_view model : io_models()) {
    if (model == "threads") continue;
    INFO(model);
    const testing::Collector run = collect(*compile_with(hand(), {{"/io/model", "\"" + std::string(model) + "\""}}));
    TimeNs blocked = 0, cpu = 0;
    for (const testing::Kept& kept : run.kept) {
      if (kept.event.kind == EventKind::sysret && kept.event.b > 0) blocked += kept.event.b;
      if (kept.event.kind == EventKind::state && static_cast<ProcessState>(kept.event.detail) == ProcessState::ended)
        cpu = kept.event.a + kept.event.b;
    }
    CHECK(cpu + blocked == run.summary.end_time);
  }
}

TEST_CASE("a machine whose cores others use makes a process of I/O late", "[io]") {
  const auto end_on = [](const std::string& machine) {
    return collect(*compile_with(hand(), {{"/io/model", "\"epoll\""}, {"/machine", machine}})).summary.end_time;
  };
  CHECK(end_on("{}") == 73 * kMillisecond + kMillisecond / 2);
  // Twice as fast: 1.5 ms of the last end's 3.5 ms are saved, and half of 0.5.
  CHECK(end_on(R"({"cores": 1, "speed": 2})") == 71 * kMillisecond + 3 * kMillisecond / 4);
  CHECK(end_on(R"({"cores": 1, "stalls": [{"at": "65ms", "for": "10ms"}]})") == 78 * kMillisecond + kMillisecond / 2);
  CHECK(end_on(R"({"cores": 1, "load": {"busy": "1s", "every": "10s", "threads": 1, "policy": "fair"}})") >
        73 * kMillisecond);
}

TEST_CASE("threads share the cores that there are", "[io]") {
  const std::string document = R"({"runtime": "io", "limits": {"time": "1s"},
    "io": {"model": "threads", "costs": "free", "work": "10ms",
           "sockets": [{"arrivals": [{"at": "5ms"}], "end": "6ms"}, {"arrivals": [{"at": "5ms"}], "end": "6ms"}]}})";
  CHECK(collect(*compile_with(document, {})).summary.end_time == 15 * kMillisecond);
  CHECK(collect(*compile_with(document, {{"/machine", R"({"cores": 1})"}})).summary.end_time == 25 * kMillisecond);
  CHECK(collect(*compile_with(document, {{"/machine", R"({"cores": 2})"}})).summary.end_time == 15 * kMillisecond);
}

TEST_CASE("a full queue of signals kills the process, a limit of time or of steps ends the run", "[io]") {
  const auto ends = [](const std::string& model, const std::string& more) {
    const testing::Collector run =
        collect(*compile_text(R"({"runtime": "io", "io": {"model": )" + model + R"(, "work": "50ms",
      "sockets": [{"arrivals": [{"every": "1ms"}]}]}, "limits": {"time": "200ms")" +
                              more + "}}"));
    return fmt::format("{} {} {} at {}", to_string(run.summary.reason), to_string(run.summary.limit),
                       run.summary.exit_code, testing::in_ms(run.summary.end_time));
  };
  CHECK(ends(R"({"signal": "queue", "pending": 3})", "") == "signal none 157 at 5");
  CHECK(ends("\"poll\"", "") == "limit time 0 at 200");
  // fcntl(), the rounds up to the first arrival, that, its read: then it computes, and arrivals count, too.
  CHECK(ends("\"nonblocking\"", R"(, "steps": 20)") == "limit steps 0 at 18");
}

TEST_CASE("a free process of a kernel that costs nothing is never late", "[io]") {
  for (const std::string_view model : io_models()) {
    if (model == "nonblocking" || model == "blocking" || model == "blocking-clients") continue;
    const testing::Collector run =
        collect(*compile_text(R"({"runtime": "io", "limits": {"time": "1s"}, "io": {"model": ")" + std::string(model) +
                              R"(", "costs": "free", "sockets": [
      {"count": 5, "arrivals": [{"poisson": 1000}], "end": "50ms"}, {"end": "60ms"}]}})"));
    INFO(model);
    CHECK(run.summary.limit == LimitKind::none);
    CHECK(run.summary.end_time == 60 * kMillisecond);
    int messages = 0;
    for (const testing::Kept& kept : run.kept) {
      if (kept.event.kind != EventKind::message) continue;
      ++messages;
      CHECK(kept.event.b == 0);
    }
    CHECK(messages > 150);
  }
}

TEST_CASE("the metrics of a run of io are those of its events", "[io][metrics]") {
  MetricsOptions options;
  options.io = true;
  options.callbacks = {"a", "b"};
  const std::unique_ptr<MetricsSink> sink = make_metrics_sink(options);
  const std::array<TraceSink*, 1> sinks = {sink.get()};
  const std::vector<Column> columns = metric_columns(options);
  run(*compile_with(hand(), {{"/io/model", "\"nonblocking\""}}), sinks);  // the next run begins anew
  run(*compile_with(hand(), {{"/io/model", "\"poll\""}}), sinks);
  REQUIRE(sink->cells().size() == columns.size());
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (const auto value = number_of(sink->cells()[i])) values[columns[i].name] = *value;
  }
  CHECK(values.at("finish_time") == 73.5);
  CHECK(values.at("calls") == 10);
  CHECK(values.at("calls_vain") == 0);
  CHECK(values.at("calls_per_message") == 5);
  CHECK(values.at("cpu_user") == 10);
  CHECK(values.at("cpu_kernel") == 21);
  CHECK(values.at("cpu_vain") == 0);
  CHECK(values.at("blocked") == 42.5);
  CHECK(values.at("switches") == 3);
  CHECK(values.at("arrived") == 2);
  CHECK(values.at("messages") == 2);
  CHECK(values.at("backlog") == 0);
  CHECK(values.at("lateness_mean") == 7);
  CHECK(values.at("a.lateness_max") == 4);
  CHECK(values.at("b.lateness_max") == 10);
  CHECK(values.at("response_max") == 15);
  // Little's law: 2 messages in 73.5 ms, 7 ms each.
  CHECK(values.at("backlog_mean") == Approx(2 * 7 / 73.5));
}

}  // namespace loopsim

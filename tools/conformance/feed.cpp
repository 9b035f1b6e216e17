// The simulator's side of the conformance check, in one process for any number of scenarios (fidelity/feed.py talks to it).
//
// Standard input, repeated: a line "<bytes> <runtime>,<runtime>...", then a scenario of that many bytes.
// Standard output, per runtime: one line of JSON,
//
//   {"runtime": "node-24", "status": "ok", "entry": "commonjs", "threadpool": 4, "clock_phase": 0, "limit": "", "exit_code": 0,
//    "exit_time": 5000000, "events": [["main", "main", 0], ["log", "text"], ...], "script": "..."}
//
// An event is a callback that began (API, label, time) or a line of output. "script" is the instrumented JavaScript, or
// the index of the first runtime with the same script. Of a scenario that is a script, the events are only what it wrote:
// ["log", text] or ["error", text], and there is no "script". For an invalid scenario the line has only "runtime", "status":
// "invalid" and "message"; likewise with the status "skipped" for an arrival process, or a machine with costs.

#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "loopsim/simulator.hpp"

#include "tools/loopsim/io/node_library.hpp"

namespace {

using Json = nlohmann::ordered_json;

// The part of a run that can also be observed in real Node.
class EventList final : public loopsim::TraceSink {
 public:
  // `only_written`: without the callbacks, and with standard error.
  explicit EventList(bool only_written) : only_written_(only_written) {}

  void begin(const loopsim::RunInfo& info) override {
    names_.assign(info.names.begin(), info.names.end());
    header_ = {{"entry", info.entry}, {"threadpool", info.threadpool}, {"clock_phase", info.clock_phase}};
  }

  void events(const loopsim::EventBatch& batch) override {
    for (const loopsim::Event& event : batch.events) {
      switch (event.kind) {
        case loopsim::EventKind::callback_begin:
          if (only_written_) break;
          events_.push_back({loopsim::to_string(event.api), name_of(event), event.time});
          break;
        case loopsim::EventKind::log: add_lines("log", batch.text_of(event)); break;
        case loopsim::EventKind::error_log:
          if (only_written_) add_lines("error", batch.text_of(event));
          break;
        case loopsim::EventKind::exit: exit_time_ = event.time; break;
        default: break;
      }
    }
  }

  void end(const loopsim::RunSummary& summary) override { summary_ = summary; }

  [[nodiscard]] Json report() && {
    Json report = std::move(header_);
    report["limit"] = summary_.limit == loopsim::LimitKind::none ? "" : loopsim::to_string(summary_.limit);
    report["exit_code"] = summary_.exit_code;
    report["exit_time"] = exit_time_;
    report["events"] = std::move(events_);
    return report;
  }

 private:
  [[nodiscard]] std::string_view name_of(const loopsim::Event& event) const {
    return event.name == loopsim::kNoName ? std::string_view() : std::string_view(names_[event.name]);
  }

  void add_lines(std::string_view stream, std::string_view text) {
    for (std::size_t end = 0; end != std::string_view::npos;) {
      end = text.find('\n');
      events_.push_back({stream, text.substr(0, end)});
      text.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
    }
  }

  bool only_written_;
  std::vector<std::string> names_;
  Json header_;
  Json events_ = Json::array();
  loopsim::TimeNs exit_time_ = 0;
  loopsim::RunSummary summary_;
};

std::string first_error(const loopsim::Diagnostics& diagnostics) {
  for (const loopsim::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == loopsim::Diagnostic::Severity::error) return to_string(diagnostic);
  }
  return {};
}

Json invalid(const loopsim::Diagnostics& diagnostics) {
  return {{"status", "invalid"}, {"message", first_error(diagnostics)}};
}

// `scripts` has the scripts of the previous runtimes.
Json answer(const std::string& text, const std::string& runtime, std::vector<std::string>& scripts) {
  scripts.emplace_back();
  loopsim::ReadOptions options;
  options.runtime = runtime;
  options.folder_of = [](const std::string&) {
    loopsim::ScriptFolder folder;
    folder.library = loopsim::cli::node_library;
    return folder;
  };
  const loopsim::ReadResult read = loopsim::read_scenario(text, "scenario.json", options);
  if (!read.scenario) return invalid(read.diagnostics);
  for (const loopsim::OutsideEvent& input : read.scenario->inputs) {
    if (input.arrivals) return {{"status", "skipped"}, {"message", "an arrival process"}};
  }
  // Of a machine, the virtual clock supports only the phase of the clock.
  if (!loopsim::costs_nothing(read.scenario->machine))
    return {{"status", "skipped"}, {"message", "a machine on which something costs time"}};
  const loopsim::CompileResult compiled = loopsim::compile(*read.scenario);
  if (compiled.program == nullptr) return invalid(compiled.diagnostics);

  EventList events(read.scenario->script.has_value());
  loopsim::TraceSink* const sink = &events;
  loopsim::run(*compiled.program, {&sink, 1});
  Json report = std::move(events).report();
  report["status"] = "ok";
  if (read.scenario->script) return report;

  scripts.back() = loopsim::to_javascript(*read.scenario, {.instrumented = true});
  std::size_t first = 0;
  while (scripts[first] != scripts.back()) ++first;
  report["script"] = first + 1 == scripts.size() ? Json(scripts.back()) : Json(first);
  return report;
}

// A thread on which one task runs at a time: what a thread has once started for a version of Node it keeps for the next
// program, but only for few versions.
class Lane {
 public:
  Lane() : thread_([this] { serve(); }) {}
  ~Lane() {
    asked_.release();  // without a task
    thread_.join();
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void run(const std::function<void()>& task) {
    task_ = &task;
    asked_.release();
    done_.acquire();
  }

 private:
  void serve() {
    for (;;) {
      asked_.acquire();
      const auto* const task = std::exchange(task_, nullptr);
      if (task == nullptr) return;
      (*task)();
      done_.release();
    }
  }

  const std::function<void()>* task_ = nullptr;
  std::binary_semaphore asked_{0}, done_{0};
  std::thread thread_;  // the last: it uses the others
};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = list.find(',');
    words.emplace_back(list.substr(0, end));
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return words;
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  loopsim::cli::set_node_library_folder(LOOPSIM_NODE_LIBRARY);
  std::map<std::string, Lane> lanes;  // by runtime
  std::size_t size = 0;
  std::string runtimes;
  while (std::cin >> size >> runtimes) {
    std::cin.ignore();  // the newline
    std::string text(size, '\0');
    if (!std::cin.read(text.data(), static_cast<std::streamsize>(size))) return 2;
    std::vector<std::string> scripts;
    for (const std::string& runtime : split(runtimes)) {
      Json line = {{"runtime", runtime}};
      lanes[runtime].run([&] { line.update(answer(text, runtime, scripts)); });
      // Invalid text in the output, such as half a surrogate pair, is replaced on both sides.
      std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
    }
    std::cout.flush();
  }
  return 0;
}

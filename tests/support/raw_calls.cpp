#include "tests/support/raw_calls.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "loopsim/profile.hpp"
#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

#include "sim/browser/page.hpp"
#include "sim/node/environment.hpp"
#include "sim/program/run_info.hpp"
#include "sim/quickjs/engine.hpp"
#include "sim/quickjs/stack.hpp"
#include "sim/quickjs/web_engine.hpp"
#include "sim/runtime/run_to_end.hpp"
#include "tests/support/raw_calls_script.hpp"

namespace loopsim::quickjs {

// A friend of both engines.
struct HostTest {
  // The world gets the functions of the host, and the bytes.
  template <class Engine>
  static void give(Engine& engine, std::span<const std::uint8_t> bytes) {
    engine.when_started_ = [&engine, bytes] {
      Instance& js = *engine.js_;
      const Js world = js.global();
      const Js functions = js.make_object();
      const auto rows = Engine::bindings();
      for (std::size_t i = 0; i < rows.size(); ++i)
        js.set(functions, rows[i].name, js.make_function(rows[i].name, rows[i].length, static_cast<std::uint32_t>(i)));
      js.set(world, "raw", functions);
      js.set(world, "bytes", js.make_buffer({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
      js.free(world);
    };
  }
  template <class Engine>
  static std::size_t count() {
    return Engine::bindings().size();
  }
};

}  // namespace loopsim::quickjs

namespace loopsim::testing {

namespace {

// The first of the bytes chooses among them.
constexpr std::array<std::string_view, 12> kRuntimes = {"node-24", "chrome",  "node-22", "node-10",
                                                        "node-11", "node-12", "node-14", "node-16",
                                                        "node-18", "node-20", "node-26", "firefox"};
constexpr std::uint8_t kWithoutTrace = 0x80;              // of that byte
constexpr std::size_t kMoments = 12, kMostArguments = 6;  // as in the script
constexpr std::size_t kValues = 84;                       // at least as many as there

const Profile& profile_of(std::uint8_t byte) {
  const std::string_view wanted = kRuntimes[std::size_t{byte} % kWithoutTrace % kRuntimes.size()];
  for (const Profile& profile : profiles())
    if (profile.name.starts_with(wanted)) return profile;
  return default_profile();
}

std::shared_ptr<const Program> program_for(const Profile& profile) {
  nlohmann::json lines = nlohmann::json::array();
  const std::string_view text = kRawCallsScript;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(std::string(text.substr(from, end - from)));
    from = end + 1;
  }
  const nlohmann::json document = {{"title", "calls"},
                                   {"runtime", std::string(profile.name)},
                                   {"limits", {{"steps", 20'000}, {"callbacks", 1'000}, {"queue", 1'000}}},
                                   {"script", lines}};
  ReadResult read = read_scenario(document.dump(), "calls.json");
  if (!read.scenario) throw std::runtime_error("calls.json: " + to_string(read.diagnostics.front()));
  const CompileResult compiled = compile(*read.scenario);
  if (compiled.program == nullptr) throw std::runtime_error("calls.json: " + to_string(compiled.diagnostics.front()));
  return compiled.program;
}

void run_process(const Program& program, std::span<const std::uint8_t> bytes, std::span<TraceSink* const> sinks) {
  Position position;
  Tracer tracer(position, sinks);
  Names names(tracer);
  const node::Setup setup = {.profile = *program.profile,
                             .machine = program.machine,
                             .limits = program.limits,
                             .inputs = program.inputs,
                             .entry = program.entry,
                             .threadpool = program.threadpool,
                             .delay_resolution = program.delay_resolution,
                             .main_label = 0,
                             .seed = 1};
  quickjs::Engine engine(program, 1, tracer, names);
  quickjs::HostTest::give(engine, bytes);
  node::Environment environment(setup, engine, tracer, position);
  RunInfo info = run_info_of(program, 1, environment.clock_phase());
  info.names = names.list();
  tracer.begin(info);
  static_cast<void>(runtime::run_to_end(environment, tracer));
}

void run_window(const Program& program, std::span<const std::uint8_t> bytes, std::span<TraceSink* const> sinks) {
  Position position;
  Tracer tracer(position, sinks);
  Names names(tracer);
  const browser::Setup setup = {.browser = program.profile->browser,
                                .machine = program.machine,
                                .limits = program.limits,
                                .inputs = program.inputs,
                                .main_label = 0,
                                .seed = 1};
  quickjs::WebEngine engine(program, 1, tracer, names);
  quickjs::HostTest::give(engine, bytes);
  browser::Page page(setup, engine, tracer, position);
  RunInfo info = run_info_of(program, 1, page.clock_phase());
  info.names = names.list();
  tracer.begin(info);
  static_cast<void>(runtime::run_to_end(page, tracer));
}

}  // namespace

void call_bindings(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  const Profile& profile = profile_of(bytes[0]);
  const std::shared_ptr<const Program> program = program_for(profile);
  const auto hash = make_hash_sink();
  TraceSink* const all[] = {hash.get()};
  const std::span<TraceSink* const> sinks(all, (bytes[0] & kWithoutTrace) != 0 ? 0 : 1);
  const auto run_it = profile.family == Family::browser ? run_window : run_process;
  try {
    quickjs::with_stack_of_a_world([&] { run_it(*program, bytes.subspan(1), sinks); });
  } catch (const OutOfMemory&) {  // a documented end
  }
}

// A case is a run: [runtime] and calls of [moment, binding, count of arguments, values].
std::vector<std::string> each_binding() {
  constexpr std::size_t kStride = 7919;  // a prime: the cases come in an order that jumps
  std::vector<std::string> cases;
  const auto add = [&](std::size_t runtime, std::size_t count) {
    for (std::size_t binding = 0; binding < count; ++binding) {
      for (std::size_t value = 0; value < kValues; ++value) {
        std::string bytes(1,
                          static_cast<char>(runtime | ((binding + value) % 5 == 0 ? std::size_t{kWithoutTrace} : 0)));
        // In each place once, the others being of all kinds; in two moments, and a call with as many handles.
        for (std::size_t place = 0; place < 4; ++place) {
          bytes += static_cast<char>((binding + value + place) % kMoments);
          bytes += static_cast<char>(binding);
          const std::size_t arguments = place + 1 + (value + binding) % (kMostArguments - place - 1);
          bytes += static_cast<char>(arguments);
          for (std::size_t i = 0; i < arguments; ++i)
            bytes += static_cast<char>(i == place ? value : (value * 31 + binding * 7 + i * 13 + place) % kValues);
        }
        cases.push_back(std::move(bytes));
      }
    }
  };
  add(0, quickjs::HostTest::count<quickjs::Engine>());
  add(1, quickjs::HostTest::count<quickjs::WebEngine>());
  std::vector<std::string> ordered;
  for (std::size_t i = 0; i < cases.size(); ++i) ordered.push_back(cases[i * kStride % cases.size()]);
  return ordered;
}

}  // namespace loopsim::testing

// Writes dictionaries and seeds for the fuzzers, from the tables and the repository's scenarios.
// `fuzz_prepare SCENARIOS OUT` writes
//   OUT/scenario.dict, OUT/trace.dict     words of the language and of the trace format
//   OUT/seeds/scenario/, OUT/seeds/trace/ the scenarios, and the traces of short runs in both forms
//   OUT/seeds/grammar/                    random choices for the target `grammar`
//   OUT/seeds/bindings/                   the same for `bindings`, where there is an engine
//   OUT/seeds/program/                    programs in JavaScript: those that ship, and some that are composed

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "loopsim/machine_variation.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/trace.hpp"
#include "loopsim/verbs.hpp"

#include "sim/trace/compact_form.hpp"
#include "tests/fuzz/program_writer.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/writer.hpp"
#include "tests/support/raw_calls.hpp"

namespace {

namespace fs = std::filesystem;
using namespace loopsim;

using Words = std::set<std::string>;

constexpr std::uint64_t kWritten = 200;                  // seeds for the target `grammar`
[[maybe_unused]] constexpr std::size_t kEveryCall = 20;  // of those for the target `bindings`

// libFuzzer's dictionary format: a quoted word per line.
std::string dictionary(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    text += '"';
    for (const char c : word) {
      const unsigned byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte >= 0x7F) {
        text += fmt::format("\\x{:02X}", byte);
      } else {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
      }
    }
    text += "\"\n";
  }
  return text;
}

void add(Words& words, std::string_view word) { words.insert(fmt::format("\"{}\"", word)); }

Words scenario_words() {
  Words words = {"null",    "true", "false", "1e400", "\\u0000", "\\ud800", "{now}",
                 "{since ", "$",    "$$",    "[[",    "{}",      "[]",      "\xEF\xBB\xBF"};
  for (const std::string_view key : {"$schema",
                                     "title",
                                     "description",
                                     "source",
                                     "runtime",
                                     "machine",
                                     "params",
                                     "seed",
                                     "inputs",
                                     "main",
                                     "functions",
                                     "limits",
                                     "expect",
                                     "profile",
                                     "entry",
                                     "threadpool",
                                     "module",
                                     "parameters",
                                     "monitorEventLoopDelay",
                                     "time",
                                     "callbacks",
                                     "steps",
                                     "queue",
                                     "depth",
                                     "output",
                                     "exit",
                                     "order",
                                     "times",
                                     "limit",
                                     "cases",
                                     "set",
                                     "code",
                                     "at",
                                     "every",
                                     "count",
                                     "from",
                                     "until",
                                     "clients",
                                     "think",
                                     "on",
                                     "off",
                                     "preset",
                                     "cores",
                                     "speed",
                                     "overhead",
                                     "load",
                                     "quota",
                                     "period",
                                     "stalls",
                                     "clockPhase",
                                     "busy",
                                     "idle",
                                     "uniform",
                                     "exponential",
                                     "normal",
                                     "lognormal",
                                     "pareto",
                                     "choice",
                                     "sequence",
                                     "ideal",
                                     "process"})
    add(words, key);
  for (const VerbInfo& verb : verb_table()) {
    add(words, verb.name);
    words.insert(std::string(verb.example));
    for (const OptionInfo& option : verb.options) add(words, option.name);
    for (const std::string_view word : verb.words) add(words, word);
  }
  for (const Profile& profile : profiles()) add(words, profile.name);
  for (const SignalInfo& signal : signals()) add(words, signal.name);
  for (const std::string_view event : process_events()) add(words, event);
  for (const MachineUncertainty& one : machine_uncertainties(default_profile().major)) add(words, one.key);
  for (const MachineSpec& machine : machine_presets()) add(words, machine.name);
  std::erase_if(words, [](const std::string& word) { return word.size() > 120; });
  return words;
}

Words trace_words() {
  Words words = {"null", "true", "false", "18446744073709551615", "-9223372036854775808", "1e400", "\\ud800", "\n{"};
  words.insert(std::string(compact::kMagic));
  for (const std::string_view key : {"loopsim_trace", "i", "t", "lt", "turn", "phase", "ev"}) add(words, key);
  for (const EventInfo& event : event_table()) {
    add(words, event.name);
    for (const FieldInfo& field : event.fields) {
      add(words, field.key);
      for (const std::string_view word : field.words) add(words, word);
    }
  }
  for (int phase = 0; phase <= static_cast<int>(Phase::exit); ++phase) add(words, to_string(static_cast<Phase>(phase)));
  return words;
}

void write(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("could not write " + path.string());
}

}  // namespace

int main(int count, char** words) try {
  if (count != 3) throw std::runtime_error("fuzz_prepare takes SCENARIOS OUT");
  const fs::path scenarios = words[1];
  const fs::path out = words[2];
  fs::create_directories(out / "seeds/scenario");
  fs::create_directories(out / "seeds/trace");
  fs::create_directories(out / "seeds/grammar");
  fs::create_directories(out / "seeds/program");
  write(out / "scenario.dict", dictionary(scenario_words()));
  write(out / "trace.dict", dictionary(trace_words()));
  for (const auto& [name, document] : fuzz::scenario_seeds(scenarios)) {
    write(out / "seeds/scenario" / (name + ".json"), document);
    for (const auto& [form, trace] : fuzz::trace_seeds(document))
      write(out / "seeds/trace" / fmt::format("{}.{}", name, form), trace);
  }
  for (const auto& [name, program] : fuzz::program_seeds(scenarios)) write(out / "seeds/program" / name, program);
  for (std::uint64_t i = 0; i < kWritten; ++i) {
    const std::string bytes = fuzz::bytes_of_scenario(i);
    write(out / "seeds/grammar" / std::to_string(i), bytes);
    write(out / "seeds/program" / std::to_string(i),
          fuzz::program_text_of({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
  }
#if defined(LOOPSIM_WITH_BINDINGS)
  fs::create_directories(out / "seeds/bindings");
  const std::vector<std::string> calls = testing::each_binding();
  for (std::size_t i = 0; i < calls.size(); i += kEveryCall)
    write(out / "seeds/bindings" / std::to_string(i), calls[i]);
#endif
  return 0;
} catch (const std::exception& error) {
  std::cerr << "fuzz_prepare: " << error.what() << '\n';
  return 1;
}

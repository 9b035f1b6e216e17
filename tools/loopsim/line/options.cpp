#include "tools/loopsim/line/options.hpp"

#include <charconv>
#include <cstdlib>

#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/machine_options.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"

namespace loopsim::cli {
namespace {

std::optional<std::uint64_t> parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return seed;
}

}  // namespace

std::optional<Settings> read_settings(const Arguments& arguments, std::string_view option) {
  Settings settings;
  for (const std::string& setting : arguments.values(option)) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      report_usage_error({"option --" + std::string(option) + " takes NAME=VALUE, not \"" + setting + "\"", ""},
                         &arguments.command());
      return std::nullopt;
    }
    settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return settings;
}

std::optional<std::vector<std::uint64_t>> read_seeds(const Arguments& arguments) {
  std::vector<std::uint64_t> seeds;
  for (const std::string& text : arguments.values("seed")) {
    const std::optional<std::uint64_t> seed = parse_seed(text);
    if (!seed) {
      report_usage_error({"option --seed takes a whole number from 0 to 2^64-1, not \"" + text + "\"", ""},
                         &arguments.command());
      return std::nullopt;
    }
    seeds.push_back(*seed);
  }
  return seeds;
}

std::optional<ReadOptions> read_options(const Arguments& arguments, std::vector<Dimension>* varied) {
  const std::optional<Settings> settings = read_settings(arguments, "set");
  if (!settings) return std::nullopt;
  const std::optional<std::vector<std::uint64_t>> seeds = read_seeds(arguments);
  if (!seeds) return std::nullopt;
  std::optional<MachineChoice> machine = read_machine_options(arguments, varied != nullptr);
  if (!machine) return std::nullopt;
  ReadOptions options;
  options.runtime = arguments.value_or("runtime", "");
  options.overrides = std::move(machine->fixed);
  options.overrides.insert(options.overrides.end(), settings->begin(), settings->end());
  if (varied != nullptr) *varied = std::move(machine->varied);
  if (!seeds->empty()) options.seed = seeds->front();
  options.most_steps = step_ceiling();
  options.warns = !arguments.has("no-warnings");
  return options;
}

std::optional<Language> asked_language(const Arguments& arguments) {
  return find_language(arguments.value_or("lang", ""));
}

Language report_language(const Arguments& arguments) {
  const std::optional<Language> asked = asked_language(arguments);
  if (asked) return *asked;
  return language_of_locale(std::getenv("LC_ALL"), std::getenv("LC_MESSAGES"), std::getenv("LANG"));
}

}  // namespace loopsim::cli

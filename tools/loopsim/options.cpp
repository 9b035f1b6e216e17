#include "tools/loopsim/options.hpp"

#include <charconv>

#include "tools/loopsim/arguments.hpp"
#include "tools/loopsim/message.hpp"

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

std::optional<ReadOptions> read_options(const Arguments& arguments) {
  ReadOptions options;
  options.runtime = arguments.value_or("runtime", "");
  for (const std::string& setting : arguments.values("set")) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      report_usage_error({"option --set takes NAME=VALUE, not \"" + setting + "\"", ""}, &arguments.command());
      return std::nullopt;
    }
    options.overrides.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  if (arguments.has("seed")) {
    options.seed = parse_seed(arguments.value_or("seed", ""));
    if (!options.seed) {
      report_usage_error(
          {"option --seed takes a whole number from 0 to 2^64-1, not \"" + arguments.value_or("seed", "") + "\"", ""},
          &arguments.command());
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace loopsim::cli

#include "tools/loopsim/line/machine_options.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loopsim/scenario.hpp"
#include "loopsim/suggest.hpp"
#include "loopsim/units.hpp"

#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {

constexpr std::uint64_t kMostOfThem = 1024;  // cores or threads, as in the scenario language

// The value as it is laid over the document, or what is wrong with it.
using Checked = std::variant<std::string, UsageError>;

Checked object(std::string_view option, const std::string& text, std::string_view what, std::string_view example) {
  if (nlohmann::json::accept(text)) return text;
  return UsageError{fmt::format("option --{0} takes {1}, or a JSON object in single quotes, as in --{0} '{2}', not "
                                "\"{3}\"",
                                option, what, example, text),
                    ""};
}

Checked checked_machine(const std::string& text) {
  if (text.starts_with('{')) return object("machine", text, "a name", R"({"cores": 1})");
  std::vector<std::string_view> names;
  for (const MachineSpec& preset : machine_presets()) names.emplace_back(preset.name);
  if (std::ranges::find(names, text) != names.end()) return text;
  return UsageError{fmt::format("there is no machine \"{}\" (loopsim list machines shows them)", text),
                    text.ends_with(".json") ? "$(cat " + text + ")" : nearest(text, names)};
}

// "60%" and "60" are meant as 0.6, ".6" too. Empty: nothing comes near.
std::string share_meant_by(std::string_view text) {
  const bool has_sign = text.ends_with('%');
  if (has_sign) text.remove_suffix(1);
  const auto [number, length, fits] = parse_double(text);
  if (!fits || length == 0 || length != text.size() || number < 0 || number > 100) return "";
  return fmt::format("{:g}", has_sign || number > 1 ? number / 100 : number);
}

Checked checked_load(const std::string& text) {
  if (text.starts_with('{')) return object("load", text, "a share from 0 to 1", R"({"share": 0.6, "threads": 4})");
  const nlohmann::json share = nlohmann::json::parse(text, nullptr, false);
  if (share.is_number() && share.get<double>() >= 0 && share.get<double>() <= 1) return text;
  return UsageError{fmt::format("option --load takes a share from 0 to 1, or a JSON object, not \"{}\"", text),
                    share_meant_by(text)};
}

Checked checked_count(std::string_view option, const std::string& text) {
  const std::optional<std::uint64_t> count = parse_unsigned(text);
  if (count && *count >= 1 && *count <= kMostOfThem) return std::to_string(*count);
  return UsageError{fmt::format("option --{} takes a whole number from 1 to {}, not \"{}\"", option, kMostOfThem, text),
                    ""};
}

struct MachineOption {
  std::string_view name;
  std::string_view place;
};

constexpr std::array kOptions = {
    MachineOption{"machine", "/machine"},
    MachineOption{"load", "/machine/load"},
    MachineOption{"cores", "/machine/cores"},
    MachineOption{"threads", "/runtime/threadpool"},
};

Checked checked(const MachineOption& option, const std::string& text) {
  if (option.name == "machine") return checked_machine(text);
  if (option.name == "load") return checked_load(text);
  return checked_count(option.name, text);
}

void report(const Arguments& arguments, const UsageError& error) { report_usage_error(error, &arguments.command()); }

// The values of a RANGE, or of a text that is one value. Nothing, after reporting the error.
std::optional<std::vector<std::string>> values_of(const Arguments& arguments, const MachineOption& option,
                                                  const std::string& text) {
  DimensionResult range = parse_dimension(fmt::format("--{}={}", option.name, text));
  if (!range.dimension && !text.empty()) {
    report(arguments, {"option " + range.message, range.suggestion});
    return std::nullopt;
  }
  return range.dimension ? std::move(range.dimension->values) : std::vector{text};
}

// What is wrong with a value where there can be no range. A range says so; --vary is what it lacks.
UsageError wrong_single_value(const MachineOption& option, const std::string& text, UsageError wrong) {
  const DimensionResult range = parse_dimension(fmt::format("--{}={}", option.name, text));
  if (!range.dimension || range.dimension->values.size() < 2) return wrong;
  return {fmt::format("option --{} takes one value, not \"{}\": a range is for loopsim sweep and loopsim orders",
                      option.name, text),
          ""};
}

// True if --set or --vary gives the same place, which has been reported.
bool is_given_twice(const Arguments& arguments, const MachineOption& option) {
  for (const std::string_view other : {"set", "vary"}) {
    for (const std::string& setting : arguments.values(other)) {
      const std::string_view name = std::string_view(setting).substr(0, setting.find('='));
      if (name != option.place && (option.name != "machine" || name != "/machine/preset")) continue;
      report(arguments,
             {fmt::format("--{} and --{} {} say the same thing twice: give one of them", option.name, other, setting),
              ""});
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<MachineChoice> read_machine_options(const Arguments& arguments, bool takes_ranges) {
  MachineChoice choice;
  for (const MachineOption& option : kOptions) {
    if (!arguments.has(option.name)) continue;
    if (is_given_twice(arguments, option)) return std::nullopt;
    const std::string text = arguments.value_or(option.name, "");
    const auto values = takes_ranges ? values_of(arguments, option, text) : std::vector{text};
    if (!values) return std::nullopt;
    Dimension dimension{std::string(option.place), {}};
    for (const std::string& value : *values) {
      Checked one = checked(option, value);
      if (auto* const wrong = std::get_if<UsageError>(&one)) {
        report(arguments, takes_ranges ? *wrong : wrong_single_value(option, text, std::move(*wrong)));
        return std::nullopt;
      }
      dimension.values.push_back(std::get<std::string>(std::move(one)));
    }
    if (dimension.values.size() == 1) {
      choice.fixed.emplace_back(option.place, dimension.values.front());
    } else {
      choice.varied.push_back(std::move(dimension));
    }
  }
  return choice;
}

std::optional<std::array<Settings, 2>> read_machine_sides(const Arguments& arguments) {
  std::array<Settings, 2> sides;
  for (const MachineOption& option : kOptions) {
    const std::span<const std::string> values = arguments.values(option.name);
    if (values.empty()) continue;
    if (is_given_twice(arguments, option)) return std::nullopt;
    if (values.size() > sides.size()) {
      report(arguments, {fmt::format("diff takes --{} once, or twice: one for each side", option.name), ""});
      return std::nullopt;
    }
    for (std::size_t side = 0; side < sides.size(); ++side) {
      const std::string& text = values[std::min(side, values.size() - 1)];
      Checked one = checked(option, text);
      if (auto* const wrong = std::get_if<UsageError>(&one)) {
        report(arguments, wrong_single_value(option, text, std::move(*wrong)));
        return std::nullopt;
      }
      sides[side].emplace_back(option.place, std::get<std::string>(std::move(one)));
    }
  }
  return sides;
}

std::string_view place_of_machine_option(std::string_view option) {
  const auto known = std::ranges::find(kOptions, option, &MachineOption::name);
  return known == kOptions.end() ? std::string_view() : known->place;
}

bool has_machine_options(const Arguments& arguments) {
  return std::ranges::any_of(kOptions, [&](const MachineOption& option) { return arguments.has(option.name); });
}

bool differs_by_machine(const Arguments& arguments) {
  return std::ranges::any_of(kOptions,
                             [&](const MachineOption& option) { return arguments.values(option.name).size() > 1; });
}

}  // namespace loopsim::cli

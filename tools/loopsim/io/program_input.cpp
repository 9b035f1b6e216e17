#include "tools/loopsim/io/program_input.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {

// A key as a part of a JSON pointer.
std::string token_of(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~' || c == '/') {
      token += c == '~' ? "~0" : "~1";
    } else {
      token += c;
    }
  }
  return token;
}

// A text that is no "$param".
std::string plain(std::string_view text) { return (text.starts_with('$') ? "$" : "") + std::string(text); }

std::string json_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The bytes of a file as a text, or, where they are not all ASCII, as {"latin1": TEXT}: each character is a byte.
std::string json_of_bytes(const std::string& bytes) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(bytes, is_ascii)) return json_of(plain(bytes));
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_ascii(c)) {
      text += c;
    } else {
      text += static_cast<char>(0xc0U | (byte >> 6U));
      text += static_cast<char>(0x80U | (byte & 0x3fU));
    }
  }
  return json_of({{"latin1", plain(text)}});
}

bool add_input(const Arguments& arguments, Settings& settings) {
  const std::string file = arguments.value_or("stdin", "");
  if (file == "-" && std::ranges::find(arguments.operands(), "-") != arguments.operands().end()) {
    report_usage_error({"standard input can be either FILE or what --stdin gives to the program", ""},
                       &arguments.command());
    return false;
  }
  const std::optional<std::string> bytes = read_input(file);
  if (bytes) settings.emplace_back("/stdin", json_of_bytes(*bytes));
  return bytes.has_value();
}

}  // namespace

std::optional<Settings> read_program_options(const Arguments& arguments) {
  Settings settings;
  const std::optional<Settings> variables = read_settings(arguments, "env");
  if (!variables) return std::nullopt;
  for (const auto& [name, value] : *variables) settings.emplace_back("/env/" + token_of(name), json_of(plain(value)));
  for (const std::string& name : arguments.values("stub")) settings.emplace_back("/stubs/" + token_of(name), "{}");
  if (arguments.has("stdin") && !add_input(arguments, settings)) return std::nullopt;
  const std::span<const std::string> words = arguments.program_arguments();
  if (!words.empty()) {
    nlohmann::json list = nlohmann::json::array();
    for (const std::string& word : words) list.push_back(plain(word));
    settings.emplace_back("/arguments", json_of(list));
  }
  return settings;
}

std::optional<ReadOptions> read_run_options(const Arguments& arguments, std::vector<Dimension>* varied) {
  const std::optional<Settings> program = read_program_options(arguments);
  std::optional<ReadOptions> options = program ? read_options(arguments, varied) : std::nullopt;
  if (options) options->overrides.insert(options->overrides.begin(), program->begin(), program->end());
  return options;
}

bool has_program_options(const Arguments& arguments) {
  return arguments.has("env") || arguments.has("stdin") || arguments.has("stub") ||
         !arguments.program_arguments().empty();
}

}  // namespace loopsim::cli

#include "tools/loopsim/line/trace_target.hpp"

#include <algorithm>
#include <cstddef>

#include "loopsim/suggest.hpp"

#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {
namespace {

// `word` must be one of kTraceFormats.
TraceFormat format_of(std::string_view word) {
  const std::vector<std::string_view> words = allowed_words(kTraceFormats);
  return static_cast<TraceFormat>(std::ranges::find(words, word) - words.begin());
}

std::string_view name_of(TraceFormat format) { return allowed_words(kTraceFormats)[static_cast<std::size_t>(format)]; }

// "a" and "./a" are the same place, and so are two links to one regular file.
bool is_same_place(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return a == b;
  if (is_same_file(a, b)) return is_regular_file(a) || a == b;
  return real_path(a) == real_path(b);
}

}  // namespace

std::optional<std::vector<TraceTarget>> read_targets(const Arguments& arguments) {
  const auto mistake = [&arguments](std::string message) -> std::optional<std::vector<TraceTarget>> {
    report_usage_error({std::move(message), ""}, &arguments.command());
    return std::nullopt;
  };

  std::vector<TraceTarget> targets;
  std::optional<std::size_t> unplaced;  // the target without a file: --output applies
  const auto add = [&](std::string_view word) {
    const std::size_t equals = word.find('=');
    TraceTarget target{format_of(word.substr(0, equals))};
    if (equals == std::string_view::npos) {
      target.path = arguments.value_or("output", "-");
      unplaced = targets.size();
    } else {
      target.path = word.substr(equals + 1);
    }
    targets.push_back(target);
  };

  for (const std::string& word : arguments.values("format")) {
    if (unplaced && word.find('=') == std::string::npos) {
      const std::string place = arguments.has("output") ? targets[*unplaced].path : "standard output";
      return mistake(std::string(name_of(targets[*unplaced].format)) + " and " + word + " cannot both go to " + place +
                     ": name a file, --format " + word + "=FILE");
    }
    add(word);
  }
  if (targets.empty()) add("text");
  if (arguments.has("output") && !unplaced) {
    return mistake("option --output is for a format without a file of its own, and every --format has one");
  }
  for (const std::string& word : arguments.values("also")) {
    const std::vector<std::string_view> formats = allowed_words(kTraceFormats);
    const std::string_view format = std::string_view(word).substr(0, word.find('='));
    if (format.size() == word.size() || std::ranges::find(formats, format) == formats.end()) {
      const std::string file(std::string_view(word).substr(format.size()));
      std::string close(format.size() == word.size() ? std::string_view{} : nearest(format, formats));
      if (!close.empty()) close += file;
      report_usage_error({"option --also takes FORMAT=FILE, not \"" + word + "\"", close}, &arguments.command());
      return std::nullopt;
    }
    add(word);
  }

  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].path.empty()) {
      const std::string name(name_of(targets[i].format));
      return mistake("no file is named in \"" + name + "=\"");
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!is_same_place(targets[k].path, targets[i].path)) continue;
      return mistake("two traces cannot go to the same place: " + targets[i].path);
    }
  }
  return targets;
}

}  // namespace loopsim::cli

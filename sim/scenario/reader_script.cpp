// A program in JavaScript: its text, its environment, the files that it finds, and what its work takes.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/suggest.hpp"
#include "loopsim/verbs.hpp"

#include "sim/scenario/reader.hpp"
#include "sim/scenario/script_words.hpp"

namespace loopsim {

namespace {

constexpr std::array<std::string_view, 3> kFileKeys = {"text", "size", "takes"};
constexpr std::array<std::string_view, 1> kInputKeys = {"latin1"};
constexpr std::array<std::string_view, 5> kCommandKeys = {"takes", "stdout", "stderr", "code", "signal"};
constexpr std::int64_t kLargestCode = 255;
constexpr std::int64_t kLargestFile = std::int64_t{1} << 31U;

}  // namespace

// Of a script that the command line names: the document around it is not the user's, and has no place to show.
void Reader::script_error(const Script& script, std::string message) {
  if (!may_tell()) return;
  Diagnostic diagnostic;
  diagnostic.file = script.file;
  diagnostic.message = std::move(message);
  diagnostics_.push_back(std::move(diagnostic));
}

// A text names a file; a list has the lines themselves; an object has both, the file's name and its text.
void Reader::read_script(NodeIndex node) {
  if (profile_->family == Family::libuv)
    return error(node, fmt::format("a script runs in Node, and the runtime is {}", profile_->name));
  Script script;
  if (kind(node) == Kind::text) {
    script.file = text(node);
    std::optional<std::string> source;
    if (options_.read_file) source = options_.read_file(script.file);
    if (!source) return error(node, fmt::format("cannot read the script {}", document_.json(node)));
    script.source = *std::move(source);
  } else if (kind(node) == Kind::object) {
    const NodeIndex file = document_.find(node, "file");
    const NodeIndex source = document_.find(node, "text");
    if (file == kNone || source == kNone || !is_kind(file, Kind::text, "the name of a file") ||
        !is_kind(source, Kind::text, "the file's text")) {
      return error(node, "a script that is an object has \"file\" and \"text\"");
    }
    script.file = text(file);
    script.source = text(source);
  } else {
    script.file = "script.js";
    for (const std::string& line : read_lines(node, "the name of a file, or a list of texts (lines)")) {
      script.source += line;
      script.source += '\n';
    }
  }
  if (script.file.ends_with(".mjs") && scenario_.runtime.entry != EntryPoint::module) {
    scenario_.runtime.entry = EntryPoint::module;
    if (kind(node) != Kind::object)
      check_since(node, kMainModule, kFirstWithModules);
    else if (is_too_new(kFirstWithModules))
      script_error(script,
                   fmt::format("Node {} has no ES modules as main scripts, only Node {} and later; try -r node-{}",
                               profile_->major, kFirstWithModules, kFirstWithModules));
  }
  if (options_.folder_of) script.folder = options_.folder_of(script.file);
  scenario_.script = std::move(script);
}

void Reader::read_script_environment(NodeIndex node) {
  if (node == kNone || !scenario_.script) return;
  if (!is_kind(node, Kind::object, "an object of texts and numbers, the variables of process.env")) return;
  for (const NodeIndex value : children(document_, node)) {
    if (kind(value) == Kind::number)
      scenario_.script->environment.emplace_back(key(value), document_.json(value));
    else if (is_kind(value, Kind::text, "a text or a number"))
      scenario_.script->environment.emplace_back(key(value), text(value));
  }
}

// The words of its command line.
void Reader::read_script_arguments(NodeIndex node) {
  if (!is_of_node(node)) return;
  if (!is_kind(node, Kind::list, "a list of texts, the program's arguments")) return;
  for (const NodeIndex word : children_of(node)) {
    if (kind(word) == Kind::number)
      scenario_.script->arguments.push_back(document_.json(word));
    else if (is_kind(word, Kind::text, "a text or a number"))
      scenario_.script->arguments.emplace_back(text(word));
  }
}

// A text, as UTF-8; {"latin1": TEXT} has a byte for each character.
void Reader::read_script_input(NodeIndex node) {
  if (!is_of_node(node)) return;
  if (kind(node) == Kind::text) {
    scenario_.script->input = text(node);
    return;
  }
  if (!is_kind(node, Kind::object, "a text, what the program reads from standard input")) return;
  check_keys(node, kInputKeys, "what a program reads");
  const NodeIndex bytes = document_.find(node, kInputKeys.front());
  if (bytes == kNone || !is_kind(bytes, Kind::text, "a text, each character a byte")) return;
  std::string input;
  const std::string_view written = text(bytes);
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto byte = static_cast<unsigned char>(written[i]);
    constexpr unsigned char kLast = 0xc3;  // the first byte of U+00FF
    if (byte > kLast) return error(bytes, "a character of \"latin1\" is a byte, U+0000 to U+00FF");
    input += byte < 0x80 ? written[i]
                         : static_cast<char>((byte & 0x3U) << 6U | (static_cast<unsigned char>(written[++i]) & 0x3fU));
  }
  scenario_.script->input = std::move(input);
}

// By their names: objects, which the program gets in place of these modules.
void Reader::read_script_stubs(NodeIndex node) {
  if (!is_of_node(node)) return;
  if (!is_kind(node, Kind::object, "an object of modules by name, such as {\"tls\": {}}")) return;
  for (const NodeIndex module : children_of(node)) {
    if (!is_kind(module, Kind::object, "an object, what the module exports: {} is an empty one")) continue;
    const std::string_view name = key(module);
    scenario_.script->stubs.emplace_back(name.starts_with("node:") ? name.substr(5) : name, document_.json(module));
  }
}

// Whether there is a script that runs in Node; otherwise reports that the key is for one.
bool Reader::is_of_node(NodeIndex node) {
  if (!scenario_.script) return false;  // reported
  if (profile_->family == Family::node) return true;
  key_error(node, fmt::format("only a script in Node has \"{}\", and the runtime is {}", key(node), profile_->name));
  return false;
}

// By their paths: a text, the contents; or an object.
void Reader::read_files(NodeIndex node) {
  if (!scenario_.script) return;  // reported
  if (!is_kind(node, Kind::object, "an object of files, each with its text, or its \"size\" and what it \"takes\""))
    return;
  for (const NodeIndex file : children_of(node)) read_file(file);
}

void Reader::read_file(NodeIndex node) {
  ScriptFile file;
  file.path = key(node);
  const bool is_folder = file.path.ends_with('/');
  if (file.path.empty()) return key_error(node, "a file has a path, from the folder of the script or absolute");
  if (kind(node) == Kind::text && !is_folder) {
    file.text = text(node);
  } else {
    if (!is_kind(node, Kind::object, is_folder ? "an object: of a folder it is empty" : "a text or an object")) return;
    check_keys(node, is_folder ? Words(kFileKeys).last(1) : Words(kFileKeys), is_folder ? "a folder" : "a file");
    const NodeIndex words = document_.find(node, "text");
    const NodeIndex size = document_.find(node, "size");
    if (words != kNone && size != kNone) error(size, "a file has a \"text\" or a \"size\", not both");
    if (words != kNone && is_kind(words, Kind::text, "a text")) file.text = text(words);
    if (size != kNone) file.size = static_cast<std::uint64_t>(read_whole(size, 0, kLargestFile, "a number of bytes"));
    if (const NodeIndex takes = document_.find(node, "takes"); takes != kNone) read_file_times(takes, file);
  }
  scenario_.script->files.push_back(std::move(file));
}

// One duration is that of a read and of a write.
void Reader::read_file_times(NodeIndex node, ScriptFile& file) {
  if (kind(node) != Kind::object || is_distribution(node)) {
    const std::uint32_t duration = keep_script_duration(node);
    file.times = {{"read", duration}, {"write", duration}};
    return;
  }
  for (const NodeIndex time : children_of(node)) {
    if (std::ranges::find(kFileRequests, key(time)) == kFileRequests.end()) {
      key_error(
          time,
          fmt::format("\"{}\" is no request of a file; expected one of {}", key(time), fmt::join(kFileRequests, ", ")),
          nearest(key(time), {kFileRequests.begin(), kFileRequests.end()}));
      continue;
    }
    file.times.emplace_back(key(time), keep_script_duration(time));
  }
}

// What a request takes where its file does not say so: by the module and the operation.
void Reader::read_takes(NodeIndex node) {
  if (!scenario_.script) return;  // reported
  if (!is_kind(node, Kind::object, "an object of durations, such as {\"dns.lookup\": \"2ms\"}")) return;
  const std::vector<std::string> words = script_work();
  for (const NodeIndex time : children_of(node)) {
    if (std::ranges::find(words, key(time)) == words.end()) {
      key_error(
          time,
          fmt::format("\"{}\" is no work; expected a module and what it does, such as \"fs.read\", \"dns.lookup\", "
                      "\"crypto.pbkdf2\" or \"zlib.gzip\"",
                      key(time)),
          nearest(key(time), {words.begin(), words.end()}));
      continue;
    }
    scenario_.script->times.emplace_back(key(time), keep_script_duration(time));
  }
}

// What commands do that the script starts, by what it calls them: a text, what one prints; or an object.
void Reader::read_commands(NodeIndex node) {
  if (!scenario_.script) return;  // reported
  if (!is_kind(node, Kind::object,
               R"(an object of commands, such as {"git status": {"takes": "3ms", "stdout": "clean\n"}})"))
    return;
  for (const NodeIndex command : children_of(node)) read_command(command);
}

void Reader::read_command(NodeIndex node) {
  ScriptCommand command;
  command.name = key(node);
  if (command.name.empty()) return key_error(node, "a command has a name");
  if (kind(node) == Kind::text) {
    command.out = text(node);
  } else {
    if (!is_kind(node, Kind::object, "a text, what it prints, or an object")) return;
    check_keys(node, kCommandKeys, "a command");
    const auto member = [&](std::string_view name) { return document_.find(node, name); };
    if (const NodeIndex takes = member("takes"); takes != kNone) command.takes = keep_script_duration(takes);
    if (const NodeIndex out = member("stdout"); out != kNone && is_kind(out, Kind::text, "a text"))
      command.out = text(out);
    if (const NodeIndex out = member("stderr"); out != kNone && is_kind(out, Kind::text, "a text"))
      command.error_out = text(out);
    const NodeIndex code = member("code"), signal = member("signal");
    if (code != kNone) command.code = static_cast<int>(read_whole(code, 0, kLargestCode, "an exit code"));
    if (signal != kNone && is_kind(signal, Kind::text, "the name of a signal")) {
      command.signal = text(signal);
      if (code != kNone) error(signal, "a command ends with a \"code\" or by a \"signal\", not both");
      if (find_signal(command.signal) == nullptr)
        error(signal, fmt::format("there is no signal \"{}\"; expected one such as \"SIGTERM\"", command.signal));
    }
  }
  scenario_.script->commands.push_back(std::move(command));
}

std::uint32_t Reader::keep_script_duration(NodeIndex node) {
  std::vector<Duration>& durations = scenario_.script->durations;
  durations.push_back(read_duration(node));
  return static_cast<std::uint32_t>(durations.size() - 1);
}

}  // namespace loopsim

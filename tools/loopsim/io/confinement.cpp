#include "tools/loopsim/io/confinement.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include "tools/loopsim/io/child_program.hpp"
#include "tools/loopsim/io/module_files.hpp"
#include "tools/loopsim/io/node_library.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"

namespace loopsim::cli {
namespace {

void add(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// An operand, and what its programs see. A folder is searched for scenarios, whose scripts are in it or in its root.
void allow_input(SandboxRules& rules, const std::string& path) {
  if (path != "-") rules.reads.push_back(path);
  const std::string root = root_of_folder(path == "-" ? "" : is_folder(path) ? path : folder_of(path));
  rules.reads.push_back(root);
  add(rules.reads, packages_above(root));
}

// A file is written beside its name, and then renamed; where the name is a link, beside what it leads to. What is there and is no
// file, a device or a pipe, is written as it is.
void allow_output(SandboxRules& rules, const std::string& path) {
  if (path.empty() || path == "-") return;
  if (exists(path) && !is_regular_file(path)) {
    rules.writes.push_back(path);
    return;
  }
  // Not the file itself: a rule holds it, and its room on the disk, for a moment after the process has ended.
  rules.makes.push_back(folder_of(path));
  rules.makes.push_back(folder_of(real_path(path)));
}

// The path in a value of an option that names a file: "FILE", "FORMAT=FILE", "FORMAT[=FILE]". Empty: there is none.
std::string file_in(const Option& option, const std::string& value) {
  if (option.value == "FILE") return value;
  const std::size_t equals = value.find('=');
  return equals == std::string::npos ? "" : value.substr(equals + 1);
}

bool is_picture(const Option& option, std::string_view value) {
  if (option.name == "plot" || option.name == "plot-histogram")
    return !value.ends_with(".csv") && !value.ends_with(".gp");
  return (option.name == "format" || option.name == "also") && (value.starts_with("png") || value.starts_with("pdf"));
}

// What gnuplot and rsvg-convert are: themselves, libraries, fonts.
void allow_pictures(SandboxRules& rules) {
  add(rules.runs, {"/usr",
                   "/bin",
                   "/sbin",
                   "/lib",
                   "/lib32",
                   "/lib64",
                   "/libx32",
                   "/opt",
                   "/nix/store",
                   "/gnu/store",
                   "/etc/fonts",
                   "/etc/gnuplot",
                   "/etc/ld.so.cache",
                   "/etc/ld.so.conf",
                   "/etc/ld.so.conf.d",
                   "/etc/ld.so.preload",
                   "/etc/localtime",
                   "/etc/locale.alias",
                   "/etc/alternatives",
                   "/var/cache/fontconfig",
                   "/dev/urandom"});
  add(rules.writes, {"/dev/null"});
  add(rules.reads, {"/dev/null"});
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    for (const char* const fonts :
         {".fonts", ".fonts.conf", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig", ".gnuplot"})
      rules.reads.push_back(path_below(home, fonts));
  }
  for (const std::string_view program : {"gnuplot", "rsvg-convert"}) {
    for (const std::string& file : on_path(program)) {
      const std::string folder = folder_of(real_path(file));
      add(rules.runs, {file, folder});
      for (const char* const beside : {"lib", "libexec", "share"})
        rules.runs.push_back(path_below(folder_of(folder), beside));
    }
  }
}

constexpr std::string_view kInput = "stdin";     // the option that names a file to read
constexpr std::string_view kResumed = "resume";  // a command that has it reads its journal beside the output

}  // namespace

SandboxRules rules_of(const Arguments& arguments) {
  SandboxRules rules;
  for (const std::string& path : arguments.operands()) allow_input(rules, path);
  add(rules.reads, node_library_folders());
  bool has_journal = false;
  bool has_pictures = arguments.command().name == "plot";  // to standard output, too
  for (const std::span<const Option> group : arguments.command().options) {
    for (const Option& option : group) {
      has_journal = has_journal || option.name == kResumed;
      if (option.value.find("FILE") == std::string_view::npos) continue;
      for (const std::string& value : arguments.values(option.name)) {
        if (option.name == kInput)
          rules.reads.push_back(value);
        else
          allow_output(rules, file_in(option, value));
        has_pictures = has_pictures || is_picture(option, value);
      }
    }
  }
  if (has_journal) add(rules.reads, rules.makes);
  if (has_pictures) allow_pictures(rules);
  return rules;
}

bool confine(const Arguments& arguments, const SandboxRules& rules) {
  const bool must_be = arguments.has("sandbox");
  if (arguments.has("no-sandbox") || (!must_be && !is_sandbox_default())) return true;
  const Sandbox sandbox = shut_in(rules);
  if (!must_be || sandbox.is_whole()) return true;
  report_error(
      sandbox.guards_files ? "--sandbox cannot be had: this system lets no program refuse itself calls (seccomp)"
      : sandbox.guards_calls
          ? "--sandbox cannot be had: this system lets no program refuse itself files (Landlock, Linux 5.13 and later)"
          : "--sandbox cannot be had: this system has neither Landlock nor seccomp");
  return false;
}

}  // namespace loopsim::cli

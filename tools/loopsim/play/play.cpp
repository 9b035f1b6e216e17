// loopsim play: serves the playground, with a file that it follows, or writes it as a site.

#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "loopsim/units.hpp"

#include "tools/loopsim/io/child_program.hpp"
#include "tools/loopsim/io/confinement.hpp"
#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/arguments.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/options.hpp"
#include "tools/loopsim/line/paths.hpp"
#include "tools/loopsim/play/server.hpp"
#include "tools/page/play_asset.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kOpener = "xdg-open";  // of freedesktop.org: opens an address with what the user has chosen

bool is_playground(std::string_view page) { return page.find("id=\"play\"") != std::string_view::npos; }

// The playground: of the program, or of the file that --page names. Empty after reporting that there is none.
std::optional<std::string> read_playground(const Arguments& arguments) {
  if (arguments.has("page")) {
    const std::string path = arguments.value_or("page", "");
    std::optional<std::string> page = read_input(path);
    if (page && !is_playground(*page)) {
      report_error(path + " is no playground of loopsim");
      return std::nullopt;
    }
    return page;
  }
  if (!play_asset().empty()) return std::string(play_asset());
  report_error(
      "this program was built without its playground (docs/playground.md#how-it-is-built).\n"
      "Build it again with -D LOOPSIM_PLAYGROUND_ENGINE=loopsim.wasm, or give a playground that was built elsewhere: "
      "--page FILE");
  return std::nullopt;
}

ExitStatus write_site(const std::string& folder, const std::string& page) {
  if (::mkdir(folder.c_str(), 0777) != 0 && !is_folder(folder)) {
    report_system_error("write", folder, errno == EEXIST ? ENOTDIR : errno);
    return ExitStatus::output_failed;
  }
  const std::string index = path_below(folder, "index.html");
  // The name was not given by the user, who may have a site there.
  if (exists(index)) {
    const std::optional<std::string> there = read_input(index);
    if (!there) return ExitStatus::output_failed;
    if (!is_playground(*there)) {
      report_error(index +
                   " is there, and is no playground of loopsim: it stays as it is. Remove it, or name another folder");
      return ExitStatus::output_failed;
    }
  }
  return write_output(index, page) ? ExitStatus::ok : ExitStatus::output_failed;
}

std::optional<std::uint16_t> read_port(const Arguments& arguments) {
  constexpr std::uint64_t kMost = 65535;
  const std::string text = arguments.value_or("port", "0");
  const std::optional<std::uint64_t> port = parse_unsigned(text);
  if (port && *port <= kMost) return static_cast<std::uint16_t>(*port);
  report_usage_error({fmt::format("option --port takes a whole number from 0 to {}, not \"{}\"", kMost, text), ""},
                     &arguments.command());
  return std::nullopt;
}

ExitStatus serve(const Arguments& arguments, const std::string& page, const std::string& file) {
  const std::optional<std::uint16_t> port = read_port(arguments);
  if (!port) return ExitStatus::bad_input;
  if (!file.empty() && !read_served(file)) {
    report_error(why_unread(file, errno));
    return ExitStatus::bad_input;
  }
  Server server;
  const int error = server.listen(*port);
  if (error == ENOSYS) {
    report_error(
        "WebAssembly has no sockets to serve on. Write the playground to a folder, and open DIR/index.html: loopsim "
        "play --output DIR");
    return ExitStatus::bad_input;
  }
  if (error != 0) {
    report_system_error("serve on", fmt::format("127.0.0.1:{}", *port), error);
    return ExitStatus::bad_input;
  }
  Site site(page, file);
  site.set_port(server.port());
  const std::string address = fmt::format("http://127.0.0.1:{}/", server.port());
  if (!write_output("-", address + "   (Ctrl+C ends)\n")) return ExitStatus::output_failed;
  if (!arguments.has("no-open") && is_on_path(kOpener)) {
    const std::array<std::string, 2> words = {std::string(kOpener), address};
    static_cast<void>(start_program(words));  // the address has been told
  }
  SandboxRules rules;
  if (!file.empty()) rules.reads.push_back(folder_of(file));  // editors write a new file in its place
  rules.answers = true;
  if (!confine(arguments, rules)) return ExitStatus::bad_input;
  server.run(site);
  return ExitStatus::ok;
}

ExitStatus run_play(const Arguments& arguments) {
  const std::string file = arguments.operands().empty() ? std::string() : arguments.operands().front();
  const bool writes = arguments.has("output");
  const auto wrong = [&arguments](std::string message) {
    report_usage_error({std::move(message), ""}, &arguments.command());
    return ExitStatus::bad_input;
  };
  if (writes && !file.empty()) return wrong("the site that --output writes has no file of its own");
  if (writes && arguments.has("port")) return wrong("option --port says where to serve, and --output serves nothing");
  if (file == "-") return wrong("play follows a file on the disk, and standard input is none");
  const std::optional<std::string> page = read_playground(arguments);
  if (!page) return ExitStatus::bad_input;
  return writes ? write_site(arguments.value_or("output", ""), *page) : serve(arguments, *page, file);
}

// ---- command line ---------------------------------------------------------------------------------------------------------------

constexpr std::array kOperands = {Operand{
    "FILE", "a JavaScript program (.js, .cjs, .mjs) or a scenario (.json); the page follows it when it changes"}};

constexpr std::array kOwnOptions = {
    Option{"port", 'p', "N", false, "serve on this port; one that is free when it is not given"},
    Option{"no-open", 0, "", false, "only print the address, and open no browser"},
    Option{"output", 'o', "DIR", false, "write the site to DIR/index.html, for any server or none, and serve nothing"},
    Option{"page", 0, "FILE", false, "a playground that was built elsewhere (play.html), instead of the program's own"},
};

constexpr std::array<std::span<const Option>, 2> kOptions = {kOwnOptions, kCommonOptions};

}  // namespace

const Command kPlayCommand = {
    .name = "play",
    .usage = "[FILE] [OPTION]...",
    .summary = "Open the playground in a browser: write a program, and see its run beside it.",
    .details =
        "It is served on 127.0.0.1, for this machine alone, until Ctrl+C. Nothing else is served than the page and\n"
        "FILE, and other sites are refused. When FILE changes, it is loaded again.\n",
    .operands = kOperands,
    .least_operands = 0,
    .most_operands = 1,
    .options = kOptions,
    .run = run_play,
};

}  // namespace loopsim::cli

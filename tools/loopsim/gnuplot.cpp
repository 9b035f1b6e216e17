#include "tools/loopsim/gnuplot.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/loopsim/message.hpp"

extern char** environ;

namespace loopsim::cli {
namespace {

constexpr std::string_view kMissing =
    "gnuplot draws the pictures, and it is not there. Install it (Debian: apt-get install gnuplot-nox), or leave out "
    "--plot";

// ---- running it -------------------------------------------------------------------------------------------------------------------

// A pipe whose ends are closed when it goes; neither end is for other programs.
class Pipe {
 public:
  Pipe() { is_open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
  bool is_open_ = false;
};

struct Finished {
  int error = 0;  // errno of starting it; ENOENT: there is no such program
  int status = 0;
  std::string output;
  std::string errors;
};

// Moves what is there from a pipe to a text; false when its other end is closed.
bool read_some(int file, std::string& text) {
  std::array<char, 1 << 16> piece{};
  const ssize_t count = ::read(file, piece.data(), piece.size());
  if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

// Feeds the script and takes both outputs, whichever can go on: neither side ever waits for the other.
void exchange(Pipe& input, Pipe& output, Pipe& errors, std::string_view script, Finished& finished) {
  static_cast<void>(::fcntl(input.write_end(), F_SETFL, O_NONBLOCK));
  while (output.read_end() >= 0 || errors.read_end() >= 0) {
    if (script.empty()) input.close(1);
    std::array<pollfd, 3> files = {pollfd{input.write_end(), POLLOUT, 0}, pollfd{output.read_end(), POLLIN, 0},
                                   pollfd{errors.read_end(), POLLIN, 0}};
    if (::poll(files.data(), files.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (files[0].revents != 0) {
      const ssize_t count = ::write(input.write_end(), script.data(), script.size());
      if (count > 0) script.remove_prefix(static_cast<std::size_t>(count));
      if (count < 0 && errno != EINTR && errno != EAGAIN) script = {};  // it does not want any more
    }
    if (files[1].revents != 0 && !read_some(output.read_end(), finished.output)) output.close(0);
    if (files[2].revents != 0 && !read_some(errors.read_end(), finished.errors)) errors.close(0);
  }
}

Finished run_gnuplot(std::string_view script, const char* option) {
  Finished finished;
  Pipe input;
  Pipe output;
  Pipe errors;
  if (!input.is_open() || !output.is_open() || !errors.is_open()) {
    finished.error = errno;
    return finished;
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input.read_end(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.write_end(), STDERR_FILENO);
  std::string name = "gnuplot";
  std::string defaults = "--default-settings";  // not what the user has set up for other pictures
  std::string word = option;
  const std::array<char*, 4> words = {name.data(), defaults.data(), word.data(), nullptr};
  pid_t process = 0;
  finished.error = ::posix_spawnp(&process, name.c_str(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (finished.error != 0) return finished;

  input.close(0);
  output.close(1);
  errors.close(1);
  exchange(input, output, errors, script, finished);
  input.close(1);
  while (::waitpid(process, &finished.status, 0) < 0 && errno == EINTR) {}
  return finished;
}

bool report_when_not_started(const Finished& finished) {
  if (finished.error == ENOENT) {
    report_error(kMissing);
  } else if (finished.error != 0) {
    report_system_error("run", "gnuplot", finished.error);
  }
  return finished.error != 0;
}

// ---- the picture ------------------------------------------------------------------------------------------------------------------

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    result.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  text = result.append(text, begin);
}

// Replaces what stands between `from` and `to`, both included, where it first occurs.
void replace_between(std::string& text, std::string_view from, std::string_view to, std::string_view by) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return;
  const std::size_t end = text.find(to, begin);
  if (end != std::string::npos) text.replace(begin, end + to.size() - begin, by);
}

std::string escaped(std::string_view text) {
  std::string xml;
  for (const char c : text) {
    if (c == '&') {
      xml += "&amp;";
    } else if (c == '<') {
      xml += "&lt;";
    } else if (c == '>') {
      xml += "&gt;";
    } else {
      xml += c;
    }
  }
  return xml;
}

constexpr std::string_view kStyle =
    "<style>svg { color: #1a1a1a } @media (prefers-color-scheme: dark) { svg { color: #ececec } }</style>";

// gnuplot writes black as black; the ink is the page's instead. Which version drew it is no part of the picture.
std::string for_any_page(std::string svg, std::string_view title) {
  replace_between(svg, "<title>Gnuplot</title>", "</desc>",
                  fmt::format("<title>{}</title>\n{}", escaped(title), kStyle));
  replace_all(svg, " color=\"black\"", "");
  replace_all(svg, "\"black\"", "\"currentColor\"");
  replace_all(svg, "'black'", "'currentColor'");
  replace_all(svg, "rgb(  0,   0,   0)", "currentColor");
  return svg;
}

}  // namespace

std::string gnuplot_head(int width, int height) {
  return fmt::format(
      "set terminal svg size {},{} dynamic noenhanced font 'sans-serif,22' linewidth 1.5\n"
      "set encoding utf8\nset decimalsign '.'\nset border 3\nset tics nomirror out\nunset key\n",
      width, height);
}

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "'";
}

std::string_view gnuplot_color(std::size_t index) {
  static constexpr std::array<std::string_view, 6> kColors = {"#4477aa", "#ee6677", "#228833",
                                                              "#ccbb44", "#66ccee", "#aa3377"};
  return kColors[index % kColors.size()];
}

bool can_draw() {
  const Finished finished = run_gnuplot("", "--version");
  return !report_when_not_started(finished);
}

std::optional<std::string> draw(const std::string& script, std::string_view title) {
  Finished finished = run_gnuplot(script, "-");
  if (report_when_not_started(finished)) return std::nullopt;
  if (finished.status != 0 || finished.output.find("</svg>") == std::string::npos) {
    report_error("gnuplot could not draw the picture");
    write_standard_error(finished.errors);
    return std::nullopt;
  }
  return for_any_page(std::move(finished.output), title);
}

}  // namespace loopsim::cli

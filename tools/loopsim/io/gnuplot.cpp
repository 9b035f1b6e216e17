#include "tools/loopsim/io/gnuplot.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/loopsim/line/message.hpp"

extern char** environ;  // NOLINT: POSIX

namespace loopsim::cli {
namespace {

struct Color {
  std::string_view light;
  std::string_view dark;
};
constexpr Color kPaper = {"#ffffff", "#15181d"};
constexpr Color kInk = {"#303030", "#e4e4e4"};
constexpr Color kGrid = {"#d0d0d0", "#454a52"};
constexpr std::array<Color, kGnuplotColors> kLines = {{{"#0072b2", "#62b8f0"},
                                                       {"#d55e00", "#ff9350"},
                                                       {"#009e73", "#3fd6a8"},
                                                       {"#aa4488", "#e79bcb"},
                                                       {"#b8860b", "#f0c94a"},
                                                       {"#4b3fa8", "#a9a0ff"},
                                                       {"#7a4a21", "#d3a679"},
                                                       {"#606060", "#b4b4b4"}}};

constexpr const char* kProgram = "gnuplot";
constexpr std::size_t kLargestPicture = 64U << 20;  // bytes

// ---- the child process --------------------------------------------------------------------------------------------------------------

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return number_; }
  void set(int number) { number_ = number; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// Writes the script to `file` (a memfd) and rewinds it. A pipe could deadlock: we write while the child waits for its
// reader.
bool fill(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::lseek(file, 0, SEEK_SET) == 0;
}

// Reads the child's output up to end of file or kLargestPicture.
std::string read_all(int file) {
  std::string text;
  std::array<char, 64U << 10> chunk{};
  while (text.size() < kLargestPicture) {
    const ssize_t count = ::read(file, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return text;
}

// Runs gnuplot, which inherits standard error. Returns errno, or 0.
int run(const std::string& script, std::string& picture) {
  const Descriptor input(::memfd_create("gnuplot", MFD_CLOEXEC));
  if (input.get() < 0 || !fill(input.get(), script)) return errno;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  Descriptor from_child(ends[0]);
  Descriptor to_parent(ends[1]);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, to_parent.get(), STDOUT_FILENO);
  std::string program = kProgram;
  std::string dash = "-";
  const std::array<char*, 3> words = {program.data(), dash.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, kProgram, &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return error;
  to_parent.close();
  picture = read_all(from_child.get());
  from_child.close();  // a child that has more to write would wait for ever, and so would this
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EIO;
}

// ---- colours ------------------------------------------------------------------------------------------------------------------------

unsigned part(std::string_view color, std::size_t number) {
  unsigned value = 0;
  const char* const begin = color.data() + 1 + 2 * number;
  std::from_chars(begin, begin + 2, value, 16);
  return value;
}

// Rules for the three spellings of a colour in gnuplot's SVG.
void add_rules(std::string& style, const Color& color) {
  const unsigned red = part(color.light, 0);
  const unsigned green = part(color.light, 1);
  const unsigned blue = part(color.light, 2);
  for (const std::string& spelt : {std::string(color.light), fmt::format("rgb({},{},{})", red, green, blue),
                                   fmt::format("rgb({:3}, {:3}, {:3})", red, green, blue)}) {
    for (const std::string_view property : {"fill", "stroke", "color"}) {
      style += fmt::format("  [{0}=\"{1}\"] {{ {0}: {2} }}\n", property, spelt, color.dark);
    }
  }
}

std::string dark_style() {
  std::string style = "<style>\n@media (prefers-color-scheme: dark) {\n";
  add_rules(style, kPaper);
  add_rules(style, kInk);
  add_rules(style, kGrid);
  for (const Color& color : kLines) add_rules(style, color);
  return style + "}\n</style>\n";
}

}  // namespace

bool has_gnuplot() {
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/usr/bin:/bin" : path;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    const std::string file = std::string(folders.substr(0, colon)) + "/" + kProgram;
    if (::access(file.c_str(), X_OK) == 0) return true;
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
  }
  report_error("a plot needs gnuplot, and there is none (Debian: apt-get install gnuplot-nox)");
  return false;
}

std::string_view gnuplot_ink() { return kInk.light; }

std::string gnuplot_beginning(std::string_view title, int width, int height) {
  return fmt::format(
      "set terminal svg size {4},{5} dynamic noenhanced font 'sans-serif,20' linewidth 1.5 background '{0}'\n"
      "set encoding utf8\n"
      "set border 3 lc rgb '{1}'\n"
      "set tics nomirror out scale 0.6 textcolor rgb '{1}'\n"
      "set grid lt 1 lw 0.7 lc rgb '{2}'\n"
      "set title {3} textcolor rgb '{1}'\n"
      "set xlabel textcolor rgb '{1}'\n"
      "set ylabel textcolor rgb '{1}'\n"
      "set key textcolor rgb '{1}' noopaque\n",
      kPaper.light, kInk.light, kGrid.light, gnuplot_text(title), width, height);
}

std::string_view gnuplot_color(std::size_t number) { return kLines[number % kLines.size()].light; }

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + "'";
}

std::optional<std::string> gnuplot_svg(const std::string& script) {
  std::string picture;
  const int error = run(script, picture);
  const std::size_t place = picture.find("<g id=\"gnuplot_canvas\"");
  if (error == 0 && place != std::string::npos && picture.find("</svg>") != std::string::npos) {
    picture.insert(place, dark_style());
    return picture;
  }
  if (error != ENOENT || has_gnuplot()) report_error("gnuplot could not make the plot");  // has_gnuplot() reports, too
  return std::nullopt;
}

}  // namespace loopsim::cli

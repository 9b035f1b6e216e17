#include "tools/loopsim/shell/man_page.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "loopsim/version.hpp"

#include "tools/loopsim/line/command.hpp"

namespace loopsim::cli {
namespace {

constexpr std::string_view kDate = "2026-11-21";  // last change to the text of this file

constexpr std::string_view kDescription =
    "Simulates the Node.js event loop: runs a scenario, a small program in Node's own words, on a virtual clock, and "
    "tells what\n"
    "happens when, and why. The same scenario gives the same bytes, on every machine.";

struct Entry {
  std::string_view term;
  std::string_view text;
};

constexpr std::array kExitStatus = {
    Entry{"0", "Fine."},
    Entry{"1", "An expectation failed (check), or two sides are not the same (diff)."},
    Entry{"2", "Bad input or usage; standard error has the reason."},
    Entry{"3", "A limit of the scenario was reached; the trace up to there has been written."},
    Entry{"4", "Output could not be written."},
    Entry{"5", "Out of memory: it takes more than --max-memory allows, or than the system has."},
};

constexpr std::array kEnvironment = {
    Entry{"LC_ALL, LC_MESSAGES, LANG",
          "The first that is not empty chooses the language of run and explain: Chinese if it begins with zh."},
    Entry{"NO_COLOR", "When it is set and not empty: no colours."},
    Entry{"TERM", "\"dumb\": no colours."},
    Entry{"PATH", "Search path for gnuplot, which plots need, and rsvg-convert, for the formats png and pdf."},
};

constexpr std::array kExamples = {
    Entry{"loopsim new hello", "Writes a first scenario, hello.json."},
    Entry{"loopsim run hello.json", "Runs it and prints a timeline."},
    Entry{"loopsim run app.js", "The same of a program in JavaScript."},
    Entry{"loopsim run hello.json --format svg=hello.svg", "Draws the timeline."},
    Entry{"loopsim diff hello.json --runtime node-10 --runtime node-24", "Differences between two versions of Node."},
    Entry{"loopsim sweep hello.json --vary delay=1ms:10ms:1ms -n 100", "A hundred runs for each of ten values."},
};

// Escapes a text for roff: no requests or escape sequences remain in it.
std::string roff(std::string_view text, bool begins_line = true) {
  std::string result;
  bool is_line_start = begins_line;
  for (const char c : text) {
    if (is_line_start && (c == '.' || c == '\'')) result += "\\&";
    is_line_start = c == '\n';
    switch (c) {
      case '\\': result += "\\e"; break;
      case '-': result += "\\-"; break;
      case '\'': result += "\\(aq"; break;
      case '`': result += "\\(ga"; break;
      case '^': result += "\\(ha"; break;
      case '~': result += "\\(ti"; break;
      default: result += c;
    }
  }
  return result;
}

// A paragraph, wrapped at kWidth columns.
std::string filled(std::string_view text) {
  constexpr std::size_t kWidth = 72;
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (column > 0 && column + 1 + word.size() > kWidth) {
      result += '\n';
      column = 0;
    }
    if (column > 0) result += ' ';
    result += column == 0 ? roff(word) : roff(word, false);
    column += word.size() + 1;
  }
  return result;
}

void add_section(std::string& page, std::string_view title) { page.append(".SH ").append(title).append("\n"); }

// A term in bold with its explanation.
void add_entry(std::string& page, const std::string& term, std::string_view text) {
  page.append(".TP\n").append(term).append("\n").append(filled(text)).append("\n");
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// Allowed words may be longer than a line: it may end behind each |.
std::string italic_words(std::string_view words) {
  std::string result = "\\fI";
  for (const char c : roff(words)) {
    result += c;
    if (c == '|') result += "\\:";
  }
  return result + "\\fR";
}

std::string option_term(const Option& option) {
  std::string term;
  if (option.letter != 0) term = bold(std::string("-") + option.letter) + ", ";
  term += bold("--" + std::string(option.name));
  if (!option.value.empty()) term += " " + italic_words(option.value);
  return term;
}

// Lines that begin with spaces are shown verbatim, others are filled as a paragraph.
void add_details(std::string& page, std::string_view details) {
  bool is_shown = false;
  while (!details.empty()) {
    const std::size_t end = std::min(details.find('\n'), details.size());
    std::string_view line = details.substr(0, end);
    details.remove_prefix(std::min(end + 1, details.size()));
    const bool shows = line.starts_with(' ');
    if (shows != is_shown) page += shows ? ".RS\n.nf\n" : ".fi\n.RE\n";
    is_shown = shows;
    while (line.starts_with(' ')) line.remove_prefix(1);
    page += line.empty() ? ".PP\n" : (shows ? roff(line) : filled(line)) + "\n";
  }
  if (is_shown) page += ".fi\n.RE\n";
}

void add_command(std::string& page, const Command& command) {
  page.append(".SS ").append(roff("\"loopsim " + std::string(command.name)));
  if (!command.usage.empty()) page.append(" ").append(roff(command.usage));
  page.append("\"\n").append(filled(command.summary)).append("\n");
  if (!command.details.empty()) {
    page += ".PP\n";
    add_details(page, command.details);
  }
  for (const Operand& operand : command.operands) add_entry(page, italic(operand.name), operand.help);
  for (const std::span<const Option> group : command.options) {
    for (const Option& option : group) add_entry(page, option_term(option), option.help);
  }
}

}  // namespace

std::string man_page() {
  std::string page = ".\\\" Made by `loopsim man`.\n.TH LOOPSIM 1 ";
  page.append(kDate).append(" \"loopsim ").append(kVersion).append("\" \"User Commands\"\n.nh\n.ad l\n");
  add_section(page, "NAME");
  page += roff("loopsim - a simulator of the Node.js event loop") + "\n";
  add_section(page, "SYNOPSIS");
  page +=
      bold("loopsim") + " " + italic("COMMAND") + " [" + italic("OPTION") + "]... [" + italic("ARGUMENT") + "]...\n";
  page += ".br\n" + bold("loopsim --help") + "\n.br\n" + bold("loopsim --version") + "\n";
  add_section(page, "DESCRIPTION");
  page.append(filled(kDescription)).append("\n.PP\n");
  page += filled("Options may stand anywhere after the command. FILE may be - for standard input.") + "\n";
  add_section(page, "COMMANDS");
  for (const Command* command : commands()) add_command(page, *command);
  add_section(page, "\"EXIT STATUS\"");
  for (const Entry& entry : kExitStatus) add_entry(page, bold(entry.term), entry.text);
  add_section(page, "ENVIRONMENT");
  for (const Entry& entry : kEnvironment) add_entry(page, bold(entry.term), entry.text);
  add_section(page, "EXAMPLES");
  for (const Entry& entry : kExamples) add_entry(page, bold(entry.term), entry.text);
  add_section(page, "\"SEE ALSO\"");
  page.append(bold("node"))
      .append("(1), ")
      .append(bold("gnuplot"))
      .append("(1), ")
      .append(bold("rsvg-convert"))
      .append("(1)\n");
  return page;
}

}  // namespace loopsim::cli

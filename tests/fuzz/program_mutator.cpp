#include "tests/fuzz/program_mutator.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/program_writer.hpp"

namespace loopsim::fuzz {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kMostLines = 400;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty() && lines.size() < kMostLines) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<std::uint8_t> bytes_of(unsigned seed) {
  constexpr std::size_t kBytes = 400;
  std::minstd_rand random(seed);
  std::vector<std::uint8_t> bytes(kBytes);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 8U);
  return bytes;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// A word of the line, as its beginning and its end; the same place twice: the line has none.
std::pair<std::size_t, std::size_t> word_in(const std::string& line, Choices& choices) {
  std::size_t from = line.empty() ? 0 : choices.below(line.size());
  while (from < line.size() && !is_word(line[from])) ++from;
  while (from > 0 && from < line.size() && is_word(line[from - 1])) --from;
  std::size_t end = from;
  while (end < line.size() && is_word(line[end])) ++end;
  return {from, end};
}

void change_word(Lines& lines, Choices& choices) {
  std::string& line = lines[choices.below(lines.size())];
  const auto [from, end] = word_in(line, choices);
  if (from == end) return;
  std::string put;
  if (choices.half()) {
    put = value_of(choices);
  } else {
    const std::string& other = lines[choices.below(lines.size())];
    const auto [begin, past] = word_in(other, choices);
    put = other.substr(begin, past - begin);
  }
  line.replace(from, end - from, put);
}

void change(Lines& lines, Choices& choices) {
  if (lines.empty()) lines.emplace_back();
  const std::size_t at = choices.below(lines.size());
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (choices.below(8)) {
    case 0: {
      const bool has_one = lines.front().starts_with(kAround);
      std::string around = around_text_of(choices);
      around.pop_back();
      if (has_one)
        lines.front() = around;
      else
        lines.insert(lines.begin(), around);
      break;
    }
    case 1: lines.erase(place); break;
    case 2: std::swap(*place, lines[choices.below(lines.size())]); break;
    case 3: lines.insert(place, std::string(lines[choices.below(lines.size())])); break;
    case 4: change_word(lines, choices); break;
    case 5: *place = "try { " + *place + " } catch (e) { " + statement_of(choices) + " }"; break;
    default:
      lines.insert(place + (lines.front().starts_with(kAround) && at == 0 ? 1 : 0), statement_of(choices));
      break;
  }
}

}  // namespace

std::string mutate_program(std::string_view program, unsigned seed) {
  const std::vector<std::uint8_t> bytes = bytes_of(seed);
  Choices choices(bytes);
  Lines lines = lines_of(program);
  for (std::size_t count = 1 + choices.below(3); count > 0; --count) change(lines, choices);
  return joined(lines);
}

std::string cross_programs(std::string_view first, std::string_view second, unsigned seed) {
  const std::vector<std::uint8_t> bytes = bytes_of(seed);
  Choices choices(bytes);
  Lines lines = lines_of(first);
  const Lines others = lines_of(second);
  if (others.empty()) return joined(lines);
  for (std::size_t count = 1 + choices.below(4); count > 0; --count) {
    const std::size_t at = choices.below(lines.size() + 1);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), others[choices.below(others.size())]);
  }
  return joined(lines);
}

}  // namespace loopsim::fuzz

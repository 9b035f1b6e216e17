// A row as a line is a JSON array. Every row of a sweep is written as one and read back, which took most of a short run's time. So rows are
// read here, unless something in them is rare.
#include "tools/loopsim/sweep/row_text.hpp"

#include <charconv>
#include <cmath>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loopsim/text.hpp"
#include "loopsim/units.hpp"

namespace loopsim::cli {
namespace {

using Json = nlohmann::ordered_json;

// ---- reading ---------------------------------------------------------------------------------------------------------

// Any row that is JSON.
std::optional<std::vector<Cell>> parse_any_row(std::string_view line, std::size_t columns) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_array() || json.size() != columns || columns == 0 || !json.front().is_number_unsigned())
    return std::nullopt;
  std::vector<Cell> cells;
  cells.reserve(columns);
  for (const Json& cell : json) {
    if (cell.is_null()) {
      cells.emplace_back();
    } else if (cell.is_number_unsigned()) {
      cells.emplace_back(cell.get<std::uint64_t>());
    } else if (cell.is_number_integer()) {
      cells.emplace_back(cell.get<std::int64_t>());
    } else if (cell.is_number_float()) {
      cells.emplace_back(cell.get<double>());
    } else if (cell.is_string()) {
      cells.emplace_back(cell.get<std::string>());
    } else {
      return std::nullopt;
    }
  }
  return cells;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads what row_line() writes: no white space, no character that is escaped or not ASCII. False for all else, also for what is
// no row.
class PlainRow {
 public:
  explicit PlainRow(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  [[nodiscard]] bool read(std::vector<Cell>& cells) {
    if (!take('[')) return false;
    do {
      if (!cell(cells)) return false;
    } while (take(','));
    return take(']') && at_ == end_;
  }

 private:
  bool take(char c) {
    const bool is_there = at_ != end_ && *at_ == c;
    if (is_there) ++at_;
    return is_there;
  }

  bool cell(std::vector<Cell>& cells) {
    if (take('"')) return text(cells);
    if (std::string_view(at_, end_).starts_with("null")) {
      at_ += 4;
      cells.emplace_back();
      return true;
    }
    return number(cells);
  }

  bool text(std::vector<Cell>& cells) {
    const char* const begin = at_;
    while (at_ != end_ && *at_ != '"') {
      if (*at_ == '\\' || *at_ < ' ' || *at_ > '~') return false;
      ++at_;
    }
    cells.emplace_back(std::in_place_type<std::string>, begin, at_);
    return take('"');
  }

  bool digits() {
    const char* const begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != begin;
  }

  // As JSON spells it. Its type is that of its spelling.
  bool number(std::vector<Cell>& cells) {
    const char* const begin = at_;
    const bool is_negative = take('-');
    const char* const first = at_;
    if (!digits() || (*first == '0' && at_ - first > 1)) return false;
    bool is_whole = true;
    if (take('.')) {
      is_whole = false;
      if (!digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      is_whole = false;
      ++at_;
      if (!take('-')) static_cast<void>(take('+'));
      if (!digits()) return false;
    }
    if (!is_whole) {
      const ParsedDouble parsed = parse_double({begin, at_});
      if (!parsed.fits) return false;
      cells.emplace_back(parsed.value);
      return true;
    }
    return is_negative ? whole<std::int64_t>(begin, cells) : whole<std::uint64_t>(begin, cells);
  }

  template <typename Whole>
  bool whole(const char* begin, std::vector<Cell>& cells) {
    Whole value = 0;
    if (std::from_chars(begin, at_, value).ec != std::errc()) return false;
    cells.emplace_back(value);
    return true;
  }

  const char* at_;
  const char* end_;
};

// ---- writing ---------------------------------------------------------------------------------------------------------

// As fmt::format("{}") writes it; whole numbers on a shorter way.
void add_number(std::string& text, double value) {
  constexpr double kMostWhole = 1e15;  // from 1e16 on it has an exponent
  if (std::abs(value) < kMostWhole) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value && (whole != 0 || !std::signbit(value))) {
      const fmt::format_int digits(whole);
      text.append(digits.data(), digits.size());
      return;
    }
  }
  fmt::format_to(std::back_inserter(text), "{}", value);
}

}  // namespace

std::optional<std::vector<Cell>> parse_row(std::string_view line, std::size_t columns) {
  std::vector<Cell> cells;
  cells.reserve(columns);
  if (!PlainRow(line).read(cells)) return parse_any_row(line, columns);
  if (cells.size() != columns || !std::holds_alternative<std::uint64_t>(cells.front())) return std::nullopt;
  return cells;
}

std::string row_line(std::span<const Cell> cells) {
  std::string line;
  line.reserve(16 * cells.size());
  for (const Cell& cell : cells) {
    line += line.empty() ? '[' : ',';
    add_json(line, cell);
  }
  line += "]\n";
  return line;
}

std::uint64_t run_of(std::span<const Cell> cells) {
  const auto* const run = cells.empty() ? nullptr : std::get_if<std::uint64_t>(&cells.front());
  return run == nullptr ? 0 : *run;
}

std::string number_text(double value) {
  std::string text;
  add_number(text, value);
  return text;
}

void add_json(std::string& text, const Cell& cell) {
  const auto add = [&text](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::monostate>) {
      text += "null";
    } else if constexpr (std::is_same_v<Value, std::string>) {
      text += json_string(value);
    } else if constexpr (std::is_same_v<Value, double>) {
      if (std::isfinite(value))
        add_number(text, value);
      else
        text += "null";
    } else {
      const fmt::format_int digits(value);
      text.append(digits.data(), digits.size());
    }
  };
  std::visit(add, cell);
}

}  // namespace loopsim::cli

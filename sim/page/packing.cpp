// What a page of a long run has behind its first lines: packed lists of lines (docs/page.md, "Long runs"), which
// tools/page/src/model/packed.ts reads by parts.
//
// A list has a line for each 1024 texts, and behind these, as JSON, its templates: what the texts are without their
// numbers. A text is the number of its template and how far each of its numbers is from the one in that place before:
// of the first four (event, times, turn) in any text, of the others in one of the same template. These are written by five
// bits a character, least first. In a template \x01 stands for a number, \x02 to \x0a for one with one to nine decimals,
// and \x0b to \x1f for a number that is already in the text. None of these occurs in JSON.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loopsim/explain.hpp"
#include "loopsim/text.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kWholeLines = 10'000;  // of the trace, as JSON lines
constexpr std::size_t kBlock = 1024;
constexpr std::size_t kShared = 4;
constexpr std::size_t kMostDigits = 15;  // a double of the page has them all, and their differences
constexpr std::size_t kMostDecimals = 9;
constexpr std::size_t kLeastCopied = 3;  // digits: shorter ones are equal by chance
constexpr char kNumber = '\x01';
constexpr char kCopy = '\x0b';
constexpr std::size_t kMostCopied = 0x1f - kCopy;
constexpr std::size_t kMostKnown = 1 << 17;  // sentences that are looked for: a reason shares those of shortly before

constexpr std::uint64_t zigzag(std::int64_t value) {
  return value < 0 ? (static_cast<std::uint64_t>(-value) << 1) - 1 : static_cast<std::uint64_t>(value) << 1;
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

class PackedList {
 public:
  explicit PackedList(ByteOutput& output) : output_(output) {}

  // `text` is JSON without a newline.
  void add(std::string_view text) {
    split(text);
    const auto [known, is_new] = templates_.try_emplace(template_);
    Template& own = known->second;
    if (is_new) {
      own.number = templates_.size() - 1;
      own.before.resize(numbers_.size());
      table_ += (table_.empty() ? "[" : ",") + json_string(template_);
    }
    if (own.block != block_number_) std::ranges::fill(own.before, 0);
    own.block = block_number_;
    put(own.number);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      std::int64_t* const before = i < kShared ? &shared_[i] : &own.before[i];
      put(zigzag(numbers_[i].value - *before));
      *before = numbers_[i].value;
    }
    if (++size_ % kBlock == 0) end_block();
  }

  void finish() {
    if (size_ % kBlock != 0) end_block();
    output_.write(table_.empty() ? "[" : table_);
    output_.write("]");
  }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Number {
    std::int64_t value;
    std::size_t digits;
    std::size_t decimals;
  };
  struct Template {
    std::size_t number = 0;
    std::size_t block = 0;  // for which `before` is
    std::vector<std::int64_t> before;
  };

  // The text's template and numbers.
  void split(std::string_view text) {
    template_.clear();
    numbers_.clear();
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      if (text[at] == '\\') {
        end = std::min(text.size(), at + (text.substr(at).starts_with("\\u") ? 6 : 2));
      } else if (is_digit(text[at])) {
        end = end_of_digits(text, at);
        if (add_number(text, at, end)) {
          at = end;
          continue;
        }
      }
      template_.append(text, at, end - at);
      at = end;
    }
  }

  static std::size_t end_of_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
  }

  // Takes the number at `at`, whose digits end at `end`, with its decimals. False: it would not be written again as it
  // is.
  bool add_number(std::string_view text, std::size_t at, std::size_t& end) {
    if (end - at > kMostDigits || (text[at] == '0' && end - at > 1)) return false;
    Number number{.value = 0, .digits = end - at, .decimals = 0};
    for (const char digit : text.substr(at, end - at)) number.value = 10 * number.value + (digit - '0');
    if (end + 1 < text.size() && text[end] == '.') {
      const std::size_t last = end_of_digits(text, end + 1);
      const std::size_t decimals = last - end - 1;
      // Nothing but zeros is a part of the template, as in a time of whole milliseconds.
      const bool is_whole = text.substr(end + 1, decimals).find_first_not_of('0') == std::string_view::npos;
      if (!is_whole && decimals <= kMostDecimals && number.digits + decimals <= kMostDigits) {
        for (const char digit : text.substr(end + 1, decimals)) number.value = 10 * number.value + (digit - '0');
        number.digits += decimals;
        number.decimals = decimals;
        end = last;
      }
    }
    for (std::size_t i = 0; number.digits >= kLeastCopied && i < std::min(numbers_.size(), kMostCopied); ++i) {
      if (numbers_[i].value != number.value || numbers_[i].decimals != number.decimals) continue;
      template_ += static_cast<char>(kCopy + i);
      return true;
    }
    template_ += static_cast<char>(kNumber + number.decimals);
    numbers_.push_back(number);
    return true;
  }

  // From '?' to '~', in which neither markup nor a newline is.
  void put(std::uint64_t value) {
    for (; value > 31; value >>= 5) block_ += static_cast<char>('?' + 32 + (value & 31));
    block_ += static_cast<char>('?' + value);
  }

  void end_block() {
    block_ += '\n';
    output_.write(block_);
    block_.clear();
    ++block_number_;
    shared_ = {};
  }

  ByteOutput& output_;
  std::unordered_map<std::string, Template> templates_;  // lookup only, never iterated
  std::string table_;
  std::string template_;  // of one text
  std::vector<Number> numbers_;
  std::string block_;
  std::size_t block_number_ = 1;
  std::size_t size_ = 0;
  std::array<std::int64_t, kShared> shared_{};
};

// A list in an element of its own, which begins with its first text.
class Element {
 public:
  Element(ByteOutput& page, ByteOutput& data, std::string_view id) : page_(page), list_(data), id_(id) {}

  void add(std::string_view text) {
    if (list_.size() == 0) {
      page_.write("</script>\n<script type=\"text/plain\" id=\"");
      page_.write(id_);
      page_.write("\">");
    }
    list_.add(text);
  }
  void finish() {
    if (list_.size() > 0) list_.finish();
  }
  [[nodiscard]] std::size_t size() const { return list_.size(); }

 private:
  ByteOutput& page_;
  PackedList list_;
  std::string_view id_;
};

class Packing final : public PagePacking, private ByteOutput, private ExplanationSink {
 public:
  Packing(ByteOutput& page, ByteOutput& data)
      : page_(page),
        data_(data),
        trace_(page, data, "more-trace"),
        sentences_(page, data, "sentences"),
        reasons_(reason_elements_, reason_data_, "reasons") {}

  ByteOutput& trace() override { return *this; }
  ExplanationSink& reasons() override { return *this; }

  void end_trace() override { trace_.finish(); }
  void end_reasons() override {
    sentences_.finish();
    reasons_.finish();
    page_.write(reason_elements_.text());
    page_.write(reason_data_.text());
  }

 private:
  // The bytes of the trace's lines, in pieces.
  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
      const std::string_view piece = bytes.substr(0, end);
      bytes.remove_prefix(end);
      const bool is_whole = piece.ends_with('\n');
      if (lines_ < kWholeLines) {
        data_.write(piece);
      } else if (is_whole) {
        line_ += piece.substr(0, piece.size() - 1);
        trace_.add(line_);
        line_.clear();
      } else {
        line_ += piece;
      }
      if (is_whole) ++lines_;
    }
  }

  void add(std::string_view begin, std::span<const std::string> sentences) override {
    std::string text(begin);
    std::int64_t before = 0;
    for (const std::string& sentence : sentences) {
      const auto number = static_cast<std::int64_t>(number_of(sentence));
      if (&sentence == sentences.data())
        text += std::to_string(number);
      else
        text += "," + std::to_string(zigzag(number - before));
      before = number;
    }
    reasons_.add(text + "]}");
  }

  std::size_t number_of(const std::string& sentence) {
    if (known_.size() == kMostKnown) known_.clear();
    const auto [known, is_new] = known_.try_emplace(sentence, sentences_.size());
    if (is_new) sentences_.add(sentence);
    return known->second;
  }

  ByteOutput& page_;
  ByteOutput& data_;
  Element trace_;
  std::string line_;
  std::size_t lines_ = 0;
  Element sentences_;
  std::unordered_map<std::string, std::size_t> known_;  // lookup only, never iterated
  StringOutput reason_elements_, reason_data_;          // until all sentences are written
  Element reasons_;
};

}  // namespace

std::unique_ptr<PagePacking> make_page_packing(ByteOutput& page, ByteOutput& data) {
  return std::make_unique<Packing>(page, data);
}

}  // namespace loopsim

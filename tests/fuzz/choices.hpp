// A sequence of choices drawn from bytes, which a fuzzer mutates or a seeded generator produces. When the bytes are
// used up every choice is 0, so fewer bytes give a smaller result and generation ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

namespace loopsim::fuzz {

class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  // A number in [0, count).
  [[nodiscard]] std::size_t below(std::size_t count) {
    if (count <= 1) return 0;
    std::size_t drawn = next();
    if (count > 256) drawn = drawn * 256 + next();
    return drawn % count;
  }
  [[nodiscard]] bool half() { return below(2) == 1; }
  [[nodiscard]] bool mostly() { return below(8) != 0; }
  [[nodiscard]] bool one_in(std::size_t count) { return below(count) == count - 1; }

  template <typename List>
  [[nodiscard]] const auto& of(const List& list) {
    return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(below(std::size(list))));
  }

 private:
  std::size_t next() {
    if (bytes_.empty()) return 0;
    const std::size_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  std::span<const std::uint8_t> bytes_;
};

}  // namespace loopsim::fuzz

// A histogram of whole numbers with three significant figures, laid out as HdrHistogram does it (Gil Tene; HdrHistogram_c
// src/hdr_histogram.c, which Node carries in deps/histogram): the same buckets, and the same answers from them.
//
// Numbers below 2048 units are counted each for itself, larger ones in buckets that get twice as wide at every power of two. A
// bucket is at most 1/1024 of the numbers in it wide; so a quantile is at most 0.1 % above the number that stands there.
//
// Debian has no package of the library. Its own memory is one flat array of 55,000 counters; here the counters come in
// blocks that are made when a number falls into them, so that a study may have thousands of histograms.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace loopsim::study {

class HdrHistogram {
 public:
  static constexpr int kFigures = 3;

  // `lowest` is the smallest number that is to be told from 0: numbers are counted in units of the power of two below it.
  explicit HdrHistogram(std::int64_t lowest = 1)
      : unit_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(lowest))) - 1) {}

  // Any number from 0 on; a smaller one counts as 0. Allocates only when a number falls where none has fallen since the histogram was made.
  void record(std::int64_t value);
  void reset();  // forgets the numbers, keeps the memory

  [[nodiscard]] std::uint64_t count() const { return total_; }
  // Each is the answer of the function of the library that has its name.
  [[nodiscard]] std::int64_t min() const;  // lower end of the bucket; 2^63 - 1 of an empty histogram
  [[nodiscard]] std::int64_t max() const;  // upper end of the bucket; 0 of an empty histogram
  [[nodiscard]] double mean() const;       // over the middles of the buckets; NaN of an empty histogram
  [[nodiscard]] double stddev() const;     // of the population; NaN of an empty histogram
  [[nodiscard]] std::int64_t percentile(double share) const;  // above 0, up to 100: upper end of the bucket

  // Calls use(low, high, count) for each bucket that is not empty, in order: it counts the numbers from low to high.
  template <typename Use>
  void for_each_bucket(Use use) const {
    for_each_index([&](std::size_t index, std::uint32_t count) {
      const std::int64_t low = value_at(index);
      use(low, highest_equivalent(low), count);
      return true;
    });
  }

 private:
  static constexpr int kHalfMagnitude = 10;  // 2^11 = 2048 is the power of two above 2 * 10^3
  static constexpr std::size_t kHalf = std::size_t{1} << kHalfMagnitude;
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kBlocks = (64 - kHalfMagnitude) * kHalf / kBlock;
  static constexpr std::uint16_t kNoBlock = 0xffff;
  using Block = std::array<std::uint32_t, kBlock>;

  [[nodiscard]] int bucket_of(std::int64_t value) const;
  [[nodiscard]] std::size_t index_of(std::int64_t value) const;
  [[nodiscard]] std::int64_t value_at(std::size_t index) const;
  [[nodiscard]] std::int64_t width_at(std::int64_t value) const;
  [[nodiscard]] std::int64_t lowest_equivalent(std::int64_t value) const;
  [[nodiscard]] std::int64_t highest_equivalent(std::int64_t value) const;
  [[nodiscard]] std::int64_t median_equivalent(std::int64_t value) const;

  // Calls use(index, count) for each counter that is not 0, in order, until it says false.
  template <typename Use>
  void for_each_index(Use use) const {
    for (std::size_t word = 0; word < touched_.size(); ++word) {
      for (std::uint64_t left = touched_[word]; left != 0; left &= left - 1) {
        const std::size_t number = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        const Block& block = blocks_[place_[number]];
        for (std::size_t i = 0; i < kBlock; ++i) {
          if (block[i] != 0 && !use(number * kBlock + i, block[i])) return;
        }
      }
    }
  }

  int unit_;  // magnitude
  std::uint64_t total_ = 0;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();  // but 0
  std::int64_t most_ = 0;
  std::array<std::uint64_t, (kBlocks + 63) / 64> touched_{};  // blocks with counts, a bit each
  std::vector<std::uint16_t> place_;                          // in blocks_, by the block's number
  std::vector<Block> blocks_;
};

}  // namespace loopsim::study

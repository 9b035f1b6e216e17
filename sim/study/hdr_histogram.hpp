// A histogram of integers with three significant figures, with the bucket layout and results of HdrHistogram (Gil Tene;
// HdrHistogram_c src/hdr_histogram.c, which Node bundles in deps/histogram).
//
// Numbers below 2048 units have a counter each; above, the bucket width doubles at every power of two. A bucket is at
// most 1/1024 as wide as its values, so a quantile exceeds the recorded value by at most 0.1 %.
//
// Debian has no package of the library. The library allocates one flat array of 55,000 counters; here blocks of
// counters are allocated on first use, so that a study can have thousands of histograms.
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

  // `lowest` is the smallest number distinguished from 0; the unit is the largest power of two not above it.
  explicit HdrHistogram(std::int64_t lowest = 1)
      : unit_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(lowest))) - 1) {}

  // Negative values count as 0. Allocates only for the first value in a block; reset() keeps the blocks.
  void record(std::int64_t value);
  void reset();  // keeps the memory

  [[nodiscard]] std::uint64_t count() const { return total_; }
  // Each returns the result of the library function of the same name.
  [[nodiscard]] std::int64_t min() const;                     // lower end of the bucket; 2^63 - 1 when empty
  [[nodiscard]] std::int64_t max() const;                     // upper end of the bucket; 0 when empty
  [[nodiscard]] double mean() const;                          // over the midpoints of the buckets; NaN when empty
  [[nodiscard]] double stddev() const;                        // of the population; NaN when empty
  [[nodiscard]] std::int64_t percentile(double share) const;  // 0 < share <= 100; upper end of the bucket

  // Calls use(low, high, count) for each nonempty bucket in order; both ends are inclusive.
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

  // Calls use(index, count) for each nonzero counter in order, until it returns false.
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

  int unit_;  // log2 of the unit
  std::uint64_t total_ = 0;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();  // smallest nonzero value
  std::int64_t most_ = 0;
  std::array<std::uint64_t, (kBlocks + 63) / 64> touched_{};  // one bit per block: has counts
  std::vector<std::uint16_t> place_;                          // index in blocks_, by block number
  std::vector<Block> blocks_;
};

}  // namespace loopsim::study

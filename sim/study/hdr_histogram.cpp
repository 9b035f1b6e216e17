#include "sim/study/hdr_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace loopsim::study {

void HdrHistogram::record(std::int64_t value) {
  value = std::max<std::int64_t>(value, 0);
  const std::size_t index = index_of(value);
  const std::size_t number = index / kBlock;
  if (place_.empty()) place_.assign(kBlocks, kNoBlock);
  if (place_[number] == kNoBlock) {
    place_[number] = static_cast<std::uint16_t>(blocks_.size());
    blocks_.emplace_back();
  }
  ++blocks_[place_[number]][index % kBlock];
  touched_[number / 64] |= std::uint64_t{1} << (number % 64);
  ++total_;
  if (value != 0) least_ = std::min(least_, value);
  most_ = std::max(most_, value);
}

void HdrHistogram::reset() {
  for (std::size_t word = 0; word < touched_.size(); ++word) {
    for (std::uint64_t left = touched_[word]; left != 0; left &= left - 1) {
      blocks_[place_[word * 64 + static_cast<std::size_t>(std::countr_zero(left))]].fill(0);
    }
    touched_[word] = 0;
  }
  total_ = 0;
  least_ = std::numeric_limits<std::int64_t>::max();
  most_ = 0;
}

// ---- buckets --------------------------------------------------------------------------------------------------------------------

int HdrHistogram::bucket_of(std::int64_t value) const {
  const std::uint64_t mask = (2 * kHalf - 1) << unit_;
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value) | mask)) - unit_ - (kHalfMagnitude + 1);
}

std::size_t HdrHistogram::index_of(std::int64_t value) const {
  const int bucket = bucket_of(value);
  const auto within = static_cast<std::size_t>(value >> (bucket + unit_));
  return (static_cast<std::size_t>(bucket + 1) << kHalfMagnitude) + within - kHalf;
}

std::int64_t HdrHistogram::value_at(std::size_t index) const {
  if (index < kHalf) return static_cast<std::int64_t>(index) << unit_;
  const int bucket = static_cast<int>(index >> kHalfMagnitude) - 1;
  return static_cast<std::int64_t>((index & (kHalf - 1)) + kHalf) << (bucket + unit_);
}

std::int64_t HdrHistogram::width_at(std::int64_t value) const { return std::int64_t{1} << (unit_ + bucket_of(value)); }

std::int64_t HdrHistogram::lowest_equivalent(std::int64_t value) const {
  const int shift = bucket_of(value) + unit_;
  return (value >> shift) << shift;
}

// Subtracts 1 first, so that no intermediate result exceeds 2^63 - 1.
std::int64_t HdrHistogram::highest_equivalent(std::int64_t value) const {
  return lowest_equivalent(value) + (width_at(value) - 1);
}

std::int64_t HdrHistogram::median_equivalent(std::int64_t value) const {
  return lowest_equivalent(value) + (width_at(value) >> 1);
}

// ---- statistics -----------------------------------------------------------------------------------------------------

std::int64_t HdrHistogram::min() const {
  const bool has_zero = !place_.empty() && place_[0] != kNoBlock && blocks_[place_[0]][0] != 0;
  if (has_zero) return 0;
  if (total_ == 0) return std::numeric_limits<std::int64_t>::max();
  return lowest_equivalent(least_);
}

std::int64_t HdrHistogram::max() const { return most_ == 0 ? 0 : highest_equivalent(most_); }

double HdrHistogram::mean() const {
  if (total_ == 0) return std::numeric_limits<double>::quiet_NaN();
  std::int64_t sum = 0;
  for_each_index([&](std::size_t index, std::uint32_t count) {
    sum += static_cast<std::int64_t>(count) * median_equivalent(value_at(index));
    return true;
  });
  return static_cast<double>(sum) / static_cast<double>(total_);
}

double HdrHistogram::stddev() const {
  if (total_ == 0) return std::numeric_limits<double>::quiet_NaN();
  const double center = mean();
  double squares = 0;
  for_each_index([&](std::size_t index, std::uint32_t count) {
    const double deviation = static_cast<double>(median_equivalent(value_at(index))) - center;
    squares += deviation * deviation * static_cast<double>(count);
    return true;
  });
  return std::sqrt(squares / static_cast<double>(total_));
}

std::int64_t HdrHistogram::percentile(double share) const {
  const double of_all = std::min(share, 100.0) / 100 * static_cast<double>(total_);
  const std::uint64_t wanted = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(of_all + 0.5)));
  std::uint64_t seen = 0;
  std::int64_t value = 0;  // as in the library, also for an empty histogram
  for_each_index([&](std::size_t index, std::uint32_t count) {
    seen += count;
    if (seen < wanted) return true;
    value = value_at(index);
    return false;
  });
  return highest_equivalent(value);
}

}  // namespace loopsim::study

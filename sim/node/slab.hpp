// Objects of one kind, named by index, at addresses that never change: chunks of 1,024, and a free list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace loopsim::node {

template <class T>
class Slab {
 public:
  [[nodiscard]] T& operator[](std::uint32_t index) { return (*chunks_[index >> kBits])[index & kMask]; }
  [[nodiscard]] const T& operator[](std::uint32_t index) const { return (*chunks_[index >> kBits])[index & kMask]; }

  // It will be wanted soon: a hint to the processor, for objects that lie far from those used last.
  void prefetch(std::uint32_t index) const { __builtin_prefetch(&(*this)[index], 1); }

  // A fresh object with T's default value.
  std::uint32_t make() {
    if (free_count_ != 0) {
      const std::uint32_t index = free_[--free_count_];
      (*this)[index] = T{};
      return index;
    }
    if (size_ == free_.size()) grow();
    return size_++;
  }

  void free(std::uint32_t index) { free_[free_count_++] = index; }

  [[nodiscard]] std::size_t live() const { return size_ - free_count_; }

 private:
  static constexpr std::uint32_t kBits = 10;
  static constexpr std::uint32_t kMask = (1U << kBits) - 1;
  using Chunk = std::array<T, 1U << kBits>;

  void grow() {
    chunks_.push_back(std::make_unique<Chunk>());
    free_.resize(chunks_.size() << kBits);
  }

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<std::uint32_t> free_;  // room for all, so that free() never has to make any
  std::uint32_t free_count_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace loopsim::node

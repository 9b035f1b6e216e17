// Arena memory for the many small parts of a scenario: allocated piece by piece, freed all at once.
//
// A document of 50 MB has millions of such parts. Individual allocations and destructors would take several times as
// long, and twice the memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace loopsim {

// A list whose elements are owned by an Arena. A copy refers to the same elements; constness extends to the elements.
template <typename T>
class List {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  List() = default;
  List(T* data, std::uint32_t size) : data_(data), size_(size) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T& operator[](std::size_t index) { return data_[index]; }
  [[nodiscard]] const T& operator[](std::size_t index) const { return data_[index]; }
  [[nodiscard]] const T& front() const { return data_[0]; }
  [[nodiscard]] const T& back() const { return data_[size_ - 1]; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }

  // Drops the elements from `size` on. Requires size <= size().
  void shorten(std::size_t size) { size_ = static_cast<std::uint32_t>(size); }

 private:
  T* data_ = nullptr;
  std::uint32_t size_ = 0;
};

// Not thread-safe. Throws std::bad_alloc when out of memory. Allocated objects keep their addresses until the Arena is
// destroyed, even if it is moved. Destructors are not called, so only trivially destructible types are allowed.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  // `size` value-initialized elements.
  template <typename T>
  [[nodiscard]] List<T> list(std::size_t size) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (size == 0) return {};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer, and then that is meant
    T* const first = static_cast<T*>(take(size * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(first, size);
    return {first, static_cast<std::uint32_t>(size)};
  }

  template <typename T>
  [[nodiscard]] List<T> copy(std::span<const T> elements) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (elements.empty()) return {};
    T* const first = static_cast<T*>(take(elements.size_bytes(), alignof(T)));
    std::uninitialized_copy_n(elements.data(), elements.size(), first);
    return {first, static_cast<std::uint32_t>(elements.size())};
  }

  template <typename T>
  [[nodiscard]] T* make(T value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return ::new (take(sizeof(T), alignof(T))) T(std::move(value));
  }

  [[nodiscard]] std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* const first = static_cast<char*>(take(text.size(), 1));
    std::memcpy(first, text.data(), text.size());
    return {first, text.size()};
  }

 private:
  static constexpr std::size_t kFirst = 4U << 10U;  // bytes of the first block; each next one is twice as large
  static constexpr std::size_t kMost = 1U << 20U;

  void* take(std::size_t size, std::size_t alignment) {
    const std::size_t begin = (used_ + alignment - 1) & ~(alignment - 1);
    if (begin + size > size_) return take_from_new(size);
    used_ = begin + size;
    return block_ + begin;
  }

  void* take_from_new(std::size_t size) {
    const std::size_t next = std::min(kMost, blocks_.empty() ? kFirst : 2 * next_);
    if (size > next / 4) {  // a separate block, so that the rest of the current one stays usable
      return blocks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(size)).get();
    }
    block_ = blocks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(next)).get();
    next_ = size_ = next;
    used_ = size;
    return block_;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* block_ = nullptr;  // the current block, its size, and the bytes in use
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::size_t next_ = kFirst / 2;
};

}  // namespace loopsim

// Objects of one kind, named by index, at addresses that never change: chunks of 1,024, and a free list. Of very many objects the
// chunks lie in large pages (W3, with a million timers, is 1.2 to 1.3 times as fast).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "loopsim/assert.hpp"

#include "sim/machine/big_pages.hpp"

namespace loopsim::node {

template <class T>
class Slab {
 public:
  Slab() = default;
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab() {
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const std::uint32_t used = std::min(size_, kChunk);
      std::destroy_n(chunks_[i], used);
      if (i < kSingleChunks) free_chunk(chunks_[i]);
      size_ -= used;
    }
    for (void* const block : blocks_) ::operator delete (block, std::align_val_t{kBigPage});
  }

  [[nodiscard]] T& operator[](std::uint32_t index) {
    LOOPSIM_ASSERT(is_alive(index));
    return at(index);
  }
  [[nodiscard]] const T& operator[](std::uint32_t index) const {
    LOOPSIM_ASSERT(is_alive(index));
    return at(index);
  }

  // An object that may be free by now, for hints and where its value says so itself.
  [[nodiscard]] const T& maybe_free(std::uint32_t index) const {
    LOOPSIM_ASSERT(index < size_);
    return at(index);
  }

  // An object that a list names and holds: with assertions it says when its place has been given to another one meanwhile.
  struct Name {
    std::uint32_t index = 0xffffffffU;  // kNone
#ifdef LOOPSIM_ASSERTIONS
    std::uint32_t generation = 0;
#endif
  };
#ifdef LOOPSIM_ASSERTIONS
  [[nodiscard]] Name name(std::uint32_t index) const {
    LOOPSIM_ASSERT(is_alive(index));
    return {index, lives_[index].generation};
  }
  [[nodiscard]] std::uint32_t index_of(const Name& name) const {
    LOOPSIM_ASSERT(is_alive(name.index));
    LOOPSIM_ASSERT(lives_[name.index].generation == name.generation);
    return name.index;
  }
  [[nodiscard]] bool is_alive(std::uint32_t index) const { return index < lives_.size() && lives_[index].is_alive; }
  // Of those that have had this place: the number of the one that is alive.
  [[nodiscard]] std::uint32_t generation_of(std::uint32_t index) const { return name(index).generation; }
#else
  [[nodiscard]] static Name name(std::uint32_t index) { return {index}; }
  [[nodiscard]] static std::uint32_t index_of(const Name& name) { return name.index; }
#endif

  // Prefetch hint for an object that is needed soon, and lies far from those used last.
  void prefetch(std::uint32_t index) const {
    __builtin_prefetch(&at(index), 1);
    // Otherwise GCC treats a function that only prefetches as one without effect, and drops its calls.
    asm volatile("");
  }

  // A fresh object with T's default value.
  std::uint32_t make() {
    if (free_count_ != 0) {
      const std::uint32_t index = free_[--free_count_];
      at(index) = T{};
      note_made(index);
      return index;
    }
    return make_fresh();
  }

  // An object with any value: the caller sets every field. Saves writing most of them twice.
  std::uint32_t make_for_overwrite() {
    if (free_count_ == 0) return make_fresh();
    const std::uint32_t index = free_[--free_count_];
    note_made(index);
    return index;
  }

  void free(std::uint32_t index) {
    note_freed(index);
    free_[free_count_++] = index;
  }

  // Calls the function with every object that was ever made, by index; also with those that are free.
  template <class F>
  void each(F&& function) const {
    for (std::uint32_t i = 0; i < size_; ++i) function(at(i));
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }  // ever made, at one time
  [[nodiscard]] std::size_t live() const { return size_ - free_count_; }

 private:
  [[nodiscard]] T& at(std::uint32_t index) { return chunks_[index >> kBits][index & kMask]; }
  [[nodiscard]] const T& at(std::uint32_t index) const { return chunks_[index >> kBits][index & kMask]; }

#ifdef LOOPSIM_ASSERTIONS
  struct Life {
    std::uint32_t generation = 0;
    bool is_alive = false;
  };
  std::vector<Life> lives_;  // by index

  void note_made(std::uint32_t index) {
    if (index >= lives_.size()) lives_.resize(std::size_t{index} + 1);
    LOOPSIM_ASSERT(!lives_[index].is_alive);
    ++lives_[index].generation;
    lives_[index].is_alive = true;
  }
  void note_freed(std::uint32_t index) {
    LOOPSIM_ASSERT(is_alive(index));  // not twice
    lives_[index].is_alive = false;
  }
#else
  static void note_made(std::uint32_t /*index*/) {}
  static void note_freed(std::uint32_t /*index*/) {}
#endif

  static constexpr std::uint32_t kBits = 10;
  static constexpr std::uint32_t kChunk = 1U << kBits;
  static constexpr std::uint32_t kMask = kChunk - 1;
  static constexpr std::size_t kChunkBytes = kChunk * sizeof(T);
  static constexpr std::size_t kSingleChunks =
      std::max<std::size_t>(kBigPage / kChunkBytes, 1);  // those behind lie in blocks

  // Not inlined: a running program mostly takes an index that was freed.
  [[gnu::noinline]] std::uint32_t make_fresh() {
    if (size_ == capacity_) grow();
    std::construct_at(&at(size_));  // not before: a small run touches little memory
    note_made(size_);
    return size_++;
  }

  // A failed allocation throws, and leaves the slab as it was or with an empty place at its end. What free_ holds need
  // not be kept: objects are made anew only when none is free. It is not filled: a small run touches little memory.
  void grow() {
    const std::size_t capacity = (chunks_.size() + 1) << kBits;
    if (capacity > free_room_) {
      const std::size_t room = std::max(capacity, 2 * free_room_);
      free_ = std::make_unique_for_overwrite<std::uint32_t[]>(room);
      free_room_ = room;
    }
    chunks_.push_back(nullptr);
    chunks_.back() = chunks_.size() <= kSingleChunks ? make_chunk() : take_from_block();
    capacity_ = capacity;
  }

  // A block has room for a quarter of what there is, up to 32 MiB.
  T* take_from_block() {
    if (chunks_left_ == 0) {
      const std::size_t wanted = std::clamp(chunks_.size() * kChunkBytes / 4, kChunkBytes, 16 * kBigPage);
      const std::size_t bytes = (wanted + kBigPage - 1) / kBigPage * kBigPage;
      blocks_.push_back(nullptr);
      blocks_.back() = ::operator new (bytes, std::align_val_t{kBigPage});
      ask_for_big_pages(blocks_.back(), bytes);
      next_chunk_ = static_cast<std::byte*>(blocks_.back());
      chunks_left_ = bytes / kChunkBytes;
    }
    --chunks_left_;
    T* const chunk = static_cast<T*>(static_cast<void*>(next_chunk_));
    next_chunk_ += kChunkBytes;
    return chunk;
  }

  // Aligned by hand: what glibc's aligned_alloc() gives back is cut at its ends, so that the next run of a study would not find room
  // there, and would touch new pages. Where the chunk begins that was allocated stands before it.
  static T* make_chunk() {
    constexpr std::size_t kBefore = std::max(alignof(T), alignof(void*));
    static_assert(kBefore >= sizeof(void*) && kBefore % alignof(void*) == 0);
    void* const allocated = ::operator new(kBefore + kBefore + kChunk * sizeof(T));
    void* place = static_cast<std::byte*>(allocated) + sizeof(void*);
    std::size_t room = kBefore + kBefore + kChunk * sizeof(T) - sizeof(void*);
    std::align(kBefore, kChunk * sizeof(T), place, room);
    std::memcpy(static_cast<std::byte*>(place) - sizeof(void*), &allocated, sizeof allocated);
    return static_cast<T*>(place);
  }
  static void free_chunk(T* chunk) {
    if (chunk == nullptr) return;  // whose allocation failed
    void* allocated = nullptr;
    std::memcpy(&allocated, reinterpret_cast<const std::byte*>(chunk) - sizeof(void*), sizeof allocated);
    ::operator delete(allocated);
  }

  std::vector<T*> chunks_;
  std::vector<void*> blocks_;
  std::byte* next_chunk_ = nullptr;  // in the last block
  std::size_t chunks_left_ = 0;      // there
  // With room for all indices, so that free() never allocates.
  std::unique_ptr<std::uint32_t[]> free_;
  std::size_t free_room_ = 0;
  std::size_t capacity_ = 0;
  std::uint32_t free_count_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace loopsim::node

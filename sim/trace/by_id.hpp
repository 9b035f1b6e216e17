// Something for each id in a trace. In a trace that a run has written ids follow each other, and stand side by side here. In one that
// somebody has written by hand, or damaged, an id may be any number: memory grows with the ids that are told, not with their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace loopsim {

template <class T>
class ById {
 public:
  // The place of this id, made if there is none.
  [[nodiscard]] T& operator[](std::uint64_t id) {
    ++asked_;
    if (id < near_.size()) [[likely]]
      return near_[static_cast<std::size_t>(id)];
    if (id >= kFree + kForEach * asked_) return far_[id];
    near_.resize(static_cast<std::size_t>(id) + 1);
    while (!far_.empty() && far_.begin()->first <= id) {
      near_[static_cast<std::size_t>(far_.begin()->first)] = far_.begin()->second;
      far_.erase(far_.begin());
    }
    return near_.back();
  }

  // Null: nothing is known of this id.
  [[nodiscard]] const T* find(std::uint64_t id) const {
    if (id < near_.size()) [[likely]]
      return &near_[static_cast<std::size_t>(id)];
    const auto found = far_.find(id);
    return found == far_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] T* find(std::uint64_t id) { return const_cast<T*>(static_cast<const ById&>(*this).find(id)); }

  void clear() {
    near_.clear();
    far_.clear();
    asked_ = 0;
  }

 private:
  static constexpr std::uint64_t kFree = 4096;   // ids that always stand side by side
  static constexpr std::uint64_t kForEach = 16;  // and so many more for each time that a place was asked for

  std::vector<T> near_;
  std::map<std::uint64_t, T> far_;
  std::uint64_t asked_ = 0;
};

}  // namespace loopsim

// The indexed heap, compared with a sorted set.
#include "sim/machine/indexed_heap.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace loopsim {
namespace {

constexpr std::uint32_t kOut = 0xffffffffU;

struct Item {
  int key;
  std::uint32_t id;
};

struct ByKey {
  std::vector<std::uint32_t>* places;  // by id
  static bool less(const Item& a, const Item& b) {
    if (a.id == b.id) FAIL("an entry is compared with itself, which the heap no longer contains");
    return std::pair(a.key, a.id) < std::pair(b.key, b.id);
  }
  void moved(const Item& item, std::uint32_t index) { (*places)[item.id] = index; }
};

}  // namespace

TEST_CASE("a heap with places gives the first of what is in it, whatever is put in and taken out", "[heap]") {
  std::mt19937 random(20261122);
  std::vector<std::uint32_t> places;
  IndexedHeap<Item, ByKey> heap(ByKey{&places});
  std::set<std::pair<int, std::uint32_t>> expected;
  for (int step = 0; step < 20'000; ++step) {
    const bool grows = (step / 500) % 2 == 0;
    const auto choice = random() % 10;
    if (expected.empty() || (grows ? choice < 7 : choice < 3)) {
      const Item item = {static_cast<int>(random() % 100), static_cast<std::uint32_t>(places.size())};
      places.push_back(kOut);
      expected.emplace(item.key, item.id);
      heap.insert(item);
    } else if (choice == 9) {
      auto any = expected.begin();
      std::advance(any, static_cast<std::ptrdiff_t>(random() % expected.size()));
      heap.remove(places[any->second]);
      expected.erase(any);
    } else {
      heap.remove(places[heap.front().id]);
      expected.erase(expected.begin());
    }
    REQUIRE(heap.empty() == expected.empty());
    if (!heap.empty()) REQUIRE(std::pair(heap.front().key, heap.front().id) == *expected.begin());
  }
}

}  // namespace loopsim

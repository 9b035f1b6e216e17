// The containers on which times depend, compared with standard containers under random operations.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/ring_queue.hpp"
#include "sim/node/timers/list_queue.hpp"
#include "sim/uv/timer_heap.hpp"

namespace {

// xorshift: the same numbers on every platform.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return (state_ >> 11U) % bound;
  }

 private:
  std::uint64_t state_;
};

constexpr int kSeeds = 40;
constexpr int kOperations = 4000;

}  // namespace

TEST_CASE("libuv's timer heap gives what a sorted set gives", "[queues]") {
  using loopsim::uv::Timer;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Draws draws(seed);
    loopsim::uv::TimerHeap heap;
    std::set<std::tuple<loopsim::TimeMs, std::uint64_t, std::size_t>> reference;
    std::deque<Timer> timers(1 + draws.below(200));
    const std::uint64_t span = 1 + draws.below(50);  // few distinct times, so many ties
    std::uint64_t started = 0;
    for (int i = 0; i < kOperations; ++i) {
      const std::size_t which = draws.below(timers.size());
      Timer& timer = timers[which];
      if (timer.active()) {
        REQUIRE(reference.erase({timer.timeout, timer.start_id, which}) == 1);
        heap.remove(timer);
        REQUIRE_FALSE(timer.active());
      } else {
        timer.timeout = static_cast<loopsim::TimeMs>(draws.below(span));
        timer.start_id = started++;
        heap.insert(timer);
        reference.insert({timer.timeout, timer.start_id, which});
      }
      REQUIRE(heap.empty() == reference.empty());
      if (!reference.empty()) REQUIRE(&heap.top() == &timers[std::get<2>(*reference.begin())]);
    }
  }
}

TEST_CASE("the wheel of timer lists gives what a sorted set gives", "[queues]") {
  using namespace loopsim::node;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Draws draws(seed);
    Slab<TimerList> lists;
    ListQueue queue(lists);
    std::set<std::tuple<loopsim::TimeMs, std::uint64_t, std::uint32_t>> reference;
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < 1 + draws.below(60); ++i) out.push_back(lists.make());
    loopsim::TimeMs now = static_cast<loopsim::TimeMs>(draws.below(5000));
    std::uint64_t id = 0;
    // Spans of expiry times: within the wheel, around its end, far beyond.
    const std::uint64_t spans[] = {20, 2100, 100'000};
    for (int i = 0; i < kOperations; ++i) {
      const std::uint64_t what = draws.below(8);
      if (what < 4 && !out.empty()) {
        std::swap(out[draws.below(out.size())], out.back());
        const std::uint32_t list = out.back();
        out.pop_back();
        lists[list].expiry = now + static_cast<loopsim::TimeMs>(draws.below(spans[draws.below(3)]));
        lists[list].id = id++;
        queue.enqueue(list, lists[list], now);
        reference.insert({lists[list].expiry, lists[list].id, list});
      } else if (what < 6 && !reference.empty()) {  // any list, as clearTimeout does
        auto any = reference.begin();
        std::advance(any, static_cast<std::ptrdiff_t>(draws.below(reference.size())));
        const std::uint32_t list = std::get<2>(*any);
        reference.erase(any);
        queue.dequeue(lists[list]);
        out.push_back(list);
      } else if (!reference.empty()) {  // the first list, as in the timers phase
        const auto [expiry, first_id, list] = *reference.begin();
        now = std::max(now, expiry);
        REQUIRE(queue.first(now).list == list);
        queue.dequeue(lists[list]);
        reference.erase(reference.begin());
        out.push_back(list);
      } else {
        now += static_cast<loopsim::TimeMs>(draws.below(4000));
      }
      REQUIRE(queue.empty() == reference.empty());
      if (reference.empty()) continue;
      REQUIRE(queue.first(now).list == std::get<2>(*reference.begin()));

      // A hint, which knows the lists in the wheel.
      const loopsim::TimeMs after =
          std::max(now, std::get<0>(*reference.begin())) + static_cast<loopsim::TimeMs>(draws.below(2500));
      const auto later = std::ranges::find_if(reference, [&](const auto& one) {
        return std::get<0>(one) > after && lists[std::get<2>(one)].queued == TimerList::Queued::in_wheel;
      });
      const ListQueue::First hint = queue.first_later_than(after);
      REQUIRE(hint.list == (later == reference.end() ? loopsim::kNone : std::get<2>(*later)));
      if (later != reference.end()) REQUIRE(hint.expiry == std::get<0>(*later));
    }
  }
}

TEST_CASE("a ring queue gives what a deque gives", "[queues]") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Draws draws(seed);
    loopsim::RingQueue<std::uint64_t> queue;
    std::deque<std::uint64_t> reference;
    const std::uint64_t towards = 1 + draws.below(9);  // insertions per ten operations
    for (int i = 0; i < kOperations; ++i) {
      if (draws.below(10) < towards || reference.empty()) {
        queue.push(draws.below(1000) + static_cast<std::uint64_t>(i));
        reference.push_back(queue.at(queue.size() - 1));
      } else {
        REQUIRE(queue.front() == reference.front());
        REQUIRE(queue.pop() == reference.front());
        reference.pop_front();
      }
      REQUIRE(queue.size() == reference.size());
      REQUIRE(queue.empty() == reference.empty());
      if (!reference.empty()) {
        const std::size_t any = draws.below(reference.size());
        REQUIRE(queue.at(any) == reference[any]);
      }
    }
  }
}

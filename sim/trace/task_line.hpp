// The line in which a page's task stands: tasks of one line run in the order in which they became ready, and between two lines of
// equal priority the HTML standard has no order.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace loopsim::browser {

// Where a task comes from (HTML, generic task sources). Names of the trace: docs/browser.md.
enum class Source : std::uint8_t { timer, user, message, network, dom, post_task, idle, history };

// Of a task; the first come first. A continuation, of scheduler.yield(), comes before the tasks of its priority.
enum class Priority : std::uint8_t {
  blocking_continuation,
  blocking,
  continuation,
  normal,
  background_continuation,
  background
};
inline constexpr std::size_t kPriorities = 6;

struct TaskLine {
  Source source = Source::dom;
  Priority priority = Priority::normal;
  // Several lines of one source: each port of a MessageChannel has its own, each request, and each signal whose priority may change.
  std::uint32_t number = 0;

  friend auto operator<=>(const TaskLine&, const TaskLine&) = default;

  // As a number above 0, for events (Event::c of an enqueue, which no writer shows).
  [[nodiscard]] constexpr std::int64_t code() const {
    return ((std::int64_t{number} << 6U) | (std::int64_t{static_cast<std::uint8_t>(priority)} << 3U) |
            static_cast<std::int64_t>(source)) +
           1;
  }
  [[nodiscard]] static constexpr TaskLine of_code(std::int64_t code) {
    const auto bits = static_cast<std::uint64_t>(code - 1);
    return {static_cast<Source>(bits & 7U), static_cast<Priority>((bits >> 3U) & 7U),
            static_cast<std::uint32_t>(bits >> 6U)};
  }
};
static_assert(TaskLine::of_code(TaskLine{Source::network, Priority::background, 70'000}.code()) ==
              TaskLine{Source::network, Priority::background, 70'000});

}  // namespace loopsim::browser

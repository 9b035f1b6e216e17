#include "tools/loopsim/line/step_ceiling.hpp"

#include <charconv>

#include <fmt/format.h>

#include "tools/loopsim/line/message.hpp"

namespace loopsim::cli {
namespace {
std::uint64_t ceiling = kDefaultSteps;  // both are set once, before anything runs
bool is_given = false;
}  // namespace

std::optional<std::uint64_t> parse_steps(std::string_view text) {
  if (text == "none") return 0;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stopped != end || number == 0) return std::nullopt;
  return number;
}

void set_step_ceiling(std::uint64_t steps, bool given) {
  ceiling = steps;
  is_given = given;
}
bool step_ceiling_is_given() { return is_given; }
std::uint64_t step_ceiling() { return ceiling; }

ReadOptions capped(ReadOptions options) {
  if (options.most_steps == 0) options.most_steps = ceiling;
  return options;
}

void report_step_ceiling(const RunSummary& summary, const Limits& limits, const Limits& asked) {
  const bool is_steps = summary.limit == LimitKind::steps && asked.steps > limits.steps;
  const bool is_callbacks = summary.limit == LimitKind::callbacks && asked.callbacks > limits.callbacks;
  if (summary.limit == LimitKind::steps && !summary.place.empty()) {
    constexpr std::uint64_t kMore = 10;
    report_error(fmt::format(
        "{}: stopped here, in a loop or a recursion, by the limit of {} steps{}", summary.place, limits.steps,
        is_steps ? "" : fmt::format(" (--set /limits/steps={} allows {} times as many)", limits.steps * kMore, kMore)));
  }
  if (!is_steps && !is_callbacks) return;
  report_error(
      fmt::format("the scenario allows itself {} {}; --max-steps stopped it at {} (--max-steps none lifts that)",
                  is_steps ? asked.steps : asked.callbacks, is_steps ? "steps" : "callbacks",
                  is_steps ? limits.steps : limits.callbacks));
}

}  // namespace loopsim::cli

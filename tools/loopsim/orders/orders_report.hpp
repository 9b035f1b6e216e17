// Reports of `loopsim orders`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/orders.hpp"
#include "loopsim/study.hpp"

namespace loopsim::cli {

// Scenario facts common to all reports.
struct OrdersSubject {
  std::string file;
  std::string title;
  std::string runtime;
  std::vector<std::pair<std::string, std::string>> machine;  // overrides that let it vary
  bool shows_all = false;                                    // --all
};

// Orders at each value of a dimension.
struct VariedOrders {
  Dimension dimension;
  std::vector<OrdersResult> results;  // per value
};

// An order, with its shares in the results of all values.
struct CommonOrder {
  LimitKind limit = LimitKind::none;
  std::vector<std::string> lines;
  bool is_cut = false;
  std::vector<const Share*> shares;  // per value; null: not observed
  std::uint64_t count = 0;
};
// Sorted by the number of runs over all values, then by first occurrence in the results.
[[nodiscard]] std::vector<CommonOrder> common_orders(const VariedOrders& varied);

// An order on one line, without its first `skip` lines. Cut after `width` columns (plus " ...") unless that is 0.
[[nodiscard]] std::string order_text(LimitKind limit, const std::vector<std::string>& lines, bool is_cut,
                                     std::size_t skip, std::size_t width);
// Number of leading lines common to all orders; 0 if too few to leave out. `orders` must have none that ended at a
// limit.
[[nodiscard]] std::size_t common_prefix(const std::vector<const std::vector<std::string>*>& orders);

[[nodiscard]] std::string round_text(const CallbackRound& round);  // "tick", "tick#2"
[[nodiscard]] std::string percent(double share);                   // "62.3 %"

[[nodiscard]] std::string text_report(const OrdersResult& result, const OrdersSubject& subject);
[[nodiscard]] std::string text_report(const VariedOrders& varied, const OrdersSubject& subject);
[[nodiscard]] std::string text_report(const ThresholdResult& result, const ThresholdRange& range, std::uint32_t points,
                                      const OrdersSubject& subject);

[[nodiscard]] std::string json_report(const OrdersResult& result, const OrdersSubject& subject);
[[nodiscard]] std::string json_report(const VariedOrders& varied, const OrdersSubject& subject);
[[nodiscard]] std::string json_report(const ThresholdResult& result, const ThresholdRange& range,
                                      const OrdersSubject& subject);

// Scripts for gnuplot (gnuplot.hpp): bars with their intervals, and stacked areas.
[[nodiscard]] std::string plot_script(const OrdersResult& result, const OrdersSubject& subject);
[[nodiscard]] std::string plot_script(const VariedOrders& varied, const OrdersSubject& subject);

}  // namespace loopsim::cli

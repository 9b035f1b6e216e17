// What `loopsim orders` has found, and how it is told.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/orders.hpp"
#include "loopsim/study.hpp"

namespace loopsim::cli {

// What all reports say of the scenario.
struct OrdersSubject {
  std::string file;
  std::string title;
  std::string runtime;
  std::vector<std::pair<std::string, std::string>> machine;  // what --vary-machine lays over it
  bool shows_all = false;                                    // --all
};

// Orders at each value of a dimension.
struct VariedOrders {
  Dimension dimension;
  std::vector<OrdersResult> results;  // by value
};

// An order of all values together: where it stands in the results.
struct CommonOrder {
  LimitKind limit = LimitKind::none;
  std::vector<std::string> lines;
  bool is_cut = false;
  std::vector<const Share*> shares;  // by value; null: it was not seen there
  std::uint64_t count = 0;
};
// By share over all values, then by where they were first seen.
[[nodiscard]] std::vector<CommonOrder> common_orders(const VariedOrders& varied);

// An order in one line; at most `width` columns when that is not 0. `skip` lines at its beginning are left out: all orders share them.
[[nodiscard]] std::string order_text(LimitKind limit, const std::vector<std::string>& lines, bool is_cut,
                                     std::size_t skip, std::size_t width);
// How many lines at the beginning are the same in all orders (those of limits left out of account), when that is worth leaving out.
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

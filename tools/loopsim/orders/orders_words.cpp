// What all reports and plots of orders say alike.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tools/loopsim/orders/orders_report.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kWorthLeavingOut = 4;  // lines

}  // namespace

std::string round_text(const CallbackRound& round) {
  return round.round == 1 ? round.name : fmt::format("{}#{}", round.name, round.round);
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::size_t common_prefix(const std::vector<const std::vector<std::string>*>& orders) {
  if (orders.size() < 2) return 0;
  std::size_t common = orders.front()->size();
  for (const auto* const lines : orders) {
    const auto [end, other] = std::mismatch(
        orders.front()->begin(), orders.front()->begin() + static_cast<std::ptrdiff_t>(std::min(common, lines->size())),
        lines->begin());
    static_cast<void>(other);
    common = static_cast<std::size_t>(end - orders.front()->begin());
  }
  return common >= kWorthLeavingOut ? common : 0;
}

std::string order_text(LimitKind limit, const std::vector<std::string>& lines, bool is_cut, std::size_t skip,
                       std::size_t width) {
  if (limit != LimitKind::none) return fmt::format("(ended at the limit of {})", to_string(limit));
  if (lines.empty()) return "(nothing)";
  std::string text = skip > 0 ? "... " : "";
  for (std::size_t i = skip; i < lines.size(); ++i) {
    if (i > skip) text += ", ";
    for (const char c : lines[i]) text += c == '\n' || c == '\t' ? ' ' : c;
  }
  if (skip > 0 && skip == lines.size()) text = "... (and nothing more)";
  if (is_cut) text += ", ...";
  if (width == 0) return text;
  // Columns are characters: UTF-8 continuation bytes do not count.
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U) continue;
    if (++columns > width) return text.substr(0, i) + " ...";
  }
  return text;
}

std::vector<CommonOrder> common_orders(const VariedOrders& varied) {
  std::vector<CommonOrder> orders;
  std::map<std::pair<LimitKind, std::vector<std::string>>, std::size_t> numbers;
  for (std::size_t i = 0; i < varied.results.size(); ++i) {
    for (const ObservedOrder& order : varied.results[i].orders) {
      const auto [place, is_new] = numbers.try_emplace({order.limit, order.lines}, orders.size());
      if (is_new) {
        orders.push_back(
            {order.limit, order.lines, order.is_cut, std::vector<const Share*>(varied.results.size(), nullptr), 0});
      }
      CommonOrder& common = orders[place->second];
      // Orders that differ only beyond the lines kept become one, with the share of the first.
      if (common.shares[i] == nullptr) common.shares[i] = &order.share;
      common.count += order.share.count;
    }
  }
  std::ranges::stable_sort(orders, std::ranges::greater(), &CommonOrder::count);
  return orders;
}

}  // namespace loopsim::cli

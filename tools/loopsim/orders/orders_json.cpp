// The JSON reports; docs/orders.md describes their keys.

#include <nlohmann/json.hpp>

#include "tools/loopsim/orders/orders_report.hpp"

namespace loopsim::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kOrdersFormatVersion = 1;

Json head(const OrdersSubject& subject) {
  Json json = {{"loopsim_orders", kOrdersFormatVersion},
               {"file", subject.file},
               {"scenario", subject.title},
               {"runtime", subject.runtime}};
  if (!subject.machine.empty()) {
    Json machine = Json::object();
    for (const auto& [name, value] : subject.machine) {
      const Json parsed = Json::parse(value, nullptr, false);
      machine[name] = parsed.is_discarded() ? Json(value) : parsed;
    }
    json["set"] = machine;
  }
  return json;
}

std::string_view word(OrderOf of) { return of == OrderOf::output ? "output" : "callbacks"; }

Json lines_json(LimitKind limit, const std::vector<std::string>& lines, bool is_cut) {
  Json json = Json::object();
  if (limit != LimitKind::none) {
    json["limit"] = to_string(limit);
  } else {
    json["lines"] = lines;
  }
  if (is_cut) json["cut"] = true;
  return json;
}

Json share_json(const Share& share) {
  return {{"runs", share.count}, {"share", share.share}, {"low", share.low}, {"high", share.high}};
}

void add_witness(Json& json, const Witness& witness) {
  json["replication"] = witness.replication;
  json["seed"] = witness.seed;
}

Json orders_json(const OrdersResult& result) {
  Json orders = Json::array();
  for (const ObservedOrder& order : result.orders) {
    Json json = lines_json(order.limit, order.lines, order.is_cut);
    json.update(share_json(order.share));
    add_witness(json, order.witness);
    orders.push_back(std::move(json));
  }
  return orders;
}

Json pair_json(const PairOrder& pair) {
  Json json = {{"first", round_text(pair.first)},    {"second", round_text(pair.second)},
               {"verdict", to_string(pair.verdict)}, {"runs", pair.both},
               {"only_first", pair.only_first},      {"only_second", pair.only_second}};
  if (pair.verdict == PairVerdict::apart) return json;
  json["in_order"] = share_json(pair.in_order);
  add_witness(json["in_order"], pair.in_order_witness);
  if (pair.verdict == PairVerdict::race) {
    json["turned"] = share_json(pair.turned);
    add_witness(json["turned"], pair.turned_witness);
  }
  if (pair.verdict == PairVerdict::always) json["turned_below"] = pair.turned_bound;
  if (!pair.reason.empty()) json["reason"] = pair.reason;
  return json;
}

std::string text_of(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string json_report(const OrdersResult& result, const OrdersSubject& subject) {
  Json json = head(subject);
  json["of"] = word(result.of);
  json["seed"] = result.seed;
  json["random"] = result.is_random;
  json["runs"] = result.runs;
  json["orders"] = orders_json(result);
  json["pairs"] = Json::array();
  for (const PairOrder& pair : result.pairs) json["pairs"].push_back(pair_json(pair));
  return text_of(json);
}

std::string json_report(const VariedOrders& varied, const OrdersSubject& subject) {
  Json json = head(subject);
  json["of"] = word(varied.results.front().of);
  json["seed"] = varied.results.front().seed;
  json["varied"] = varied.dimension.name;
  json["points"] = Json::array();
  for (std::size_t i = 0; i < varied.results.size(); ++i) {
    const OrdersResult& result = varied.results[i];
    json["points"].push_back({{"value", varied.dimension.values[i]},
                              {"random", result.is_random},
                              {"runs", result.runs},
                              {"orders", orders_json(result)}});
  }
  return text_of(json);
}

std::string json_report(const ThresholdResult& result, const ThresholdRange& range, const OrdersSubject& subject) {
  Json json = head(subject);
  json["of"] = word(result.of);
  json["seed"] = result.seed;
  json["random"] = result.is_random;
  json["runs"] = result.runs;
  json["threshold"] = range.name;
  json["from"] = range.text(range.from);
  json["to"] = range.text(range.to);
  json["complete"] = !result.is_cut;
  json["segments"] = Json::array();
  for (const ThresholdSegment& segment : result.segments) {
    const ThresholdOrder& order = result.orders[segment.order];
    Json one = {{"from", range.text(segment.from)}, {"to", range.text(segment.to)}};
    one.update(lines_json(order.limit, order.lines, order.is_cut));
    json["segments"].push_back(std::move(one));
  }
  return text_of(json);
}

}  // namespace loopsim::cli

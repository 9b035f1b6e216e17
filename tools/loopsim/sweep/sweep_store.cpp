#include "tools/loopsim/sweep/sweep_store.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "loopsim/version.hpp"

namespace loopsim::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersionOfForm = 1;
constexpr std::array<std::string_view, 4> kTypes = {"integer", "real", "text", "json"};

Json pairs(const std::vector<std::pair<std::string, std::string>>& all) {
  Json list = Json::array();
  for (const auto& [name, value] : all) list.push_back({name, value});
  return list;
}

Json dimensions(const std::vector<Dimension>& all) {
  Json list = Json::array();
  for (const Dimension& dimension : all) list.push_back({{"name", dimension.name}, {"values", dimension.values}});
  return list;
}

Json columns(std::span<const Column> all) {
  Json list = Json::array();
  for (const Column& column : all) {
    list.push_back(
        {column.name, kTypes[static_cast<std::size_t>(column.type)], column.is_metric, column.unit, column.help});
  }
  return list;
}

Column column_of(const Json& json) {
  Column column;
  column.name = json.at(0);
  const std::string type = json.at(1);
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i] == type) column.type = static_cast<Column::Type>(i);
  }
  column.is_metric = json.at(2);
  column.unit = json.at(3);
  column.help = json.at(4);
  return column;
}

std::string shortened(std::string text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() > kLongest) text.replace(kLongest, std::string::npos, " ...");
  return text;
}

// The first key of `here` whose values differ, with both values.
std::string first_difference(const Json& there, const Json& here) {
  for (const auto& [key, value] : here.items()) {
    const Json other = there.contains(key) ? there.at(key) : Json();
    if (other == value) continue;
    return fmt::format("{} is {} there, {} here", key, shortened(other.dump()), shortened(value.dump()));
  }
  return "";
}

Json parsed(std::string_view line) { return Json::parse(line, nullptr, false); }

std::string difference(std::string_view there, std::string_view here, bool with_shard) {
  const Json other = parsed(there);
  const Json own = parsed(here);
  if (!other.is_object() || !other.contains("loopsim_sweep") || !other.contains("study")) return "it is no sweep";
  for (const char* key : {"loopsim_sweep", "program", "shard"}) {
    if (key == std::string_view("shard") && !with_shard) continue;
    const std::string different = first_difference({{key, other.value(key, Json())}}, {{key, own.at(key)}});
    if (!different.empty()) return different;
  }
  return first_difference(other.at("study"), own.at("study"));
}

}  // namespace

std::string stored_header(const Study& study, Shard shard, RowFormat format) {
  const StudySpec& spec = spec_of(study);
  const StudyShape& shape = shape_of(study);
  Json stopping;
  if (spec.stopping) stopping = {{"half_width", spec.stopping->half_width}, {"relative", spec.stopping->relative}};
  const Json header = {
      {"loopsim_sweep", kVersionOfForm},
      {"program", kVersion},
      {"format", to_string(format)},
      {"shard", {shard.number, shard.count}},
      {"study",
       {{"scenario", shape.title},
        {"scenario_hash", shape.scenario_hash},
        {"runtime", spec.options.runtime},
        {"set", pairs(spec.options.overrides)},
        {"vary", dimensions(spec.dimensions)},
        {"seed", shape.seed},
        {"replications", shape.replications},
        {"until_half_width", stopping},
        {"metrics", spec.metrics},
        {"warm_up", spec.metrics_options.warm_up},
        {"max_steps", spec.options.most_steps},
        {"columns", columns(shape.columns)}}},
  };
  return header.dump();
}

std::string difference_of_sweeps(std::string_view there, std::string_view here) {
  return difference(there, here, true);
}
std::string difference_of_studies(std::string_view there, std::string_view here) {
  return difference(there, here, false);
}

std::optional<StoredSweep> parse_header(std::string_view line) {
  const Json json = parsed(line);
  if (!json.is_object() || !json.contains("loopsim_sweep")) return std::nullopt;
#if defined(__cpp_exceptions)  // otherwise a damaged header ends the program
  try {
#endif
    StoredSweep stored;
    stored.header = std::string(line);
    stored.shard = {json.at("shard").at(0), json.at("shard").at(1)};
    const std::optional<RowFormat> format = parse_row_format(json.at("format").get<std::string>());
    if (!format || stored.shard.number < 1 || stored.shard.number > stored.shard.count) return std::nullopt;
    stored.format = *format;
    const Json& study = json.at("study");
    stored.title = study.at("scenario");
    for (const Json& column : study.at("columns")) stored.columns.push_back(column_of(column));
    for (const Json& dimension : study.at("vary")) {
      stored.dimensions.push_back({dimension.at("name"), dimension.at("values")});
      if (stored.dimensions.back().values.empty()) return std::nullopt;
      stored.summary.dimensions.push_back(stored.dimensions.back().name);
    }
    for (const Json& metric : study.at("metrics")) {
      const std::string name = metric;
      for (std::size_t i = 0; i < stored.columns.size(); ++i) {
        if (!stored.columns[i].is_metric || stored.columns[i].name != name) continue;
        stored.metrics.push_back(i);
        stored.summary.metrics.push_back(name);
        stored.summary.units.push_back(stored.columns[i].unit);
      }
    }
    stored.replications = study.at("replications");
    if (stored.replications == 0 || stored.columns.empty()) return std::nullopt;
    return stored;
#if defined(__cpp_exceptions)
  } catch (const Json::exception&) {
    return std::nullopt;
  }
#endif
}

std::string end_line(std::uint64_t rows) { return fmt::format("{{\"end\":{}}}\n", rows); }

std::optional<std::uint64_t> parse_end(std::string_view line) {
  const Json json = parsed(line);
  if (!json.is_object() || !json.contains("end") || !json.at("end").is_number_unsigned()) return std::nullopt;
  return json.at("end").get<std::uint64_t>();
}

}  // namespace loopsim::cli

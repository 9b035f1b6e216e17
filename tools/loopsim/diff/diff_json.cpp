// The JSON report; docs/command-line.md describes its keys.

#include <nlohmann/json.hpp>

#include "tools/loopsim/diff/diff_report.hpp"
#include "tools/loopsim/io/input_file.hpp"

namespace loopsim::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDiffFormatVersion = 1;

std::string_view word(AlignedRow::Mark mark) {
  switch (mark) {
    case AlignedRow::Mark::same: return "same";
    case AlignedRow::Mark::other_time: return "other_time";
    case AlignedRow::Mark::only_a: return "only_a";
    case AlignedRow::Mark::only_b: return "only_b";
    case AlignedRow::Mark::moved: return "moved";
  }
  return "";
}

std::string_view word(Factor::Kind kind) {
  switch (kind) {
    case Factor::Kind::document: return "scenario";
    case Factor::Kind::setting: return "setting";
    case Factor::Kind::seed: return "seed";
    case Factor::Kind::family: return "family";
    case Factor::Kind::profile_field: return "profile_field";
    case Factor::Kind::library: return "library";
  }
  return "";
}

Json event_json(const StoredTrace& trace, const Event& event) {
  Json json = {{"ev", to_string(event.kind)},
               {"seq", event.sequence},
               {"t", event.time},
               {"turn", event.turn},
               {"phase", to_string(event.phase)}};
  for (const FieldInfo& field : event_table()[static_cast<std::size_t>(event.kind)].fields) {
    if (field.source == FieldInfo::Source::api) json["api"] = field.words[static_cast<std::size_t>(event.api)];
    if (field.source == FieldInfo::Source::id && event.id != 0) json[std::string(field.key)] = event.id;
    if (field.source == FieldInfo::Source::name && event.name != kNoName) json["name"] = trace.name_of(event);
    if (field.source == FieldInfo::Source::text && event.text_size != 0)
      json[std::string(field.key)] = trace.text_of(event);
    if (field.source == FieldInfo::Source::line && event.line != 0) json["line"] = event.line;
    if (field.source == FieldInfo::Source::column && event.column != 0) json["column"] = event.column;
  }
  if (event.kind == EventKind::exit) json["code"] = event.a;
  if (event.kind == EventKind::limit) json["limit"] = to_string(static_cast<LimitKind>(event.detail));
  return json;
}

Json row_json(const Side& side, std::size_t row) {
  Json json = {{"row", row + 1}};
  json.update(event_json(side.trace, side.trace.events[side.rows[row].event]));
  return json;
}

Json sight_json(const Side& side, const Side& other, const Sight& sight) {
  if (sight.event == nullptr) return nullptr;
  Json json = row_json(side, sight.row);
  if (sight.schedule != nullptr) json["scheduled"] = event_json(side.trace, *sight.schedule);
  if (sight.within != nullptr) json["by"] = event_json(side.trace, *sight.within);
  json["elsewhere"] = sight.counterpart == kNoRow ? Json() : row_json(other, sight.counterpart);
  return json;
}

Json side_json(const Side& side) {
  Json params = Json::object();
  for (const auto& [name, text] : side.trace.params) params[name] = Json::parse(text, nullptr, false);
  const RunSummary& summary = side.trace.summary;
  return {{"name", side.name},
          {"file", input_name(side.file->path)},
          {"kind", side.file->is_trace ? "trace" : "scenario"},
          {"runtime", side.trace.runtime},
          {"seed", side.trace.seed},
          {"params", params},
          {"callbacks", summary.callbacks},
          {"turns", summary.turns},
          {"end", summary.end_time},
          {"code", summary.exit_code},
          {"limit", to_string(summary.limit)}};
}

Json factors_json(const Finding& finding, const std::vector<std::size_t>& indices) {
  Json list = Json::array();
  for (const std::size_t i : indices) {
    const Factor& factor = finding.reason->factors[i];
    Json json = {{"kind", word(factor.kind)}};
    if (factor.kind != Factor::Kind::document) {
      json["name"] = factor.name;
      json["a"] = factor.a_value;
      json["b"] = factor.b_value;
    }
    if (factor.field != nullptr) {
      json["meaning"] = factor.field->meaning;
      json["versions_like_b"] = factor.versions;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json reason_json(const Finding& finding) {
  if (!finding.reason) return nullptr;
  const Reason& reason = *finding.reason;
  Json browser = nullptr;
  if (reason.browser)
    browser = {{"name", reason.browser->field->name}, {"meaning", reason.browser->field->meaning},
               {"browser", reason.browser->browser},  {"value", reason.browser->value},
               {"other", reason.browser->other},      {"other_value", reason.browser->other_value},
               {"everything", reason.browser->is_all}};
  return {{"browser", browser},
          {"first", factors_json(finding, reason.first)},
          {"each", factors_json(finding, reason.each)},
          {"any", reason.is_any},
          {"everything", factors_json(finding, reason.everything)},
          {"taken_from", reason.is_backwards ? "a" : "b"},
          {"runs", reason.runs},
          {"gave_up", reason.gave_up}};
}

void add_difference(Json& json, const Finding& finding) {
  json["first_difference"] = nullptr;
  if (!finding.difference) return;
  json["first_difference"] = {{"row", *finding.difference + 1},
                              {"a", sight_json(*finding.a, *finding.b, finding.a_sight)},
                              {"b", sight_json(*finding.b, *finding.a, finding.b_sight)}};
  json["reason"] = reason_json(finding);
  json["facts"] = finding.facts;
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string json_report(const Finding& finding, RowMaker& rows) {
  Json json = {{"loopsim_diff", kDiffFormatVersion},
               {"identical", !finding.is_different()},
               {"same_trace", finding.is_same_trace},
               {"rows_are", rows.options().all_events ? "events" : "callbacks and output"},
               {"ignores_times", rows.options().ignore_times},
               {"a", side_json(*finding.a)},
               {"b", side_json(*finding.b)}};
  add_difference(json, finding);
  Json list = Json::array();
  for (const AlignedRow& row : finding.aligned) {
    Json line = {{"mark", word(row.mark)}};
    line["a"] = row.a == kNoRow ? Json() : row_json(*finding.a, row.a);
    line["b"] = row.b == kNoRow ? Json() : row_json(*finding.b, row.b);
    if (row.other != kNoRow) line["other_row"] = row.other + 1;
    list.push_back(std::move(line));
  }
  json["rows"] = std::move(list);
  return text_of(json);
}

std::string json_report(const Study& study, RowMaker& rows) {
  Json groups = Json::array();
  for (const Group& group : study.groups) {
    Json runtimes = Json::array();
    for (const std::size_t i : group.sides) runtimes.push_back(study.sides[i].name);
    Json json = {{"runtimes", std::move(runtimes)}};
    if (group.error.empty()) {
      json["outcome"] = side_json(study.sides[group.sides.front()]);
    } else {
      json["error"] = group.error;
    }
    groups.push_back(std::move(json));
  }
  Json steps = Json::array();
  for (const Finding& finding : study.steps) {
    Json json = {{"from", finding.a->name}, {"to", finding.b->name}};
    add_difference(json, finding);
    steps.push_back(std::move(json));
  }
  return text_of({{"loopsim_diff", kDiffFormatVersion},
                  {"identical", study.groups.size() == 1},
                  {"rows_are", rows.options().all_events ? "events" : "callbacks and output"},
                  {"ignores_times", rows.options().ignore_times},
                  {"file", input_name(study.path)},
                  {"groups", std::move(groups)},
                  {"steps", std::move(steps)}});
}

}  // namespace loopsim::cli

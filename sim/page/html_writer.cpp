// The HTML page: the page built by tools/page, with the data of a run in three script elements that are not executed.
//
//   #trace          the canonical JSON lines
//   #run            the document, its JavaScript, the places of their parts, the summary, help on events and keys
//   #explanations   why each callback ran (explain.hpp)
//
// All of it is JSON, where "<" occurs only in texts and is written as \u003c. So no scenario can end the element, begin
// a comment or become markup.

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "loopsim/explain.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/races.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/text.hpp"
#include "loopsim/version.hpp"
#include "loopsim/writers.hpp"

namespace loopsim {
namespace {

// Escapes JSON for a script element.
class ScriptOutput final : public ByteOutput {
 public:
  explicit ScriptOutput(ByteOutput& next) : next_(next) {}

  void write(std::string_view bytes) override {
    for (std::size_t at = bytes.find('<'); at != std::string_view::npos; at = bytes.find('<')) {
      next_.write(bytes.substr(0, at));
      next_.write("\\u003c");
      bytes.remove_prefix(at + 1);
    }
    next_.write(bytes);
  }

 private:
  ByteOutput& next_;
};

class HtmlWriter final : public TraceSink {
 public:
  HtmlWriter(ByteOutput& output, const HtmlOptions& options)
      : output_(output),
        options_(options),
        data_(output),
        trace_(make_jsonl_writer(data_)),
        explainer_(make_explainer(options.races)) {}

  void begin(const RunInfo& info) override {
    const std::size_t mark = options_.page.find(kHtmlDataMark);
    output_.write(options_.page.substr(0, mark));
    output_.write("<script type=\"application/x-ndjson\" id=\"trace\">");
    const Profile* const profile = find_profile(info.runtime);
    has_whole_lists_ = profile == nullptr || has_whole_lists(*profile);
    trace_->begin(info);
    explainer_->begin(info);
  }

  void events(const EventBatch& batch) override {
    trace_->events(batch);
    explainer_->events(batch);
  }

  void end(const RunSummary& summary) override {
    trace_->end(summary);
    explainer_->end(summary);
    output_.write("</script>\n<script type=\"application/json\" id=\"run\">");
    data_.write(run_json(summary));
    output_.write("</script>\n<script type=\"application/json\" id=\"explanations\">");
    write_explanations_json(*explainer_, data_);
    output_.write("</script>");
    const std::size_t mark = options_.page.find(kHtmlDataMark);
    if (mark != std::string_view::npos) output_.write(options_.page.substr(mark + kHtmlDataMark.size()));
  }

 private:
  [[nodiscard]] std::string run_json(const RunSummary& summary) const {
    const std::string language =
        options_.language ? fmt::format("\"language\":\"{}\",", to_string(*options_.language)) : std::string();
    std::string out = fmt::format(
        "{{\"program\":{},{}\"file\":{},\"document\":{},\"script\":{},\"parts\":{},\"races\":{},\"wholeLists\":{},"
        "\"events\":{},"
        "\"summary\":{{\"reason\":\"{}\",\"limit\":\"{}\",\"exit\":{},\"end\":{},\"poll\":{},\"turns\":{},"
        "\"callbacks\":{},"
        "\"events\":{},\"hash\":\"{}\"}}}}",
        json_string(kVersion), language, json_string(options_.file), json_string(options_.document),
        json_string(options_.script == nullptr ? "" : options_.script->text), parts_json(), races_json(),
        has_whole_lists_, table_json(), to_string(summary.reason), to_string(summary.limit), summary.exit_code,
        summary.end_time, summary.poll_time, summary.turns, summary.callbacks, summary.events,
        options_.hash == nullptr ? std::string() : format_hash(options_.hash->hash()));
    return out;
  }

  // [[kind, name, line, column, end line, end column, first, last] ...]
  [[nodiscard]] std::string parts_json() const {
    std::string out = "[";
    if (options_.script == nullptr) return out + ']';
    for (const ScriptPart& part : options_.script->parts) {
      if (out.size() > 1) out += ',';
      out += fmt::format("[\"{}\",{},{},{},{},{},{},{}]", part.kind == ScriptPart::Kind::step ? "step" : "body",
                         json_string(part.name), part.line, part.column, part.end_line, part.end_column, part.first,
                         part.last);
    }
    return out + ']';
  }

  // [[first callback, second callback] ...]
  [[nodiscard]] std::string races_json() const {
    std::string out = "[";
    if (options_.races == nullptr) return out + ']';
    for (const Race& race : options_.races->races)
      out += fmt::format("{}[{},{}]", out.size() > 1 ? "," : "", race.first.id, race.second.id);
    return out + ']';
  }

  // {"poll":["the loop has polled",{"rule":"which rule ..."}], ...}
  static std::string table_json() {
    std::string out = "{";
    for (const EventInfo& event : event_table()) {
      if (out.size() > 1) out += ',';
      out += fmt::format("{}:[{},{{", json_string(event.name), json_string(event.help));
      bool is_first = true;
      for (const FieldInfo& field : event.fields) {
        out += fmt::format("{}{}:{}", is_first ? "" : ",", json_string(field.key), json_string(field.help));
        is_first = false;
      }
      out += "}]";
    }
    return out + '}';
  }

  ByteOutput& output_;
  HtmlOptions options_;
  ScriptOutput data_;
  std::unique_ptr<TraceSink> trace_;
  std::unique_ptr<Explainer> explainer_;
  bool has_whole_lists_ = true;
};

}  // namespace

std::unique_ptr<TraceSink> make_html_writer(ByteOutput& output, const HtmlOptions& options) {
  return std::make_unique<HtmlWriter>(output, options);
}

}  // namespace loopsim

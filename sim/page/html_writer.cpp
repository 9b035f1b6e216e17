// The HTML page: the page built by tools/page, with the data of a run in three script elements that are not executed.
//
//   #trace          the canonical JSON lines
//   #run            the document, its JavaScript, the places of their parts, the summary, help on events and keys;
//                   which events repeat others (folds), and which are left out (gaps)
//   #explanations   why each callback ran (explain.hpp)
//
// Of a long run the first lines and reasons are there, and behind them the others, packed: #more-trace, #sentences and
// #reasons (packing.cpp). Of a long repetition the trace has the first and the last events (gap.hpp). What the page leaves
// out does not depend on the size of the run, so a loop without end makes no page without end.
//
// All else is JSON, where "<" occurs only in texts and is written as \u003c. So no scenario can end the element, begin
// a comment or become markup.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/explain.hpp"
#include "loopsim/profile.hpp"
#include "loopsim/races.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/text.hpp"
#include "loopsim/version.hpp"
#include "loopsim/writers.hpp"

#include "sim/page/gap.hpp"
#include "sim/page/io_page.hpp"
#include "sim/trace/by_runtime.hpp"
#include "sim/trace/folder.hpp"

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

// Hidden events of a fold that are kept from its begin on, before a repetition is left out.
constexpr std::size_t kKeptOfFold = 400;
constexpr std::size_t kWholeReasons = 1000;  // as JSON, where the others are packed

class HtmlWriter final : public TraceSink, private FoldTarget {
 public:
  HtmlWriter(ByteOutput& output, const HtmlOptions& options)
      : output_(output),
        options_(options),
        data_(output),
        packing_(options.packing == nullptr ? nullptr : options.packing(output, data_)),
        trace_(make_jsonl_writer(packing_ == nullptr ? data_ : packing_->trace())),
        explainer_(make_explainer(options.races)),
        notes_(options.races == nullptr ? std::vector<CallbackNote>() : notes_of(*options.races)),
        // Steps are not compared: a page always has them, and the counter of an interval would keep it from folding. An
        // open fold shows them.
        folder_(*this, {.queues = true, .empty_turns = true, .steps = false, .notes = notes_}) {}

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
    trace_->events({.events = {}, .text = {}, .new_names = batch.new_names});
    explainer_->events(batch);
    for (const Event& event : batch.events) folder_.push(event, batch.text_of(event));
  }

  void end(const RunSummary& summary) override {
    folder_.flush();
    trace_->end(summary);
    if (packing_ != nullptr) packing_->end_trace();
    explainer_->end(summary);
    output_.write("</script>\n<script type=\"application/json\" id=\"run\">");
    data_.write(run_json(summary));
    output_.write("</script>\n<script type=\"application/json\" id=\"explanations\">");
    write_explanations();
    output_.write("</script>");
    const std::size_t mark = options_.page.find(kHtmlDataMark);
    if (mark != std::string_view::npos) output_.write(options_.page.substr(mark + kHtmlDataMark.size()));
  }

 private:
  void shown(const Event& event, std::string_view text) override { write(event, text); }

  void hidden(const Event& event, std::string_view text, bool begins) override {
    const bool is_long = begins && kept_of_fold_ >= kKeptOfFold && !options_.all;
    if (is_long && gap_.is_empty()) gap_ = Gap(known_);
    if (is_long || !gap_.is_empty()) {
      gap_.add(event, text, begins);
    } else {
      if (!is_step(event.kind)) ++kept_of_fold_;  // the same repetitions with and without steps
      write(event, text);
    }
  }

  void folded(const Fold& fold) override {
    kept_of_fold_ = 0;
    add(folds_, fold_json(fold));
    if (gap_.is_empty()) return;
    const Gap gap = std::exchange(gap_, {});
    add(gaps_, gap.json());
    for (const Gap::Kept& one : gap.kept()) write(one.event, one.text);
  }

  void write(Event event, std::string_view text) {
    event.text_offset = 0;
    event.text_size = static_cast<std::uint32_t>(text.size());
    if (event.kind == EventKind::schedule || event.kind == EventKind::callback_begin) {
      if (event.id >= is_told_.size()) is_told_.resize(static_cast<std::size_t>(event.id) + 1);
      is_told_[static_cast<std::size_t>(event.id)] = true;
    }
    if (event.kind == EventKind::scope) known_.scope = std::max(known_.scope, event.a);
    if (event.kind == EventKind::promise) known_.promise = std::max(known_.promise, event.id);
    trace_->events({.events = {&event, 1}, .text = text, .new_names = {}});
  }

  // Of the callbacks that the page knows.
  void write_explanations() {
    std::vector<std::uint64_t> told;
    for (const std::uint64_t id : explainer_->callbacks())
      if (id < is_told_.size() && is_told_[static_cast<std::size_t>(id)]) told.push_back(id);
    if (packing_ == nullptr) return write_explanations_json(*explainer_, told, data_);
    const std::span<std::uint64_t> all(told);
    const auto others = all.subspan(std::min(all.size(), kWholeReasons));
    std::ranges::sort(others);  // the page looks for them by their numbers
    write_explanations_json(*explainer_, all.first(all.size() - others.size()), data_, others, &packing_->reasons());
    packing_->end_reasons();
  }

  static void add(std::string& list, const std::string& one) { list.append(list.empty() ? "" : ",").append(one); }

  [[nodiscard]] static std::string fold_json(const Fold& fold) {
    std::string what;
    for (const auto& [event, text] : fold.what)
      if (event.kind == EventKind::callback_begin) add(what, std::to_string(event.id));
    return fmt::format(
        "{{\"first\":{},\"last\":{},\"from\":{},\"to\":{},\"count\":{},\"turns\":{},\"callbacks\":{},\"drain\":{},"
        "\"lines\":{},\"exceptions\":{},\"late\":[{},{}],\"what\":[{}],\"more\":{}}}",
        fold.first.sequence, fold.last.sequence, fold.first.time, fold.last.time, fold.count, fold.turns,
        fold.callbacks, fold.is_in_drain, fold.lines, fold.exceptions, fold.most_late > 0 ? fold.least_late : 0,
        fold.most_late, what, fold.more);
  }

  [[nodiscard]] std::string run_json(const RunSummary& summary) const {
    const std::string language =
        options_.language ? fmt::format("\"language\":\"{}\",", to_string(*options_.language)) : std::string();
    std::string out = fmt::format(
        "{{\"program\":{},{}\"file\":{},\"document\":{},\"script\":{},{}\"parts\":{},\"folds\":[{}],\"gaps\":[{}],"
        "\"races\":{},\"wholeLists\":{},\"events\":{},"
        "\"summary\":{{\"reason\":\"{}\",\"limit\":\"{}\",\"exit\":{},\"end\":{},\"poll\":{},\"turns\":{},"
        "\"callbacks\":{},"
        "\"events\":{},\"hash\":\"{}\"}}}}",
        json_string(kVersion), language, json_string(options_.file), json_string(options_.document),
        json_string(options_.script == nullptr ? "" : options_.script->text),
        options_.is_script ? "\"isScript\":true," : "", parts_json(), folds_, gaps_, races_json(), has_whole_lists_,
        table_json(), to_string(summary.reason), to_string(summary.limit), summary.exit_code, summary.end_time,
        summary.poll_time, summary.turns, summary.callbacks, summary.events,
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
  std::unique_ptr<PagePacking> packing_;
  std::unique_ptr<TraceSink> trace_;
  std::unique_ptr<Explainer> explainer_;
  bool has_whole_lists_ = true;
  std::vector<CallbackNote> notes_;  // of the races
  Folder folder_;
  std::size_t kept_of_fold_ = 0;
  Gap gap_;
  Gap::Known known_;
  std::string folds_, gaps_;   // JSON
  std::vector<bool> is_told_;  // by callback: the trace in the page names it
};

}  // namespace

std::unique_ptr<TraceSink> make_html_writer(ByteOutput& output, const HtmlOptions& options) {
  return std::make_unique<ByRuntime>(std::make_unique<HtmlWriter>(output, options), make_io_page(output, options));
}

}  // namespace loopsim

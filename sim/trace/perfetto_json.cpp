// The JSON form of the Trace Event Format (Chromium project), read by ui.perfetto.dev, chrome://tracing and speedscope.
//
// Slices are pairs of B and E events: many have no duration, and X events without duration do not determine nesting. On every
// track events are in the order in which they happened, and `ts` never goes back.
//
// `ts` is in microseconds; its first three decimals are the exact nanosecond. Slices that begin in the same nanosecond
// are separated by further decimals, one picosecond each, up to 999: speedscope sorts begins and ends by `ts`
// separately and could not determine nesting otherwise. Perfetto truncates them.

#include <cstddef>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "loopsim/text.hpp"

#include "sim/trace/viewer_form.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushSize = 64U << 10;
constexpr int kMostInOrder = 999;  // picoseconds in a nanosecond, but for the first

class PerfettoJson final : public ViewerForm {
 public:
  explicit PerfettoJson(ByteOutput& output) : output_(output) {}

  void begin(const ViewerHeader& header) override {
    text_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":{";
    for (const auto& [key, value] : header.facts) {
      fmt::format_to(std::back_inserter(text_), "\"{}\":{},", key, json_string(value));
    }
    text_ += "\"params\":{";
    for (const auto& [name, json] : header.params) {
      if (text_.back() != '{') text_ += ',';
      text_.append(json_string(name)).append(":").append(json);
    }
    text_ += '}';
    if (!header.widths.empty()) text_.append(",\"widths\":").append(json_string(header.widths));
    text_ += "},\"traceEvents\":[";
  }

  void end() override {
    text_ += "\n]}\n";
    output_.write(text_);
    text_.clear();
  }

  void name_process(ViewerTrack any_of_it, std::string_view name) override {
    start('M', any_of_it);
    fmt::format_to(out(), ",\"name\":\"process_name\",\"args\":{{\"name\":{}}}", json_string(name));
    finish();
  }

  void name_track(ViewerTrack track, std::string_view name, std::uint64_t place) override {
    start('M', track);
    fmt::format_to(out(), ",\"name\":\"thread_name\",\"args\":{{\"name\":{}}}", json_string(name));
    finish();
    start('M', track);
    fmt::format_to(out(), ",\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{}}}", place);
    finish();
  }

  void open(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
            const ViewerArgs& args) override {
    start_in_order('B', track, time);
    tell(category, name);
    add(args);
    finish();
  }

  void close(ViewerTrack track, TimeNs time, std::string_view name, const ViewerArgs& args) override {
    start_in_order('E', track, time);
    tell({}, name);
    add(args);
    finish();
  }

  void slice(ViewerTrack track, TimeNs from, TimeNs to, std::string_view category, std::string_view name,
             const ViewerArgs& args) override {
    start('X', track);
    at("ts", from);
    at("dur", to - from);
    tell(category, name);
    add(args);
    finish();
  }

  void settle(ViewerTrack /*track*/, TimeNs /*time*/) override {}  // X events may come in any order

  void instant(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
               const ViewerArgs& args) override {
    start_in_order('i', track, time);
    tell(category, name);
    text_ += ",\"s\":\"t\"";
    add(args);
    finish();
  }

  // A viewer matches both ends of an interval by category, name and id.
  void begin_interval(ViewerTrack of, TimeNs time, std::string_view category, std::string_view name,
                      std::string_view id, std::string_view /*rows*/, const ViewerArgs& args) override {
    put_interval('b', of, time, category, name, id, args);
  }
  void end_interval(ViewerTrack of, TimeNs time, std::string_view category, std::string_view name, std::string_view id,
                    const ViewerArgs& args) override {
    put_interval('e', of, time, category, name, id, args);
  }

  void begin_arrow(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
                   std::uint64_t id) override {
    start_in_order('s', track, time);
    tell(category, name);
    fmt::format_to(out(), ",\"id\":{}", id);
    finish();
  }
  void end_arrow(ViewerTrack track, TimeNs time, std::string_view category, std::string_view name,
                 std::uint64_t id) override {
    start_in_order('f', track, time);
    tell(category, name);
    fmt::format_to(out(), ",\"id\":{},\"bp\":\"e\"", id);
    finish();
  }

  void count(ViewerTrack of, TimeNs time, std::string_view name, std::span<const std::string_view> series,
             std::span<const std::int64_t> values) override {
    start('C', of);
    at("ts", time);
    tell({}, name);
    text_ += ",\"args\":{";
    for (std::size_t i = 0; i < series.size(); ++i) {
      text_.append(i == 0 ? "\"" : ",\"").append(series[i]).append("\":");
      add_number(values[i]);
    }
    text_ += '}';
    finish();
  }

 private:
  struct TrackState {
    TimeNs time = 0;
    int order = 0;           // within that nanosecond: picoseconds
    bool has_begun = false;  // the last event was a begin
  };

  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }

  // Texts are appended, not formatted: fmt writes to a string's end one character at a time.
  void start(char phase, ViewerTrack track) {
    text_ += is_first_ ? "\n{\"ph\":\"" : ",\n{\"ph\":\"";
    text_ += phase;
    text_ += "\",\"pid\":";
    add_number(track.process);
    text_ += ",\"tid\":";
    add_number(track.thread);
    is_first_ = false;
  }

  // An event whose place among those of its track tells what is within what.
  void start_in_order(char phase, ViewerTrack track, TimeNs time) {
    TrackState& state = tracks_[track];
    if (time > state.time) {
      state.time = time;
      state.order = 0;
    } else if (state.has_begun && state.order < kMostInOrder) {
      ++state.order;
    }
    state.has_begun = phase == 'B';
    start(phase, track);
    at("ts", state.time);
    if (state.order > 0) add_thousandths(state.order);
  }

  void at(std::string_view key, TimeNs time) {
    text_.append(",\"").append(key).append("\":");
    add_number(time / kMicrosecond);
    text_ += '.';
    add_thousandths(static_cast<int>(time % kMicrosecond));
  }

  template <typename Integer>
  void add_number(Integer number) {
    const fmt::format_int digits(number);
    text_.append(digits.data(), digits.size());
  }
  void add_thousandths(int number) {
    for (const int unit : {100, 10, 1}) text_ += static_cast<char>('0' + number / unit % 10);
  }

  void tell(std::string_view category, std::string_view name) {
    if (!category.empty()) text_.append(",\"cat\":\"").append(category).append("\"");
    text_.append(",\"name\":").append(json_string(name));
  }

  void put_interval(char phase, ViewerTrack of, TimeNs time, std::string_view category, std::string_view name,
                    std::string_view id, const ViewerArgs& args) {
    start(phase, of);
    at("ts", time);
    tell(category, name);
    text_.append(",\"id\":\"").append(id).append("\"");
    add(args);
    finish();
  }

  void add(const ViewerArgs& args) {
    if (args.all().empty()) return;
    text_ += ",\"args\":{";
    std::string_view within;
    for (const ViewerArgs::Arg& arg : args.all()) {
      if (!within.empty() && within != arg.within) text_ += '}';
      if (text_.back() != '{') text_ += ',';
      if (!arg.within.empty() && within != arg.within) text_.append("\"").append(arg.within).append("\":{");
      within = arg.within;
      text_.append("\"").append(arg.key).append("\":");
      switch (arg.type) {
        case ViewerArgs::Type::integer: add_number(arg.integer); break;
        case ViewerArgs::Type::natural: add_number(arg.natural); break;
        case ViewerArgs::Type::text: text_ += json_string(arg.text); break;
        case ViewerArgs::Type::flag: text_ += arg.natural != 0 ? "true" : "false"; break;
      }
    }
    if (!within.empty()) text_ += '}';
    text_ += '}';
  }

  void finish() {
    text_ += '}';
    if (text_.size() < kFlushSize) return;
    output_.write(text_);
    text_.clear();
  }

  ByteOutput& output_;
  std::string text_;
  bool is_first_ = true;
  std::map<ViewerTrack, TrackState> tracks_;
};

}  // namespace

std::unique_ptr<ViewerForm> make_perfetto_json(ByteOutput& output) { return std::make_unique<PerfettoJson>(output); }

}  // namespace loopsim

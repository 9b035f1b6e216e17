#include "sim/trace/io_perfetto.hpp"

#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/version.hpp"

#include "sim/trace/event_table.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushSize = 64U << 10;
constexpr std::uint64_t kKernel = 1;  // its track; those of the threads follow

class IoPerfetto final : public TraceSink {
 public:
  explicit IoPerfetto(ByteOutput& output) : output_(output) {}

  void begin(const RunInfo& info) override {
    names_.assign(info.names.begin(), info.names.end());
    title_ = info.title.empty() ? "loopsim" : info.title;
    text_ = fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"program\":{},\"scenario\":{},\"runtime\":\"io\","
        "\"machine\":{},\"seed\":\"{}\",\"params\":{{",
        json_string(fmt::format("loopsim {}", info.program.empty() ? kVersion : info.program)), json_string(info.title),
        json_string(info.machine), info.seed);
    for (const auto& [name, json] : info.params) {
      if (text_.back() != '{') text_ += ',';
      text_.append(json_string(name)).append(":").append(json);
    }
    text_ += "}},\"traceEvents\":[";
  }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) tell(event, batch.text_of(event));
  }

  void end(const RunSummary& summary) override {
    for (auto& [track, state] : tracks_) end_state(track, state, summary.end_time);
    text_ += "\n]}\n";
    output_.write(text_);
    text_.clear();
  }

 private:
  using Track = std::pair<std::uint16_t, std::uint64_t>;  // process and track in it
  struct State {                                          // of a thread
    TimeNs since = 0;
    ProcessState now = ProcessState::running;
    std::string arguments;  // of the last call
  };

  static Track track_of(const Event& event) { return {event.loop, kKernel + 1 + event.by}; }
  [[nodiscard]] std::string name_of(const Event& event) const {
    return event.name < names_.size() ? names_[event.name] : std::string();
  }

  void tell(const Event& event, std::string_view text) {
    const Track kernel = {event.loop, kKernel};
    switch (event.kind) {
      case EventKind::state: change(event); break;
      case EventKind::syscall: thread(event).arguments = text; break;
      case EventKind::sysret:
        slice(track_of(event), event.time - event.a, event.time, "loopsim.syscall",
              fmt::format("{}({})", events::kSysCalls[event.detail], thread(event).arguments),
              fmt::format("\"result\":{},\"blocked_ms\":\"{}\",\"in_vain\":{}", json_string(text),
                          ms_text(event.b < 0 ? 0 : event.b), event.detail2 != 0));
        break;
      case EventKind::spin:
        slice(track_of(event), event.time, event.c, "loopsim.syscall",
              fmt::format("{} calls of {} in vain", event.b, events::kSysCalls[event.detail]),
              fmt::format("\"rounds\":{},\"args\":{}", event.a, json_string(text)));
        break;
      case EventKind::arrive:
        instant(kernel, event.time,
                event.b < 0 ? fmt::format("{} ends", name_of(event))
                            : fmt::format("{} bytes for {}", event.b, name_of(event)));
        if (event.b >= 0 && event.id != 0) message('b', event, event.time, event.id, event.a);
        break;
      case EventKind::copy:
        slice(kernel, event.time, event.time + event.c, "loopsim.kernel",
              fmt::format("copies {} bytes of {}", event.b, name_of(event)), {});
        break;
      case EventKind::wake: instant(kernel, event.time, fmt::format("wakes the process for {}", event.a)); break;
      case EventKind::signal:
        instant(kernel, event.time,
                fmt::format("{} {}", events::kIoSignals[event.detail], events::kSignalSteps[event.detail2]));
        break;
      case EventKind::complete:
        instant(kernel, event.time, fmt::format("completes a read of {}", name_of(event)));
        break;
      case EventKind::take:
        instant(track_of(event), event.time, fmt::format("takes {} bytes of {}", event.b, name_of(event)));
        break;
      case EventKind::message: message('e', event, event.time, event.id, event.c); break;
      case EventKind::served: instant(track_of(event), event.time, fmt::format("served {}", name_of(event))); break;
      case EventKind::limit: instant(track_of(event), event.time, "limit reached"); break;
      default: break;
    }
  }

  State& thread(const Event& event) {
    const Track track = track_of(event);
    const auto [place, is_new] = tracks_.try_emplace(track);
    if (is_new) {
      if (track.second == kKernel + 1) name_process(track, name_of(event));
      name_track(track, track.second == kKernel + 1 ? "process" : fmt::format("thread {}", track.second - kKernel - 1));
    }
    return place->second;
  }

  void change(const Event& event) {
    State& state = thread(event);
    end_state(track_of(event), state, event.time);
    state.now = static_cast<ProcessState>(event.detail);
    state.since = event.time;
  }

  // What is neither a call nor nothing has a slice; `blocked` is within that of its call.
  void end_state(const Track& track, State& state, TimeNs time) {
    if (state.now != ProcessState::running && state.now != ProcessState::ended && time > state.since)
      slice(track, state.since, time, "loopsim.state", events::kProcessStates[static_cast<std::size_t>(state.now)], {});
    state.now = ProcessState::ended;
  }

  // ---- the format -----------------------------------------------------------------------------------------------------

  void open(char phase, const Track& track, std::string_view name) {
    fmt::format_to(std::back_inserter(text_), "{}\n{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"name\":{}",
                   text_.back() == '[' ? "" : ",", phase, track.first + 1, track.second, json_string(name));
  }
  void at(TimeNs time) { fmt::format_to(std::back_inserter(text_), ",\"ts\":{}.{:03}", time / 1000, time % 1000); }
  void close() {
    text_ += '}';
    if (text_.size() < kFlushSize) return;
    output_.write(text_.substr(0, text_.size() - 1));  // the last byte stays: open() asks for it
    text_ = "}";
  }

  void name_process(const Track& track, std::string_view model) {
    open('M', {track.first, kKernel}, "process_name");
    text_ += fmt::format(",\"args\":{{\"name\":{}}}", json_string(fmt::format("{} ({})", title_, model)));
    close();
    name_track({track.first, kKernel}, "kernel");
  }
  void name_track(const Track& track, std::string_view name) {
    open('M', track, "thread_name");
    text_ += fmt::format(",\"args\":{{\"name\":{}}}", json_string(name));
    close();
    open('M', track, "thread_sort_index");
    text_ += fmt::format(",\"args\":{{\"sort_index\":{}}}", track.second == kKernel ? 1'000'000 : track.second);
    close();
  }
  void slice(const Track& track, TimeNs from, TimeNs to, std::string_view category, std::string_view name,
             std::string_view args) {
    open('X', track, name);
    at(from);
    text_ += fmt::format(",\"dur\":{}.{:03},\"cat\":\"{}\"", (to - from) / 1000, (to - from) % 1000, category);
    if (!args.empty()) text_ += fmt::format(",\"args\":{{{}}}", args);
    close();
  }
  void instant(const Track& track, TimeNs time, std::string_view name) {
    open('i', track, name);
    at(time);
    text_ += ",\"cat\":\"loopsim.kernel\",\"s\":\"t\"";
    close();
  }
  // From its arrival until the process has it.
  void message(char phase, const Event& event, TimeNs time, std::uint64_t number, std::int64_t descriptor) {
    open(phase, {event.loop, kKernel}, fmt::format("{} {}", name_of(event), number));
    at(time);
    text_ += fmt::format(",\"cat\":\"loopsim.message\",\"id\":\"{}.{}.{}\"", event.loop, descriptor, number);
    close();
  }

  ByteOutput& output_;
  std::vector<std::string> names_;
  std::string title_;
  std::map<Track, State> tracks_;
  std::string text_;
};

}  // namespace

std::unique_ptr<TraceSink> make_io_perfetto(ByteOutput& output) { return std::make_unique<IoPerfetto>(output); }

}  // namespace loopsim

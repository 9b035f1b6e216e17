#include "sim/trace/io_perfetto.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/time_text.hpp"
#include "loopsim/version.hpp"

#include "sim/trace/event_table.hpp"
#include "sim/trace/viewer_form.hpp"

namespace loopsim {
namespace {

// Tracks: the kernel, the process, and its further threads, which are numbered from 1.
constexpr std::uint64_t kKernel = 1, kProcess = 2;
constexpr std::string_view kMessage = "loopsim.message";
constexpr std::uint64_t kKernelPlace = 1'000'000;  // below them

class IoPerfetto final : public TraceSink {
 public:
  explicit IoPerfetto(std::unique_ptr<ViewerForm> form) : form_(std::move(form)) {}

  void begin(const RunInfo& info) override {
    names_.assign(info.names.begin(), info.names.end());
    title_ = info.title.empty() ? "loopsim" : info.title;
    form_->begin({.facts = {{"program", fmt::format("loopsim {}", info.program.empty() ? kVersion : info.program)},
                            {"scenario", std::string(info.title)},
                            {"runtime", "io"},
                            {"machine", std::string(info.machine)},
                            {"seed", std::to_string(info.seed)}},
                  .params = info.params,
                  .widths = {}});
  }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) tell(event, batch.text_of(event));
  }

  void end(const RunSummary& summary) override {
    for (auto& [track, state] : tracks_) end_state(track, state, summary.end_time);
    form_->end();
  }

 private:
  struct State {  // of a thread
    TimeNs since = 0;
    ProcessState now = ProcessState::running;
    std::string arguments;  // of the last call
    int calls = 0;          // that have not returned
  };

  static ViewerTrack track_of(const Event& event) { return {event.loop + 1U, kProcess + event.by}; }
  [[nodiscard]] std::string name_of(const Event& event) const {
    return event.name < names_.size() ? names_[event.name] : std::string();
  }

  void tell(const Event& event, std::string_view text) {
    const ViewerTrack kernel = {event.loop + 1U, kKernel};
    switch (event.kind) {
      case EventKind::state: change(event); break;
      case EventKind::syscall:
        settle(event);
        ++thread(event).calls;
        thread(event).arguments = text;
        break;
      case EventKind::sysret:
        if (thread(event).calls > 0) --thread(event).calls;
        form_->slice(track_of(event), event.time - event.a, event.time, "loopsim.syscall",
                     fmt::format("{}({})", events::kSysCalls[event.detail], thread(event).arguments),
                     ViewerArgs()
                         .text("result", text)
                         .text("blocked_ms", ms_text(event.b < 0 ? 0 : event.b))
                         .flag("in_vain", event.detail2 != 0));
        break;
      case EventKind::spin:
        settle(event);
        form_->slice(track_of(event), event.time, event.c, "loopsim.syscall",
                     fmt::format("{} calls of {} in vain", event.b, events::kSysCalls[event.detail]),
                     ViewerArgs().integer("rounds", event.a).text("args", text));
        break;
      case EventKind::arrive:
        instant(kernel, event.time,
                event.b < 0 ? fmt::format("{} ends", name_of(event))
                            : fmt::format("{} bytes for {}", event.b, name_of(event)));
        if (event.b >= 0 && event.id != 0) begin_message(event);
        break;
      case EventKind::copy:
        form_->settle(kernel, event.time);
        form_->slice(kernel, event.time, event.time + event.c, "loopsim.kernel",
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
      case EventKind::message: end_message(event); break;
      case EventKind::served: instant(track_of(event), event.time, fmt::format("served {}", name_of(event))); break;
      case EventKind::limit: instant(track_of(event), event.time, "limit reached"); break;
      default: break;
    }
  }

  State& thread(const Event& event) {
    const ViewerTrack track = track_of(event);
    const auto [place, is_new] = tracks_.try_emplace(track);
    if (is_new) {
      if (track.thread == kProcess) name_process(track, name_of(event));
      name_track(track, track.thread == kProcess ? "process" : fmt::format("thread {}", track.thread - kProcess));
    }
    return place->second;
  }

  // What comes is not within a call: it begins now, or it is the state that the thread is in.
  void settle(const Event& event) {
    const State& state = thread(event);
    if (state.calls > 0) return;
    form_->settle(track_of(event), has_slice(state) ? std::min(state.since, event.time) : event.time);
  }

  static bool has_slice(const State& state) {
    return state.now != ProcessState::running && state.now != ProcessState::ended;
  }

  void change(const Event& event) {
    State& state = thread(event);
    end_state(track_of(event), state, event.time);
    state.now = static_cast<ProcessState>(event.detail);
    state.since = event.time;
  }

  // What is neither a call nor nothing has a slice; `blocked` is within that of its call.
  void end_state(ViewerTrack track, State& state, TimeNs time) {
    if (has_slice(state) && time > state.since)
      form_->slice(track, state.since, time, "loopsim.state",
                   events::kProcessStates[static_cast<std::size_t>(state.now)], {});
    state.now = ProcessState::ended;
  }

  // ---- what is written ------------------------------------------------------------------------------------------------

  void name_process(ViewerTrack track, std::string_view model) {
    const ViewerTrack kernel = {track.process, kKernel};
    form_->name_process(kernel, fmt::format("{} ({})", title_, model));
    form_->name_track(kernel, "kernel", kKernelPlace);
  }
  void name_track(ViewerTrack track, std::string_view name) { form_->name_track(track, name, track.thread); }
  void instant(ViewerTrack track, TimeNs time, std::string_view name) {
    form_->instant(track, time, "loopsim.kernel", name, {});
  }
  // From its arrival until the process has it.
  void begin_message(const Event& event) {
    form_->begin_interval({event.loop + 1U, kKernel}, event.time, kMessage,
                          fmt::format("{} {}", name_of(event), event.id), id_of_message(event, event.a), "messages",
                          {});
  }
  void end_message(const Event& event) {
    form_->end_interval({event.loop + 1U, kKernel}, event.time, kMessage,
                        fmt::format("{} {}", name_of(event), event.id), id_of_message(event, event.c), {});
  }
  static std::string id_of_message(const Event& event, std::int64_t descriptor) {
    return fmt::format("{}.{}.{}", event.loop, descriptor, event.id);
  }

  std::unique_ptr<ViewerForm> form_;
  std::vector<std::string> names_;
  std::string title_;
  std::map<ViewerTrack, State> tracks_;
};

}  // namespace

std::unique_ptr<TraceSink> make_io_perfetto(ByteOutput& output, PerfettoForm form) {
  return std::make_unique<IoPerfetto>(make_viewer_form(output, form));
}

}  // namespace loopsim

#include "sim/study/io_metrics.hpp"

#include <map>
#include <utility>

#include "sim/study/measures.hpp"

namespace loopsim::study {

namespace {

constexpr std::uint64_t kLeastMessages = 30;  // fewer tell of no trend

// Of a socket with a name, or of a group of them.
struct SocketMetrics {
  Distribution lateness;
  std::uint64_t arrived = 0;
};

class IoMetrics final : public MetricsSink {
 public:
  explicit IoMetrics(const MetricsOptions& options) : options_(options), sockets_(options.callbacks.size()) {
    for (const std::string& name : options_.distributions) distributions_.push_back(distribution(name));
  }

  void begin(const RunInfo& info) override {
    slot_of_name_.clear();
    add_names(info.names);
    calls_ = vain_ = switches_ = signals_ = merged_ = arrived_ = late_arrived_ = threads_ = 0;
    user_ = kernel_ = cpu_vain_ = blocked_ = 0;
    blocked_since_.clear();
    lateness_.reset();
    response_.reset();
    backlog_.reset(options_.warm_up);
    trend_.reset(options_.warm_up);
    for (SocketMetrics& one : sockets_) one = SocketMetrics();
  }

  void events(const EventBatch& batch) override {
    add_names(batch.new_names);
    for (const Event& event : batch.events) take(event);
  }

  void end(const RunSummary& summary) override {
    for (const auto& [thread, since] : blocked_since_) blocked_ += summary.end_time - since;
    backlog_.all_leave(summary.end_time);
    fill(summary.end_time);
  }

  [[nodiscard]] std::span<const Cell> cells() const override { return cells_.cells(); }

 private:
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);

  void add_names(std::span<const std::string> names) {
    for (const std::string& name : names) {
      auto found = std::ranges::find(options_.callbacks, name);
      if (found == options_.callbacks.end()) {  // of a group: its name, and a number
        const std::size_t digits = name.find_last_not_of("0123456789") + 1;
        if (digits < name.size()) found = std::ranges::find(options_.callbacks, name.substr(0, digits));
      }
      slot_of_name_.push_back(
          found == options_.callbacks.end() ? kNoSlot : static_cast<std::size_t>(found - options_.callbacks.begin()));
    }
  }
  [[nodiscard]] SocketMetrics* of_socket(const Event& event) {
    if (event.name >= slot_of_name_.size() || slot_of_name_[event.name] == kNoSlot) return nullptr;
    return &sockets_[slot_of_name_[event.name]];
  }

  void take(const Event& event) {
    switch (event.kind) {
      case EventKind::sysret:
        ++calls_;
        if (event.detail2 != 0) ++vain_;
        break;
      case EventKind::spin:
        calls_ += static_cast<std::uint64_t>(event.b);
        vain_ += static_cast<std::uint64_t>(event.b);
        break;
      case EventKind::state: state(event); break;
      case EventKind::signal: signal(static_cast<SignalStep>(event.detail2)); break;
      case EventKind::arrive: arrive(event); break;
      case EventKind::message: message(event); break;
      case EventKind::served:
        if (event.a >= options_.warm_up) response_.add(event.b);
        break;
      default: break;
    }
  }

  void state(const Event& event) {
    const std::pair<std::uint16_t, std::uint64_t> thread = {event.loop, event.by};
    if (const auto since = blocked_since_.find(thread); since != blocked_since_.end()) {
      blocked_ += event.time - since->second;
      blocked_since_.erase(since);
      if (event.id != 0) ++switches_;
    }
    switch (static_cast<ProcessState>(event.detail)) {
      case ProcessState::blocked: blocked_since_.emplace(thread, event.time); break;
      case ProcessState::ended:
        user_ += event.a;
        kernel_ += event.b;
        cpu_vain_ += event.c;
        ++threads_;
        break;
      default: break;
    }
  }

  void signal(SignalStep step) {
    if (step == SignalStep::delivered || step == SignalStep::accepted) ++signals_;
    if (step == SignalStep::merged) ++merged_;
  }

  void arrive(const Event& event) {
    if (event.b < 0) return;
    ++arrived_;
    backlog_.come(event.time);
    if (event.time < options_.warm_up) return;
    ++late_arrived_;
    if (SocketMetrics* const socket = of_socket(event)) ++socket->arrived;
  }

  void message(const Event& event) {
    backlog_.leave(event.time);
    trend_.add(event.time, event.b);
    if (event.a < options_.warm_up) return;
    lateness_.add(event.b);
    if (SocketMetrics* const socket = of_socket(event)) socket->lateness.add(event.b);
  }

  // ---- the values, in the order of io_metric_columns() ----

  void fill(TimeNs end) {
    cells_.reset();
    const TimeNs window = end - options_.warm_up;
    cells_.time(end);
    cells_.integer(calls_);
    cells_.integer(vain_);
    share(static_cast<double>(calls_), static_cast<double>(lateness_.count()));
    cells_.time(user_);
    cells_.time(kernel_);
    share(static_cast<double>(user_ + kernel_), static_cast<double>(end));
    cells_.time(cpu_vain_);
    cells_.time(blocked_);
    share(static_cast<double>(blocked_), static_cast<double>(end) * static_cast<double>(threads_));
    cells_.integer(switches_);
    cells_.integer(signals_);
    cells_.integer(merged_);
    cells_.integer(late_arrived_);
    cells_.integer(lateness_.count());
    cells_.integer(late_arrived_ - std::min(late_arrived_, lateness_.count()));
    if (window > 0) {
      cells_.population(backlog_, end);
    } else {
      cells_.no_population();
    }
    cells_.distribution(lateness_);
    cells_.distribution(response_);
    share(static_cast<double>(lateness_.count()) * static_cast<double>(kSecond), static_cast<double>(window));
    fill_trend();
    for (SocketMetrics& one : sockets_) {
      cells_.integer(one.arrived);
      cells_.integer(one.lateness.count());
      cells_.distribution(one.lateness);
    }
    for (const Distribution* distribution : distributions_) {
      if (distribution == nullptr) {
        cells_.none();
      } else {
        cells_.text(distribution->histogram_text(scratch_));
      }
    }
  }

  void share(double part, double whole) {
    if (whole > 0) {
      cells_.real(part / whole);
    } else {
      cells_.none();
    }
  }

  void fill_trend() {
    const bool is_known = arrived_ >= kLeastMessages && trend_.whole().is_known();
    if (is_known) {
      cells_.text(trend_.whole().grows() ? "lateness" : std::string(kNothingGrows));
    } else {
      cells_.none();
    }
    const DelayTrend& measured = trend_.measured();
    for (const bool second : {false, true}) {
      if (arrived_ >= kLeastMessages && measured.is_known()) {
        cells_.real(in_milliseconds(second ? measured.second_half() : measured.first_half()));
      } else {
        cells_.none();
      }
    }
  }

  [[nodiscard]] const Distribution* distribution(std::string_view name) const {
    if (name == "lateness") return &lateness_;
    if (name == "response") return &response_;
    const auto socket = std::ranges::find(options_.callbacks, name.substr(0, std::min(name.rfind('.'), name.size())));
    if (socket == options_.callbacks.end() || !name.ends_with(".lateness")) return nullptr;
    return &sockets_[static_cast<std::size_t>(socket - options_.callbacks.begin())].lateness;
  }

  MetricsOptions options_;
  std::vector<SocketMetrics> sockets_;
  std::vector<std::size_t> slot_of_name_;
  std::vector<const Distribution*> distributions_;  // by options_.distributions
  HdrHistogram scratch_;
  std::uint64_t calls_ = 0, vain_ = 0, switches_ = 0, signals_ = 0, merged_ = 0, threads_ = 0;
  std::uint64_t arrived_ = 0, late_arrived_ = 0;  // all; behind the warm-up
  TimeNs user_ = 0, kernel_ = 0, cpu_vain_ = 0, blocked_ = 0;
  std::map<std::pair<std::uint16_t, std::uint64_t>, TimeNs> blocked_since_;  // by process and thread
  Distribution lateness_, response_;
  Population backlog_;
  Trend trend_;
  CellList cells_;
};

}  // namespace

std::vector<Column> io_metric_columns(const MetricsOptions& options) {
  ColumnList list;
  list.time("finish_time", "when the process ended");
  list.integer("calls", "system calls");
  list.integer("calls_vain", "calls that found nothing and did not wait");
  list.real("calls_per_message", "", "calls / messages");
  list.time("cpu_user", "CPU of the process's own code: its work, and what it does meanwhile");
  list.time("cpu_kernel", "CPU of its system calls");
  list.real("cpu_share", "", "(cpu_user + cpu_kernel) / finish_time: of one core, so threads may have more than 1");
  list.time("cpu_vain", "CPU of calls in vain");
  list.time("blocked", "time that the process was blocked; of threads, all of them together");
  list.real("blocked_share", "", "blocked / (finish_time * the number of threads)");
  list.integer("switches", "times that the process, or a thread, ran again after it was blocked");
  list.integer("signals", "signals that were delivered or taken");
  list.integer("signals_merged", "SIGIO that found one pending");
  list.integer("arrived", "messages that arrived");
  list.integer("messages", "messages that the process has");
  list.integer("backlog", "arrived - messages");
  list.population("backlog", "messages that had arrived and the process did not have");
  list.distribution("lateness", "from a message's arrival until the process has it");
  list.distribution("response", "from a message's arrival until the work for it is done");
  list.real("throughput", "1/s", "messages a second");
  list.add(std::string(kGrowingColumn), Column::Type::text, "",
           "what still grew when the run ended: lateness, or none; nothing: the run is too short");
  list.time("lateness_first_half", "the lateness of the messages: mean of the first half");
  list.time("lateness_second_half", "the lateness of the messages: mean of the second half");
  for (const std::string& name : options.callbacks) {
    list.integer(name + ".arrived", name + ": messages that arrived");
    list.integer(name + ".messages", name + ": messages that the process has");
    list.distribution(name + ".lateness", name + ": from a message's arrival until the process has it");
  }
  for (const std::string& name : options.distributions) {
    list.add(histogram_column(name), Column::Type::text, "ns", name + " in buckets: LOW-HIGH:COUNT ...");
  }
  return list.take();
}

std::vector<std::string> io_distribution_names(const MetricsOptions& options) {
  std::vector<std::string> names = {"lateness", "response"};
  for (const std::string& name : options.callbacks) names.push_back(name + ".lateness");
  return names;
}

std::unique_ptr<MetricsSink> make_io_metrics_sink(const MetricsOptions& options) {
  return std::make_unique<IoMetrics>(options);
}

}  // namespace loopsim::study

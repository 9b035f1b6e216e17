// Measures one run from its trace. The metrics are described in metric_columns() below and in docs/studies.md.

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "loopsim/assert.hpp"
#include "loopsim/study.hpp"

#include "sim/study/delay_trend.hpp"
#include "sim/study/event_loop_delay.hpp"
#include "sim/study/hdr_histogram.hpp"
#include "sim/study/io_metrics.hpp"
#include "sim/study/measures.hpp"

namespace loopsim {
namespace {

using study::CellList;
using study::ColumnList;
using study::DelayTrend;
using study::Distribution;
using study::HdrHistogram;
using study::in_milliseconds;
using study::kQuantiles;
using study::Population;
using study::Trend;

constexpr TimeNs kUnknown = -1;

// ---- callbacks and clients ------------------------------------------------------------------------------------------

// For one name, or for all callbacks.
struct CallbackMetrics {
  std::uint64_t count = 0;
  Distribution lateness;
  Distribution latency;

  void reset() {
    count = 0;
    lateness.reset();
    latency.reset();
  }
};

// For the clients of one name in an arrival process.
struct ClientMetrics {
  std::uint64_t refused = 0;  // or reset
  Distribution response;

  void reset() {
    refused = 0;
    response.reset();
  }
};

// ---- the thread pool --------------------------------------------------------------------------------------------------------------

// A request waits for a thread, is worked on, and is then ready for its callback.
class PoolMetrics {
 public:
  void reset(TimeNs warm_up, std::uint32_t threads) {
    warm_up_ = warm_up;
    threads_ = threads;
    waiting_.reset();
    service_.reset();
    queue_.reset(warm_up);
    busy_.reset(warm_up);
    waiting_trend_.reset(warm_up);
    service_trend_.reset(warm_up);
    requests_.clear();
  }

  void submit(std::uint64_t id, TimeNs at) {
    if (id >= requests_.size()) requests_.resize(id + 1);
    requests_[id] = {at, kUnknown, kUnknown};
  }
  void begin(std::uint64_t id, TimeNs at) {
    if (id >= requests_.size()) return;
    requests_[id].begun = at;
    waiting_trend_.add(at, at - requests_[id].submitted);
  }
  void finish(std::uint64_t id, TimeNs at) {
    if (id >= requests_.size()) return;
    requests_[id].finished = at;
    service_trend_.add(at, at - requests_[id].begun);
  }

  // The loop has processed the completion.
  void heard(std::uint64_t id) {
    if (id >= requests_.size() || requests_[id].finished == kUnknown) return;
    const Request request = std::exchange(requests_[id], {});
    if (request.submitted >= warm_up_) {
      waiting_.add(request.begun - request.submitted);
      service_.add(request.finished - request.begun);
    }
    queue_.add(request.submitted, request.begun);
    busy_.add(request.begun, request.finished);
  }

  // Counts the requests whose completion the loop has not processed.
  void end(TimeNs time) {
    for (const Request& request : requests_) {
      if (request.submitted == kUnknown) continue;
      queue_.add(request.submitted, request.begun == kUnknown ? time : request.begun);
      if (request.begun != kUnknown) busy_.add(request.begun, request.finished == kUnknown ? time : request.finished);
    }
  }

  [[nodiscard]] Distribution& waiting() { return waiting_; }
  [[nodiscard]] const Distribution& waiting() const { return waiting_; }
  [[nodiscard]] const Distribution& service() const { return service_; }
  [[nodiscard]] Population& queue() { return queue_; }
  [[nodiscard]] Population& busy() { return busy_; }
  [[nodiscard]] const Trend& waiting_trend() const { return waiting_trend_; }
  [[nodiscard]] const Trend& service_trend() const { return service_trend_; }
  [[nodiscard]] std::size_t threads() const { return threads_; }

 private:
  struct Request {
    TimeNs submitted = kUnknown, begun = kUnknown, finished = kUnknown;
  };
  TimeNs warm_up_ = 0;
  std::size_t threads_ = 0;
  Distribution waiting_;
  Distribution service_;
  Population queue_;
  Population busy_;
  Trend waiting_trend_;
  Trend service_trend_;
  std::vector<Request> requests_;  // by callback id: requests whose completion is not yet processed
};

// ---- columns ----------------------------------------------------------------------------------------------------------------------

// The flows whose trend is told, in the order of RunMetrics::trends(), and what each counts.
struct Flow {
  std::string_view name;
  std::string_view what;
};
constexpr std::array<Flow, 4> kFlows = {{
    {"response", "the response time of the clients that have had their answer"},
    {"lateness", "the lateness of the callbacks"},
    {"pool_waiting", "the waiting time of the requests that a thread of the pool has taken"},
    {"pool_service", "the time that a thread of the pool worked on the requests that are done"},
}};
constexpr std::uint64_t kLeastArrivals = 30;  // from outside, or of a repeated timer: fewer are no stream of arrivals

// ---- a page in a browser --------------------------------------------------------------------------------------------

// Frames, tasks and what the user does. A turn of a page's loop is one task, or one frame, or an idle period.
class PageMetrics {
 public:
  static constexpr TimeNs kLong = 50 * kMillisecond;  // W3C, Long Tasks

  void reset() {
    frames_ = dropped_ = long_tasks_ = 0;
    blocking_ = 0;
    begun_ = 0;  // the script is the first task
    is_task_ = true;
    input_delay_.reset();
    frame_delay_.reset();
  }
  void turn(const Event& event) {
    end_turn(event.time);
    begun_ = event.time;
    is_task_ = event.phase != Phase::idle_period;
  }
  void end_turn(TimeNs at) {
    const TimeNs took = begun_ == kUnknown ? 0 : at - begun_;
    begun_ = kUnknown;
    if (!is_task_ || took <= kLong) return;
    ++long_tasks_;
    blocking_ += took - kLong;
  }
  void frame(const Event& event) {
    ++frames_;
    dropped_ += static_cast<std::uint64_t>(event.c);
    frame_delay_.add(event.b);
  }
  void input(const Event& event) { input_delay_.add(event.time - event.a); }

  void fill(CellList& cells) {
    cells.integer(frames_);
    cells.integer(dropped_);
    cells.distribution(frame_delay_);
    cells.integer(long_tasks_);
    cells.time(blocking_);
    cells.distribution(input_delay_);
  }
  static void list(ColumnList& list) {
    list.integer("frames", "frames that were shown");
    list.integer("dropped_frames",
                 "the display's opportunities that passed while the thread was busy, but for the last one, whose frame comes late");
    list.distribution("frame_delay", "from when the display was ready to when the frame began");
    list.integer("long_tasks", "tasks, and frames, of more than 50 ms");
    list.time("blocking", "what long tasks took beyond 50 ms each, in all");
    list.distribution("input_delay", "from what the user did to when its first listener could run");
  }

 private:
  std::uint64_t frames_ = 0, dropped_ = 0, long_tasks_ = 0;
  TimeNs blocking_ = 0;
  TimeNs begun_ = 0;
  bool is_task_ = true;
  Distribution input_delay_;
  Distribution frame_delay_;
};

// ---- the sink ---------------------------------------------------------------------------------------------------------------------

class RunMetrics final : public MetricsSink {
 public:
  explicit RunMetrics(const MetricsOptions& options)
      : options_(options), named_(options.callbacks.size()), clients_(options.clients.size()) {
    for (const std::string& name : options_.distributions) distributions_.push_back(distribution(name));
  }

  void begin(const RunInfo& info) override {
    const TimeNs warm_up = options_.warm_up;
    slot_of_name_.clear();
    add_names(info.names);
    all_.reset();
    for (CallbackMetrics& one : named_) one.reset();
    for (ClientMetrics& one : clients_) one.reset();
    scheduled_.clear();
    loop_delay_.reset();
    waiting_.reset(warm_up);
    pool_.reset(warm_up, info.threadpool);
    monitor_.reset();
    response_.reset();
    response_trend_.reset(warm_up);
    lateness_trend_.reset(warm_up);
    arrivals_ = 0;
    running_ = kNoName;
    page_.reset();
    in_system_.reset(warm_up);
    answered_ = refused_ = 0;
    cpu_ = 0;
    turns_ = served_ = 0;
    idle_ = 0;
    loop_start_ = last_poll_ = kUnknown;
    output_.clear();
    order_.clear();
    order_is_cut_ = false;
  }

  void events(const EventBatch& batch) override {
    add_names(batch.new_names);
    for (const Event& event : batch.events) take(event, batch);
  }

  void end(const RunSummary& summary) override {
    const TimeNs end = summary.end_time;
    if (last_poll_ != kUnknown) loop_was_busy(last_poll_, end);
    page_.end_turn(end);
    pool_.end(end);
    in_system_.all_leave(end);
    fill(end);
  }

  [[nodiscard]] std::span<const Cell> cells() const override { return cells_.cells(); }

 private:
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
  static constexpr std::string_view kCut = "...";

  void add_names(std::span<const std::string> names) {
    for (const std::string& name : names) {
      const auto found = std::ranges::find(options_.callbacks, name);
      const bool wanted = found != options_.callbacks.end();
      slot_of_name_.push_back(wanted ? static_cast<std::size_t>(found - options_.callbacks.begin()) : kNoSlot);
    }
  }

  [[nodiscard]] bool counts(TimeNs time) const { return time >= options_.warm_up; }

  void take(const Event& event, const EventBatch& batch) {
    switch (event.kind) {
      case EventKind::turn: turn(event); break;
      case EventKind::poll: poll(event); break;
      case EventKind::schedule: schedule(event); break;
      case EventKind::ready: pool_.heard(event.id); break;
      case EventKind::callback_begin: callback(event); break;
      case EventKind::loop_delay:
        if (counts(event.time)) monitor_.record(event.a);
        break;
      case EventKind::wait: wait(event); break;
      case EventKind::frame:
        if (counts(event.time)) page_.frame(event);
        break;
      case EventKind::input: input(event, batch.text_of(event)); break;
      case EventKind::answer: answer(event, batch.text_of(event)); break;
      case EventKind::burn:
        if (counts(event.b)) cpu_ += event.a;
        break;
      case EventKind::enqueue:
        if (static_cast<Queue>(event.detail) == Queue::pool) pool_.submit(event.id, event.time);
        break;
      case EventKind::work_begin: pool_.begin(event.id, event.time); break;
      case EventKind::work_end: pool_.finish(event.id, event.time); break;
      case EventKind::log:
        if (options_.output) output_.append(batch.text_of(event)).push_back('\n');
        break;
      default: break;
    }
  }

  void turn(const Event& event) {
    if (options_.page) page_.turn(event);
    if (counts(event.time)) ++turns_;
    if (loop_start_ != kUnknown) return;
    loop_start_ = event.time;
    last_poll_ = event.time;
  }

  void poll(const Event& event) {
    const TimeNs entered = event.time - event.b;
    if (counts(entered)) served_ += static_cast<std::uint64_t>(event.c);
    if (event.time > options_.warm_up) idle_ += event.time - std::max(entered, options_.warm_up);
    loop_was_busy(last_poll_, entered);
    last_poll_ = event.time;
  }

  // A page has slept: event.time is when it woke up.
  void wait(const Event& event) {
    const TimeNs from = event.time - event.b;
    page_.end_turn(from);
    if (loop_start_ == kUnknown) loop_start_ = last_poll_ = from;
    if (event.time > options_.warm_up) idle_ += event.time - std::max(from, options_.warm_up);
    loop_was_busy(last_poll_, from);
    last_poll_ = event.time;
  }

  void loop_was_busy(TimeNs from, TimeNs until) {
    if (!counts(from)) return;
    loop_delay_.add(until - from);
  }

  void input(const Event& event, std::string_view words) {
    ++arrivals_;
    if (options_.page && counts(event.a)) page_.input(event);
    if (is_client_of_process(words)) in_system_.come(event.a);
  }

  // "NAME NUMBER connects to port PORT": one of an arrival process, which is answered. Others have no number.
  static bool is_client_of_process(std::string_view words) {
    const std::size_t end = words.rfind(" connects to port ");
    if (end == std::string_view::npos) return false;
    const std::size_t digits = words.find_last_not_of("0123456789", end - 1) + 1;
    return digits < end && digits >= 2 && words[digits - 1] == ' ';
  }

  // `client` is "NAME NUMBER".
  void answer(const Event& event, std::string_view client) {
    const TimeNs asked = event.a - event.b;
    const bool is_answer = static_cast<AnswerKind>(event.detail) == AnswerKind::end;
    in_system_.leave(event.a);
    if (is_answer) response_trend_.add(event.a, event.b);
    if (!counts(asked)) return;
    if (is_answer) {
      ++answered_;
      response_.add(event.b);
    } else {
      ++refused_;
    }
    const auto named = std::ranges::find(options_.clients, client.substr(0, client.rfind(' ')));
    if (named == options_.clients.end()) return;
    ClientMetrics& metrics = clients_[static_cast<std::size_t>(named - options_.clients.begin())];
    if (is_answer) {
      metrics.response.add(event.b);
    } else {
      ++metrics.refused;
    }
  }

  void schedule(const Event& event) {
    if (event.id >= scheduled_.size()) scheduled_.resize(event.id + 1, kUnknown);
    scheduled_[event.id] = event.time;
    if (is_repetition(event)) ++arrivals_;
  }

  // The next round of an interval, or a timer that arms itself again.
  [[nodiscard]] bool is_repetition(const Event& event) const {
    if (event.api == Api::set_interval) return static_cast<ScheduleKind>(event.detail) == ScheduleKind::again;
    return event.api == Api::set_timeout && event.name != kNoName && event.name == running_;
  }

  void callback(const Event& event) {
    const bool is_late = event.b > 0;
    if (is_late) waiting_.add(event.a, event.time);
    if (event.b >= 0) lateness_trend_.add(event.time, event.b);
    running_ = event.name;
    if (!counts(event.time)) return;
    const TimeNs scheduled = event.id < scheduled_.size() ? scheduled_[event.id] : kUnknown;
    count(all_, event, scheduled);
    const std::size_t slot = event.name == kNoName ? kNoSlot : slot_of_name_[event.name];
    if (slot == kNoSlot) return;
    LOOPSIM_ASSERT(slot < named_.size());
    count(named_[slot], event, scheduled);
    if (options_.order) add_to_order(options_.callbacks[slot]);
  }

  void add_to_order(std::string_view name) {
    if (order_is_cut_) return;
    const std::size_t size = order_.size() + name.size() + (order_.empty() ? 0 : 1);
    order_is_cut_ = size > kMostOrderText;
    if (!order_.empty()) order_ += ' ';
    order_ += order_is_cut_ ? kCut : name;
  }

  static void count(CallbackMetrics& metrics, const Event& event, TimeNs scheduled) {
    ++metrics.count;
    if (event.b >= 0) metrics.lateness.add(event.b);
    if (scheduled != kUnknown) metrics.latency.add(event.time - scheduled);
  }

  // ---- the values, in the order of metric_columns() ----

  void fill(TimeNs end) {
    cells_.reset();
    const TimeNs window = end - options_.warm_up;
    cells_.time(end);
    cells_.integer(all_.count);
    cells_.integer(turns_);
    cells_.integer(served_);
    fill_loop(end);
    fill_monitor();
    cells_.time(cpu_);
    cells_.distribution(all_.lateness);
    cells_.distribution(all_.latency);
    throughput(all_.count, window);
    cells_.integer(answered_);
    cells_.integer(refused_);
    cells_.distribution(response_);
    throughput(answered_, window);
    if (window > 0) {
      cells_.population(in_system_, end);
    } else {
      cells_.no_population();
    }
    if (window > 0) {
      cells_.population(waiting_, end);
    } else {
      cells_.no_population();
    }
    fill_pool(end, window);
    fill_trends();
    if (options_.page) page_.fill(cells_);
    for (CallbackMetrics& one : named_) {
      cells_.integer(one.count);
      cells_.distribution(one.lateness);
      cells_.distribution(one.latency);
      throughput(one.count, window);
    }
    for (ClientMetrics& one : clients_) {
      cells_.integer(one.response.count());
      cells_.integer(one.refused);
      cells_.distribution(one.response);
    }
    for (const Distribution* distribution : distributions_) {
      if (distribution == nullptr) {
        cells_.none();
      } else {
        cells_.text(distribution->histogram_text(scratch_));
      }
    }
    if (options_.output) cells_.text(output_);
    if (options_.order) cells_.text(order_);
  }

  void fill_loop(TimeNs end) {
    cells_.time(idle_);
    const TimeNs from = std::max(loop_start_, options_.warm_up);
    const TimeNs active = loop_start_ == kUnknown || end <= from ? 0 : end - from - idle_;
    cells_.time(active);
    const TimeNs total = idle_ + active;
    cells_.real(total == 0 ? 0 : static_cast<double>(active) / static_cast<double>(total));
    cells_.distribution(loop_delay_);
  }

  void fill_monitor() {
    if (monitor_.count() == 0) {
      for (std::size_t i = 0; i < kQuantiles.size() + 4; ++i) cells_.none();
      return;
    }
    cells_.time(monitor_.min());
    cells_.real(in_milliseconds(monitor_.mean()));
    cells_.real(in_milliseconds(monitor_.stddev()));
    for (const auto& [name, share] : kQuantiles) cells_.time(monitor_.percentile(share));
    cells_.time(monitor_.max());
  }

  void fill_pool(TimeNs end, TimeNs window) {
    cells_.integer(pool_.service().count());
    cells_.distribution(pool_.waiting());
    if (pool_.service().empty()) {
      cells_.none();
    } else {
      cells_.real(in_milliseconds(pool_.service().mean()));
    }
    if (window <= 0) {
      cells_.no_population();
      cells_.no_population();
      cells_.none();
      return;
    }
    cells_.population(pool_.queue(), end);
    cells_.population(pool_.busy(), end);
    cells_.real(pool_.threads() == 0 ? 0 : pool_.busy().mean(end) / static_cast<double>(pool_.threads()));
  }

  [[nodiscard]] std::array<const Trend*, kFlows.size()> trends() const {
    return {&response_trend_, &lateness_trend_, &pool_.waiting_trend(), &pool_.service_trend()};
  }

  // A run without a stream of arrivals ends by itself: there is no steady state that it could be in.
  void fill_trends() {
    const std::array<const Trend*, kFlows.size()> of_flows = trends();
    std::string growing;
    bool is_known = false;
    for (std::size_t i = 0; i < kFlows.size(); ++i) {
      const Trend& trend = *of_flows[i];
      is_known = is_known || (arrivals_ >= kLeastArrivals && trend.whole().is_known());
      if (arrivals_ < kLeastArrivals || !trend.whole().grows()) continue;
      growing.append(growing.empty() ? "" : " ").append(kFlows[i].name);
    }
    if (is_known) {
      cells_.text(growing.empty() ? std::string(kNothingGrows) : growing);
    } else {
      cells_.none();
    }
    for (const Trend* trend : of_flows) {
      const DelayTrend& measured = trend->measured();
      const bool has_halves = arrivals_ >= kLeastArrivals && measured.is_known();
      for (const bool second : {false, true}) {
        if (has_halves) {
          cells_.real(in_milliseconds(second ? measured.second_half() : measured.first_half()));
        } else {
          cells_.none();
        }
      }
    }
  }

  void throughput(std::uint64_t count, TimeNs window) {
    if (window > 0) {
      cells_.real(static_cast<double>(count) * static_cast<double>(kSecond) / static_cast<double>(window));
    } else {
      cells_.none();
    }
  }

  // One of distribution_names(), or null.
  [[nodiscard]] const Distribution* distribution(std::string_view name) const {
    if (name == "loop_delay") return &loop_delay_;
    if (name == "lateness") return &all_.lateness;
    if (name == "latency") return &all_.latency;
    if (name == "response") return &response_;
    if (name == "pool_waiting") return &pool_.waiting();
    if (name == "pool_service") return &pool_.service();
    const std::size_t dot = std::min(name.rfind('.'), name.size());
    const std::string_view of = name.substr(0, dot);
    const std::string_view what = name.substr(dot);
    const auto callback = std::ranges::find(options_.callbacks, of);
    if (callback != options_.callbacks.end()) {
      const CallbackMetrics& metrics = named_[static_cast<std::size_t>(callback - options_.callbacks.begin())];
      if (what == ".lateness") return &metrics.lateness;
      if (what == ".latency") return &metrics.latency;
    }
    const auto client = std::ranges::find(options_.clients, of);
    if (client == options_.clients.end() || what != ".response") return nullptr;
    return &clients_[static_cast<std::size_t>(client - options_.clients.begin())].response;
  }

  MetricsOptions options_;
  std::vector<CallbackMetrics> named_;
  std::vector<std::size_t> slot_of_name_;
  CallbackMetrics all_;
  std::vector<ClientMetrics> clients_;
  std::vector<const Distribution*> distributions_;  // by options_.distributions
  HdrHistogram scratch_;
  std::vector<TimeNs> scheduled_;  // by id
  Distribution loop_delay_;
  study::EventLoopDelay monitor_;
  Distribution response_;
  Trend response_trend_;
  Trend lateness_trend_;
  std::uint64_t arrivals_ = 0;       // from outside, and of timers that repeat
  std::uint32_t running_ = kNoName;  // name of the callback that began last
  Population in_system_;             // clients between request and answer
  Population waiting_;
  PoolMetrics pool_;
  PageMetrics page_;
  std::uint64_t answered_ = 0, refused_ = 0;
  TimeNs cpu_ = 0;
  std::uint64_t turns_ = 0;
  std::uint64_t served_ = 0;
  TimeNs idle_ = 0;
  TimeNs loop_start_ = kUnknown;
  TimeNs last_poll_ = kUnknown;  // return of the last poll; before the first poll, start of the loop
  std::string output_;
  std::string order_;
  bool order_is_cut_ = false;
  CellList cells_;
};

}  // namespace

std::vector<Column> metric_columns(const MetricsOptions& options) {
  if (options.io) return study::io_metric_columns(options);
  ColumnList list;
  list.time("finish_time", "when the process ended");
  list.integer("callbacks", "callbacks begun");
  list.integer("turns", "turns of the loop");
  list.integer("events", "events that poll has brought");
  list.time("idle", "time that the loop was blocked in poll, as performance.eventLoopUtilization().idle");
  list.time("active", "the rest since the loop began, as performance.eventLoopUtilization().active");
  list.real("utilization", "", "active / (idle + active), as performance.eventLoopUtilization().utilization");
  list.distribution("loop_delay", "from the return of poll to the next entry into it");
  const std::string monitor = "what monitorEventLoopDelay() reports, if the runtime enables it";
  list.time("monitor_min", monitor + ": min");
  list.time("monitor_mean", monitor + ": mean");
  list.time("monitor_stddev", monitor + ": stddev");
  for (const auto& [quantile, share] : kQuantiles)
    list.time(fmt::format("monitor_{}", quantile), fmt::format("{}: percentile({:g})", monitor, share));
  list.time("monitor_max", monitor + ": max");
  list.time("work", "what cpu and spin steps of JavaScript have asked for");
  list.distribution("lateness", "from when a callback was due to its begin");
  list.distribution("latency", "from when a callback was asked for to its begin");
  list.real("throughput", "1/s", "callbacks begun a second");
  list.integer("answers", "clients of arrival processes that have had their answer");
  list.integer("refused", "clients that were refused or reset instead");
  list.distribution("response", "response time: from a client's arrival to its answer");
  list.real("answer_throughput", "1/s", "answers a second");
  list.population("in_system", "clients between their arrival and their answer");
  list.population("waiting", "callbacks that were due and had not begun, but for those that never begin");
  list.integer("pool_requests", "requests that the thread pool has done");
  list.distribution("pool_waiting", "from a request's submission to when a thread of the pool takes it");
  list.time("pool_service_mean", "time that a thread of the pool works on a request: mean");
  list.population("pool_queue", "requests waiting for a thread of the pool");
  list.population("pool_busy", "threads of the pool at work");
  list.real("pool_utilization", "", "pool_busy_mean / the number of threads");
  list.add(std::string(kGrowingColumn), Column::Type::text, "",
           "what still grew when the run ended, so that the figures depend on its length: names of response, lateness, "
           "pool_waiting, pool_service, or none; nothing: the run is too short, or ends by itself");
  for (const Flow& flow : kFlows) {
    for (const char* half : {"first", "second"}) {
      list.time(fmt::format("{}_{}_half", flow.name, half), fmt::format("{}: mean of the {} half", flow.what, half));
    }
  }
  if (options.page) PageMetrics::list(list);
  for (const std::string& name : options.callbacks) {
    list.integer(name + ".callbacks", name + ": times begun");
    list.distribution(name + ".lateness", name + ": from when it was due to its begin");
    list.distribution(name + ".latency", name + ": from when it was asked for to its begin");
    list.real(name + ".throughput", "1/s", name + ": times begun a second");
  }
  for (const std::string& name : options.clients) {
    list.integer(name + ".answers", name + ": clients that have had their answer");
    list.integer(name + ".refused", name + ": clients that were refused or reset instead");
    list.distribution(name + ".response", name + ": from a client's arrival to its answer");
  }
  for (const std::string& name : options.distributions) {
    list.add(histogram_column(name), Column::Type::text, "ns", name + " in buckets: LOW-HIGH:COUNT ...");
  }
  if (options.output) list.add("output", Column::Type::text, "", "the lines on standard output");
  if (options.order) list.add("order", Column::Type::text, "", "the named callbacks in the order in which they began");
  return list.take();
}

std::vector<std::string> distribution_names(const MetricsOptions& options) {
  if (options.io) return study::io_distribution_names(options);
  std::vector<std::string> names = {"loop_delay", "lateness", "latency", "response", "pool_waiting", "pool_service"};
  for (const std::string& name : options.callbacks) {
    names.push_back(name + ".lateness");
    names.push_back(name + ".latency");
  }
  for (const std::string& name : options.clients) names.push_back(name + ".response");
  return names;
}

std::string histogram_column(std::string_view name) { return std::string(name) + "_histogram"; }

std::unique_ptr<MetricsSink> make_metrics_sink(const MetricsOptions& options) {
  if (options.io) return study::make_io_metrics_sink(options);
  return std::make_unique<RunMetrics>(options);
}

}  // namespace loopsim

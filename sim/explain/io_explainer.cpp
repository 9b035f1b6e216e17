#include "sim/explain/io_explainer.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/words.hpp"

#include "sim/explain/rules.hpp"
#include "sim/trace/io_words.hpp"

namespace loopsim {
namespace {

// What a process, or a thread of it, was doing.
struct Doing {
  ProcessState state = ProcessState::running;
  TimeNs since = 0;
  std::string call;  // in which it is blocked
};

struct Message {
  std::uint32_t name = kNoName;
  std::uint16_t process = 0;
  std::uint64_t number = 0;  // at its socket
  std::int64_t bytes = 0;
  TimeNs arrived_at = 0;
  std::uint64_t arrived = 0;  // sequence number of the event
  Doing doing;                // of the process then
  bool wakes = false;         // it was woken by this arrival
  TimeNs had_at = 0;
  std::uint64_t had = 0;  // sequence number; 0: it never was
  std::uint64_t turn = 0;
  std::string call;  // the read that brought it; empty: a completion
};

class IoExplainer final : public Explainer {
 public:
  explicit IoExplainer(Language language) : language_(language), rules_(rule_numbers(io_runtimes().front())) {}

  void begin(const RunInfo& info) override {
    names_.assign(info.names.begin(), info.names.end());
    messages_.clear();
    open_.clear();
    doing_.clear();
    calls_.clear();
    models_.clear();
    order_.clear();
    made_.clear();
  }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) take(event, batch.text_of(event));
  }

  void end(const RunSummary& summary) override {
    end_time_ = summary.end_time;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (messages_[i].had == 0) order_.push_back(i + 1);
    }
  }

  [[nodiscard]] std::span<const std::uint64_t> callbacks() const override { return order_; }

  [[nodiscard]] Explanation outline(std::uint64_t id) const override {
    const Message& message = messages_[static_cast<std::size_t>(id) - 1];
    Explanation told;
    told.callback = id;
    told.label = printable(name_of(message.name));
    told.name = say(language_, Word::io_message_of, {fmt::format("{}", message.number), told.label});
    if (models_.size() > 1) {
      const auto model = models_.find(message.process);
      if (model != models_.end()) told.name += fmt::format(" ({})", model->second);
    }
    told.begin = message.had;
    told.begun_at = message.had_at;
    told.turn = message.turn;
    return told;
  }

  [[nodiscard]] Explanation explanation(std::uint64_t id) const override {
    const Message& message = messages_[static_cast<std::size_t>(id) - 1];
    Explanation told = outline(id);
    const auto add = [&](Rule rule, std::uint64_t event, std::vector<ExplanationArgument> arguments) {
      told.sentences.push_back({rules_[static_cast<std::size_t>(rule)], event, std::move(arguments)});
    };
    add(Rule::io_arrived, message.arrived,
        {{told.name, id}, {ms_text(message.arrived_at), 0}, {fmt::format("{}", message.bytes), 0}});
    tell_doing(message, add);
    if (message.had == 0) {
      add(Rule::io_never_had, message.arrived, {{ms_text(end_time_), 0}});
      return told;
    }
    const std::string late = ms_text(message.had_at - message.arrived_at);
    if (message.call.empty())
      add(Rule::io_completion_taken, message.had, {{ms_text(message.had_at), 0}, {late, 0}});
    else
      add(Rule::io_read_returned, message.had, {{message.call, 0}, {ms_text(message.had_at), 0}, {late, 0}});
    return told;
  }

  [[nodiscard]] std::span<const Explanation> explanations() const override {
    if (made_.empty()) {
      made_.reserve(order_.size());
      for (const std::uint64_t id : order_) made_.push_back(explanation(id));
    }
    return made_;
  }

 private:
  using Thread = std::pair<std::uint16_t, std::uint64_t>;  // process, thread
  struct Key {
    std::uint16_t process;
    std::uint32_t name;
    std::uint64_t number;
    auto operator<=>(const Key&) const = default;
  };

  template <typename Add>
  void tell_doing(const Message& message, const Add& add) const {
    const ExplanationArgument since = {ms_text(message.doing.since), 0};
    switch (message.doing.state) {
      case ProcessState::blocked:
        if (message.doing.call.empty()) return;
        add(message.wakes ? Rule::io_was_blocked : Rule::io_was_blocked_elsewhere, message.arrived,
            {{message.doing.call, 0}, since});
        return;
      case ProcessState::computing: add(Rule::io_was_computing, message.arrived, {since}); return;
      case ProcessState::meanwhile: add(Rule::io_was_elsewhere, message.arrived, {since}); return;
      case ProcessState::handler:
      case ProcessState::running:
      case ProcessState::ended: add(Rule::io_was_running, message.arrived, {}); return;
    }
  }

  [[nodiscard]] std::string_view name_of(std::uint32_t name) const {
    return name < names_.size() ? std::string_view(names_[name]) : std::string_view("?");
  }

  void take(const Event& event, std::string_view text) {
    const Thread thread = {event.loop, event.by};
    switch (event.kind) {
      case EventKind::state:
        if (event.name != kNoName && !models_.contains(event.loop))
          models_[event.loop] = printable(name_of(event.name));
        if (event.id == 0 || static_cast<ProcessState>(event.detail) != ProcessState::blocked)
          doing_[thread] = {static_cast<ProcessState>(event.detail), event.time, {}};
        else
          doing_[thread] = {ProcessState::blocked, event.time, calls_[thread]};
        break;
      case EventKind::syscall: calls_[thread] = io_call_words(event, text); break;
      case EventKind::arrive:
        if (event.b >= 0) arrive(event);
        break;
      case EventKind::wake:
        // The arrival before it, in the same moment.
        if (!messages_.empty() && messages_.back().process == event.loop && messages_.back().arrived_at == event.time)
          messages_.back().wakes = true;
        break;
      case EventKind::message: have(event); break;
      default: break;
    }
  }

  void arrive(const Event& event) {
    Message& message = messages_.emplace_back();
    message.name = event.name;
    message.process = event.loop;
    message.number = event.id;
    message.bytes = event.b;
    message.arrived_at = event.time;
    message.arrived = event.sequence;
    // Of threads, the one of the socket: descriptor 3 is that of thread 1.
    constexpr std::int64_t kBeforeThreads = 2;
    auto doing = doing_.end();
    if (const auto model = models_.find(event.loop);
        model != models_.end() && model->second == "threads" && event.a > kBeforeThreads)
      doing = doing_.find({event.loop, static_cast<std::uint64_t>(event.a - kBeforeThreads)});
    if (doing == doing_.end()) doing = doing_.find({event.loop, 0});
    if (doing != doing_.end()) message.doing = doing->second;
    open_[{event.loop, event.name, event.id}] = messages_.size();
  }

  void have(const Event& event) {
    const auto found = open_.find({event.loop, event.name, event.id});
    if (found == open_.end()) return;  // possible in a handwritten trace
    Message& message = messages_[found->second - 1];
    message.had = event.sequence;
    message.had_at = event.time;
    message.turn = event.turn;
    const auto model = models_.find(event.loop);
    if (model == models_.end() || model->second != "async") message.call = calls_[{event.loop, event.by}];
    order_.push_back(found->second);
    open_.erase(found);
  }

  Language language_;
  RuleNumbers rules_;
  std::vector<std::string> names_;
  std::vector<Message> messages_;    // message i has the number i + 1
  std::map<Key, std::size_t> open_;  // those that the process does not have: their numbers
  std::map<Thread, Doing> doing_;
  std::map<Thread, std::string> calls_;  // the last one
  std::map<std::uint16_t, std::string> models_;
  std::vector<std::uint64_t> order_;
  TimeNs end_time_ = 0;
  mutable std::vector<Explanation> made_;
};

}  // namespace

std::unique_ptr<Explainer> make_io_explainer(Language language) { return std::make_unique<IoExplainer>(language); }

}  // namespace loopsim

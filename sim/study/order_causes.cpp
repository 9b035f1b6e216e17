#include "sim/study/order_causes.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "loopsim/api_traits.hpp"
#include "loopsim/assert.hpp"
#include "loopsim/words.hpp"

#include "sim/trace/task_line.hpp"

namespace loopsim::study {
namespace {

constexpr int kDeepest = 8;               // nesting of proofs
constexpr int kMostSteps = 4096;          // per proof
constexpr std::size_t kMostCauses = 256;  // visited by one search

}  // namespace

// ---- static facts of the program ------------------------------------------------------------------------------------

// The instructions that write each variable.
struct OrderRules::Writers {
  std::map<std::uint32_t, std::vector<std::size_t>> of;  // destination -> instructions

  [[nodiscard]] std::optional<std::size_t> only_one(std::uint32_t variable) const {
    const auto found = of.find(variable);
    if (found == of.end() || found->second.size() != 1) return std::nullopt;
    return found->second.front();
  }
};

OrderRules::Writers OrderRules::writers_of(const Program& program) {
  Writers writers;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& instruction = program.code[i];
    if (instruction.op == Op::store || instruction.op == Op::store_acc || instruction.op == Op::add ||
        instruction.op == Op::emitter) {
      if (Operand::kind(instruction.c) == Operand::Kind::global) writers.of[instruction.c].push_back(i);
    }
  }
  return writers;
}

// Counts the uses of each function, by sites and by calls, and derives has_one_origin() and is_emitted_once().
void OrderRules::find_origins() {
  const Program& program = *program_;
  std::vector<int> uses(program.functions.size(), 0);
  std::vector<int> sites(program.names.size(), 0);
  bool has_sockets = false;  // sockets or child processes, which emit events of their own
  for (const Site& site : program.sites) {
    if (site.function != kNone) ++uses[site.function];
    if (site.label != kNoName) ++sites[site.label];
  }
  for (const Instruction& instruction : program.code) {
    if (instruction.op == Op::call) ++uses[instruction.c];
    if (instruction.op == Op::emit) ++emissions_[program.strings[instruction.e]];
    has_sockets =
        has_sockets || instruction.op == Op::listen || instruction.op == Op::connect || instruction.op == Op::spawn;
  }
  if (has_sockets) emissions_.clear();

  own_callbacks_.assign(program.names.size(), false);
  own_functions_.assign(program.names.size(), false);
  for (const Site& site : program.sites) {
    if (site.label == kNoName) continue;
    own_callbacks_[site.label] = sites[site.label] == 1 && (site.function == kNone || uses[site.function] == 1);
  }
  std::vector<int> functions(program.names.size(), 0);
  for (const Function& function : program.functions) {
    if (function.label != kNoName) ++functions[function.label];
  }
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const std::uint32_t label = program.functions[i].label;
    if (label != kNoName) own_functions_[label] = functions[label] == 1 && uses[i] <= 1;
  }
}

bool OrderRules::has_one_origin(std::uint32_t name, Api api) const {
  if (api == Api::main || origins_ == Origins::observed) return true;
  const std::vector<bool>& own = api == Api::await ? own_functions_ : own_callbacks_;
  return name < own.size() && own[name];
}

bool OrderRules::is_emitted_once(std::string_view event) const {
  if (origins_ == Origins::observed) return true;
  const auto found = emissions_.find(event);
  return found != emissions_.end() && found->second == 1;
}

OrderRules::OrderRules(const Program& program, Origins origins) : program_(&program), origins_(origins) {
  find_origins();
  std::map<SiteKey, int> uses;
  const auto key_of = [&program](std::uint32_t site) {
    const Site& place = program.sites[site];
    return SiteKey{place.label, place.position.line, place.position.column, place.api};
  };
  for (std::uint32_t i = 0; i < program.sites.size(); ++i) ++uses[key_of(i)];
  const auto is_unique = [&uses](const SiteKey& key) { return uses[key] == 1; };

  const Writers writers = writers_of(program);
  // The sites that settle the promise in the accumulator before instruction `next`.
  const auto settlers = [&](std::size_t next) {
    std::vector<std::uint32_t> sites;
    if (next == 0) return sites;
    std::size_t at = next - 1;
    if (program.code[at].op == Op::load) {
      const auto writer = writers.only_one(program.code[at].c);
      if (!writer || *writer == 0 || program.code[*writer].op != Op::store_acc) return sites;
      at = *writer - 1;
    }
    const Instruction& made = program.code[at];
    switch (made.op) {
      case Op::then:
        if (made.d != kNone) sites.push_back(made.d);
        if (made.e != kNone) sites.push_back(made.e);
        break;
      case Op::finally_:
      case Op::timer_promise:
      case Op::immediate_promise:
        if (made.d != kNone) sites.push_back(made.d);
        break;
      case Op::work_promise:
        if (program.works[made.c].site != kNone) sites.push_back(program.works[made.c].site);
        break;
      default: break;
    }
    return sites;
  };

  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& instruction = program.code[i];
    std::vector<SiteKey> waiting;
    if (instruction.op == Op::then || instruction.op == Op::finally_) {
      if (instruction.d != kNone) waiting.push_back(key_of(instruction.d));
      if (instruction.op == Op::then && instruction.e != kNone) waiting.push_back(key_of(instruction.e));
    } else if (instruction.op == Op::set_timer) {
      const DelayPlan& delay = program.delays[instruction.c];
      const bool is_constant = delay.duration == kNone
                                   ? Operand::kind(delay.operand) == Operand::Kind::constant
                                   : program.durations[delay.duration].kind == Duration::Kind::fixed;
      if (is_constant && is_unique(key_of(instruction.d))) constant_delays_[key_of(instruction.d)] = true;
    }
    for (const SiteKey& key : waiting) {
      if (!is_unique(key)) continue;
      for (const std::uint32_t site : settlers(i)) {
        if (is_unique(key_of(site))) waits_for_[key].push_back(key_of(site));
      }
    }
  }

  // Continuations of async functions: events name the function and the position of the await.
  std::map<SiteKey, int> awaits;
  std::vector<std::pair<SiteKey, std::size_t>> places;
  std::vector<std::size_t> ends;  // a function's instructions end where the next function begins
  for (const Function& function : program.functions) ends.push_back(function.entry);
  ends.push_back(program.code.size());
  std::sort(ends.begin(), ends.end());
  for (const Function& function : program.functions) {
    const std::size_t end = *std::upper_bound(ends.begin(), std::prev(ends.end()), std::size_t{function.entry});
    for (std::size_t i = function.entry; i < end; ++i) {
      if (program.code[i].op != Op::await) continue;
      const SiteKey key{function.label, program.positions[i].line, program.positions[i].column, Api::await};
      ++awaits[key];
      places.emplace_back(key, i);
    }
  }
  for (const auto& [key, i] : places) {
    if (awaits[key] != 1) continue;
    for (const std::uint32_t site : settlers(i)) {
      if (is_unique(key_of(site))) waits_for_[key].push_back(key_of(site));
    }
  }
}

std::span<const SiteKey> OrderRules::waits_for(const SiteKey& site) const {
  const auto found = waits_for_.find(site);
  if (found == waits_for_.end()) return {};
  return found->second;
}

// ---- a run ------------------------------------------------------------------------------------------------------------------------

void CausalLog::begin(const RunInfo& info) {
  names_.assign(info.names.begin(), info.names.end());
  callbacks_.assign(1, {});
  begun_.clear();
  running_.clear();
  touched_.clear();
  asked_at_.clear();
  timers_of_.clear();
  roots_.assign(1, 0);
  is_input_ = false;
  episode_ = 0;
  had_uncaught_ = false;
}

void CausalLog::events(const EventBatch& batch) {
  names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
  for (const Event& event : batch.events) note(event, batch.text_of(event));
}

void CausalLog::end(const RunSummary& /*summary*/) {
  for (const std::uint64_t id : touched_) at(id).touched = true;
}

CausalLog::Callback& CausalLog::at(std::uint64_t id) {
  if (id >= callbacks_.size()) callbacks_.resize(std::max<std::size_t>(id + 1, callbacks_.size() * 2));
  return callbacks_[id];
}

void CausalLog::note(const Event& event, std::string_view text) {
  switch (event.kind) {
    case EventKind::schedule: {
      Callback& callback = at(event.id);
      callback.name = event.name;
      callback.line = event.line;
      callback.column = event.column;
      callback.api = event.api;
      callback.kind = static_cast<ScheduleKind>(event.detail);
      callback.by = event.by;
      callback.asked = event.sequence;
      callback.asked_in = event.phase;
      callback.asked_during = episode_;
      callback.delay = event.b;
      callback.is_clamped = event.a > event.time + event.b;
      if (callback.kind == ScheduleKind::again && event.c > 0) callback.again = static_cast<std::uint64_t>(event.c);
      auto& [count, last] = asked_at_[site(callback)];
      ++count;
      last = event.id;
      if (is_timer(event.api)) ++timers_of_[event.b / kMillisecond];
      break;
    }
    case EventKind::enqueue:
      if (rules_.is_page() && event.c > 0) at(event.id).stands_in = event.c;
      break;
    case EventKind::turn: is_input_ = false; break;
    case EventKind::input: is_input_ = true; break;
    case EventKind::ref:
    case EventKind::unref: touched_.push_back(event.id); break;
    case EventKind::uncaught: had_uncaught_ = true; break;
    case EventKind::caught:
      if (event.detail == static_cast<std::uint8_t>(CatchKind::uncaught_exception)) had_uncaught_ = true;
      break;
    case EventKind::callback_begin: note_begin(event, text); break;
    case EventKind::callback_end:
      while (!running_.empty()) {
        const std::uint64_t ended = running_.back();
        running_.pop_back();
        if (ended == event.id) break;
      }
      break;
    default: break;
  }
}

void CausalLog::note_begin(const Event& event, std::string_view text) {
  Callback& callback = at(event.id);
  const bool is_first = callback.began == 0;
  if (is_first) {
    callback.name = event.name;
    callback.api = event.api;
    callback.by = event.by;
    callback.began = event.sequence;
    callback.inside = running_.empty() ? 0 : running_.back();
    callback.is_inside = callback.inside != 0 && has_one_origin(callbacks_[callback.inside]) &&
                         (event.api == Api::promise || (event.api == Api::on && rules_.is_emitted_once(text)));
    callback.is_root = running_.empty() && !is_task(event.api);
    if (callback.is_root) {
      ++episode_;
      roots_.push_back(event.id);
      callback.caller = event.phase == Phase::rendering     ? Caller::frame
                        : event.phase == Phase::idle_period ? Caller::idle
                        : is_input_                         ? Caller::user
                                                            : Caller::task;
    }
    callback.episode = episode_;
    const auto is_at_home = [this](std::uint64_t id) {
      return id != 0 && id < callbacks_.size() && callbacks_[id].is_home && callbacks_[id].episode == episode_;
    };
    callback.is_home = callback.is_root || (callback.is_inside && is_at_home(callback.inside)) ||
                       (callback.asked != 0 && callback.asked_during == episode_ && is_at_home(callback.by) &&
                        is_asked_by(callback, callback.by));
  }
  begun_.push_back(event.id);
  running_.push_back(event.id);
}

bool CausalLog::is_asked_by(const Callback& callback, std::uint64_t by) const {
  return by != 0 && by < callbacks_.size() && has_one_origin(callback) && has_one_origin(callbacks_[by]);
}

std::string CausalLog::label(std::uint64_t id) const {
  LOOPSIM_ASSERT(id < callbacks_.size());
  const std::uint32_t name = callbacks_[id].name;
  if (name == kNoName || name >= names_.size()) return std::string(to_string(callbacks_[id].api));
  return callbacks_[id].api == Api::main ? "the main script" : names_[name];
}

// ---- proofs -----------------------------------------------------------------------------------------------------------------------

// The callbacks that always precede this one: its scheduler, its caller, the previous round of an interval, the settler
// of the promise it waits for.
std::vector<std::uint64_t> CausalLog::causes_of(std::uint64_t id) const {
  const Callback& callback = callbacks_[id];
  std::vector<std::uint64_t> causes;
  const auto add = [&](std::uint64_t cause) {
    if (cause != 0 && cause != id && cause < callbacks_.size() && callbacks_[cause].began != 0) causes.push_back(cause);
  };
  if (is_asked_by(callback, callback.by)) add(callback.by);
  if (callback.is_inside) add(callback.inside);
  add(callback.again);
  const auto own = asked_at_.find(site(callback));
  if (own == asked_at_.end() || own->second.first != 1) return causes;
  for (const SiteKey& key : rules_.waits_for(site(callback))) {
    const auto settler = asked_at_.find(key);
    if (settler != asked_at_.end() && settler->second.first == 1) add(settler->second.second);
  }
  return causes;
}

std::string CausalLog::origin_of(std::uint64_t id) const {
  std::string text;
  if (rules_.origins() == Origins::text) return text;
  for (std::size_t length = 0; id != 0 && id < callbacks_.size() && length < callbacks_.size(); ++length) {
    const Callback& callback = callbacks_[id];
    text += fmt::format("{}:{}:{} < ", label(id), callback.line, callback.column);
    id = callback.by != 0 ? callback.by : callback.inside;
  }
  return text;
}

std::string CausalLog::prove(std::uint64_t a, std::uint64_t b) const {
  Budget budget{kDeepest, kMostSteps};
  return prove(a, b, budget);
}

// Searches backwards from `b` through its causes, nearest first, for `a`; failing that, for a callback that a rule
// orders after `a`.
std::string CausalLog::prove(std::uint64_t a, std::uint64_t b, Budget& budget) const {
  struct Found {
    std::uint64_t id;
    std::size_t from;  // index of the callback that it is a cause of
  };
  std::vector<Found> found = {{b, 0}};
  const auto way = [&](std::size_t at) {  // "x -> y -> b"
    std::string text = label(found[at].id);
    while (at != 0) {
      at = found[at].from;
      text += " \u2192 " + label(found[at].id);
    }
    return text;
  };
  for (std::size_t i = 0; i < found.size() && found.size() < kMostCauses; ++i) {
    if (--budget.steps < 0) return "";
    const std::uint64_t id = found[i].id;
    if (id == a) return i == 0 ? "" : cause_words(a, b, found[i].from == 0, way(i));
    for (const std::uint64_t cause : causes_of(id)) {
      const bool is_new = std::ranges::find(found, cause, &Found::id) == found.end();
      if (is_new && callbacks_[cause].began >= callbacks_[a].began) found.push_back({cause, i});
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (--budget.steps < 0) return "";
    const std::string rule = rule_for(a, found[i].id, budget);
    if (!rule.empty()) return i == 0 ? rule : fmt::format("{}; then {}", rule, way(i));
  }
  return "";
}

std::string CausalLog::cause_words(std::uint64_t a, std::uint64_t b, bool direct, const std::string& way) const {
  const Callback& last = callbacks_[b];
  if (!direct) return fmt::format("one leads to the other: {}", way);
  if (last.by == a) return fmt::format("{} asks for {}", label(a), label(b));
  if (last.inside == a) return fmt::format("{} runs inside {}", label(b), label(a));
  if (last.again == a) return fmt::format("{} is the next round of {}", label(b), label(a));
  return fmt::format("{} waits for the promise that {} settles", label(b), label(a));
}

// A rule of the loop (docs/event-loop.md) that orders `a` before `b` whatever the durations.
std::string CausalLog::rule_for(std::uint64_t a_id, std::uint64_t b_id, Budget& budget) const {
  const Callback& a = callbacks_[a_id];
  const Callback& b = callbacks_[b_id];
  if (had_uncaught_ || a_id == b_id || a.began > b.began) return "";
  if (!has_one_origin(a) || !has_one_origin(b)) return "";

  if (std::string rule = queue_rule(a, b, budget); !rule.empty()) return rule;

  if (a.is_home && b.is_home && a.episode == b.episode) {
    if (a.api == Api::next_tick && is_microtask(b.api) && a.by == b.by && !is_microtask(callbacks_[a.by].api)) {
      return "after each callback first all ticks run, then all microtasks";
    }
    if (is_microtask(a.api) && b.api == Api::next_tick && a.by == b.by) {
      return "within a microtask (as the body of an ES module is) microtasks come before ticks";
    }
    return "both run before the loop goes on, where nothing from outside decides";
  }
  const auto belongs_to = [this](std::uint64_t id, std::uint32_t episode) {
    return id != 0 && callbacks_[id].is_home && callbacks_[id].episode == episode;
  };
  if (a.is_home && !a.is_root && b.episode > a.episode && b.asked != 0 && b.asked_during == a.episode &&
      belongs_to(b.by, a.episode) && is_called_by_loop(b.api)) {
    return "ticks, microtasks and synchronous calls run before the loop continues";
  }
  const bool same_place = a.asked != 0 && b.asked != 0 && a.asked_during == b.asked_during &&
                          belongs_to(a.by, a.asked_during) && belongs_to(b.by, b.asked_during);
  if (same_place && a.api == Api::set_immediate && is_timer(b.api) && a.asked_in == Phase::poll &&
      b.asked_in == Phase::poll) {
    return "asked for in an I/O callback: after poll comes check, where immediates run; timers come later";
  }
  // What a page's task leads to by microtasks runs before the next task.
  if (rules_.is_page() && a.is_home && !a.is_root && b.episode > a.episode && --budget.depth >= 0) {
    const std::uint64_t root = roots_[a.episode];
    const std::string rule = root == b_id ? "" : prove(root, b_id, budget);
    ++budget.depth;
    if (!rule.empty()) return fmt::format("{}; microtasks of {} run before the next task", rule, label(root));
  }
  return "";
}

// The rule of the queue in which both wait: FIFO for ticks, microtasks and immediates, timer_rule() for timers.
std::string CausalLog::queue_rule(const Callback& a, const Callback& b, Budget& budget) const {
  if (rules_.is_page())
    if (std::string rule = line_rule(a, b, budget); !rule.empty()) return rule;
  if (a.asked == 0 || b.asked == 0 || a.asked > b.asked) return "";
  if (is_timer(a.api) && is_timer(b.api)) {
    std::string rule = timer_rule(a, b);
    return !rule.empty() && asked_in_order(a, b, budget) ? rule : "";
  }
  if (a.api != b.api) return "";
  std::string_view rule;
  switch (a.api) {
    case Api::next_tick: rule = "ticks run in the order in which they were asked for"; break;
    case Api::queue_microtask: rule = "microtasks run in the order in which they were queued"; break;
    case Api::set_immediate: rule = "immediates run in the order in which they were asked for"; break;
    case Api::request_animation_frame: rule = "a frame calls what was asked for in that order"; break;
    default: return "";
  }
  return asked_in_order(a, b, budget) ? std::string(rule) : "";
}

// Of tasks without a delay that stand in lines: one line, or two of scheduler.postTask(), of which one goes before.
std::string CausalLog::line_rule(const Callback& a, const Callback& b, Budget& budget) const {
  if (a.stands_in == 0 || b.stands_in == 0 || a.asked == 0 || b.asked == 0 || a.delay > 0 || b.delay > 0) return "";
  using browser::Source;
  const auto line_a = browser::TaskLine::of_code(a.stands_in), line_b = browser::TaskLine::of_code(b.stands_in);
  if (line_a.source != line_b.source || line_a.source == Source::timer || line_a.number != line_b.number) return "";
  const bool is_posted = line_a.source == Source::post_task;
  if (is_posted && line_a.number != 0) return "";  // its priority may change
  if (line_a.priority == line_b.priority) {
    if (a.asked > b.asked || !asked_in_order(a, b, budget)) return "";
    return is_posted ? "tasks of one priority run in the order in which they were posted"
                     : "tasks of one source run in the order in which they were queued";
  }
  const bool is_there = a.by == b.by || (a.asked < b.asked && asked_in_order(a, b, budget));
  return is_posted && line_a.priority < line_b.priority && is_there
             ? "of the tasks that are ready, the scheduler's one with the higher priority comes first"
             : "";
}

std::string CausalLog::why_open(std::uint64_t a, std::uint64_t b) const {
  if (!rules_.is_page()) return "";
  const auto root_of = [this](std::uint64_t id) -> const Callback& {
    return callbacks_[roots_[callbacks_[id].episode]];
  };
  const Callback& first = root_of(a);
  const Callback& second = root_of(b);
  if (&first == &second) return "";
  const auto tell = [](Word word, std::initializer_list<std::string_view> arguments = {}) {
    return say(Language::english, word, arguments);
  };
  const auto either = [&](Caller caller) { return first.caller == caller || second.caller == caller; };
  const auto both = [&](Caller caller) { return first.caller == caller && second.caller == caller; };
  if (both(Caller::frame) || both(Caller::idle) || both(Caller::user)) return tell(Word::open_askers);
  if (either(Caller::user)) return tell(Word::open_user);
  if (either(Caller::frame)) return tell(Word::open_frame);
  if (either(Caller::idle)) return tell(Word::open_idle);
  // A listener that no task with a callback calls is one of the document's.
  const auto line_of = [](const Callback& one) {
    return one.stands_in == 0 ? browser::TaskLine{} : browser::TaskLine::of_code(one.stands_in);
  };
  const browser::TaskLine of_first = line_of(first), of_second = line_of(second);
  using browser::Source;
  if (of_first.source != of_second.source) {
    const auto name = [](Source source) {
      return say(Language::english, static_cast<Word>(static_cast<int>(Word::source_timer) + static_cast<int>(source)));
    };
    return tell(Word::open_sources, {name(of_first.source), name(of_second.source)});
  }
  if (of_first.source == Source::timer) return tell(Word::open_timers);
  if (of_first.source == Source::network) return tell(Word::open_requests);
  if (of_first.source == Source::message && of_first.number != of_second.number) return tell(Word::open_channels);
  return tell(Word::open_askers);
}

std::string CausalLog::timer_rule(const Callback& a, const Callback& b) const {
  if (a.touched || b.touched || !rules_.has_constant_delay(site(a)) || !rules_.has_constant_delay(site(b))) return "";
  const bool modern = rules_.program().profile->timer_model == TimerModel::single_handle;
  const bool first = a.kind == ScheduleKind::first && b.kind == ScheduleKind::first && a.api == Api::set_timeout &&
                     b.api == Api::set_timeout;
  if (rules_.program().profile->family == Family::browser) {
    const bool is_certain = first && !a.is_clamped && !b.is_clamped && a.delay <= b.delay;
    return is_certain ? "a timer that was set first, and is not longer, comes first" : "";
  }
  if (a.delay == b.delay && (modern || first)) {
    return "timers of one length stand in one list, in the order in which they were set";
  }
  // Lists run in the order of their first timers' due times. b is the first of its list when it is the run's only timer
  // with that delay.
  const auto others = timers_of_.find(b.delay / kMillisecond);
  if (modern && first && a.delay / kMillisecond < b.delay / kMillisecond && others != timers_of_.end() &&
      others->second == 1) {
    return "the shorter timer was set first, so its list is due first";
  }
  return "";
}

// Whether the order in which the two were scheduled is itself independent of timing.
bool CausalLog::asked_in_order(const Callback& a, const Callback& b, Budget& budget) const {
  const std::uint64_t by_a = a.by != 0 ? a.by : a.again;
  const std::uint64_t by_b = b.by != 0 ? b.by : b.again;
  if (by_a == 0 || by_b == 0) return false;
  if (by_a == by_b) return true;
  for (std::uint64_t outer = callbacks_[by_a].inside; outer != 0; outer = callbacks_[outer].inside) {
    if (outer == by_b) return true;  // one uninterrupted run of JavaScript
  }
  if (callbacks_[by_a].began == 0 || callbacks_[by_b].began < callbacks_[by_a].began || --budget.depth < 0)
    return false;
  const bool proved = !prove(by_a, by_b, budget).empty();
  ++budget.depth;
  return proved;
}

}  // namespace loopsim::study

// The drawing of the models of I/O, as textbooks have it: for each process a column for the application and one for the kernel, and
// between them arrows for system calls, their returns, and signals.
//
// The axis is common to all processes, and broken: moments are as high as what happens at them, gaps between them grow with the
// logarithm of their length. Shapes, hatching and words carry the meaning; colours only help.

#include "sim/trace/svg_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"

#include "sim/trace/event_table.hpp"
#include "sim/trace/io_words.hpp"
#include "sim/trace/svg_page.hpp"

namespace loopsim {
namespace {

using namespace svg;  // NOLINT(google-build-using-namespace)

constexpr int kMargin = 16;
constexpr int kAxis = 80;
constexpr int kRow = 16;
constexpr int kLeastMoment = 6;  // room for its time
constexpr int kHead = 104;       // where time begins
constexpr int kBar = 12;         // of a state
constexpr int kSmall = 10;
constexpr int kShortestGap = 8, kLongestGap = 36, kGapOfDoubling = 4;
constexpr int kBrackets = 96;  // room for them, where there is one process
constexpr std::size_t kMostProcesses = 5;
constexpr std::uint64_t kMostThreads = 8;

// Where something happens: a moment, and a row in it.
struct Spot {
  std::size_t moment = 0;
  int row = 0;
};

struct Item {
  enum class Kind : std::uint8_t {
    enters,    // arrow to the kernel
    returns,   // arrow from it
    delivers,  // the same, of a signal
    says,      // words of the application
    kernel,    // words of the kernel
    arrives,   // the same, from outside
    takes,     // of a completion
  };
  Kind kind = Kind::says;
  std::size_t process = 0;
  Spot at = {};
  std::string text = {};
  bool is_vain = false;
  bool is_quiet = false;
};

struct Bar {
  std::size_t process = 0;
  std::uint64_t thread = 0;
  ProcessState state = ProcessState::running;
  bool spins = false;
  Spot from, to;
};

struct Bracket {
  Spot from, to;
  Word word = Word::io_wait_for_data;
};

// The columns of a process.
struct Columns {
  int application = 0, gutter = 0, kernel = 0;  // widths
  int between = 0;                              // processes
  [[nodiscard]] int pair() const { return application + gutter + kernel; }
};

Columns columns_for(std::size_t processes) {
  if (processes <= 1) return {260, 60, 300, 0};
  if (processes == 2) return {172, 34, 172, 24};
  return {128, 20, 132, 16};
}

class SvgColumns final : public TraceSink {
 public:
  SvgColumns(ByteOutput& output, const SvgOptions& options)
      : output_(output), hash_(options.hash), most_height_(options.height), language_(options.language) {}

  void begin(const RunInfo& info) override {
    title_ = info.title.empty() ? std::string(info.runtime) : printable(info.title);
    header_ = header_words(info, language_);
    names_.assign(info.names.begin(), info.names.end());
  }
  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) {
      if (holds(event, batch.text_of(event))) continue;
      take(event, batch.text_of(event));
    }
  }
  void end(const RunSummary& summary) override;

 private:
  struct Process {
    std::string model;
    std::uint64_t calls = 0, in_vain = 0, messages = 0;
    TimeNs cpu = 0, blocked = 0, late = 0;
    std::map<std::uint64_t, std::string> call;                     // by thread: the open one
    std::map<std::uint64_t, std::pair<ProcessState, Spot>> state;  // since when
    std::map<std::uint64_t, TimeNs> blocked_since;
    std::uint64_t set_up = 0;  // calls at its start that are one row
    std::optional<Spot> waits_from, copies_from;
    Spot last_arrival;
    int rows = 0;  // of the current moment
  };

  // How many processes there are is known when all have begun, at time 0: what happens then is drawn later.
  bool holds(const Event& event, std::string_view text) {
    if (has_begun_) return false;
    models_ = std::max(models_, event.loop + std::size_t{1});
    if (event.time == 0 && held_.size() < kMostHeld) {
      held_.emplace_back(event, text);
      return true;
    }
    take_held();
    return false;
  }
  void take_held() {
    has_begun_ = true;
    for (const auto& [event, text] : std::exchange(held_, {})) take(event, text);
  }
  void take(const Event& event, std::string_view text);
  void count(Process& process, const Event& event);
  void draw_event(std::size_t number, const Event& event, std::string_view text);
  void change_state(std::size_t number, const Event& event);
  void begin_bar(std::size_t number, std::uint64_t thread, ProcessState state, Spot at, bool spins = false);
  void end_bar(std::size_t number, std::uint64_t thread, Spot at);
  void bracket(std::size_t number, const Event& event, Spot at);
  bool go_to(TimeNs time);
  Spot add(std::size_t number, Item item);
  void tell_set_up(std::size_t number);
  [[nodiscard]] Spot here(std::size_t number) const { return {times_.size() - 1, processes_[number].rows}; }
  [[nodiscard]] bool is_wide() const { return models_ <= 2; }
  [[nodiscard]] std::string words(Word word, std::initializer_list<std::string_view> arguments = {}) const {
    return say(language_, word, arguments);
  }

  void lay_out();
  [[nodiscard]] int y(Spot spot) const { return tops_[spot.moment] + spot.row * kRow; }
  [[nodiscard]] int x(std::size_t process) const {
    return kMargin + kAxis + static_cast<int>(process) * (columns_.pair() + columns_.between);
  }
  void draw_axis();
  void draw_heads();
  void draw_bars();
  void draw_items();
  void draw_item(const Item& item);
  void draw_brackets();
  int draw_foot(int y, const RunSummary& summary);

  ByteOutput& output_;
  const HashSink* hash_;
  int most_height_;
  Language language_;
  std::string title_, header_;
  std::vector<std::string> names_;
  std::vector<Process> processes_;
  static constexpr std::size_t kMostHeld = 10'000;
  std::vector<std::pair<Event, std::string>> held_;
  bool has_begun_ = false;
  std::size_t models_ = 0;     // that begin at time 0
  std::size_t not_drawn_ = 0;  // beyond kMostProcesses

  std::vector<TimeNs> times_;  // of the moments
  std::vector<int> rows_;      // in each
  int height_ = 0;             // so far, about
  bool is_cut_ = false;
  std::vector<Item> items_;
  std::vector<Bar> bars_;
  std::vector<Bracket> brackets_;

  Columns columns_;
  std::vector<int> tops_;  // of the moments
  int bottom_ = 0;
  bool labelled_ = false;  // "system call" is written once
  Page page_;
};

int gap_of(TimeNs time) {
  const auto doublings = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(1 + time / kMillisecond))) - 1;
  return std::min(kShortestGap + kGapOfDoubling * doublings, kLongestGap);
}

// Calls that only set up what the model needs.
bool sets_up(SysCall call) {
  switch (call) {
    case SysCall::fcntl:
    case SysCall::epoll_create1:
    case SysCall::epoll_ctl:
    case SysCall::sigprocmask:
    case SysCall::sigaction:
    case SysCall::io_uring_setup: return true;
    default: return false;
  }
}

// ---- the run --------------------------------------------------------------------------------------------------------------------

void SvgColumns::take(const Event& event, std::string_view text) {
  const std::size_t number = event.loop;
  if (number >= kMostProcesses) {
    if (event.kind == EventKind::exit) ++not_drawn_;
    return;
  }
  if (number >= processes_.size()) processes_.resize(number + 1);
  Process& process = processes_[number];
  count(process, event);
  if (event.kind == EventKind::state && event.name < names_.size() && process.model.empty())
    process.model = printable(names_[event.name]);
  if (event.kind == EventKind::syscall) process.call[event.by] = io_call_words(event, text);
  if (is_cut_ || !go_to(event.time)) return;
  draw_event(number, event, text);
}

void SvgColumns::count(Process& process, const Event& event) {
  switch (event.kind) {
    case EventKind::sysret:
      ++process.calls;
      if (event.detail2 != 0) ++process.in_vain;
      if (event.b > 0) process.blocked += event.b;
      break;
    case EventKind::spin:
      process.calls += static_cast<std::uint64_t>(event.b);
      process.in_vain += static_cast<std::uint64_t>(event.b);
      break;
    case EventKind::message:
      ++process.messages;
      process.late += event.b;
      break;
    case EventKind::state:
      if (static_cast<ProcessState>(event.detail) == ProcessState::ended) process.cpu += event.a + event.b;
      break;
    default: break;
  }
}

// The moment of that time; false: the drawing is full.
bool SvgColumns::go_to(TimeNs time) {
  if (!times_.empty() && times_.back() == time) return true;
  if (height_ > most_height_) {
    is_cut_ = true;
    return false;
  }
  height_ += times_.empty() ? 0 : gap_of(time - times_.back());
  times_.push_back(time);
  rows_.push_back(0);
  for (Process& process : processes_) process.rows = 0;
  return true;
}

Spot SvgColumns::add(std::size_t number, Item item) {
  Process& process = processes_[number];
  item.process = number;
  item.at = here(number);
  if (++process.rows > rows_.back()) {
    rows_.back() = process.rows;
    height_ += kRow;
  }
  const Spot at = item.at;
  items_.push_back(std::move(item));
  return at;
}

void SvgColumns::tell_set_up(std::size_t number) {
  Process& process = processes_[number];
  const std::uint64_t calls = std::exchange(process.set_up, 0);
  if (calls > 0)
    add(number,
        {.kind = Item::Kind::says, .text = words(Word::io_sets_up, {fmt::format("{}", calls)}), .is_quiet = true});
}

void SvgColumns::draw_event(std::size_t number, const Event& event, std::string_view text) {
  Process& process = processes_[number];
  const bool is_call = event.kind == EventKind::syscall || event.kind == EventKind::sysret;
  if (is_call && sets_up(static_cast<SysCall>(event.detail))) {
    if (event.kind == EventKind::sysret) ++process.set_up;
    return;
  }
  const std::string_view name = event.name < names_.size() ? std::string_view(names_[event.name]) : std::string_view();
  const std::string thread = process.model == "threads" ? fmt::format("T{} ", event.by) : std::string();
  switch (event.kind) {
    case EventKind::syscall:
      tell_set_up(number);
      if (is_wide()) add(number, {.kind = Item::Kind::enters, .text = thread + process.call[event.by]});
      break;
    case EventKind::sysret: {
      const bool is_vain = event.detail2 != 0 || text.starts_with("-1");
      std::string result = text.empty() ? std::string() : (is_wide() ? "= " : " = ") + printable(text);
      if (!is_wide() && text.starts_with("-1 "))
        result = " = " + printable(text.substr(3));  // the error's name says it
      std::string call = is_wide() ? std::string() : fmt::format("{}", events::kSysCalls[event.detail]);
      const Spot at = add(number, {.kind = Item::Kind::returns, .text = thread + call + result, .is_vain = is_vain});
      // A busy loop has found something.
      const auto bar = process.state.find(event.by);
      if (!is_vain && bar != process.state.end() && bars_[bar->second.second.moment].spins)
        begin_bar(number, event.by, ProcessState::running, at);
      bracket(number, event, at);
      break;
    }
    case EventKind::spin: {
      tell_set_up(number);
      const Spot at = add(
          number, {.kind = Item::Kind::enters, .text = io_call_words(event, is_wide() ? text : std::string_view())});
      add(number, {.kind = Item::Kind::kernel, .text = words(Word::io_no_data), .is_quiet = true});
      add(number, {.kind = Item::Kind::returns, .text = fmt::format("= -1 EAGAIN x {}", event.b), .is_vain = true});
      begin_bar(number, event.by, ProcessState::running, at, true);
      if (!process.waits_from) process.waits_from = at;
      break;
    }
    case EventKind::state: change_state(number, event); break;
    case EventKind::arrive:
      process.last_arrival =
          add(number, {.kind = Item::Kind::arrives,
                       .text = event.b < 0 ? words(Word::io_ends_short, {printable(name)})
                                           : words(Word::io_bytes_at, {fmt::format("{}", event.b), printable(name)})});
      break;
    case EventKind::copy:
      process.copies_from =
          add(number, {.kind = Item::Kind::kernel,
                       .text = words(Word::io_copies_short, {fmt::format("{}", event.b), printable(name)})});
      break;
    case EventKind::wake:
      if (is_wide())
        add(number, {.kind = Item::Kind::kernel, .text = io_words(event, text, name, {}, language_), .is_quiet = true});
      break;
    case EventKind::complete: add(number, {.kind = Item::Kind::kernel, .text = words(Word::io_copy_complete)}); break;
    case EventKind::take:
      add(number, {.kind = Item::Kind::takes, .text = fmt::format("{}: {}", printable(name), event.b)});
      break;
    case EventKind::signal:
      if (static_cast<SignalStep>(event.detail2) == SignalStep::delivered)
        add(number, {.kind = Item::Kind::delivers, .text = std::string(events::kIoSignals[event.detail])});
      else if (static_cast<SignalStep>(event.detail2) != SignalStep::accepted)
        add(number, {.kind = Item::Kind::kernel, .text = io_words(event, text, name, {}, language_), .is_quiet = true});
      break;
    case EventKind::limit:
      add(number, {.kind = Item::Kind::says, .text = limit_words(event, language_), .is_vain = true});
      break;
    default: break;
  }
}

void SvgColumns::change_state(std::size_t number, const Event& event) {
  Process& process = processes_[number];
  const auto state = static_cast<ProcessState>(event.detail);
  if (state != ProcessState::running || event.id != 0 || process.state.contains(event.by)) tell_set_up(number);
  Spot at = here(number);
  switch (state) {
    case ProcessState::blocked: {
      // Where there is little room, the call in which it is blocked: its bar says the rest.
      std::string text = words(Word::io_blocked_short);
      if (!is_wide() && event.id != 0) text = process.call[event.by].substr(0, process.call[event.by].find('('));
      at = add(number, {.kind = is_wide() ? Item::Kind::says : Item::Kind::enters, .text = text, .is_quiet = true});
      if (event.id != 0) process.waits_from = at;
      break;
    }
    case ProcessState::computing: at = add(number, {.kind = Item::Kind::says, .text = words(Word::io_computes)}); break;
    case ProcessState::meanwhile:
      at = add(number, {.kind = Item::Kind::says, .text = words(Word::io_meanwhile), .is_quiet = true});
      break;
    default: break;
  }
  begin_bar(number, event.by, state, at);
}

void SvgColumns::begin_bar(std::size_t number, std::uint64_t thread, ProcessState state, Spot at, bool spins) {
  if (thread > kMostThreads) return;
  end_bar(number, thread, at);
  if (state == ProcessState::ended) return;
  bars_.push_back({number, thread, state, spins, at, at});
  processes_[number].state[thread] = {state, {bars_.size() - 1, 0}};
}

// Of the thread's last bar, which the map knows by its index.
void SvgColumns::end_bar(std::size_t number, std::uint64_t thread, Spot at) {
  const auto found = processes_[number].state.find(thread);
  if (found == processes_[number].state.end()) return;
  bars_[found->second.second.moment].to = at;
  processes_[number].state.erase(found);
}

// The two parts of a read, as in textbooks, where there is room for them: of one process.
void SvgColumns::bracket(std::size_t number, const Event& event, Spot at) {
  Process& process = processes_[number];
  if (static_cast<SysCall>(event.detail) != SysCall::read &&
      static_cast<SysCall>(event.detail) != SysCall::io_uring_enter)
    return;
  if (event.detail2 != 0) {
    if (!process.waits_from) process.waits_from = at;
    return;
  }
  if (process.copies_from && models_ == 1) {
    if (process.waits_from) brackets_.push_back({*process.waits_from, process.last_arrival, Word::io_wait_for_data});
    brackets_.push_back({*process.copies_from, at, Word::io_copy_data});
  }
  process.waits_from.reset();
  process.copies_from.reset();
}

// ---- the drawing ----------------------------------------------------------------------------------------------------------------

void SvgColumns::lay_out() {
  columns_ = columns_for(processes_.size());
  int top = kHead;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    if (i > 0) top += gap_of(times_[i] - times_[i - 1]);
    tops_.push_back(top);
    top += std::max(rows_[i] * kRow, kLeastMoment);
  }
  bottom_ = top + 8;
}

void SvgColumns::draw_axis() {
  const int right = x(processes_.size()) - columns_.between;
  const int axis = kMargin + kAxis - 8;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    page_.line(axis, tops_[i], right, tops_[i], kFaint, " stroke-dasharray=\"1 3\"");
    page_.label(axis - 4, tops_[i] + (rows_[i] == 0 ? 4 : 12), ms_text(times_[i]), {.anchor = Anchor::end},
                " class=\"moment\"");
  }
}

void SvgColumns::draw_heads() {
  page_.label(kMargin + kAxis - 12, kHead - 14, say(language_, Word::time_column),
              {.face = Face::bold, .anchor = Anchor::end});
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const int left = x(i);
    const int kernel = left + columns_.application + columns_.gutter;
    page_.label(left + columns_.pair() / 2, kHead - 34, fitted(processes_[i].model, columns_.pair(), 12, Face::bold),
                {.size = 12, .face = Face::bold, .anchor = Anchor::middle});
    page_.label(left + columns_.application / 2, kHead - 14, words(Word::io_application), {.anchor = Anchor::middle});
    page_.label(kernel + columns_.kernel / 2, kHead - 14, words(Word::io_kernel), {.anchor = Anchor::middle});
    page_.line(left, kHead - 8, left + columns_.pair(), kHead - 8, kInk);
    const int border = left + columns_.application + columns_.gutter / 2;
    page_.line(border, kHead - 6, border, bottom_, "#8c8c8c", " stroke-dasharray=\"2 3\"");
  }
}

void SvgColumns::draw_bars() {
  for (const Bar& bar : bars_) {
    const int left = x(bar.process) + static_cast<int>(bar.thread) * (kBar + 4);
    const int top = y(bar.from) + 3;
    const int height = std::max(y(bar.to) + 3 - top, 2);
    if (bar.spins) {
      page_.box(left, top, kBar, height, "url(#loopsim-spin)", kInk);
      continue;
    }
    switch (bar.state) {
      case ProcessState::running: page_.box(left, top, kBar, height, "#fff", kFaint); break;
      case ProcessState::blocked: page_.box(left, top, kBar, height, "url(#loopsim-wait)", kInk); break;
      case ProcessState::computing: page_.box(left, top, kBar, height, kBusy, kInk); break;
      case ProcessState::meanwhile: page_.box(left, top, kBar, height, kTask, kInk); break;
      case ProcessState::handler:
        page_.box(left, top, kBar, height, "#fff", kInk);
        page_.box(left, top, 3, height, kInk, {});
        break;
      case ProcessState::ended: break;
    }
  }
}

void SvgColumns::draw_items() {
  for (const Item& item : items_) draw_item(item);
}

void SvgColumns::draw_item(const Item& item) {
  const std::size_t threads = processes_[item.process].model == "threads" ? kMostThreads + 1 : 1;
  std::size_t bars = 1;
  for (const Bar& bar : bars_) {
    if (threads > 1 && bar.process == item.process) bars = std::max(bars, static_cast<std::size_t>(bar.thread) + 1);
  }
  const int left = x(item.process);
  const int words_at = left + static_cast<int>(bars) * (kBar + 4) + 2;
  const int application = left + columns_.application;
  const int kernel = application + columns_.gutter;
  const int baseline = y(item.at) + 12;
  const int arrow = y(item.at) + 8;
  const bool is_code =
      item.kind == Item::Kind::enters || item.kind == Item::Kind::returns || item.kind == Item::Kind::takes;
  const int size = is_wide() ? SvgLayout::kLabelSize : kSmall;
  Pen pen = {.size = size, .face = is_code && !item.is_quiet ? Face::mono : Face::regular};
  if (item.is_vain) pen.color = kLate;
  if (item.is_quiet) {
    pen.color = kQuiet;
    pen.is_italic = true;
  }
  switch (item.kind) {
    case Item::Kind::enters:
      page_.line(application + 2, arrow, kernel - 7, arrow, kInk, " stroke-width=\"1.2\"");
      page_.path(fmt::format("M{} {}l-6 -3v6Z", kernel - 1, arrow), kInk, "none");
      if (models_ == 1 && !std::exchange(labelled_, true))
        page_.label((application + kernel) / 2, arrow - 3, words(Word::io_system_call),
                    {.size = kSmall, .anchor = Anchor::middle, .is_italic = true});
      break;
    case Item::Kind::returns:
      page_.line(application + 7, arrow, kernel - 2, arrow, kInk, " stroke-width=\"1.2\"");
      page_.path(fmt::format("M{} {}l6 -3v6Z", application + 1, arrow), kInk, "none");
      break;
    case Item::Kind::delivers:
      page_.line(application + 7, arrow, kernel - 2, arrow, kInk, " stroke-dasharray=\"4 2\"");
      page_.path(fmt::format("M{} {}l-6 3l6 3", application + 7, arrow - 3), "none", kInk);
      break;
    case Item::Kind::takes:
      page_.line(words_at + text_width(item.text, size, pen.face) + 6, arrow, kernel - 2, arrow, kQuiet,
                 " stroke-dasharray=\"1 3\"");
      page_.path(fmt::format("M{} {}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z", left + 3, arrow), "#fff", kInk);
      break;
    case Item::Kind::arrives: {
      const int right = kernel + columns_.kernel - (models_ == 1 ? kBrackets : 0);
      page_.path(fmt::format("M{} {}v10l-8 -5Z", right, arrow - 5), kInk, "none");
      page_.label(kernel + 4, baseline, fitted(item.text, right - kernel - 16, size, pen.face), pen);
      return;
    }
    case Item::Kind::kernel: {
      const int right = kernel + columns_.kernel - (models_ == 1 ? kBrackets : 0);
      page_.label(kernel + 4, baseline, fitted(item.text, right - kernel - 8, size, pen.face), pen);
      return;
    }
    case Item::Kind::says: break;
  }
  page_.label(words_at, baseline, fitted(item.text, application - words_at, size, pen.face), pen);
}

void SvgColumns::draw_brackets() {
  const int left = x(0) + columns_.pair() - kBrackets + 4;
  for (const Bracket& bracket : brackets_) {
    const int top = y(bracket.from) + 4;
    const int bottom = y(bracket.to) + kRow - 4;
    if (bottom - top < 2 * kRow) continue;
    const int middle = (top + bottom) / 2;
    page_.path(fmt::format("M{0} {1}q6 0 6 6V{2}q0 6 5 6q-5 0 -5 6V{3}q0 6 -6 6", left, top, middle - 6, bottom - 6),
               "none", kInk);
    const std::vector<std::string> lines = wrapped(words(bracket.word), kBrackets - 20, kSmall, Face::regular);
    int baseline = middle + 4 - static_cast<int>(lines.size() - 1) * 6;
    for (const std::string& line : lines) {
      page_.label(left + 15, baseline, line, {.size = kSmall});
      baseline += 12;
    }
  }
}

int SvgColumns::draw_foot(int y, const RunSummary& summary) {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const Process& process = processes_[i];
    std::string text = words(Word::io_figures, {fmt::format("{}", process.calls), fmt::format("{}", process.in_vain),
                                                short_ms_text(process.cpu), short_ms_text(process.blocked)});
    if (process.messages > 0)
      text += words(Word::io_late, {ms_text(process.late / static_cast<TimeNs>(process.messages))});
    page_.label(kMargin, y + 12, fmt::format("{}: {}", process.model, text), {});
    y += 17;
  }
  if (not_drawn_ > 0) {
    page_.label(kMargin, y + 12, words(Word::io_not_drawn, {fmt::format("{}", not_drawn_)}), {.face = Face::bold});
    y += 17;
  }
  if (is_cut_) {
    page_.label(kMargin, y + 12, words(Word::io_drawing_ends), {.face = Face::bold});
    y += 17;
  }
  const std::string foot = format_summary(summary, hash_, language_);
  page_.label(kMargin, y + 12, foot, {.size = kSmall, .color = kQuiet});
  return y + 17;
}

void SvgColumns::end(const RunSummary& summary) {
  take_held();
  if (times_.empty()) go_to(0);
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    while (!processes_[i].state.empty())
      end_bar(i, processes_[i].state.begin()->first, {times_.size() - 1, rows_.back()});
  }
  lay_out();
  const int width = std::max(x(processes_.size()) - columns_.between + kMargin, 480);
  const int room = width - 2 * kMargin;
  page_.label(kMargin, 28, fitted(title_, room, 16, Face::bold), {.size = 16, .face = Face::bold});
  page_.label(kMargin, 46, fitted(header_, room, SvgLayout::kLabelSize, Face::regular), {.color = kQuiet});
  draw_axis();
  draw_heads();
  draw_bars();
  draw_items();
  draw_brackets();
  page_.line(kMargin, bottom_ + 6, width - kMargin, bottom_ + 6, kInk);
  const int height = draw_foot(bottom_ + 10, summary) + 8;
  std::string description = words(Word::io_description) + ". " + header_ + ".";
  for (const Item& item : items_)
    description +=
        fmt::format(" {} {}: {}.", ms_text(times_[item.at.moment]), processes_[item.process].model, item.text);
  output_.write(fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\""
      " aria-labelledby=\"loopsim-title loopsim-desc\"{7} font-size=\"{2}\" fill=\"{3}\">\n"
      "<title id=\"loopsim-title\">{4}</title>\n<desc id=\"loopsim-desc\">{5}</desc>\n{6}"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height, SvgLayout::kLabelSize, kInk, xml_text(title_), xml_text(description), kPatterns,
      language_ == Language::chinese ? kChineseFonts : kFonts));
  page_.raw("</svg>\n");
  output_.write(page_.text());
}

}  // namespace

std::unique_ptr<TraceSink> make_svg_columns(ByteOutput& output, const SvgOptions& options) {
  return std::make_unique<SvgColumns>(output, options);
}

}  // namespace loopsim

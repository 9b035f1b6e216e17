#include "sim/trace/call_lines.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "sim/trace/descriptors.hpp"
#include "sim/trace/event_table.hpp"

namespace loopsim {

namespace {

constexpr std::uint64_t kMostThreads = 1'000'000;

std::uint32_t first_number(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool is_wait(SysCall call) {
  return call == SysCall::select || call == SysCall::poll || call == SysCall::epoll_wait ||
         call == SysCall::sigwaitinfo;
}

}  // namespace

std::string CallLines::prefix(const Event& event) const {
  return model_ == "threads" ? fmt::format("T{} ", event.by) : std::string();
}

void CallLines::take(const Event& event, std::string_view text, std::string_view name) {
  switch (event.kind) {
    case EventKind::state:
      if (!name.empty() && model_.empty()) model_ = name;
      break;
    case EventKind::syscall:
      if (event.by >= open_calls_.size()) {
        if (event.by >= kMostThreads) break;  // possible in a handwritten trace
        open_calls_.resize(static_cast<std::size_t>(event.by) + 1);
      }
      open_calls_[static_cast<std::size_t>(event.by)].arguments = text;
      break;
    case EventKind::sysret: returns(event, text); break;
    case EventKind::spin: add_vain_reads(first_number(text), static_cast<std::uint64_t>(event.b)); break;
    case EventKind::signal:
      if (const auto step = static_cast<SignalStep>(event.detail2);
          step == SignalStep::delivered || step == SignalStep::overflow)
        add("SIGIO");
      break;
    case EventKind::take:
      fmt::format_to(std::back_inserter(completions_), "{}{}:{}", completions_.empty() ? "" : " ", event.a, event.b);
      break;
    case EventKind::limit:
      if (static_cast<LimitKind>(event.detail) == LimitKind::time) add("(killed)");
      break;
    default: break;
  }
}

void CallLines::end() {
  flush_vain();
  flush_held();
}

void CallLines::returns(const Event& event, std::string_view result) {
  const auto call = static_cast<SysCall>(event.detail);
  const auto thread = static_cast<std::size_t>(event.by);
  const std::string_view arguments = thread < open_calls_.size() ? open_calls_[thread].arguments : std::string_view();
  const bool is_vain = event.detail2 != 0;
  if (is_vain && call == SysCall::read && model_ == "nonblocking") return add_vain_reads(first_number(arguments), 1);
  std::string line = fmt::format("{}{}({})", prefix(event), events::kSysCalls[event.detail], arguments);
  if (!result.empty()) line.append(" = ").append(result);
  if (is_vain && is_wait(call)) return add_vain_wait(line);
  if (call == SysCall::io_uring_enter) {
    flush_held();
    enter_ = std::move(line);
    return;
  }
  add(std::move(line));
  if (call == SysCall::fcntl && model_ == "nonblocking") sockets_.push_back(first_number(arguments));
  if (call == SysCall::close && !sockets_.empty()) std::erase(sockets_, first_number(arguments));
}

// ---- calls in vain --------------------------------------------------------------------------------------------------------------

void CallLines::add_vain_reads(std::uint32_t first, std::uint64_t calls) {
  if (vain_calls_ == 0) vain_first_ = first;
  vain_calls_ += calls;
}

void CallLines::add_vain_wait(const std::string& line) {
  if (vain_wait_ != line) flush_vain();
  vain_wait_ = line;
  ++vain_calls_;
}

// Of reads, a round begins where the run of them began; what is no whole round is told one by one.
void CallLines::flush_vain() {
  const std::uint64_t calls = std::exchange(vain_calls_, 0);
  if (calls == 0) return;
  if (!vain_wait_.empty()) return add(fmt::format("{} *{}", std::exchange(vain_wait_, {}), calls));
  const auto found = std::ranges::find(sockets_, vain_first_);
  if (found == sockets_.end()) return add(fmt::format("read({}) = -1 EAGAIN *{}", vain_first_, calls));
  const auto begin = static_cast<std::size_t>(found - sockets_.begin());
  const std::size_t round = sockets_.size();
  const auto at = [&](std::size_t i) { return sockets_[(begin + i) % round]; };
  if (calls >= round) {
    fmt::memory_buffer list;
    put_descriptors(list, round, ',', at);
    add(fmt::format("read({}) = -1 EAGAIN *{}", std::string_view(list.data(), list.size()), calls / round));
  }
  for (std::size_t i = 0; i < calls % round; ++i) add(fmt::format("read({}) = -1 EAGAIN", at(i)));
}

// ---- lines ----------------------------------------------------------------------------------------------------------------------

void CallLines::add(std::string line) {
  flush_vain();
  (enter_.empty() ? lines_ : held_).push_back(std::move(line));
}

void CallLines::flush_held() {
  if (enter_.empty()) return;
  if (!completions_.empty()) enter_ += fmt::format(" [{}]", std::exchange(completions_, {}));
  lines_.push_back(std::exchange(enter_, {}));
  lines_.insert(lines_.end(), held_.begin(), held_.end());
  held_.clear();
}

}  // namespace loopsim

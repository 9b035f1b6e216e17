#include "sim/trace/folder.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

namespace loopsim {
namespace {

constexpr std::size_t kMostLabels = 64 * 1024;
constexpr std::size_t kMostCounted = 32;  // different callbacks beyond those that are named

bool is_begin(const Event& event) { return event.kind == EventKind::callback_begin; }

std::uint64_t mixed(std::uint64_t hash, std::uint64_t with) {
  const std::array<std::uint64_t, 2> words = {hash, with};
  return XXH3_64bits(words.data(), sizeof(words));
}

// Whether two callbacks are the same for a reader.
bool is_same(const std::pair<Event, std::string>& a, const Event& event, std::string_view text) {
  return a.first.name == event.name && a.first.api == event.api && a.first.line == event.line && a.second == text;
}

// False for what a turn has in which nothing happens.
bool is_telling(const Event& event) {
  switch (event.kind) {
    case EventKind::turn:
    case EventKind::phase_enter:
    case EventKind::phase_exit: return false;
    case EventKind::poll: return event.b != 0 || event.c != 0;
    default: return !is_about_queues(event);
  }
}

}  // namespace

Folder::Folder(FoldTarget& target, const FoldOptions& options)
    : target_(target),
      options_(options),
      steps_({.longest = kLongestOfSteps, .least_hidden = kLeastHidden}),
      turns_({.longest = kLongestOfTurns, .least_hidden = kLeastHidden, .most_weight = kMostHeld}) {}

// ---- shapes ---------------------------------------------------------------------------------------------------------------------

void Folder::learn(const Event& event) {
  if (event.kind != EventKind::schedule && !is_begin(event)) return;
  const std::size_t place = event.id % kMostLabels;
  if (place >= labels_.size()) labels_.resize(place + 1);
  Label& label = labels_[place];
  if (label.id == event.id && is_begin(event)) return;  // schedule knows the line
  const std::uint64_t line = event.name == kNoName ? event.line : 0;
  const std::array<std::uint64_t, 2> words = {event.name | line << 32U, static_cast<std::uint64_t>(event.api)};
  label = {event.id, XXH3_64bits(words.data(), sizeof(words))};
}

// Equal for callbacks with the same name. One that is no longer known equals nothing.
std::uint64_t Folder::label_of(std::uint64_t id) const {
  if (id == 0) return 0;
  const std::size_t place = id % kMostLabels;
  if (place < labels_.size() && labels_[place].id == id) return labels_[place].hash;
  return mixed(id, ++unlike_);
}

std::uint64_t Folder::shape_of(const Event& event, std::string_view text) {
  std::uint64_t label = 0;
  std::uint64_t numbers = 0;
  std::uint64_t flags = 0;
  const auto flag = [&flags](bool is_set) { flags = flags << 1U | (is_set ? 1U : 0U); };
  if (event.id != 0 && event.name == kNoName && event.kind != EventKind::poll && !is_about_queues(event)) {
    const bool is_new = event.kind == EventKind::schedule;
    const bool is_callback = event.kind != EventKind::settle && event.kind != EventKind::rejection &&
                             event.kind != EventKind::rejection_handled && event.kind != EventKind::promise;
    if (is_callback && !is_new) label = label_of(event.id);
  }
  switch (event.kind) {
    case EventKind::poll:
      label = label_of(event.id);
      flag(event.a == 0), flag(event.a < 0), flag(event.b > 0);
      numbers = static_cast<std::uint64_t>(event.c);
      break;
    case EventKind::ready: flag(event.b >= 0), flag(event.c >= 0); break;
    case EventKind::schedule: flag(event.a >= 0), flag(event.b >= 0); break;
    case EventKind::callback_begin:
      flag(event.a >= 0), flag(event.b > 0);
      if (event.b > 0 && event.c > 0) label = mixed(label, label_of(static_cast<std::uint64_t>(event.c)));
      if (!notes_on(options_.notes, event.id).empty()) label = mixed(event.id, ++unlike_);
      break;
    case EventKind::burn: flag(event.c == event.a), flag(event.c < event.a); break;
    case EventKind::drain_begin:
      numbers = mixed(static_cast<std::uint64_t>(event.a), static_cast<std::uint64_t>(event.b));
      break;
    // Not the numbers of scopes and promises, which are new each time.
    case EventKind::scope: numbers = static_cast<std::uint64_t>(event.c); break;
    case EventKind::assign:
    case EventKind::promise: flag(event.b != 0); break;
    case EventKind::condition: flag(event.a != 0), flag(event.b != 0); break;
    case EventKind::receive:
    case EventKind::limit:
    case EventKind::exit: numbers = static_cast<std::uint64_t>(event.a); break;
    default: break;
  }
  const Phase phase = event.kind == EventKind::turn ? Phase::main : event.phase;  // the first turn has another one
  const std::array<std::uint64_t, 7> words = {
      static_cast<std::uint64_t>(event.kind) | static_cast<std::uint64_t>(phase) << 8U |
          static_cast<std::uint64_t>(event.api) << 16U | std::uint64_t{event.detail} << 24U |
          std::uint64_t{event.detail2} << 32U | std::uint64_t{event.loop} << 40U,
      event.name | std::uint64_t{event.line} << 32U,
      event.column | std::uint64_t{static_cast<std::uint32_t>(depth_)} << 32U,
      flags,
      label,
      numbers,
      text.empty() ? 0 : XXH3_64bits(text.data(), text.size()),
  };
  return XXH3_64bits(words.data(), sizeof(words));
}

// ---- steps ----------------------------------------------------------------------------------------------------------------------

void Folder::follow_depth(const Event& event) {
  switch (event.kind) {
    case EventKind::turn: depth_ = drains_ = 0; break;
    case EventKind::callback_begin: ++depth_; break;
    case EventKind::callback_end: depth_ = std::max(0, depth_ - 1); break;
    case EventKind::drain_begin: ++depth_, ++drains_; break;
    case EventKind::drain_end: depth_ = std::max(0, depth_ - 1), drains_ = std::max(0, drains_ - 1); break;
    default: break;
  }
}

void Folder::push(const Event& event, std::string_view text) {
  // Bounded, since a callback may take very many steps between two events.
  const bool has_room = has_step_ && step_.items.size() < kMostInTurn;
  if (is_step(event.kind) && !options_.steps && has_room) {
    step_.items.push_back({.event = event, .text = std::string(text)});
    return;
  }
  const bool is_aside = is_about_queues(event) || (is_step(event.kind) && has_room);
  if (is_about_queues(event) && !options_.queues) {
    if (options_.passes_queues && has_step_) step_.items.push_back({.event = event, .text = std::string(text)});
    return;
  }
  learn(event);
  if (!is_aside || !has_step_) {
    end_step();
    const bool is_exit = event.phase == Phase::exit && !std::exchange(has_exited_, event.phase == Phase::exit);
    if (event.kind == EventKind::turn || is_exit) end_turn();
    has_step_ = true;
    step_.signature = shape_of(event, text);
    // A repetition begins outside of callbacks, after one has ended, and not between a callback and its drain.
    step_.rank = 4 * depth_ + (is_after_end_ ? 0 : 2) + (event.kind == EventKind::drain_begin ? 1 : 0);
    step_.is_in_drain = drains_ > 0;
    is_after_end_ = event.kind == EventKind::callback_end || event.kind == EventKind::drain_end;
    follow_depth(event);
  } else {
    step_.signature = mixed(step_.signature, shape_of(event, text));
  }
  step_.items.push_back({.event = event, .text = std::string(text)});
}

void Folder::end_step() {
  if (!has_step_) return;
  has_step_ = false;
  StepOutput output{*this};
  steps_.push(std::exchange(step_, {}), output);
}

void Folder::StepOutput::show(Step&& step) {
  folder.turn_.signature = mixed(folder.turn_.signature, step.signature);
  for (Item& item : step.items) folder.add_to_turn(std::move(item));
}

void Folder::StepOutput::hide(Step&& step, bool begins) {
  for (Item& item : step.items) {
    folder.hidden_steps_.add(item, step.is_in_drain);
    item.kind = Item::Kind::hidden;
    item.begins = std::exchange(begins, false);
    folder.add_to_turn(std::move(item));
  }
}

void Folder::StepOutput::close(std::uint64_t count, std::size_t period) {
  Turn& turn = folder.turn_;
  turn.signature = mixed(turn.signature, mixed(count, period));
  turn.folds.push_back(folder.hidden_steps_.take(count, 0));
  folder.add_to_turn(
      {.kind = Item::Kind::fold, .event = {}, .text = {}, .begins = false, .fold = turn.folds.size() - 1});
}

// ---- turns ----------------------------------------------------------------------------------------------------------------------

void Folder::add_to_turn(Item&& item) {
  turn_.is_telling =
      turn_.is_telling || options_.empty_turns || item.kind != Item::Kind::shown || is_telling(item.event);
  if (is_passed_on_) {
    report(item, turn_.folds);
    turn_.folds.clear();
    return;
  }
  turn_.items.push_back(std::move(item));
  if (turn_.items.size() < kMostInTurn) return;
  TurnOutput output{*this};
  turns_.flush(output);
  output.show(std::exchange(turn_, {}));
  is_passed_on_ = true;
}

void Folder::end_turn() {
  StepOutput steps{*this};
  steps_.flush(steps);
  const bool is_whole = !std::exchange(is_passed_on_, false);
  Turn turn = std::exchange(turn_, {});
  if (!is_whole || turn.items.empty()) return;
  TurnOutput output{*this};
  turns_.push(std::move(turn), output);
}

void Folder::flush() {
  end_step();
  end_turn();
  TurnOutput output{*this};
  turns_.flush(output);
}

void Folder::report(const Item& item, const std::vector<Fold>& folds) {
  switch (item.kind) {
    case Item::Kind::shown: target_.shown(item.event, item.text); break;
    case Item::Kind::hidden: target_.hidden(item.event, item.text, item.begins); break;
    case Item::Kind::fold: target_.folded(folds[item.fold]); break;
  }
}

void Folder::TurnOutput::show(Turn&& turn) {
  for (const Item& item : turn.items) folder.report(item, turn.folds);
}

void Folder::TurnOutput::hide(Turn&& turn, bool begins) {
  for (const Item& item : turn.items) {
    if (item.kind == Item::Kind::fold) continue;
    folder.hidden_turns_.add(item, false);
    folder.target_.hidden(item.event, item.text, std::exchange(begins, false));
  }
}

void Folder::TurnOutput::close(std::uint64_t count, std::size_t period) {
  folder.target_.folded(folder.hidden_turns_.take(count, period));
}

// ---- what is hidden -------------------------------------------------------------------------------------------------------------

void Folder::Gathering::add(const Item& item, bool is_in_drain) {
  const Event& event = item.event;
  if (is_step(event.kind)) return;
  if (fold_.events++ == 0) {
    fold_.first = event;
    fold_.is_in_drain = is_in_drain;
    first_text_ = item.text;
  }
  fold_.last = event;
  switch (event.kind) {
    case EventKind::callback_begin: {
      ++callbacks_;
      const auto is_this = [&](const auto& known) { return is_same(known, event, item.text); };
      if (event.b > 0) {
        fold_.least_late = std::min(fold_.least_late, event.b);
        fold_.most_late = std::max(fold_.most_late, event.b);
      }
      if (std::ranges::any_of(fold_.what, is_this) || std::ranges::any_of(more_, is_this)) break;
      if (more_.size() == kMostCounted) break;
      (fold_.what.size() < Fold::kMostNamed ? fold_.what : more_).emplace_back(event, item.text);
      break;
    }
    case EventKind::schedule:
      if (event.a < 0) break;
      fold_.least_due = std::min(fold_.least_due, event.a);
      fold_.most_due = std::max(fold_.most_due, event.a);
      break;
    case EventKind::log:
    case EventKind::error_log: ++fold_.lines; break;
    case EventKind::throw_: ++fold_.exceptions; break;
    default: break;
  }
}

Fold Folder::Gathering::take(std::uint64_t count, std::size_t turns) {
  Fold fold = std::exchange(fold_, {});
  fold.count = count;
  fold.turns = turns;
  fold.callbacks = static_cast<std::size_t>(std::exchange(callbacks_, 0) / std::max<std::uint64_t>(count, 1));
  fold.more = std::exchange(more_, {}).size();
  if (fold.what.empty()) fold.what.emplace_back(fold.first, std::move(first_text_));
  return fold;
}

}  // namespace loopsim

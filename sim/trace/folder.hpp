// Folds long runs for people: hides what repeats in a stream of events, and counts it.
//
// There are two levels. Within a turn, steps that follow themselves: callbacks, ticks, microtasks, calls; then turns
// that follow themselves, each with its own folds. What is compared is the shape of events: all that a reader sees of
// them except times and the numbers of callbacks. So nothing is hidden that differs in its name, its phase, its reason,
// its text, or the cause of its lateness. A callback with a note is like no other: it is always shown.
//
// Memory: events of some hundred steps and turns, at most kMostHeld.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loopsim/trace.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/repeats.hpp"

namespace loopsim {

// Repetitions that were hidden, between the first one and the last one.
struct Fold {
  static constexpr std::size_t kMostNamed = 3;

  std::uint64_t count = 0;    // repetitions
  std::size_t turns = 0;      // of one repetition; 0: it is a part of a turn
  std::size_t callbacks = 0;  // of one repetition
  bool is_in_drain = false;   // of ticks and microtasks

  // What begins in a repetition: its first different callbacks, or its first event if there are none. With their texts.
  std::vector<std::pair<Event, std::string>> what;
  std::size_t more = 0;  // different callbacks that are not in `what`

  // Of all that is hidden.
  Event first, last;
  std::uint64_t events = 0;
  std::uint64_t lines = 0;       // of output
  std::uint64_t exceptions = 0;  // thrown
  TimeNs least_late = kNever, most_late = 0;
  TimeNs least_due = kNever, most_due = -1;  // of what was scheduled
};

// Receives each event once, in order.
class FoldTarget {
 public:
  virtual ~FoldTarget() = default;
  virtual void shown(const Event& event, std::string_view text) = 0;
  virtual void hidden(const Event& event, std::string_view text, bool begins) = 0;  // a repetition
  // What was hidden since the first repetition; the last one follows.
  virtual void folded(const Fold& fold) = 0;
};

struct FoldOptions {
  bool queues = false;  // events about queues and threads are compared as well
  bool passes_queues =
      false;                 // without `queues`: they are passed on without being compared; otherwise they are dropped
  bool empty_turns = false;  // turns in which nothing happens are folded, too
  // Steps of the program (is_step) are compared by what they say: names, values, outcomes. Otherwise they are passed on
  // with the event before them without being compared.
  bool steps = false;
  std::span<const CallbackNote> notes = {};  // as for writers
};

class Folder {
 public:
  static constexpr std::size_t kLeastHidden = 10;        // repetitions
  static constexpr std::size_t kLongestOfSteps = 64;     // period, within a turn
  static constexpr std::size_t kLongestOfTurns = 16;     // period
  static constexpr std::size_t kMostInTurn = 16 * 1024;  // events of a turn that can be folded
  static constexpr std::size_t kMostHeld = 64 * 1024;    // events

  Folder(FoldTarget& target, const FoldOptions& options);

  void push(const Event& event, std::string_view text);
  void flush();  // at the end

 private:
  struct Item {
    enum class Kind : char { shown, hidden, fold };
    Kind kind = Kind::shown;
    Event event;
    std::string text;
    bool begins = false;   // a hidden repetition
    std::size_t fold = 0;  // in Turn::folds
  };
  // An event with the events about queues and the steps of the program behind it.
  struct Step {
    std::uint64_t signature = 0;
    int rank = 0;
    bool is_telling = true;
    bool is_in_drain = false;
    std::vector<Item> items;
    [[nodiscard]] std::size_t weight() const { return items.size(); }
  };
  struct Turn {
    std::uint64_t signature = 0;
    int rank = 0;
    bool is_telling = false;
    std::vector<Item> items;
    std::vector<Fold> folds;
    [[nodiscard]] std::size_t weight() const { return items.size(); }
  };

  // What is hidden, put together.
  class Gathering {
   public:
    void add(const Item& item, bool is_in_drain);
    [[nodiscard]] Fold take(std::uint64_t count, std::size_t turns);

   private:
    Fold fold_;
    std::string first_text_;
    std::vector<std::pair<Event, std::string>> more_;  // different callbacks beyond fold_.what
    std::uint64_t callbacks_ = 0;
  };
  // The outputs of the two levels, as Repeats calls them.
  struct StepOutput {
    Folder& folder;
    void show(Step&& step);
    void hide(Step&& step, bool begins);
    void close(std::uint64_t count, std::size_t period);
  };
  struct TurnOutput {
    Folder& folder;
    void show(Turn&& turn);
    void hide(Turn&& turn, bool begins);
    void close(std::uint64_t count, std::size_t period);
  };

  [[nodiscard]] std::uint64_t shape_of(const Event& event, std::string_view text);
  [[nodiscard]] std::uint64_t label_of(std::uint64_t id) const;
  void learn(const Event& event);
  void follow_depth(const Event& event);
  void end_step();
  void end_turn();
  void add_to_turn(Item&& item);
  void report(const Item& item, const std::vector<Fold>& folds);

  FoldTarget& target_;
  FoldOptions options_;

  struct Label {
    std::uint64_t id = 0;
    std::uint64_t hash = 0;
  };
  std::vector<Label> labels_;         // of the last callbacks that were learned
  mutable std::uint64_t unlike_ = 0;  // makes signatures that equal no other

  int depth_ = 0;
  int drains_ = 0;
  bool is_after_end_ = false;  // the last step ended a callback or a drain
  bool has_exited_ = false;
  bool has_step_ = false;
  Step step_;
  Turn turn_;
  bool is_passed_on_ = false;  // the current turn is too long to be held
  Repeats<Step> steps_;
  Repeats<Turn> turns_;
  Gathering hidden_steps_;
  Gathering hidden_turns_;
};

}  // namespace loopsim

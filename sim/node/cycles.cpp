#include "sim/node/cycles.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/node/heap.hpp"

namespace loopsim::node {

namespace {

// The kinds of objects whose references are followed. What refers to something and is not listed here (a queue, a frame, a socket's
// handle) is outside: it keeps what it refers to.
enum class Kind : std::uint8_t { emitter, scope, list, promise, timer, immediate };
constexpr std::size_t kKinds = 6;

struct Node {
  Kind kind;
  std::uint32_t index;
};

class Search {
 public:
  explicit Search(Heap& heap) : heap_(heap) {
    const std::array sizes = {heap.emitters.size(), heap.scopes.size(), heap.lists.size(),
                              heap.promises.size(), heap.timers.size(), heap.immediates.size()};
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      marks_[kind].resize(sizes[kind]);
      cost_ += sizes[kind] / 16;  // to clear a mark takes no longer
    }
  }

  std::size_t run() {
    count_inner_references();
    mark_what_is_held();
    end_the_rest();
    return cost_;
  }

 private:
  // A mark: 0 for what is not reached from a scope, kHeld for what something outside holds, and else one more than the
  // references that were found.
  static constexpr std::uint32_t kHeld = kNone;

  [[nodiscard]] std::uint32_t& mark(const Node& node) {
    return marks_[static_cast<std::size_t>(node.kind)][node.index];
  }

  [[nodiscard]] std::uint32_t references(const Node& node) const {
    switch (node.kind) {
      case Kind::emitter: return heap_.emitters[node.index].refs;
      case Kind::scope: return heap_.scopes[node.index].refs;
      case Kind::list: return heap_.lists[node.index].refs;
      case Kind::promise: return heap_.promises[node.index].refs;
      case Kind::timer: return heap_.timers[node.index].refs;
      case Kind::immediate: return heap_.immediates[node.index].refs;
    }
    return 0;
  }

  void reach(const Node& node) {
    std::uint32_t& found = mark(node);
    if (found != 0) return;
    found = 1;
    reached_.push_back(node);
  }

  void count_inner_references() {
    std::uint32_t index = 0;
    heap_.scopes.each([&](const Scope& scope) {
      if (scope.refs != 0 && scope.size != 0) reach({Kind::scope, index});
      ++index;
    });
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const Node from = reached_[i];
      each_reference(from, [&](const Node& to) {
        reach(to);
        ++mark(to);
      });
    }
  }

  void mark_what_is_held() {
    std::vector<Node> held;
    const auto hold = [&](const Node& node) {
      if (std::exchange(mark(node), kHeld) != kHeld) held.push_back(node);
    };
    for (const Node& node : reached_) {
      const std::uint32_t found = mark(node);
      if (found != kHeld && references(node) > found - 1) hold(node);
      while (!held.empty()) {
        const Node next = held.back();
        held.pop_back();
        cost_ += 1 + entries(next);
        each_reference(next, [&](const Node& to) {
          ++cost_;
          hold(to);
        });
      }
    }
  }

  // A scope without values is in no cycle, and the counted references do the rest.
  void end_the_rest() {
    std::erase_if(reached_, [&](const Node& node) { return node.kind != Kind::scope || mark(node) == kHeld; });
    for (const Node& node : reached_) heap_.retain_scope(node.index);
    for (const Node& node : reached_) {
      for (std::uint32_t i = 0; i < heap_.scopes[node.index].size; ++i) heap_.assign(heap_.slot(node.index, 0, i), {});
    }
    for (const Node& node : reached_) heap_.release_scope(node.index);
  }

  // ---- the references of an object: what its end releases (Heap::destroy) --------------------------------------------------

  // Places that have to be looked at for them, whether they refer to anything or not.
  [[nodiscard]] std::size_t entries(const Node& node) const {
    switch (node.kind) {
      case Kind::scope: return heap_.scopes[node.index].size;
      case Kind::list: return heap_.lists[node.index].items.size();
      default: return 0;
    }
  }

  template <class F>
  void each_reference(const Node& node, F&& to) {
    switch (node.kind) {
      case Kind::emitter:
        for (const EmitterObject::Event& event : heap_.emitters[node.index].events) {
          for (const Listener& listener : event.listeners) of_callback(listener.callback, to);
        }
        return;
      case Kind::scope: {
        const Scope& scope = heap_.scopes[node.index];
        if (scope.parent != kNone) to({Kind::scope, scope.parent});
        for (std::uint32_t i = 0; i < scope.size; ++i) of_value(heap_.slot(node.index, 0, i), to);
        return;
      }
      case Kind::list:
        for (const Value& item : heap_.lists[node.index].items) of_value(item, to);
        return;
      case Kind::promise: of_promise(heap_.promises[node.index], to); return;
      case Kind::timer: {
        const TimerObject& timer = heap_.timers[node.index];
        of_callback(heap_.callback_of(timer), to);
        if (const std::uint32_t promise = heap_.extra(timer).promise; promise != kNone) to({Kind::promise, promise});
        return;
      }
      case Kind::immediate: {
        const ImmediateObject& immediate = heap_.immediates[node.index];
        of_callback(immediate.callback, to);
        if (immediate.promise != kNone) to({Kind::promise, immediate.promise});
        return;
      }
    }
  }

  template <class F>
  void of_promise(const PromiseObject& promise, F&& to) {
    of_value(promise.result, to);
    for (std::uint32_t index = promise.first_reaction; index != kNone; index = heap_.reactions[index].next) {
      const Reaction& reaction = heap_.reactions[index];
      if (reaction.fulfilled.place != kNone) of_callback(reaction.fulfilled, to);
      if (reaction.rejected.place != kNone) of_callback(reaction.rejected, to);
      of_value(reaction.value, to);
      if (reaction.derived != kNone) to({Kind::promise, reaction.derived});
      if (reaction.coroutine == kNone) continue;
      const Coroutine& coroutine = heap_.coroutines[reaction.coroutine];
      if (coroutine.scope != kNone) to({Kind::scope, coroutine.scope});
      if (coroutine.promise != kNone) to({Kind::promise, coroutine.promise});
    }
  }

  template <class F>
  static void of_callback(const Callback& callback, F&& to) {
    if (callback.context != kNone) to({Kind::scope, callback.context});
    if (callback.arguments != kNone) to({Kind::list, callback.arguments});
  }

  template <class F>
  static void of_value(const Value& value, F&& to) {
    switch (value.tag) {
      case Tag::list:
      case Tag::record: to({Kind::list, value.index}); return;
      case Tag::promise: to({Kind::promise, value.index}); return;
      case Tag::emitter: to({Kind::emitter, value.index}); return;
      case Tag::timer: to({Kind::timer, value.index}); return;
      case Tag::immediate: to({Kind::immediate, value.index}); return;
      default: return;  // refers to nothing
    }
  }

  Heap& heap_;
  std::array<std::vector<std::uint32_t>, kKinds> marks_;
  std::vector<Node> reached_;
  std::size_t cost_ = 0;
};

}  // namespace

std::size_t end_cycles(Heap& heap) { return Search(heap).run(); }

}  // namespace loopsim::node

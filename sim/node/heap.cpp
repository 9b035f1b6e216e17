#include "sim/node/heap.hpp"

#include <algorithm>
#include <bit>

#include "sim/node/cycles.hpp"

namespace loopsim::node {

namespace {
std::uint32_t size_class(std::uint32_t size) { return static_cast<std::uint32_t>(std::bit_width(size - 1)); }
}  // namespace

// By a list, without recursion: a chain of a million promises must not need a million stack frames.
void Heap::destroy(const Value& value) {
  if (destroying_) {
    doomed_.push_back(value);
    return;
  }
  destroying_ = true;
  destroy_one(value);
  while (!doomed_.empty()) {
    const Value next = doomed_.back();
    doomed_.pop_back();
    destroy_one(next);
  }
  destroying_ = false;
}

void Heap::destroy_one(const Value& value) {
  switch (value.tag) {
    case Tag::string:
      strings[value.index].text.clear();
      strings.free(value.index);
      return;
    case Tag::error: errors.free(value.index); return;
    case Tag::timer: destroy_timer(value.index); return;
    case Tag::immediate: destroy_immediate(value.index); return;
    case Tag::promise: {
      PromiseObject& promise = promises[value.index];
      // Reactions of a promise that can no longer settle never run.
      for (std::uint32_t reaction = promise.first_reaction; reaction != kNone;) {
        const std::uint32_t next = reactions[reaction].next;
        free_reaction(reaction);
        reaction = next;
      }
      const Value result = promise.result;
      promise.result = {};
      promises.free(value.index);
      release(result);
      return;
    }
    case Tag::foreign: {
      const std::uint64_t gone = foreigns[value.index].value;
      foreigns.free(value.index);
      if (foreign_ended_ != nullptr) foreign_ended_(foreign_listener_, gone);
      return;
    }
    case Tag::emitter: {
      EmitterObject& emitter = emitters[value.index];
      for (EmitterObject::Event& event : emitter.events) {
        for (const Listener& listener : event.listeners) release(listener.callback);
      }
      emitter.events.clear();
      if (emitter.net != kNone) {
        release(nets[emitter.net].error);
        nets.free(emitter.net);
      }
      emitter.net = kNone;
      if (emitter.child != kNone) children.free(emitter.child);
      emitter.child = kNone;
      emitters.free(value.index);
      return;
    }
    default: {
      std::vector<Value> items;
      items.swap(lists[value.index].items);
      for (const Value& item : items) release(item);
      items.clear();
      lists[value.index].items.swap(items);  // keeps the storage
      lists.free(value.index);
      return;
    }
  }
}

void Heap::destroy_timer(std::uint32_t index) {
  const TimerObject& timer = timers[index];
  const Callback callback = callback_of(timer);
  const std::uint32_t promise = extra(timer).promise;
  if (timer.extra != kNone) timer_extras.free(timer.extra);
  timers.free(index);
  release(callback);
  release_promise(promise);
}

void Heap::destroy_immediate(std::uint32_t index) {
  ImmediateObject& immediate = immediates[index];
  const Callback callback = immediate.callback;
  immediate.callback = {};
  const std::uint32_t promise = immediate.promise;
  immediates.free(index);
  release(callback);
  release_promise(promise);
}

std::uint32_t Heap::make_scope(std::uint32_t parent, std::uint32_t size) {
  const std::uint32_t wanted = size == 0 ? 0 : size_class(size);
  if (size != 0 && free_slots_[wanted].empty()) [[unlikely]]
    make_room(wanted);
  const std::uint32_t index = scopes.make();
  Scope& scope = scopes[index];
  scope.refs = 1;
  scope.parent = parent;
  scope.size = size;
  retain_scope(parent);
  if (size == 0) return index;
  scope.slots = free_slots_[wanted].back();
  free_slots_[wanted].pop_back();
  return index;
}

// A look for cycles costs as much as there is to look at; until the next one as many slots are taken as cost more.
void Heap::make_room(std::uint32_t wanted) {
  std::vector<std::uint32_t>& free = free_slots_[wanted];
  const std::size_t size = std::size_t{1} << wanted;
  if (slot_storage_.size() >= look_at_) {
    const std::size_t until_next = std::max(kLeastSlots, end_cycles(*this) / 4);
    look_at_ = slot_storage_.size() + until_next - std::min(until_next, free.size() * size);
  }
  if (!free.empty()) return;
  free.push_back(static_cast<std::uint32_t>(slot_storage_.size()));
  slot_storage_.resize(slot_storage_.size() + size);
}

void Heap::destroy_scope(std::uint32_t index) {
  do {
    const Scope scope = scopes[index];
    scopes.free(index);
    for (std::uint32_t i = 0; i < scope.size; ++i) {
      const Value value = slot_storage_[scope.slots + i];
      slot_storage_[scope.slots + i] = {};
      release(value);
    }
    if (scope.size != 0) free_slots_[size_class(scope.size)].push_back(scope.slots);
    if (scope_ended_ != nullptr) scope_ended_(scope_listener_, index);
    index = scope.parent;
  } while (index != kNone && one_less(scopes[index].refs) == 0);
}

Value Heap::make_string(std::string text) {
  const std::uint32_t index = strings.make();
  strings[index].refs = 1;
  strings[index].text = std::move(text);
  return Value::object(Tag::string, index);
}

Value Heap::make_error(std::string_view name, std::string_view message, std::string_view code) {
  const std::uint32_t index = errors.make();
  ErrorObject& error = errors[index];
  error.refs = 1;
  error.name = name;
  error.message = message;
  error.code = code;
  error.tells_code = false;
  return Value::object(Tag::error, index);
}

Value Heap::make_foreign(std::uint64_t value) {
  const std::uint32_t index = foreigns.make();
  foreigns[index].refs = 1;
  foreigns[index].value = value;
  return Value::object(Tag::foreign, index);
}

std::uint32_t Heap::make_list() {
  const std::uint32_t index = lists.make();
  lists[index].refs = 1;
  return index;
}

void Heap::free_reaction(std::uint32_t index) {
  const Reaction& reaction = reactions[index];
  if (reaction.fulfilled.place != kNone) release(reaction.fulfilled);
  if (reaction.rejected.place != kNone) release(reaction.rejected);
  release(reaction.value);
  release_promise(reaction.derived);
  if (reaction.aggregate != kNone) release_aggregate(reaction.aggregate);
  if (reaction.coroutine != kNone) free_coroutine(reaction.coroutine);
  reactions.free(index);
}

void Heap::release_aggregate(std::uint32_t index) {
  Aggregate& aggregate = aggregates[index];
  if (one_less(aggregate.refs) != 0) return;
  const std::uint32_t promise = aggregate.promise;
  const std::uint32_t list = aggregate.list;
  aggregates.free(index);
  release_promise(promise);
  release(Value::object(Tag::list, list));
}

void Heap::free_coroutine(std::uint32_t index) {
  const Coroutine coroutine = coroutines[index];
  coroutines.free(index);
  release_scope(coroutine.scope);
  release_promise(coroutine.promise);
}

}  // namespace loopsim::node

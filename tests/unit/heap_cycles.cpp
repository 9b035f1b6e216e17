// What only refers to itself is ended, and nothing else is. Scopes, emitters, timers and promises are made here as the engine makes
// them for closures; the numbers of those alive are the test.
#include <cstdint>

#include <catch2/catch.hpp>

#include "sim/node/cycles.hpp"
#include "sim/node/heap.hpp"

namespace loopsim::node {
namespace {

// const x = ...; in a scope of its own: what is in it, and a callback that closes over it.
class Closures {
 public:
  std::uint32_t make_scope(const Value& value) {
    const std::uint32_t scope = heap.make_scope(kNone, 2);
    heap.slot(scope, 0, 0) = value;
    return scope;
  }
  Callback closure(std::uint32_t scope) {
    heap.retain_scope(scope);
    return {.place = 0, .context = scope};
  }

  // const socket = ...; socket.on('data', () => socket.end());
  std::uint32_t make_listening_emitter() {
    const std::uint32_t emitter = heap.emitters.make();
    heap.emitters[emitter].refs = 1;
    const std::uint32_t scope = make_scope(Value::object(Tag::emitter, emitter));
    Listener listener;
    listener.callback = closure(scope);
    heap.emitters[emitter].events.push_back({0, {listener}});
    heap.release_scope(scope);
    return emitter;
  }

  Heap heap;
};

TEST_CASE("an emitter and the closure that listens to it are ended together", "[heap]") {
  Closures made;
  made.make_listening_emitter();
  made.make_listening_emitter();
  REQUIRE(made.heap.emitters.live() == 2);
  end_cycles(made.heap);
  CHECK(made.heap.emitters.live() == 0);
  CHECK(made.heap.scopes.live() == 0);
}

TEST_CASE("what a reference from outside holds stays, with all that it refers to", "[heap]") {
  Closures made;
  const std::uint32_t held = made.make_listening_emitter();
  made.heap.retain(Value::object(Tag::emitter, held));  // as a socket's handle does
  made.make_listening_emitter();
  end_cycles(made.heap);
  CHECK(made.heap.emitters.live() == 1);
  CHECK(made.heap.scopes.live() == 1);
  CHECK(made.heap.emitters[held].events.size() == 1);

  made.heap.release(Value::object(Tag::emitter, held));
  CHECK(made.heap.emitters.live() == 1);
  end_cycles(made.heap);
  CHECK(made.heap.emitters.live() == 0);
}

TEST_CASE("a scope inside a cycle keeps the one around it only while it lives", "[heap]") {
  Closures made;
  const std::uint32_t outer = made.make_scope({});
  const std::uint32_t emitter = made.heap.emitters.make();
  made.heap.emitters[emitter].refs = 1;
  const std::uint32_t inner = made.heap.make_scope(outer, 1);
  made.heap.slot(inner, 1, 0) = Value::object(Tag::emitter, emitter);  // in the outer one
  Listener listener;
  listener.callback = made.closure(inner);
  made.heap.emitters[emitter].events.push_back({0, {listener}});

  SECTION("the outer one is held") {
    made.heap.release_scope(inner);
    end_cycles(made.heap);
    CHECK(made.heap.scopes.live() == 2);
    CHECK(made.heap.emitters.live() == 1);
  }
  SECTION("the inner one is held") {
    made.heap.release_scope(outer);
    end_cycles(made.heap);
    CHECK(made.heap.scopes.live() == 2);
    CHECK(made.heap.emitters.live() == 1);
  }
  SECTION("neither is") {
    made.heap.release_scope(inner);
    made.heap.release_scope(outer);
    end_cycles(made.heap);
    CHECK(made.heap.scopes.live() == 0);
    CHECK(made.heap.emitters.live() == 0);
  }
}

TEST_CASE("a timer whose callback knows it is ended when it is in no list", "[heap]") {
  Closures made;
  const std::uint32_t timer = made.heap.timers.make();
  made.heap.timers[timer].refs = 2;  // a variable's and a list's
  const std::uint32_t scope = made.make_scope(Value::object(Tag::timer, timer));
  made.heap.timers[timer].context = made.closure(scope).context;
  made.heap.release_scope(scope);
  end_cycles(made.heap);
  REQUIRE(made.heap.timers.live() == 1);
  made.heap.release_timer(timer);  // it has fired
  REQUIRE(made.heap.timers.live() == 1);
  end_cycles(made.heap);
  CHECK(made.heap.timers.live() == 0);
  CHECK(made.heap.scopes.live() == 0);
}

TEST_CASE("a promise that nobody can settle is ended with what waits for it", "[heap]") {
  Closures made;
  const std::uint32_t promise = made.heap.promises.make();
  const std::uint32_t derived = made.heap.promises.make();
  made.heap.promises[promise].refs = 1;
  made.heap.promises[derived].refs = 1;
  const std::uint32_t scope = made.make_scope(Value::object(Tag::promise, promise));
  const std::uint32_t reaction = made.heap.reactions.make();
  made.heap.reactions[reaction].fulfilled = made.closure(scope);
  made.heap.reactions[reaction].derived = derived;
  made.heap.promises[promise].first_reaction = made.heap.promises[promise].last_reaction = reaction;

  SECTION("an async function waits, whose variable is the promise") {
    const std::uint32_t waiting = made.heap.reactions.make();
    const std::uint32_t coroutine = made.heap.coroutines.make();
    made.heap.coroutines[coroutine].scope = made.closure(scope).context;
    made.heap.reactions[waiting].kind = Reaction::Kind::resume;
    made.heap.reactions[waiting].coroutine = coroutine;
    made.heap.reactions[reaction].next = made.heap.promises[promise].last_reaction = waiting;
  }
  SECTION("only a callback") {}
  made.heap.release_scope(scope);
  REQUIRE(made.heap.promises.live() == 2);
  end_cycles(made.heap);
  CHECK(made.heap.promises.live() == 0);
  CHECK(made.heap.reactions.live() == 0);
  CHECK(made.heap.coroutines.live() == 0);
  CHECK(made.heap.scopes.live() == 0);
}

TEST_CASE("a cycle through lists, callbacks' arguments and an immediate is one", "[heap]") {
  Closures made;
  const std::uint32_t list = made.heap.make_list();
  const std::uint32_t immediate = made.heap.immediates.make();
  made.heap.immediates[immediate].refs = 1;
  const std::uint32_t scope = made.make_scope(Value::object(Tag::immediate, immediate));
  made.heap.lists[list].items.push_back(made.heap.make_string("an argument"));
  made.heap.immediates[immediate].callback = made.closure(scope);
  made.heap.immediates[immediate].callback.arguments = list;
  made.heap.slot(scope, 0, 1) = made.heap.copy(Value::object(Tag::list, list));
  made.heap.release_scope(scope);
  end_cycles(made.heap);
  CHECK(made.heap.immediates.live() == 0);
  CHECK(made.heap.lists.live() == 0);
  CHECK(made.heap.strings.live() == 0);
  CHECK(made.heap.scopes.live() == 0);
}

TEST_CASE("the memory of cycles is used again, while what is held stays", "[heap]") {
  Closures made;
  const std::uint32_t held = made.make_listening_emitter();
  made.heap.retain(Value::object(Tag::emitter, held));
  for (int i = 0; i < 1'000'000; ++i) made.make_listening_emitter();
  CHECK(made.heap.emitters.size() < 10'000);
  CHECK(made.heap.scopes.size() < 10'000);
  CHECK(made.heap.emitters[held].events.size() == 1);
}

// The time for a look grows with what stays; so must the time until the next one.
TEST_CASE("many that stay are seldom looked at", "[heap]") {
  Closures made;
  constexpr std::uint32_t kStay = 100'000;
  for (std::uint32_t i = 0; i < kStay; ++i)
    made.heap.retain(Value::object(Tag::emitter, made.make_listening_emitter()));
  const std::size_t in_vain = end_cycles(made.heap);
  CHECK(in_vain > kStay);
  CHECK(in_vain < 20 * kStay);
  CHECK(made.heap.emitters.live() == kStay);
  CHECK(made.heap.scopes.live() == kStay);
}

}  // namespace
}  // namespace loopsim::node

// LOOPSIM_ASSERT: with assertions a fault ends the program and says where; without, it is nothing.
#include <catch2/catch.hpp>

#include "loopsim/assert.hpp"

#include "sim/machine/ring_queue.hpp"
#include "sim/node/heap.hpp"

#ifdef LOOPSIM_ASSERTIONS

#include <array>
#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace loopsim {
namespace {

// What a process says on standard error that does this, and the signal that ended it; 0: it has ended by itself.
template <class F>
std::pair<std::string, int> end_of(F&& fault) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // Catch's handler would report a failed test
    dup2(ends[1], STDERR_FILENO);
    fault();
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 512> buffer{};
  for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) > 0;)
    said.append(buffer.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {said, WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

void check_fault(const std::pair<std::string, int>& end, const std::string& condition) {
  CHECK(end.second == SIGABRT);
  CHECK(end.first.find("loopsim: a fault of the simulator: not so: " + condition + ", in ") == 0);
}

}  // namespace

TEST_CASE("an assertion that does not hold ends the program, and says where", "[assertions]") {
  check_fault(end_of([] { LOOPSIM_ASSERT(1 > 2); }), "1 > 2");
  CHECK(end_of([] { LOOPSIM_ASSERT(2 > 1); }).second == 0);
}

TEST_CASE("an object that is free is not used, nor freed twice", "[assertions]") {
  node::Slab<node::PromiseObject> promises;
  const std::uint32_t one = promises.make();
  promises.free(one);
  check_fault(end_of([&] { ++promises[one].refs; }), "is_alive(index)");
  check_fault(end_of([&] { promises.free(one); }), "is_alive(index)");
  check_fault(end_of([&] { ++promises[one + 1].refs; }), "is_alive(index)");
}

TEST_CASE("a record that is used again while a list names it is told", "[assertions]") {
  node::Slab<node::PromiseObject> promises;
  const auto name = promises.name(promises.make());
  CHECK(promises.index_of(name) == 0);
  promises.free(0);
  check_fault(end_of([&] { return promises.index_of(name); }), "is_alive(name.index)");
  REQUIRE(promises.make() == 0);
  check_fault(end_of([&] { return promises.index_of(name); }), "lives_[name.index].generation == name.generation");
}

TEST_CASE("a reference is not given back twice, and a local stands in its scope", "[assertions]") {
  node::Heap heap;
  const node::Value text = heap.make_string("text");
  heap.release(text);
  check_fault(end_of([&] { heap.release(text); }), "is_alive(index)");
  const std::uint32_t scope = heap.make_scope(kNone, 2);
  CHECK(heap.slot(scope, 0, 1).tag == node::Tag::undefined);
  check_fault(end_of([&] { heap.slot(scope, 0, 2) = {}; }), "slot < scopes[scope].size");
}

TEST_CASE("nothing is taken from an empty queue", "[assertions]") {
  RingQueue<int> queue;
  queue.push(1);
  queue.drop();
  check_fault(end_of([&] { queue.drop(); }), "size_ != 0");
  check_fault(end_of([&] { queue.front() = 2; }), "size_ != 0");
}

TEST_CASE("the text of an event lies in its batch", "[assertions]") {
  Event event;
  event.text_offset = 2;
  event.text_size = 3;
  const EventBatch batch{.events = {}, .text = "1234", .new_names = {}};
  check_fault(end_of([&] { return batch.text_of(event).size(); }),
              "event.text_offset <= text.size() && event.text_size <= text.size() - event.text_offset");
}

}  // namespace loopsim

#else

TEST_CASE("without assertions their conditions are not evaluated", "[assertions]") {
  int evaluated = 0;
  LOOPSIM_ASSERT(++evaluated > 1);
  CHECK(evaluated == 0);
}

TEST_CASE("without assertions a name is an index, and an object has nothing beside it", "[assertions]") {
  CHECK(sizeof(loopsim::node::Slab<loopsim::node::PromiseObject>::Name) == sizeof(std::uint32_t));
}

#endif

// A libuv loop on its own machine, without Node, for tests of the loop itself. The handles belong to the fixture, their
// callbacks are std::functions, and noted times are loop times.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "sim/uv/loop.hpp"
#include "sim/uv/profiles.hpp"

namespace loopsim::testing {

class LoopOnMachine {
 public:
  explicit LoopOnMachine(const LibuvProfile& profile, std::uint32_t threads = 4)
      : machine_(spec_, threads, 1, kNever, kNever, position_, tracer_),
        pool_(machine_, threads, profile.slow_io_limit),
        loop(profile, machine_, pool_, position_, tracer_) {
    uv::Host host;
    host.self = this;
    host.on_completed = [](void* self, const uv::Completed& done) {
      static_cast<LoopOnMachine*>(self)->on_completed_.at(done.request)();
    };
    host.on_pending = [](void* self, std::uint32_t data) {
      static_cast<LoopOnMachine*>(self)->tell("pending" + std::to_string(data));
    };
    host.on_close = [](void* self, std::uint32_t data) {
      static_cast<LoopOnMachine*>(self)->tell("close" + std::to_string(data));
    };
    host.on_timer_closed = [](void* self, uv::Timer& timer) {
      static_cast<LoopOnMachine*>(self)->tell("close " + static_cast<LoopOnMachine*>(self)->timer_names_[timer.owner]);
    };
    host.watched_for = [](void* self, std::uint32_t data) {
      return static_cast<LoopOnMachine*>(self)->descriptors_.at(data).watched_for;
    };
    host.state = [](void* self, std::uint32_t data) {
      return static_cast<LoopOnMachine*>(self)->descriptors_.at(data).state;
    };
    host.on_io = [](void* self, std::uint32_t data, std::uint8_t) {
      auto& test = *static_cast<LoopOnMachine*>(self);
      const Descriptor& descriptor = test.descriptors_.at(data);
      test.tell(descriptor.name + "@" + std::to_string(test.loop.now()));
      if (descriptor.called) descriptor.called();
    };
    host.on_outside = [](void* self, const FutureEvent& event) {
      auto& test = *static_cast<LoopOnMachine*>(self);
      test.descriptors_.at(event.data).state |= uv::IoEvents::in;
      test.loop.report_ready(event.data);
    };
    host.pay = [](void*, Cost) {};
    host.stopping = [](void*) { return false; };
    host.timer_id = [](void*, const uv::Timer&) -> std::uint64_t { return 0; };
    loop.set_host(host);
    loop.update_time();
  }

  using OnTimer = std::function<void(uv::Timer&)>;
  using OnHandle = std::function<void(uv::Handle&)>;

  // Notes "name@time" before it calls `callback`.
  uv::Timer& timer(const std::string& name, OnTimer callback = {}) {
    uv::Timer& timer = timers_.emplace_back();
    timer.owner = static_cast<std::uint32_t>(timer_names_.size());
    timer_names_.push_back(name);
    timer_callbacks_.push_back(std::move(callback));
    timer.callback = [](void* self, uv::Timer& it) {
      auto& test = *static_cast<LoopOnMachine*>(self);
      test.tell(test.timer_names_[it.owner] + "@" + std::to_string(test.loop.now()));
      if (const OnTimer called = test.timer_callbacks_[it.owner]) called(it);
    };
    return timer;
  }

  // An idle, prepare or check handle: notes "name".
  uv::Handle& handle(const std::string& name, OnHandle callback = {}) {
    NamedHandle& handle = handles_.emplace_back();
    handle.name = name;
    handle.called = std::move(callback);
    handle.callback = [](void* self, uv::Handle& it) {
      auto& named = static_cast<NamedHandle&>(it);
      static_cast<LoopOnMachine*>(self)->tell(named.name);
      if (const OnHandle called = named.called) called(it);
    };
    return handle;
  }

  // Work of the pool: notes "name@time" on completion.
  void work(const std::string& name, TimeNs duration, std::function<void()> callback = {}) {
    const auto request = static_cast<std::uint32_t>(on_completed_.size());
    on_completed_.push_back([this, name, called = std::move(callback)] {
      tell(name + "@" + std::to_string(loop.now()));
      if (called) called();
    });
    loop.submit_work({request, duration, false, false, request});
  }

  // A descriptor, writable from the start and readable after gets_data(): notes "name@time" on a watched event.
  std::uint32_t descriptor(const std::string& name, std::uint8_t events, std::function<void()> callback = {}) {
    const auto data = static_cast<std::uint32_t>(descriptors_.size());
    descriptors_.push_back({name, events, uv::IoEvents::out, std::move(callback)});
    loop.watch(data);
    return data;
  }
  void stop_watching(std::uint32_t data) {
    descriptors_.at(data).watched_for = 0;
    loop.stop_watching(data);
  }
  void gets_data(std::uint32_t data, TimeNs at) { machine_.schedule({at, 0, FutureEvent::Kind::outside, data}); }

  void compute(TimeNs amount) { machine_.cpu(amount); }
  void tell(std::string what) { told.push_back(std::move(what)); }

  std::vector<std::string> told;

 private:
  struct NamedHandle : uv::Handle {
    std::string name;
    OnHandle called;
  };

  struct Descriptor {
    std::string name;
    std::uint8_t watched_for, state;
    std::function<void()> called;
  };

  MachineSpec spec_;
  Position position_;
  Tracer tracer_{position_, {}};
  Machine machine_;
  ThreadPool pool_;
  std::deque<uv::Timer> timers_;
  std::vector<std::string> timer_names_;
  std::vector<OnTimer> timer_callbacks_;
  std::deque<NamedHandle> handles_;
  std::vector<std::function<void()>> on_completed_;
  std::vector<Descriptor> descriptors_;

 public:
  uv::Loop loop;  // last: it refers to the others
};

}  // namespace loopsim::testing

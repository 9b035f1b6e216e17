// The events of a process and its kernel. Nothing is formatted or built without a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "loopsim/io.hpp"

#include "sim/trace/descriptors.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim::io {

// A message, or the part of one, that a read has taken.
struct Taken {
  TimeNs at = 0;
  std::uint64_t number = 0;  // at its socket, from 1
};

[[nodiscard]] constexpr std::uint32_t descriptor_of(std::uint32_t socket) { return kFirstSocket + socket; }

class Teller {
 public:
  explicit Teller(Tracer& tracer) : tracer_(tracer) {}

  [[nodiscard]] bool on() const { return tracer_.on(); }

  void enters(std::uint32_t thread, SysCall call, std::uint64_t id, std::string_view arguments) {
    if (!on()) return;
    Event& event = tracer_.add_text(EventKind::syscall, arguments);
    event.detail = static_cast<std::uint8_t>(call);
    event.by = thread;
    event.id = id;
  }
  void enters(std::uint32_t thread, SysCall call, std::uint64_t id, std::uint32_t socket) {
    if (on()) enters(thread, call, id, number(descriptor_of(socket)));
  }
  // `blocked` 0: it was not.
  void returns(std::uint32_t thread, SysCall call, std::uint64_t id, std::string_view result, TimeNs took,
               TimeNs blocked, bool vain) {
    if (!on()) return;
    Event& event = tracer_.add_text(EventKind::sysret, result);
    event.detail = static_cast<std::uint8_t>(call);
    event.by = thread;
    event.id = id;
    event.a = took;
    event.b = blocked > 0 ? blocked : -1;
    event.detail2 = vain ? 1 : 0;
  }
  void spins(SysCall call, std::string_view arguments, std::int64_t rounds, std::int64_t calls, TimeNs until) {
    if (!on()) return;
    Event& event = tracer_.add_text(EventKind::spin, arguments);
    event.detail = static_cast<std::uint8_t>(call);
    event.a = rounds;
    event.b = calls;
    event.c = until;
  }
  // `id`: the call in which it is, or was, blocked.
  Event* state(std::uint32_t thread, ProcessState state, std::uint64_t id = 0) {
    if (!on()) return nullptr;
    Event& event = tracer_.add(EventKind::state);
    event.detail = static_cast<std::uint8_t>(state);
    event.by = thread;
    event.id = id;
    event.a = event.b = event.c = -1;
    return &event;
  }
  void arrives(std::uint32_t socket, std::uint32_t bytes, std::uint64_t message) {
    if (!on()) return;
    Event& event = of_socket(EventKind::arrive, socket);
    event.a = descriptor_of(socket);
    event.b = bytes;
    event.id = message;
  }
  void ends(std::uint32_t socket) {
    if (!on()) return;
    Event& event = of_socket(EventKind::arrive, socket);
    event.a = descriptor_of(socket);
    event.b = -1;
  }
  void copies(std::uint32_t thread, std::uint32_t socket, std::uint32_t bytes, TimeNs takes, std::uint64_t id,
              bool is_cut) {
    if (!on()) return;
    Event& event = of_socket(EventKind::copy, socket);
    event.by = thread;
    event.a = descriptor_of(socket);
    event.b = bytes;
    event.c = takes;
    event.id = id;
    event.detail2 = is_cut ? 1 : 0;
  }
  void wakes(std::uint32_t thread, std::uint32_t socket) {
    if (!on()) return;
    Event& event = tracer_.add(EventKind::wake);
    event.by = thread;
    event.a = descriptor_of(socket);
  }
  void signal(IoSignal signal, SignalStep step, std::int64_t fd) {
    if (!on()) return;
    Event& event = tracer_.add(EventKind::signal);
    event.detail = static_cast<std::uint8_t>(signal);
    event.detail2 = static_cast<std::uint8_t>(step);
    event.a = fd;
  }
  void completion(EventKind kind, std::uint32_t socket, std::uint32_t bytes) {
    if (!on()) return;
    Event& event = of_socket(kind, socket);
    event.a = descriptor_of(socket);
    event.b = bytes;
  }
  // EventKind::message or served, of each: `now` is when.
  void messages(EventKind kind, std::uint32_t thread, std::uint32_t socket, std::span<const Taken> taken, TimeNs now) {
    if (!on()) return;
    for (const Taken& one : taken) {
      Event& event = of_socket(kind, socket);
      event.by = thread;
      event.id = one.number;
      event.a = one.at;
      event.b = now - one.at;
      event.c = descriptor_of(socket);
    }
  }

  // Texts, valid until the next one.
  std::string_view number(std::int64_t value) {
    text_.clear();
    fmt::format_to(std::back_inserter(text_), "{}", value);
    return {text_.data(), text_.size()};
  }
  template <typename... Values>
  std::string_view text(fmt::format_string<Values...> format, Values&&... values) {
    text_.clear();
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    return {text_.data(), text_.size()};
  }
  // "3,4,5; 0": descriptors, and whether the call waits.
  template <typename At>
  std::string_view list(std::size_t count, At&& at, bool waits) {
    text_.clear();
    put_descriptors(text_, count, ',', at);
    if (!waits) text_.append(std::string_view("; 0"));
    return {text_.data(), text_.size()};
  }
  // "2 [4 5]".
  std::string_view found(std::span<const std::uint32_t> sockets) {
    text_.clear();
    fmt::format_to(std::back_inserter(text_), "{}", sockets.size());
    if (sockets.empty()) return {text_.data(), text_.size()};
    text_.append(std::string_view(" ["));
    put_descriptors(text_, sockets.size(), ' ', [&](std::size_t i) { return descriptor_of(sockets[i]); });
    text_.push_back(']');
    return {text_.data(), text_.size()};
  }

 private:
  Event& of_socket(EventKind kind, std::uint32_t socket) {
    Event& event = tracer_.add(kind);
    event.name = socket;  // names of sockets are the first ones
    return event;
  }

  Tracer& tracer_;
  fmt::memory_buffer text_;
};

}  // namespace loopsim::io

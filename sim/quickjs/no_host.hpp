// The host of a world that runs no program: there are no functions of ours, no clock, no randomness and no modules.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "sim/quickjs/instance.hpp"

namespace loopsim::quickjs {

class NoHost final : public Host {  // NOLINT(cppcoreguidelines-virtual-class-destructor): final
 public:
  Owned call(std::uint32_t, Js, std::span<const Js>) override {
    if (on_call) on_call();
    return kUndefined;
  }
  void enqueue_job(std::uint32_t, std::span<const Js>) override {}
  void reacts(Js, Js, Js, Js) override {}
  void settles(Js, bool, Js) override {}
  void resolves_again(Js, bool, Js) override {}
  bool end_awaits() override { return false; }
  void makes_promise(Js, Js) override {}
  bool await_wraps(Js) override { return false; }
  bool closes_sync_iterators() override { return false; }
  bool yield_star_awaits() override { return false; }
  bool rejects_importers_last() override { return false; }
  void rejection(Js, Js, bool) override {}
  bool interrupt() override {
    if (on_interrupt) on_interrupt();
    return false;
  }
  bool works(std::uint32_t) override { return true; }
  void stops_at_work() override {}
  std::int64_t read_clock(bool) override { return 0; }
  void random(std::span<std::uint8_t> bytes) override {
    for (std::uint8_t& byte : bytes) byte = 0;
  }
  std::optional<std::string> normalize_module(const std::string&, const std::string&) override { return std::nullopt; }
  std::optional<std::string> load_module(const std::string&) override { return std::nullopt; }
  void collected(std::uint32_t) override {}
  std::uint32_t statement(std::uint32_t, bool) override { return 0; }
  std::uint32_t position(std::uint32_t, std::uint32_t, std::uint32_t) override { return 0; }
  void instruction(std::uint32_t, std::uint32_t) override {}

  std::function<void()> on_call;  // of a function of the host
  std::function<void()> on_interrupt;
};

}  // namespace loopsim::quickjs

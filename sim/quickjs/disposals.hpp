// `await using`: how often the end of its block waits (ECMAScript, DisposeResources). QuickJS's compiler has an await
// behind each resource of the block, and keeps no note of which were declared by `await using`; V8 waits behind those
// alone, and once for all that are null. What is told here is every instruction of the kinds that this is about
// (Instance::watch_disposals()), before it runs.
#pragma once

#include <cstdint>
#include <map>

#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/layout.hpp"

namespace loopsim::quickjs {

class Disposals {
 public:
  explicit Disposals(Instance& world) : world_(world) {}
  // What runs in place of the instruction at pc; `sp`: where the stack of values ends.
  layout::Op instruction(std::uint32_t pc, std::uint32_t sp);

 private:
  enum class Kind : std::uint8_t { none, null, sync, async };
  struct Frame {
    std::map<std::uint32_t, bool> is_async;  // by variable: how it was declared
    bool needs_await = false, has_awaited = false;
    std::uint32_t next = 0;   // the disposal that goes on with these
    std::uint32_t await = 0;  // the await that is about to run
    bool is_skipped = false;  // it does not wait
    std::uint32_t late =
        0;  // the drop behind an await that a resource waited for that is none to wait for: it is disposed of there
    std::uint32_t variable = 0;  // that one
  };
  void declare(Frame& frame, std::uint32_t pc, std::uint32_t sp);
  layout::Op dispose(Frame& frame, std::uint32_t at, std::uint32_t pc);
  void dispose_late(const Frame& frame, std::uint32_t at, std::uint32_t sp);
  Kind kind_of(const Frame& frame, std::uint32_t at, std::uint32_t variable);
  [[nodiscard]] std::uint32_t next_disposal(std::uint32_t await);  // 0: that was the last one
  Js variable(std::uint32_t frame, std::uint32_t index);
  template <typename T>
  T load(std::uint32_t at);

  Instance& world_;
  std::map<std::uint32_t, Frame> frames_;  // by their place
  int late_ = 0;                           // how many wait for a drop
};

}  // namespace loopsim::quickjs

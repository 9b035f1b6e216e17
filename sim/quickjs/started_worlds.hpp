// The worlds in which Node has started, of a thread's last programs: a study runs the same one thousands of times.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/quickjs/instance.hpp"

namespace loopsim::quickjs {

// A script that has been compiled, and nothing else has happened in that world.
struct CompiledScript {
  std::string source;
  Js wrapper = kUndefined;
  std::uint32_t file = 0;
  std::uint64_t paid_jumps = 0;
  Instance::Interpreter interpreter;
};

struct StartedWorld {
  std::string key;        // all that its start depends on
  Instance::Saved world;  // its memory is null until it was saved
  std::vector<Js> kept;   // values that the engine has of it
  std::shared_ptr<Instance::Pool> pool;
  std::optional<CompiledScript> compiled;  // where the pool's worlds may go on
  std::uint32_t file = 0;                  // the script's name; 0: it has none yet
  int starts = 0;                          // that were not kept
};

class StartedWorlds {
 public:
  static StartedWorlds& of_thread();
  // Null: none. Valid until add().
  [[nodiscard]] StartedWorld* find(std::string_view key);
  // The one that was asked for last. Null: none.
  [[nodiscard]] const StartedWorld* newest() const { return worlds_.empty() ? nullptr : &worlds_.front(); }
  // One that is not saved yet. The one that was not asked for the longest gives way.
  StartedWorld& add(std::string key);

 private:
  // A comparison of two versions has two in turn. Each takes the pages that its start and its runs have written; where it is copied,
  // the memory of a world (some 9 MB).
  static constexpr std::size_t kMost = 2;
  std::list<StartedWorld> worlds_;  // the last one that was asked for is the first
};

}  // namespace loopsim::quickjs

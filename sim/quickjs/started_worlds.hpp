// The worlds in which Node has started, of a thread's last programs: a study runs the same one thousands of times.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/quickjs/instance.hpp"

namespace loopsim::quickjs {

struct StartedWorld {
  std::string key;        // all that its start depends on
  Instance::Saved world;  // its memory is null until it was saved
  std::vector<Js> kept;   // values that the engine has of it
  std::shared_ptr<Instance::Pool> pool;
  std::uint32_t file = 0;
  bool was_again = false;  // a second time
};

class StartedWorlds {
 public:
  static StartedWorlds& of_thread();
  // Null: none. Valid until add().
  [[nodiscard]] StartedWorld* find(std::string_view key);
  // One that is not saved yet. The one that was not asked for the longest gives way.
  StartedWorld& add(std::string key);

 private:
  // A comparison of two versions has two in turn. Each takes the memory of a world (some 9 MB).
  static constexpr std::size_t kMost = 2;
  std::list<StartedWorld> worlds_;  // the last one that was asked for is the first
};

}  // namespace loopsim::quickjs

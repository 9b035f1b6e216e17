#include "sim/quickjs/started_worlds.hpp"

#include <algorithm>
#include <utility>

namespace loopsim::quickjs {

StartedWorlds& StartedWorlds::of_thread() {
  static thread_local StartedWorlds worlds;
  return worlds;
}

StartedWorld* StartedWorlds::find(std::string_view key) {
  const auto found = std::ranges::find(worlds_, key, &StartedWorld::key);
  if (found == worlds_.end()) return nullptr;
  worlds_.splice(worlds_.begin(), worlds_, found);
  return &worlds_.front();
}

StartedWorld& StartedWorlds::add(std::string key) {
  if (worlds_.size() == kMost) worlds_.pop_back();
  worlds_.push_front({.key = std::move(key), .world = {}, .kept = {}, .pool = Instance::make_pool(), .compiled = {}});
  return worlds_.front();
}

}  // namespace loopsim::quickjs

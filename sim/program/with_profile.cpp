#include "loopsim/simulator.hpp"

#include "sim/program/program.hpp"

namespace loopsim {

std::shared_ptr<const Program> with_profile(const Program& program, const Profile& profile) {
  auto copy = std::make_shared<Program>(program);
  copy->own_profile = std::make_shared<const Profile>(profile);
  copy->profile = copy->own_profile.get();
  return copy;
}

}  // namespace loopsim

#include "sim/uv/profiles.hpp"

#include <algorithm>

namespace loopsim {

namespace {
constexpr LibuvProfile kProfiles[] = {uv::k1_9,  uv::k1_16, uv::k1_23, uv::k1_27, uv::k1_34, uv::k1_40,
                                      uv::k1_42, uv::k1_43, uv::k1_44, uv::k1_46, uv::k1_51, uv::k1_52};
}

std::span<const LibuvProfile> libuv_profiles() { return kProfiles; }

const LibuvProfile* find_libuv(std::string_view version) {
  const auto found = std::ranges::find(kProfiles, version, &LibuvProfile::version);
  return found == std::end(kProfiles) ? nullptr : found;
}

}  // namespace loopsim

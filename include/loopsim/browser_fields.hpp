// The fields of a browser's profile, as profile_fields() has those of Node's.
#pragma once

#include <span>

#include "loopsim/profile.hpp"

namespace loopsim {

// All fields of BrowserProfile, in its order. The meanings are those of docs/browser.md; the functions take profiles of
// Family::browser.
[[nodiscard]] std::span<const ProfileField> browser_fields();

}  // namespace loopsim

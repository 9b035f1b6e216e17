// PBKDF2 (RFC 8018, 5.2) with HMAC over SHA-1, SHA-256 and SHA-512 (FIPS 180-4, RFC 2104): as fast as a program that
// derives keys expects it, which the library's own JavaScript is not (a millisecond an iteration).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace loopsim::quickjs {

struct Pbkdf2 {
  std::string_view digest;  // sha1, sha256 or sha512
  std::string_view password, salt;
  std::uint32_t iterations = 1;   // at least 1
  std::uint32_t length = 0;       // bytes
  std::function<bool()> goes_on;  // asked every 1,000 iterations: false ends it
};

// The key. Nothing: there is no such digest here, or it was ended.
std::optional<std::string> derive(const Pbkdf2& what);

}  // namespace loopsim::quickjs

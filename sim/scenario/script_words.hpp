// What of a JavaScript program's work a scenario can give times to: for the reader and the schema.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace loopsim {

inline constexpr std::array<std::string_view, 23> kFileRequests = {
    "access",  "chmod", "close",   "copyFile", "fsync",   "link",     "lstat",    "mkdir",
    "mkdtemp", "open",  "opendir", "read",     "readdir", "readlink", "realpath", "rename",
    "rmdir",   "stat",  "symlink", "truncate", "unlink",  "utimes",   "write"};
inline constexpr std::array<std::string_view, 4> kDnsWork = {"lookup", "lookupService", "resolve", "reverse"};
inline constexpr std::array<std::string_view, 8> kCryptoWork = {
    "generateKey", "generateKeyPair", "hkdf", "pbkdf2", "randomBytes", "randomFill", "randomInt", "scrypt"};
inline constexpr std::array<std::string_view, 9> kZlibWork = {
    "brotliCompress", "brotliDecompress", "deflate", "deflateRaw", "gunzip", "gzip", "inflate", "inflateRaw", "unzip"};

// "fs.read", "dns.lookup" ...
inline std::vector<std::string> script_work() {
  std::vector<std::string> all;
  const auto add = [&all](std::string_view module, const auto& operations) {
    for (const std::string_view operation : operations)
      all.push_back(std::string(module) + "." + std::string(operation));
  };
  add("fs", kFileRequests);
  add("dns", kDnsWork);
  add("crypto", kCryptoWork);
  add("zlib", kZlibWork);
  return all;
}

}  // namespace loopsim

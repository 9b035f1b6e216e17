#include "tools/loopsim/wasm/named_file.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace loopsim::cli {

std::string named_file(const char* variable) {
  const char* const path = std::getenv(variable);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(path == nullptr ? nullptr : std::fopen(path, "rb"), std::fclose);
  std::string text;
  if (file == nullptr) return text;
  char piece[1U << 16U];
  while (const std::size_t count = std::fread(piece, 1, sizeof piece, file.get())) text.append(piece, count);
  return text;
}

}  // namespace loopsim::cli

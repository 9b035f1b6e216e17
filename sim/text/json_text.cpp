#include <array>
#include <cstdint>
#include <cstring>

#include "loopsim/text.hpp"

namespace loopsim {
namespace {

// The character after the backslash; 0: no escape, 'u': \u00xx.
using Escapes = std::array<char, 256>;

constexpr Escapes escapes_of(JsonEscapes kind) {
  Escapes escapes{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) escapes[byte] = 'u';
  escapes['\n'] = 'n';
  escapes['\t'] = 't';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  if (kind == JsonEscapes::few) return escapes;
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\r'] = 'r';
  return escapes;
}

constexpr Escapes kShortest = escapes_of(JsonEscapes::shortest);
constexpr Escapes kFew = escapes_of(JsonEscapes::few);

constexpr std::uint64_t repeat(std::uint64_t byte) { return byte * 0x0101010101010101U; }

// True if one of the eight bytes needs an escape. Conservative: false positives are possible, false negatives are not.
bool may_need_escape(std::uint64_t bytes) {
  const auto has_zero = [](std::uint64_t v) { return (v - repeat(0x01)) & ~v & repeat(0x80); };
  const std::uint64_t control = (bytes - repeat(0x20)) & ~bytes & repeat(0x80);
  return (control | has_zero(bytes ^ repeat('"')) | has_zero(bytes ^ repeat('\\'))) != 0;
}

template <const Escapes& kEscapes>
char* write_escaped(char* out, unsigned char byte) {
  const char escape = kEscapes[byte];
  if (escape == 0) {
    *out++ = static_cast<char>(byte);
    return out;
  }
  *out++ = '\\';
  *out++ = escape;
  if (escape != 'u') return out;
  constexpr std::string_view kDigits = "0123456789abcdef";
  *out++ = '0';
  *out++ = '0';
  *out++ = kDigits[byte >> 4];
  *out++ = kDigits[byte & 0x0f];
  return out;
}

template <const Escapes& kEscapes>
char* write_string(char* out, std::string_view text) {
  *out++ = '"';
  const char* in = text.data();
  const char* const end = in + text.size();
  while (end - in >= 8) {  // eight plain bytes at a time
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, in, 8);
    if (may_need_escape(bytes)) {
      for (int i = 0; i < 8; ++i) out = write_escaped<kEscapes>(out, static_cast<unsigned char>(*in++));
    } else {
      std::memcpy(out, &bytes, 8);
      out += 8;
      in += 8;
    }
  }
  while (in != end) out = write_escaped<kEscapes>(out, static_cast<unsigned char>(*in++));
  *out++ = '"';
  return out;
}

}  // namespace

char* write_json_string(char* out, std::string_view text) { return write_string<kShortest>(out, text); }

std::string json_string(std::string_view text, JsonEscapes escapes) {
  std::string json(json_string_bound(text.size()), '\0');
  const bool is_few = escapes == JsonEscapes::few;
  const char* const end = is_few ? write_string<kFew>(json.data(), text) : write_string<kShortest>(json.data(), text);
  json.resize(static_cast<std::size_t>(end - json.data()));
  return json;
}

}  // namespace loopsim

// The encoding of Protocol Buffers, as far as a writer needs it: a message is a string of fields, each with its number, and a message in
// a message is a string of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/varint.hpp"

namespace loopsim::protobuf {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2 };

inline void put_tag(std::string& message, std::uint32_t field, WireType type) {
  append_varint(message, std::uint64_t{field} << 3U | static_cast<std::uint64_t>(type));
}

inline void put_number(std::string& message, std::uint32_t field, std::uint64_t value) {
  put_tag(message, field, WireType::varint);
  append_varint(message, value);
}

// int32 and int64: two's complement in 64 bits.
inline void put_integer(std::string& message, std::uint32_t field, std::int64_t value) {
  put_number(message, field, static_cast<std::uint64_t>(value));
}

inline void put_fixed(std::string& message, std::uint32_t field, std::uint64_t value) {
  put_tag(message, field, WireType::fixed64);
  for (unsigned shift = 0; shift < 64U; shift += 8U) {
    message += static_cast<char>(static_cast<unsigned char>(value >> shift & 0xffU));
  }
}

// A text, or a message.
inline void put_bytes(std::string& message, std::uint32_t field, std::string_view bytes) {
  put_tag(message, field, WireType::bytes);
  append_varint(message, bytes.size());
  message += bytes;
}

}  // namespace loopsim::protobuf

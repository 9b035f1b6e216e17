#include "sim/quickjs/pbkdf2.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <type_traits>

namespace loopsim::quickjs {

namespace {

// The first 64 bits of the fractional parts of the roots of the first primes; SHA-256 takes 32 of them.
constexpr std::array<std::uint64_t, 80> kCubeRoots = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};
constexpr std::array<std::uint64_t, 8> kSquareRoots = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                                       0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                                       0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

template <typename Word, std::size_t kWords>
using Block = std::array<Word, kWords>;

template <typename Word>
Word choose(Word x, Word y, Word z) {
  return (x & y) ^ (~x & z);
}
template <typename Word>
Word majority(Word x, Word y, Word z) {
  return (x & y) ^ (x & z) ^ (y & z);
}

struct Sha1 {
  using Word = std::uint32_t;
  static constexpr std::size_t kOutput = 20;
  using State = std::array<Word, 5>;
  static constexpr State kStart = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  static void compress(State& state, const Block<Word, 16>& block) {
    std::array<Word, 80> w{};
    std::ranges::copy(block, w.begin());
    for (std::size_t t = 16; t < w.size(); ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    auto [a, b, c, d, e] = state;
    for (std::size_t t = 0; t < w.size(); ++t) {
      const Word f = t < 20 ? choose(b, c, d) : t >= 40 && t < 60 ? majority(b, c, d) : b ^ c ^ d;
      const Word k = t < 20 ? 0x5a827999U : t < 40 ? 0x6ed9eba1U : t < 60 ? 0x8f1bbcdcU : 0xca62c1d6U;
      const Word next = std::rotl(a, 5) + f + e + k + w[t];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    const State added = {a, b, c, d, e};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
  }
};

// The first bits of each root, as many as a word has.
template <typename Word, std::size_t kCount>
constexpr std::array<Word, kCount> tops(std::span<const std::uint64_t> roots) {
  std::array<Word, kCount> found{};
  for (std::size_t i = 0; i < kCount; ++i) found[i] = static_cast<Word>(roots[i] >> (64 - 8 * sizeof(Word)));
  return found;
}

// SHA-256 and SHA-512, which differ in their words, rounds and rotations.
template <typename W, std::size_t kRounds, std::array<int, 12> kBy>
struct Sha2 {
  using Word = W;
  static constexpr std::size_t kOutput = 8 * sizeof(Word);
  using State = std::array<Word, 8>;
  static constexpr State kStart = tops<Word, 8>(kSquareRoots);
  static constexpr std::array<Word, kRounds> kConstants = tops<Word, kRounds>(kCubeRoots);
  static Word turned(Word x, std::size_t by) { return std::rotr(x, kBy[by]) ^ std::rotr(x, kBy[by + 1]); }
  static void compress(State& state, const Block<Word, 16>& block) {
    std::array<Word, kRounds> w{};
    std::ranges::copy(block, w.begin());
    for (std::size_t t = 16; t < kRounds; ++t)
      w[t] = (turned(w[t - 2], 9) ^ w[t - 2] >> kBy[11]) + w[t - 7] + (turned(w[t - 15], 6) ^ w[t - 15] >> kBy[8]) +
             w[t - 16];
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < kRounds; ++t) {
      const Word first = h + (turned(e, 3) ^ std::rotr(e, kBy[5])) + choose(e, f, g) + kConstants[t] + w[t];
      const Word second = (turned(a, 0) ^ std::rotr(a, kBy[2])) + majority(a, b, c);
      h = g;
      g = f;
      f = e;
      e = d + first;
      d = c;
      c = b;
      b = a;
      a = first + second;
    }
    const State added = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
  }
};
using Sha256 = Sha2<std::uint32_t, 64, std::array<int, 12>{2, 13, 22, 6, 11, 25, 7, 18, 3, 17, 19, 10}>;
using Sha512 = Sha2<std::uint64_t, 80, std::array<int, 12>{28, 34, 39, 14, 18, 41, 1, 8, 7, 19, 61, 6}>;

// What is hashed block by block; `state` may be that behind a first block.
template <typename Hash>
class Hashing {
 public:
  using Word = typename Hash::Word;
  static constexpr std::size_t kBlock = 16 * sizeof(Word);
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      Word& word = block_[used_ / sizeof(Word)];
      word = static_cast<Word>(word << 8U | static_cast<std::uint8_t>(byte));
      if (++used_ == kBlock) flush();
    }
    size_ += bytes.size();
  }
  std::string end() {
    const std::uint64_t bits = size_ * 8;
    add("\x80");
    constexpr std::size_t kLength = 2 * sizeof(Word);  // of the field behind the text, whose last 64 bits are enough
    while (used_ != kBlock - kLength) add(std::string_view("\0", 1));
    add(std::string(kLength - sizeof bits, '\0'));
    for (std::size_t i = sizeof bits; i > 0; --i) {
      const char byte = static_cast<char>(bits >> (8 * (i - 1)));
      add({&byte, 1});
    }
    std::string out;
    for (std::size_t i = 0; i < Hash::kOutput; ++i) {
      const std::size_t shift = 8 * (sizeof(Word) - 1 - i % sizeof(Word));
      out += static_cast<char>(state_[i / sizeof(Word)] >> shift);
    }
    return out;
  }

 private:
  void flush() {
    Hash::compress(state_, block_);
    used_ = 0;
  }
  typename Hash::State state_ = Hash::kStart;
  Block<Word, 16> block_{};
  std::size_t used_ = 0;
  std::uint64_t size_ = 0;
};

// The two halves of HMAC, behind their first block.
template <typename Hash>
class Hmac {
 public:
  explicit Hmac(std::string_view key) {
    constexpr char kInner = 0x36, kOuter = 0x5c;
    std::string padded(key);
    if (padded.size() > Hashing<Hash>::kBlock) {
      Hashing<Hash> hashing;
      hashing.add(padded);
      padded = hashing.end();
    }
    padded.resize(Hashing<Hash>::kBlock, '\0');
    const auto masked = [&](char mask) {
      std::string made = padded;
      for (char& byte : made) byte = static_cast<char>(byte ^ mask);
      return made;
    };
    inner_.add(masked(kInner));
    outer_.add(masked(kOuter));
  }
  [[nodiscard]] std::string of(std::string_view text) const {
    Hashing<Hash> inner = inner_, outer = outer_;
    inner.add(text);
    outer.add(inner.end());
    return outer.end();
  }

 private:
  Hashing<Hash> inner_, outer_;
};

template <typename Hash>
std::optional<std::string> derive_with(const Pbkdf2& what) {
  constexpr std::uint32_t kAskedEvery = 1'000;
  const Hmac<Hash> hmac(what.password);
  std::string key;
  std::uint32_t done = 0;
  for (std::uint32_t block = 1; key.size() < what.length; ++block) {
    std::string text(what.salt);
    for (const unsigned shift : {24U, 16U, 8U, 0U}) text += static_cast<char>(block >> shift);
    std::string last = hmac.of(text);
    std::string mixed = last;
    for (std::uint32_t i = 1; i < what.iterations; ++i) {
      if (++done % kAskedEvery == 0 && !what.goes_on()) return std::nullopt;
      last = hmac.of(last);
      for (std::size_t k = 0; k < mixed.size(); ++k) mixed[k] = static_cast<char>(mixed[k] ^ last[k]);
    }
    key += mixed;
  }
  key.resize(what.length);
  return key;
}

}  // namespace

std::optional<std::string> derive(const Pbkdf2& what) {
  if (what.digest == "sha1") return derive_with<Sha1>(what);
  if (what.digest == "sha256") return derive_with<Sha256>(what);
  if (what.digest == "sha512") return derive_with<Sha512>(what);
  return std::nullopt;
}

}  // namespace loopsim::quickjs

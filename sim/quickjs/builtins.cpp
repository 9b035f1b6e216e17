#include "sim/quickjs/builtins.hpp"

#include <string>

namespace loopsim::quickjs {

namespace {

// The lock file that QuickJS comes by (tools/quickjs/CMakeLists.txt).
constexpr std::string_view kEngine = LOOPSIM_QUICKJS_STAMP;

constexpr std::uint32_t kBytesOfANumber = 4, kBitsOfAByte = 8;

// Takes one after another. After the end, and after what does not fit, all is empty.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool failed() const { return failed_; }
  std::uint32_t number() {
    std::uint32_t value = 0;
    const std::span<const std::uint8_t> four = take(kBytesOfANumber);
    for (std::size_t i = 0; i < four.size(); ++i) value |= std::uint32_t{four[i]} << (kBitsOfAByte * i);
    return value;
  }
  std::string_view text(std::size_t size) {
    const std::span<const std::uint8_t> part = take(size);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  std::string_view text() { return text(number()); }
  // Elsewhere in all of it.
  std::span<const std::uint8_t> part(std::uint32_t at, std::uint32_t size) {
    if (at <= bytes_.size() && size <= bytes_.size() - at) return bytes_.subspan(at, size);
    failed_ = true;
    return {};
  }

 private:
  std::span<const std::uint8_t> take(std::size_t size) {
    if (failed_ || size > bytes_.size() - at_) {
      failed_ = true;
      return {};
    }
    at_ += size;
    return bytes_.subspan(at_ - size, size);
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

void append(std::vector<std::uint8_t>& bytes, std::string_view text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
}

void append(std::vector<std::uint8_t>& bytes, std::size_t number) {
  for (std::uint32_t i = 0; i < kBytesOfANumber; ++i)
    bytes.push_back(static_cast<std::uint8_t>(number >> (kBitsOfAByte * i)));
}

void append_sized(std::vector<std::uint8_t>& bytes, std::string_view text) {
  append(bytes, text.size());
  append(bytes, text);
}

// What a file is the body of (BuiltinLoader::LookupAndCompile; before, NativeModule.wrapper).
std::string_view parameters_of(std::string_view name, bool is_module) {
  if (is_module) return "exports, require, module, __filename, __dirname";
  if (name.starts_with("internal/bootstrap/realm"))
    return "process, getLinkedBinding, getInternalBinding, primordials";
  if (name.starts_with("internal/per_context/"))
    return "exports, primordials, privateSymbols, perIsolateSymbols";
  if (name.starts_with("internal/main/") || name.starts_with("internal/bootstrap/"))
    return "process, require, internalBinding, primordials";
  return "exports, require, module, process, internalBinding, primordials";
}

}  // namespace

std::optional<Builtins> Builtins::read(std::span<const std::uint8_t> bytes) {
  Reader reader(bytes);
  if (reader.text(kMagic.size()) != kMagic || reader.text() != kEngine) return {};
  Builtins library;
  library.version_ = reader.text();
  for (std::uint32_t left = reader.number(); left != 0 && !reader.failed(); --left) {
    const std::string_view name = reader.text();
    const std::uint32_t at = reader.number();
    library.files_.emplace(name, reader.part(at, reader.number()));
  }
  if (reader.failed()) return {};
  return library;
}

std::span<const std::uint8_t> Builtins::code_of(std::string_view name) const {
  const auto found = files_.find(name);
  return found == files_.end() ? std::span<const std::uint8_t>() : found->second;
}

std::optional<std::vector<std::uint8_t>> compile_builtin(Instance& world, const BuiltinText& file) {
  std::string text = "(function (";
  text.append(parameters_of(file.name, file.is_module)).append(") {").append(file.text).append("\n})");
  return world.compile(text, "node:" + std::string(file.name));
}

std::vector<std::uint8_t> write_builtins(std::string_view version,
                                         const std::map<std::string, std::vector<std::uint8_t>>& files) {
  std::vector<std::uint8_t> bytes;
  append(bytes, Builtins::kMagic);
  append_sized(bytes, kEngine);
  append_sized(bytes, version);
  append(bytes, files.size());
  std::size_t at = bytes.size();
  for (const auto& [name, code] : files) at += 3 * kBytesOfANumber + name.size();
  for (const auto& [name, code] : files) {
    append_sized(bytes, name);
    append(bytes, at);
    append(bytes, code.size());
    at += code.size();
  }
  for (const auto& [name, code] : files) bytes.insert(bytes.end(), code.begin(), code.end());
  return bytes;
}

}  // namespace loopsim::quickjs

#include "sim/quickjs/built_start.hpp"

#if defined(__wasm__)

namespace loopsim::quickjs {

const BuiltStart* built_start() { return nullptr; }

}  // namespace loopsim::quickjs

#else

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "loopsim/profile.hpp"
#include "loopsim/scenario.hpp"

#include "sim/program/program.hpp"
#include "sim/quickjs/library.hpp"
#include "sim/quickjs/library_asset.hpp"
#include "sim/quickjs/started_worlds.hpp"

namespace loopsim::quickjs {

namespace {

// A snapshot, as of the other worlds, and behind it the values, and how many there are.
std::optional<BuiltStart> read(std::span<const std::uint8_t> bytes) {
  std::uint64_t count = 0;
  std::memcpy(&count, bytes.data() + bytes.size() - sizeof count, sizeof count);
  const std::size_t size = count * sizeof(Js) + sizeof count;
  BuiltStart start = {.world = world_of(bytes.first(bytes.size() - size)), .values = std::vector<Js>(count)};
  std::memcpy(start.values.data(), bytes.data() + bytes.size() - size, count * sizeof(Js));
  return start;
}

void append(std::vector<std::uint8_t>& bytes, const void* data, std::size_t size) {
  const auto* const begin = static_cast<const std::uint8_t*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
}

}  // namespace

const BuiltStart* built_start() {
  static const std::optional<BuiltStart> kStart = start_snapshot == nullptr ? std::nullopt : read(start_snapshot());
  return kStart ? &*kStart : nullptr;
}

// What Node says of a start that fails.
class Complaints final : public TraceSink {
 public:
  explicit Complaints(std::string& text) : text_(text) {}
  void begin(const RunInfo& /*info*/) override {}
  void events(const EventBatch& batch) override {
    for (const Event& event : batch.events)
      if (event.kind == EventKind::error_log) text_.append(batch.text_of(event)).append("\n");
  }
  void end(const RunSummary& /*summary*/) override {}

 private:
  std::string& text_;
};

// A program that does nothing is run until its start is kept.
std::vector<std::uint8_t> make_start(std::string& fault) {
  constexpr int kRuns = 3;
  Program program;
  program.profile = &default_profile();
  program.script = std::make_shared<const Script>();
  Complaints complaints(fault);
  TraceSink* const sinks[] = {&complaints};
  script_runner()(program, 0, std::span<TraceSink* const>(sinks));
  for (int i = 0; i < kRuns; ++i) script_runner()(program, 0, {});
  const StartedWorld* const started = StartedWorlds::of_thread().newest();
  if (started == nullptr || started->world.memory == nullptr) return {};
  const std::span<const std::uint8_t> memory = started->world.memory->bytes();
  const std::uint64_t count = started->kept.size();
  std::vector<std::uint8_t> bytes(memory.begin(), memory.end());
  append(bytes, &started->world.registers, sizeof started->world.registers);
  append(bytes, started->kept.data(), count * sizeof(Js));
  append(bytes, &count, sizeof count);
  return bytes;
}

}  // namespace loopsim::quickjs

#endif

#include "sim/study/order_key.hpp"

#include <algorithm>
#include <array>

#include "loopsim/simulator.hpp"
#include "loopsim/writers.hpp"

#include "sim/study/seeds.hpp"

namespace loopsim::study {
namespace {

// The first byte of a key is its kind: lines, each with a length prefix; the same, followed by a hash of the lines left
// out; or a limit.
constexpr char kLines = 'l';
constexpr char kCutLines = 'c';
constexpr char kLimit = 'x';
constexpr std::size_t kLengthSize = 4;
constexpr std::size_t kHashSize = 8;

void append_number(std::string& key, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) key.push_back(static_cast<char>(number >> (8 * i)));
}

}  // namespace

void OrderSink::begin(const RunInfo& info) {
  names_.begin(info);
  key_.assign(1, kLines);
  lines_ = 0;
  rest_ = 0;
  is_cut_ = false;
}

void OrderSink::add(std::string_view line) {
  if (!is_cut_ && lines_ < kMostOrderLines && key_.size() + line.size() < kMostOrderBytes) {
    ++lines_;
    append_number(key_, line.size(), kLengthSize);
    key_.append(line);
    return;
  }
  is_cut_ = true;
  for (const char c : line) rest_ = splitmix64(rest_ ^ static_cast<unsigned char>(c));
  rest_ = splitmix64(rest_ ^ 0x100U);  // line end, distinct from every character
}

void OrderSink::events(const EventBatch& batch) {
  names_.add(batch);
  for (const Event& event : batch.events) {
    if (of_ == OrderOf::output) {
      if (event.kind == EventKind::log) add(batch.text_of(event));
    } else if (event.kind == EventKind::callback_begin) {
      if (const std::uint32_t place = names_.place_of(event.name); place != kNoName) add(judged_.list()[place]);
    }
  }
}

void OrderSink::end(const RunSummary& summary) {
  if (summary.limit != LimitKind::none) {
    key_.assign(1, kLimit);
    key_.push_back(static_cast<char>(summary.limit));
  } else if (is_cut_) {
    key_.front() = kCutLines;
    append_number(key_, rest_, kHashSize);
  }
}

std::string key_of(const std::vector<std::string>& lines) {
  std::string key(1, kLines);
  for (const std::string& line : lines) {
    append_number(key, line.size(), kLengthSize);
    key += line;
  }
  return key;
}

OrderWords words_of(std::string_view key) {
  OrderWords words;
  const char kind = key.front();
  key.remove_prefix(1);
  if (kind == kLimit) {
    words.limit = static_cast<LimitKind>(key.front());
    return words;
  }
  words.is_cut = kind == kCutLines;
  if (words.is_cut) key.remove_suffix(kHashSize);
  while (!key.empty()) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < kLengthSize; ++i) {
      size |= static_cast<std::size_t>(static_cast<unsigned char>(key[i])) << (8 * i);
    }
    words.lines.emplace_back(key.substr(kLengthSize, size));
    key.remove_prefix(kLengthSize + size);
  }
  return words;
}

namespace {
bool varies(const Duration& duration) {
  return duration.kind != Duration::Kind::fixed && duration.kind != Duration::Kind::sequence;
}

bool io_draws(const IoSpec& spec) {
  const auto arrives_at_random = [](const IoArrivals& entry) {
    return varies(entry.when.gap) || varies(entry.when.on) || varies(entry.when.off);
  };
  return varies(spec.work) || varies(spec.meanwhile) || std::ranges::any_of(spec.costs, varies) ||
         std::ranges::any_of(
             spec.groups, [&](const IoGroup& group) { return std::ranges::any_of(group.arrivals, arrives_at_random); });
}
}  // namespace

bool machine_draws(const MachineSpec& machine) {
  const OverheadSpec& costs = machine.overhead;
  const std::array<const Duration*, 14> of_machine = {
      &machine.startup, &machine.wakeup,  &machine.clock_phase, &machine.load.busy, &machine.load.idle,
      &costs.callback,  &costs.task,      &costs.turn,          &costs.poll,        &costs.timer,
      &costs.log,       &costs.first_log, &costs.submit,        &costs.request};
  return machine.tasks == TaskChoice::drawn ||
         std::ranges::any_of(of_machine, [](const Duration* duration) { return varies(*duration); });
}

bool program_draws(const Program& program) {
  const auto arrives_at_random = [&](const OutsideEvent& event) {
    return event.arrivals && (varies(event.arrivals->gap) || varies(event.arrivals->on) || varies(event.arrivals->off));
  };
  if (program.io != nullptr) return io_draws(*program.io);
  return std::ranges::any_of(program.durations, varies) || std::ranges::any_of(program.inputs, arrives_at_random);
}

bool differs_between_seeds(const Program& program, std::uint64_t seeds) {
  const auto hash_of = [&program](std::uint64_t seed) {
    const auto hash = make_hash_sink();
    const std::array<TraceSink*, 1> sinks = {hash.get()};
    run(program, seed, sinks);
    return hash->hash();
  };
  const std::uint64_t first = hash_of(program.seed);
  for (std::uint64_t k = 1; k < seeds; ++k) {
    if (hash_of(replication_seed(program.seed, k)) != first) return true;
  }
  return false;
}

}  // namespace loopsim::study

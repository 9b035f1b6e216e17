#include "sim/trace/csv_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "sim/trace/json_line.hpp"

namespace loopsim {
namespace {

constexpr std::size_t kFlushSize = 64U << 10;

constexpr std::array<std::string_view, 4> kRunColumns = {"run", "runtime", "seed", "scenario"};

// A JSON string without its quotes; any other value as written.
std::string cell_of_json(const std::string& json) {
  JsonLine line;
  const std::string object = "{\"value\":" + json + "}";
  if (!line.read(object) || line.members().size() != 1) return json;
  const JsonMember& value = line.members().front();
  return value.kind == JsonMember::Kind::text ? std::string(value.text) : json;
}

// Identifies a run: the same for every version of loopsim, different when any input of the run differs.
std::uint64_t id_of(const RunInfo& info, std::string_view source) {
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  XXH64_update(&state, source.data(), source.size());
  const auto add = [&state](std::string_view part) {
    XXH64_update(&state, "", 1);  // the terminating zero separates the parts
    XXH64_update(&state, part.data(), part.size());
  };
  for (const std::string_view part : {info.title, info.runtime, info.libuv, info.entry, info.machine}) add(part);
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(info.threadpool), info.seed, static_cast<std::uint64_t>(info.clock_phase)}) {
    add(std::to_string(number));
  }
  for (const auto& [name, json] : info.params) add(name), add(json);
  return XXH64_digest(&state);
}

}  // namespace

void CsvTable::begin(const RunInfo& info) {
  const auto is_taken = [this](std::string_view name) {
    return std::ranges::find(kRunColumns, name) != kRunColumns.end() ||
           std::ranges::find(columns_, name) != columns_.end();
  };
  for (const std::string_view column : kRunColumns) add_text(column);
  for (const auto& [name, json] : info.params) add_text(is_taken(name) ? "param." + name : name);
  for (const std::string_view column : columns_) add_text(column);
  end_line();

  std::string header = std::exchange(text_, {});
  add_text(format_hash(id_of(info, source_)));
  add_text(info.runtime);
  add_number(info.seed);
  add_text(info.title);
  for (const auto& [name, json] : info.params) add_text(cell_of_json(json));
  run_cells_ = std::exchange(text_, std::move(header));
}

void CsvTable::end_line() {
  text_.back() = '\n';  // replaces the comma after the last cell
  if (text_.size() >= kFlushSize) flush();
}

void CsvTable::flush() {
  output_.write(text_);
  text_.clear();
}

}  // namespace loopsim

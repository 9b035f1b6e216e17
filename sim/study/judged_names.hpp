// The callbacks that a study of orders tells apart, by their names, and how the numbers of names in a run's events lead to them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loopsim/trace.hpp"

#include "sim/program/program.hpp"

namespace loopsim {
struct Scenario;
}

namespace loopsim::study {

// A scenario's named callbacks, in the order of the document. What a program in JavaScript calls, only runs tell: they are the names of
// all callbacks but the main script that begin in its first replications, `runs` of them, in the order of their first begin.
class JudgedNames {
 public:
  static constexpr std::uint64_t kLearningRuns = 8;

  JudgedNames(const Scenario& scenario, const Program& program, std::uint64_t runs = kLearningRuns);

  [[nodiscard]] std::span<const std::string> list() const { return list_; }
  // Its place in the list; kNoName: none.
  [[nodiscard]] std::uint32_t find(std::string_view name) const;

 private:
  std::vector<std::string> list_;
  std::map<std::string, std::uint32_t, std::less<>> places_;
};

// The names of one run. Events have numbers of names, and a program in JavaScript adds names as it runs.
class RunNames {
 public:
  explicit RunNames(const JudgedNames& judged) : judged_(judged) {}

  void begin(const RunInfo& info);
  void add(const EventBatch& batch) { add(batch.new_names); }
  // By Event::name: the place in JudgedNames; kNoName: not judged.
  [[nodiscard]] std::uint32_t place_of(std::uint32_t name) const { return name < places_.size() ? places_[name] : kNoName; }

 private:
  void add(std::span<const std::string> names);

  const JudgedNames& judged_;
  std::vector<std::uint32_t> places_;
};

}  // namespace loopsim::study

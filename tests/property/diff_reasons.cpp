// Checks the reasons that `loopsim diff` reports: for every scenario and every two neighbouring versions, the older one
// with the reported fields of the newer behaves like the newer at the first difference, and the newer one without them
// does not. Also, a scenario named in docs/profiles.md shows the effect of each profile field.
#include <cstddef>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/simulator.hpp"

#include "tests/support/files.hpp"
#include "tests/support/scenario_files.hpp"
#include "tools/loopsim/diff/diff_reason.hpp"
#include "tools/loopsim/diff/diff_side.hpp"

using namespace loopsim;
using namespace loopsim::cli;
using loopsim::testing::read_file;
using loopsim::testing::scenario_files;

namespace {

// Runs of a scenario in all versions.
struct Versions {
  explicit Versions(const std::filesystem::path& path, const RowOptions& options = {}) : rows(options) {
    file.path = path.string();
    file.document = read_file(path);
    for (const Profile& profile : profiles()) {
      Side& side = sides.emplace_back();
      side.file = &file;
      side.options.runtime = profile.name;
      side.name = profile.name;
      Diagnostics problems;
      runs.push_back(run_side(side, keeps_for(options), problems));
      if (runs.back()) side.rows = rows.rows_of(side.trace);
    }
  }
  Versions(const Versions&) = delete;
  Versions& operator=(const Versions&) = delete;

  // The rows of a side with some fields taken from the profile `from`.
  std::vector<Row> rows_with(const Side& side, const std::vector<const ProfileField*>& fields, const Profile& from) {
    Profile profile = *side.profile;
    for (const ProfileField* const field : fields) field->copy(profile, from);
    const KeptRun kept =
        run_and_keep(*with_profile(*side.program, profile), side.trace.seed, keeps_for(rows.options()));
    return rows.rows_of(kept.trace);
  }

  DiffFile file;
  RowMaker rows;
  std::vector<Side> sides;
  std::vector<bool> runs;
};

std::vector<const ProfileField*> fields_of(const Reason& reason, const std::vector<std::size_t>& indices) {
  std::vector<const ProfileField*> fields;
  for (const std::size_t i : indices) fields.push_back(reason.factors[i].field);
  return fields;
}

struct Counts {
  std::size_t differences = 0;
  std::size_t one = 0, together = 0, any = 0;  // reasons with one field, several, one of several
  std::size_t backwards = 0;                   // reasons found from the newer version to the older
  std::size_t later = 0;                       // reasons with further fields for later differences
  std::size_t more = 0;                        // further fields sufficient alone and necessary
};

void check_reason(Versions& versions, const Side& older, const Side& newer, Counts& counts) {
  const auto difference = first_difference(older.rows, newer.rows);
  if (!difference) return;
  const Reason reason = find_reason(older, newer, versions.rows, *difference);
  REQUIRE(!reason.gave_up);
  REQUIRE(!reason.first.empty());
  const Side& from = reason.is_backwards ? newer : older;
  const Side& to = reason.is_backwards ? older : newer;
  const auto does = [&](const std::vector<std::size_t>& indices) {
    const auto rows = versions.rows_with(from, fields_of(reason, indices), *to.profile);
    return first_difference(rows, to.rows).value_or(kNoRow) > *difference;
  };
  const auto is_needed = [&](const std::vector<std::size_t>& indices) {
    const auto rows = versions.rows_with(to, fields_of(reason, indices), *from.profile);
    return first_difference(rows, to.rows).value_or(kNoRow) <= *difference;
  };

  CHECK(does(reason.first));
  std::vector<std::size_t> any = reason.first;
  for (const std::size_t i : reason.each) {
    CHECK(does({i}));
    CHECK(is_needed({i}) != reason.is_any);
    any.push_back(i);
  }
  CHECK(is_needed(reason.is_any ? any : reason.first));
  // If several fields are needed together, none can be left out.
  for (std::size_t k = 0; k < reason.first.size() && reason.first.size() > 1; ++k) {
    std::vector<std::size_t> fewer = reason.first;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    CHECK(!does(fewer));
  }
  if (!reason.everything.empty()) {
    const auto rows = versions.rows_with(from, fields_of(reason, reason.everything), *to.profile);
    CHECK(!first_difference(rows, to.rows));
  }

  ++counts.differences;
  ++(reason.is_any ? counts.any : reason.first.size() == 1 ? counts.one : counts.together);
  if (!reason.is_any) counts.more += reason.each.size();
  if (reason.is_backwards) ++counts.backwards;
  if (reason.everything != reason.first) ++counts.later;
}

// Field -> the scenarios in its row of the table of fields in docs/profiles.md.
std::map<std::string, std::vector<std::string>> documented_scenarios() {
  std::istringstream file(read_file(LOOPSIM_SOURCE_DIR "/docs/profiles.md"));
  std::map<std::string, std::vector<std::string>> scenarios;
  for (std::string line; std::getline(file, line);) {
    const std::size_t name_end = line.find("` | ");
    if (!line.starts_with("| `") || name_end == std::string::npos) continue;
    std::vector<std::string>& of_field = scenarios[line.substr(3, name_end - 3)];
    constexpr std::string_view kLink = "](../scenarios/";
    for (std::size_t at = line.find(kLink); at != std::string::npos; at = line.find(kLink, at + 1)) {
      const std::size_t begin = at + kLink.size();
      of_field.push_back(line.substr(begin, line.find(')', begin) - begin));
    }
  }
  return scenarios;
}

}  // namespace

TEST_CASE("what diff names as the reason for a difference between two versions is one", "[diff][profiles]") {
  Counts counts;
  for (const std::filesystem::path& path : scenario_files()) {
    Versions versions(path);
    for (std::size_t i = 1; i < versions.sides.size(); ++i) {
      if (!versions.runs[i - 1] || !versions.runs[i]) continue;
      INFO(path.string() + " in " + versions.sides[i - 1].name + " and " + versions.sides[i].name);
      check_reason(versions, versions.sides[i - 1], versions.sides[i], counts);
    }
  }
  CHECK(counts.differences == 274);  // changes with the set of scenarios
  CHECK(counts.one == 253);
  CHECK(counts.together == 14);
  CHECK(counts.any == 7);
  CHECK(counts.backwards == 4);
  CHECK(counts.later == 28);
  CHECK(counts.more == 0);
}

TEST_CASE("a scenario of its row in the page about profiles shows each field by itself", "[profiles][docs]") {
  RowOptions options;
  options.all_events = true;
  const auto documented = documented_scenarios();
  std::map<std::string, Versions> runs;
  std::vector<std::string> not_shown;
  std::size_t shown = 0;
  for (const ProfileField& field : profile_fields()) {
    const std::string name(field.name);
    INFO(name);
    REQUIRE(documented.contains(name));
    if (field.meaning.ends_with("(libuv alone)")) continue;  // tools/conformance/libuv shows it
    for (std::size_t i = 1; i < profiles().size(); ++i) {
      const Profile& older = profiles()[i - 1];
      const Profile& newer = profiles()[i];
      if (field.same(older, newer)) continue;
      bool is_shown = false;
      for (const std::string& scenario : documented.at(name)) {
        Versions& versions =
            runs.try_emplace(scenario, LOOPSIM_SOURCE_DIR "/scenarios/" + scenario, options).first->second;
        if (!versions.runs[i]) continue;
        const auto rows = versions.rows_with(versions.sides[i], {&field}, older);
        is_shown = is_shown || first_difference(rows, versions.sides[i].rows);
      }
      if (is_shown)
        ++shown;
      else
        not_shown.push_back(name + ": " + std::string(older.name) + ", " + std::string(newer.name));
    }
  }
  // Fields known from Node's source but not measured: no scenario shows them, or another field changed in the same
  // version and has the same effect.
  CHECK(not_shown ==
        std::vector<std::string>{"pending_keeps_alive: node-16, node-18", "first_timers_if_stopped: node-18, node-20",
                                 "first_wake_drains: node-14, node-16", "emptied_list_closes: node-8, node-10",
                                 "gone_write_succeeds: node-11, node-12", "readable_generation: node-18, node-20",
                                 "destroyed_reads_nothing: node-11, node-12", "error_reads_nothing: node-14, node-16",
                                 "write_buffer: node-12, node-14", "end_callback: node-12, node-14",
                                 "closed_write_destroys: node-11, node-12", "final_waits_if_gone: node-20, node-22",
                                 "await_wraps: node-6, node-8"});
  CHECK(shown == 153);
}

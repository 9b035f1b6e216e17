// The table of profile fields, compared with docs/profiles.md.
#include <map>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "loopsim/profile.hpp"

#include "tests/support/files.hpp"

using namespace loopsim;

namespace {

// Name -> meaning, from the table of fields in docs/profiles.md.
std::map<std::string, std::string> documented_fields() {
  std::istringstream file(testing::read_file(LOOPSIM_SOURCE_DIR "/docs/profiles.md"));
  std::map<std::string, std::string> fields;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    const std::size_t name_end = line.find("` | ", 3);
    if (name_end == std::string::npos) continue;
    const std::size_t meaning_end = line.find(" | ", name_end + 4);
    fields[line.substr(3, name_end - 3)] = line.substr(name_end + 4, meaning_end - name_end - 4);
  }
  return fields;
}

}  // namespace

TEST_CASE("the meaning of a profile's field is the one that the page about profiles gives", "[profiles][docs]") {
  const std::map<std::string, std::string> documented = documented_fields();
  for (const ProfileField& field : profile_fields()) {
    INFO(field.name);
    REQUIRE(documented.contains(std::string(field.name)));
    CHECK(documented.at(std::string(field.name)) == field.meaning);
  }
}

TEST_CASE("a field of a profile is read, compared and copied", "[profiles]") {
  const Profile& old_one = *find_profile("node-10");
  const Profile& new_one = *find_profile("node-11");
  std::vector<std::string> different;
  Profile mixed = old_one;
  for (const ProfileField& field : profile_fields()) {
    CHECK(field.same(old_one, old_one));
    CHECK(field.same(old_one, new_one) == (field.value(old_one) == field.value(new_one)));
    if (field.same(old_one, new_one)) continue;
    different.push_back(std::string(field.name) + ": " + field.value(old_one) + ", " + field.value(new_one));
    field.copy(mixed, new_one);
    CHECK(field.value(mixed) == field.value(new_one));
  }
  CHECK(different == std::vector<std::string>{
                         "closing_timer_starts: no, yes", "eof_stops_reading_late: no, yes",
                         "caught_signal_keeps_active: yes, no", "timer_model: handle_per_list, single_handle",
                         "fired_timer_loses_ref: no, yes", "drain_between_timers: no, yes",
                         "clear_ends_fired_timer: no, yes", "refresh_reads_clock: no, yes",
                         "drain_between_immediates: no, yes", "immediates_after_throw: rest, all",
                         "failed_write_is_late: no, yes", "gone_write_succeeds: no, yes", "eof_tells_once: yes, no",
                         "exception_has_origin: yes, no", "handler_hides_rejections: no, yes",
                         "queue_microtask_warns: no, yes", "unhandled_error_text: single_quotes, fitting_quotes"});
  CHECK(mixed.name == "node-10");
  CHECK(mixed.drain_between_timers);
}

// The fields of a browser's profile, one by one: names, meanings, values.
//
// The meanings are worded as in docs/browser.md; a test compares the two.
#include <array>
#include <string>

#include "loopsim/browser_fields.hpp"

namespace loopsim {

namespace {

std::string word(bool value) { return value ? "yes" : "no"; }
std::string word(std::uint8_t value) { return std::to_string(value); }
std::string word(TimeMs value) { return std::to_string(value); }
std::string word(IntervalGrid value) { return value == IntervalGrid::from_due ? "from_due" : "from_call"; }
std::string word(DelayedTasks value) { return value == DelayedTasks::when_due ? "when_due" : "when_asked"; }

template <auto member>
constexpr ProfileField field(std::string_view name, std::string_view meaning) {
  return {name, meaning, [](const Profile& profile) { return word(profile.browser.*member); },
          [](const Profile& a, const Profile& b) { return a.browser.*member == b.browser.*member; },
          [](Profile& to, const Profile& from) { to.browser.*member = from.browser.*member; }};
}

constexpr std::array kFields = {
    field<&BrowserProfile::least_timeout>("least_timeout", "the least delay of a timer, in ms"),
    field<&BrowserProfile::unclamped_levels>("unclamped_levels",
                                             "the level of nesting above which a delay is at least 4 ms"),
    field<&BrowserProfile::interval_grid>("interval_grid",
                                          "the next round of an interval counts from when the round before was due, or "
                                          "from when its callback was called"),
    field<&BrowserProfile::delayed_tasks>(
        "delayed_tasks",
        "a timer takes its place among the tasks when it is due, or when the thread looks for its next task; so what a "
        "long callback has queued comes first"),
    field<&BrowserProfile::flexible_from>(
        "flexible_from", "a delay of at least this many ms is flexible: its timer may wait for another; 0: none is"),
    field<&BrowserProfile::leeway>("leeway", "how long, in ms"),
    field<&BrowserProfile::await_wraps>(
        "await_wraps", "`await` wraps its value in a new promise: three turns of the microtasks instead of one"),
};

}  // namespace

std::span<const ProfileField> browser_fields() { return kFields; }

}  // namespace loopsim

#include "tools/loopsim/diff/diff_reason.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "loopsim/browser_fields.hpp"

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/step_ceiling.hpp"

namespace loopsim::cli {
namespace {

constexpr std::size_t kMostRuns = 400;
constexpr std::size_t kMostEvents = 20'000'000;  // in all runs together

using Chosen = std::vector<bool>;  // per factor: is it taken from b?

// Overrides by name; the last value of a name wins.
std::map<std::string, std::string> settings_of(const ReadOptions& options) {
  std::map<std::string, std::string> settings;
  for (const auto& [name, value] : options.overrides) settings[name] = value;
  return settings;
}

std::string value_of(const std::map<std::string, std::string>& settings, const Side& side, const std::string& name) {
  if (const auto found = settings.find(name); found != settings.end()) return found->second;
  for (const auto& [param, json] : side.trace.params) {
    if (param == name) return json;
  }
  return {};
}

// The versions in which a field has the value that it has in `profile`: "Node 11 - 26", "Node 8, 12 and 14".
std::string versions_like(const ProfileField& field, const Profile& profile) {
  struct Range {
    int first;
    int last;
    std::size_t size;
  };
  std::vector<Range> ranges;
  bool goes_on = false;
  if (profile.family == Family::browser) {
    std::string names;
    for (const Profile& known : browsers())
      if (field.same(known, profile)) names.append(names.empty() ? "" : ", ").append(known.name);
    return names;
  }
  for (const Profile& known : profiles()) {
    const bool is_same = field.same(known, profile);
    if (is_same && goes_on) {
      ranges.back().last = known.major;
      ++ranges.back().size;
    } else if (is_same) {
      ranges.push_back({known.major, known.major, 1});
    }
    goes_on = is_same;
  }
  std::string text = "Node ";
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[i];
    if (i > 0) text += i + 1 == ranges.size() ? " and " : ", ";
    text += std::to_string(range.first);
    if (range.size > 1) text += (range.size == 2 ? ", " : " - ") + std::to_string(range.last);
  }
  return text;
}

std::string_view words_of(Family family) {
  switch (family) {
    case Family::libuv: return "libuv's, driven by a program of its own";
    case Family::browser: return "a browser's: one task, all microtasks, and a frame when the display is ready";
    default: return "Node's: phases, with ticks and microtasks behind each callback";
  }
}

// Whether both run JavaScript, over the library of their versions.
bool use_library(const Side& a, const Side& b) {
  const auto is_script = [](const Side& side) {
    const nlohmann::json document = nlohmann::json::parse(side.file->document, nullptr, false);
    return side.profile->family == Family::node && document.is_object() && document.contains("script");
  };
  return a.profile->version != b.profile->version && is_script(a) && is_script(b);
}

std::vector<Factor> factors_of(const Side& a, const Side& b) {
  using Kind = Factor::Kind;
  std::vector<Factor> factors;
  const auto add = [&factors](Kind kind, std::string name, std::string a_value, std::string b_value) {
    Factor& factor = factors.emplace_back();
    factor.kind = kind;
    factor.name = std::move(name);
    factor.a_value = std::move(a_value);
    factor.b_value = std::move(b_value);
  };
  if (a.file->document != b.file->document) add(Kind::document, "the scenario", "", "");
  const auto a_settings = settings_of(a.options);
  const auto b_settings = settings_of(b.options);
  std::map<std::string, std::string> names = a_settings;
  names.insert(b_settings.begin(), b_settings.end());
  for (const auto& [name, ignored] : names) {
    const std::string a_value = value_of(a_settings, a, name);
    const std::string b_value = value_of(b_settings, b, name);
    if (a_value != b_value) add(Kind::setting, name, a_value, b_value);
  }
  if (a.trace.seed != b.trace.seed) {
    add(Kind::seed, "seed", std::to_string(a.trace.seed), std::to_string(b.trace.seed));
  }
  if (a.profile->family != b.profile->family) {
    add(Kind::family, "the event loop", std::string(words_of(a.profile->family)),
        std::string(words_of(b.profile->family)));
    return factors;
  }
  for (const ProfileField& field : a.profile->family == Family::browser ? browser_fields() : profile_fields()) {
    if (field.same(*a.profile, *b.profile)) continue;
    add(Kind::profile_field, std::string(field.name), field.value(*a.profile), field.value(*b.profile));
    factors.back().field = &field;
    factors.back().versions = versions_like(field, *b.profile);
  }
  if (use_library(a, b))
    add(Kind::library, "Node's library", std::string(a.profile->version), std::string(b.profile->version));
  return factors;
}

class Laboratory {
 public:
  Laboratory(const Side& a, const Side& b, RowMaker& rows, const std::vector<Factor>& factors)
      : a_(a), b_(b), rows_(rows), factors_(factors) {}

  // First row in which a run of `a`, with the chosen factors from `b`, differs from `b`; kNoRow: none.
  [[nodiscard]] std::size_t follows_to(const Chosen& chosen) { return try_once(chosen).follows; }
  // First row in which that run differs from `a`; kNoRow: none.
  [[nodiscard]] std::size_t stays_to(const Chosen& chosen) { return try_once(chosen).stays; }
  [[nodiscard]] bool is_exhausted() const { return runs_ >= kMostRuns || events_ >= kMostEvents; }
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  struct Outcome {
    std::size_t follows = 0;
    std::size_t stays = 0;
  };

  Outcome try_once(const Chosen& chosen) {
    if (const auto known = results_.find(chosen); known != results_.end()) return known->second;
    const Outcome outcome = try_out(chosen);
    results_.emplace(chosen, outcome);
    return outcome;
  }

  Outcome try_out(const Chosen& chosen) {
    const std::shared_ptr<const Program> program = program_of(chosen);
    if (program == nullptr) return {0, kNoRow};  // no evidence: counts as behaviour of a
    Profile profile = *a_.profile;
    std::uint64_t seed = a_.trace.seed;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]) continue;
      if (factors_[i].kind == Factor::Kind::family) profile = *b_.profile;
      if (factors_[i].kind == Factor::Kind::profile_field) factors_[i].field->copy(profile, *b_.profile);
      if (factors_[i].kind == Factor::Kind::seed) seed = b_.trace.seed;
      if (factors_[i].kind == Factor::Kind::library) take_library(profile, *b_.profile);
    }
    const KeptRun kept = run_and_keep(*with_profile(*program, profile), seed, keeps_for(rows_.options()));
    ++runs_;
    events_ += kept.trace.summary.events;
    const std::vector<Row> made = rows_.rows_of(kept.trace);
    return {first_difference(made, b_.rows).value_or(kNoRow), first_difference(made, a_.rows).value_or(kNoRow)};
  }

  // The library of a program in JavaScript is that of the version which the profile says it is.
  static void take_library(Profile& profile, const Profile& from) {
    profile.name = from.name;
    profile.major = from.major;
    profile.version = from.version;
    profile.libuv.version = from.libuv.version;
  }

  // The program depends on the document and the settings alone. Null: that combination does not read or compile.
  std::shared_ptr<const Program> program_of(const Chosen& chosen) {
    Chosen key;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const bool matters = factors_[i].kind == Factor::Kind::document || factors_[i].kind == Factor::Kind::setting;
      key.push_back(matters && chosen[i]);
    }
    if (const auto known = programs_.find(key); known != programs_.end()) return known->second;
    return programs_[key] = load(key);
  }

  [[nodiscard]] std::shared_ptr<const Program> load(const Chosen& chosen) const {
    auto settings = settings_of(a_.options);
    const auto b_settings = settings_of(b_.options);
    const std::string* document = &a_.file->document;
    bool is_of_a = true;
    bool is_of_b = true;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const Factor& factor = factors_[i];
      if (factor.kind != Factor::Kind::document && factor.kind != Factor::Kind::setting) continue;
      is_of_a = is_of_a && !chosen[i];
      is_of_b = is_of_b && chosen[i];
      if (!chosen[i]) continue;
      if (factor.kind == Factor::Kind::document) document = &b_.file->document;
      if (factor.kind == Factor::Kind::setting) {
        const auto found = b_settings.find(factor.name);
        if (found == b_settings.end()) {
          settings.erase(factor.name);
        } else {
          settings[factor.name] = found->second;
        }
      }
    }
    if (is_of_a) return a_.program;
    if (is_of_b) return b_.program;
    ReadOptions options;
    options.overrides.assign(settings.begin(), settings.end());
    options.runtime = a_.profile->major > b_.profile->major ? a_.profile->name : b_.profile->name;  // has APIs of both
    const ReadResult read =
        read_scenario(*document, input_name(a_.file->path), with_files(capped(std::move(options)), a_.file->path));
    return read.scenario ? compile(*read.scenario).program : nullptr;
  }

  const Side& a_;
  const Side& b_;
  RowMaker& rows_;
  const std::vector<Factor>& factors_;
  std::map<Chosen, Outcome> results_;
  std::map<Chosen, std::shared_ptr<const Program>> programs_;
  std::size_t runs_ = 0;
  std::uint64_t events_ = 0;
};

std::vector<std::size_t> members(const Chosen& chosen) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) indices.push_back(i);
  }
  return indices;
}

// Removes factors one by one, in `order`, as long as the rest suffices: each remaining factor is needed.
Chosen reduce(Laboratory& laboratory, Chosen chosen, const std::vector<std::size_t>& order, std::size_t goal) {
  for (const std::size_t i : order) {
    if (!chosen[i] || laboratory.is_exhausted()) continue;
    chosen[i] = false;
    if (laboratory.follows_to(chosen) < goal) chosen[i] = true;
  }
  return chosen;
}

// Chooses the reasons among `enough`, the factors that suffice alone: those without which `b` does not do so. The one
// with which `a` follows `b` furthest becomes `first`. If `b` does so without each single factor, but not without
// several, any one of these is a reason. `without` runs `b` with the chosen factors taken from `a`.
void choose(Reason& reason, std::vector<std::size_t> enough, Laboratory& with, Laboratory& without,
            std::size_t difference) {
  const auto chosen_of = [&reason](const std::vector<std::size_t>& indices) {
    Chosen chosen(reason.factors.size(), false);
    for (const std::size_t i : indices) chosen[i] = true;
    return chosen;
  };
  const auto is_needed = [&](const std::vector<std::size_t>& indices) {
    return without.stays_to(chosen_of(indices)) <= difference;
  };
  std::vector<std::size_t> needed;
  std::ranges::copy_if(enough, std::back_inserter(needed), [&](std::size_t i) { return is_needed({i}); });
  reason.is_needed = !needed.empty() || is_needed(enough);
  if (!needed.empty()) {
    enough = std::move(needed);
  } else if (reason.is_needed) {
    for (std::size_t k = enough.size(); k-- > 0;) {  // drop those that are not needed
      std::vector<std::size_t> fewer = enough;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (is_needed(fewer)) enough = std::move(fewer);
    }
    reason.is_any = true;
  }
  const auto furthest =
      std::ranges::max_element(enough, {}, [&](std::size_t i) { return with.follows_to(chosen_of({i})); });
  reason.first = {*furthest};
  enough.erase(furthest);
  reason.each = std::move(enough);
}

// Finds the factors with which a run of `a` does what `b` does.
Reason explain(const Side& a, const Side& b, RowMaker& rows, std::size_t difference,
               const std::vector<Factor>& factors) {
  Reason reason;
  reason.factors = factors;
  const std::size_t count = factors.size();
  Laboratory laboratory(a, b, rows, factors);
  Laboratory without(b, a, rows, factors);
  const std::size_t goal = difference + 1;  // follows b in this row, too
  const auto alone = [count](std::size_t i) {
    Chosen chosen(count, false);
    chosen[i] = true;
    return chosen;
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < count; ++i) order.push_back(i);

  // Factors that suffice alone ...
  std::vector<std::size_t> enough;
  for (std::size_t i = 0; i < count && !laboratory.is_exhausted(); ++i) {
    if (laboratory.follows_to(alone(i)) >= goal) enough.push_back(i);
  }
  if (!enough.empty()) choose(reason, std::move(enough), laboratory, without, difference);
  // ... or several that suffice only together.
  const Chosen all(count, true);
  if (reason.first.empty() && laboratory.follows_to(all) >= goal) {
    const Chosen together = reduce(laboratory, all, order, goal);
    reason.first = members(together);
    reason.is_needed = without.stays_to(together) <= difference;
  }
  // Factors for the whole difference; those already found are kept if possible.
  Chosen found(count, false);
  for (const std::size_t i : reason.first) found[i] = true;
  if (!reason.first.empty() && laboratory.follows_to(found) == kNoRow) {
    reason.everything = reason.first;
  } else if (laboratory.follows_to(all) == kNoRow) {
    std::stable_partition(order.begin(), order.end(), [&found](std::size_t i) { return !found[i]; });
    reason.everything = members(reduce(laboratory, all, order, kNoRow));
  }
  reason.runs = laboratory.runs() + without.runs();
  reason.gave_up = laboratory.is_exhausted();
  return reason;
}

}  // namespace

namespace {

std::optional<BrowserReason> find_browser_reason(const Side& browser, const Side& other, RowMaker& rows,
                                                 std::size_t difference) {
  for (const ProfileField& field : browser_fields()) {
    std::vector<std::string> tried = {field.value(*browser.profile)};
    for (const Profile& known : browsers()) {
      if (std::ranges::find(tried, field.value(known)) != tried.end()) continue;
      tried.push_back(field.value(known));
      Profile changed = *browser.profile;
      field.copy(changed, known);
      const KeptRun kept =
          run_and_keep(*with_profile(*browser.program, changed), browser.trace.seed, keeps_for(rows.options()));
      const std::size_t found = first_difference(rows.rows_of(kept.trace), other.rows).value_or(kNoRow);
      if (found > difference)
        return BrowserReason{&field,        std::string(browser.profile->name),
                             tried.front(), std::string(known.name),
                             tried.back(),  found == kNoRow};
    }
  }
  return std::nullopt;
}

}  // namespace

Reason find_reason(const Side& a, const Side& b, RowMaker& rows, std::size_t difference) {
  std::vector<Factor> factors = factors_of(a, b);
  Reason reason;
  if (factors.size() == 1) {
    reason.first = reason.everything = {0};
    reason.is_needed = true;
    const bool is_between_loops = factors.front().kind == Factor::Kind::family;
    if (is_between_loops && a.profile->family == Family::browser)
      reason.browser = find_browser_reason(a, b, rows, difference);
    if (is_between_loops && b.profile->family == Family::browser)
      reason.browser = find_browser_reason(b, a, rows, difference);
  } else {
    reason = explain(a, b, rows, difference, factors);
    // If several factors lead from a to b, a single one may lead back; it is the reason if it is the only one. If b
    // does so without the factors found, those that lead back are the reason.
    if (reason.first.size() != 1 || !reason.is_needed) {
      Reason back = explain(b, a, rows, difference, factors);
      const std::size_t runs = reason.runs + back.runs;
      const bool is_narrower = back.first.size() == 1 && back.each.empty() && (back.is_needed || !reason.is_needed);
      const bool is_better = !reason.is_needed && !back.first.empty();
      if (is_narrower || is_better) {
        reason = std::move(back);
        reason.is_backwards = true;
      }
      reason.runs = runs;
    }
  }
  reason.factors = std::move(factors);
  return reason;
}

}  // namespace loopsim::cli

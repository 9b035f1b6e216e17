#include "tools/loopsim/line/runtimes.hpp"

#include <cstdlib>

#include "loopsim/profile.hpp"
#include "loopsim/suggest.hpp"

namespace loopsim::cli {
namespace {

// The runtime with the nearest version number, or with the nearest name if the word has no digits.
std::string nearest_runtime(std::string_view word) {
  const std::size_t digits = word.find_first_of("0123456789");
  if (word.starts_with("libuv")) return std::string(libuv_runtimes().back().name);
  for (const std::string_view browser : {"chrome", "firefox"})
    if (word.starts_with(browser)) return std::string(browser);
  if (digits != std::string_view::npos) {
    const int major = std::atoi(std::string(word.substr(digits)).c_str());
    const Profile* best = &profiles().front();
    for (const Profile& profile : profiles()) {
      if (std::abs(profile.major - major) < std::abs(best->major - major)) best = &profile;
    }
    return std::string(best->name);
  }
  std::vector<std::string_view> names;
  for (const Family family : {Family::node, Family::browser})
    for (const Profile& profile : runtimes_of(family)) names.push_back(profile.name);
  return nearest(word, names);
}

}  // namespace

std::variant<std::vector<std::string>, UsageError> parse_runtimes(std::string_view word) {
  const std::size_t dots = word.find("..");
  const std::string_view first_word = word.substr(0, dots);
  const std::string_view last_word = dots == std::string_view::npos ? first_word : word.substr(dots + 2);
  for (const std::string_view name : {first_word, last_word}) {
    if (find_profile(name) != nullptr) continue;
    return UsageError{"there is no runtime \"" + std::string(name) + "\"", nearest_runtime(name)};
  }
  const Profile* const first = find_profile(first_word);
  const Profile* const last = find_profile(last_word);
  if (first->family != last->family)
    return UsageError{"the range " + std::string(word) + " is of two kinds of loops", ""};
  if (first->major > last->major) {
    return UsageError{"the range " + std::string(word) + " is empty: the older version stands first", ""};
  }
  std::vector<std::string> names;
  for (const Profile& profile : runtimes_of(first->family)) {
    if (profile.major >= first->major && profile.major <= last->major) names.emplace_back(profile.name);
  }
  return names;
}

}  // namespace loopsim::cli

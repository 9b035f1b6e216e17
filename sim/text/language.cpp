#include "loopsim/language.hpp"

namespace loopsim {

std::optional<Language> find_language(std::string_view code) {
  if (code == "en") return Language::english;
  if (code == "zh") return Language::chinese;
  return std::nullopt;
}

std::string_view to_string(Language language) { return language == Language::chinese ? "zh" : "en"; }

Language language_of_locale(const char* lc_all, const char* lc_messages, const char* lang) {
  for (const char* const variable : {lc_all, lc_messages, lang}) {
    if (variable == nullptr || *variable == '\0') continue;
    const std::string_view locale = variable;
    return locale.substr(0, locale.find_first_of("_-.@")) == "zh" ? Language::chinese : Language::english;
  }
  return Language::english;
}

}  // namespace loopsim

// The languages of reports for people: the text trace, the drawing, explanations, summaries. Formats for programs (JSON
// lines, CSV, the trace for Perfetto, JSON reports) have one spelling and take no language.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace loopsim {

enum class Language : std::uint8_t { english, chinese };

// The language for a code of ISO 639-1: "en" or "zh". Empty: no other language is known.
[[nodiscard]] std::optional<Language> find_language(std::string_view code);

// "en" or "zh".
[[nodiscard]] std::string_view to_string(Language language);

// The language that a POSIX environment asks for: the first of LC_ALL, LC_MESSAGES and LANG that is not empty decides,
// as POSIX.1-2017, 8.2, orders them. Chinese if that locale's name begins with the language "zh" ("zh_CN.UTF-8", "zh");
// English for all others. Null pointers are variables that are not set. The function itself reads no environment.
[[nodiscard]] Language language_of_locale(const char* lc_all, const char* lc_messages, const char* lang);

}  // namespace loopsim

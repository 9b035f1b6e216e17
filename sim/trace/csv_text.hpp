// Writes cells of CSV, as RFC 4180 has them.
#pragma once

#include <string>
#include <string_view>

namespace loopsim {

// Adds a text, in quotes where it needs them: with a comma, a quote or a line break in it.
void add_csv_text(std::string& line, std::string_view cell);

}  // namespace loopsim

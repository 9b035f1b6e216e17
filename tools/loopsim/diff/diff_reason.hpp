// Why two runs differ: found by experiment.
//
// What makes two sides different is a list of factors: fields of their profiles, settings, the seed, the document. A side is run with some
// of its factors taken from the other side, to see which of them it takes to do what the other side does; and that side is run without
// them, to see that it does not do so for another reason.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "loopsim/profile.hpp"

#include "tools/loopsim/diff/diff_rows.hpp"
#include "tools/loopsim/diff/diff_side.hpp"

namespace loopsim::cli {

struct Factor {
  enum class Kind : std::uint8_t { document, setting, seed, profile_field };
  Kind kind = Kind::document;
  const ProfileField* field = nullptr;
  std::string name;     // of a setting or field
  std::string a_value;  // as it is on the one side; of a setting that is only given on the other: empty
  std::string b_value;
  std::string versions;  // of a field: those that have b's value
};

struct Reason {
  std::vector<Factor> factors;  // all that differs
  std::vector<std::size_t>
      first;  // those that it takes for the first difference: with them `a` does there what `b` does
  std::vector<std::size_t> each;        // others that do so, too, each alone
  bool is_any = false;                  // `b` does it as long as it has the one of `first` or one of `each`
  bool is_needed = false;               // `b` does not do it without `first`; where any is enough: without all of them
  std::vector<std::size_t> everything;  // those that it takes for all that differs
  bool is_backwards = false;            // it is `b` that does what `a` does, with them taken from `a`
  std::size_t runs = 0;                 // that were made to find out
  bool gave_up = false;                 // it would have taken too many: nothing is known
};

// Both sides must have programs. `difference` is the first row that differs.
[[nodiscard]] Reason find_reason(const Side& a, const Side& b, RowMaker& rows, std::size_t difference);

}  // namespace loopsim::cli

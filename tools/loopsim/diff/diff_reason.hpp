// The reason why two runs differ, found by experiment.
//
// Two sides differ in factors: fields of their profiles, settings, the seed, the document. One side is run with some
// factors taken from the other side, to find those that reproduce the other side's behaviour. The other side is run
// without these factors, to check that it does not behave so for another reason.
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
  enum class Kind : std::uint8_t { document, setting, seed, family, profile_field, library };
  Kind kind = Kind::document;
  const ProfileField* field = nullptr;
  std::string name;     // of a setting, a field, "seed", "the event loop", "Node's library" or "the scenario"
  std::string a_value;  // on side a; empty: not given there
  std::string b_value;
  std::string versions;  // of a field: versions with b's value
};

// Between the loops of two families: what of a browser's own makes it differ here. Found by runs of it with the values of other browsers.
struct BrowserReason {
  const ProfileField* field = nullptr;
  std::string browser, value;      // as it is
  std::string other, other_value;  // a browser with another value, with which the first difference is gone
  bool is_all = false;             // and with it all the others
};

struct Reason {
  std::vector<Factor> factors;          // all differences of the sides
  std::vector<std::size_t> first;       // with these `a` does what `b` does at the first difference
  std::vector<std::size_t> each;        // other factors with the same effect, each alone
  bool is_any = false;                  // `b` does it as long as it has one factor of `first` and `each`
  bool is_needed = false;               // `b` does not do it without `first`; if is_any: without `first` and `each`
  std::vector<std::size_t> everything;  // those with which `a` does all that `b` does
  bool is_backwards = false;            // roles swapped: `b` does what `a` does with factors from `a`
  std::size_t runs = 0;                 // experiments made
  bool gave_up = false;                 // the bound on runs or events was reached
  std::optional<BrowserReason> browser;
};

// Both sides must have programs. `difference` is the first row that differs.
[[nodiscard]] Reason find_reason(const Side& a, const Side& b, RowMaker& rows, std::size_t difference);

}  // namespace loopsim::cli

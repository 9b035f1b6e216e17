#include "tools/loopsim/plot/coincidence.hpp"

#include <algorithm>
#include <cmath>

namespace loopsim::cli {
namespace {

struct Comparison {
  std::size_t together = 0;
  std::size_t places = 0;  // where either has a height
  std::size_t fewest = 0;  // places of the one that has fewer
};

Comparison compare(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  Comparison result;
  std::size_t of_a = 0;
  std::size_t of_b = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const bool has_a = std::isfinite(a[i]);
    const bool has_b = std::isfinite(b[i]);
    if (has_a) ++of_a;
    if (has_b) ++of_b;
    if (has_a || has_b) ++result.places;
    if (has_a && has_b && std::abs(a[i] - b[i]) <= tolerance) ++result.together;
  }
  result.fewest = std::min(of_a, of_b);
  return result;
}

}  // namespace

std::vector<Company> lines_together(std::span<const std::vector<double>> lines, double tolerance) {
  std::vector<Company> all(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<bool> taken(lines.size(), false);
    std::vector<bool> dashes(lines.size(), false);
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      const Comparison found = compare(lines[earlier], lines[i], tolerance);
      if (found.together == 0 || found.together < std::min<std::size_t>(2, found.fewest)) continue;
      taken[all[earlier].rank] = true;
      if (2 * found.together >= found.fewest) dashes[all[earlier].dash] = true;
      if (!all[i].same_as && found.together == found.places) all[i].same_as = earlier;
    }
    while (taken[all[i].rank]) ++all[i].rank;
    while (dashes[all[i].dash]) ++all[i].dash;
  }
  return all;
}

}  // namespace loopsim::cli

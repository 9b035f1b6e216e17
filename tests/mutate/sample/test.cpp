#include "sim/sample/sample.hpp"

// Does not check the result of sample::log.
int main() {
  sample::log(3);
  const bool steps = sample::next(1) == 2 && sample::next(9) == 10 && sample::next(4) == 40 && sample::next(11) == 10;
  return steps && sample::is_even(4) && !sample::is_even(7) ? 0 : 1;
}

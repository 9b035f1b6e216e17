#include "sample.hpp"

#define IS_SMALL(value) ((value) < 10)

namespace sample {
namespace {
int calls = 0;
}

int next(int value) {
  if (value < 10 && value != 4) return value + 1;  // "<" in a comment is not mutated
  if (IS_SMALL(value)) return 40;
  return 10;
}

bool is_even(int value) { return value % 2 == 0; }

int log(int value) {
  ++calls;
  return twice(calls - value);
}

int nobody(int value) { return value > 3 ? 1 : 2; }
}  // namespace sample

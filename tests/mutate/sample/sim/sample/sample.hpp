#pragma once

namespace sample {
int next(int value);
bool is_even(int value);
int log(int value);
constexpr int twice(int value) { return value < 0 ? 0 : 2 * value; }
}  // namespace sample

// Prints the version of the installed loopsim; check.cmake compares it with the version that was installed.
#include <iostream>

#include <loopsim/version.hpp>

int main() { std::cout << loopsim::kVersion << '\n'; }

// Whether what the program needs can be linked without shared libraries (StaticProgram.cmake).
#include <fmt/format.h>

#include <cstdio>
#include <sqlite3.h>

int main() { std::puts(fmt::format("{} {:.3f} {:g}", sqlite3_libversion(), 0.5, 1e300).c_str()); }

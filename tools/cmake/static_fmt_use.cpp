// Whether what the program needs can be linked without shared libraries (StaticProgram.cmake).
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cstdio>
#include <sqlite3.h>

int main() {
  const boost::program_options::options_description options("options");
  std::puts(fmt::format("{} {:.3f} {:g} {}", sqlite3_libversion(), 0.5, 1e300, options.options().size()).c_str());
}

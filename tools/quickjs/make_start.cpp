// make_start FILE: starts Node's library as its default version does, and writes what the program's runs then start from
// (sim/quickjs/built_start.hpp). Runs once, when the program is built.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "sim/quickjs/built_start.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_start FILE\n", stderr);
    return 2;
  }
  std::string fault;
  const std::vector<std::uint8_t> start = loopsim::quickjs::make_start(fault);
  if (start.empty()) {
    std::fprintf(stderr, "make_start: the library's start cannot be kept\n%s", fault.c_str());
    return 1;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file.write(reinterpret_cast<const char*>(start.data()), static_cast<std::streamsize>(start.size()));
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "make_start: cannot write %s\n", argv[1]);
  return 1;
}

// make_builtins FOLDER FILE: compiles Node's own library, whose texts tools/node/take-library has put into FOLDER/VERSION, and writes the
// form that sim/quickjs/builtins.hpp reads. Runs when loopsim is built, and when tools/dev is asked for another version.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "sim/quickjs/builtins.hpp"
#include "sim/quickjs/instance.hpp"
#include "sim/quickjs/no_host.hpp"

namespace loopsim::quickjs {

namespace {

namespace fs = std::filesystem;

// What nothing here stands on: programs of their own (main, the inspector's, V8's tools), protocols and stores that are not simulated,
// and a compiler of TypeScript that is WebAssembly.
constexpr std::string_view kLeftOut[] = {
    "_debug", "inspector", "internal/bootstrap/", "internal/debugger/", "internal/deps/acorn", "internal/deps/amaro/",
    "internal/deps/node-inspect/", "internal/deps/v8/", "internal/http2/", "internal/inspector", "internal/main/",
    "internal/policy/", "internal/quic/", "internal/repl", "internal/sea", "internal/v8_prof", "internal/webstorage",
    "node-inspect/", "quic", "repl", "sqlite", "wasi",
};

bool is_left_out(std::string_view name) {
  for (const std::string_view start : kLeftOut)
    if (name.starts_with(start)) return true;
  return false;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int fail(const std::string& why) {
  std::fprintf(stderr, "make_builtins: %s\n", why.c_str());
  return 1;
}

int make(const fs::path& folder, const std::string& out) {
  NoHost host;
  Instance world(host);
  std::map<std::string, std::vector<std::uint8_t>> files;
  // Those that load the others, and give them what no module of a program has.
  const bool is_old = !fs::exists(folder / "internal/bootstrap/loaders.js") && !fs::exists(folder / "internal/bootstrap/realm.js");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".js") continue;
    const std::string name = entry.path().lexically_relative(folder).replace_extension().generic_string();
    if (is_left_out(name)) continue;
    std::optional<std::vector<std::uint8_t>> code = compile_builtin(world, {name, text_of(entry.path()), is_old});
    if (!code) {
      const Js error = world.take_exception();
      return fail(name + ": " + world.to_text(error));
    }
    files.emplace(name, std::move(*code));
  }
  if (files.empty()) return fail("no files in " + folder.string());
  const std::vector<std::uint8_t> bytes = write_builtins(folder.filename().string(), files);
  std::ofstream file(out, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file ? 0 : fail("cannot write " + out);
}

}  // namespace

}  // namespace loopsim::quickjs

int main(int argc, char** argv) {
  if (argc == 3) return loopsim::quickjs::make(argv[1], argv[2]);
  std::fputs("usage: make_builtins FOLDER/VERSION FILE\n", stderr);
  return 2;
}

// The form in which Node's own library comes (sim/quickjs/builtins.hpp).
#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

#include "loopsim/profile.hpp"

#include "sim/quickjs/builtins.hpp"
#include "sim/quickjs/no_host.hpp"

namespace loopsim::quickjs {

namespace {

std::vector<std::uint8_t> library_of(const std::map<std::string, std::string>& texts, std::string_view version = "1.2.3") {
  NoHost host;
  Instance world(host);
  std::map<std::string, std::vector<std::uint8_t>> files;
  for (const auto& [name, text] : texts) files.emplace(name, compile_builtin(world, {name, text}).value());
  return write_builtins(version, files);
}

}  // namespace

TEST_CASE("builtins: what is written is read, and runs in another world", "[quickjs]") {
  const std::vector<std::uint8_t> bytes = library_of({{"a", "exports.one = 1;"}, {"internal/b", "return primordials + 1;"}});
  const auto library = Builtins::read(bytes);
  REQUIRE(library.has_value());
  CHECK(library->version() == "1.2.3");
  CHECK(library->files().size() == 2);
  CHECK(library->code_of("c").empty());
  NoHost host;
  Instance world(host);
  const Js function = world.evaluate_compiled(library->code_of("internal/b"));
  REQUIRE(world.is_function(function));
  const Js arguments[] = {kUndefined, kUndefined, kUndefined, kUndefined, kUndefined, make_js(JsTag::integer, 41)};
  const Js result = world.call(function, kUndefined, arguments);
  CHECK(world.to_number(result) == 42);
  world.free(function);
}

TEST_CASE("builtins: of a file up to Node 8 the parameters are those of a module", "[quickjs]") {
  NoHost host;
  Instance world(host);
  CHECK(compile_builtin(world, {"old", "const internalBinding = 1, process = 2;", true}).has_value());
  CHECK(!compile_builtin(world, {"new", "const internalBinding = 1;", false}).has_value());
  world.free(world.take_exception());
}

TEST_CASE("builtins: a library that is cut off, or of another QuickJS, is none", "[quickjs]") {
  const std::vector<std::uint8_t> bytes = library_of({{"a", "exports.one = 1;"}});
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK(!Builtins::read(std::span<const std::uint8_t>(bytes).first(size)).has_value());
  for (const std::size_t at : {std::size_t{0}, Builtins::kMagic.size() + 4}) {
    std::vector<std::uint8_t> other = bytes;
    other[at] ^= 1U;
    CHECK(!Builtins::read(other).has_value());
  }
}

TEST_CASE("builtins: the default version's library is a part of the program", "[quickjs]") {
  REQUIRE(own_builtins() != nullptr);
  CHECK(own_builtins()->version() == default_profile().version);
  CHECK(!own_builtins()->code_of("stream").empty());
  CHECK(own_builtins()->code_of("internal/deps/acorn/acorn/dist/acorn").empty());
}

}  // namespace loopsim::quickjs

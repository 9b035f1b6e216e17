// Every document in tests/golden/errors is wrong, each in a way of its own; beside it stands all that loopsim says about it.
// LOOPSIM_BLESS=1 writes the expected texts anew: read them before you keep them.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/scenario.hpp"

#include "tests/support/files.hpp"

using loopsim::testing::read_file;

namespace {

std::string everything_said(const std::filesystem::path& path) {
  const loopsim::ReadResult result = loopsim::read_scenario(read_file(path), path.filename().string());
  std::string text;
  for (const loopsim::Diagnostic& diagnostic : result.diagnostics) text += to_string(diagnostic);
  CHECK(result.scenario.has_value() != has_errors(result.diagnostics));
  return text;
}

}  // namespace

TEST_CASE("every bad document is answered with the expected words", "[golden][errors]") {
  const bool bless = std::getenv("LOOPSIM_BLESS") != nullptr;
  const std::vector<std::filesystem::path> paths =
      loopsim::testing::documents_in(LOOPSIM_SOURCE_DIR "/tests/golden/errors");
  CHECK(paths.size() >= 60);
  for (const std::filesystem::path& path : paths) {
    INFO(path.filename().string());
    const std::string said = everything_said(path);
    CHECK_FALSE(said.empty());
    std::filesystem::path expected = path;
    expected.replace_extension(".expected");
    if (bless) std::ofstream(expected, std::ios::binary) << said;
    CHECK(said == read_file(expected));
  }
}

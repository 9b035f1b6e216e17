// Every scenario that ships and the trace it gives, as the text writer shows it; the summary holds the hash of the canonical
// trace, so that a change of a single byte of it is noticed. LOOPSIM_BLESS=1 writes the expected traces anew: read the
// difference before you keep it. Such a golden only proves that nothing changed; that it is right comes from real Node.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/program/program.hpp"
#include "tests/support/files.hpp"
#include "tests/support/simulate.hpp"

using loopsim::testing::read_file;

namespace {

namespace fs = std::filesystem;
const fs::path kScenarios = fs::path(LOOPSIM_SOURCE_DIR) / "scenarios";
const fs::path kTraces = fs::path(LOOPSIM_SOURCE_DIR) / "tests/golden/traces";

std::string trace_of(const fs::path& path) {
  const auto program = loopsim::testing::compile_text(read_file(path));
  loopsim::StringOutput output;
  const auto text = loopsim::make_text_writer(output);
  const auto hash = loopsim::make_hash_sink();
  loopsim::TraceSink* const sinks[] = {text.get(), hash.get()};
  loopsim::run(*program, sinks);
  return output.text() + "trace " + loopsim::format_hash(hash->hash()) + "\n";
}

}  // namespace

TEST_CASE("the traces of the scenarios that ship are as they were", "[golden]") {
  const std::vector<fs::path> paths = loopsim::testing::documents_in(kScenarios);
  REQUIRE_FALSE(paths.empty());
  for (const fs::path& path : paths) {
    // Their programs are JavaScript, for which this build may have no engine.
    if (path.parent_path().filename() == "browser" && loopsim::script_runner() == nullptr) continue;
    fs::path expected = kTraces / fs::relative(path, kScenarios);
    expected.replace_extension(".txt");
    INFO(expected.string());
    const std::string trace = trace_of(path);
    if (std::getenv("LOOPSIM_BLESS") != nullptr) {
      fs::create_directories(expected.parent_path());
      std::ofstream(expected, std::ios::binary) << trace;
    } else {
      REQUIRE(fs::exists(expected));
    }
    CHECK(trace == read_file(expected));
  }
}

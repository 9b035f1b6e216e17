// Traces survive writing and reading, and profiles can be mixed: for all shipped scenarios in every version of Node.
#include <algorithm>
#include <filesystem>

#include "loopsim/trace_reader.hpp"

#include "tests/support/every_run.hpp"
#include "tests/support/files.hpp"
#include "tests/support/scenario_files.hpp"
#include "tests/support/simulate.hpp"

using namespace loopsim;
using loopsim::testing::for_every_run;
using loopsim::testing::scenario_files;

namespace {

struct Written {
  std::string jsonl;
  std::string text;
};

// The writers' output for a run or for a trace that is read.
template <class Play>
Written written(const Play& play) {
  StringOutput jsonl;
  StringOutput text;
  const auto hash = make_hashing_jsonl_writer(jsonl);
  const auto text_writer = make_text_writer(text, {.color = true, .hash = hash.get()});
  TraceSink* const sinks[] = {hash.get(), text_writer.get()};
  play(sinks);
  return {jsonl.text(), text.text()};
}

}  // namespace

TEST_CASE("a trace that is read and written again is the same, in all formats", "[property][reader]") {
  const auto check = [](const Program& program, const Profile&, const auto&) {
    const Written original = written([&](std::span<TraceSink* const> sinks) { run(program, sinks); });
    const Written again = written([&](std::span<TraceSink* const> sinks) {
      const Diagnostics diagnostics = read_trace(original.jsonl, "trace.jsonl", sinks);
      CHECK(diagnostics.empty());
    });
    CHECK(again.jsonl == original.jsonl);
    CHECK(again.text == original.text);
  };
  for_every_run(check);
  testing::for_every_page(check);
}

TEST_CASE("lines with blanks, which the reader for any JSON takes, are read as those without", "[property][reader]") {
  const auto check = [](const Program& program, const Profile&, const auto&) {
    const Written original = written([&](std::span<TraceSink* const> sinks) { run(program, sinks); });
    std::string blanks;
    for (const char c : original.jsonl) {
      if (c == '{' && (blanks.empty() || blanks.back() == '\n')) {
        blanks.append("{ ");
      } else {
        blanks.push_back(c);
      }
    }
    const Written again =
        written([&](std::span<TraceSink* const> sinks) { CHECK(read_trace(blanks, "trace.jsonl", sinks).empty()); });
    CHECK(again.jsonl == original.jsonl);
    CHECK(again.text == original.text);
  };
  for_every_run(check);
  testing::for_every_page(check);
}

TEST_CASE("a trace of libuv alone that is read and written again is the same", "[property][reader]") {
  for (const char* const folder : {"/scenarios/libuv", "/tests/conformance/libuv"}) {
    for (const std::filesystem::path& path : testing::documents_in(std::string(LOOPSIM_SOURCE_DIR) + folder)) {
      if (path.parent_path().filename() == "node") continue;
      INFO(path.string());
      const ReadResult read = read_scenario(testing::read_file(path), path.string());
      REQUIRE(read.scenario);
      const auto program = compile(*read.scenario).program;
      const Written original = written([&](std::span<TraceSink* const> sinks) { run(*program, sinks); });
      const Written again = written(
          [&](std::span<TraceSink* const> sinks) { CHECK(read_trace(original.jsonl, "trace.jsonl", sinks).empty()); });
      CHECK(again.jsonl == original.jsonl);
      CHECK(again.text == original.text);
    }
  }
}

TEST_CASE("a trace in the compact form is read as its lines are, and has the same bytes when it is made of them",
          "[property][reader][compact]") {
  const auto check = [](const Program& program, const Profile&, const auto&) {
    const auto in_both = [](const auto& play) {
      StringOutput lines, columns;
      const auto jsonl = make_jsonl_writer(lines);
      const auto compact = make_compact_writer(columns);
      TraceSink* const sinks[] = {jsonl.get(), compact.get()};
      play(std::span<TraceSink* const>(sinks));
      return std::pair(lines.text(), columns.text());
    };
    const auto written = in_both([&](auto sinks) { run(program, sinks); });
    const std::string& lines = written.first;  // clang++ 14 hands no part of a pair to a lambda
    const std::string& columns = written.second;
    const auto [lines_of_columns, columns_of_columns] =
        in_both([&](auto sinks) { CHECK(read_trace(columns, "trace.compact", sinks).empty()); });
    CHECK(lines_of_columns == lines);
    CHECK(columns_of_columns == columns);
    const auto columns_of_lines =
        in_both([&](auto sinks) { CHECK(read_trace(lines, "trace.jsonl", sinks).empty()); }).second;
    CHECK(columns_of_lines == columns);
  };
  for_every_run(check);
  testing::for_every_page(check);
}

TEST_CASE("it does not matter where a trace is cut into pieces", "[property][reader]") {
  std::size_t size = 0;
  for_every_run([&size](const Program& program, const Profile&, const auto&) {
    const Written original = written([&](std::span<TraceSink* const> sinks) { run(program, sinks); });
    size = size % 97 + 1;  // varies from run to run
    const Written again = written([&](std::span<TraceSink* const> sinks) {
      const auto reader = make_trace_reader("trace.jsonl", sinks);
      for (std::size_t i = 0; i < original.jsonl.size(); i += size) {
        reader->read(std::string_view(original.jsonl).substr(i, size));
      }
      reader->finish();
      CHECK(reader->diagnostics().empty());
    });
    CHECK(again.jsonl == original.jsonl);
  });
}

TEST_CASE("a trace that is cut off anywhere is no trace", "[property][reader]") {
  for (const auto& path : scenario_files()) {
    const ReadResult read = read_scenario(testing::read_file(path), path.string());
    if (!read.scenario) continue;
    const std::string jsonl = testing::simulate(*compile(*read.scenario).program).jsonl;
    if (jsonl.size() > 20'000) continue;  // quadratic time
    bool ok = true;
    for (std::size_t size = 0; size + 1 < jsonl.size(); size += 7) {
      StringOutput output;
      const auto writer = make_jsonl_writer(output);
      TraceSink* const sinks[] = {writer.get()};
      ok = ok && !read_trace(std::string_view(jsonl).substr(0, size), "cut.jsonl", sinks).empty();
    }
    INFO(path.string());
    CHECK(ok);
  }
}

TEST_CASE("a trace with a wrong byte is told about, or means something and is then read back", "[property][reader]") {
  const std::string jsonl = testing::simulate(R"({ "main": [
    { "setTimeout": 5, "as": "t", "do": [ { "log": "é \" \n" } ] },
    { "fs": "read", "takes": "3ms", "do": [ { "throw": "no" } ] }, { "promise": "p" }, { "reject": "p", "error": "x" },
    { "on": "process", "event": "uncaughtException", "do": [] } ] })")
                                .jsonl;
  REQUIRE(jsonl.size() > 1000);
  const std::string bytes("\0\n \"\\{}[],:-09aue\x7f\xc3\xff", 20);
  std::size_t accepted = 0;
  bool ok = true;
  for (std::size_t i = 0; i < jsonl.size(); ++i) {
    for (const char byte : bytes) {
      std::string changed = jsonl;
      changed[i] = byte;
      const auto play = [](const std::string& text, std::string& output) {
        StringOutput written;
        const auto writer = make_jsonl_writer(written);
        TraceSink* const sinks[] = {writer.get()};
        const bool is_trace = read_trace(text, "t.jsonl", sinks).empty();
        output = written.text();
        return is_trace;
      };
      std::string once;
      std::string twice;
      if (!play(changed, once)) continue;
      ++accepted;
      ok = ok && play(once, twice) && once == twice;
    }
  }
  CHECK(ok);
  CHECK(accepted == 5427);  // changed digits, and letters of names
}

TEST_CASE("a profile with the fields of another does what that does", "[property][profiles]") {
  for_every_run([](const Program& program, const Profile& profile, const auto&) {
    for (const Profile& other : profiles()) {
      if (other.major > profile.major) break;  // the scenario's features may be missing in older versions
      Profile mixed = other;
      for (const ProfileField& field : profile_fields()) field.copy(mixed, profile);
      const auto hash = make_hash_sink();
      const auto expected = make_hash_sink();
      TraceSink* const sinks[] = {hash.get()};
      TraceSink* const expected_sinks[] = {expected.get()};
      run(*with_profile(program, mixed), sinks);
      run(program, expected_sinks);
      CHECK(hash->hash() == expected->hash());
    }
  });
}

TEST_CASE("a run ends under any profile with one field of its neighbour's", "[property][profiles]") {
  for_every_run([](const Program& program, const Profile& profile, const auto&) {
    const auto all = profiles();
    const auto next = static_cast<std::size_t>(&profile - all.data()) + 1;
    if (next == all.size()) return;
    for (const ProfileField& field : profile_fields()) {
      if (field.same(profile, all[next])) continue;
      Profile mixed = profile;
      field.copy(mixed, all[next]);
      CHECK(field.same(mixed, all[next]));
      const testing::Run run = testing::simulate(*with_profile(program, mixed));
      CHECK(run.summary.events == run.events.size());
      CHECK(run.events.back().event.kind == EventKind::exit);
    }
  });
}

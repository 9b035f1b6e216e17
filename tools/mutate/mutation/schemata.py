"""Inserts all faults into the sources at once, each behind a switch set by the environment at program start."""

from __future__ import annotations

from mutation.sites import Site

VARIABLE = "LOOPSIM_MUTANT"  # number of the active fault; `record`: no fault, record the reached places
MOST = 10_000  # maximum number of faults in one copy
RECORD_FILE = "LOOPSIM_MUTANT_REACHED"

HEADER = """// Included first into every source of the copy, by the compiler's -include.
#pragma once
namespace mutation {
extern int chosen;  // 0 none, -1 only notes what is reached
bool look(int fault) noexcept;
void note_test(const char* name) noexcept;  // ends what was reached by one test case
inline bool on(int fault) noexcept { return chosen != 0 && look(fault); }
inline bool flip(int fault, bool value) noexcept { return value != on(fault); }
}  // namespace mutation
"""

SOURCE = """// Which fault is on: read once, before anything else of the program runs.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
namespace mutation {
int chosen = 0;
namespace {
std::array<std::atomic<bool>, %(size)d> reached{};
void write_line(const char* line, int size) noexcept {
  const char* path = std::getenv("%(file)s");
  if (path == nullptr) return;
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return;
  if (write(file, line, static_cast<unsigned long>(size)) < 0) { /* a test that allows no writing */ }
  close(file);
}
__attribute__((constructor(101))) void read_environment() {
  const char* word = std::getenv("%(variable)s");
  if (word == nullptr) return;
  chosen = std::strcmp(word, "record") == 0 ? -1 : std::atoi(word);
}
}  // namespace
bool look(int fault) noexcept {
  if (chosen == fault) return true;
  if (chosen == -1 && !reached[static_cast<unsigned long>(fault)].exchange(true, std::memory_order_relaxed)) {
    std::array<char, 32> line;
    write_line(line.data(), std::snprintf(line.data(), line.size(), "%%d\\n", fault));
  }
  return false;
}
void note_test(const char* name) noexcept {
  if (chosen != -1) return;
  for (auto& one : reached) one.store(false);
  std::array<char, 400> line;
  write_line(line.data(), std::snprintf(line.data(), line.size(), "= %%.380s\\n", name));
}
}  // namespace mutation
"""

# Appended to the main file of the Catch2 tests.
LISTENER = """
namespace {
struct NoteTests : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo&) override {
    mutation::note_test("");
    start = std::chrono::steady_clock::now();
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
    mutation::note_test((std::to_string(took) + " " + stats.testInfo.name).c_str());
  }
  std::chrono::steady_clock::time_point start;
};
CATCH_REGISTER_LISTENER(NoteTests)
}  // namespace
"""


def with_faults(text: bytes, faults: list[tuple[int, Site]]) -> bytes:
    """Returns the file with its faults, which must not overlap. Line numbers stay, so that compiler errors identify the faults."""
    parts, at = [], 0
    for number, site in sorted(faults, key=lambda fault: fault[1].start):
        lines = text[site.start:site.end].count(b"\n")
        schema = b" ".join(site.schema.encode().split(b"\n")).replace(b"@", str(number).encode())
        parts += [text[at:site.start], schema, b"\n" * lines]
        at = site.end
    return b"".join([*parts, text[at:]])


def switch_source() -> str:
    return SOURCE % {"size": MOST, "file": RECORD_FILE, "variable": VARIABLE}

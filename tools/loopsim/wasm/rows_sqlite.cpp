// In WebAssembly there is no SQLite.
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/rows_reader.hpp"
#include "tools/loopsim/sweep/sweep_rows.hpp"

namespace loopsim::cli {

std::unique_ptr<RowWriter> make_sqlite_writer(std::span<const Column> /*columns*/, ByteOutput& /*output*/) {
  report_error("this build, WebAssembly, writes no SQLite database: take csv or jsonl, or the native program");
  return nullptr;
}

bool read_sqlite_rows(const std::string& path, const RowTakers& /*takers*/) {
  report_error("could not read " + path + ": this build, WebAssembly, reads no SQLite database: take csv or jsonl, or the native program");
  return false;
}

}  // namespace loopsim::cli

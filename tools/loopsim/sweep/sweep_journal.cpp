#include "tools/loopsim/sweep/sweep_journal.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#if !defined(__wasi__)
#include <sys/file.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/sweep/row_text.hpp"

namespace loopsim::cli {
namespace {

// Calls use(line, offset) for every complete line, newline included, until it returns false. Bytes after the last
// newline are ignored: a write that was cut off. False if the file could not be read (error reported).
bool for_each_whole_line(const std::string& path, const std::function<bool(std::string_view, std::uint64_t)>& use) {
  std::string rest;
  std::uint64_t offset = 0;
  return read_pieces(path, [&](std::string_view piece) {
    rest.append(piece);
    std::size_t begin = 0;
    while (true) {
      const std::size_t newline = rest.find('\n', begin);
      if (newline == std::string::npos) break;
      const std::size_t size = newline + 1 - begin;
      if (!use(std::string_view(rest).substr(begin, size), offset)) return false;
      offset += size;
      begin = newline + 1;
    }
    rest.erase(0, begin);
    return true;
  });
}

struct OpenedFile {
  int descriptor = -1;
  int error = 0;  // EEXIST: a journal exists, unlocked; EWOULDBLOCK: it is locked by another process
};

// Whether `path` still names `file`: a sweep removes its journal when it finishes.
bool is_at(const std::string& path, int file) {
  struct stat there {};
  struct stat own {};
  return ::stat(path.c_str(), &there) == 0 && ::fstat(file, &own) == 0 && there.st_dev == own.st_dev &&
         there.st_ino == own.st_ino;
}

// Opens and locks a journal: a new one, or with `resume` also an existing one. If it finds the journal of another
// process between opening and locking, or just removed, it retries, for about a tenth of a second at most.
OpenedFile open_locked(const std::string& path, bool resume) {
  constexpr int kMostTries = 100;
  constexpr timespec kPause = {0, 1'000'000};
  OpenedFile opened;
  for (int attempt = 0; attempt < kMostTries; ++attempt) {
    bool is_ours = true;
    opened = {::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666), 0};
    if (opened.descriptor < 0 && errno == EEXIST) {
      is_ours = false;
      opened.descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
      if (opened.descriptor < 0 && errno == ENOENT) continue;  // removed in the meantime: its sweep has finished
    }
    if (opened.descriptor < 0) return {-1, errno};
#if defined(__wasi__)  // has no locks
    const bool is_locked = true;
#else
    const bool is_locked = ::flock(opened.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
#endif
    const bool is_there = is_at(path, opened.descriptor);
    struct stat status {};
    const bool is_empty = ::fstat(opened.descriptor, &status) == 0 && status.st_size == 0;
    if (is_there && is_locked && is_ours) return opened;
    ::close(opened.descriptor);
    opened = {-1, is_locked ? EEXIST : EWOULDBLOCK};
    if (is_there && (!is_locked || !is_empty)) return opened;
    ::nanosleep(&kPause, nullptr);
  }
  return opened;
}

}  // namespace

std::variant<std::unique_ptr<SweepJournal>, ExitStatus> SweepJournal::open(const std::string& path,
                                                                           const std::string& header, bool resume) {
  const auto [file, error] = open_locked(path, resume);
  if (error == EEXIST) {
    report_error(
        fmt::format("an earlier sweep was not finished: {} has its runs. --resume goes on with it; to begin anew, "
                    "remove that file",
                    path));
    return ExitStatus::bad_input;
  }
  if (error == EWOULDBLOCK) {
    report_error("another loopsim is at work on this sweep: it has locked " + path);
    return ExitStatus::bad_input;
  }
  if (error != 0) {
    report_system_error("write", path, error);
    return ExitStatus::output_failed;
  }
  std::unique_ptr<SweepJournal> journal(new SweepJournal(path, file));

  std::string there;  // the first line
  const bool was_read = for_each_whole_line(path, [&there](std::string_view line, std::uint64_t) {
    there = line.substr(0, line.size() - 1);
    return false;
  });
  if (!was_read) return ExitStatus::bad_input;
  if (there.empty()) {  // a new file, or one cut off in its first line
    if (::ftruncate(file, 0) == 0 && journal->write(header + "\n")) return journal;
    journal->remove();  // it has no rows
    return ExitStatus::output_failed;
  }
  const std::string different = difference_of_sweeps(there, header);
  const std::optional<StoredSweep> sweep = different.empty() ? parse_header(there) : std::nullopt;
  if (!sweep) {
    report_error(fmt::format("{} is not of this sweep: {}. To begin anew, remove that file", path, different));
    return ExitStatus::bad_input;
  }
  if (!journal->read_back(*sweep)) return ExitStatus::bad_input;
  return journal;
}

SweepJournal::~SweepJournal() { ::close(file_); }

bool SweepJournal::read_back(const StoredSweep& sweep) {
  std::uint64_t number = 0;
  bool good = true;
  const bool was_read = for_each_whole_line(path_, [&](std::string_view line, std::uint64_t offset) {
    ++number;
    end_ = offset + line.size();
    if (number == 1) return true;
    const auto cells = parse_row(line.substr(0, line.size() - 1), sweep.columns.size());
    good = cells && !rows_.contains(run_of(*cells));
    if (!good) return false;
    std::vector<double>& values = known_[run_of(*cells)];
    for (const std::size_t metric : sweep.metrics) {
      values.push_back(number_of((*cells)[metric]).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    rows_.emplace(run_of(*cells), Place{offset, line.size()});
    return true;
  });
  if (!good) report_error(fmt::format("line {} of {} is no row of a sweep, or one twice", number, path_));
  if (!was_read || !good) return false;
  if (::ftruncate(file_, static_cast<off_t>(end_)) == 0) return true;
  report_system_error("write", path_, errno);
  return false;
}

std::span<const double> SweepJournal::known(std::uint64_t run) const {
  const auto found = known_.find(run);
  if (found == known_.end()) return {};
  return found->second;
}

bool SweepJournal::add(const Row& row) {
  const std::string line = row_line(row.cells);
  const std::uint64_t offset = end_;
  if (!write(line)) return false;
  rows_.emplace(row.run, Place{offset, line.size()});
  return true;
}

bool SweepJournal::write(std::string_view line) {
  while (!line.empty()) {
    // The caller owns the text, which outlives this call; cppcheck reports it as dangling.
    // cppcheck-suppress invalidLifetime
    const ssize_t written = ::pwrite(file_, line.data(), line.size(), static_cast<off_t>(end_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      report_system_error("write", path_, written == 0 ? ENOSPC : errno);
      return false;
    }
    end_ += static_cast<std::uint64_t>(written);
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool SweepJournal::for_each_line(const std::function<void(std::string_view)>& use) const {
  constexpr std::size_t kPiece = 64 << 10;  // rows that follow each other are mostly read together
  std::string piece;
  std::uint64_t begin = 0;  // of the piece, in the file
  for (const auto& [run, place] : rows_) {
    if (place.offset < begin || place.offset + place.size > begin + piece.size()) {
      begin = place.offset;
      if (!read(piece, begin, place.size, std::max<std::size_t>(place.size, kPiece))) return false;
    }
    use(std::string_view(piece).substr(place.offset - begin, place.size));
  }
  return true;
}

bool SweepJournal::read(std::string& piece, std::uint64_t offset, std::size_t least, std::size_t most) const {
  piece.resize(most);
  std::size_t have = 0;
  while (have < least) {
    const ssize_t count = ::pread(file_, piece.data() + have, most - have, static_cast<off_t>(offset + have));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      report_system_error("read", path_, count == 0 ? EIO : errno);
      return false;
    }
    have += static_cast<std::size_t>(count);
  }
  piece.resize(have);
  return true;
}

void SweepJournal::remove() { ::unlink(path_.c_str()); }

}  // namespace loopsim::cli

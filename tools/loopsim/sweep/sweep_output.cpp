#include "tools/loopsim/sweep/sweep_output.hpp"

#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"
#include "tools/loopsim/sweep/row_text.hpp"
#include "tools/loopsim/sweep/shard_file.hpp"
#include "tools/loopsim/sweep/sweep_journal.hpp"

namespace loopsim::cli {
namespace {

class NoOutput final : public SweepOutput {
 public:
  [[nodiscard]] bool take(Row&&) override { return true; }
  void complete_below(std::uint64_t) override {}
  [[nodiscard]] bool finish() override { return true; }
};

// A regular file.
class JournalledOutput final : public SweepOutput {
 public:
  JournalledOutput(const Study& study, OutputRequest request, std::string header, std::unique_ptr<SweepJournal> journal)
      : study_(study),
        request_(std::move(request)),
        header_(std::move(header)),
        journal_(std::move(journal)),
        already_(journal_->size()) {}

  [[nodiscard]] std::uint64_t already() const override { return already_; }
  [[nodiscard]] std::span<const double> known(std::uint64_t run) const override { return journal_->known(run); }
  [[nodiscard]] bool for_each_earlier(const std::function<bool(std::span<const Cell>)>& use) const override {
    bool good = true;
    const std::size_t columns = shape_of(study_).columns.size();
    const bool read = journal_->for_each_line([&](std::string_view line) {
      const auto cells = good ? parse_row(line.substr(0, line.size() - 1), columns) : std::nullopt;
      if (cells) good = use(*cells);
    });
    return read && good;
  }
  [[nodiscard]] bool take(Row&& row) override { return journal_->add(row); }
  void complete_below(std::uint64_t) override {}

  [[nodiscard]] bool finish() override {
    OutputFile file(request_.path);
    const bool written = request_.is_shard ? write_shard(file) : write_rows(file);
    if (!written || !file.finish()) return false;
    journal_->remove();
    return true;
  }

 private:
  [[nodiscard]] bool write_shard(OutputFile& file) const {
    file.write(header_ + "\n");
    const bool read = journal_->for_each_line([&file](std::string_view line) { file.write(line); });
    file.write(end_line(journal_->size()));
    return read;
  }

  [[nodiscard]] bool write_rows(OutputFile& file) const {
    const std::vector<Column>& columns = shape_of(study_).columns;
    const std::unique_ptr<RowWriter> writer = make_row_writer(request_.format, columns, file);
    if (writer == nullptr) return false;
    const bool read = journal_->for_each_line([&](std::string_view line) {
      if (const auto cells = parse_row(line.substr(0, line.size() - 1), columns.size())) writer->row(*cells);
    });
    return read && writer->finish();
  }

  const Study& study_;
  OutputRequest request_;
  std::string header_;
  std::unique_ptr<SweepJournal> journal_;
  std::uint64_t already_;
};

// An existing finished shard: all runs are known, none is made.
class FinishedOutput final : public SweepOutput {
 public:
  explicit FinishedOutput(std::string path) : path_(std::move(path)) {}

  void add(const StoredSweep& sweep, const std::vector<Cell>& cells) {
    std::vector<double>& values = known_[run_of(cells)];
    for (const std::size_t metric : sweep.metrics) {
      values.push_back(number_of(cells[metric]).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }

  [[nodiscard]] bool for_each_earlier(const std::function<bool(std::span<const Cell>)>& use) const override {
    ShardFile file(path_);
    if (file.open() != ShardFile::Opened::good) return false;
    while (file.advance() && !file.at_end()) {
      if (!use(file.cells())) return false;
    }
    if (!file.at_end()) report_error(file.problem());
    return file.at_end();
  }
  [[nodiscard]] std::uint64_t already() const override { return known_.size(); }
  [[nodiscard]] std::span<const double> known(std::uint64_t run) const override {
    const auto found = known_.find(run);
    if (found == known_.end()) return {};
    return found->second;
  }
  [[nodiscard]] bool take(Row&& row) override {
    report_error(fmt::format("{} is not whole: it has no run {}. To make it again, remove that file", path_, row.run));
    return false;
  }
  void complete_below(std::uint64_t) override {}
  [[nodiscard]] bool finish() override { return true; }

 private:
  std::string path_;
  std::map<std::uint64_t, std::vector<double>> known_;
};

// The finished shard at the request's path. Null: incomplete, to be made again. A status, after reporting the error: it
// is unreadable, or not of this sweep.
std::variant<std::unique_ptr<SweepOutput>, ExitStatus> finished_shard(const Study& study, const OutputRequest& request,
                                                                      const std::string& header) {
  ShardFile file(request.path);
  const ShardFile::Opened opened = file.open();
  if (opened == ShardFile::Opened::unreadable) return ExitStatus::bad_input;
  const std::string different =
      opened == ShardFile::Opened::good ? difference_of_sweeps(file.sweep().header, header) : "it is no sweep";
  if (!different.empty()) {
    report_error(
        fmt::format("{0} is not of this sweep: {1}. To begin anew, remove that file", request.path, different));
    return ExitStatus::bad_input;
  }
  auto output = std::make_unique<FinishedOutput>(request.path);
  std::string problem;
  while (!file.at_end() && problem.empty()) {
    if (!file.advance()) {
      problem = file.problem();
    } else if (!file.at_end()) {
      output->add(file.sweep(), file.cells());
    }
  }
  const std::uint64_t runs = runs_of(study, request.shard);
  if (problem.empty() && !spec_of(study).stopping && file.rows() != runs) {
    problem = fmt::format("{} has {} rows instead of {}", request.path, file.rows(), runs);
  }
  if (problem.empty()) {
    report_error(request.path + " is finished, and of this sweep: nothing is run");
    return output;
  }
  report_error(problem + ": it is made again");
  return std::unique_ptr<SweepOutput>();
}

// Whether there is a nonempty file, possibly of a finished sweep, and no journal.
bool is_finished(const std::string& path, const std::string& journal) {
  return !exists(journal) && file_size(path).value_or(0) > 0;
}

bool is_stream(const std::string& path) { return path == "-" || (exists(path) && !is_regular_file(path)); }

}  // namespace

std::variant<std::unique_ptr<SweepOutput>, ExitStatus> open_sweep_output(const Study& study,
                                                                         const OutputRequest& request) {
  if (request.none) return std::make_unique<NoOutput>();
  if (is_stream(request.path)) return open_streamed_output(study, request);
  std::string header = stored_header(study, request.shard, request.format);
  const std::string journal = request.path + ".partial";
  if (request.resume && is_finished(request.path, journal)) {
    if (!request.is_shard) {
      report_error(
          fmt::format("there is nothing to resume: {0} is there, and no journal {1}. Rows do not tell which sweep "
                      "they are all of; to run it again, leave out --resume or remove {0}",
                      request.path, journal));
      return ExitStatus::bad_input;
    }
    auto finished = finished_shard(study, request, header);
    const auto* const output = std::get_if<std::unique_ptr<SweepOutput>>(&finished);
    if (output == nullptr || *output != nullptr) return finished;
  }
  auto opened = SweepJournal::open(journal, header, request.resume);
  if (const auto* const status = std::get_if<ExitStatus>(&opened)) return *status;
  return std::make_unique<JournalledOutput>(study, request, std::move(header),
                                            std::move(std::get<std::unique_ptr<SweepJournal>>(opened)));
}

}  // namespace loopsim::cli

#include "tools/loopsim/sweep_output.hpp"

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "tools/loopsim/output_file.hpp"
#include "tools/loopsim/sweep_journal.hpp"

namespace loopsim::cli {
namespace {

// Standard output, a pipe, a device.
class StreamedOutput final : public SweepOutput {
 public:
  StreamedOutput(const Study& study, const OutputRequest& request)
      : file_(request.path), writer_(make_row_writer(request.format, shape_of(study).columns, file_)) {}

  [[nodiscard]] bool failed() const { return writer_ == nullptr; }

  [[nodiscard]] bool take(Row&& row) override {
    waiting_.emplace(row.run, std::move(row.cells));
    return !file_.failed();
  }
  [[nodiscard]] bool reports_late() const override { return true; }

  void complete_below(std::uint64_t run) override {
    while (!waiting_.empty() && waiting_.begin()->first < run) {
      writer_->row(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
  }

  [[nodiscard]] bool finish() override {
    const bool made = writer_->finish();
    return file_.finish() && made;
  }

 private:
  OutputFile file_;
  std::unique_ptr<RowWriter> writer_;
  std::map<std::uint64_t, std::vector<Cell>> waiting_;
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

bool is_stream(const std::string& path) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(path, none);
  return path == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status));
}

}  // namespace

std::variant<std::unique_ptr<SweepOutput>, ExitStatus> open_sweep_output(const Study& study,
                                                                         const OutputRequest& request) {
  if (is_stream(request.path)) {
    auto output = std::make_unique<StreamedOutput>(study, request);
    if (output->failed()) return ExitStatus::bad_input;
    return output;
  }
  std::string header = stored_header(study, request.shard, request.format);
  auto opened = SweepJournal::open(request.path + ".partial", header, request.resume);
  if (const auto* const status = std::get_if<ExitStatus>(&opened)) return *status;
  return std::make_unique<JournalledOutput>(study, request, std::move(header),
                                            std::move(std::get<std::unique_ptr<SweepJournal>>(opened)));
}

}  // namespace loopsim::cli

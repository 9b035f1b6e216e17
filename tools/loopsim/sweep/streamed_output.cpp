#include <map>
#include <utility>

#include "tools/loopsim/io/output_file.hpp"
#include "tools/loopsim/sweep/sweep_output.hpp"

namespace loopsim::cli {
namespace {

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

}  // namespace

std::variant<std::unique_ptr<SweepOutput>, ExitStatus> open_streamed_output(const Study& study,
                                                                            const OutputRequest& request) {
  auto output = std::make_unique<StreamedOutput>(study, request);
  if (output->failed()) return ExitStatus::bad_input;
  return output;
}

}  // namespace loopsim::cli

// The runtimes that the playground does not offer, in their places: pages in a browser and models of I/O, of which its page shows
// nothing yet. With them its first load would weigh a thirtieth more.
#include "sim/explain/io_explainer.hpp"
#include "sim/io/process.hpp"
#include "sim/page/io_page.hpp"
#include "sim/program/run_info.hpp"
#include "sim/quickjs/run_page.hpp"
#include "sim/scenario/reader.hpp"
#include "sim/study/io_metrics.hpp"
#include "sim/trace/io_text_writer.hpp"
#include "sim/trace/svg_columns.hpp"
#include "sim/trace/tracer.hpp"

namespace loopsim {

namespace {

// A run that says so.
RunSummary run_nothing(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  Position position;
  Tracer tracer(position, sinks);
  tracer.begin(run_info_of(program, seed, 0));
  tracer.add_text(EventKind::error_log, "the playground's engine has no such runtime: use the program, or npx loopsim");
  RunSummary summary;
  summary.exit_code = 1;
  tracer.end(summary);
  return summary;
}

class NothingExplained final : public Explainer {
 public:
  void begin(const RunInfo& /*info*/) override {}
  void events(const EventBatch& /*batch*/) override {}
  void end(const RunSummary& /*summary*/) override {}
  [[nodiscard]] std::span<const std::uint64_t> callbacks() const override { return {}; }
  [[nodiscard]] Explanation outline(std::uint64_t /*callback*/) const override { return {}; }
  [[nodiscard]] Explanation explanation(std::uint64_t /*callback*/) const override { return {}; }
  [[nodiscard]] std::span<const Explanation> explanations() const override { return {}; }
};

}  // namespace

namespace quickjs {

RunSummary run_page(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  return run_nothing(program, seed, sinks);
}

}  // namespace quickjs

namespace io {

RunSummary run(const Program& program, std::uint64_t seed, std::span<TraceSink* const> sinks) {
  return run_nothing(program, seed, sinks);
}

}  // namespace io

void Reader::read_io(NodeIndex root) { error(root, "the playground's engine has no models of I/O"); }

std::unique_ptr<Explainer> make_io_explainer(Language /*language*/) { return std::make_unique<NothingExplained>(); }

std::unique_ptr<TraceSink> make_io_text_writer(ByteOutput& /*output*/, const TextOptions& /*options*/) {
  return make_hash_sink();
}

std::unique_ptr<TraceSink> make_svg_columns(ByteOutput& /*output*/, const SvgOptions& /*options*/) {
  return make_hash_sink();
}

std::unique_ptr<TraceSink> make_io_page(ByteOutput& /*output*/, const HtmlOptions& /*options*/) {
  return make_hash_sink();
}

namespace study {

std::vector<Column> io_metric_columns(const MetricsOptions& /*options*/) { return {}; }
std::vector<std::string> io_distribution_names(const MetricsOptions& /*options*/) { return {}; }
std::unique_ptr<MetricsSink> make_io_metrics_sink(const MetricsOptions& /*options*/) { return nullptr; }

}  // namespace study

}  // namespace loopsim

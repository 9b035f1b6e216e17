#include "sim/page/io_page.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "loopsim/words.hpp"

#include "sim/trace/call_lines.hpp"
#include "sim/trace/svg_columns.hpp"
#include "sim/trace/svg_text.hpp"

namespace loopsim {
namespace {

constexpr int kHeight = 30'000;           // of the drawing, in pixels
constexpr std::size_t kMostLines = 2000;  // of calls of a process

constexpr std::string_view kStyle =
    "body{font:15px/1.5 sans-serif;color:#1a1a1a;background:#fff;margin:24px}"
    "svg{max-width:100%;height:auto}pre{font:13px/1.4 monospace;background:#f6f6f6;padding:12px;overflow-x:auto}"
    ".calls{display:flex;flex-wrap:wrap;gap:16px}";

class IoPage final : public TraceSink {
 public:
  IoPage(ByteOutput& output, const HtmlOptions& options)
      : output_(output),
        document_(options.document),
        file_(options.file),
        language_(options.language.value_or(Language::english)),
        drawing_(make_svg_columns(svg_, {.hash = options.hash, .height = kHeight, .language = language_})) {}

  void begin(const RunInfo& info) override {
    title_ = info.title.empty() ? file_ : std::string(info.title);
    names_.assign(info.names.begin(), info.names.end());
    drawing_->begin(info);
  }

  void events(const EventBatch& batch) override {
    names_.insert(names_.end(), batch.new_names.begin(), batch.new_names.end());
    for (const Event& event : batch.events) {
      CallLines& process = processes_[event.loop];
      process.take(event, batch.text_of(event),
                   event.name < names_.size() ? std::string_view(names_[event.name]) : std::string_view());
      keep(event.loop, process);
    }
    drawing_->events(batch);
  }

  void end(const RunSummary& summary) override {
    drawing_->end(summary);
    output_.write(fmt::format(
        "<!doctype html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{}</title>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<style>{}</style></head>\n<body>\n<main>\n",
        language_ == Language::chinese ? "zh-CN" : "en", xml_text(title_), kStyle));
    const std::string_view drawn = svg_.text();
    output_.write(drawn.substr(drawn.find("<svg")));  // without the declaration of XML
    output_.write(fmt::format("<h2>{}</h2>\n<div class=\"calls\">\n", say(language_, Word::io_system_call)));
    for (auto& [number, process] : processes_) {
      process.end();
      keep(number, process);
      output_.write(fmt::format("<section><h3>{}</h3>\n<pre>", xml_text(process.model())));
      for (const std::string& line : lines_[number]) output_.write(xml_text(line) + "\n");
      output_.write("</pre></section>\n");
    }
    output_.write(fmt::format("</div>\n<h2>{}</h2>\n<pre>{}</pre>\n</main>\n</body>\n</html>\n", xml_text(file_),
                              xml_text(document_)));
  }

 private:
  void keep(std::uint16_t number, CallLines& process) {
    std::vector<std::string>& kept = lines_[number];
    for (std::string& line : process.lines()) {
      if (kept.size() == kMostLines) kept.emplace_back("...");
      if (kept.size() > kMostLines) break;
      kept.push_back(std::move(line));
    }
    process.lines().clear();
  }

  ByteOutput& output_;
  std::string document_, file_, title_;
  Language language_;
  StringOutput svg_;
  std::unique_ptr<TraceSink> drawing_;
  std::vector<std::string> names_;
  std::map<std::uint16_t, CallLines> processes_;
  std::map<std::uint16_t, std::vector<std::string>> lines_;
};

}  // namespace

std::unique_ptr<TraceSink> make_io_page(ByteOutput& output, const HtmlOptions& options) {
  return std::make_unique<IoPage>(output, options);
}

}  // namespace loopsim

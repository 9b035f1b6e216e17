// A static timeline as SVG 1.1, for slides and papers.
//
// Shapes, hatching and words carry the meaning; colours only help. Coordinates are whole pixels, fonts are generic
// families, and there is no script, style sheet or external reference, so that all viewers render it alike.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loopsim/text.hpp"
#include "loopsim/time_text.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/by_runtime.hpp"
#include "sim/trace/fold_words.hpp"
#include "sim/trace/svg_columns.hpp"
#include "sim/trace/svg_layout.hpp"
#include "sim/trace/svg_page.hpp"
#include "sim/trace/svg_text.hpp"
#include "sim/trace/svg_timeline.hpp"
#include "sim/trace/text_words.hpp"

namespace loopsim {
namespace {

constexpr int kTitleSize = 16;
constexpr int kBarWidth = SvgLayout::kBar;
constexpr int kFootLine = 17;
constexpr int kLegendGlyph = 26;
constexpr std::size_t kMostNotes = 6;  // below the drawing

constexpr std::size_t kMostWaiting = 5;  // named at the end of a run that a limit stopped

using namespace svg;  // NOLINT(google-build-using-namespace)

std::string circle(int x, int y, int r) {
  return fmt::format("M{} {}a{} {} 0 1 0 {} 0a{} {} 0 1 0 {} 0Z", x - r, y, r, r, 2 * r, r, r, -2 * r);
}
std::string diamond(int x, int y, int r) {
  return fmt::format("M{} {}L{} {}L{} {}L{} {}Z", x, y - r, x + r, y, x, y + r, x - r, y);
}

// The mark of a note at its callback and below the drawing: "(1)".
std::string note_mark(std::span<const CallbackNote> notes, const CallbackNote& note) {
  return fmt::format("({})", &note - notes.data() + 1);
}

// ---- the drawing ---------------------------------------------------------------------------------------------------------------

class Drawing {
 public:
  Drawing(Page& page, const DrawnTimeline& timeline, const SvgLayout& layout, std::span<const CallbackNote> notes,
          Language language)
      : page_(page), timeline_(timeline), layout_(layout), notes_(notes), language_(language) {}

  void draw(int head) {
    draw_heads(head);
    draw_axis();
    draw_phases();
    draw_work();
    draw_stalls();
    draw_lives();
    draw_callbacks();
    draw_burns();
    draw_words();
  }

 private:
  void draw_heads(int y);
  void draw_axis();
  void draw_phases();
  void draw_work();
  void draw_stalls();
  void draw_lives();
  void draw_callbacks();
  void draw_mark(const DrawnCallback& callback);
  void draw_burns();
  void draw_words();
  void draw_fold(std::size_t index);

  // Writes in the callbacks' lane, truncated to fit.
  void write(int depth, int baseline, std::string_view text, const Pen& pen) {
    const int x = layout_.words(depth);
    page_.label(x, baseline, fitted(text, layout_.callbacks().end() - x, pen.size, pen.face), pen);
  }

  Page& page_;
  const DrawnTimeline& timeline_;
  const SvgLayout& layout_;
  std::span<const CallbackNote> notes_;
  Language language_;
  const int right_ = layout_.width() - SvgLayout::kMargin;
};

void Drawing::draw_heads(int y) {
  const Pen pen = {.face = Face::bold};
  page_.label(layout_.axis().end() - 10, y, say(language_, Word::time_column),
              {.face = Face::bold, .anchor = Anchor::end});
  page_.label(layout_.loop().x, y, say(language_, Word::lane_loop), pen);
  page_.label(layout_.bar(0), y, say(language_, Word::lane_callbacks), pen);
  if (layout_.console().is_there()) page_.label(layout_.console().x, y, say(language_, Word::lane_console), pen);
  if (layout_.pool().is_there()) {
    const DrawnLane& pool = layout_.pool();
    const bool is_one = layout_.threads() == 1;
    page_.label(pool.x, y - (is_one ? 0 : 13), say(language_, Word::lane_pool, {is_one ? "1" : ""}), pen);
    for (std::size_t i = 0; i < layout_.threads() && !is_one; ++i) {
      const DrawnLane lane = layout_.thread(i);
      page_.label(lane.x + lane.width / 2, y, std::to_string(i),
                  {.size = SvgLayout::kSmallSize, .color = kQuiet, .anchor = Anchor::middle});
    }
  }
  if (layout_.outside().is_there()) page_.label(layout_.outside().x, y, say(language_, Word::lane_outside), pen);
  if (layout_.cpu().is_there()) page_.label(layout_.cpu().x, y, say(language_, Word::lane_cpu), pen);
  page_.line(SvgLayout::kMargin, y + 6, right_, y + 6, kInk);
}

// Moments are thick lines, gaps are broken lines with their length.
void Drawing::draw_axis() {
  const int x = layout_.axis().end() - 4;
  const std::vector<DrawnMoment>& moments = layout_.moments();
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const DrawnMoment& moment = moments[i];
    const bool is_point = moment.top == moment.bottom;
    page_.line(x - 4, moment.top, right_, moment.top, kFaint, " stroke-dasharray=\"1 3\"");
    page_.label(x - 8, is_point ? moment.top + 4 : moment.top + 13, ms_text(moment.time),
                {.face = Face::bold, .anchor = Anchor::end}, " class=\"moment\"");
    if (is_point) {
      page_.line(x - 4, moment.top, x + 3, moment.top, kInk, " stroke-width=\"2\"");
    } else {
      page_.box(x - 2, moment.top, 4, moment.bottom - moment.top, kInk, {});
    }
    if (i + 1 == moments.size()) break;
    const int end = moments[i + 1].top;
    const int middle = (moment.bottom + end) / 2;
    page_.path(fmt::format("M{} {}V{}l-4 3l8 3l-4 3V{}", x, moment.bottom, middle - 4, end), "none", kQuiet);
    page_.label(x - 8, middle + 4, "+" + short_ms_text(moments[i + 1].time - moment.time),
                {.size = SvgLayout::kSmallSize, .color = kQuiet, .anchor = Anchor::end, .is_italic = true});
  }
}

void Drawing::draw_phases() {
  const DrawnLane& lane = layout_.loop();
  for (const DrawnPhase& phase : timeline_.phases()) {
    const int top = layout_.y(phase.begin);
    const int bottom = layout_.y(phase.end);
    if (bottom <= top) continue;
    page_.begin_group(
        "phase", say(language_, Word::tip_phase, {phase.name, ms_text(phase.begin.time), ms_text(phase.end.time)}));
    page_.box(lane.x, top + 1, lane.width, bottom - top - 2, "#f2f2f2", kQuiet);
    for (const DrawnWait& wait : timeline_.waits()) {
      if (wait.from.time != phase.begin.time || wait.from.rows != phase.begin.rows) continue;
      page_.box(lane.x, top + 1, lane.width, layout_.y(wait.to) - top - 1, "url(#loopsim-wait)", kQuiet);
      page_.box(lane.x + 3, top + 3, text_width(phase.name, SvgLayout::kLabelSize, Face::bold) + 4, 13, "#fff", {});
    }
    page_.label(lane.x + 5, top + 13, fitted(phase.name, lane.width - 8, SvgLayout::kLabelSize, Face::bold),
                {.face = Face::bold});
    page_.end_group();
  }
}

void Drawing::draw_work() {
  for (const DrawnWork& work : timeline_.work()) {
    if (work.thread >= layout_.threads()) continue;
    const DrawnLane lane = layout_.thread(work.thread);
    const int top = layout_.y(work.from) + 1;
    const int height = layout_.y(std::min(work.to, timeline_.last_time())) - top - 1;
    const int middle = lane.x + lane.width / 2;
    page_.begin_group("work", work.text);
    page_.box(lane.x + 2, top, lane.width - 4, height, "#fff", kInk);
    page_.line(lane.x + 5, top, lane.x + 5, top + height, kInk, " stroke-width=\"3\"");
    const Pen pen = {.size = SvgLayout::kSmallSize, .anchor = Anchor::middle};
    const int width = text_width(work.name, pen.size, pen.face);
    if (width <= lane.width - 12 && height >= 12) {
      page_.label(middle + 2, top + height / 2 + 4, work.name, pen);
    } else if (height >= 24 && lane.width >= 16) {
      const int y = top + height / 2;
      page_.label(middle + 5, y, fitted(work.name, height - 4, pen.size, pen.face), pen,
                  fmt::format(" transform=\"rotate(-90 {} {})\"", middle + 5, y));
    }
    page_.end_group();
  }
}

Word cpu_word(StallReason reason) {
  switch (reason) {
    case StallReason::preempted: return Word::cpu_others;
    case StallReason::throttled: return Word::cpu_quota;
    case StallReason::stolen: return Word::cpu_stolen;
    case StallReason::gc: return Word::cpu_gc;
    default: return Word::cpu_stall;
  }
}

void Drawing::draw_stalls() {
  const DrawnLane& lane = layout_.cpu();
  for (const DrawnStall& stall : timeline_.stalls()) {
    const int top = layout_.y(stall.from);
    const int bottom = layout_.y(std::min(stall.to, timeline_.last_time()));
    if (bottom <= top) continue;
    const std::string name = say(language_, cpu_word(stall.reason));
    const Pen pen = {.size = SvgLayout::kSmallSize, .anchor = Anchor::middle};
    const int width = text_width(name, pen.size, pen.face) + 6;
    const int middle = (top + bottom) / 2;
    page_.begin_group("stall", stall.text);
    page_.box(lane.x, top, lane.width, bottom - top, "url(#loopsim-other)", kInk);
    page_.box(lane.x + (lane.width - width) / 2, middle - 7, width, 14, "#fff", {});
    page_.label(lane.x + lane.width / 2, middle + 4, name, pen);
    page_.end_group();
  }
}

// ---- callbacks -----------------------------------------------------------------------------------------------------------------

// A line from the scheduling to the due time (a diamond), and from there, thick, to the begin (an arrow).
void Drawing::draw_lives() {
  for (const DrawnLife& life : layout_.lives()) {
    const DrawnCallback& callback = timeline_.callbacks()[life.callback];
    const bool is_quick = callback.mark == DrawnMark::tick || callback.mark == DrawnMark::microtask;
    const int x = layout_.track(life.track);
    const int from = !life.has_origin || callback.origin_depth < 0 ? x : layout_.bar(callback.origin_depth);
    const int to = layout_.bar(callback.depth) - 1;
    const std::string_view dash = is_quick ? " stroke-dasharray=\"2 2\"" : "";
    const int turn = life.due < 0 ? life.end : std::clamp(life.due, life.begin, life.end);
    page_.path(fmt::format("M{} {}H{}V{}", from, life.begin, x, turn), "none", kQuiet, dash);
    if (life.due >= 0) {
      page_.path(fmt::format("M{} {}V{}H{}", x, turn, life.end, to - 4), "none", kLate, " stroke-width=\"2.5\"");
      page_.path(diamond(x, turn, 4), "#fff", kLate, " stroke-width=\"1.5\"");
    } else {
      page_.path(fmt::format("M{} {}H{}", x, life.end, to - 4), "none", kQuiet, dash);
    }
    page_.path(fmt::format("M{} {}l-6 -3v6Z", to, life.end), life.due >= 0 ? kLate : kQuiet, "none");
  }
}

void Drawing::draw_mark(const DrawnCallback& callback) {
  const int x = layout_.bar(callback.depth);
  const int top = layout_.row_top(callback.row) + 2;
  const int bottom = std::max(layout_.row_bottom(callback.row), layout_.y(callback.end)) - 2;
  const bool is_long = bottom > layout_.row_bottom(callback.row);
  const int middle = layout_.row_middle(callback.row);
  switch (callback.mark) {
    case DrawnMark::task: page_.box(x, top, kBarWidth, bottom - top, kTask, kInk); return;
    case DrawnMark::nested: page_.box(x + 2, top, kBarWidth - 4, bottom - top, "#fff", kInk); return;
    case DrawnMark::tick:
    case DrawnMark::microtask: break;
  }
  if (is_long) page_.box(x + 3, middle, kBarWidth - 6, bottom - middle, "#fff", kInk);
  const bool is_tick = callback.mark == DrawnMark::tick;
  page_.path(is_tick ? diamond(x + 6, middle, 6) : circle(x + 6, middle, 5), is_tick ? kTick : kMicrotask, kInk);
}

void Drawing::draw_callbacks() {
  for (const DrawnCallback& callback : timeline_.callbacks()) {
    const TimeNs begin = timeline_.rows()[callback.row].time;
    std::string tip = say(language_, Word::tip_at, {callback.name + callback.rest, ms_text(begin)});
    if (callback.end.time > begin) tip += say(language_, Word::tip_until, {ms_text(callback.end.time)});
    if (!callback.late.empty()) tip = say(language_, Word::and_, {tip, callback.late_words});
    const std::span<const CallbackNote> notes = notes_on(notes_, callback.id);
    for (const CallbackNote& note : notes) tip = say(language_, Word::and_, {tip, printable(note.text)});
    page_.begin_group("callback", tip);
    draw_mark(callback);

    // The name, its API and its lateness; if there is no room for all, the API is dropped first.
    const int x = layout_.words(callback.depth);
    const int room = layout_.callbacks().end() - x;
    const std::string mark = notes.empty() ? "" : note_mark(notes_, notes.front());
    const int mark_width = mark.empty() ? 0 : text_width(mark, SvgLayout::kLabelSize, Face::bold) + 5;
    const std::string name = fitted(callback.name, room - mark_width, SvgLayout::kNameSize, Face::bold);
    const std::string& late = layout_.has_reasons() ? callback.late : callback.late_for;
    std::string_view rest = callback.rest;
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const int name_width = text_width(name, SvgLayout::kNameSize, Face::bold) + mark_width;
    const int late_width = late.empty() ? 0 : text_width(late, SvgLayout::kLabelSize, Face::bold) + 5;
    const int rest_width = text_width(rest, SvgLayout::kLabelSize, Face::regular) + 5;
    if (name_width + rest_width + late_width > room) rest = {};
    fmt::format_to(std::back_inserter(page_.text()),
                   "<text x=\"{}\" y=\"{}\"><tspan font-size=\"{}\" font-weight=\"bold\">{}</tspan>", x,
                   layout_.row_middle(callback.row) + 4, SvgLayout::kNameSize, xml_text(name));
    if (!mark.empty()) {
      fmt::format_to(std::back_inserter(page_.text()), "<tspan dx=\"5\" font-weight=\"bold\" fill=\"{}\">{}</tspan>",
                     kLate, mark);
    }
    if (!rest.empty())
      fmt::format_to(std::back_inserter(page_.text()), "<tspan dx=\"5\" fill=\"{}\">{}</tspan>", kQuiet,
                     xml_text(rest));
    if (!late.empty() && name_width + late_width <= room) {
      fmt::format_to(std::back_inserter(page_.text()), "<tspan dx=\"5\" font-weight=\"bold\" fill=\"{}\">{}</tspan>",
                     kLate, xml_text(late));
    }
    page_.raw("</text>\n");
    page_.end_group();
  }
}

void Drawing::draw_burns() {
  for (const DrawnBurn& burn : timeline_.burns()) {
    const int x = layout_.bar(burn.depth);
    const int top = layout_.y(burn.from);
    const int bottom = layout_.y(burn.to);
    if (bottom <= top) continue;
    page_.box(x, top, kBarWidth, bottom - top, burn.is_spin ? "url(#loopsim-spin)" : kBusy, kInk);
    for (const DrawnStall& stall : timeline_.stalls()) {  // no computing during a stall
      const TimeNs from = std::max(stall.from, burn.from.time);
      const TimeNs to = std::min(stall.to, burn.to);
      if (from >= to) continue;
      const int y = from == burn.from.time ? top : layout_.y(from);
      page_.box(x, y, kBarWidth, layout_.y(to) - y, "url(#loopsim-other)", kInk);
    }
    write(burn.depth, (top + bottom) / 2 + 4, burn.text, {.is_italic = true});
  }
}

// ---- words ---------------------------------------------------------------------------------------------------------------------

void Drawing::draw_words() {
  for (const DrawnWait& wait : timeline_.waits()) {
    const int middle = (layout_.y(wait.from) + layout_.y(wait.to)) / 2;
    write(-1, middle + 4, wait.text, {.color = kQuiet, .is_italic = true});
  }
  for (std::size_t i = 0; i < timeline_.rows().size(); ++i) {
    const DrawnRow& row = timeline_.rows()[i];
    const int baseline = layout_.row_middle(i) + 4;
    if (row.kind == DrawnRow::Kind::turn) {
      page_.label(layout_.loop().x, baseline, row.text, {.color = kQuiet, .is_italic = true});
      page_.line(layout_.loop().x + text_width(row.text, SvgLayout::kLabelSize, Face::regular) + 6, baseline - 4,
                 layout_.callbacks().end(), baseline - 4, kFaint);
    }
    if (row.kind == DrawnRow::Kind::fold) draw_fold(i);
    if (row.kind == DrawnRow::Kind::note)
      write(row.depth - 1, baseline, row.text, {.color = kQuiet, .is_italic = true});
    if (row.kind == DrawnRow::Kind::outside) {
      const DrawnLane& lane = layout_.outside();
      page_.path(fmt::format("M{} {}l-6 -4v8Z", lane.x, layout_.row_middle(i)), kInk, "none");
      page_.label(lane.x + 5, baseline, fitted(row.text, lane.width - 5, SvgLayout::kSmallSize, Face::regular),
                  {.size = SvgLayout::kSmallSize});
    }
    if (!row.console.empty()) {
      const DrawnLane& lane = layout_.console();
      page_.line(lane.x, layout_.row_top(i) + 2, lane.x, layout_.row_bottom(i) - 2, row.is_error ? kLate : kQuiet,
                 row.is_error ? " stroke-width=\"3\"" : "");
      const std::string line = fitted(row.console, lane.width - 6, SvgLayout::kLabelSize, Face::mono);
      page_.begin_group("output", row.console);
      page_.label(lane.x + 6, baseline, line, {.face = Face::mono});
      page_.end_group();
    }
  }
}

// A band with torn edges, behind which the repetitions are.
void Drawing::draw_fold(std::size_t index) {
  const DrawnRow& row = timeline_.rows()[index];
  const int x = layout_.callbacks().x;
  const int left = row.has_turns ? layout_.loop().x : x;
  const int right = layout_.callbacks().end();
  const int top = layout_.row_top(index) + 3;
  const int bottom = layout_.row_bottom(index) - 3;
  page_.begin_group("fold",
                    row.more.empty() ? row.text : say(language_, Word::fold_and_standstill, {row.text, row.more}));
  page_.box(left, top, right - left, bottom - top, kFold, {});
  for (const int y : {top, bottom}) page_.line(left, y, right, y, kInk, " stroke-dasharray=\"6 3\"");
  const int room = right - x - 12;
  page_.label(x + 6, top + 14, fitted(row.text, room, SvgLayout::kLabelSize, Face::bold), {.face = Face::bold});
  if (!row.more.empty())
    page_.label(x + 6, top + 29, fitted(row.more, room, SvgLayout::kLabelSize, Face::regular), {.is_italic = true});
  page_.end_group();
}

// ---- the writer ----------------------------------------------------------------------------------------------------------------

class SvgWriter final : public TraceSink {
 public:
  SvgWriter(ByteOutput& output, const SvgOptions& options)
      : output_(output), hash_(options.hash), notes_(options.notes), language_(options.language), timeline_(options) {}

  void begin(const RunInfo& info) override {
    title_ = info.title.empty() ? say(language_, Word::run_of_the_loop) : printable(info.title);
    header_ = header_words(info, language_);
    timeline_.begin(info);
  }
  void events(const EventBatch& batch) override { timeline_.events(batch); }
  void end(const RunSummary& summary) override;

 private:
  using Glyph = void (*)(Page&, int x, int y);  // draws at x, centered on y
  struct LegendEntry {
    Word words;
    Glyph glyph;
  };

  [[nodiscard]] std::vector<LegendEntry> legend(const SvgLayout& layout) const;
  [[nodiscard]] std::vector<std::string> note_lines() const;
  [[nodiscard]] std::vector<std::string> notices(const SvgLayout& layout, const RunSummary& summary) const;
  [[nodiscard]] std::string description(const RunSummary& summary) const;
  int draw_legend(const SvgLayout& layout, int y);

  ByteOutput& output_;
  const HashSink* hash_;
  std::span<const CallbackNote> notes_;
  Language language_;
  std::string title_;
  std::string header_;
  DrawnTimeline timeline_;
  Page page_;
};

// The entries for the marks in the drawing.
std::vector<SvgWriter::LegendEntry> SvgWriter::legend(const SvgLayout& layout) const {
  std::vector<LegendEntry> entries;
  const auto has_mark = [this](DrawnMark mark) {
    return std::ranges::any_of(timeline_.callbacks(), [mark](const DrawnCallback& one) { return one.mark == mark; });
  };
  const auto has_life = [&layout](bool is_late) {
    return std::ranges::any_of(layout.lives(), [is_late](const DrawnLife& life) { return (life.due >= 0) == is_late; });
  };
  const auto has_burn = [this](bool is_spin) {
    return std::ranges::any_of(timeline_.burns(), [is_spin](const DrawnBurn& one) { return one.is_spin == is_spin; });
  };
  if (has_mark(DrawnMark::task)) {
    entries.push_back(
        {Word::legend_callback, [](Page& page, int x, int y) { page.box(x + 6, y - 7, 12, 14, kTask, kInk); }});
  }
  if (has_mark(DrawnMark::nested)) {
    entries.push_back(
        {Word::legend_nested, [](Page& page, int x, int y) { page.box(x + 8, y - 7, 8, 14, "#fff", kInk); }});
  }
  if (has_mark(DrawnMark::tick)) {
    entries.push_back(
        {Word::legend_tick, [](Page& page, int x, int y) { page.path(diamond(x + 12, y, 6), kTick, kInk); }});
  }
  if (has_mark(DrawnMark::microtask)) {
    entries.push_back(
        {Word::legend_microtask, [](Page& page, int x, int y) { page.path(circle(x + 12, y, 5), kMicrotask, kInk); }});
  }
  if (has_burn(false)) {
    entries.push_back(
        {Word::legend_computes, [](Page& page, int x, int y) { page.box(x + 6, y - 7, 12, 14, kBusy, kInk); }});
  }
  if (has_burn(true)) {
    entries.push_back({Word::legend_spins,
                       [](Page& page, int x, int y) { page.box(x + 6, y - 7, 12, 14, "url(#loopsim-spin)", kInk); }});
  }
  if (!timeline_.waits().empty()) {
    entries.push_back({Word::legend_waits,
                       [](Page& page, int x, int y) { page.box(x, y - 7, 22, 14, "url(#loopsim-wait)", kQuiet); }});
  }
  if (layout.threads() > 0) {
    entries.push_back({Word::legend_work, [](Page& page, int x, int y) {
                         page.box(x + 4, y - 7, 16, 14, "#fff", kInk);
                         page.line(x + 7, y - 7, x + 7, y + 7, kInk, " stroke-width=\"3\"");
                       }});
  }
  if (!timeline_.stalls().empty()) {
    entries.push_back({Word::legend_stall,
                       [](Page& page, int x, int y) { page.box(x, y - 7, 22, 14, "url(#loopsim-other)", kInk); }});
  }
  if (has_life(false)) {
    entries.push_back({Word::legend_life, [](Page& page, int x, int y) {
                         page.path(fmt::format("M{} {}H{}", x, y, x + 16), "none", kQuiet);
                         page.path(fmt::format("M{} {}l-6 -3v6Z", x + 22, y), kQuiet, "none");
                       }});
  }
  if (has_life(true)) {
    entries.push_back({Word::legend_late, [](Page& page, int x, int y) {
                         page.path(fmt::format("M{} {}H{}", x + 4, y, x + 16), "none", kLate, " stroke-width=\"2.5\"");
                         page.path(diamond(x + 4, y, 4), "#fff", kLate, " stroke-width=\"1.5\"");
                         page.path(fmt::format("M{} {}l-6 -3v6Z", x + 22, y), kLate, "none");
                       }});
  }
  return entries;
}

// Draws the legend from `y` on; returns its bottom.
int SvgWriter::draw_legend(const SvgLayout& layout, int y) {
  const int right = layout.width() - SvgLayout::kMargin;
  int x = SvgLayout::kMargin;
  for (const LegendEntry& entry : legend(layout)) {
    const std::string words = say(language_, entry.words);
    const int width = kLegendGlyph + text_width(words, SvgLayout::kSmallSize, Face::regular) + 14;
    if (x + width > right && x > SvgLayout::kMargin) {
      x = SvgLayout::kMargin;
      y += kFootLine + 3;
    }
    entry.glyph(page_, x, y + 8);
    page_.label(x + kLegendGlyph, y + 12, words, {.size = SvgLayout::kSmallSize});
    x += width;
  }
  return y + kFootLine + 3;
}

// Notices of the parts left out.
std::vector<std::string> SvgWriter::notices(const SvgLayout& layout, const RunSummary& summary) const {
  std::vector<std::string> lines;
  if (timeline_.is_cut()) {
    lines.push_back(
        say(language_, Word::cut_at,
            {ms_text(timeline_.last_time()), grouped(timeline_.callbacks().size() + timeline_.folded_callbacks()),
             grouped(summary.callbacks)}));
  } else if (summary.reason == ExitReason::limit) {
    const std::vector<std::string> waiting = timeline_.waiting();
    std::string names;
    for (std::size_t i = 0; i < std::min(waiting.size(), kMostWaiting); ++i)
      names = i == 0 ? waiting[i] : say(language_, Word::and_, {names, waiting[i]});
    if (waiting.size() > kMostWaiting)
      names = say(language_, Word::and_more, {names, fmt::format("{}", waiting.size() - kMostWaiting)});
    if (!names.empty()) lines.push_back(say(language_, Word::had_not_run, {names}));
  }
  if (layout.threads_left_out() > 0) {
    lines.push_back(say(language_, Word::threads_left_out, {fmt::format("{}", layout.threads_left_out())}));
  }
  if (layout.lives_left_out() > 0) {
    lines.push_back(say(language_, Word::lives_left_out, {fmt::format("{}", layout.lives_left_out())}));
  }
  return lines;
}

// The notes of the callbacks that are drawn.
std::vector<std::string> SvgWriter::note_lines() const {
  std::vector<std::string> lines;
  for (const CallbackNote& note : notes_) {
    const auto is_there = [&note](const DrawnCallback& callback) { return callback.id == note.id; };
    if (std::ranges::none_of(timeline_.callbacks(), is_there)) continue;
    if (lines.size() == kMostNotes) {
      lines.push_back(say(language_, Word::more_notes));
      break;
    }
    lines.push_back(note_mark(notes_, note) + " " + printable(note.text));
  }
  return lines;
}

// A description of the drawing for screen readers.
std::string SvgWriter::description(const RunSummary& summary) const {
  std::string text = say(language_, Word::description, {header_, format_summary(summary, hash_, language_)});
  bool is_first = true;
  for (const DrawnCallback& callback : timeline_.callbacks()) {
    if (!is_first) text += say(language_, Word::description_next);
    text += say(language_, Word::description_callback,
                {callback.name + callback.rest, ms_text(timeline_.rows()[callback.row].time)});
    if (callback.lateness > 0) text += say(language_, Word::description_late, {ms_text(callback.lateness)});
    for (const CallbackNote& note : notes_on(notes_, callback.id))
      text = say(language_, Word::and_, {text, printable(note.text)});
    is_first = false;
  }
  for (const DrawnRow& row : timeline_.rows()) {
    if (row.kind != DrawnRow::Kind::fold) continue;
    text += say(language_, Word::description_next);
    text += say(language_, Word::description_fold, {ms_text(row.time), row.text});
  }
  return text + say(language_, timeline_.is_cut() ? Word::description_cut : Word::description_end);
}

void SvgWriter::end(const RunSummary& summary) {
  timeline_.end(summary.end_time);
  constexpr int kHead = 84;  // y of the lanes' heads
  const SvgLayout layout(timeline_, kHead + 12);
  const int right = layout.width() - SvgLayout::kMargin;
  const int room = right - SvgLayout::kMargin;

  page_.label(SvgLayout::kMargin, 28, fitted(title_, room, kTitleSize, Face::bold),
              {.size = kTitleSize, .face = Face::bold});
  page_.label(SvgLayout::kMargin, 46, fitted(header_, room, SvgLayout::kLabelSize, Face::regular), {.color = kQuiet});
  Drawing(page_, timeline_, layout, notes_, language_).draw(kHead);

  int y = layout.bottom() + 10;
  if (timeline_.is_cut()) {
    page_.path(fmt::format("M{} {}l12 -5l12 10l12 -5H{}", SvgLayout::kMargin, y - 4, right), "none", kInk);
  } else {
    page_.line(SvgLayout::kMargin, y - 4, right, y - 4, kInk);
  }
  y = draw_legend(layout, y + 4);
  for (const std::string& notice : notices(layout, summary)) {
    page_.label(SvgLayout::kMargin, y + 12, notice, {.face = Face::bold});
    y += kFootLine;
  }
  for (const std::string& note : note_lines()) {
    for (const std::string& line : wrapped(note, room, SvgLayout::kLabelSize, Face::regular)) {
      page_.label(SvgLayout::kMargin, y + 12, line, {.color = kLate});
      y += kFootLine;
    }
  }
  const std::string foot = format_summary(summary, hash_, language_);
  const std::string scale = say(language_, Word::not_to_scale);
  page_.label(SvgLayout::kMargin, y + 12, foot, {.size = SvgLayout::kSmallSize, .color = kQuiet});
  const bool has_room = text_width(foot, SvgLayout::kSmallSize, Face::regular) +
                            text_width(scale, SvgLayout::kSmallSize, Face::regular) + 12 <=
                        room;
  if (!has_room) y += kFootLine;
  page_.label(right, y + 12, scale,
              {.size = SvgLayout::kSmallSize, .color = kQuiet, .anchor = Anchor::end, .is_italic = true});
  const int height = y + kFootLine + 6;

  output_.write(fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\""
      " aria-labelledby=\"loopsim-title loopsim-desc\"{7} font-size=\"{2}\" fill=\"{3}\">\n"
      "<title id=\"loopsim-title\">{4}</title>\n<desc id=\"loopsim-desc\">{5}</desc>\n{6}"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      layout.width(), height, SvgLayout::kLabelSize, kInk, xml_text(title_), xml_text(description(summary)), kPatterns,
      language_ == Language::chinese ? kChineseFonts : kFonts));
  page_.raw("</svg>\n");
  output_.write(page_.text());
}

}  // namespace

std::unique_ptr<TraceSink> make_svg_writer(ByteOutput& output, const SvgOptions& options) {
  return std::make_unique<ByRuntime>(std::make_unique<SvgWriter>(output, options), make_svg_columns(output, options));
}

}  // namespace loopsim

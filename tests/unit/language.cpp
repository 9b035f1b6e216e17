// Languages: the choice by the environment, the table of words, columns and wrapping of East Asian text, and reports in
// Chinese.
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "loopsim/explain.hpp"
#include "loopsim/trace_text.hpp"
#include "loopsim/words.hpp"
#include "loopsim/writers.hpp"

#include "sim/trace/columns.hpp"
#include "tests/support/files.hpp"
#include "tests/support/simulate.hpp"
#include "tests/unit/trace_events.hpp"

using namespace loopsim;
using namespace loopsim::test;

namespace {

constexpr std::size_t kPhaseColumn = 12;
constexpr std::size_t kContentColumn = 24;

// The offset at which this column begins; empty if a wide character lies across, or the line ends before.
std::optional<std::size_t> offset_of(std::string_view line, std::size_t column) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (columns == column) return at;
    const Character character = first_character(line.substr(at));
    columns += character.columns;
    at += character.size;
  }
  return std::nullopt;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string text_trace(const Events& events, Language language, int width = 100) {
  StringOutput output;
  events.play(*make_text_writer(output, {.width = width, .language = language}), timer_info(), timer_summary(), 3);
  return output.text();
}

std::string wrapped(std::string_view content, int width) {
  TextLayout layout(width, false);
  layout.paragraph(content);
  return layout.text();
}

// The arguments of a template, as digits. Fails on a placeholder that is no digit, or is not closed.
std::set<char> arguments_of(std::string_view words) {
  std::set<char> found;
  for (std::size_t open = words.find('{'); open != std::string_view::npos; open = words.find('{', open + 1)) {
    REQUIRE(words.find('}', open) != std::string_view::npos);
    REQUIRE((words[open + 1] >= '0' && words[open + 1] <= '9'));
    REQUIRE((words[open + 2] == '}' || words[open + 2] == '|'));
    found.insert(words[open + 1]);
  }
  return found;
}

}  // namespace

// ---- the choice ------------------------------------------------------------------------------------------------------

TEST_CASE("the first variable of a locale that is not empty decides the language", "[language]") {
  const auto is_chinese = [](const char* all, const char* messages, const char* lang) {
    return language_of_locale(all, messages, lang) == Language::chinese;
  };
  CHECK_FALSE(is_chinese(nullptr, nullptr, nullptr));
  CHECK(is_chinese("zh_CN.UTF-8", nullptr, nullptr));
  CHECK(is_chinese(nullptr, "zh_TW", nullptr));
  CHECK(is_chinese(nullptr, nullptr, "zh"));
  CHECK(is_chinese("", "", "zh_CN.UTF-8"));
  CHECK(is_chinese(nullptr, nullptr, "zh@pinyin"));
  CHECK_FALSE(is_chinese("C", "zh_CN", "zh_CN"));
  CHECK_FALSE(is_chinese("", "en_US.UTF-8", "zh_CN.UTF-8"));
  CHECK_FALSE(is_chinese(nullptr, nullptr, "zhe_CN"));
  CHECK_FALSE(is_chinese(nullptr, nullptr, "C.UTF-8"));
}

TEST_CASE("languages have codes", "[language]") {
  for (const Language language : {Language::english, Language::chinese})
    CHECK(find_language(to_string(language)) == language);
  CHECK_FALSE(find_language("de"));
  CHECK_FALSE(find_language(""));
}

// ---- words -----------------------------------------------------------------------------------------------------------

TEST_CASE("every word is there in both languages, with the same arguments", "[language]") {
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::string_view english = template_of(Language::english, static_cast<Word>(i));
    const std::string_view chinese = template_of(Language::chinese, static_cast<Word>(i));
    INFO(english << " | " << chinese);
    CHECK_FALSE(english.empty());
    CHECK_FALSE(chinese.empty());
    // A plural's number is an argument of English alone, as in "pool thread" and "pool threads".
    std::set<char> in_english = arguments_of(english);
    for (const char c : arguments_of(chinese)) CHECK(in_english.contains(c));
    if (english.find('|') == std::string_view::npos) CHECK(in_english == arguments_of(chinese));
    CHECK(chinese.find('|') == std::string_view::npos);
    // Chinese punctuation between Chinese characters.
    for (const std::string_view mark : {", ", ": ", "; "}) CHECK(chinese.find(mark) == std::string_view::npos);
  }
}

TEST_CASE("templates take arguments, and the singular or plural of the first", "[language]") {
  CHECK(say(Language::english, Word::ticks, {"1"}) == "1 tick");
  CHECK(say(Language::english, Word::ticks, {"2"}) == "2 ticks");
  CHECK(say(Language::english, Word::ticks, {"11"}) == "11 ticks");
  CHECK(say(Language::chinese, Word::ticks, {"1"}) == "1 个 tick");
  CHECK(say(Language::english, Word::lane_pool, {""}) == "pool threads");
  CHECK(say(Language::english, Word::lane_pool, {"1"}) == "pool thread");
  // Chinese has another order.
  CHECK(say(Language::english, Word::late_callback, {"came due at 3", "f"}) == "f was running when it came due at 3");
  CHECK(say(Language::chinese, Word::late_callback, {"它在 3 到期", "f"}) == "它在 3 到期时，f 正在执行");
  // An argument is not a template.
  CHECK(say(Language::english, Word::throws, {"{0} {1|a|b}"}) == "throws {0} {1|a|b}");
  CHECK(say(Language::english, Word::throws) == "throws ");
}

TEST_CASE("no space stands between two East Asian characters of a template and its argument", "[language]") {
  const auto filled = [](std::string_view text, std::string_view argument) {
    return fill(text, std::span(&argument, 1));
  };
  CHECK(filled("在 {0} 阶段", "轮询") == "在轮询阶段");
  CHECK(filled("在 {0} 阶段", "beforeExit") == "在 beforeExit 阶段");
  CHECK(filled("in the {0} phase", "轮询") == "in the 轮询 phase");
  CHECK(filled("在 {0} 阶段", "") == "在  阶段");
}

TEST_CASE("phases are called as in the trace, or in Chinese", "[language]") {
  for (int i = 0; i <= static_cast<int>(Phase::exit); ++i) {
    const auto phase = static_cast<Phase>(i);
    CHECK(phase_words(Language::english, phase) == to_string(phase));
    CHECK(text_columns(phase_words(Language::chinese, phase)) <= 10);  // the column's width
  }
  CHECK(phase_words(Language::chinese, Phase::poll) == "轮询");
  CHECK(phase_words(Language::chinese, Phase::closing) == "关闭回调");
}

// ---- columns ---------------------------------------------------------------------------------------------------------

TEST_CASE("columns of texts are those of a terminal", "[language][text]") {
  CHECK(text_columns("") == 0);
  CHECK(text_columns("abc") == 3);
  CHECK(text_columns("定时器") == 6);
  CHECK(text_columns("（a），") == 7);
  CHECK(text_columns("カタカナ 한국어") == 8 + 1 + 6);
  CHECK(text_columns("é · → ▶ │") == 9);         // of ambiguous width: one each
  CHECK(text_columns("e\xCC\x81") == 1);         // a combining accent
  CHECK(text_columns("\xF0\x9F\x98\x80") == 2);  // an emoji
  CHECK(text_columns("\xF0\xA0\x80\x80") == 2);  // U+20000
  CHECK(text_columns(styled(Style::strong, "轮询")) == 4);
  CHECK(text_columns("\xFF") == 1);  // no UTF-8
}

TEST_CASE("text of East Asian characters is wrapped between them, but for punctuation", "[language][text]") {
  CHECK(wrapped("一二三四五六七八九十一二三四五", 24) == "一二三四五六七八九十一二\n  三四五\n");
  // A comma does not begin a line, an opening bracket does not end one, and words are not broken.
  CHECK(wrapped("一二三四五六七八九十一二，四五", 24) == "一二三四五六七八九十一\n  二，四五\n");
  CHECK(wrapped("一二三四五六七八九十一（四五）", 24) == "一二三四五六七八九十一\n  （四五）\n");
  CHECK(wrapped("一二三四五六七八九 setTimeout 在此", 24) == "一二三四五六七八九\n  setTimeout 在此\n");
  CHECK(wrapped("一二三四五六七八九十setTimeout 在此", 24) == "一二三四五六七八九十\n  setTimeout 在此\n");
  // A text in English is broken at spaces only, and a word that is too long not at all.
  CHECK(wrapped("one two three four five-six-seven-eight", 24) == "one two three four\n  five-six-seven-eight\n");
  CHECK(wrapped("abcdefghijklmnopqrstuvwxyzabc", 24) == "abcdefghijklmnopqrstuvwxyzabc\n");
  CHECK(wrapped("a title of 24 columns ab", 24) == "a title of 24 columns ab\n");
}

// ---- reports -----------------------------------------------------------------------------------------------------------

TEST_CASE("the timeline of the first example in Chinese", "[language][text]") {
  CHECK(text_trace(timer_at_105(), Language::chinese) ==
        "A 100 ms timer that fires at 105 ms\n"
        "node-24 · libuv 1.51.0 · commonjs · 机器 ideal · 4 个线程池线程 · 种子 0\n"
        "\n"
        " 时间 (ms)  阶段        发生了什么\n"
        "── 主脚本 ──────────────────────────────────────────────────────────────────────────────────────────\n"
        "     0.000  主脚本      ▶ 主脚本\n"
        "                          · setTimeout 100 ms → timer，到期 100.000\n"
        "                          · fs.read，95 ms 的工作 → someAsyncOperation\n"
        "── 第 1 轮循环 ─────────────────────────────────────────────────────────────────────────────────────\n"
        "     0.000  轮询        等待了 95.000 ms（最多 100，直到 timer 到期）：someAsyncOperation 已完成\n"
        "                          （read 于 0.000-95.000 执行，线程 0）\n"
        "    95.000              ▶ someAsyncOperation (fs)\n"
        "                          · 空转 10 ms，到 105.000\n"
        "   105.000  定时器      ▶ timer (setTimeout)，晚了 5.000 ms：它在 100.000 到期时，someAsyncOperation\n"
        "                          正在执行\n"
        "                          │ 105ms have passed since I was scheduled\n"
        "── 结束 ────────────────────────────────────────────────────────────────────────────────────────────\n"
        "   105.000  退出        ■ 退出码 0：没有什么可等待的了\n"
        "\n"
        "退出码 0，于 105.000 ms · 1 轮循环，2 个回调 · 空闲 90.5 %\n");
}

// Every scenario: times, phases and content begin in their columns; a row is no wider than the terminal, but for output,
// which is never wrapped; and no line begins with punctuation that must not begin one.
TEST_CASE("columns of Chinese timelines are aligned", "[language][text]") {
  constexpr std::size_t kWidth = 100;
  const std::filesystem::path scenarios = std::filesystem::path(LOOPSIM_SOURCE_DIR) / "scenarios";
  std::size_t rows = 0;
  for (const std::filesystem::path& path : loopsim::testing::documents_in(scenarios)) {
    const auto program = loopsim::testing::compile_text(loopsim::testing::read_file(path));
    StringOutput output;
    const auto writer =
        make_text_writer(output, {.width = kWidth, .summary = false, .queues = true, .language = Language::chinese});
    TraceSink* const sinks[] = {writer.get()};
    run(*program, sinks);
    bool is_table = false;
    for (const std::string& line : lines_of(output.text())) {
      INFO(path.string() << ": " << line);
      if (line.starts_with("──")) {
        is_table = true;
        CHECK(text_columns(line) == kWidth);
        continue;
      }
      if (!is_table || line.find_first_not_of(' ') == std::string::npos) continue;
      ++rows;
      const std::size_t first = line.find_first_not_of(' ');
      const bool has_long_time = line.find_first_of(' ', first) > kPhaseColumn - 2 && first == 0;
      if (has_long_time) continue;  // it moves the other columns
      const std::optional<std::size_t> content = offset_of(line, kContentColumn);
      REQUIRE(content);
      CHECK(line.substr(*content - 2, 2) == "  ");
      if (first < kPhaseColumn) CHECK(line.substr(kPhaseColumn - 2, 2) == "  ");
      const std::string_view rest = std::string_view(line).substr(line.find_first_not_of(' ', *content));
      for (const std::string_view mark : {"，", "。", "：", "；", "）", "、"}) CHECK_FALSE(rest.starts_with(mark));
      if (!rest.starts_with("│") && !rest.starts_with("stderr│")) CHECK(text_columns(line) <= kWidth);
    }
  }
  CHECK(rows > 3'000);
}

TEST_CASE("explanations in Chinese translate the phases and the kinds of listeners", "[language][explain]") {
  const auto told = [](Language language) {
    const auto explainer = make_explainer(nullptr, language);
    timer_at_105().play(*explainer, timer_info(), timer_summary(), 3);
    std::string text;
    for (const Explanation& one : explainer->explanations())
      for (const ExplanationSentence& sentence : one.sentences) text += format_sentence(sentence, language) + "\n";
    return text;
  };
  const std::string chinese = told(Language::chinese);
  CHECK(chinese.find("在 100.000，轮询阶段正在运行 someAsyncOperation（从 95.000 到 105.000）") != std::string::npos);
  CHECK(chinese.find("第 1 轮循环的定时器阶段在 105.000 运行了它，晚了 5.000。") != std::string::npos);
  CHECK(chinese.find("poll") == std::string::npos);
  CHECK(told(Language::english).find("At 100.000 the poll phase was running someAsyncOperation") != std::string::npos);
}

TEST_CASE("a drawing in Chinese says its language, and keeps the names of programs", "[language][svg]") {
  const auto drawn = [](Language language) {
    StringOutput output;
    timer_at_105().play(*make_svg_writer(output, {.language = language}), timer_info(), timer_summary(), 3);
    return output.text();
  };
  const std::string chinese = drawn(Language::chinese);
  CHECK(chinese.find(" xml:lang=\"zh-CN\" font-family=\"'Noto Sans CJK SC'") != std::string::npos);
  for (const std::string_view words :
       {"事件循环", "线程池", "空转 10 ms", "晚 5 ms", "轮询", "someAsyncOperation", "(setTimeout)"})
    CHECK(chinese.find(words) != std::string::npos);
  for (const std::string_view words : {"event loop", "callbacks", "pool thread", "late", "waited", "spins"})
    CHECK(chinese.find(words) == std::string::npos);
  CHECK(drawn(Language::english).find("xml:lang") == std::string::npos);
}

TEST_CASE("an end at a limit in Chinese", "[language]") {
  RunSummary summary = timer_summary();
  summary.limit = LimitKind::callbacks;
  CHECK(format_summary(summary, nullptr, Language::chinese).starts_with("因达到限制（callbacks）而停止，于 "));
  summary.turns = 1;
  CHECK(format_summary(summary, nullptr, Language::english).find("1 turn, ") != std::string::npos);
}

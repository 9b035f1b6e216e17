// Options common to several commands.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loopsim/language.hpp"
#include "loopsim/scenario.hpp"
#include "loopsim/study.hpp"

#include "tools/loopsim/line/command.hpp"

namespace loopsim::cli {

class Arguments;

inline constexpr std::array kCommonOptions = {
    Option{"max-memory", 0, "SIZE", false,
           "hold no more memory than SIZE, such as 512MiB or 4GiB: 1GiB; none: no bound"},
    Option{"max-steps", 0, "N", false,
           "let no scenario raise its limits of steps and callbacks above N: 1000000000; none: as it says"},
    Option{
        "sandbox", 0, "", false,
        "fail where loopsim cannot shut itself in: by itself it does, as far as the system lets it, so that a program "
        "of others can reach no other file, program or machine, whatever it finds to do"},
    Option{"no-sandbox", 0, "", false, "do not shut itself in"},
    Option{"help", 'h', "", false, "print this help"},
};

// Options for reading a scenario.
inline constexpr std::array kSettingOptions = {
    Option{"set", 's', "NAME=VALUE", true,
           "lay a value over a param, or over any place given as a JSON pointer, there already or not"},
};
// How a program is given that no name in .js says to be one.
inline constexpr std::array kJavaScriptOptions = {
    Option{"js", 0, "", false,
           "FILE is a JavaScript program, although its name does not end in .js; for standard input, say"},
};
// What such a program sees of the disk.
inline constexpr std::array kRootOptions = {
    Option{
        "root", 0, "DIR", false,
        "a program sees DIR and what is in it; without this option the folder of the nearest package.json, or its own"},
};
inline constexpr std::array kScenarioOptions = {
    Option{"runtime", 'r', "NAME", false, "what runs it, instead of the scenario's own (loopsim list profiles)"},
    kSettingOptions[0],
    kJavaScriptOptions[0],
    kRootOptions[0],
};
// What a program in JavaScript is given: io/program_input.hpp.
inline constexpr std::array kProgramOptions = {
    Option{"env", 0, "NAME=VALUE", true, "a variable of the program's process.env, beside those of the scenario's env"},
    Option{"stdin", 0, "FILE", false, "what the program reads from standard input: FILE, which may be -"},
    Option{"stub", 0, "NAME", true, "an empty module in place of the module NAME, which the program asks for"},
};
// What FILE is, to the commands that run it.
inline constexpr std::string_view kScenarioFile =
    "a scenario (JSON), or a JavaScript program (.js, .cjs, .mjs); - for standard input (with --js a program)";

inline constexpr std::array kSeedOptions = {
    Option{"seed", 0, "N", false, "the seed of everything random, instead of the scenario's own"},
};

inline constexpr std::array kOutputOptions = {
    Option{"output", 'o', "FILE", false, "write to FILE, whole or not at all, instead of standard output"},
};

inline constexpr std::array kLanguageOptions = {
    Option{"lang", 0, "en|zh", false,
           "English or Chinese, for what people read; formats for programs are always the same. Without it LC_ALL, "
           "LC_MESSAGES or LANG decides"},
};

inline constexpr std::array kWarningOptions = {
    Option{"no-warnings", 0, "", false,
           "no warnings: known differences from real Node, texts that are names, unused params"},
};
// Values of an option that takes NAME=VALUE; nothing, after reporting the error, when one is malformed.
using Settings = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::optional<Settings> read_settings(const Arguments& arguments, std::string_view option);

// The same for the values of --seed.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> read_seeds(const Arguments& arguments);

// Options from --runtime, --set, --seed and those of the machine, with step_ceiling(). `varied` gets the options of the
// machine that are ranges; without it a range is an error. Nothing, after reporting the error, when malformed.
[[nodiscard]] std::optional<ReadOptions> read_options(const Arguments& arguments,
                                                      std::vector<Dimension>* varied = nullptr);

// The language of --lang. Empty: it was not given.
[[nodiscard]] std::optional<Language> asked_language(const Arguments& arguments);

// The language of reports: that of --lang, or else of the environment.
[[nodiscard]] Language report_language(const Arguments& arguments);

}  // namespace loopsim::cli

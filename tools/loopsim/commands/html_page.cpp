#include "tools/loopsim/commands/html_page.hpp"

#include <string_view>
#include <utility>

#include "loopsim/profile.hpp"

#include "tools/loopsim/io/input_file.hpp"
#include "tools/loopsim/io/scenario_input.hpp"
#include "tools/loopsim/line/message.hpp"
#include "tools/loopsim/line/paths.hpp"
#include "tools/page/page_asset.hpp"

namespace loopsim::cli {

bool has_html_page() {
  if (!page_asset().empty()) return true;
  report_error(
      "this program was built without its page (it takes Node.js and npm: Debian: apt-get install nodejs npm).\n"
      "Build it again with them, or with -D LOOPSIM_PAGE_FILE=page.html, a page that was built on another machine");
  return false;
}

namespace {
// What the scenario stands for: its own program, one in C for libuv alone, or one for Node.
MappedScript program_of(const Scenario& scenario) {
  if (scenario.script) return {scenario.script->source, {}};
  if (scenario.io != nullptr) return {};  // its program is the model
  MappedScript script = to_mapped_javascript(scenario);
  if (find_profile(scenario.runtime.profile)->family != Family::libuv) return script;
  script.text = to_c(scenario);
  for (ScriptPart& part : script.parts) part.first = part.last = 0;  // places in the document alone
  return script;
}
}  // namespace

HtmlSource::HtmlSource(const std::string& path, std::string document, const Scenario& scenario,
                       std::optional<Language> language)
    : file_(path == "-" ? input_name(path) : file_name_of(path)),
      document_(std::move(document)),
      script_(program_of(scenario)),
      is_script_(scenario.script.has_value()),
      language_(language) {
  // A JavaScript file is shown as it is, not as the document that stands for it.
  if (is_script_ && document_ == scenario_text(script_.text, path)) document_ = script_.text;
}

HtmlOptions HtmlSource::options(const HashSink* hash, const RacesResult& races) const {
  std::string_view document = document_;
  if (document.starts_with("\xEF\xBB\xBF")) document.remove_prefix(3);  // positions do not count the BOM
  return {.page = page_asset(),
          .file = file_,
          .document = document,
          .script = &script_,
          .is_script = is_script_,
          .hash = hash,
          .races = &races,
          .language = language_};
}

}  // namespace loopsim::cli

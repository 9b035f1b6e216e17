// The file tools/conformance/grammar.json, as it was when this was built.
#pragma once

namespace loopsim::fuzz {

extern const char* const kGrammarText;

}  // namespace loopsim::fuzz

// The file tools/conformance/grammar.json, embedded at configure time.
#pragma once

namespace loopsim::fuzz {

extern const char* const kGrammarText;

}  // namespace loopsim::fuzz

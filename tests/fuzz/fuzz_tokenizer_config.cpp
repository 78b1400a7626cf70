// SPDX-License-Identifier: Apache-2.0
// The input is a tokenizer_config.json. A tokenizer that loads must find every control token it names.
#include "engine/api/tokenizer.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/text_fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace pal;
    static const MemoryFile kVocabulary(fuzz::tiktokenFile());
    const MemoryFile config({reinterpret_cast<const char*>(data), size});
    const auto tokenizer = Tokenizer::load(kVocabulary.path(), config.path());
    if (!tokenizer) return 0;
    for (TokenId id = tokenizer->baseSize(); id < tokenizer->size(); ++id) {
        const std::string_view name = tokenizer->tokenBytes(id);
        fuzz::require(tokenizer->controlId(name) == id);
        fuzz::require(tokenizer->decode(tokenizer->encode(name, SpecialTokens::kAllow)) == name);
    }
    return 0;
}

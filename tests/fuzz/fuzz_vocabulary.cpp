// SPDX-License-Identifier: Apache-2.0
// The input is what follows the 256 single bytes in a tiktoken file. A vocabulary that loads must encode the input, and back.
#include "engine/text/atoms.h"
#include "engine/text/bpe.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/vocabulary.h"
#include "tests/fuzz/text_fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace pal;
    static const std::string kBytes = fuzz::tiktokenFile();
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    static_cast<void>(Vocabulary::parse(input, "fuzz"));
    const auto vocabulary = Vocabulary::parse(kBytes + std::string(input), "fuzz");
    if (!vocabulary) {
        fuzz::require(!vocabulary.error().message.empty());
        return 0;
    }
    const Atoms atoms(*vocabulary);
    BpeEncoder bpe(*vocabulary, atoms);
    std::vector<TokenId> ids;
    pretokenizer::Cutter cutter(input, {64, 16});
    for (auto slice = cutter.next(); !slice.empty(); slice = cutter.next()) {
        for (size_t at = 0; at < slice.size();) {
            const size_t end = pretokenizer::pieceEnd(slice, at);
            bpe.encode(slice.substr(at, end - at), ids);
            at = end;
        }
    }
    std::string decoded;
    for (const TokenId id : ids) decoded += vocabulary->bytes(id);
    fuzz::require(decoded == input);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// The first byte says where the rest is cut. Streaming must give the same valid text as decoding at once.
#include "engine/text/utf8.h"

#include "engine/api/tokenizer.h"
#include "tests/fuzz/text_fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace pal;
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const size_t step = 1 + data[0] % 7;
    StreamDecoder decoder;
    std::string streamed;
    for (size_t at = 0; at < bytes.size(); at += step) decoder.push(bytes.substr(at, step), streamed);
    decoder.finish(streamed);
    fuzz::require(streamed == validUtf8(bytes));
    fuzz::require(utf8::isValid(streamed));
    fuzz::require(!utf8::isValid(bytes) || streamed == bytes);
    return 0;
}

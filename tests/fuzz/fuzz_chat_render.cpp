// SPDX-License-Identifier: Apache-2.0
// The input is a chat request as JSON. What renders must have only non-empty segments, and control text only where this program wrote it.
#include "engine/api/chat.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/text_fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace pal;
    static const MemoryFile kVocabulary(fuzz::tiktokenFile());
    static const Tokenizer kTokenizer = *Tokenizer::load(kVocabulary.path());
    const auto request = parseChatRequest({reinterpret_cast<const char*>(data), size});
    if (!request) return 0;
    static_cast<void>(validateChatRequest(*request));
    for (const ChatStyle style : {ChatStyle::kK3, ChatStyle::kK2}) {
        const auto segments = renderChat(*request, style);
        if (!segments) continue;
        std::string joined;
        for (const Segment& segment : *segments) {
            fuzz::require(!segment.text.empty() && validUtf8(segment.text) == segment.text);
            joined += segment.text;
        }
        fuzz::require(kTokenizer.decode(encodeSegments(kTokenizer, *segments)) == joined);
    }
    return 0;
}

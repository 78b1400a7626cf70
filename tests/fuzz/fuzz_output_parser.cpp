// SPDX-License-Identifier: Apache-2.0
// Each byte of the input is a token: structure, fragments of headers, or itself. The first byte chooses format and start.
#include "engine/api/chat.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/text_fuzz_support.h"

namespace {

using namespace pal;

const std::vector<std::string>& fragments() {
    static const std::vector<std::string> kFragments = {"message",
                                                        "think",
                                                        "response",
                                                        "tools",
                                                        "call tool=\"f\" index=\"1\"",
                                                        "call",
                                                        "argument key=\"a\" type=\"number\"",
                                                        "argument key=\"b\"",
                                                        "argument",
                                                        "json type=\"object\"",
                                                        "json",
                                                        " type=\"string\"",
                                                        " key=\"",
                                                        "&quot;",
                                                        "&amp;",
                                                        "functions.f:0",
                                                        "assistant",
                                                        "tool"};
    return kFragments;
}

Tokenizer makeTokenizer(ChatStyle style) {
    const MemoryFile vocabulary(fuzz::tiktokenFile(fragments()));
    return *Tokenizer::load(vocabulary.path(), std::nullopt, style);
}

// 0 to 17: control tokens (they hold all the structure); then the fragments; then bytes.
TokenId tokenOf(uint8_t byte, const Tokenizer& tokenizer) {
    constexpr uint8_t kControls = 18;
    if (byte < kControls) return tokenizer.baseSize() + byte;
    const size_t fragment = size_t{byte} - kControls;
    return static_cast<TokenId>(fragment < fragments().size() ? 256 + fragment : byte);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Tokenizer kK3 = makeTokenizer(ChatStyle::kK3);
    static const Tokenizer kK2 = makeTokenizer(ChatStyle::kK2);
    if (size == 0) return 0;
    const Tokenizer& tokenizer = (data[0] & 4) != 0 ? kK2 : kK3;
    const auto start = static_cast<OutputStart>(data[0] % 4 % 3);
    OutputParser parser(tokenizer, start);
    std::vector<OutputDelta> deltas;
    std::vector<TokenId> ids;
    for (size_t i = 1; i < size; ++i) {
        ids.push_back(tokenOf(data[i], tokenizer));
        parser.push(ids.back(), deltas);
    }
    parser.finish(deltas);
    fuzz::require(parser.done());
    ParsedMessage fromDeltas;
    for (const OutputDelta& delta : deltas) {
        fuzz::require(validUtf8(delta.text) == delta.text);
        if (delta.kind == OutputDelta::Kind::kReasoning) fromDeltas.reasoning += delta.text;
        if (delta.kind == OutputDelta::Kind::kContent) fromDeltas.content += delta.text;
        if (delta.kind == OutputDelta::Kind::kToolCall) fromDeltas.toolCalls.push_back(delta.call);
        if (delta.kind != OutputDelta::Kind::kReasoningIsContent) continue;
        fromDeltas.content.insert(0, fromDeltas.reasoning);
        fromDeltas.reasoning.clear();
    }
    fuzz::require(fromDeltas.reasoning == parser.message().reasoning && fromDeltas.content == parser.message().content);
    fuzz::require(fromDeltas.toolCalls == parser.message().toolCalls);
    for (const ToolCall& call : fromDeltas.toolCalls) fuzz::require(!call.name.empty());
    static_cast<void>(parseTranscript(tokenizer, ids, start));
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/prompt.h"

#include <algorithm>

#include "engine/base/byte_hash.h"

namespace pal {
namespace {

// The top bit keeps media rows apart from token ids.
uint64_t rowIdentity(const MediaHash& content, int64_t row) {
    return splitmix64(content[0] ^ splitmix64(content[1] + static_cast<uint64_t>(row))) | (1ULL << 63);
}

Result<> checkIds(const std::vector<TokenId>& ids, int64_t vocabulary, int64_t contextTokens) {
    if (ids.empty()) return fail(ErrorCode::kInvalidArgument, "the prompt is empty: 0 tokens, at least 1 is needed");
    const int64_t tokens = std::ssize(ids);
    if (tokens > contextTokens) {
        return fail(ErrorCode::kInvalidArgument, "the prompt has {} tokens, the context holds {}: {} too many", tokens,
                    contextTokens, tokens - contextTokens);
    }
    const auto outside = std::find_if(ids.begin(), ids.end(), [&](TokenId id) { return id < 0 || id >= vocabulary; });
    if (outside == ids.end()) return {};
    return fail(ErrorCode::kInvalidArgument, "token {} of the prompt is {}, the vocabulary is 0 to {}",
                outside - ids.begin(), *outside, vocabulary - 1);
}

// The next run of placeholders for each medium.
Result<std::vector<MediaSpan>> placeMedia(const Prompt& prompt, const Runtime& runtime) {
    std::vector<MediaSpan> spans;
    int64_t needed = 0;
    for (const auto& media : prompt.media) {
        if (!media)
            return fail(ErrorCode::kInvalidArgument, "medium {} of {} is null", spans.size(), prompt.media.size());
        PAL_ASSIGN(const int64_t rows, mediaRowsFor(runtime, *media));
        spans.push_back({0, rows});
        needed += rows;
    }
    if (!runtime.config().vision) return spans;
    const auto placeholder = static_cast<TokenId>(runtime.config().vision->mediaPlaceholderTokenId);
    const int64_t found = std::count(prompt.ids.begin(), prompt.ids.end(), placeholder);
    if (found != needed) {
        return fail(ErrorCode::kInvalidArgument, "the prompt has {} media placeholders, its {} media fill {}", found,
                    spans.size(), needed);
    }
    auto at = prompt.ids.begin();
    for (size_t i = 0; i < spans.size(); ++i) {
        at = std::find(at, prompt.ids.end(), placeholder);
        const auto end = std::find_if(at, std::min(at + spans[i].rows, prompt.ids.end()),
                                      [&](TokenId id) { return id != placeholder; });
        if (end - at != spans[i].rows) {
            return fail(ErrorCode::kInvalidArgument, "medium {} fills {} placeholders, {} stand together at token {}",
                        i, spans[i].rows, end - at, at - prompt.ids.begin());
        }
        spans[i].first = at - prompt.ids.begin();
        at = end;
    }
    return spans;
}

}  // namespace

Result<int64_t> mediaRowsFor(const Runtime& runtime, const MediaInput& media) {
    if (!runtime.canSee())
        return fail(ErrorCode::kUnsupported, "this model has no vision weights and cannot read media");
    return mediaRowCount(*runtime.config().vision, media);
}

Result<CheckedPrompt> checkPrompt(Prompt prompt, const Runtime& runtime, int64_t contextTokens) {
    PAL_TRY(checkIds(prompt.ids, runtime.config().text.vocabSize, contextTokens));
    PAL_ASSIGN(std::vector<MediaSpan> spans, placeMedia(prompt, runtime));
    CheckedPrompt out{std::move(prompt), std::move(spans), {}, {}};
    out.identities.reserve(out.prompt.ids.size());
    for (const TokenId id : out.prompt.ids) out.identities.push_back(tokenIdentity(id));
    for (size_t i = 0; i < out.spans.size(); ++i) {
        const MediaHash content = hashMedia(*out.prompt.media[i]);
        out.hashes.push_back(content);
        for (int64_t row = 0; row < out.spans[i].rows; ++row) {
            out.identities[static_cast<size_t>(out.spans[i].first + row)] = rowIdentity(content, row);
        }
    }
    return out;
}

Result<std::vector<MediaRows>> PromptReader::mediaIn(const Part& part, const std::stop_token& stop) {
    embeddings_.resize(prompt_.spans.size());
    std::vector<MediaRows> out;
    for (size_t i = 0; i < prompt_.spans.size(); ++i) {
        const MediaSpan& span = prompt_.spans[i];
        const int64_t first = std::max(span.first, part.begin);
        const int64_t last = std::min(span.first + span.rows, part.end);
        if (first >= last) {
            embeddings_[i].reset();
            continue;
        }
        if (!embeddings_[i]) {
            PAL_ASSIGN(embeddings_[i], embeddingOf(i, stop));
        }
        out.push_back({first - part.begin, embeddings_[i]->rows.rows(first - span.first, last - first)});
    }
    return out;
}

Result<std::shared_ptr<const MediaEmbedding>> PromptReader::embeddingOf(size_t medium, const std::stop_token& stop) {
    const MediaHash& hash = prompt_.hashes[medium];
    if (auto known = cache_.find(hash)) return known;
    PAL_ASSIGN(MediaEmbedding fresh,
               encodeMedia(runtime_.weights(), runtime_.backend(), *prompt_.prompt.media[medium], stop));
    auto embedding = std::make_shared<const MediaEmbedding>(std::move(fresh));
    cache_.add(hash, embedding);
    return embedding;
}

Result<ConstTensorView> PromptReader::read(const Part& part, SequenceState& state, const std::stop_token& stop) {
    PAL_ASSIGN(const std::vector<MediaRows> media, mediaIn(part, stop));
    const std::span<const int32_t> ids(prompt_.prompt.ids);
    StepInput input;
    input.ids = ids.subspan(static_cast<size_t>(part.begin), static_cast<size_t>(part.end - part.begin));
    input.media = media;
    input.logits = part.logits;
    input.tap = part.tap;
    input.probes = part.probes;
    input.stop = stop;
    return forward_.step(input, state);
}

}  // namespace pal

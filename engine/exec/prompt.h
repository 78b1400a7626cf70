// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/api/session.h"
#include "engine/base/result.h"
#include "engine/exec/forward.h"
#include "engine/exec/media_cache.h"
#include "engine/exec/runtime.h"
#include "engine/exec/vision_tower.h"

namespace pal {

// The tokens that one medium fills.
struct MediaSpan {
    int64_t first = 0;  // token
    int64_t rows = 0;
};

// A prompt that can be run.
struct CheckedPrompt {
    Prompt prompt;
    std::vector<MediaSpan> spans;      // one per medium
    std::vector<MediaHash> hashes;     // likewise
    std::vector<uint64_t> identities;  // per token: two prompts with equal ones up to n say the same up to n

    [[nodiscard]] int64_t size() const { return std::ssize(prompt.ids); }
};

// Errors: kInvalidArgument with the numbers for an empty prompt, one over `contextTokens`, ids outside the vocabulary, placeholders that
// are not as many and as placed as the media's embedding rows; kUnsupported for media when the model cannot see.
Result<CheckedPrompt> checkPrompt(Prompt prompt, const Runtime& runtime, int64_t contextTokens);

// Rows of a medium in the prompt. Errors: as mediaRowCount; kUnsupported when the model cannot see.
Result<int64_t> mediaRowsFor(const Runtime& runtime, const MediaInput& media);

// The identity of a token that is no media placeholder.
[[nodiscard]] constexpr uint64_t tokenIdentity(TokenId id) {
    return static_cast<uint64_t>(id);
}

// Feeds parts of a prompt to a Forward, encoding each medium when its first row is needed unless the cache has it. Borrows everything.
// Engine thread.
class PromptReader {
  public:
    PromptReader(const CheckedPrompt& prompt, const Runtime& runtime, Forward& forward, MediaCache& cache)
        : prompt_(prompt), runtime_(runtime), forward_(forward), cache_(cache) {}

    struct Part {
        int64_t begin = 0;  // tokens [begin, end) of the prompt, begin == the state's position
        int64_t end = 0;
        LogitRows logits = LogitRows::kNone;
        ForwardTap* tap = nullptr;
        const StepProbes* probes = nullptr;  // prepared for this step
    };
    // One step. Errors and results as Forward::step.
    Result<ConstTensorView> read(const Part& part, SequenceState& state, const std::stop_token& stop);

  private:
    Result<std::vector<MediaRows>> mediaIn(const Part& part, const std::stop_token& stop);
    Result<std::shared_ptr<const MediaEmbedding>> embeddingOf(size_t medium, const std::stop_token& stop);

    const CheckedPrompt& prompt_;
    const Runtime& runtime_;
    Forward& forward_;
    MediaCache& cache_;
    std::vector<std::shared_ptr<const MediaEmbedding>> embeddings_;  // of media that the current part touches
};

}  // namespace pal

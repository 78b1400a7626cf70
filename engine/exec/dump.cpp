// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "engine/api/chat.h"
#include "engine/api/telemetry.h"
#include "engine/exec/dump_files.h"
#include "engine/exec/dump_tap.h"
#include "engine/exec/prompt.h"
#include "engine/exec/sampler.h"

namespace pal {
namespace {

// Embeddings of more rows than kWholeEmbedding are written as their first and last kEmbeddingEnds, as the reference does.
constexpr int64_t kWholeEmbedding = 64;
constexpr int64_t kEmbeddingEnds = 16;
constexpr int64_t kLatentRows = 16;
constexpr int64_t kSplitLatentRows = 4;

// All of a dump between loading and writing.
class Dumper {
  public:
    // `options` are complete.
    Dumper(const DumpRequest& request, const EngineOptions& options, const Runtime& runtime)
        : request_(request), options_(options), runtime_(runtime), forward_(runtime.weights(), runtime.backend()) {}

    Result<DumpTensors> run(const DumpInput& input) {
        PAL_TRY(writeEmbeddings(input));
        PAL_ASSIGN(const CheckedPrompt prompt, place(input));
        PAL_TRY(checkSplits(prompt.size()));
        PAL_TRY(checkGreedy(prompt.size()));
        const StateLayout layout = runtime_.stateLayout(latentDType(options_.latents));
        PAL_ASSIGN(SequenceState state, SequenceState::create(runtime_.backend(), layout));
        PAL_TRY(readPrompt(prompt, state));
        dumpStates(state, "", kLatentRows);
        PAL_TRY(continueGreedily(state));
        return std::move(out_);
    }

  private:
    Result<> writeEmbeddings(const DumpInput& input) {
        for (size_t n = 0; n < input.media.size(); ++n) {
            PAL_TRY(mediaRowsFor(runtime_, *input.media[n]).map([](int64_t) {}));
            PAL_ASSIGN(const MediaEmbedding embedding,
                       encodeMedia(runtime_.weights(), runtime_.backend(), *input.media[n], {}));
            DumpTensor rows = download(runtime_.backend(), embedding.rows);
            if (rows.shape[0] > kWholeEmbedding) {
                DumpTensor ends = download(runtime_.backend(), embedding.rows.rows(0, kEmbeddingEnds));
                keepLastRows(rows, kEmbeddingEnds);
                appendRows(ends, rows);
                rows = std::move(ends);
            }
            out_[fmt::format("vision.{}.embeds", n)] = std::move(rows);
        }
        return {};
    }

    // Each placeholder stands for one medium; media without a placeholder are only embedded.
    Result<CheckedPrompt> place(const DumpInput& input) const {
        Prompt prompt{input.ids, {}, {}};
        if (const auto& vision = runtime_.config().vision; vision && !input.media.empty()) {
            const auto pad = static_cast<TokenId>(vision->mediaPlaceholderTokenId);
            const auto placeholders = static_cast<size_t>(std::count(prompt.ids.begin(), prompt.ids.end(), pad));
            std::vector<uint32_t> counts;
            for (size_t n = 0; n < std::min(placeholders, input.media.size()); ++n) {
                PAL_ASSIGN(const int64_t rows, mediaRowsFor(runtime_, *input.media[n]));
                counts.push_back(static_cast<uint32_t>(rows));
                prompt.media.push_back(input.media[n]);
            }
            PAL_ASSIGN(prompt.ids, expandMediaPads(input.ids, counts, pad));
        }
        return checkPrompt(std::move(prompt), runtime_, options_.contextTokens);
    }

    [[nodiscard]] Result<> checkSplits(int64_t tokens) const {
        int64_t last = 0;
        for (const int64_t split : request_.splits) {
            if (split <= last || split >= tokens) {
                return fail(ErrorCode::kInvalidArgument, "a split at {} does not lie after {} and before the end at {}",
                            split, last, tokens);
            }
            last = split;
        }
        return {};
    }

    [[nodiscard]] Result<> checkGreedy(int64_t tokens) const {
        if (request_.greedy >= 0 && request_.greedy <= options_.contextTokens - tokens) return {};
        return fail(ErrorCode::kInvalidArgument, "{} tokens after a prompt of {}: the context of {} leaves 0 to {}",
                    request_.greedy, tokens, options_.contextTokens, options_.contextTokens - tokens);
    }

    // Steps end at the splits, and at multiples of the chunk size as in a session.
    Result<> readPrompt(const CheckedPrompt& prompt, SequenceState& state) {
        MediaCache nothingKept(0);
        PromptReader reader(prompt, runtime_, forward_, nothingKept);
        DumpTap tap(runtime_.backend(), out_);
        DumpTensor logits;
        while (state.position() < prompt.size()) {
            const int64_t begin = state.position();
            const int64_t grid = (begin / options_.chunkTokens + 1) * options_.chunkTokens;
            int64_t end = std::min(prompt.size(), grid);
            const auto split = std::upper_bound(request_.splits.begin(), request_.splits.end(), begin);
            if (split != request_.splits.end()) end = std::min(end, *split);
            PAL_ASSIGN(const ConstTensorView view, reader.read({begin, end, LogitRows::kAll, &tap}, state, {}));
            DumpTensor fresh = download(runtime_.backend(), view);
            if (begin == 0) {
                logits = std::move(fresh);
            } else {
                appendRows(logits, fresh);
            }
            if (!request_.splits.empty() && end == request_.splits.front())
                dumpStates(state, "state", kSplitLatentRows);
        }
        out_["logits"] = std::move(logits);
        return {};
    }

    // With an empty prefix under "kda.<i>" and "mla.<i>", else under "<prefix>.<i>".
    void dumpStates(const SequenceState& state, std::string_view prefix, int64_t latentRows) {
        const std::vector<AttentionKind>& layers = runtime_.config().text.attention;
        std::vector<std::string> prefixes;
        for (size_t i = 0; i < layers.size(); ++i) {
            const std::string_view kind = layers[i] == AttentionKind::kKda ? "kda" : "mla";
            prefixes.push_back(fmt::format("{}.{}", prefix.empty() ? kind : prefix, i));
        }
        dumpState(runtime_.backend(), state, layers, prefixes, latentRows, out_);
    }

    Result<> continueGreedily(SequenceState& state) {
        if (request_.greedy == 0) return {};
        SamplingParams params;
        params.temperature = 0;
        DumpTensor last = out_.at("logits");
        keepLastRows(last, 1);
        std::vector<int32_t> tokens;
        while (true) {
            std::vector<float> logits(last.bytes.size() / sizeof(float));
            std::copy(last.bytes.begin(), last.bytes.end(), std::as_writable_bytes(std::span(logits)).begin());
            PAL_ASSIGN(const Draw draw, drawToken(logits, params, {}, 0));
            tokens.push_back(draw.token);
            if (std::ssize(tokens) >= request_.greedy) break;
            StepInput input;
            input.ids = std::span(tokens).last(1);
            PAL_ASSIGN(const ConstTensorView view, forward_.step(input, state));
            last = download(runtime_.backend(), view);
        }
        const auto bytes = std::as_bytes(std::span(tokens));
        out_["greedy"] = {StorageType::kI32, {std::ssize(tokens)}, {bytes.begin(), bytes.end()}};
        return {};
    }

    const DumpRequest& request_;
    EngineOptions options_;
    const Runtime& runtime_;
    Forward forward_;
    DumpTensors out_;
};

}  // namespace

Result<> dumpModel(const DumpRequest& request) {
    PAL_ASSIGN(const DumpInput input, readDumpInput(request.ids));
    PAL_ASSIGN(BoundModel model, loadModel(request.model));
    PAL_ASSIGN(const EngineOptions options, completeOptions(request.engine, model.plan.config.text));
    PAL_ASSIGN(std::unique_ptr<Backend> backend, createBackend(options));
    PAL_ASSIGN(const GpuPlan plan, planFor(model, request.engine, *backend));
    PAL_ASSIGN(const std::unique_ptr<Runtime> runtime, Runtime::create(std::move(model), std::move(backend), {}, plan));
    Dumper dumper(request, options, *runtime);
    PAL_ASSIGN(const DumpTensors tensors, dumper.run(input));
    return writeDump(request.out, tensors);
}

}  // namespace pal

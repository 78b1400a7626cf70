// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/window_probe.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>

#include "engine/exec/dump_tap.h"
#include "engine/exec/next_tokens.h"

namespace pal {
namespace {

// Tokens of the window per step: logits and raw values of all of them are held at once, and some backends show all only of short steps.
int64_t windowStep(const ProbeSupport& support) {
    int64_t tokens = 64;
    if (support.ruleTokens > 0) tokens = std::min(tokens, support.ruleTokens);
    if (support.attentionTokens > 0) tokens = std::min(tokens, support.attentionTokens);
    return tokens;
}

bool holds(const std::vector<int64_t>& layers, int64_t layer) {
    return std::count(layers.begin(), layers.end(), layer) > 0;
}

std::vector<int64_t> rawLayersOf(const ProbeRequest& request) {
    return request.level == ProbeLevel::kFull ? request.rawLayers : std::vector<int64_t>();
}

std::vector<float> floatsOf(Backend& backend, const ConstTensorView& values) {
    const DumpTensor tensor = download(backend, values);
    std::vector<float> out(tensor.bytes.size() / sizeof(float));
    std::memcpy(out.data(), tensor.bytes.data(), tensor.bytes.size());
    return out;
}

// Gathers the raw values of KDA layers over the steps of a window.
class RawTap final : public ForwardTap {
  public:
    RawTap(Backend& backend, const KdaConfig& config, std::map<int64_t, RawKda>& layers)
        : backend_(backend), config_(config), layers_(layers) {}

    [[nodiscard]] bool wants(int64_t layer) const override { return layers_.contains(layer); }
    void tensor(TapPoint point, int64_t layer, const ConstTensorView& values) override {
        const auto at = layers_.find(layer);
        if (at == layers_.end()) return;
        RawKda& raw = at->second;
        switch (point) {
            case TapPoint::kKdaInput:
                return split(floatsOf(backend_, values), raw);
            case TapPoint::kKdaLogDecay:
                return append(raw.logDecay, values);
            case TapPoint::kKdaBeta:
                return append(raw.beta, values);
            case TapPoint::kKdaRead:
                return append(raw.read, values);
            case TapPoint::kKdaGate:
                return append(raw.gate, values);
            default:
                return;
        }
    }

  private:
    void append(std::vector<float>& to, const ConstTensorView& values) {
        const std::vector<float> more = floatsOf(backend_, values);
        to.insert(to.end(), more.begin(), more.end());
    }
    // Rows of q | k | v.
    void split(const std::vector<float>& rows, RawKda& raw) const {
        const int64_t keys = config_.heads * raw.keyDim;
        const int64_t values = config_.heads * raw.valueDim;
        for (auto at = rows.begin(); at != rows.end();) {
            for (auto& [to, count] : {std::pair{&raw.q, keys}, {&raw.k, keys}, {&raw.v, values}}) {
                to->insert(to->end(), at, at + count);
                at += count;
            }
        }
    }

    Backend& backend_;
    const KdaConfig& config_;
    std::map<int64_t, RawKda>& layers_;
};

// The window's raw layers while they are read.
class RawWindow {
  public:
    RawWindow(const Runtime& runtime, const ProbeRequest& request)
        : runtime_(runtime), request_(request), tap_(runtime.backend(), runtime.config().text.kda, kda_) {
        const TextConfig& c = runtime.config().text;
        int64_t index = 0;
        int64_t kdaIndex = 0;
        for (const PlannedLayer& layer : runtime.plan().layers) {
            const bool wanted = holds(rawLayersOf(request), index);
            const bool isKda = layer.attention == AttentionKind::kKda;
            if (wanted && isKda) {
                RawKda& raw = kda_[index];
                raw.heads = c.kda.heads;
                raw.keyDim = raw.valueDim = c.kda.headDim;
                kdaIndex_[index] = kdaIndex;
            } else if (wanted) {
                RawMla& raw = mla_[index];
                raw.heads = c.mla.heads;
                raw.attention.resize(static_cast<size_t>((request.end - request.begin) * c.mla.heads * request.end));
            }
            if (isKda) ++kdaIndex;
            ++index;
        }
    }

    [[nodiscard]] ForwardTap* tap() { return kda_.empty() ? nullptr : &tap_; }

    void before(const SequenceState& state) {
        for (auto& [layer, raw] : kda_)
            raw.stateBefore = floatsOf(runtime_.backend(), state.kdaState(kdaIndex_.at(layer)));
    }
    void after(const SequenceState& state) {
        for (auto& [layer, raw] : kda_)
            raw.stateAfter = floatsOf(runtime_.backend(), state.kdaState(kdaIndex_.at(layer)));
    }
    // Attention of the `tokens` tokens from `first` on.
    void addAttention(const ProbedStep& probes, int64_t first, int64_t tokens) {
        for (auto& [layer, raw] : mla_) {
            for (int64_t row = 0; row < tokens * raw.heads; ++row) {
                const std::span<const float> from = probes.attentionRow(layer, row / raw.heads, row % raw.heads);
                const int64_t at = ((first - request_.begin) * raw.heads + row) * request_.end;
                std::copy(from.begin(), from.end(), raw.attention.begin() + at);
            }
        }
    }
    [[nodiscard]] std::vector<RawLayer> take() {
        std::vector<RawLayer> out;
        for (const int64_t layer : rawLayersOf(request_)) {
            RawLayer raw{layer, {}, {}};
            if (const auto at = kda_.find(layer); at != kda_.end()) raw.kda = std::move(at->second);
            if (const auto at = mla_.find(layer); at != mla_.end()) raw.mla = std::move(at->second);
            out.push_back(std::move(raw));
        }
        return out;
    }

  private:
    const Runtime& runtime_;
    const ProbeRequest& request_;
    std::map<int64_t, RawKda> kda_;
    std::map<int64_t, int64_t> kdaIndex_;  // among the KDA layers
    std::map<int64_t, RawMla> mla_;
    RawTap tap_;
};

uint64_t rawBytesOf(const ProbeRequest& request, const LayerPlan& plan, int64_t layer) {
    const TextConfig& c = plan.config.text;
    const auto tokens = static_cast<uint64_t>(request.end - request.begin);
    if (plan.layers[static_cast<size_t>(layer)].attention == AttentionKind::kMla) {
        return tokens * static_cast<uint64_t>(c.mla.heads * request.end) * sizeof(float);
    }
    const auto width = static_cast<uint64_t>(c.kda.width());
    const auto state = width * static_cast<uint64_t>(c.kda.headDim);
    // q, k, v, decay, read and gate; beta; the state before and after
    return (tokens * (6 * width + static_cast<uint64_t>(c.kda.heads)) + 2 * state) * sizeof(float);
}

}  // namespace

Result<> checkProbes(const ProbeRequest& request, const LayerPlan& plan, const BackendInfo& backend,
                     int64_t promptTokens) {
    const std::vector<int64_t>& ends = request.regionEnds;
    if (request.level == ProbeLevel::kOff) return {};
    if (std::ssize(ends) > ProbeRequest::kMostRegions) {
        return fail(ErrorCode::kInvalidArgument, "{} regions to look at: at most {}", ends.size(),
                    ProbeRequest::kMostRegions);
    }
    if (!std::is_sorted(ends.begin(), ends.end()) || (!ends.empty() && ends.front() < 0))
        return fail(ErrorCode::kInvalidArgument, "the ends of the {} regions to look at do not ascend", ends.size());
    if (request.topKeys < 0 || request.topKeys > promptTokens + ProbeRequest::kMostRegions) {
        return fail(ErrorCode::kInvalidArgument, "{} top keys: 0 to {}", request.topKeys,
                    promptTokens + ProbeRequest::kMostRegions);
    }
    if (request.level == ProbeLevel::kSummary) return {};
    if (request.begin < 0 || request.begin >= request.end || request.end > promptTokens) {
        return fail(ErrorCode::kInvalidArgument, "a window of tokens {} to {}: the prompt has {}", request.begin,
                    request.end, promptTokens);
    }
    const std::vector<int64_t> raw = rawLayersOf(request);
    if (std::adjacent_find(raw.begin(), raw.end(), std::greater_equal<>()) != raw.end())
        return fail(ErrorCode::kInvalidArgument, "the {} layers of raw values do not ascend", raw.size());
    if (!raw.empty() && !backend.probes.raw)
        return fail(ErrorCode::kUnsupported, "the {} backend does not show raw values", backend.name);
    for (const int64_t layer : raw) {
        if (layer < 0 || layer >= std::ssize(plan.layers)) {
            return fail(ErrorCode::kInvalidArgument, "raw values of layer {}: the model has {} layers", layer,
                        plan.layers.size());
        }
    }
    if (const uint64_t bytes = windowBytes(request, plan); bytes > request.rawBytes) {
        return fail(ErrorCode::kInvalidArgument, "the window's values are {} bytes, {} are allowed", bytes,
                    request.rawBytes);
    }
    return {};
}

uint64_t windowBytes(const ProbeRequest& request, const LayerPlan& plan) {
    uint64_t bytes = static_cast<uint64_t>(request.end - request.begin) * probeBytesPerToken(plan, request);
    for (const int64_t layer : rawLayersOf(request)) bytes += rawBytesOf(request, plan, layer);
    return bytes;
}

Result<WindowProbe> probeWindow(const WindowTools& tools, const CheckedPrompt& prompt, SequenceState state,
                                const std::function<void(int64_t)>& progress, const std::stop_token& stop,
                                std::vector<float>& logits) {
    const ProbeRequest& request = prompt.prompt.probes;
    Backend& backend = tools.runtime.backend();
    PromptReader reader(prompt, tools.runtime, tools.forward, tools.media);
    RawWindow raw(tools.runtime, request);
    WindowProbe out{request.begin, request.end, {}, {}, -1};
    const int64_t start = state.position();
    const int64_t step = windowStep(backend.info().probes);
    while (state.position() < request.end) {
        const int64_t begin = state.position();
        const bool inside = begin >= request.begin;
        const int64_t border = (begin / tools.chunkTokens + 1) * tools.chunkTokens;
        const int64_t end = inside ? std::min({border, request.end, begin + step}) : std::min(border, request.begin);
        if (stop.stop_requested())
            return fail(ErrorCode::kCancelled, "stopped at token {} of a window to {}", begin, request.end);
        PromptReader::Part part{begin, end, LogitRows::kNone, nullptr, nullptr};
        if (inside) {
            PAL_TRY(tools.probes.prepare({end - begin, end - begin, end - begin, request.regionEnds, request.topKeys,
                                          begin, rawLayersOf(request)}));
            part = {begin, end, LogitRows::kAll, raw.tap(), &tools.probes};
            if (begin == request.begin) raw.before(state);
        }
        PAL_ASSIGN(const ConstTensorView rows, reader.read(part, state, stop));
        progress(end - start);
        if (!inside) continue;
        const std::vector<float> values = floatsOf(backend, rows);
        const ProbedStep seen = tools.probes.take();
        PAL_TRY(toResult(backend.finish()));  // tells whether the logits arrived
        raw.addAttention(seen, begin, end - begin);
        const auto vocabulary = static_cast<size_t>(rows.dim(1));
        for (int64_t token = begin; token < end; ++token) {
            TokenProbe& probe = out.tokens.emplace_back();
            seen.addTo(probe, token - begin);
            probe.position = token;
            probe.token = prompt.prompt.ids[static_cast<size_t>(token)];
            describeNext(std::span(values).subspan(static_cast<size_t>(token - begin) * vocabulary, vocabulary), {}, {},
                         probe);
        }
        logits.assign(values.end() - static_cast<std::ptrdiff_t>(vocabulary), values.end());
    }
    raw.after(state);
    PAL_TRY(toResult(backend.finish()));
    out.raw = raw.take();
    return out;
}

}  // namespace pal

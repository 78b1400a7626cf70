// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/timed_backend.h"

#include <type_traits>
#include <variant>
#include <vector>

namespace pal {

std::string_view costPartName(CostPart part) {
    constexpr std::array<std::string_view, kCostParts> kNames{"kda", "mla", "mlp", "moe", "router", "head", "other"};
    return kNames[static_cast<size_t>(part)];
}

void TimedBackend::learn(const DeviceWeights& weights) {
    const auto note = [this](CostPart part) {
        return [this, part](const WeightView& weight) {
            if (weight.present()) parts_[weight.data] = part;
        };
    };
    std::vector<BoundLayer> layers = weights.layers;
    for (BoundLayer& layer : layers) {
        if (auto* kda = std::get_if<BoundKda>(&layer.attention)) forEachMatrix(*kda, note(CostPart::kKda));
        if (auto* mla = std::get_if<BoundMla>(&layer.attention)) forEachMatrix(*mla, note(CostPart::kMla));
        if (auto* mlp = std::get_if<BoundMlp>(&layer.feedForward)) forEachMatrix(*mlp, note(CostPart::kMlp));
        if (auto* moe = std::get_if<BoundMixture>(&layer.feedForward)) {
            forEachSharedMatrix(*moe, note(CostPart::kMoe));
            forEachExpertMatrix(*moe, note(CostPart::kMoe));
            note(CostPart::kRouter)(moe->router);
        }
    }
    note(CostPart::kHead)(weights.head);
}

CostPart TimedBackend::partOf(const WeightView& weight) const {
    const auto found = parts_.find(weight.data);
    return found == parts_.end() ? CostPart::kOther : found->second;
}

void TimedBackend::linear(const LinearArgs& args) {
    last_ = partOf(args.parts.front().weight);
    const double seconds = run(&Backend::linear, args, last_);
    if (!counting_) return;
    CostSum& cost = sum(last_);
    cost.matrixSeconds += seconds;
    for (const LinearPart& part : args.parts) {
        cost.weightBytes += static_cast<uint64_t>(part.weight.bytes());
        cost.matrixFlops += 2.0 * static_cast<double>(args.x.dim(0) * part.weight.rows * part.weight.cols);
        ++shapes_[{args.x.dim(0), part.weight.rows, part.weight.cols}];
    }
}

void TimedBackend::mlaAttention(const MlaAttentionArgs& args) {
    run(&Backend::mlaAttention, args, CostPart::kMla);
    if (counting_) sum(CostPart::kMla).weightBytes += static_cast<uint64_t>(args.kvB.bytes());
}

void TimedBackend::moe(const MoeArgs& args) {
    last_ = CostPart::kMoe;
    const double seconds = run(&Backend::moe, args, last_);
    if (!counting_) return;
    std::vector<int32_t> picks(static_cast<size_t>(args.index.elements()));
    inner_->download(std::as_writable_bytes(std::span(picks)), args.index.data);
    CostSum& cost = sum(last_);
    cost.matrixSeconds += seconds;
    std::map<int32_t, int64_t> tokens;
    for (const int32_t expert : picks) ++tokens[expert];
    for (const auto& [expert, count] : tokens) {
        const ExpertWeights& w = args.experts[static_cast<size_t>(expert)];
        for (const WeightView& matrix : {w.gate, w.up, w.down}) {
            cost.weightBytes += static_cast<uint64_t>(matrix.bytes());
            ++shapes_[{count, matrix.rows, matrix.cols}];
        }
    }
    const WeightView& gate = args.experts.front().gate;
    cost.matrixFlops += 2.0 * 3.0 * static_cast<double>(std::ssize(picks) * gate.rows * gate.cols);
}

KernelStatus TimedBackend::finish() {
    keepStatus(inner_->finish());
    return std::exchange(firstError_, {});
}

void TimedBackend::keepStatus(KernelStatus status) {
    if (firstError_.ok() && !status.ok()) firstError_ = std::move(status);
}

}  // namespace pal

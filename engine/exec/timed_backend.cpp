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
    run("linear", &Backend::linear, args, last_);
    if (!counting_) return;
    calls_.back().matrices = true;
    for (const LinearPart& part : args.parts) {
        calls_.back().weightBytes += static_cast<uint64_t>(part.weight.bytes());
        ++shapes_[{args.x.dim(0), part.weight.rows, part.weight.cols}];
    }
}

void TimedBackend::mlaAttention(const MlaAttentionArgs& args) {
    run("mlaAttention", &Backend::mlaAttention, args, CostPart::kMla);
    if (counting_) calls_.back().weightBytes = static_cast<uint64_t>(args.kvB.bytes());
}

// The picks are kept and looked at when the step is over: waiting for them here would let the device run dry.
void TimedBackend::moe(const MoeArgs& args) {
    last_ = CostPart::kMoe;
    run("moe", &Backend::moe, args, last_);
    if (!counting_) return;
    calls_.back().matrices = true;
    const auto count = static_cast<size_t>(args.index.elements());
    Buffer index;
    if (!spare_.empty()) {
        index = std::move(spare_.back());
        spare_.pop_back();
    }
    if (index.size() < count * sizeof(int32_t)) index = inner_->allocate(count * sizeof(int32_t));
    if (index.data() == nullptr) return;
    inner_->copy(index.data(), args.index.data, count * sizeof(int32_t));
    picked_.push_back({calls_.size() - 1, args.experts, std::move(index), count});
}

// Weights of each expert that was picked, once.
void TimedBackend::addPicks() {
    for (Picked& picked : picked_) {
        std::vector<int32_t> picks(picked.count);
        inner_->download(std::as_writable_bytes(std::span(picks)), picked.index.data());
        std::map<int32_t, int64_t> tokens;
        for (const int32_t expert : picks) ++tokens[expert];
        Call& call = calls_[picked.call];
        for (const auto& [expert, count] : tokens) {
            const ExpertWeights& w = picked.experts[static_cast<size_t>(expert)];
            for (const WeightView& matrix : {w.gate, w.up, w.down}) {
                call.weightBytes += static_cast<uint64_t>(matrix.bytes());
                ++shapes_[{count, matrix.rows, matrix.cols}];
            }
        }
        call.cost.bytes += call.weightBytes;
        spare_.push_back(std::move(picked.index));
    }
    picked_.clear();
}

void TimedBackend::addCalls() {
    if (marked_) {
        const std::vector<double> times = inner_->takeTimes();  // of an op, then of what is between two
        for (size_t i = 0; i < calls_.size() && 2 * i < times.size(); ++i) calls_[i].seconds = times[2 * i];
    }
    addPicks();
    for (const Call& call : calls_) {
        CostSum& part = sums_[static_cast<size_t>(call.part)];
        part.seconds += call.seconds;
        part.weightBytes += call.weightBytes;
        if (call.matrices) {
            part.matrixSeconds += call.seconds;
            part.matrixFlops += call.cost.flops;
        }
        OpSum& op = ops_[{call.op, call.part}];
        ++op.calls;
        op.seconds += call.seconds;
        op.cost.bytes += call.cost.bytes;
        op.cost.flops += call.cost.flops;
    }
    calls_.clear();
}

KernelStatus TimedBackend::finish() {
    keepStatus(inner_->finish());
    if (!calls_.empty()) addCalls();
    return std::exchange(firstError_, {});
}

void TimedBackend::keepStatus(KernelStatus status) {
    if (firstError_.ok() && !status.ok()) firstError_ = std::move(status);
}

}  // namespace pal

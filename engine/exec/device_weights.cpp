// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/device_weights.h"

#include <algorithm>

#include "engine/exec/forward.h"

namespace pal {
namespace {

constexpr uint64_t kToldEach = 64ULL << 20;  // bytes

// Replaces host views by device views in place; remembers the first that did not fit, and does no more when it was stopped.
class Importer {
  public:
    Importer(Backend& backend, const BoundModel& model, const LoadWatch& watch, const std::vector<bool>& expertsInRam)
        : backend_(backend), shards_(model.store.shards()), watch_(watch), expertsInRam_(expertsInRam) {
        told_.totalBytes = model.plan.weightBytes();
        told_.shards = shards_.size();
    }

    void matrix(WeightView& view) {
        if (!view.present() || watch_.stop.stop_requested()) return;
        const auto bytes = static_cast<uint64_t>(view.bytes());
        tell(view.data, bytes);
        view = backend_.importWeight(view);
        note(view.present(), bytes);
    }
    void vector(std::span<const float>& values) {
        if (values.empty()) return;
        const float* data = backend_.importVector(values);
        note(data != nullptr, values.size_bytes());
        values = {data, values.size()};
    }

    void attention(BoundKda& kda) {
        forEachMatrix(kda, [this](WeightView& w) { matrix(w); });
        for (auto* v : {&kda.conv, &kda.aLog, &kda.dtBias, &kda.norm}) vector(*v);
    }
    void attention(BoundMla& mla) {
        forEachMatrix(mla, [this](WeightView& w) { matrix(w); });
        for (auto* v : {&mla.queryNorm, &mla.latentNorm}) vector(*v);
    }
    void feedForward(BoundMlp& mlp) {
        forEachMatrix(mlp, [this](WeightView& w) { matrix(w); });
    }
    void feedForward(BoundMixture& moe) {
        matrix(moe.router);
        const auto toDevice = [this](WeightView& w) { matrix(w); };
        const size_t number = mixtures_++;
        if (number < expertsInRam_.size() && expertsInRam_[number]) {
            keepExperts(moe.experts);
        } else {
            forEachExpertMatrix(moe, toDevice);
        }
        forEachSharedMatrix(moe, toDevice);
        for (auto* v : {&moe.routerBias, &moe.latentNorm}) vector(*v);
    }
    void layer(BoundLayer& layer) {
        for (auto* v : {&layer.attentionNorm, &layer.mlpNorm, &layer.attentionQuery, &layer.mlpQuery}) vector(*v);
        std::visit([this](auto& block) { attention(block); }, layer.attention);
        std::visit([this](auto& block) { feedForward(block); }, layer.feedForward);
    }
    void vision(BoundVision& tower) {
        for (WeightView* w : {&tower.patchEmbed, &tower.projectorIn, &tower.projectorOut}) matrix(*w);
        for (auto* v : {&tower.positionGrid, &tower.finalNorm, &tower.projectorNorm}) vector(*v);
        for (BoundVision::Block& block : tower.blocks) {
            for (WeightView* w : {&block.qkv, &block.output, &block.up, &block.down}) matrix(*w);
            for (auto* v : {&block.attentionNorm, &block.mlpNorm}) vector(*v);
        }
    }

    [[nodiscard]] Result<> outcome(uint64_t modelBytes) {
        if (watch_.stop.stop_requested()) return fail(ErrorCode::kCancelled, "loading the model was stopped");
        if (!failure_.ok()) return toResult(failure_);
        if (failedBytes_ == 0) {
            told_.doneBytes = told_.totalBytes;
            told_.shard = told_.shards;
            if (watch_.progress) watch_.progress(told_);
            return {};
        }
        return fail(ErrorCode::kOutOfMemory,
                    "{} has no room for the weights: {} bytes in all, stopped at one of {} with {} free",
                    backend_.info().device, modelBytes, failedBytes_, backend_.freeBytes());
    }

  private:
    void keepExperts(std::span<ExpertWeights> experts) {
        if (watch_.stop.stop_requested() || !failure_.ok()) return;
        const void* first = experts.front().gate.data;
        failure_ = backend_.keepOnHost(experts, [&](uint64_t bytes) {
            tell(first, bytes);
            return !watch_.stop.stop_requested();
        });
    }

    void note(bool placed, uint64_t bytes) {
        if (!placed && failedBytes_ == 0) failedBytes_ = bytes;
    }

    // Before the weight is brought over.
    void tell(const void* data, uint64_t bytes) {
        const auto* at = static_cast<const std::byte*>(data);
        const auto holds = [at](const MappedFile& file) {
            const auto whole = file.bytes();
            return !whole.empty() && at >= whole.data() && at < whole.data() + whole.size();
        };
        const auto file = std::find_if(shards_.begin(), shards_.end(), holds);
        if (file != shards_.end()) told_.shard = static_cast<size_t>(file - shards_.begin()) + 1;
        if (watch_.progress && told_.doneBytes >= next_) {
            watch_.progress(told_);
            next_ = told_.doneBytes + kToldEach;
        }
        told_.doneBytes = std::min(told_.doneBytes + bytes, told_.totalBytes);
    }

    Backend& backend_;
    std::span<const MappedFile> shards_;
    const LoadWatch& watch_;
    const std::vector<bool>& expertsInRam_;
    size_t mixtures_ = 0;   // layers with experts so far
    KernelStatus failure_;  // of keeping some in RAM
    LoadProgress told_;
    uint64_t next_ = 0;  // doneBytes of the next call
    uint64_t failedBytes_ = 0;
};

}  // namespace

Result<DeviceWeights> importWeights(const BoundModel& model, Backend& backend, const LoadWatch& watch,
                                    const std::vector<bool>& expertsInRam) {
    DeviceWeights out{&model.plan,     model.embedding, model.layers, model.outputQuery,
                      model.finalNorm, model.head,      model.vision};
    Importer importer(backend, model, watch, expertsInRam);
    const bool tied = out.head.data == out.embedding.data;
    importer.matrix(out.embedding);
    if (tied) {
        out.head = out.embedding;
    } else {
        importer.matrix(out.head);
    }
    for (BoundLayer& layer : out.layers) importer.layer(layer);
    importer.vector(out.outputQuery);
    importer.vector(out.finalNorm);
    if (out.vision) importer.vision(*out.vision);
    const Result<> delivered = toResult(backend.finish());  // until then the backend reads from the files
    PAL_TRY(importer.outcome(model.plan.weightBytes()));
    PAL_TRY(delivered);
    return out;
}

}  // namespace pal

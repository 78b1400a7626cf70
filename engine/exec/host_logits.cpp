// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/host_logits.h"

#include <algorithm>

#include "engine/state/device_room.h"

namespace pal {

Result<> HostLogits::makeRoom(Backend& backend, int64_t count) {
    clear();
    temperature_ = 0;
    const size_t bytes = static_cast<size_t>(count) * sizeof(float);
    if (values_.size() < bytes) values_ = backend.allocateHost(bytes);
    if (values_.data() == nullptr)
        return fail(ErrorCode::kOutOfMemory, "the logits of a token need {} bytes of the computer's memory", bytes);
    fetched_ = count;
    return {};
}

Result<> HostLogits::fetch(Backend& backend, const ConstTensorView& logits) {
    PAL_TRY(makeRoom(backend, logits.elements()));
    const size_t bytes = static_cast<size_t>(logits.elements()) * sizeof(float);
    backend.fetch({static_cast<std::byte*>(values_.data()), bytes}, logits.data);
    return {};
}

Result<> HostLogits::fetch(Backend& backend, const ConstTensorView& logits, float temperature, Digest digest) {
    const auto count = static_cast<size_t>(logitBlocks(logits.elements()));
    const size_t most = count * (sizeof(LogitBlock) + sizeof(float));
    if (digest_.size() < most) digest_ = backend.allocateHost(most);
    if (deviceDigest_.size() < most) deviceDigest_ = backend.allocate(most);
    if (deviceDigest_.data() == nullptr || digest_.data() == nullptr)
        return noRoom(backend, "the digest of a token's logits", most);
    const float digested = digestTemperature(temperature);
    const bool described = digest == Digest::kDescribe;
    auto* const blocks = static_cast<LogitBlock*>(deviceDigest_.data());
    auto* const moments = described ? reinterpret_cast<float*>(blocks + count) : nullptr;
    // Before the logits leave: a GPU's kernels follow each other without a gap, and so do its copies.
    backend.digestLogits({static_cast<const float*>(logits.data), logits.elements(), digested, blocks, moments});
    PAL_TRY(fetch(backend, logits));
    temperature_ = digested;
    described_ = described;
    backend.fetch({static_cast<std::byte*>(digest_.data()), described ? most : count * sizeof(LogitBlock)}, blocks);
    return {};
}

Result<> HostLogits::assign(Backend& backend, std::span<const float> logits) {
    clear();
    if (logits.empty()) return {};
    PAL_TRY(makeRoom(backend, std::ssize(logits)));
    std::copy(logits.begin(), logits.end(), static_cast<float*>(values_.data()));
    keep();
    return {};
}

std::span<const LogitBlock> HostLogits::digest(float temperature) const {
    if (empty() || temperature_ != digestTemperature(temperature)) return {};
    return {static_cast<const LogitBlock*>(digest_.data()), static_cast<size_t>(logitBlocks(fetched_))};
}

std::span<const float> HostLogits::moments() const {
    if (empty() || temperature_ == 0 || !described_) return {};
    const auto count = static_cast<size_t>(logitBlocks(fetched_));
    return {reinterpret_cast<const float*>(static_cast<const LogitBlock*>(digest_.data()) + count), count};
}

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#include "engine/state/host_blocks.h"

#include <algorithm>
#include <new>
#include <utility>

namespace pal {
namespace {

constexpr size_t kSmall = size_t{1} << 20;  // below, ordinary memory does
constexpr size_t kUnit =
    size_t{4} << 20;  // sizes are rounded up to it, so that blocks fit again; backends align those to large pages

}  // namespace

HostBlocks::HostBlocks(Backend& backend, size_t mostFree)
    : backend_(backend), free_(std::make_shared<Free>(mostFree)) {}

HostBlocks::Lease::~Lease() {
    const std::lock_guard lock(free->mutex);
    if (free->bytes + block.size() > free->mostBytes) return;
    const size_t size = block.size();
    try {
        free->blocks.push_back(std::move(block));
    } catch (const std::bad_alloc&) {
        return;  // it is freed instead
    }
    free->bytes += size;
}

// The smallest that is large enough and not more than twice as large.
Buffer HostBlocks::takeFree(size_t size) {
    const std::lock_guard lock(free_->mutex);
    auto best = free_->blocks.end();
    for (auto at = free_->blocks.begin(); at != free_->blocks.end(); ++at) {
        if (at->size() >= size && at->size() <= 2 * size && (best == free_->blocks.end() || at->size() < best->size()))
            best = at;
    }
    if (best == free_->blocks.end()) return {};
    Buffer out = std::move(*best);
    free_->blocks.erase(best);
    free_->bytes -= out.size();
    return out;
}

ByteBuffer HostBlocks::take(size_t size) {
    if (size < kSmall) return ByteBuffer(size);
    const size_t rounded = (size + kUnit - 1) / kUnit * kUnit;
    Buffer block = takeFree(rounded);
    if (block.data() == nullptr) block = backend_.allocateHost(rounded);
    if (block.data() == nullptr) return ByteBuffer(size);
    auto* const data = static_cast<std::byte*>(block.data());
    return {data, size, std::make_shared<Lease>(free_, std::move(block))};
}

}  // namespace pal

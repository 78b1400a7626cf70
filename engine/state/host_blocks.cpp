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

HostBlocks::HostBlocks(Backend& backend, size_t mostBytes)
    : backend_(backend), pool_(std::make_shared<Pool>(mostBytes)) {}

HostBlocks::Lease::~Lease() {
    if (block.data() == nullptr) return;
    const std::lock_guard lock(pool->mutex);
    const size_t size = block.size();
    try {
        pool->free.push_back(std::move(block));
    } catch (const std::bad_alloc&) {
        pool->bytes -= size;  // it is freed instead
    }
}

// The smallest that is large enough and not more than twice as large.
Buffer HostBlocks::takeFree(size_t size) {
    const std::lock_guard lock(pool_->mutex);
    auto best = pool_->free.end();
    for (auto at = pool_->free.begin(); at != pool_->free.end(); ++at) {
        if (at->size() >= size && at->size() <= 2 * size && (best == pool_->free.end() || at->size() < best->size()))
            best = at;
    }
    if (best == pool_->free.end()) return {};
    Buffer out = std::move(*best);
    pool_->free.erase(best);
    return out;
}

// Within the limit; free blocks, which are of other sizes, make room.
Buffer HostBlocks::takeNew(size_t size) {
    std::vector<Buffer> unused;  // freed, and the new one made, while nobody waits for the lock
    {
        const std::lock_guard lock(pool_->mutex);
        if (size > pool_->mostBytes) return {};
        unused.reserve(pool_->free.size());
        while (pool_->bytes + size > pool_->mostBytes && !pool_->free.empty()) {
            unused.push_back(std::move(pool_->free.back()));
            pool_->free.pop_back();
            pool_->bytes -= unused.back().size();
        }
        if (pool_->bytes + size > pool_->mostBytes) return {};
        pool_->bytes += size;
    }
    unused.clear();
    Buffer out;
    try {
        out = backend_.allocateHost(size);
    } catch (const std::bad_alloc&) {  // ordinary memory is tried then
    }
    if (out.size() != size) {
        const std::lock_guard lock(pool_->mutex);
        pool_->bytes += out.size() - size;
    }
    return out;
}

ByteBuffer HostBlocks::take(size_t size) {
    if (size < kSmall) return ByteBuffer(size);
    const size_t rounded = (size + kUnit - 1) / kUnit * kUnit;
    auto lease = std::make_shared<Lease>(pool_);
    lease->block = takeFree(rounded);
    if (lease->block.data() == nullptr) lease->block = takeNew(rounded);
    if (lease->block.data() == nullptr) return ByteBuffer(size);
    auto* const data = static_cast<std::byte*>(lease->block.data());
    return {data, size, std::move(lease)};
}

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/arena.h"

#include <algorithm>
#include <new>

namespace pal::cpu {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kSmallestBlock = size_t{1} << 16;

}  // namespace

void Arena::Release::operator()(std::byte* data) const {
    ::operator delete(data, std::align_val_t{kAlignment});
}

void Arena::addBlock(size_t bytes) {
    auto* data = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{kAlignment}));
    blocks_.push_back({std::unique_ptr<std::byte, Release>(data), bytes});
}

void* Arena::allocate(size_t bytes) {
    const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    while (top_.block < blocks_.size() && top_.used + rounded > blocks_[top_.block].size) top_ = {top_.block + 1, 0};
    if (top_.block == blocks_.size()) addBlock(std::max(rounded, kSmallestBlock));
    void* data = blocks_[top_.block].data.get() + top_.used;
    top_.used += rounded;
    return data;
}

// When nothing is in use, blocks that grew one by one become a single one that holds them all.
void Arena::release(Mark mark) {
    top_ = mark;
    if (mark.block != 0 || mark.used != 0 || blocks_.size() < 2) return;
    size_t total = 0;
    for (const Block& block : blocks_) total += block.size;
    blocks_.clear();
    try {
        addBlock(total);
    } catch (const std::bad_alloc&) {  // A scope may end because memory has: it grows again when it is used.
    }
}

}  // namespace pal::cpu

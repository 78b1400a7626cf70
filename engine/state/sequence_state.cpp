// SPDX-License-Identifier: Apache-2.0
#include "engine/state/sequence_state.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/state/device_room.h"

namespace pal {
namespace {

// Parts of an allocation start on cache lines.
constexpr size_t kPartAlignment = 64;
constexpr size_t kBlockBytes = 16 << 20;

size_t aligned(size_t bytes) {
    return (bytes + kPartAlignment - 1) / kPartAlignment * kPartAlignment;
}

size_t size(int64_t elements, DType dtype) {
    return static_cast<size_t>(elements) * dtypeBytes(dtype);
}

int64_t pagesFor(int64_t tokens) {
    return (tokens + kLatentPageTokens - 1) / kLatentPageTokens;
}

std::byte* at(const Buffer& buffer, size_t offset) {
    return static_cast<std::byte*>(buffer.data()) + offset;
}

}  // namespace

size_t StateLayout::kdaBytes() const {
    return size(heads * valueDim * keyDim, DType::kF32);
}

size_t StateLayout::tailBytes() const {
    return size(tailRows * tailChannels(), tail);
}

size_t StateLayout::recurrentBytes() const {
    return (aligned(kdaBytes()) + aligned(tailBytes())) * static_cast<size_t>(kdaLayers);
}

size_t StateLayout::layerPageBytes() const {
    return aligned(size(kLatentPageTokens * (latentRank + latentRope), latent));
}

Result<SequenceState> SequenceState::create(Backend& backend, const StateLayout& layout) {
    SequenceState state(backend, layout);
    const size_t bytes = layout.recurrentBytes();
    state.recurrent_ = backend.allocate(bytes);
    if (state.recurrent_.data() == nullptr) {
        return noRoom(backend, "a sequence's recurrent state", bytes);
    }
    backend.fillZero(state.recurrent_.data(), bytes);
    return state;
}

Result<SequenceState> SequenceState::clone() const {
    PAL_ASSIGN(SequenceState copy, create(*backend_, layout_));
    backend_->copy(copy.recurrent_.data(), recurrent_.data(), layout_.recurrentBytes());
    copy.setPages({pages_.begin(), pages_.begin() + pagesFor(position_)});
    copy.position_ = position_;
    return copy;
}

TensorView SequenceState::kdaState(int64_t layer) const {
    const size_t offset = aligned(layout_.kdaBytes()) * static_cast<size_t>(layer);
    return {at(recurrent_, offset), DType::kF32, {layout_.heads, layout_.valueDim, layout_.keyDim}};
}

TensorView SequenceState::convTail(int64_t layer) const {
    const size_t offset = aligned(layout_.kdaBytes()) * static_cast<size_t>(layout_.kdaLayers) +
                          aligned(layout_.tailBytes()) * static_cast<size_t>(layer);
    return {at(recurrent_, offset), layout_.tail, {layout_.tailRows, layout_.tailChannels()}};
}

LatentPages SequenceState::latents(int64_t layer) const {
    const std::span<void* const> all(pagesByLayer_);
    return {all.subspan(static_cast<size_t>(layer) * pagesInRow_, pages_.size()), layout_.latent, layout_.latentRank,
            layout_.latentRope};
}

int64_t SequenceState::adjacentPages(int64_t index) const {
    const auto first = static_cast<size_t>(index);
    size_t end = first + 1;
    while (end < pages_.size() && pages_[end]->block == pages_[first]->block &&
           pages_[end]->data == pages_[first]->data + layout_.pageBytes() * (end - first)) {
        ++end;
    }
    return static_cast<int64_t>(end - first);
}

// Appends `count` pages.
Result<> SequenceState::allocatePages(int64_t count, Pages& pages) const {
    const size_t pageBytes = layout_.pageBytes();
    const auto mostInBlock = static_cast<int64_t>(std::max<size_t>(kBlockBytes / pageBytes, 1));
    while (count > 0) {
        const int64_t inBlock = std::min(count, mostInBlock);
        const size_t bytes = pageBytes * static_cast<size_t>(inBlock);
        const auto block = std::make_shared<const Buffer>(backend_->allocate(bytes));
        if (block->data() == nullptr) {
            return noRoom(*backend_, fmt::format("token {}: a block of {} latent pages", position_, inBlock), bytes);
        }
        for (int64_t i = 0; i < inBlock; ++i)
            pages.push_back(std::make_shared<const Page>(Page{block, at(*block, pageBytes * static_cast<size_t>(i))}));
        count -= inBlock;
    }
    return {};
}

Result<> SequenceState::reserve(int64_t tokens) {
    if (layout_.mlaLayers == 0) return {};
    const int64_t needed = pagesFor(position_ + tokens);
    const auto full = static_cast<size_t>(position_ / kLatentPageTokens);
    // Only this thread holds pages, so the count cannot rise while we look at it.
    const bool lastIsShared = position_ % kLatentPageTokens != 0 && pages_[full].use_count() > 1;
    if (lastIsShared || std::ssize(pages_) < needed) {
        Pages pages = pages_;
        if (lastIsShared) {
            Pages own;
            PAL_TRY(allocatePages(1, own));
            backend_->copy(own[0]->data, pages_[full]->data, layout_.pageBytes());
            pages[full] = std::move(own[0]);
        }
        PAL_TRY(allocatePages(needed - std::ssize(pages), pages));
        setPages(std::move(pages));
    }
    clearBehind(position_ + tokens);
    return {};
}

// Attention multiplies whole pages: rows that no token has written get the weight 0, which keeps finite numbers out and no NaN. Only the page in which
// a step ends has such rows, and one that held tokens before was cleared when it got its first.
void SequenceState::clearBehind(int64_t end) const {
    const int64_t page = end / kLatentPageTokens;
    const bool isFull = end % kLatentPageTokens == 0;
    if (!isFull && page * kLatentPageTokens >= position_)
        backend_->fillZero(pages_[static_cast<size_t>(page)]->data, layout_.pageBytes());
}

void SequenceState::advance(int64_t tokens) {
    PAL_CHECK(layout_.mlaLayers == 0 || pagesFor(position_ + tokens) <= std::ssize(pages_));
    position_ += tokens;
}

size_t SequenceState::cloneBytes() const {
    const size_t tables = pages_.size() * sizeof pages_[0] + pagesByLayer_.size() * sizeof pagesByLayer_[0];
    const size_t lastPage = position_ % kLatentPageTokens != 0 ? layout_.pageBytes() : 0;
    return layout_.recurrentBytes() + tables + lastPage;
}

// The pages and their list by layer change together or, when memory runs out on the way, not at all. A list that grows stays in its place until its
// rows are full: a backend knows it by its address. The first is as long as it must be, since most clones are only kept.
void SequenceState::setPages(Pages pages) {
    std::vector<void*> grown;
    size_t inRow = pagesInRow_;
    if (pages.size() > inRow) {
        inRow = inRow == 0 ? pages.size() : std::max<size_t>(2 * pages.size(), 64);
        grown.resize(inRow * static_cast<size_t>(layout_.mlaLayers));
    }
    if (!grown.empty()) pagesByLayer_ = std::move(grown);
    pagesInRow_ = inRow;
    for (size_t layer = 0; layer < static_cast<size_t>(layout_.mlaLayers); ++layer) {
        void** row = pagesByLayer_.data() + layer * inRow;
        for (const auto& page : pages) *row++ = page->data + layout_.layerPageBytes() * layer;
    }
    pages_ = std::move(pages);
}

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "kernels/api/backend.h"

namespace pal {

// Shapes of what one sequence remembers, the same for all its layers of a kind. h heads, V value and K key channels per head,
// W taps of the short convolution.
struct StateLayout {
    int64_t kdaLayers = 0;
    int64_t heads = 0;         // h
    int64_t valueDim = 0;      // V
    int64_t keyDim = 0;        // K
    int64_t tailRows = 0;      // W - 1
    DType tail = DType::kF32;  // the backend's activation type
    int64_t mlaLayers = 0;
    int64_t latentRank = 0;
    int64_t latentRope = 0;
    DType latent = DType::kF32;  // kF32 or kBF16

    [[nodiscard]] int64_t tailChannels() const { return heads * (2 * keyDim + valueDim); }  // q | k | v
    [[nodiscard]] size_t kdaBytes() const;                                                  // one KDA state
    [[nodiscard]] size_t tailBytes() const;       // one layer's convolution tail
    [[nodiscard]] size_t recurrentBytes() const;  // all KDA states and tails as stored: one fixed size for any prefix
    [[nodiscard]] size_t layerPageBytes() const;  // one layer's rows of one latent page
    [[nodiscard]] size_t pageBytes() const { return layerPageBytes() * static_cast<size_t>(mlaLayers); }
    friend bool operator==(const StateLayout&, const StateLayout&) = default;
};

// What a sequence remembers of its first position() tokens. Two parts that are stored differently:
//   * the recurrent part, one allocation of fixed size: per KDA layer the state [h][V][K] float32 and the last W-1 inputs of the
//     convolution [W-1][q|k|v], oldest first. It is overwritten by every step and cannot be rewound;
//   * the latent pages: 64 tokens of all MLA layers each, append-only, shared between clones; the last, partly filled one is copied
//     before a clone writes to it. Pages that are needed together are allocated together, in blocks of at most 16 MiB: a stored state of
//     thousands of pages is opened in half the time on large blocks, which the system can back with large pages.
// Layer arguments count KDA and MLA layers separately, from 0. Lives on the backend and on the engine thread; must not outlive
// its backend. Move-only, see clone().
class SequenceState {
  public:
    // An empty sequence. Errors: kOutOfMemory.
    static Result<SequenceState> create(Backend& backend, const StateLayout& layout);

    SequenceState(SequenceState&&) = default;
    SequenceState& operator=(SequenceState&&) = default;

    // A second sequence with the same past; costs recurrentBytes(). Errors: kOutOfMemory.
    [[nodiscard]] Result<SequenceState> clone() const;

    [[nodiscard]] const StateLayout& layout() const { return layout_; }
    [[nodiscard]] int64_t position() const { return position_; }

    [[nodiscard]] TensorView kdaState(int64_t layer) const;  // [h, V, K] f32
    [[nodiscard]] TensorView convTail(int64_t layer) const;  // [W-1, q|k|v]
    // Pages of one MLA layer; valid until the next reserve().
    [[nodiscard]] LatentPages latents(int64_t layer) const;

    // The rows of one page of all MLA layers, layer after layer: pageBytes() in one piece. Valid until the next reserve().
    [[nodiscard]] std::byte* page(int64_t index) const { return pages_[static_cast<size_t>(index)]->data; }
    // How many pages from this one on lie one behind the other in one allocation; at least 1.
    [[nodiscard]] int64_t adjacentPages(int64_t index) const;

    // Makes room for `tokens` more rows, and the last page this sequence's own. Call before a step, which writes all of them before it reads one;
    // rows behind them in the page in which they end are finite numbers. Errors: kOutOfMemory, which changes nothing.
    Result<> reserve(int64_t tokens);
    // A step over `tokens` tokens is complete; reserve() came before.
    void advance(int64_t tokens);

    // The recurrent part as one block of recurrentBytes(), for undoing a step that was broken off and for storing.
    [[nodiscard]] void* recurrent() const { return recurrent_.data(); }
    // What a clone kept at this position costs: all but the full pages, which it shares with the sequence as that goes on.
    [[nodiscard]] size_t cloneBytes() const;

  private:
    SequenceState(Backend& backend, const StateLayout& layout) : backend_(&backend), layout_(layout) {}
    // A piece of a block, which is freed with its last page.
    struct Page {
        std::shared_ptr<const Buffer> block;
        std::byte* data = nullptr;
    };
    using Pages = std::vector<std::shared_ptr<const Page>>;
    Result<> allocatePages(int64_t count, Pages& pages) const;
    void setPages(Pages pages);
    void clearBehind(int64_t end) const;

    Backend* backend_;
    StateLayout layout_;
    Buffer recurrent_;
    Pages pages_;
    std::vector<void*> pagesByLayer_;  // [mlaLayers][pagesInRow_]: what the kernels take
    size_t pagesInRow_ = 0;
    int64_t position_ = 0;
};

}  // namespace pal

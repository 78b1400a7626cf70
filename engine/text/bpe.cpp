// SPDX-License-Identifier: Apache-2.0
#include "engine/text/bpe.h"

#include <algorithm>
#include <numeric>

namespace pal {
namespace {

// Up to here a scan over all parts for the lowest pair is faster than a heap (measured on English and Chinese text).
constexpr size_t kShortParts = 64;

bool isAscii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

}  // namespace

void BpeEncoder::encode(std::string_view piece, std::vector<TokenId>& out) {
    starts_.clear();
    if (isAscii(piece.back()) || !atoms_.split(piece, starts_)) {  // ASCII is its own atoms
        starts_.resize(piece.size());
        std::iota(starts_.begin(), starts_.end(), 0U);
    }
    starts_.push_back(static_cast<uint32_t>(piece.size()));
    if (starts_.size() <= kShortParts) {
        encodeShort(piece, out);
    } else {
        encodeLong(piece, out);
    }
}

void BpeEncoder::encodeShort(std::string_view piece, std::vector<TokenId>& out) {
    const auto between = [piece](uint32_t start, uint32_t end) { return piece.substr(start, end - start); };
    parts_.clear();
    for (size_t i = 0; i + 2 < starts_.size(); ++i) {
        parts_.push_back({starts_[i], vocabulary_.find(between(starts_[i], starts_[i + 2]))});
    }
    if (starts_.size() > 1) parts_.push_back({starts_[starts_.size() - 2], Vocabulary::kNone});
    parts_.push_back({starts_.back(), Vocabulary::kNone});  // the end: a part reaches to the start of the next one
    for (;;) {
        // As unsigned numbers kNone is the largest, so the lowest id wins and the first of equals stays.
        const auto lowest = std::min_element(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
            return static_cast<uint32_t>(a.merged) < static_cast<uint32_t>(b.merged);
        });
        if (lowest->merged == Vocabulary::kNone) break;
        const auto i = static_cast<size_t>(lowest - parts_.begin());
        parts_.erase(lowest + 1);
        const auto mergedWithNext = [&](size_t k) {
            return k + 2 < parts_.size() ? vocabulary_.find(between(parts_[k].start, parts_[k + 2].start))
                                         : Vocabulary::kNone;
        };
        parts_[i].merged = mergedWithNext(i);
        if (i > 0) parts_[i - 1].merged = mergedWithNext(i - 1);
    }
    for (size_t i = 0; i + 1 < parts_.size(); ++i)
        out.push_back(vocabulary_.find(between(parts_[i].start, parts_[i + 1].start)));
}

// Looks up what the part at `start` and its right neighbour would form, and queues it.
void BpeEncoder::propose(std::string_view piece, uint32_t start) {
    Link& link = links_[start];
    link.merged = Vocabulary::kNone;
    if (link.next >= piece.size()) return;
    link.merged = vocabulary_.find(piece.substr(start, links_[link.next].next - start));
    if (link.merged == Vocabulary::kNone) return;
    heap_.push_back({link.merged, start});
    std::push_heap(heap_.begin(), heap_.end());
}

// A doubly linked list of parts and a heap of candidates. A candidate is stale when the part at its start has since been merged
// away or would now form another token.
void BpeEncoder::encodeLong(std::string_view piece, std::vector<TokenId>& out) {
    const auto size = static_cast<uint32_t>(piece.size());
    links_.resize(size);
    heap_.clear();
    for (size_t i = 0; i + 1 < starts_.size(); ++i) {
        const uint32_t start = starts_[i];
        links_[start] = {i == 0 ? 0 : starts_[i - 1], starts_[i + 1], Vocabulary::kNone};
        if (i + 2 >= starts_.size()) continue;
        links_[start].merged = vocabulary_.find(piece.substr(start, starts_[i + 2] - start));
        if (links_[start].merged != Vocabulary::kNone) heap_.push_back({links_[start].merged, start});
    }
    std::make_heap(heap_.begin(), heap_.end());
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end());
        const Candidate candidate = heap_.back();
        heap_.pop_back();
        Link& link = links_[candidate.start];
        if (link.merged != candidate.merged) continue;
        Link& swallowed = links_[link.next];
        link.next = swallowed.next;
        swallowed.merged = Vocabulary::kNone;
        if (link.next < size) links_[link.next].previous = candidate.start;
        propose(piece, candidate.start);
        if (candidate.start > 0) propose(piece, link.previous);
    }
    for (uint32_t i = 0; i < size; i = links_[i].next)
        out.push_back(vocabulary_.find(piece.substr(i, links_[i].next - i)));
}

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#include "app/composition/stored_replies.h"

#include <algorithm>

namespace pal {
namespace {

SeriesKey keyOf(inspect::Scalar scalar, int64_t layer) {
    return {static_cast<int64_t>(scalar), inspect::isOfLayer(scalar) ? layer : -1};
}

}  // namespace

std::vector<SeriesValue> seriesOf(const TokenProbe& probe) {
    std::vector<SeriesValue> out;
    const auto layers = static_cast<int64_t>(probe.layers.size());
    for (int i = 0; i < inspect::kScalars; ++i) {
        const auto scalar = static_cast<inspect::Scalar>(i);
        const int64_t first = inspect::isOfLayer(scalar) ? 0 : -1, last = inspect::isOfLayer(scalar) ? layers : 0;
        for (int64_t layer = first; layer < last; ++layer)
            out.push_back({keyOf(scalar, layer), inspect::scalarOf(probe, scalar, layer)});
    }
    return out;
}

StoredReplies::StoredReplies(const std::shared_ptr<ProbeLibrary>& library, std::vector<StoredReply> replies,
                             std::optional<Growing> growing)
    : library_(library), replies_(std::move(replies)), growing_(growing) {
    for (const StoredReply& reply : replies_) covered_.push_back({reply.begin, reply.end});
}

std::shared_ptr<const TokenProbe> StoredReplies::read(int64_t token) const {
    const auto after = std::upper_bound(replies_.begin(), replies_.end(), token,
                                        [](int64_t t, const StoredReply& reply) { return t < reply.begin; });
    std::optional<int64_t> message;
    if (after != replies_.begin() && token < std::prev(after)->end) {
        message = std::prev(after)->message;
    } else if (growing_ && token >= growing_->begin) {
        message = growing_->message;
    }
    const auto library = library_.lock();
    if (!message || !library) return nullptr;
    auto records = library->read(*message, token, token + 1);
    // A file that cannot be read costs the sight of it, as one that is lost does.
    if (!records || records->empty()) return nullptr;
    return std::make_shared<const TokenProbe>(std::move(records->front()));
}

void StoredReplies::visitLayer(const inspect::TokenSpan& span, int64_t layer,
                               const std::function<void(const TokenProbe&)>& visit) const {
    const auto library = library_.lock();
    if (!library) return;
    // What cannot be read is not there, as in read().
    const auto visitReply = [&](int64_t message, int64_t begin, int64_t end) {
        static_cast<void>(
            library->visitLayer(message, std::max(begin, span.begin), std::min(end, span.end), layer, visit));
    };
    for (const StoredReply& reply : replies_)
        if (reply.begin < span.end && reply.end > span.begin) visitReply(reply.message, reply.begin, reply.end);
    if (growing_ && growing_->begin < span.end) visitReply(growing_->message, growing_->begin, span.end);
}

std::vector<inspect::SeriesBin> StoredReplies::bins(inspect::Scalar scalar, int64_t layer, inspect::TokenSpan span,
                                                    int64_t width) const {
    std::vector<inspect::SeriesBin> out;
    const auto library = library_.lock();
    if (!library) return out;
    for (const StoredReply& reply : replies_) {
        if (reply.end <= span.begin || reply.begin >= span.end) continue;
        const auto bins = library->bins(reply.message, keyOf(scalar, layer), std::max(span.begin, reply.begin),
                                        std::min(span.end, reply.end), width);
        if (!bins) continue;
        for (const ProbeBin& bin : *bins) out.push_back({{bin.begin, bin.end}, bin.low, bin.mean, bin.high, bin.count});
    }
    return out;
}

Result<> cutToText(ProbeLibrary& library, std::span<const TokenId> ids, StoredReply& reply) {
    if (reply.end <= std::ssize(ids)) return {};
    reply.end = std::ssize(ids);
    constexpr int64_t kClosing = 64;  // more tokens than close a message
    PAL_ASSIGN(const std::vector<TokenProbe> last,
               library.read(reply.message, std::max(reply.begin, reply.end - kClosing), reply.end));
    const auto other = std::find_if(last.begin(), last.end(), [&](const TokenProbe& probe) {
        return probe.token != ids[static_cast<size_t>(probe.position)];
    });
    if (other != last.end()) reply.end = other->position;
    return {};
}

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#include "app/composition/prompt_regions.h"

#include <algorithm>
#include <string>
#include <utility>

namespace pal {
namespace {

using inspect::Region;

// Tags, and text of a message that stands before one of its attachments: a mark. The question stands behind them.
bool leads(const std::vector<TokenStretch>& stretches, size_t at) {
    const TokenStretch& stretch = stretches[at];
    if (stretch.kind == TokenOrigin::Kind::kMarkup) return true;
    if (stretch.attachment) return false;
    for (size_t next = at + 1; next < stretches.size(); ++next) {
        const TokenStretch& after = stretches[next];
        if (after.kind == TokenOrigin::Kind::kMarkup) continue;
        return after.attachment && after.message == stretch.message;
    }
    return false;
}

std::string attachmentName(const PromptMap& map, const TokenStretch& stretch) {
    const auto message = map.composed.find(stretch.message);
    if (message == map.composed.end() || !stretch.attachment) return {};
    return message->second.attachments[*stretch.attachment].name;
}

Region regionOf(const PromptMap& map, const TokenStretch& stretch, const inspect::Words& words) {
    Region out;
    out.begin = out.gridBegin = stretch.begin;
    out.end = stretch.end;
    out.message = stretch.message < map.messages.size() ? map.messages[stretch.message] : 0;
    out.attachment = stretch.attachment ? static_cast<int64_t>(*stretch.attachment) : -1;
    out.page = stretch.page;
    const std::string name = attachmentName(map, stretch);
    switch (stretch.kind) {
        case TokenOrigin::Kind::kMarkup:
            out.kind = Region::Kind::kMarkup;
            out.name = words.say("markup");
            break;
        case TokenOrigin::Kind::kText:
            out.kind = stretch.attachment ? Region::Kind::kPage : Region::Kind::kText;
            out.name = stretch.attachment ? words.say("{}, page {}", name, stretch.page)
                                          : words.say("message {}", stretch.message + 1);
            break;
        case TokenOrigin::Kind::kImage:
            out.kind = Region::Kind::kPicture;
            out.name = stretch.page > 0 ? words.say("{}, page {}, picture", name, stretch.page) : name;
            break;
        case TokenOrigin::Kind::kVideo:
            out.kind = Region::Kind::kFrames;
            out.seconds = stretch.medium->frames.empty() ? 0 : stretch.medium->frames.front().seconds;
            out.name = words.say("{}, {} s", name, words.tenths(out.seconds));
            break;
    }
    if (stretch.medium != nullptr) {
        out.columns = stretch.medium->resize.columns / stretch.medium->mergeSize;
        out.rows = stretch.medium->resize.rows / stretch.medium->mergeSize;
    }
    return out;
}

// Joins neighbours of the same file until few enough are left.
void joinPages(std::vector<Region>& regions) {
    const auto most = static_cast<size_t>(ProbeRequest::kMostRegions);
    while (regions.size() > most) {
        std::vector<Region> joined;
        bool single = false;  // the last one has no neighbour yet
        for (Region& region : regions) {
            const bool fits = single && joined.back().message == region.message &&
                              joined.back().attachment == region.attachment && region.kind == Region::Kind::kPage &&
                              joined.back().kind == Region::Kind::kPage && joined.back().end == region.begin;
            if (fits) {
                joined.back().end = region.end;
            } else {
                joined.push_back(std::move(region));
            }
            single = !fits;
        }
        if (joined.size() == regions.size()) joined.resize(most);  // the rest is behind the last region
        regions = std::move(joined);
    }
}

}  // namespace

std::vector<Region> regionsOf(const PromptMap& map, const inspect::Words& words) {
    const std::vector<TokenStretch> stretches = map.prompt.stretches(map.composed);
    std::vector<Region> out;
    constexpr int64_t kNone = -1;
    int64_t lead = kNone;  // where what belongs to the next part begins
    for (size_t i = 0; i < stretches.size(); ++i) {
        if (leads(stretches, i)) {
            if (lead == kNone) lead = stretches[i].begin;
            continue;
        }
        Region& region = out.emplace_back(regionOf(map, stretches[i], words));
        if (lead != kNone) region.begin = std::exchange(lead, kNone);
    }
    if (lead != kNone && out.empty()) out.push_back(regionOf(map, stretches.front(), words));
    if (!out.empty()) out.back().end = std::ssize(map.prompt.prompt().ids);
    joinPages(out);
    return out;
}

std::vector<int64_t> endsOf(const std::vector<Region>& regions) {
    std::vector<int64_t> out;
    for (const Region& region : regions) out.push_back(region.end);
    return out;
}

}  // namespace pal

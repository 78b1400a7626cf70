// SPDX-License-Identifier: Apache-2.0
#include "app/composition/prompt_regions.h"

#include <algorithm>
#include <string>

namespace pal {
namespace {

using inspect::Region;

// Whether two tokens are of the same part.
bool together(const TokenOrigin& a, const TokenOrigin& b) {
    const bool sameFrames = a.frames == b.frames;
    const bool samePicture = a.kind == TokenOrigin::Kind::kText || (a.patchRow <= b.patchRow && sameFrames);
    return a.kind == b.kind && a.message == b.message && a.attachment == b.attachment && a.page == b.page &&
           samePicture;
}

// A run of tokens of one origin.
struct OriginRun {
    TokenOrigin origin;
    int64_t begin = 0, end = 0;
};

std::vector<OriginRun> segmentsOf(const PromptMap& map) {
    std::vector<OriginRun> out;
    const int64_t tokens = std::ssize(map.prompt.prompt().ids);
    for (int64_t token = 0; token < tokens; ++token) {
        TokenOrigin origin = map.prompt.originOf(token, map.composed);
        if (out.empty() || !together(out.back().origin, origin)) out.push_back({origin, token, token});
        out.back().origin = std::move(origin);
        out.back().end = token + 1;
    }
    return out;
}

// Tags, and text of a message that stands before one of its attachments: a mark. The question stands behind them.
bool leads(const std::vector<OriginRun>& segments, size_t at) {
    const TokenOrigin& origin = segments[at].origin;
    if (origin.kind == TokenOrigin::Kind::kMarkup) return true;
    if (origin.attachment) return false;
    for (size_t next = at + 1; next < segments.size(); ++next) {
        const TokenOrigin& after = segments[next].origin;
        if (after.kind == TokenOrigin::Kind::kMarkup) continue;
        return after.attachment && after.message == origin.message;
    }
    return false;
}

std::string attachmentName(const PromptMap& map, const TokenOrigin& origin) {
    const auto message = map.composed.find(origin.message);
    if (message == map.composed.end() || !origin.attachment) return {};
    return message->second.attachments[*origin.attachment].name;
}

Region regionOf(const PromptMap& map, const TokenOrigin& origin, int64_t begin, const inspect::Words& words) {
    Region out;
    out.begin = out.gridBegin = begin;
    out.message = origin.message < map.messages.size() ? map.messages[origin.message] : 0;
    out.attachment = origin.attachment ? static_cast<int64_t>(*origin.attachment) : -1;
    out.page = origin.page;
    const std::string name = attachmentName(map, origin);
    switch (origin.kind) {
        case TokenOrigin::Kind::kMarkup:
            out.kind = Region::Kind::kMarkup;
            out.name = words.say("markup");
            break;
        case TokenOrigin::Kind::kText:
            out.kind = origin.attachment ? Region::Kind::kPage : Region::Kind::kText;
            out.name = origin.attachment ? words.say("{}, page {}", name, origin.page)
                                         : words.say("message {}", origin.message + 1);
            break;
        case TokenOrigin::Kind::kImage:
            out.kind = Region::Kind::kPicture;
            out.name = origin.page > 0 ? words.say("{}, page {}, picture", name, origin.page) : name;
            break;
        case TokenOrigin::Kind::kVideo:
            out.kind = Region::Kind::kFrames;
            out.seconds = origin.frames.empty() ? 0 : origin.frames.front().seconds;
            out.name = words.say("{}, {:.1f} s", name, out.seconds);
            break;
    }
    return out;
}

// Rows and columns of a picture's tokens from the places that they have.
void measureGrid(Region& region, const OriginRun& segment, const PromptMap& map) {
    if (region.kind != Region::Kind::kPicture && region.kind != Region::Kind::kFrames) return;
    const auto row = [&](int64_t token) { return map.prompt.originOf(token, map.composed).patchRow; };
    region.columns = 1;
    while (segment.begin + region.columns < segment.end && row(segment.begin + region.columns) == row(segment.begin))
        ++region.columns;
    region.rows = (segment.end - segment.begin) / region.columns;
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
    const std::vector<OriginRun> segments = segmentsOf(map);
    std::vector<Region> out;
    std::optional<int64_t> lead;  // where what belongs to the next part begins
    for (size_t i = 0; i < segments.size(); ++i) {
        const OriginRun& segment = segments[i];
        if (leads(segments, i)) {
            if (!lead) lead = segment.begin;
            continue;
        }
        Region& region = out.emplace_back(regionOf(map, segment.origin, segment.begin, words));
        region.end = segment.end;
        measureGrid(region, segment, map);
        region.begin = lead.value_or(segment.begin);
        lead.reset();
    }
    if (lead && out.empty()) out.push_back(regionOf(map, segments.front().origin, 0, words));
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

// SPDX-License-Identifier: Apache-2.0
#include "engine/text/stop_strings.h"

#include <algorithm>
#include <utility>

namespace pal {

StopStrings::StopStrings(std::vector<std::string> stops) : stops_(std::move(stops)) {
    std::erase_if(stops_, [](const std::string& stop) { return stop.empty(); });
}

StopStrings::Outcome StopStrings::push(std::string_view piece, std::string& out) {
    held_ += piece;
    // The one that is complete first, so that the pieces do not matter; of those that end together the longest.
    std::pair<size_t, size_t> first(std::string::npos, 0);  // end, begin
    for (const std::string& stop : stops_) {
        const size_t begin = held_.find(stop);
        if (begin != std::string::npos) first = std::min(first, std::pair(begin + stop.size(), begin));
    }
    if (first.first != std::string::npos) {
        out.append(held_, 0, first.second);
        held_.clear();
        return Outcome::kMet;
    }
    const size_t keep = undecided();
    out.append(held_, 0, held_.size() - keep);
    held_.erase(0, held_.size() - keep);
    return Outcome::kFree;
}

std::string StopStrings::finish() {
    return std::exchange(held_, {});
}

// Length of the longest end of the text that begins a stop.
size_t StopStrings::undecided() const {
    size_t longest = 0;
    for (const std::string& stop : stops_) {
        size_t length = std::min(stop.size() - 1, held_.size());
        while (length > longest && !held_.ends_with(std::string_view(stop).substr(0, length))) --length;
        longest = std::max(longest, length);
    }
    return longest;
}

}  // namespace pal

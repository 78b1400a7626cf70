// SPDX-License-Identifier: Apache-2.0
// Any bytes as a stored look at a token, with the checksum that they should have and as they are: an error, or a probe whose record is stable.
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "engine/base/check.h"
#include "storage/probes/probe_codec.h"
#include "storage/probes/probe_series.h"

namespace {

void readAs(std::span<const std::byte> bytes) {
    const auto probe = pal::decodeProbe(bytes);
    if (!probe.has_value()) {
        PAL_CHECK(!probe.error().message.empty());
        return;
    }
    const std::vector<std::byte> once = pal::encodeProbe(*probe);
    const auto again = pal::decodeProbe(once);
    PAL_CHECK(again.has_value());
    PAL_CHECK(pal::encodeProbe(*again) == once);
    pal::TokenProbe first = *probe;
    for (size_t layer = 1; layer < first.layers.size(); ++layer) first.layers[layer] = {};
    pal::ProbeLayerDecoder decoder(0);
    const auto alone = decoder.decode(bytes);
    PAL_CHECK(alone.has_value() && pal::encodeProbe(**alone) == pal::encodeProbe(first));
}

// Every bin is part of the one that covers it, and of no other.
void checkJoined(const std::vector<pal::ProbeBin>& bins, int64_t width) {
    auto next = bins.begin();
    for (const pal::ProbeBin& joined : pal::joinBins(bins, width)) {
        PAL_CHECK(joined.begin % width == 0 && joined.end == joined.begin + width);
        int64_t count = 0;
        float low = std::numeric_limits<float>::infinity(), high = -low;
        for (; next != bins.end() && next->begin < joined.end; ++next) {
            PAL_CHECK(next->begin >= joined.begin && next->end <= joined.end);
            count += next->count;
            low = std::min(low, next->low);
            high = std::max(high, next->high);
        }
        PAL_CHECK(count > 0 && joined.count == count && joined.low == low && joined.high == high);
    }
    PAL_CHECK(next == bins.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    readAs(bytes);
    constexpr size_t kHead = 9;
    if (size >= kHead) {
        std::vector<std::byte> sealed(bytes.begin(), bytes.end());
        sealed[0] = std::byte{pal::kProbeRecordVersion};
        const uint64_t sum = XXH3_64bits(sealed.data() + kHead, size - kHead);
        std::memcpy(sealed.data() + 1, &sum, sizeof sum);
        readAs(sealed);
    }
    for (size_t level = 0; level <= pal::kSeriesWidths.size(); ++level)
        checkJoined(pal::binsOf(bytes, level, static_cast<int64_t>(size)), 1 << 12);
    return 0;
}

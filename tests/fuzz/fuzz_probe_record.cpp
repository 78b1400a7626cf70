// SPDX-License-Identifier: Apache-2.0
// Any bytes as a stored look at a token, with the checksum that they should have and as they are: an error, or a probe whose record is stable.
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
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
    for (size_t level = 0; level <= pal::kSeriesWidths.size(); ++level) {
        const auto bins = pal::binsOf(bytes, level, static_cast<int64_t>(size));
        PAL_CHECK(pal::joinBins(bins, 1 << 12).size() <= bins.size());
    }
    return 0;
}

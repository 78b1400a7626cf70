// SPDX-License-Identifier: Apache-2.0
// Any bytes as a safetensors file: an error, or tensors that lie inside the file and do not overlap.
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/check.h"
#include "engine/model/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
    const auto header = pal::parseSafetensors(file, "fuzz");
    if (!header.has_value()) {
        PAL_CHECK(!header.error().message.empty());
        return 0;
    }
    PAL_CHECK(header->dataStart <= size);
    uint64_t end = 0;
    uint64_t used = 0;
    for (const pal::SafetensorsEntry& entry : header->entries) {
        PAL_CHECK(entry.end >= entry.begin && entry.end <= size - header->dataStart);
        PAL_CHECK(entry.end - entry.begin == entry.shape.elements() * pal::storageBytes(entry.type));
        PAL_CHECK(entry.begin == entry.end || entry.begin >= end);
        if (entry.begin != entry.end) end = entry.end;
        used += entry.end - entry.begin;
    }
    PAL_CHECK(used + header->unusedBytes == size - header->dataStart);
    return 0;
}

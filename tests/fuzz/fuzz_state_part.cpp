// SPDX-License-Identifier: Apache-2.0
// Any bytes as the file of a stored part, as archives bring them: an error, or a part whose tail and name belong together. The first byte is
// a name's length, then the name, then the file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/base/check.h"
#include "storage/states/part_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const size_t nameBytes = std::min<size_t>(data[0], size - 1);
    const std::string name(reinterpret_cast<const char*>(data) + 1, nameBytes);
    if (const auto id = pal::partNamed(name)) PAL_CHECK(pal::partFileName(*id) == name);
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1 + nameBytes);
    const auto tail = pal::parsePart(bytes, name);
    if (!tail.has_value()) {
        PAL_CHECK(!tail.error().message.empty());
        return 0;
    }
    PAL_CHECK(tail->payloadBytes == bytes.size() - pal::kPartTailBytes);
    const auto again = pal::partNamed(pal::partFileName(tail->id));
    PAL_CHECK(again && again->family == tail->id.family && again->prefix == tail->id.prefix &&
              again->part == tail->id.part);
    return 0;
}

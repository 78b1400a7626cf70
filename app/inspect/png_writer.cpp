// SPDX-License-Identifier: Apache-2.0
// PNG (ISO/IEC 15948): signature, then chunks of length, type, data and CRC-32.
#include "app/inspect/png_writer.h"

#include <zlib.h>

#include <string_view>

#include "engine/base/check.h"

namespace pal::inspect {
namespace {

void appendNumber(std::vector<uint8_t>& out, uint64_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(value >> shift));
}

void appendChunk(std::vector<uint8_t>& out, std::string_view type, std::span<const uint8_t> data) {
    appendNumber(out, data.size());
    const size_t begin = out.size();
    out.insert(out.end(), type.begin(), type.end());
    out.insert(out.end(), data.begin(), data.end());
    appendNumber(out, crc32(0, out.data() + begin, static_cast<uInt>(out.size() - begin)));
}

}  // namespace

std::vector<uint8_t> encodePng(int64_t width, int64_t height, std::span<const uint8_t> rgb) {
    const auto stride = static_cast<size_t>(width) * 3;
    PAL_CHECK(rgb.size() == stride * static_cast<size_t>(height));
    std::vector<uint8_t> rows;
    rows.reserve((stride + 1) * static_cast<size_t>(height));
    for (size_t y = 0; y < static_cast<size_t>(height); ++y) {
        rows.push_back(0);  // no filter
        rows.insert(rows.end(), rgb.begin() + static_cast<ptrdiff_t>(y * stride),
                    rgb.begin() + static_cast<ptrdiff_t>((y + 1) * stride));
    }
    uLongf size = compressBound(rows.size());
    std::vector<uint8_t> packed(size);
    PAL_CHECK(compress2(packed.data(), &size, rows.data(), rows.size(), Z_BEST_SPEED) == Z_OK);
    packed.resize(size);

    std::vector<uint8_t> header;
    appendNumber(header, static_cast<uint64_t>(width));
    appendNumber(header, static_cast<uint64_t>(height));
    header.insert(header.end(), {8, 2, 0, 0, 0});  // bits, RGB, deflate, filters, not interlaced
    std::vector<uint8_t> out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    appendChunk(out, "IHDR", header);
    appendChunk(out, "IDAT", packed);
    appendChunk(out, "IEND", {});
    return out;
}

}  // namespace pal::inspect

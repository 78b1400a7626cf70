// SPDX-License-Identifier: Apache-2.0
#include "vision/exif.h"

#include <cstdint>
#include <cstring>

namespace pal {
namespace {

// Integers of either byte order; reads beyond the end give 0.
class TiffBytes {
  public:
    explicit TiffBytes(std::span<const std::byte> bytes)
        : bytes_(bytes), bigEndian_(!bytes.empty() && bytes[0] == std::byte{'M'}) {}

    [[nodiscard]] uint32_t u16(size_t at) const { return number(at, 2); }
    [[nodiscard]] uint32_t u32(size_t at) const { return number(at, 4); }
    [[nodiscard]] size_t size() const { return bytes_.size(); }

  private:
    [[nodiscard]] uint32_t number(size_t at, size_t count) const {
        if (at > bytes_.size() || bytes_.size() - at < count) return 0;
        uint32_t value = 0;
        for (size_t i = 0; i < count; ++i) {
            const size_t from = at + (bigEndian_ ? i : count - 1 - i);
            value = value << 8 | std::to_integer<uint32_t>(bytes_[from]);
        }
        return value;
    }

    std::span<const std::byte> bytes_;
    bool bigEndian_;
};

constexpr uint32_t kOrientationTag = 0x0112;
constexpr uint32_t kShort = 3;
constexpr size_t kEntryBytes = 12;

}  // namespace

int exifOrientation(std::span<const std::byte> tiff) {
    const bool little = tiff.size() >= 8 && std::memcmp(tiff.data(), "II*\0", 4) == 0;
    const bool big = tiff.size() >= 8 && std::memcmp(tiff.data(), "MM\0*", 4) == 0;
    if (!little && !big) return 1;
    const TiffBytes bytes(tiff);
    const size_t directory = bytes.u32(4);
    const uint32_t entries = bytes.u16(directory);
    for (uint32_t i = 0; i < entries; ++i) {
        const size_t entry = directory + 2 + i * kEntryBytes;
        if (entry >= bytes.size()) break;
        if (bytes.u16(entry) != kOrientationTag) continue;
        const uint32_t value = bytes.u16(entry + 2) == kShort ? bytes.u16(entry + 8) : 0;
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

int prefixedExifOrientation(std::span<const std::byte> block) {
    constexpr size_t kPrefix = 6;
    if (block.size() < kPrefix || std::memcmp(block.data(), "Exif\0\0", kPrefix) != 0) return 1;
    return exifOrientation(block.subspan(kPrefix));
}

}  // namespace pal

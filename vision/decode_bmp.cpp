// SPDX-License-Identifier: Apache-2.0
// BMP: 1, 4, 8, 16, 24 and 32 bits, palettes, bit fields, run lengths, either row order. Format: Microsoft's BITMAPFILEHEADER followed by
// a BITMAPCOREHEADER, BITMAPINFOHEADER, BITMAPV4HEADER or BITMAPV5HEADER; all integers little-endian.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "vision/image_decoder.h"

namespace pal {
namespace {

constexpr size_t kFileHeader = 14, kCoreHeader = 12, kInfoHeader = 40, kV3Header = 56;
enum Compression : uint32_t { kRgb = 0, kRle8 = 1, kRle4 = 2, kBitFields = 3, kAlphaBitFields = 6 };

// One channel of a 16- or 32-bit pixel.
struct Field {
    uint32_t mask = 0;
    [[nodiscard]] uint8_t of(uint32_t pixel) const {
        if (mask == 0) return 0;
        const uint32_t top = mask >> std::countr_zero(mask);
        const uint64_t value = (pixel & mask) >> std::countr_zero(mask);
        return static_cast<uint8_t>(value * 255 / top);
    }
};

class BmpDecoder final : public ImageDecoder {
  public:
    explicit BmpDecoder(ImageSourceView source) : ImageDecoder(std::move(source)) {}
    Result<> open();
    Result<> readRow(uint8_t* rgba) override;

  private:
    [[nodiscard]] uint32_t number(size_t at, size_t count) const {
        uint32_t value = 0;
        for (size_t i = count; i-- > 0;) {
            const size_t from = at + i;
            value = value << 8 | (from < size() ? std::to_integer<uint32_t>(source_.bytes[from]) : 0);
        }
        return value;
    }
    [[nodiscard]] uint8_t byte(size_t at) const { return static_cast<uint8_t>(number(at, 1)); }
    [[nodiscard]] size_t size() const { return source_.bytes.size(); }

    Result<> readFields(size_t header, uint32_t compression);
    Result<> readPalette(size_t at, size_t entryBytes);
    Result<> decodeRuns();
    void putIndex(uint8_t index, uint8_t*& rgba) const {
        const auto& colour = palette_[std::min<size_t>(index, palette_.size() - 1)];
        rgba = std::copy(colour.begin(), colour.end(), rgba);
    }
    void unpackRow(const uint8_t* in, uint8_t* rgba) const;

    int64_t y_ = 0;
    uint32_t bits_ = 0;
    bool topDown_ = false, runs_ = false;
    size_t pixelsAt_ = 0;
    size_t rowBytes_ = 0;
    std::array<Field, 4> fields_;  // R, G, B, A
    std::vector<std::array<uint8_t, 4>> palette_;
    std::vector<uint8_t> indices_;  // of a run-length picture, rows as stored
};

Result<> BmpDecoder::readFields(size_t header, uint32_t compression) {
    if (compression == kBitFields || compression == kAlphaBitFields) {
        // Behind the 40 bytes that all headers share, whether they belong to a longer header or stand alone.
        const bool alpha = header >= kV3Header || compression == kAlphaBitFields;
        for (size_t i = 0; i < (alpha ? 4U : 3U); ++i) fields_[i].mask = number(kFileHeader + kInfoHeader + 4 * i, 4);
        if (fields_[3].mask != 0) info_.alpha = Raster::Alpha::kStraight;
    } else if (bits_ == 16) {
        fields_ = {Field{0x7c00}, Field{0x03e0}, Field{0x001f}, Field{0}};
    } else {
        fields_ = {Field{0xff0000}, Field{0x00ff00}, Field{0x0000ff}, Field{0}};
    }
    return {};
}

Result<> BmpDecoder::readPalette(size_t at, size_t entryBytes) {
    uint64_t count = uint64_t{1} << bits_;
    const uint32_t used = entryBytes == 4 ? number(kFileHeader + 32, 4) : 0;
    if (used > 0) count = std::min<uint64_t>(count, used);
    if (at + count * entryBytes > size()) return damaged("its palette lies beyond the end");
    for (size_t i = 0; i < count; ++i) {
        const size_t from = at + i * entryBytes;
        palette_.push_back({byte(from + 2), byte(from + 1), byte(from), 255});
    }
    return {};
}

Result<> BmpDecoder::open() {
    info_.format = ImageFormat::kBmp;
    const size_t header = number(kFileHeader, 4);
    const bool core = header == kCoreHeader;
    if (!core && (header < kInfoHeader || header > 1024)) return damaged("a header of {} bytes", header);
    if (size() < kFileHeader + header) return damaged("cut short: {} bytes", size());
    pixelsAt_ = number(10, 4);
    const int64_t height =
        core ? number(kFileHeader + 6, 2) : static_cast<int64_t>(static_cast<int32_t>(number(kFileHeader + 8, 4)));
    info_.storedWidth = core ? number(kFileHeader + 4, 2) : number(kFileHeader + 4, 4);
    info_.storedHeight = height < 0 ? -height : height;
    topDown_ = height < 0;
    bits_ = number(kFileHeader + (core ? 10 : 14), 2);
    const uint32_t compression = core ? kRgb : number(kFileHeader + 16, 4);
    runs_ = (compression == kRle8 && bits_ == 8) || (compression == kRle4 && bits_ == 4);
    const bool fields = (compression == kBitFields || compression == kAlphaBitFields) && (bits_ == 16 || bits_ == 32);
    const bool known = bits_ == 1 || bits_ == 4 || bits_ == 8 || bits_ == 16 || bits_ == 24 || bits_ == 32;
    if (!known || !(compression == kRgb || runs_ || fields)) {
        return fail(ErrorCode::kUnsupported, "{}: BMP image of {} bits with compression {}", source_.name, bits_,
                    compression);
    }
    if (info_.storedWidth > INT32_MAX) return damaged("{} pixels wide", info_.storedWidth);
    rowBytes_ = (static_cast<size_t>(info_.storedWidth) * bits_ + 31) / 32 * 4;
    const size_t stored = runs_ ? 1 : rowBytes_ * static_cast<size_t>(info_.storedHeight);
    if (pixelsAt_ > size() || size() - pixelsAt_ < stored) {
        return damaged("cut short: {} bytes, its header promises {}", size(), pixelsAt_ + stored);
    }
    if (runs_) {
        info_.decodeBytes = static_cast<uint64_t>(info_.storedWidth) * static_cast<uint64_t>(info_.storedHeight);
    }
    if (bits_ <= 8) return readPalette(kFileHeader + header, core ? 3 : 4);
    return readFields(header, compression);
}

// Pairs (count, value); (0, 0) ends a row, (0, 1) the picture, (0, 2) moves by two bytes, (0, n) is n literal indices, padded to 16 bits.
Result<> BmpDecoder::decodeRuns() {
    const int64_t width = info_.storedWidth, height = info_.storedHeight;
    indices_.resize(static_cast<size_t>(width * height));
    int64_t x = 0, y = 0;
    size_t at = pixelsAt_;
    const auto put = [&](uint8_t index) {
        if (x < width && y < height) indices_[static_cast<size_t>(y * width + x)] = index;
        ++x;
    };
    // Index k of a value: 4-bit indices come high half first.
    const auto pick = [&](uint8_t value, uint32_t k) -> uint8_t {
        return bits_ == 8 ? value : static_cast<uint8_t>((k & 1) == 0 ? value >> 4 : value & 15);
    };
    while (y < height) {
        if (at + 2 > size()) return damaged("cut short in row {} of {}", y + 1, height);
        const uint8_t count = byte(at), value = byte(at + 1);
        at += 2;
        if (count > 0) {
            for (uint32_t k = 0; k < count; ++k) put(pick(value, k));
        } else if (value == 0) {
            x = 0;
            ++y;
        } else if (value == 1) {
            break;
        } else if (value == 2) {
            x += byte(at);
            y += byte(at + 1);
            at += 2;
        } else {
            const size_t bytes = bits_ == 8 ? value : (value + 1U) / 2;
            if (at + bytes > size()) return damaged("cut short in row {} of {}", y + 1, height);
            for (uint32_t k = 0; k < value; ++k) put(pick(byte(at + (bits_ == 8 ? k : k / 2)), k));
            at += (bytes + 1) / 2 * 2;
        }
    }
    return {};
}

void BmpDecoder::unpackRow(const uint8_t* in, uint8_t* rgba) const {
    for (int64_t x = 0; x < info_.storedWidth; ++x) {
        if (bits_ <= 8) {
            const auto perByte = static_cast<int64_t>(8 / bits_);
            const auto shift = static_cast<int64_t>(8 - bits_) - (x % perByte) * static_cast<int64_t>(bits_);
            putIndex(static_cast<uint8_t>(in[x / perByte] >> shift & ((1 << bits_) - 1)), rgba);
        } else if (bits_ == 24) {
            *rgba++ = in[3 * x + 2];
            *rgba++ = in[3 * x + 1];
            *rgba++ = in[3 * x];
            *rgba++ = 255;
        } else {
            uint32_t pixel = 0;
            for (int64_t i = bits_ / 8; i-- > 0;) pixel = pixel << 8 | in[x * (bits_ / 8) + i];
            for (size_t c = 0; c < 3; ++c) *rgba++ = fields_[c].of(pixel);
            *rgba++ = info_.alpha == Raster::Alpha::kStraight ? fields_[3].of(pixel) : uint8_t{255};
        }
    }
}

Result<> BmpDecoder::readRow(uint8_t* rgba) {
    const int64_t stored = topDown_ ? y_ : info_.storedHeight - 1 - y_;
    ++y_;
    if (!runs_) {
        const std::byte* row = source_.bytes.data() + pixelsAt_ + static_cast<size_t>(stored) * rowBytes_;
        unpackRow(reinterpret_cast<const uint8_t*>(row), rgba);
        return {};
    }
    if (indices_.empty()) PAL_TRY(decodeRuns());
    const uint8_t* row = indices_.data() + stored * info_.storedWidth;
    for (int64_t x = 0; x < info_.storedWidth; ++x) putIndex(row[x], rgba);
    return {};
}

}  // namespace

OpenedImage openBmp(ImageSourceView source) {
    auto decoder = std::make_unique<BmpDecoder>(std::move(source));
    PAL_TRY(decoder->open());
    return decoder;
}

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#include "engine/state/state_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "kernels/api/bf16.h"

namespace pal {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> kMagic{'P', 'A', 'L', 'S', 'T', 'A', 'T', 'E'};
constexpr size_t kDims = 8;

struct Header {
    std::array<char, 8> magic = kMagic;
    uint32_t version = kStateCodecVersion;
    uint8_t tail = 0;
    uint8_t latent = 0;
    uint16_t zero = 0;
    std::array<int64_t, kDims> dims{};
    int64_t begin = 0;
    int64_t end = 0;
    int64_t logits = 0;
};
static_assert(sizeof(Header) == 104);

constexpr std::array<const char*, kDims> kDimNames{"KDA layers", "heads",      "value channels", "key channels",
                                                   "tail rows",  "MLA layers", "latent rank",    "latent rope"};

std::array<int64_t, kDims> dimsOf(const StateLayout& l) {
    return {l.kdaLayers, l.heads, l.valueDim, l.keyDim, l.tailRows, l.mlaLayers, l.latentRank, l.latentRope};
}

uint8_t codeOf(DType dtype) {
    PAL_CHECK(dtype == DType::kF32 || dtype == DType::kBF16);
    return dtype == DType::kF32 ? 0 : 1;
}

DType typeOf(uint8_t code) {
    return code == 0 ? DType::kF32 : DType::kBF16;
}

// The layout of the bytes: the reader's shapes in the writer's number types.
StateLayout storedLayout(const Header& header, StateLayout layout) {
    layout.tail = typeOf(header.tail);
    layout.latent = typeOf(header.latent);
    return layout;
}

size_t rowBytes(const StateLayout& layout) {
    return static_cast<size_t>(layout.latentRank + layout.latentRope) * dtypeBytes(layout.latent);
}

size_t latentBytes(const StateLayout& layout, int64_t rows) {
    return rowBytes(layout) * static_cast<size_t>(rows) * static_cast<size_t>(layout.mlaLayers);
}

size_t recurrentBytes(const StateLayout& layout) {
    return (layout.kdaBytes() + layout.tailBytes()) * static_cast<size_t>(layout.kdaLayers);
}

Header headerFor(const StateLayout& layout, int64_t begin, int64_t end) {
    Header header;
    header.tail = codeOf(layout.tail);
    header.latent = codeOf(layout.latent);
    header.dims = dimsOf(layout);
    header.begin = begin;
    header.end = end;
    return header;
}

// How many of the next `most` full pages lie in memory as they are stored, from `index` on: 64 rows fill whole cache lines, so there are no gaps.
int64_t pagesInOnePiece(const SequenceState& state, int64_t index, int64_t most) {
    return most == 0 ? 0 : std::min(most, state.adjacentPages(index));
}

// Fills a buffer, front to back; what comes from the device is there after finish().
class Writer {
  public:
    Writer(Backend& backend, size_t size, HostBlocks* blocks)
        : backend_(backend), bytes_(blocks != nullptr ? blocks->take(size) : ByteBuffer(size)) {}
    void header(const Header& header) { host(std::as_bytes(std::span(&header, 1))); }
    void host(std::span<const std::byte> data) {
        const std::span<std::byte> to = take(data.size());
        std::copy(data.begin(), data.end(), to.begin());
    }
    void device(const void* data, size_t size) { pieces_.push_back({take(size), data}); }
    void latents(const SequenceState& state, int64_t begin, int64_t end) {
        const StateLayout& layout = state.layout();
        if (layout.mlaLayers == 0) return;
        for (int64_t first = begin; first < end;) {
            const int64_t index = first / kLatentPageTokens;
            if (const int64_t pages = pagesInOnePiece(state, index, (end - first) / kLatentPageTokens); pages > 0) {
                device(state.page(index), layout.pageBytes() * static_cast<size_t>(pages));
                first += pages * kLatentPageTokens;
                continue;
            }
            const int64_t rows = std::min(kLatentPageTokens, end - first);
            for (int64_t layer = 0; layer < layout.mlaLayers; ++layer) {
                device(state.page(index) + layout.layerPageBytes() * static_cast<size_t>(layer),
                       rowBytes(layout) * static_cast<size_t>(rows));
            }
            first += rows;
        }
    }
    ByteBuffer finish() {
        PAL_CHECK(at_ == bytes_.size());
        backend_.downloadAll(pieces_);
        return std::move(bytes_);
    }

  private:
    std::span<std::byte> take(size_t size) {
        PAL_CHECK(size <= bytes_.size() - at_);
        at_ += size;
        return bytes_.span().subspan(at_ - size, size);
    }

    Backend& backend_;
    ByteBuffer bytes_;
    std::vector<Download> pieces_;
    size_t at_ = 0;
};

// Takes checked bytes to the device, front to back: there after finish(). Converts where the types differ.
class Reader {
  public:
    Reader(Backend& backend, std::span<const std::byte> bytes) : backend_(backend), rest_(bytes) {}

    std::span<const std::byte> take(size_t size) {
        PAL_CHECK(size <= rest_.size());
        const auto out = rest_.first(size);
        rest_ = rest_.subspan(size);
        return out;
    }
    void device(void* to, DType toType, DType fromType, size_t elements) {
        const auto from = take(elements * dtypeBytes(fromType));
        if (toType == fromType) return pieces_.push_back({to, from});
        converted_.resizeDiscarding(elements * dtypeBytes(toType));
        toType == DType::kBF16 ? narrow(from, elements) : widen(from, elements);
        backend_.upload(to, converted_.span());
    }
    void finish() { backend_.uploadAll(pieces_); }
    void latents(SequenceState& state, DType type, int64_t begin, int64_t end) {
        const StateLayout& layout = state.layout();
        if (layout.mlaLayers == 0) return;  // nothing bounds the rows
        PAL_CHECK(end <= std::ssize(state.latents(0).pages) * kLatentPageTokens);
        for (int64_t first = begin; first < end;) {
            const int64_t index = first / kLatentPageTokens;
            const int64_t pages = pagesInOnePiece(state, index, (end - first) / kLatentPageTokens);
            if (type == layout.latent && pages > 0) {
                pieces_.push_back({state.page(index), take(layout.pageBytes() * static_cast<size_t>(pages))});
                first += pages * kLatentPageTokens;
                continue;
            }
            const int64_t rows = std::min(kLatentPageTokens, end - first);
            const auto elements = static_cast<size_t>(rows * (layout.latentRank + layout.latentRope));
            for (int64_t layer = 0; layer < layout.mlaLayers; ++layer) {
                device(state.page(index) + layout.layerPageBytes() * static_cast<size_t>(layer), layout.latent, type,
                       elements);
            }
            first += rows;
        }
    }

  private:
    void narrow(std::span<const std::byte> from, size_t elements) {
        for (size_t i = 0; i < elements; ++i) {
            float value = 0;
            std::memcpy(&value, from.data() + i * sizeof value, sizeof value);
            const uint16_t bits = toBf16(value);
            std::memcpy(converted_.data() + i * sizeof bits, &bits, sizeof bits);
        }
    }
    void widen(std::span<const std::byte> from, size_t elements) {
        for (size_t i = 0; i < elements; ++i) {
            uint16_t bits = 0;
            std::memcpy(&bits, from.data() + i * sizeof bits, sizeof bits);
            const uint32_t value = static_cast<uint32_t>(bits) << 16;
            std::memcpy(converted_.data() + i * sizeof value, &value, sizeof value);
        }
    }

    Backend& backend_;
    std::span<const std::byte> rest_;
    std::vector<Upload> pieces_;
    ByteBuffer converted_;
};

// The header, when it belongs to a state of these shapes and its numbers make sense.
Result<Header> readHeader(std::span<const std::byte> bytes, const StateLayout& layout) {
    const auto header = readAt<Header>(bytes, 0);
    if (!header)
        return fail(ErrorCode::kFormat, "a state of {} bytes, its header alone has {}", bytes.size(), sizeof(Header));
    if (header->magic != kMagic) return fail(ErrorCode::kFormat, "these {} bytes are no state", bytes.size());
    if (header->version != kStateCodecVersion) {
        return fail(ErrorCode::kUnsupported, "a state of format version {}, this program reads {}", header->version,
                    kStateCodecVersion);
    }
    if (header->tail > 1 || header->latent > 1 || header->zero != 0)
        return fail(ErrorCode::kFormat, "a state with number types {} and {}", header->tail, header->latent);
    const auto dims = dimsOf(layout);
    for (size_t i = 0; i < kDims; ++i) {
        if (header->dims[i] != dims[i]) {
            return fail(ErrorCode::kConflict, "a state with {} {}, the model has {}", header->dims[i], kDimNames[i],
                        dims[i]);
        }
    }
    if (header->begin < 0 || header->begin % kLatentPageTokens != 0 || header->end < header->begin ||
        header->logits < 0) {
        return fail(ErrorCode::kFormat, "a state of tokens {} to {} with {} logits", header->begin, header->end,
                    header->logits);
    }
    return *header;
}

// The bytes that must follow the header, or nothing when that is more than there can be.
std::optional<uint64_t> payloadBytes(const Header& header, const StateLayout& stored, uint64_t recurrent) {
    const auto rows = static_cast<uint64_t>(header.end - header.begin);
    const auto latents = checkedMul(rows, latentBytes(stored, 1));
    const auto logits = checkedMul(static_cast<uint64_t>(header.logits), sizeof(float));
    if (!latents || !logits) return std::nullopt;
    const auto sum = checkedAdd(*latents, *logits);
    return sum ? checkedAdd(*sum, recurrent) : std::nullopt;
}

Result<> checkSize(std::span<const std::byte> bytes, std::optional<uint64_t> payload) {
    const uint64_t rest = bytes.size() - sizeof(Header);
    if (payload && *payload == rest) return {};
    return fail(ErrorCode::kFormat, "a state with {} bytes after its header, {} belong there", rest,
                payload ? *payload : UINT64_MAX);
}

Result<Header> checkCheckpoint(std::span<const std::byte> bytes, const StateLayout& layout) {
    PAL_ASSIGN(const Header header, readHeader(bytes, layout));
    const StateLayout stored = storedLayout(header, layout);
    PAL_TRY(checkSize(bytes, payloadBytes(header, stored, recurrentBytes(stored))));
    return header;
}

}  // namespace

ByteBuffer encodeCheckpoint(Backend& backend, const SequenceState& state, std::span<const float> logits,
                            int64_t firstRow, HostBlocks* blocks) {
    const StateLayout& layout = state.layout();
    Header header = headerFor(layout, firstRow, state.position());
    header.logits = std::ssize(logits);
    const size_t size =
        sizeof header + recurrentBytes(layout) + latentBytes(layout, header.end - firstRow) + logits.size_bytes();
    Writer writer(backend, size, blocks);
    writer.header(header);
    for (int64_t layer = 0; layer < layout.kdaLayers; ++layer)
        writer.device(state.kdaState(layer).data, layout.kdaBytes());
    for (int64_t layer = 0; layer < layout.kdaLayers; ++layer)
        writer.device(state.convTail(layer).data, layout.tailBytes());
    writer.latents(state, header.begin, header.end);
    writer.host(std::as_bytes(logits));
    return writer.finish();
}

ByteBuffer encodePages(Backend& backend, const SequenceState& state, int64_t begin, int64_t end, HostBlocks* blocks) {
    const StateLayout& layout = state.layout();
    PAL_CHECK(begin % kLatentPageTokens == 0 && end % kLatentPageTokens == 0 && end <= state.position());
    Writer writer(backend, sizeof(Header) + latentBytes(layout, end - begin), blocks);
    writer.header(headerFor(layout, begin, end));
    writer.latents(state, begin, end);
    return writer.finish();
}

Result<CheckpointInfo> inspectCheckpoint(std::span<const std::byte> bytes, const StateLayout& layout) {
    PAL_ASSIGN(const Header header, checkCheckpoint(bytes, layout));
    return CheckpointInfo{header.begin, header.end, header.logits};
}

Result<std::vector<float>> decodeCheckpoint(std::span<const std::byte> bytes, Backend& backend, SequenceState& state) {
    const StateLayout& layout = state.layout();
    PAL_ASSIGN(const Header header, checkCheckpoint(bytes, layout));
    const StateLayout stored = storedLayout(header, layout);
    Reader reader(backend, bytes.subspan(sizeof header));
    const auto stateElements = static_cast<size_t>(layout.heads * layout.valueDim * layout.keyDim);
    const auto tailElements = static_cast<size_t>(layout.tailRows * layout.tailChannels());
    for (int64_t layer = 0; layer < layout.kdaLayers; ++layer)
        reader.device(state.kdaState(layer).data, DType::kF32, DType::kF32, stateElements);
    for (int64_t layer = 0; layer < layout.kdaLayers; ++layer)
        reader.device(state.convTail(layer).data, layout.tail, stored.tail, tailElements);
    reader.latents(state, stored.latent, header.begin, header.end);
    reader.finish();
    std::vector<float> logits(static_cast<size_t>(header.logits));
    const auto from = reader.take(logits.size() * sizeof(float));
    std::copy(from.begin(), from.end(), std::as_writable_bytes(std::span(logits)).begin());
    return logits;
}

Result<> decodePages(std::span<const std::byte> bytes, Backend& backend, SequenceState& state, int64_t begin,
                     int64_t end) {
    const StateLayout& layout = state.layout();
    PAL_ASSIGN(const Header header, readHeader(bytes, layout));
    if (header.begin != begin || header.end != end || header.logits != 0) {
        return fail(ErrorCode::kConflict, "latent pages of tokens {} to {}, those of {} to {} are needed", header.begin,
                    header.end, begin, end);
    }
    const StateLayout stored = storedLayout(header, layout);
    PAL_TRY(checkSize(bytes, payloadBytes(header, stored, 0)));
    Reader reader(backend, bytes.subspan(sizeof header));
    reader.latents(state, stored.latent, begin, end);
    reader.finish();
    return {};
}

}  // namespace pal

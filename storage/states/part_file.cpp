// SPDX-License-Identifier: Apache-2.0
#include "storage/states/part_file.h"

#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#if defined(PAL_XXHASH_DISPATCHES)
#include <xxh_x86dispatch.h>  // behind xxhash.h, whose functions it replaces
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <memory>

#include "engine/base/bytes.h"
#include "engine/base/descriptor.h"
#include "engine/base/file_pieces.h"
#include "engine/base/system_message.h"

namespace pal {
namespace {

constexpr std::array<char, 8> kMagic{'P', 'A', 'L', 'P', 'A', 'R', 'T', '2'};
constexpr uint32_t kVersion = 2;
constexpr size_t kLargeBytes = 1 << 20;
// From this size on a part is read in pieces on threads; those of a sequence's pages are smaller and are read side by side.
constexpr size_t kPiecesBytes = 32 << 20;
// Of one request: a group of pages whole. In pieces of 2 MiB, with the checksum between them, a sequence opens a tenth slower.
constexpr size_t kAtOnceBytes = 16 << 20;

struct RawTail {
    std::array<char, 8> magic = kMagic;
    uint32_t version = kVersion;
    uint32_t kind = 0;
    Hash128 family;
    Hash128 prefix;
    Hash128 parent;
    uint64_t hasParent = 0;
    int64_t tokens = 0;
    uint64_t payloadBytes = 0;
    Hash128 checksum;
};
static_assert(sizeof(RawTail) == kPartTailBytes && std::is_trivially_copyable_v<RawTail>);

// Of payload and tail, fed in pieces; what comes behind the payload's end is left out.
class Checksum {
  public:
    explicit Checksum(uint64_t payloadBytes) : left_(payloadBytes), state_(XXH3_createState(), &XXH3_freeState) {
        XXH3_128bits_reset(state_.get());
    }
    void add(std::span<const std::byte> bytes) {
        const auto payload = bytes.first(std::min<uint64_t>(bytes.size(), left_));
        XXH3_128bits_update(state_.get(), payload.data(), payload.size());
        left_ -= payload.size();
    }
    [[nodiscard]] Hash128 end(RawTail tail) {
        tail.checksum = {};
        XXH3_128bits_update(state_.get(), &tail, sizeof tail);
        const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
        return {hash.high64, hash.low64};
    }

  private:
    uint64_t left_;
    std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

// A part's file with its size.
class OpenFile {
  public:
    static Result<OpenFile> open(const std::filesystem::path& path) {
        PAL_ASSIGN(Descriptor file, openForReading(path));
        struct stat status {};
        if (fstat(file.get(), &status) != 0) return fail(ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
        return OpenFile(path, std::move(file), static_cast<uint64_t>(status.st_size));
    }

    [[nodiscard]] uint64_t size() const { return size_; }
    // All of it, added to the checksum as it comes. `bytes` end with a whole block, so that a disk that is busy with other parts is not asked for the
    // end of this one once more: a small request waits behind the large ones of others as long as they do.
    Result<> read(std::span<std::byte> bytes, Checksum& checksum) {
        const bool aligned = std::bit_cast<uintptr_t>(bytes.data()) % kDirectBlock == 0;
        size_t done = 0;
        if (size_ >= kLargeBytes && aligned && setDirect(file_, Direct::kOn)) {
            const auto blocks = bytes.first(size_ / kDirectBlock * kDirectBlock);
            const auto read =
                blocks.size() >= kPiecesBytes ? readPieces(blocks, checksum, done) : readOn(bytes, checksum, done);
            setDirect(file_, Direct::kOff);
            if (read != 0 && read != EINVAL) return failure(read);  // the disk's blocks are larger
        }
        const int rest = readOn(bytes, checksum, done);
        return rest == 0 ? Result<>() : failure(rest);
    }
    Result<> readAt(uint64_t offset, std::span<std::byte> bytes) {
        while (!bytes.empty()) {
            const ssize_t count = readSome(offset, bytes);
            if (count <= 0) return failure(count == 0 ? FilePieces::kEnded : errno);
            offset += static_cast<uint64_t>(count);
            bytes = bytes.subspan(static_cast<size_t>(count));
        }
        return {};
    }

  private:
    OpenFile(std::filesystem::path path, Descriptor file, uint64_t size)
        : path_(std::move(path)), file_(std::move(file)), size_(size) {}
    [[nodiscard]] tl::unexpected<Error> failure(int error) const {
        if (error != FilePieces::kEnded) return fail(ErrorCode::kIo, "{}: {}", path_.string(), systemMessage(error));
        return fail(ErrorCode::kCorrupt, "{}: it ends before its {} bytes", path_.string(), size_);
    }
    // These return errno, FilePieces::kEnded or 0. From byte `done` on, which moves on with what was read.
    int readPieces(std::span<std::byte> bytes, Checksum& checksum, size_t& done) {
        FilePieces pieces = FilePieces::reading(file_, 0, bytes);
        for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
            checksum.add(piece);
            done += piece.size();
        }
        return pieces.error();
    }
    int readOn(std::span<std::byte> bytes, Checksum& checksum, size_t& done) {
        while (done < size_) {
            const auto piece = bytes.subspan(done, std::min(kAtOnceBytes, bytes.size() - done));
            const ssize_t count = readSome(done, piece);
            if (count <= 0) return count == 0 ? FilePieces::kEnded : errno;
            checksum.add(piece.first(static_cast<size_t>(count)));
            done += static_cast<size_t>(count);
        }
        return 0;
    }
    // As pread(2).
    ssize_t readSome(uint64_t offset, std::span<std::byte> bytes) {
        while (true) {
            const ssize_t count = ::pread(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
            if (count >= 0 || errno != EINTR) return count;
        }
    }

    std::filesystem::path path_;
    Descriptor file_;
    uint64_t size_ = 0;
};

// `size` of the whole file.
Result<> checkTail(const RawTail& tail, uint64_t size, const std::string& name) {
    if (tail.magic != kMagic)
        return fail(ErrorCode::kCorrupt, "{}: this is no stored state, or one of an older program", name);
    if (tail.version != kVersion) {
        return fail(ErrorCode::kUnsupported, "{}: a stored state of version {}, this program reads {}", name,
                    tail.version, kVersion);
    }
    if (checkedAdd(kPartTailBytes, tail.payloadBytes) != size) {
        return fail(ErrorCode::kCorrupt, "{}: {} bytes, its tail says {} and {}", name, size, tail.payloadBytes,
                    kPartTailBytes);
    }
    if (tail.kind > 1 || tail.hasParent > 1 || tail.tokens < 0)
        return fail(ErrorCode::kCorrupt, "{}: a part of kind {} with {} tokens", name, tail.kind, tail.tokens);
    return {};
}

Result<RawTail> readTail(OpenFile& open, const std::string& name) {
    if (open.size() < kPartTailBytes)
        return fail(ErrorCode::kCorrupt, "{}: {} bytes are no stored state", name, open.size());
    RawTail tail;
    PAL_TRY(open.readAt(open.size() - kPartTailBytes, std::as_writable_bytes(std::span(&tail, 1))));
    PAL_TRY(checkTail(tail, open.size(), name));
    return tail;
}

PartTail partTail(const RawTail& raw) {
    PartTail tail;
    tail.id = {raw.family, raw.prefix, raw.tokens, static_cast<StatePart>(raw.kind)};
    if (raw.hasParent == 1) tail.parent = raw.parent;
    tail.payloadBytes = raw.payloadBytes;
    return tail;
}

RawTail rawTail(const PartTail& tail) {
    RawTail raw;
    raw.kind = static_cast<uint32_t>(tail.id.part);
    raw.family = tail.id.family;
    raw.prefix = tail.id.prefix;
    raw.parent = tail.parent.value_or(Hash128{});
    raw.hasParent = tail.parent ? 1 : 0;
    raw.tokens = tail.id.tokens;
    raw.payloadBytes = tail.payloadBytes;
    return raw;
}

}  // namespace

std::string partFileName(const StateId& id) {
    return fmt::format("{:016x}{:016x}-{:016x}{:016x}.{}", id.family.high, id.family.low, id.prefix.high, id.prefix.low,
                       id.part == StatePart::kPages ? "pages" : "checkpoint");
}

std::optional<StateId> partNamed(std::string_view fileName) {
    constexpr size_t kDigits = 16;
    if (fileName.size() < 4 * kDigits + 1) return std::nullopt;
    const auto word = [&](size_t at) {
        uint64_t value = 0;
        std::from_chars(fileName.data() + at, fileName.data() + at + kDigits, value, 16);
        return value;
    };
    StateId id{{word(0), word(kDigits)}, {word(2 * kDigits + 1), word(3 * kDigits + 1)}, 0, StatePart::kPages};
    for (const StatePart part : {StatePart::kPages, StatePart::kCheckpoint}) {
        id.part = part;
        if (partFileName(id) == fileName) return id;
    }
    return std::nullopt;
}

Result<FileWriter> writePart(const std::filesystem::path& file, const PartTail& tail,
                             std::span<const std::byte> payload) {
    RawTail raw = rawTail(tail);
    raw.payloadBytes = payload.size();
    PAL_ASSIGN(FileWriter writer, FileWriter::create(file, FileWriter::Readers::kOwner));
    const auto sum = [&] {
        Checksum checksum(payload.size());
        checksum.add(payload);
        raw.checksum = checksum.end(raw);
    };
    if (payload.size() >= kLargeBytes) {
        PAL_TRY(writer.writeLarge(payload, sum));
    } else {
        PAL_TRY(writer.write(payload));
        sum();
    }
    PAL_TRY(writer.write(std::as_bytes(std::span(&raw, 1))));
    return writer;
}

Result<> readPart(const std::filesystem::path& file, const StateId& id, ByteBuffer& payload) {
    PAL_ASSIGN(OpenFile open, OpenFile::open(file));
    if (open.size() < kPartTailBytes)
        return fail(ErrorCode::kCorrupt, "{}: {} bytes are no stored state", file.string(), open.size());
    const uint64_t payloadBytes = open.size() - kPartTailBytes;
    payload.resizeDiscarding((open.size() + kDirectBlock - 1) / kDirectBlock * kDirectBlock);
    Checksum checksum(payloadBytes);
    PAL_TRY(open.read(payload.span(), checksum));
    const RawTail tail = *readAt<RawTail>(payload.span(), payloadBytes);
    payload.resizeDiscarding(payloadBytes);
    PAL_TRY(checkTail(tail, open.size(), file.string()));
    if (checksum.end(tail) != tail.checksum)
        return fail(ErrorCode::kCorrupt, "{}: its checksum is wrong", file.string());
    if (tail.kind != static_cast<uint32_t>(id.part) || tail.family != id.family || tail.prefix != id.prefix ||
        tail.tokens != id.tokens) {
        return fail(ErrorCode::kCorrupt, "{}: it holds another state than its name says", file.string());
    }
    return {};
}

Result<PartTail> readPartTail(const std::filesystem::path& file) {
    PAL_ASSIGN(OpenFile open, OpenFile::open(file));
    PAL_ASSIGN(const RawTail raw, readTail(open, file.string()));
    return partTail(raw);
}

Result<PartTail> parsePart(std::span<const std::byte> bytes, const std::string& name) {
    if (bytes.size() < kPartTailBytes)
        return fail(ErrorCode::kCorrupt, "{}: {} bytes are no stored state", name, bytes.size());
    const auto payload = bytes.first(bytes.size() - kPartTailBytes);
    const RawTail tail = *readAt<RawTail>(bytes, payload.size());
    PAL_TRY(checkTail(tail, bytes.size(), name));
    Checksum checksum(payload.size());
    checksum.add(payload);
    if (checksum.end(tail) != tail.checksum) return fail(ErrorCode::kCorrupt, "{}: its checksum is wrong", name);
    return partTail(tail);
}

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#include "storage/states/part_file.h"

#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "engine/base/bytes.h"
#include "engine/base/descriptor.h"
#include "engine/base/file_writer.h"
#include "engine/base/system_message.h"

namespace pal {
namespace {

constexpr std::array<char, 8> kMagic{'P', 'A', 'L', 'P', 'A', 'R', 'T', '1'};
constexpr uint32_t kVersion = 1;
constexpr size_t kLargeBytes = 1 << 20;
constexpr size_t kPieceBytes = 4 << 20;  // of a large part; such a ByteBuffer is aligned to its pages

struct RawHead {
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
static_assert(sizeof(RawHead) == kPartHeadBytes && std::is_trivially_copyable_v<RawHead>);

// Checksums head and payload, fed in pieces while they are read.
class Checksum {
  public:
    explicit Checksum(RawHead head) : state_(XXH3_createState(), &XXH3_freeState) {
        head.checksum = {};
        XXH3_128bits_reset(state_.get());
        add(std::as_bytes(std::span(&head, 1)));
    }
    void add(std::span<const std::byte> bytes) { XXH3_128bits_update(state_.get(), bytes.data(), bytes.size()); }
    [[nodiscard]] Hash128 value() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
        return {hash.high64, hash.low64};
    }

  private:
    std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

class OpenFile {
  public:
    static Result<OpenFile> open(const std::filesystem::path& path) {
        PAL_ASSIGN(Descriptor file, openForReading(path));
        return OpenFile(path, std::move(file));
    }

    [[nodiscard]] Result<uint64_t> size() const {
        struct stat status {};
        if (fstat(file_.get(), &status) == 0) return static_cast<uint64_t>(status.st_size);
        return fail(ErrorCode::kIo, "{}: {}", path_.string(), systemMessage(errno));
    }
    // Fills `bytes`; fewer are read only at the file's end.
    Result<size_t> read(std::span<std::byte> bytes) {
        size_t count = 0;
        while (count < bytes.size()) {
            const ssize_t done = ::read(file_.get(), bytes.data() + count, bytes.size() - count);
            if (done == 0) break;
            if (done > 0) count += static_cast<size_t>(done);
            if (done > 0 || errno == EINTR) continue;
            // Blocks are larger here, or what is left is no whole block.
            if (errno != EINVAL || !direct_)
                return fail(ErrorCode::kIo, "{}: {}", path_.string(), systemMessage(errno));
            setDirect(file_, Direct::kOff);
            direct_ = false;
        }
        return count;
    }
    // For reads of whole blocks of 4 KiB into memory that is aligned to them.
    void bypassCache() { direct_ = setDirect(file_, Direct::kOn); }

  private:
    OpenFile(std::filesystem::path path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}
    std::filesystem::path path_;
    Descriptor file_;
    bool direct_ = false;
};

// `size` of the whole file.
Result<> checkHead(const RawHead& head, uint64_t size, const std::string& name) {
    if (head.magic != kMagic) return fail(ErrorCode::kCorrupt, "{}: this is no stored state", name);
    if (head.version != kVersion) {
        return fail(ErrorCode::kUnsupported, "{}: a stored state of version {}, this program reads {}", name,
                    head.version, kVersion);
    }
    if (checkedAdd(kPartHeadBytes, head.payloadBytes) != size) {
        return fail(ErrorCode::kCorrupt, "{}: {} bytes, its head says {} and {}", name, size, kPartHeadBytes,
                    head.payloadBytes);
    }
    if (head.kind > 1 || head.hasParent > 1 || head.tokens < 0)
        return fail(ErrorCode::kCorrupt, "{}: a part of kind {} with {} tokens", name, head.kind, head.tokens);
    return {};
}

// `bytes` begin the file, whose size is `size`.
Result<RawHead> readHead(std::span<const std::byte> bytes, uint64_t size, const std::string& name) {
    const auto head = readAt<RawHead>(bytes, 0);
    if (!head) return fail(ErrorCode::kCorrupt, "{}: {} bytes are no stored state", name, bytes.size());
    PAL_TRY(checkHead(*head, size, name));
    return *head;
}

PartHead partHead(const RawHead& raw) {
    PartHead head;
    head.id = {raw.family, raw.prefix, raw.tokens, static_cast<StatePart>(raw.kind)};
    if (raw.hasParent == 1) head.parent = raw.parent;
    head.payloadBytes = raw.payloadBytes;
    return head;
}

RawHead rawHead(const PartHead& head) {
    RawHead raw;
    raw.kind = static_cast<uint32_t>(head.id.part);
    raw.family = head.id.family;
    raw.prefix = head.id.prefix;
    raw.parent = head.parent.value_or(Hash128{});
    raw.hasParent = head.parent ? 1 : 0;
    raw.tokens = head.id.tokens;
    raw.payloadBytes = head.payloadBytes;
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

Result<> writePart(const std::filesystem::path& file, const PartHead& head, std::span<const std::byte> payload) {
    RawHead raw = rawHead(head);
    raw.payloadBytes = payload.size();
    Checksum checksum(raw);
    PAL_ASSIGN(FileWriter writer, FileWriter::create(file, FileWriter::Readers::kOwner));
    const size_t size = kPartHeadBytes + payload.size();
    if (size >= kLargeBytes) writer.bypassCache();
    ByteBuffer piece(size >= kLargeBytes ? kPieceBytes : size);
    std::memcpy(piece.data(), &raw, kPartHeadBytes);
    for (size_t filled = kPartHeadBytes; filled > 0 || !payload.empty(); filled = 0) {
        const auto next = payload.first(std::min(piece.size() - filled, payload.size()));
        std::ranges::copy(next, piece.data() + filled);
        checksum.add(next);
        PAL_TRY(writer.write(piece.span().first(filled + next.size())));
        payload = payload.subspan(next.size());
    }
    raw.checksum = checksum.value();
    PAL_TRY(writer.rewrite(0, std::as_bytes(std::span(&raw, 1))));
    return writer.commit();
}

Result<> readPart(const std::filesystem::path& file, const StateId& id, ByteBuffer& payload) {
    PAL_ASSIGN(OpenFile open, OpenFile::open(file));
    PAL_ASSIGN(const uint64_t size, open.size());
    if (size >= kLargeBytes) open.bypassCache();
    ByteBuffer piece(size >= kLargeBytes ? kPieceBytes : size);
    PAL_ASSIGN(size_t count, open.read(piece.span()));
    PAL_ASSIGN(const RawHead head, readHead(piece.span().first(count), size, file.string()));
    Checksum checksum(head);
    payload.resizeDiscarding(head.payloadBytes);
    auto next = piece.span().subspan(kPartHeadBytes, count - kPartHeadBytes);
    for (auto rest = payload.span(); !rest.empty();) {
        next = next.first(std::min(next.size(), rest.size()));
        if (next.empty()) return fail(ErrorCode::kCorrupt, "{}: it ends {} bytes early", file.string(), rest.size());
        std::ranges::copy(next, rest.data());
        checksum.add(next);
        rest = rest.subspan(next.size());
        if (rest.empty()) break;
        PAL_ASSIGN(count, open.read(piece.span()));
        next = piece.span().first(count);
    }
    if (checksum.value() != head.checksum) return fail(ErrorCode::kCorrupt, "{}: its checksum is wrong", file.string());
    if (head.kind != static_cast<uint32_t>(id.part) || head.family != id.family || head.prefix != id.prefix ||
        head.tokens != id.tokens) {
        return fail(ErrorCode::kCorrupt, "{}: it holds another state than its name says", file.string());
    }
    return {};
}

Result<PartHead> readPartHead(const std::filesystem::path& file) {
    PAL_ASSIGN(OpenFile open, OpenFile::open(file));
    PAL_ASSIGN(const uint64_t size, open.size());
    std::array<std::byte, kPartHeadBytes> bytes;
    PAL_ASSIGN(const size_t count, open.read(bytes));
    PAL_ASSIGN(const RawHead raw, readHead(std::span(bytes).first(count), size, file.string()));
    return partHead(raw);
}

Result<PartHead> parsePart(std::span<const std::byte> bytes, const std::string& name) {
    PAL_ASSIGN(const RawHead head, readHead(bytes, bytes.size(), name));
    Checksum checksum(head);
    checksum.add(bytes.subspan(sizeof head));
    if (checksum.value() != head.checksum) return fail(ErrorCode::kCorrupt, "{}: its checksum is wrong", name);
    return partHead(head);
}

}  // namespace pal

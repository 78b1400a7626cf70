// SPDX-License-Identifier: Apache-2.0
#include "storage/transfer/archive.h"

#include "engine/base/bytes.h"
#include "storage/chats/sha256.h"
#include "storage/transfer/json_input.h"
#include "storage/transfer/session_json.h"

namespace pal {
namespace {

constexpr const char* kManifestName = "palimpsest.json";
constexpr const char* kSessionName = "session.json";
constexpr std::string_view kStates = "states/";
constexpr std::string_view kFormatName = "palimpsest-archive";
constexpr int64_t kVersion = 1;
constexpr uint64_t kMaxManifestBytes = 64 << 10;

std::string sourceName(const Sha256& hash) {
    return "sources/" + toHex(hash);
}

// Pictures, clips and most documents are packed already; text is not.
ZipWriter::Packing packingFor(const std::string& mediaType) {
    return mediaType.starts_with("text/") ? ZipWriter::Packing::kDeflate : ZipWriter::Packing::kStore;
}

Result<> checkManifest(const ZipReader& zip, const std::string& name) {
    const auto entry = zip.find(kManifestName);
    if (!entry) return fail(ErrorCode::kFormat, "{}: this is no {}", name, kFormatName);
    PAL_ASSIGN(const std::string text, zip.read(*entry, kMaxManifestBytes));
    PAL_ASSIGN(const nlohmann::json manifest, parseJsonInput(text, name + ": " + kManifestName));
    if (textAt(manifest, "format") != kFormatName)
        return fail(ErrorCode::kFormat, "{}: this is no {}", name, kFormatName);
    const int64_t version = wholeAt(manifest, "version");
    if (version > kVersion) {
        return fail(ErrorCode::kUnsupported, "{}: version {} of {}, this program reads up to {}", name, version,
                    kFormatName, kVersion);
    }
    return {};
}

Result<> keepSource(const ZipReader& zip, const ZipReader::Entry& entry, const SourceDocument& source,
                    const KeepSource& keep) {
    PAL_ASSIGN(const SourceFiles::Reader reader, zip.stream(entry));
    PAL_ASSIGN(const SourceFiles::Kept kept, keep(reader));
    if (kept.sha256 == source.sha256) return {};
    return fail(ErrorCode::kCorrupt, "{}: its bytes have the hash {}", entry.name, toHex(kept.sha256));
}

Result<ByteBuffer> readPart(const ZipReader& zip, const ZipReader::Entry& entry) {
    if (entry.bytes > kMaxStatePartBytes) {
        return fail(ErrorCode::kUnsupported, "{}: {} bytes, the limit is {}", entry.name, entry.bytes,
                    kMaxStatePartBytes);
    }
    PAL_ASSIGN(const SourceFiles::Reader reader, zip.stream(entry));
    ByteBuffer out(entry.bytes);
    for (size_t at = 0; at < out.size();) {
        PAL_ASSIGN(const size_t count, reader(out.span().subspan(at)));
        at += count;
    }
    return out;
}

// Everything is known before the first part is taken: an archive of states that have no room displaces none that are there.
Result<> checkRoom(std::span<const ZipReader::Entry> parts, uint64_t room) {
    uint64_t total = 0;
    for (const ZipReader::Entry& part : parts) total = checkedAdd(total, part.bytes).value_or(UINT64_MAX);
    if (total <= room) return {};
    return fail(ErrorCode::kUnsupported, "{} bytes of stored states, there is room for {}", total, room);
}

Result<> takeStates(const ZipReader& zip, std::span<const ZipReader::Entry> parts, const KeepState& keep) {
    PAL_TRY(checkRoom(parts, keep.room));
    for (const ZipReader::Entry& entry : parts) {
        PAL_ASSIGN(const ByteBuffer part, readPart(zip, entry));
        PAL_TRY(keep.take(entry.name.substr(kStates.size()), part));
    }
    return {};
}

// The session is whole without them.
void readStates(const ZipReader& zip, const KeepState& keep, SessionDocument& document) {
    std::vector<ZipReader::Entry> parts = zip.entries();
    std::erase_if(parts, [](const ZipReader::Entry& entry) { return !entry.name.starts_with(kStates); });
    for (const ZipReader::Entry& part : parts) document.states.push_back(part.name.substr(kStates.size()));
    if (!keep.take) return;
    const auto taken = takeStates(zip, parts, keep);
    if (taken) return;
    document.warnings.push_back("its state is not taken over: " + taken.error().message);
    document.states.clear();
}

}  // namespace

Result<> writeArchive(const std::filesystem::path& file, const SessionDocument& document, const SourceFiles& sources,
                      std::span<const std::filesystem::path> states) {
    PAL_ASSIGN(ZipWriter zip, ZipWriter::create(file));
    PAL_TRY(zip.add(kManifestName, jsonText({{"format", kFormatName}, {"version", kVersion}})));
    PAL_TRY(zip.add(kSessionName, writeSessionJson(document)));
    for (const SourceDocument& source : document.sources) {
        if (!sources.has(source.sha256)) {
            return fail(ErrorCode::kNotFound, "{}: the bytes of an attachment are gone",
                        sources.path(source.sha256).string());
        }
        PAL_TRY(zip.addFile(sourceName(source.sha256), sources.path(source.sha256), packingFor(source.mediaType)));
    }
    for (const std::filesystem::path& state : states)
        PAL_TRY(zip.addFile(std::string(kStates) + state.filename().string(), state, ZipWriter::Packing::kStore));
    return zip.commit();
}

Result<SessionDocument> readArchive(const ZipReader& zip, const std::string& name, const KeepSource& keep,
                                    const KeepState& keepState) {
    PAL_TRY(checkManifest(zip, name));
    const auto session = zip.find(kSessionName);
    if (!session) return fail(ErrorCode::kFormat, "{}: {} is missing", name, kSessionName);
    PAL_ASSIGN(const std::string text, zip.read(*session, kMaxSessionJsonBytes));
    PAL_ASSIGN(SessionDocument document, readSessionJson(text, name + ": " + kSessionName));

    // Everything is known before the first byte is written.
    std::vector<std::optional<ZipReader::Entry>> entries;
    uint64_t total = 0;
    for (const SourceDocument& source : document.sources) {
        entries.push_back(zip.find(sourceName(source.sha256)));
        if (!entries.back()) continue;
        if (entries.back()->bytes != source.bytes) {
            return fail(ErrorCode::kFormat, "{}: {} has {} bytes, {} says {}", name, entries.back()->name,
                        entries.back()->bytes, kSessionName, source.bytes);
        }
        if (source.bytes > kMaxArchiveSourceBytes - total) {
            return fail(ErrorCode::kUnsupported, "{}: more than {} bytes of sources", name, kMaxArchiveSourceBytes);
        }
        total += source.bytes;
    }
    for (size_t i = 0; i < entries.size(); ++i) {
        const SourceDocument& source = document.sources[i];
        if (entries[i]) {
            PAL_TRY(keepSource(zip, *entries[i], source, keep));
        } else {
            document.warnings.push_back(fmt::format("{} is not in the archive", sourceName(source.sha256)));
        }
    }
    readStates(zip, keepState, document);
    return document;
}

bool isArchive(const ZipReader& zip) {
    return zip.find(kManifestName).has_value();
}

}  // namespace pal

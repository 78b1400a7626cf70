// SPDX-License-Identifier: Apache-2.0
#include "storage/transfer/import.h"

#include <algorithm>
#include <array>

#include "engine/base/mapped_file.h"
#include "storage/chats/media_type.h"
#include "storage/transfer/archive.h"
#include "storage/transfer/foreign_formats.h"
#include "storage/transfer/json_input.h"
#include "storage/transfer/session_json.h"

namespace pal {
namespace {

constexpr uint64_t kMaxForeignJsonBytes = kMaxSessionJsonBytes;

bool beginsLikeZip(std::span<const std::byte> bytes) {
    constexpr std::array kMagic{std::byte{'P'}, std::byte{'K'}};
    return bytes.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), bytes.begin());
}

// A session without a name or times is still one that can be found.
void complete(Import& import, const std::string& name) {
    for (SessionDocument& session : import.sessions) {
        if (session.name.empty()) session.name = name;
        for (const MessageDocument& message : session.messages) {
            if (session.createdMs == 0) session.createdMs = message.createdMs;
            session.changedMs = std::max(session.changedMs, message.createdMs);
        }
    }
}

Result<Import> readForeign(const nlohmann::json& root, const ZipReader* files, const KeepSource& keep) {
    if (isChatGpt(root)) {
        PAL_ASSIGN(std::vector<SessionDocument> sessions, readChatGpt(root, files, keep));
        return Import{ImportKind::kChatGpt, std::move(sessions)};
    }
    if (isOpenWebUi(root)) {
        PAL_ASSIGN(std::vector<SessionDocument> sessions, readOpenWebUi(root, keep));
        return Import{ImportKind::kOpenWebUi, std::move(sessions)};
    }
    return fail(ErrorCode::kFormat, "this is no export of sessions that is known here");
}

Result<Import> readZip(const ZipReader& zip, const std::string& name, const KeepSource& keep,
                       const KeepState& keepState) {
    if (isArchive(zip)) {
        PAL_ASSIGN(SessionDocument document, readArchive(zip, name, keep, keepState));
        Import out{ImportKind::kArchive, {}};
        out.sessions.push_back(std::move(document));
        return out;
    }
    const auto conversations = zip.find("conversations.json");
    if (!conversations)
        return fail(ErrorCode::kFormat, "{}: neither palimpsest.json nor conversations.json is in it", name);
    PAL_ASSIGN(const std::string text, zip.read(*conversations, kMaxForeignJsonBytes));
    PAL_ASSIGN(const nlohmann::json root, parseJsonInput(text, name + ": conversations.json"));
    auto import = readForeign(root, &zip, keep);
    if (!import) return fail(import.error().withContext(name));
    return import;
}

Result<Import> readJson(std::string_view text, const std::string& name, const KeepSource& keep) {
    PAL_ASSIGN(const nlohmann::json root, parseJsonInput(text, name));
    if (textAt(root, "format").empty()) {
        auto import = readForeign(root, nullptr, keep);
        if (!import) return fail(import.error().withContext(name));
        return import;
    }
    PAL_ASSIGN(SessionDocument document, readSessionJson(text, name));
    Import out{ImportKind::kSessionJson, {}};
    if (!document.sources.empty())
        document.warnings.emplace_back("a JSON file carries no attachments; export an archive to take them along");
    out.sessions.push_back(std::move(document));
    return out;
}

std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// All sources of an import together: no archive fills the disk.
class SourceBudget {
  public:
    explicit SourceBudget(const KeepSource& keep) : keep_(keep) {}
    Result<SourceFiles::Kept> operator()(const SourceFiles::Reader& reader) {
        return keep_([&](std::span<std::byte> buffer) -> Result<size_t> {
            PAL_ASSIGN(const size_t count, reader(buffer));
            if (count > left_) {
                return fail(ErrorCode::kUnsupported, "more than {} bytes of sources in one import",
                            kMaxArchiveSourceBytes);
            }
            left_ -= count;
            return count;
        });
    }

  private:
    const KeepSource& keep_;
    uint64_t left_ = kMaxArchiveSourceBytes;
};

Result<Import> completed(Result<Import> import, const std::string& name) {
    if (import) complete(*import, name);
    return import;
}

}  // namespace

std::string_view importKindName(ImportKind kind) {
    constexpr std::array<std::string_view, 4> kNames{"archive", "session JSON", "ChatGPT export", "Open WebUI export"};
    return kNames[static_cast<size_t>(kind)];
}

Result<Import> readImport(const std::filesystem::path& file, const KeepSource& unlimited, const KeepState& keepState) {
    const KeepSource keep = SourceBudget(unlimited);
    PAL_ASSIGN(const MappedFile mapped, MappedFile::open(file));
    const std::string title = file.stem().string();
    if (!beginsLikeZip(mapped.bytes())) return completed(readJson(textOf(mapped.bytes()), file.string(), keep), title);
    PAL_ASSIGN(const ZipReader zip, ZipReader::open(file));
    return completed(readZip(zip, file.string(), keep, keepState), title);
}

Result<Import> readImport(std::span<const std::byte> bytes, const std::string& name, const KeepSource& unlimited,
                          const KeepState& keepState) {
    const KeepSource keep = SourceBudget(unlimited);
    if (!beginsLikeZip(bytes)) return completed(readJson(textOf(bytes), name, keep), name);
    PAL_ASSIGN(const ZipReader zip, ZipReader::open(bytes, name));
    return completed(readZip(zip, name, keep, keepState), name);
}

void attachKept(SessionDocument& document, MessageDocument& message, std::string name, const SourceFiles::Kept& kept) {
    std::string type = mediaTypeFor(name);
    message.attachments.push_back({document.sources.size(), std::nullopt, AttachmentKind::kImage, std::move(name)});
    document.sources.push_back({kept.sha256, kept.bytes, std::move(type), {}});
}

Result<> attachImage(SessionDocument& document, MessageDocument& message, std::string name,
                     const SourceFiles::Reader& bytes, const KeepSource& keep) {
    PAL_ASSIGN(const SourceFiles::Kept kept, keep(bytes));
    attachKept(document, message, std::move(name), kept);
    return {};
}

}  // namespace pal

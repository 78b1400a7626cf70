// SPDX-License-Identifier: Apache-2.0
#include "app/composition/attachments.h"

#include <nlohmann/json.hpp>

#include "engine/api/tokenizer.h"
#include "engine/base/mapped_file.h"
#include "storage/chats/clock.h"
#include "storage/chats/media_type.h"
#include "vision/documents/document_reader.h"
#include "vision/image.h"

namespace pal {
namespace {

constexpr const char* kPlainText = "plain-text";
constexpr const char* kPlainTextVersion = "1";

// UTF-8 without control characters of binary files: it is its own text.
std::optional<std::string> plainText(std::string_view bytes) {
    if (bytes.find('\0') != std::string_view::npos) return std::nullopt;
    std::string text = validUtf8(bytes);
    if (text != bytes) return std::nullopt;
    return text;
}

// Text files that are not their own text.
bool isMarkup(const std::filesystem::path& file) {
    return mediaTypeFor(file.filename().string()) == "text/html";
}

std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Extraction fromDocument(const Document& document) {
    Extraction out{0, "pal-extract", std::to_string(kExtractorVersion), {}, {}, document.warnings};
    nlohmann::json map = nlohmann::json::array();
    for (const DocumentPage& page : document.pages) {
        if (!out.text.empty()) out.text += "\n\n";
        map.push_back({{"page", page.number}, {"label", page.label}, {"begin", out.text.size()}});
        out.text += page.text;
        for (const std::string& warning : page.warnings)
            out.warnings.push_back(fmt::format("page {}: {}", page.number, warning));
    }
    out.map = map.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return out;
}

// `kept` has the bytes, `original` the name, which tells kinds of text apart.
Result<Extraction> readText(const std::filesystem::path& kept, const std::filesystem::path& original) {
    {
        PAL_ASSIGN(const MappedFile mapped, MappedFile::open(kept));
        if (auto text = plainText(textOf(mapped.bytes())); text && !isMarkup(original))
            return Extraction{0, kPlainText, kPlainTextVersion, std::move(*text), "[]", {}};
    }
    auto document = readDocument(kept);
    if (!document) return fail(document.error().withContext(original.filename().string()));
    return fromDocument(*document);
}

AttachmentKind kindOf(const std::filesystem::path& file) {
    if (looksLikeDocument(file)) return AttachmentKind::kDocument;
    return probeImage(MediaSource::file(file)) ? AttachmentKind::kImage : AttachmentKind::kVideo;
}

Result<NewAttachment> enter(ChatLibrary& library, const SourceFiles::Kept& kept, NewAttachment attachment,
                            std::optional<Extraction> extraction) {
    return library.writeNow([kept, attachment = std::move(attachment),
                             extraction = std::move(extraction)](ChatDatabase& database) -> Result<NewAttachment> {
        NewAttachment out = attachment;
        PAL_ASSIGN(out.source, database.sources().add(kept.sha256, kept.bytes, mediaTypeFor(attachment.name), nowMs()));
        if (extraction) {
            PAL_ASSIGN(out.extraction, database.sources().addExtraction(out.source, *extraction, nowMs()));
        }
        return out;
    });
}

}  // namespace

Result<NewAttachment> attachFile(ChatLibrary& library, const AttachRequest& request) {
    NewAttachment attachment;
    attachment.kind = request.kind ? *request.kind : kindOf(request.file);
    attachment.name = request.file.filename().string();
    if (attachment.kind == AttachmentKind::kDocument && !looksLikeDocument(request.file))
        return fail(ErrorCode::kUnsupported, "{}: this is no document that can be read", request.file.string());
    // What is read is what was kept, whatever happens to the original meanwhile.
    PAL_ASSIGN(const SourceFiles::Kept kept, library.keepSource(request.file));
    std::optional<Extraction> extraction;
    if (attachment.kind == AttachmentKind::kDocument) {
        auto text = readText(library.sources().path(kept.sha256), request.file);
        if (!text) return fail(text.error());
        extraction = std::move(*text);
    }
    return enter(library, kept, std::move(attachment), std::move(extraction));
}

Result<NewAttachment> attachText(ChatLibrary& library, const std::string& text, const std::string& name) {
    PAL_ASSIGN(const SourceFiles::Kept kept, library.keepSource(std::as_bytes(std::span(text))));
    const Extraction extraction{0, kPlainText, kPlainTextVersion, validUtf8(text), "[]", {}};
    return enter(library, kept, {0, std::nullopt, AttachmentKind::kDocument, name}, extraction);
}

}  // namespace pal

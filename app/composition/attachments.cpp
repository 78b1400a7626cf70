// SPDX-License-Identifier: Apache-2.0
#include "app/composition/attachments.h"

#include "app/composition/attachment_settings.h"
#include "app/composition/stored_document.h"
#include "engine/api/tokenizer.h"
#include "storage/chats/clock.h"
#include "storage/chats/media_type.h"
#include "storage/chats/sha256.h"

namespace pal {
namespace {

constexpr const char* kPlainText = "plain-text";
constexpr const char* kPlainTextVersion = "1";

AttachmentKind storedKind(AttachedKind kind) {
    switch (kind) {
        case AttachedKind::kImage:
            return AttachmentKind::kImage;
        case AttachedKind::kVideo:
            return AttachmentKind::kVideo;
        case AttachedKind::kText:
        case AttachedKind::kDocument:
            break;
    }
    return AttachmentKind::kDocument;
}

AttachedKind attachedKind(AttachmentKind kind) {
    switch (kind) {
        case AttachmentKind::kImage:
            return AttachedKind::kImage;
        case AttachmentKind::kVideo:
            return AttachedKind::kVideo;
        case AttachmentKind::kDocument:
            break;
    }
    return AttachedKind::kDocument;
}

const std::string& textOf(const AttachedFile& file) {
    return file.document ? file.document->pages.front().text : file.text;
}

Result<SourceFiles::Kept> keepBytes(ChatLibrary& library, const AttachedFile& file) {
    if (file.kind != AttachedKind::kText) return library.keepSource(file.path);
    return library.keepSource(std::as_bytes(std::span(textOf(file))));
}

// What is read is what was kept, whatever happens to the original meanwhile.
Result<std::optional<Extraction>> extract(const AttachedFile& file, const SourceFiles::Kept& kept,
                                          const std::filesystem::path& path, const DocumentOptions& reading) {
    if (file.kind == AttachedKind::kText)
        return Extraction{0, kPlainText, kPlainTextVersion, validUtf8(textOf(file)), "[]", {}};
    if (file.kind != AttachedKind::kDocument) return std::nullopt;
    if (file.document && file.content == contentName(kept.sha256)) return extractionOf(*file.document);
    DocumentOptions all = reading;
    all.name = file.name;
    all.firstPage = 1;
    all.lastPage = 0;
    PAL_ASSIGN(const Document document, readDocument(path, all));
    return extractionOf(document);
}

}  // namespace

Result<NewAttachment> attach(ChatLibrary& library, const AttachedFile& file, const DocumentOptions& reading) {
    PAL_ASSIGN(const SourceFiles::Kept kept, keepBytes(library, file));
    PAL_ASSIGN(const std::optional<Extraction> extraction,
               extract(file, kept, library.sources().path(kept.sha256), reading));
    const NewAttachment attachment{0, std::nullopt, storedKind(file.kind), file.name,
                                   attachmentOptionsText(file.options)};
    return library.writeNow([&](ChatDatabase& database) -> Result<NewAttachment> {
        NewAttachment out = attachment;
        PAL_ASSIGN(out.source, database.sources().add(kept.sha256, kept.bytes, mediaTypeFor(out.name), nowMs()));
        if (extraction) {
            PAL_ASSIGN(out.extraction, database.sources().addExtraction(out.source, *extraction, nowMs()));
        }
        return out;
    });
}

std::vector<NewAttachment> attachedAgain(std::span<const Attachment> attachments) {
    std::vector<NewAttachment> out;
    for (const Attachment& from : attachments)
        out.push_back({from.source, from.extraction, from.kind, from.name, from.options});
    return out;
}

std::string contentName(const Sha256& hash) {
    return "sha256:" + toHex(hash);
}

Result<std::vector<AttachedFile>> attachedFiles(std::span<const Attachment> attachments, const SourceFiles& sources,
                                                ChatDatabase& database) {
    std::vector<AttachedFile> out;
    for (const Attachment& attachment : attachments) {
        AttachedFile file{attachedKind(attachment.kind), sources.path(attachment.sha256), {}, attachment.name};
        file.options = attachmentOptionsFrom(attachment.options);
        file.content = contentName(attachment.sha256);
        if (attachment.extraction) {
            PAL_ASSIGN(const Extraction extraction, database.sources().extraction(*attachment.extraction));
            file.kind = AttachedKind::kDocument;
            file.document = std::make_shared<const Document>(documentOf(extraction));
        } else if (attachment.kind == AttachmentKind::kDocument) {
            return fail(ErrorCode::kUnsupported, "{}: its text was never read", attachment.name);
        }
        out.push_back(std::move(file));
    }
    return out;
}

}  // namespace pal

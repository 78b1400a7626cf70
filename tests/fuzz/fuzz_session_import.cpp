// SPDX-License-Identifier: Apache-2.0
// The input is a file to import: an archive, or JSON of one of the formats. What is read must hold together, be written as our JSON and be
// read back the same; sources and states are counted and not kept.
#include <cstdlib>
#include <string>

#include "storage/chats/sha256.h"
#include "storage/transfer/import.h"
#include "storage/transfer/markdown.h"
#include "storage/transfer/session_json.h"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

pal::Result<pal::SourceFiles::Kept> count(const pal::SourceFiles::Reader& reader) {
    constexpr uint64_t kEnough = 1 << 22;  // of a bomb: it would only take time
    std::vector<std::byte> buffer(1 << 14);
    pal::Sha256Stream hash;
    pal::SourceFiles::Kept kept;
    while (true) {
        PAL_ASSIGN(const size_t got, reader(buffer));
        if (got == 0) break;
        require(got <= buffer.size());
        hash.add({buffer.data(), got});
        kept.bytes += got;
        if (kept.bytes > kEnough) return pal::fail(pal::ErrorCode::kIo, "the disk is full");
    }
    kept.sha256 = hash.finish();
    return kept;
}

void checkSession(const pal::SessionDocument& session) {
    for (size_t i = 0; i < session.messages.size(); ++i) {
        const pal::MessageDocument& message = session.messages[i];
        require(!message.parent || *message.parent < i);
        for (const pal::AttachmentDocument& attachment : message.attachments) {
            require(attachment.source < session.sources.size());
            require(!attachment.extraction ||
                    *attachment.extraction < session.sources[attachment.source].extractions.size());
        }
    }
    require(!session.head || *session.head < session.messages.size());
    require(!pal::writeMarkdown(session).empty());
    const std::string text = pal::writeSessionJson(session);
    const auto again = pal::readSessionJson(text, "again");
    require(again.has_value());
    require(pal::writeSessionJson(*again) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr uint64_t kRoom = 1 << 20;
    uint64_t taken = 0;
    const auto keepState = [&](const std::string&, const pal::ByteBuffer& part) -> pal::Result<> {
        taken += part.size();
        return {};
    };
    const auto import = pal::readImport(std::as_bytes(std::span(data, size)), "fuzz", count, {keepState, kRoom});
    require(taken <= kRoom);
    if (!import) {
        require(!import.error().message.empty());
        return 0;
    }
    for (const pal::SessionDocument& session : import->sessions) checkSession(session);
    return 0;
}

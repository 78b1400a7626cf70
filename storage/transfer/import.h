// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "storage/transfer/session_document.h"

namespace pal {

enum class ImportKind { kArchive, kSessionJson, kChatGpt, kOpenWebUi };
[[nodiscard]] std::string_view importKindName(ImportKind kind);

struct Import {
    ImportKind kind = ImportKind::kArchive;
    std::vector<SessionDocument> sessions;
};

// Reads sessions that this program or others exported, whatever the file is called: a .palimpsest archive, our JSON, ChatGPT's export (the zip
// or its conversations.json), Open WebUI's JSON. Bytes of attachments go to `keep`; what could not be taken over is in the warnings.
// Errors: kNotFound, kIo; kFormat for what is none of them or is damaged; those of the formats. Blocks.
// Stored states of archives go to `keepState`, when there is one.
Result<Import> readImport(const std::filesystem::path& file, const KeepSource& keep, const KeepState& keepState = {});
// The same from memory; `name` stands in the errors.
Result<Import> readImport(std::span<const std::byte> bytes, const std::string& name, const KeepSource& keep,
                          const KeepState& keepState = {});

}  // namespace pal

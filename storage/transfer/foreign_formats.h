// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "engine/base/result.h"
#include "storage/transfer/session_document.h"
#include "storage/transfer/zip_file.h"

namespace pal {

// ChatGPT's export: an array of conversations {"title", "create_time", "mapping": {id: {"message", "parent"}}, "current_node"}. `files` is the
// zip around it, where pictures lie, or null. Calls of tools and hidden messages are left out.
[[nodiscard]] bool isChatGpt(const nlohmann::json& root);
Result<std::vector<SessionDocument>> readChatGpt(const nlohmann::json& root, const ZipReader* files,
                                                 const KeepSource& keep);

// Open WebUI's export: an array of {"title", "chat": {"history": {"messages": {id: {"parentId", "role", "content", "files"}},
// "currentId"}}}. Reasoning stands in the content as <details type="reasoning">; pictures are data URLs.
[[nodiscard]] bool isOpenWebUi(const nlohmann::json& root);
Result<std::vector<SessionDocument>> readOpenWebUi(const nlohmann::json& root, const KeepSource& keep);

// Attaches a picture whose bytes were kept.
void attachKept(SessionDocument& document, MessageDocument& message, std::string name, const SourceFiles::Kept& kept);
// Keeps a picture of a foreign message and attaches it.
Result<> attachImage(SessionDocument& document, MessageDocument& message, std::string name,
                     const SourceFiles::Reader& bytes, const KeepSource& keep);

}  // namespace pal

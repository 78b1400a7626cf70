// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "app/compose/attached_file.h"
#include "app/composition/chat_library.h"
#include "engine/base/result.h"

namespace pal {

// Keeps what a person attaches in the library, with its options and, of a document, the text of all pages, so that a session works after the
// original was moved. A document that was read before is not read again when `content` is the SHA-256 of its file (contentName). Blocks; any
// thread. Errors: those of reading, kUnsupported for a document that cannot be read.
Result<NewAttachment> attach(ChatLibrary& library, const AttachedFile& file, const DocumentOptions& reading = {});

// What a stored message carries, for a message that takes its place.
[[nodiscard]] std::vector<NewAttachment> attachedAgain(std::span<const Attachment> attachments);

// How AttachedFile::content names bytes.
[[nodiscard]] std::string contentName(const Sha256& hash);

// Stored attachments as composeMessage() wants them. `database` is a connection of the calling thread. Errors: those of the database;
// kUnsupported for a document whose text was never read.
Result<std::vector<AttachedFile>> attachedFiles(std::span<const Attachment> attachments, const SourceFiles& sources,
                                                ChatDatabase& database);

}  // namespace pal

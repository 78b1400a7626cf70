// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/composition/chat_library.h"
#include "engine/base/result.h"

namespace pal {

// A file that a person attaches.
struct AttachRequest {
    std::filesystem::path file;
    std::optional<AttachmentKind> kind;  // none: its bytes decide
};

// Keeps a file in the library and, when it is a document, reads its whole text, so that a session works after the original was moved. Warnings
// of the reader are kept with the text. Blocks. Errors: those of reading; kUnsupported when it is nothing that is read.
Result<NewAttachment> attachFile(ChatLibrary& library, const AttachRequest& request);
// Text that is no file, such as what came through a pipe. Malformed UTF-8 is replaced.
Result<NewAttachment> attachText(ChatLibrary& library, const std::string& text, const std::string& name);

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/desktop/bridge/library_thread.h"

namespace pal::desktop {

// Writes a session as the file's ending says: .json, .md, else an archive with its attachments. Only the user may read the file. Blocks.
// The result: sentences about what could not be taken along. Errors: those of reading and writing.
Result<std::vector<std::string>> exportSession(LibraryDesk& desk, SessionId session, const std::filesystem::path& file);

struct Imported {
    std::vector<SessionId> sessions;
    std::vector<std::string> warnings;  // what could not be taken over
};
// Adds the sessions of a file of this program, ChatGPT or Open WebUI. Blocks. Errors: those of readImport and of the database.
Result<Imported> importSessions(LibraryDesk& desk, const std::filesystem::path& file);

}  // namespace pal::desktop

// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/sessions/session_files.h"

#include <span>
#include <system_error>

#include "engine/base/file_writer.h"
#include "storage/transfer/archive.h"
#include "storage/transfer/import.h"
#include "storage/transfer/markdown.h"
#include "storage/transfer/session_copy.h"
#include "storage/transfer/session_json.h"

namespace pal::desktop {

Result<std::vector<std::string>> exportSession(LibraryDesk& desk, SessionId session,
                                               const std::filesystem::path& file) {
    PAL_ASSIGN(const SessionDocument document, readSession(desk.reader, session));
    const std::string ending = file.extension().string();
    if (ending != ".json" && ending != ".md") {
        PAL_TRY(writeArchive(file, document, desk.library.sources()));
        std::error_code ignored;
        std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
                                     ignored);
        return document.warnings;
    }
    const std::string text = ending == ".json" ? writeSessionJson(document) + "\n" : writeMarkdown(document);
    PAL_ASSIGN(FileWriter out, FileWriter::create(file, FileWriter::Readers::kOwner));
    PAL_TRY(out.write(std::as_bytes(std::span(text))));
    PAL_TRY(out.commit());
    return document.warnings;
}

Result<Imported> importSessions(LibraryDesk& desk, const std::filesystem::path& file) {
    const KeepSource keep = [&](const SourceFiles::Reader& reader) { return desk.library.keepSource(reader); };
    PAL_ASSIGN(const Import import, readImport(file, keep));
    Imported out;
    for (const SessionDocument& session : import.sessions) {
        PAL_ASSIGN(const SessionId id,
                   desk.library.writeNow([&](ChatDatabase& database) { return addSession(database, session); }));
        out.sessions.push_back(id);
        for (const std::string& warning : session.warnings) out.warnings.push_back(session.name + ": " + warning);
    }
    return out;
}

}  // namespace pal::desktop

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/base/result.h"
#include "storage/chats/source_files.h"
#include "storage/transfer/session_document.h"
#include "storage/transfer/zip_file.h"

namespace pal {

// A .palimpsest archive: a zip file with
//   palimpsest.json    {"format": "palimpsest-archive", "version": 1}
//   session.json       see session_json.h
//   sources/<sha256>   the original bytes of attachments
//   states/<file>      optional: the parts of the state that the session ends with (storage/states/part_file.h), in order
// Entries with other names are ignored.

inline constexpr uint64_t kMaxSessionJsonBytes = 256ULL << 20;   // parsed it takes about ten times that
inline constexpr uint64_t kMaxArchiveSourceBytes = 64ULL << 30;  // of all sources together, unpacked
inline constexpr uint64_t kMaxStatePartBytes = 1ULL << 30;       // a checkpoint of Kimi K3 has 0.45 GB

// `states`: files of parts, see above. Errors: kIo; kNotFound naming a source whose bytes are gone.
Result<> writeArchive(const std::filesystem::path& file, const SessionDocument& document, const SourceFiles& sources,
                      std::span<const std::filesystem::path> states = {});

// Reads an archive and hands the bytes of its sources to `keep`, after their number and before their hash is checked. A source that is not in
// the archive is named in the warnings. Stored states go to `keepState`; a problem with them is a warning, and then `states` of the session is
// empty. Errors: kFormat, kUnsupported (newer version, limits, encryption), kCorrupt (another hash).
Result<SessionDocument> readArchive(const ZipReader& zip, const std::string& name, const KeepSource& keep,
                                    const KeepState& keepState);

// Whether an opened zip file is such an archive.
[[nodiscard]] bool isArchive(const ZipReader& zip);

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "storage/chats/chat_types.h"
#include "storage/sqlite/database.h"

namespace pal {

// What is known about attached files; the bytes are in SourceFiles. Borrows the connection; what changes rows belongs inside
// ChatDatabase::write. Errors of all calls: those of SQLite, kNotFound.
class SourceTable {
  public:
    explicit SourceTable(sqlite::Database& database) : database_(database) {}

    // The id of a source; the same bytes have one row.
    Result<SourceId> add(const Sha256& hash, uint64_t bytes, std::string_view mediaType, int64_t createdMs);
    Result<std::optional<SourceId>> find(const Sha256& hash);

    // What an extractor of this version made of the source; another run of it replaces nothing and returns the first one's id.
    Result<int64_t> addExtraction(SourceId source, const Extraction& extraction, int64_t createdMs);
    Result<Extraction> extraction(int64_t id);
    Result<std::vector<Extraction>> extractions(SourceId source);

    // New attachments with all that is known of their sources.
    Result<std::vector<Attachment>> attachments(std::span<const NewAttachment> list);

    // Hashes of all sources.
    Result<std::vector<Sha256>> hashes();
    // Forgets the sources that no message carries, and returns their hashes.
    Result<std::vector<Sha256>> removeUnused();

  private:
    sqlite::Database& database_;
};

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "storage/chats/chat_types.h"
#include "storage/sqlite/database.h"

namespace pal {

// Sessions without their messages. Borrows the connection; what changes rows belongs inside ChatDatabase::write. Errors of all calls:
// those of SQLite, kNotFound naming the session.
class SessionTable {
  public:
    explicit SessionTable(sqlite::Database& database) : database_(database) {}

    // `settings` is a JSON object.
    Result<SessionId> add(std::string_view name, std::string_view settings, int64_t createdMs);
    Result<SessionSummary> get(SessionId id);
    // What list() has of a session; nothing when it is in the bin or gone.
    Result<std::optional<SessionSummary>> listed(SessionId id);
    // The sessions of exactly this name, newest change first; not those in the bin.
    Result<std::vector<SessionSummary>> named(std::string_view name);
    // Newest change first, without those in the bin. Reads no message. `limit` 0: all.
    Result<std::vector<SessionSummary>> list(int64_t limit = 0, int64_t offset = 0);

    Result<> rename(SessionId id, std::string_view name);
    // `folder` as the user calls it; empty: out of any.
    Result<> setFolder(SessionId id, std::string_view folder);
    Result<> setSettings(SessionId id, std::string_view settings);
    // The model that answers, and the device it runs on.
    Result<> setModel(SessionId id, std::string_view folder, std::string_view fingerprint, std::string_view device);
    // What of the session's prompt has a stored state, and the file name of its checkpoint.
    Result<> setStored(SessionId id, int64_t tokens, uint64_t bytes, std::string_view checkpoint);
    // The message that the session is at. Errors: kInvalidArgument when it is in another session.
    Result<> setHead(SessionId id, MessageId head, int64_t changedMs);

    // Into the bin and back. The bin is emptied when the data folder is closed.
    Result<> remove(SessionId id, int64_t deletedMs);
    Result<> restore(SessionId id);
    // Likewise when it has no message.
    Result<> removeEmpty(SessionId id, int64_t deletedMs);
    // Deletes what is in the bin for good and returns how many sessions that were.
    Result<int64_t> emptyBin();

    // Bytes of the attachments of a session; a source that several messages share counts once.
    Result<uint64_t> sourceBytes(SessionId id);

  private:
    Result<std::vector<SessionSummary>> read(sqlite::Statement& statement);
    Result<> changed(SessionId id);

    sqlite::Database& database_;
};

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/session_table.h"

namespace pal {
namespace {

constexpr std::string_view kSelect =
    "SELECT id, name, created_ms, changed_ms, ifnull(head_id, 0), settings, model, fingerprint, messages, tokens, "
    "text_bytes, stored_tokens, stored_bytes, folder, device, stored_state FROM session ";

SessionSummary summaryFrom(const sqlite::Statement& row) {
    return {row.integer(0),
            std::string(row.text(1)),
            row.integer(2),
            row.integer(3),
            row.integer(4),
            std::string(row.text(5)),
            std::string(row.text(6)),
            std::string(row.text(7)),
            row.integer(8),
            row.integer(9),
            static_cast<uint64_t>(row.integer(10)),
            row.integer(11),
            static_cast<uint64_t>(row.integer(12)),
            std::string(row.text(13)),
            std::string(row.text(14)),
            std::string(row.text(15))};
}

}  // namespace

Result<SessionId> SessionTable::add(std::string_view name, std::string_view settings, int64_t createdMs) {
    PAL_TRY(database_.run("INSERT INTO session (name, settings, created_ms, changed_ms) VALUES (?1, ?2, ?3, ?3)", name,
                          settings, createdMs));
    return database_.lastInsertId();
}

Result<SessionSummary> SessionTable::get(SessionId id) {
    PAL_ASSIGN(sqlite::Statement statement, database_.prepare(fmt::format("{}WHERE id = ?1", kSelect)));
    PAL_TRY(statement.start(id));
    PAL_ASSIGN(const bool found, statement.step());
    if (!found) return fail(ErrorCode::kNotFound, "there is no session {}", id);
    return summaryFrom(statement);
}

Result<std::optional<SessionSummary>> SessionTable::listed(SessionId id) {
    PAL_ASSIGN(auto statement, database_.prepare(fmt::format("{}WHERE id = ?1 AND deleted_ms IS NULL", kSelect)));
    PAL_TRY(statement.start(id));
    PAL_ASSIGN(const std::vector<SessionSummary> found, read(statement));
    return found.empty() ? std::nullopt : std::optional<SessionSummary>(found.front());
}

Result<std::vector<SessionSummary>> SessionTable::named(std::string_view name) {
    PAL_ASSIGN(auto statement,
               database_.prepare(
                   fmt::format("{}WHERE deleted_ms IS NULL AND name = ?1 ORDER BY changed_ms DESC, id DESC", kSelect)));
    PAL_TRY(statement.start(name));
    return read(statement);
}

Result<std::vector<SessionSummary>> SessionTable::list(int64_t limit, int64_t offset) {
    PAL_ASSIGN(auto statement,
               database_.prepare(fmt::format(
                   "{}WHERE deleted_ms IS NULL ORDER BY changed_ms DESC, id DESC LIMIT ?1 OFFSET ?2", kSelect)));
    PAL_TRY(statement.start(limit > 0 ? limit : int64_t{-1}, offset));
    return read(statement);
}

Result<> SessionTable::rename(SessionId id, std::string_view name) {
    PAL_TRY(database_.run("UPDATE session SET name = ?2 WHERE id = ?1", id, name));
    return changed(id);
}

Result<> SessionTable::setFolder(SessionId id, std::string_view folder) {
    PAL_TRY(database_.run("UPDATE session SET folder = ?2 WHERE id = ?1", id, folder));
    return changed(id);
}

Result<> SessionTable::setSettings(SessionId id, std::string_view settings) {
    PAL_TRY(database_.run("UPDATE session SET settings = ?2 WHERE id = ?1", id, settings));
    return changed(id);
}

Result<> SessionTable::setModel(SessionId id, std::string_view folder, std::string_view fingerprint,
                                std::string_view device) {
    PAL_TRY(database_.run("UPDATE session SET model = ?2, fingerprint = ?3, device = ?4 WHERE id = ?1", id, folder,
                          fingerprint, device));
    return changed(id);
}

Result<> SessionTable::setStored(SessionId id, int64_t tokens, uint64_t bytes, std::string_view checkpoint) {
    PAL_TRY(database_.run("UPDATE session SET stored_tokens = ?2, stored_bytes = ?3, stored_state = ?4 WHERE id = ?1",
                          id, tokens, static_cast<int64_t>(bytes), checkpoint));
    return changed(id);
}

Result<> SessionTable::setHead(SessionId id, MessageId head, int64_t changedMs) {
    PAL_TRY(database_.run(
        "UPDATE session SET head_id = ?2, changed_ms = ?3, tokens = (SELECT path_tokens FROM message "
        "WHERE id = ?2) WHERE id = ?1 AND EXISTS (SELECT 1 FROM message WHERE id = ?2 AND session_id = ?1)",
        id, head, changedMs));
    if (database_.changes() > 0) return {};
    return fail(ErrorCode::kInvalidArgument, "message {} is not in session {}", head, id);
}

Result<> SessionTable::remove(SessionId id, int64_t deletedMs) {
    PAL_TRY(database_.run("UPDATE session SET deleted_ms = ?2 WHERE id = ?1", id, deletedMs));
    return changed(id);
}

Result<> SessionTable::removeEmpty(SessionId id, int64_t deletedMs) {
    return database_.run("UPDATE session SET deleted_ms = ?2 WHERE id = ?1 AND messages = 0", id, deletedMs);
}

Result<> SessionTable::restore(SessionId id) {
    PAL_TRY(database_.run("UPDATE session SET deleted_ms = NULL WHERE id = ?1", id));
    return changed(id);
}

Result<int64_t> SessionTable::emptyBin() {
    PAL_TRY(
        database_.run("DELETE FROM message WHERE session_id IN (SELECT id FROM session WHERE deleted_ms IS NOT NULL)"));
    PAL_TRY(database_.run("DELETE FROM session WHERE deleted_ms IS NOT NULL"));
    return database_.changes();
}

Result<uint64_t> SessionTable::sourceBytes(SessionId id) {
    PAL_ASSIGN(
        const int64_t bytes,
        database_.integer("SELECT ifnull(sum(bytes), 0) FROM source WHERE id IN (SELECT source_id FROM attachment "
                          "JOIN message ON message.id = attachment.message_id WHERE message.session_id = ?1)",
                          id));
    return static_cast<uint64_t>(bytes);
}

Result<std::vector<SessionSummary>> SessionTable::read(sqlite::Statement& statement) {
    std::vector<SessionSummary> out;
    while (true) {
        PAL_ASSIGN(const bool found, statement.step());
        if (!found) return out;
        out.push_back(summaryFrom(statement));
    }
}

Result<> SessionTable::changed(SessionId id) {
    if (database_.changes() > 0) return {};
    return fail(ErrorCode::kNotFound, "there is no session {}", id);
}

}  // namespace pal

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "storage/chats/message_table.h"
#include "storage/chats/rate_table.h"
#include "storage/chats/search.h"
#include "storage/chats/session_table.h"
#include "storage/chats/source_table.h"
#include "storage/sqlite/database.h"

namespace pal {

enum class ChatAccess {
    kOwner,   // reads and writes; the caller holds the FolderOwner
    kReader,  // reads only, beside an owner in this or another program
};

struct ChatOpenOptions {
    ChatAccess access = ChatAccess::kOwner;
    std::filesystem::path backups;  // where copies from before a change of the schema go
    std::string vfs;                // SQLite's name of the file layer; empty: the system's
};

// One connection to chats.db (WAL, every commit is synced). Confined to one thread. Opening as the owner brings the schema up to date and
// checks the file when its last owner did not close it; replies that were cut off then are marked.
class ChatDatabase {
  public:
    // Errors: kNotFound (reader only), kIo, kBusy; kFormat for a database of another program; kCorrupt with what to do about it.
    static Result<ChatDatabase> open(const std::filesystem::path& file, const ChatOpenOptions& options);

    // Runs `change(*this)` in one transaction and returns its result; an error undoes all of it. Errors: those of `change`; kUnsupported when
    // the file may not be written, saying why.
    template <typename Change>
    auto write(Change change) -> std::invoke_result_t<Change, ChatDatabase&> {
        PAL_TRY(mayWrite());
        PAL_ASSIGN(sqlite::Transaction transaction, sqlite::Transaction::begin(*database_));
        *noted_ = {};
        auto result = change(*this);
        if (!result) return result;
        PAL_TRY(transaction.commit());
        keepChanges();
        return result;
    }

    [[nodiscard]] SessionTable sessions() { return SessionTable(*database_); }
    [[nodiscard]] MessageTable messages() { return MessageTable(*database_); }
    [[nodiscard]] SourceTable sources() { return SourceTable(*database_); }
    [[nodiscard]] RateTable rates() { return RateTable(*database_); }
    Result<std::vector<SearchHit>> search(std::string_view query, int64_t limit) {
        return searchChats(*database_, query, limit);
    }

    // Sessions and messages whose rows were changed and committed through write() since the last call, each once.
    struct Changes {
        std::set<SessionId> sessions;
        std::set<MessageId> messages;
    };
    [[nodiscard]] Changes takeChanges();

    // Sentences for the user about what opening met: a newer file, an unclean stop, a backup that was made.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    [[nodiscard]] bool writable() const { return readOnlyReason_.empty(); }
    [[nodiscard]] int schemaVersion() const { return version_; }

    // Everything that is wrong with the file, as sentences: pages, references, the search index, the sums in the session rows. Reads it
    // all. Errors: only those that keep it from looking.
    Result<std::vector<std::string>> problems();

    // Empties the bin, forgets sources without a message and marks the file as closed. The hashes of those sources: their bytes may go. Not
    // called: the next owner checks the file. The object may then only be destroyed.
    Result<std::vector<Sha256>> close();

    // A value that the program keeps with the library, such as a budget.
    Result<std::optional<int64_t>> number(std::string_view key);
    Result<> setNumber(std::string_view key, int64_t value);

    [[nodiscard]] sqlite::Database& connection() { return *database_; }

  private:
    explicit ChatDatabase(sqlite::Database database);
    Result<> prepareOwner(const ChatOpenOptions& options);
    Result<> checkAfterUncleanStop();
    Result<> mayWrite() const;
    void keepChanges();

    std::unique_ptr<sqlite::Database> database_;  // the tables point to it, so it stays where it is
    std::unique_ptr<Changes> noted_;              // in this transaction; SQLite's hook points to it
    Changes changes_;                             // committed
    std::vector<std::string> notes_;
    std::string readOnlyReason_;
    int version_ = 0;
};

}  // namespace pal

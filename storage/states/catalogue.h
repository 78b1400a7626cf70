// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/state_store.h"
#include "engine/base/result.h"
#include "storage/sqlite/database.h"

namespace pal {

// states.db: which parts of states are stored (resources/sql/states). One connection, which owns the file alone; confined to one thread
// at a time. Errors of all calls: those of sqlite::Database.
class Catalogue {
  public:
    struct Part {
        int64_t row = 0;
        StateId id;
        uint64_t bytes = 0;
        int64_t used = 0;
    };

    // Raised when parts have a new form: those that an older catalogue lists are of no use (2: a part ends with what it is).
    static constexpr int64_t kVersion = 2;
    // Opens or makes the file; one that is there is not changed by it, not by a byte. Errors: kBusy when another program has it; kUnsupported
    // for a newer version; kCorrupt.
    static Result<Catalogue> open(const std::filesystem::path& file, const std::string& vfs);
    // An older program wrote it, and perhaps what it lists.
    [[nodiscard]] bool isOlder() const { return older_; }

    // By family, prefix and kind, which is what parts are named by.
    [[nodiscard]] Result<std::optional<Part>> find(const StateId& id);
    // Positions of the family's checkpoints up to `upTo`, descending, each once.
    [[nodiscard]] Result<std::vector<int64_t>> positions(const Hash128& family, int64_t upTo);
    // Bytes of a part and of all it continues.
    [[nodiscard]] Result<uint64_t> chainBytes(int64_t row);
    // A part and all it continues, the sequence's beginning first.
    [[nodiscard]] Result<std::vector<Part>> chainTo(int64_t row);
    // The part and everything that continues it, ends first.
    [[nodiscard]] Result<std::vector<Part>> chainFrom(int64_t row);
    // Parts that nothing continues, least recently used first.
    [[nodiscard]] Result<std::vector<Part>> leastUsed(int64_t count);
    [[nodiscard]] Result<std::vector<Part>> all();
    [[nodiscard]] Result<uint64_t> totalBytes();
    [[nodiscard]] Result<int64_t> newestUse();

    // Adds a part, or gives the one of this name new bytes. `parent` is a row of this family's pages.
    Result<> add(const StateId& id, std::optional<int64_t> parent, uint64_t bytes, int64_t used);
    // Removes a part that nothing continues.
    Result<> remove(int64_t row);
    Result<> touch(int64_t row, int64_t used);
    // Puts the file on the disk. Before that only the system has what was added: after a crash the catalogue is made again from the parts
    // (state_folder.h), so that nothing waits for it here.
    Result<> sync();
    Result<> quickCheck() { return database_.quickCheck(); }
    [[nodiscard]] sqlite::Database& database() { return database_; }

  private:
    Catalogue(sqlite::Database database, bool older) : database_(std::move(database)), older_(older) {}
    sqlite::Database database_;
    bool older_;
};

}  // namespace pal

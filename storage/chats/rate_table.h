// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/result.h"
#include "storage/sqlite/database.h"

namespace pal {

enum class RateKind {
    kPrefill,  // tokens of prompt per second
    kRestore,  // bytes of stored state per second
};

// Measured speeds of models (named by their folder) on the devices of this machine ("cpu", "cuda"). Borrows the connection; add() belongs inside
// ChatDatabase::write. Errors: those of SQLite.
class RateTable {
  public:
    explicit RateTable(sqlite::Database& database) : database_(database) {}

    // Notes that `units` of work took `seconds`; each measurement halves the weight of those before it.
    Result<> add(std::string_view model, std::string_view device, RateKind kind, double units, double seconds);
    // Units per second; nothing when it was never measured.
    Result<std::optional<double>> get(std::string_view model, std::string_view device, RateKind kind);

  private:
    sqlite::Database& database_;
};

}  // namespace pal

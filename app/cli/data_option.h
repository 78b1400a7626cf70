// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "engine/base/result.h"
#include "storage/chats/chat_database.h"
#include "storage/chats/data_folder.h"

namespace pal::cli {

// Where sessions are kept, as named; empty: where dataPlaces() says.
struct DataFlags {
    std::string folder;  // of everything
    std::string states;  // of stored states, instead
    [[nodiscard]] bool given() const { return !folder.empty() || !states.empty(); }
};

// Adds --data-dir and --slot-save-path; `flags` must live as long as the command.
void addDataOption(CLI::App& command, DataFlags& flags);

// Where chats and states are. Errors: those of dataPlaces.
Result<DataPlaces> placesFrom(const DataFlags& flags);

// chats.db for reading, also while another program owns the folder; an older schema is brought up to date first. Errors: those of
// ChatDatabase::open and FolderOwner::acquire; kNotFound when there are no sessions yet.
Result<ChatDatabase> openReader(const DataPlaces& places);

// The session called `name`, or the one with an id written as "#12". Errors: kNotFound; kConflict when several have this name, with their ids.
Result<SessionSummary> findSession(ChatDatabase& database, const std::string& name);

}  // namespace pal::cli
